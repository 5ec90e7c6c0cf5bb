/* SPDX-License-Identifier: MIT */
/* cutting_planes.h -- raises the bound of a relaxation within given work:
 * ascent, smoothing and separation in rounds. */
#ifndef BESTDAG_BOUNDS_CUTTING_PLANES_H
#define BESTDAG_BOUNDS_CUTTING_PLANES_H

#include "bounds/relaxation.h"

/* The cost of the incumbent where there is none: above every network's, and a
 * sum with one does not overflow. */
#define BESTDAG_UNKNOWN_COST (INT64_MAX / 2)

struct bestdag_cutting_settings {
    int64_t upper;     /* the cost of the incumbent; on_order may lower it */
    int64_t most_work; /* relax->work may grow by this much; 0: no limit */
    int64_t most_idle; /* likewise, by rounds that gain little */
    void *job;
    /* An order in which each variable has a set of reduced cost 0; may lower
     * `upper`. NULL: not wanted. */
    void (*on_order)(void *job, struct bestdag_cutting_settings *settings,
                     const int *order);
    /* Before each round, with the best bound so far and the work done; may
     * lower `upper`. NULL: not wanted. */
    void (*on_round)(void *job, struct bestdag_cutting_settings *settings,
                     int64_t bound, int64_t work);
    /* Called before reduced-cost fixing with this limit and the multipliers as
     * they are. NULL: no sets are fixed out. */
    int (*on_delete)(void *job, const struct bestdag_relaxation *relax,
                     int64_t limit);
};

/* Dual ascent, then rounds of smoothing, separation and ascent with ever less
 * smoothing, until the bound reaches `upper`, or rounds gain little, or the
 * work or the run ends. Leaves the relaxation with the best multipliers found.
 */
int bestdag_cutting_planes(struct bestdag_relaxation *relax,
                           struct bestdag_cutting_settings *settings);

#endif
