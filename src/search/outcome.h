/* SPDX-License-Identifier: MIT */
/* outcome.h -- bound, gap and status of a network: the one place where they are
 * made.
 *
 * A solver's bound is of the scores on the lists, which are whole units; the
 * score of the network is computed again in double. Where that is above the
 * bound by rounding alone, the bound is raised to it.
 *
 * `optimal` if and only if bound - score is at most the tolerance: 2n units (n
 * by which bounds are rounded up, and at most n for the rounding of costs), the
 * difference of the network's score and what the lists say of it, which is the
 * rounding of local scores, and 1e-14 of the score for sums in double. A bound
 * that is below what the lists say of the network by more than that is wrong,
 * and an internal error. */
#ifndef BESTDAG_SEARCH_OUTCOME_H
#define BESTDAG_SEARCH_OUTCOME_H

#include "search/solver.h"

/* What bounds are made of: the lists of the task, or NULL. */
const struct bestdag_problem *bestdag_task_lists(
    const struct bestdag_task *task);
/* Fills bound, global_bound, gap and status of an outcome that has its network
 * and score; `proved`: the solver's bound, or NaN. */
int bestdag_outcome_judge(const struct bestdag_task *task, double proved,
                          struct bestdag_outcome *to);

#endif
