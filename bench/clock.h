/* SPDX-License-Identifier: MIT */
/* clock.h -- processor time, which other programs disturb less. */
#ifndef CLOCK_H
#define CLOCK_H

#include <time.h>

static inline double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
