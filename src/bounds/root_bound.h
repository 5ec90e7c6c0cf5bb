/* SPDX-License-Identifier: MIT */
/* root_bound.h -- the cluster bound of a whole problem.
 *
 * It is an anytime bound: valid whenever it is stopped, by work or by the
 * run. */
#ifndef BESTDAG_BOUNDS_ROOT_BOUND_H
#define BESTDAG_BOUNDS_ROOT_BOUND_H

#include "bounds/relaxation.h"
#include "bounds/saved_clusters.h"
#include "problem/problem.h"

/* Are some lists incomplete, and do all of these have a ceiling? */
bool bestdag_root_opens(const struct bestdag_problem *problem);
/* The relaxation of a problem without multipliers. With `is_open` a variable
 * may also take a set that is not listed: without parents, at the ceiling of
 * its list; requires bestdag_root_opens(). NULL: error. */
struct bestdag_relaxation *bestdag_relaxation_of(
    struct bestdag_run *run, const struct bestdag_problem *problem,
    bool is_open);
/* Is there memory for the relaxation, and, under a time limit, time to set it
 * up? */
bool bestdag_relaxation_fits(const struct bestdag_run *run,
                             const struct bestdag_problem *problem,
                             double seconds);
/* The cost of an order; -1: some variable has no set. cost[n] (may be NULL)
 * gets the cost of each variable. */
int64_t bestdag_relaxation_cost(const struct bestdag_relaxation *relax,
                                const int *order, int64_t *cost);

/* *bound: a lower bound on the cost of all networks over the lists, or, if
 * is_open, of all networks. The work is proportional to the lists, a fraction
 * of a second up to 10,000 sets; at most most_work sets are examined (0: no
 * other limit). It begins with the clusters `from`; NULL: none. */
int bestdag_root_bound(struct bestdag_run *run,
                       const struct bestdag_problem *problem, bool is_open,
                       const struct bestdag_saved_clusters *from,
                       int64_t most_work, int64_t *bound);
/* Raises *bound to what these clusters and multipliers prove over the lists,
 * without further work. */
int bestdag_root_bound_saved(struct bestdag_run *run,
                             const struct bestdag_problem *problem,
                             const struct bestdag_saved_clusters *from,
                             int64_t *bound);

#endif
