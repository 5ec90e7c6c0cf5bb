/* SPDX-License-Identifier: MIT */
/* near_relaxation.h -- a relaxation without the sets that are far: where lists
 * are long, multipliers are moved on it, and then taken over.
 *
 * Its bound is that of shorter lists, and may be too high: nothing is proved
 * with it. Reduced costs of all sets are computed once, where the multipliers
 * end. */
#ifndef BESTDAG_BOUNDS_NEAR_RELAXATION_H
#define BESTDAG_BOUNDS_NEAR_RELAXATION_H

#include "bounds/relaxation.h"

/* Are there so many sets that it is worth while? */
bool bestdag_near_relaxation_pays(const struct bestdag_relaxation *relax);

/* The nearest sets of each list, one in `part` of long ones, and always the
 * empty one; clusters, which are borrowed, and multipliers as in `relax`. NULL:
 * failed. */
struct bestdag_relaxation *bestdag_near_relaxation_new(
    const struct bestdag_relaxation *relax, int part);

#endif
