/* SPDX-License-Identifier: MIT */
/* cluster_heuristic.h -- the cluster bound of a component as a heuristic.
 *
 * With the multipliers y of a relaxation (bounds/relaxation.h) the variables
 * that are missing from a prefix S cost at least
 *
 *     h(S) = sum over v not in S of pi_v
 *          + sum over C of max(0, least_C - rank_C(S)) y_C,
 *
 * where rank_C(S) is the number of classes of C that S meets: that many fewer
 * members of C outside S need miss it, and clusters that need none are dropped,
 * which only raises pi. It is consistent: v raises the rank of C only if it
 * misses C with parents in S, and then it costs y_C more than pi_v. h({}) is
 * the bound of the relaxation. */
#ifndef BESTDAG_SEARCH_SUBSETS_CLUSTER_HEURISTIC_H
#define BESTDAG_SEARCH_SUBSETS_CLUSTER_HEURISTIC_H

#include "bounds/relaxation.h"
#include "problem/component.h"
#include "search/solver.h"
#include "search/subsets/heuristic.h"

/* The relaxation of a component whose incumbent, order[n] in numbers of the
 * whole problem, bounds what is worth keeping: cutting planes within some work,
 * then reduced-cost fixing. It begins with the clusters of the task, if another
 * prover has left some. NULL: failed. */
struct bestdag_relaxation *bestdag_component_relaxation(
    const struct bestdag_task *task, const struct bestdag_component *component,
    const int *order);
/* The component with the lists that the relaxation has left; none: the cost
 * where no set is. NULL: failed. */
struct bestdag_component *bestdag_component_of(
    struct bestdag_run *run, const struct bestdag_component *component,
    const struct bestdag_relaxation *relax, int64_t none);
/* The larger one of h and `other`, which it takes in any case. Variable i is
 * variable order[i] of the relaxation. NULL: failed. */
struct bestdag_heuristic *bestdag_cluster_heuristic_new(
    const struct bestdag_relaxation *relax, const int *order,
    struct bestdag_heuristic *other);

#endif
