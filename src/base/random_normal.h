/* SPDX-License-Identifier: MIT */
/* random_normal.h -- normally distributed random numbers, two at a time (Box
 * and Muller 1958). */
#ifndef BESTDAG_BASE_RANDOM_NORMAL_H
#define BESTDAG_BASE_RANDOM_NORMAL_H

#include <math.h>

#include "base/random.h"

static inline void bestdag_random_normals(struct bestdag_random *r,
                                          double to[2])
{
    const double turn = 6.283185307179586;
    double radius = sqrt(-2 * log(1 - bestdag_random_unit(r)));
    double angle = turn * bestdag_random_unit(r);
    to[0] = radius * cos(angle);
    to[1] = radius * sin(angle);
}

static inline double bestdag_random_normal(struct bestdag_random *r)
{
    double pair[2];
    bestdag_random_normals(r, pair);
    return pair[0];
}

#endif
