/* SPDX-License-Identifier: MIT */
/* root_bound.h -- the cluster bound of a whole problem.
 *
 * Any time: it may be stopped, by work or by the run, and is a bound always. */
#ifndef BESTDAG_BOUNDS_ROOT_BOUND_H
#define BESTDAG_BOUNDS_ROOT_BOUND_H

#include "bounds/relaxation.h"
#include "bounds/saved_clusters.h"
#include "problem/problem.h"

/* May sets be missing on the lists, and is it known of all lists how good they
 * are at most? */
bool bestdag_root_opens(const struct bestdag_problem *problem);
/* The relaxation of a problem without multipliers. With `is_open` a variable
 * may also take whatever is not on its list: at its ceiling, without parents;
 * bestdag_root_opens() must have said yes. NULL: failed. */
struct bestdag_relaxation *bestdag_relaxation_of(
    struct bestdag_run *run, const struct bestdag_problem *problem,
    bool is_open);
/* Is there room for it, and, under a time limit, time to lay it out in? */
bool bestdag_relaxation_fits(const struct bestdag_run *run,
                             const struct bestdag_problem *problem,
                             double seconds);
/* The cost of an order of its variables; -1: some variable has no set then.
 * cost[n], if it is not NULL, gets what each costs. */
int64_t bestdag_relaxation_cost(const struct bestdag_relaxation *relax,
                                const int *order, int64_t *cost);

/* No network over the lists costs less than *bound (or, if is_open, none at
 * all). Work as for polishing, in proportion to the lists. It costs a fraction
 * of a second up to 10,000 sets; at most this many sets are looked at (0: as
 * many as it likes). It begins with these clusters; NULL: none. */
int bestdag_root_bound(struct bestdag_run *run,
                       const struct bestdag_problem *problem, bool is_open,
                       const struct bestdag_saved_clusters *from,
                       int64_t most_work, int64_t *bound);
/* Raises *bound to what these clusters with their multipliers prove over the
 * lists, without more work. */
int bestdag_root_bound_saved(struct bestdag_run *run,
                             const struct bestdag_problem *problem,
                             const struct bestdag_saved_clusters *from,
                             int64_t *bound);

#endif
