/* SPDX-License-Identifier: MIT */
/* auto.h -- chooses the solver: the user's, or for `auto` several in turn. */
#ifndef BESTDAG_LEARN_AUTO_H
#define BESTDAG_LEARN_AUTO_H

#include "learn/candidate_supply.h"
#include "parents/likely_parents.h"
#include "search/solver.h"

/* Sets task->solver: the one that the options name, or, for `auto`, one that
 * takes the rules, to use until the candidate lists are known. */
int bestdag_auto_first(struct bestdag_task *task);
/* May `auto` choose any solver: no settings, and no rules that only some
 * take? */
bool bestdag_auto_is_free(const struct bestdag_task *task);
/* For `auto` on a table of many variables: the parents to consider, owned by
 * the caller. NULL: all of them, or an error. */
struct bestdag_likely_parents *bestdag_auto_likely(
    const struct bestdag_task *task);
/* For `auto` on a table: a first network, quickly. `to` has no graph if that is
 * not worth while, or if hill climbing does not take the rules. */
int bestdag_auto_first_network(struct bestdag_task *task,
                               struct bestdag_outcome *to);
/* Searches; `auto` runs its solvers in turn, each for its share of the budget,
 * until one proves optimality. supply: source of the task's problem, if its
 * lists may grow; or NULL. is_brief: one of many runs, with a smaller
 * budget. */
int bestdag_auto_search(struct bestdag_task *task,
                        struct bestdag_supply *supply, bool is_brief,
                        struct bestdag_outcome *to);

/* Does this solver take the task's rules? */
bool bestdag_auto_takes_rules(const struct bestdag_task *task,
                              const char *solver);

#endif
