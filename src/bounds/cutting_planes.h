/* SPDX-License-Identifier: MIT */
/* cutting_planes.h -- raises the bound of a relaxation within given work:
 * ascent, smoothing and separation in rounds. */
#ifndef BESTDAG_BOUNDS_CUTTING_PLANES_H
#define BESTDAG_BOUNDS_CUTTING_PLANES_H

#include "bounds/relaxation.h"

/* The cost of the incumbent if there is none: above that of any network, and
 * such that adding a cost does not overflow. */
#define BESTDAG_UNKNOWN_COST (INT64_MAX / 2)

struct bestdag_cutting_settings {
    int64_t upper;     /* cost of the incumbent; on_order may lower it */
    int64_t most_work; /* by which relax->work may grow; 0: no limit */
    int64_t most_idle; /* the same for rounds that gain little */
    void *job;
    /* Called with an order in which each variable has a set of reduced cost 0;
     * may lower `upper`. May be NULL. */
    void (*on_order)(void *job, struct bestdag_cutting_settings *settings,
                     const int *order);
    /* Called before each round with the best bound and the work so far; may
     * lower `upper`. May be NULL. */
    void (*on_round)(void *job, struct bestdag_cutting_settings *settings,
                     int64_t bound, int64_t work);
    /* Called before reduced-cost fixing by this limit with the present
     * multipliers. NULL: no sets are fixed out. */
    int (*on_delete)(void *job, const struct bestdag_relaxation *relax,
                     int64_t limit);
};

/* Dual ascent, then rounds of smoothing, separation and ascent with ever less
 * smoothing, until the bound reaches `upper`, rounds gain little, the work is
 * spent, or the run is stopped. Leaves the relaxation with the best multipliers
 * found. */
int bestdag_cutting_planes(struct bestdag_relaxation *relax,
                           struct bestdag_cutting_settings *settings);

#endif
