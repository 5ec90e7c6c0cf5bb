/* SPDX-License-Identifier: MIT */
/* outcome.h -- bound, gap and status of a network; no other code sets them.
 *
 * A solver's bound refers to the scores of the lists, which are integers in
 * units; the score of the network is recomputed in double. Where that is above
 * the bound because of rounding, the bound is raised to it.
 *
 * A network is `optimal` if and only if bound - score is at most the tolerance:
 * 2n units (bounds are rounded up by n, costs by at most n), plus the
 * difference between the network's score and its score according to the lists,
 * which is the rounding of local scores, plus 1e-14 of the score for sums in
 * double. A bound that is further below the network's score according to the
 * lists is wrong: an internal error. */
#ifndef BESTDAG_SEARCH_OUTCOME_H
#define BESTDAG_SEARCH_OUTCOME_H

#include "search/solver.h"

/* The lists that bounds refer to, or NULL. */
const struct bestdag_problem *bestdag_task_lists(
    const struct bestdag_task *task);
/* Fills bound, global_bound, gap and status of an outcome that has its network
 * and score; `proved`: the solver's bound, or NaN. */
int bestdag_outcome_judge(const struct bestdag_task *task, double proved,
                          struct bestdag_outcome *to);

#endif
