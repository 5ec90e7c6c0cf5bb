/* SPDX-License-Identifier: MIT */
/* cluster_heuristic.h -- the cluster bound of a component as a heuristic.
 *
 * With the multipliers y of a relaxation (bounds/relaxation.h), the variables
 * outside a prefix S cost at least
 *
 *     h(S) = sum over v not in S of pi_v
 *          + sum over C of max(0, least_C - rank_C(S)) y_C,
 *
 * where rank_C(S) is the number of classes of C that intersect S: so many fewer
 * members of C outside S must miss it, and clusters that no member must miss
 * are dropped, which only raises pi. h is consistent: v raises the rank of C
 * only if it misses C with parents in S, and then it costs y_C more than pi_v.
 * h({}) is the bound of the relaxation. */
#ifndef BESTDAG_SEARCH_SUBSETS_CLUSTER_HEURISTIC_H
#define BESTDAG_SEARCH_SUBSETS_CLUSTER_HEURISTIC_H

#include "bounds/relaxation.h"
#include "problem/component.h"
#include "search/solver.h"
#include "search/subsets/heuristic.h"

/* The relaxation of a component, by cutting planes within a limit of work, then
 * reduced-cost fixing below the cost of the incumbent, order[n] in numbers of
 * the whole problem. It begins with the task's clusters, if another prover has
 * left some. NULL: error. */
struct bestdag_relaxation *bestdag_component_relaxation(
    const struct bestdag_task *task, const struct bestdag_component *component,
    const int *order);
/* The component with the sets that the relaxation has not fixed out; none: the
 * cost of a variable without a set. NULL: error. */
struct bestdag_component *bestdag_component_of(
    struct bestdag_run *run, const struct bestdag_component *component,
    const struct bestdag_relaxation *relax, int64_t none);
/* The maximum of h and `other`, which is taken over even on failure. Variable i
 * is variable order[i] of the relaxation. NULL: error. */
struct bestdag_heuristic *bestdag_cluster_heuristic_new(
    const struct bestdag_relaxation *relax, const int *order,
    struct bestdag_heuristic *other);

#endif
