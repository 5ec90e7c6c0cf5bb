/* SPDX-License-Identifier: MIT */
/* fault.h -- deliberate faults, to prove that the tests can fail.
 *
 * Only a test build (-DBESTDAG_FAULTS) has them: BESTDAG_FAULT(NAME) is true if
 * the environment variable BESTDAG_FAULT is NAME. tests/tools/faults.sh
 * switches each of them on and asks that the tests fail. */
#ifndef BESTDAG_BASE_FAULT_H
#define BESTDAG_BASE_FAULT_H

#ifdef BESTDAG_FAULTS

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline bool bestdag_fault_is(const char *name)
{
    const char *chosen = getenv("BESTDAG_FAULT");
    return chosen && !strcmp(chosen, name);
}
#define BESTDAG_FAULT(name) bestdag_fault_is(name)

#else

#define BESTDAG_FAULT(name) 0

#endif
#endif
