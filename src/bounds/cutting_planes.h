/* SPDX-License-Identifier: MIT */
/* cutting_planes.h -- the bound of a relaxation, as high as some work makes it.
 */
#ifndef BESTDAG_BOUNDS_CUTTING_PLANES_H
#define BESTDAG_BOUNDS_CUTTING_PLANES_H

#include "bounds/relaxation.h"

/* No network is known yet: more than any costs, and a sum with one does not
 * overflow. */
#define BESTDAG_UNKNOWN_COST (INT64_MAX / 2)

struct bestdag_cutting_settings {
    int64_t upper;     /* the cost of a network that is known; it may be lowered
                          by on_order */
    int64_t most_work; /* relax->work may grow by this much; 0: no limit */
    void *job;
    /* An order in which each variable has a set of reduced cost 0; may lower
     * `upper`. NULL: not wanted. */
    void (*on_order)(void *job, struct bestdag_cutting_settings *polish,
                     const int *order);
    /* Before sets are deleted with this limit, the multipliers being what they
     * are. NULL: nothing is deleted. */
    int (*on_delete)(void *job, const struct bestdag_relaxation *relax,
                     int64_t limit);
};

/* Ascent, then rounds of smoothing, new clusters and ascent with edges ever
 * sharper, until the bound reaches `upper`, or rounds gain little, or the work
 * or the run ends. The relaxation has the best multipliers found. */
int bestdag_cutting_planes(struct bestdag_relaxation *relax,
                           struct bestdag_cutting_settings *polish);

#endif
