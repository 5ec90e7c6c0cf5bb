/* SPDX-License-Identifier: MIT */
/* near_relaxation.h -- a relaxation without sets of large reduced cost: for
 * long lists, multipliers are improved on it and then taken over.
 *
 * Its bound refers to shorter lists and may be too high: it proves nothing.
 * Reduced costs of all sets are computed once, for the final multipliers. */
#ifndef BESTDAG_BOUNDS_NEAR_RELAXATION_H
#define BESTDAG_BOUNDS_NEAR_RELAXATION_H

#include "bounds/relaxation.h"

/* Are there so many sets that it is worth while? */
bool bestdag_near_relaxation_pays(const struct bestdag_relaxation *relax);

/* The nearest sets of each list, one in `part` of long ones, and always the
 * empty set; clusters (borrowed) and multipliers as in `relax`. NULL: error. */
struct bestdag_relaxation *bestdag_near_relaxation_new(
    const struct bestdag_relaxation *relax, int part);

#endif
