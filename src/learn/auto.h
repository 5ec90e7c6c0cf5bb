/* SPDX-License-Identifier: MIT */
/* auto.h -- which solver: the user's, or what suits the problem, in turns. */
#ifndef BESTDAG_LEARN_AUTO_H
#define BESTDAG_LEARN_AUTO_H

#include "learn/candidate_supply.h"
#include "parents/likely_parents.h"
#include "search/solver.h"

/* The solver that the options name, or, for `auto`, one that takes the rules,
 * until the candidate sets are known. */
int bestdag_auto_first(struct bestdag_task *task);
/* Is nothing said that only one way would suit? */
bool bestdag_auto_is_free(const struct bestdag_task *task);
/* For `auto` on a table of many variables: the parents that are looked at; the
 * caller's. NULL: all are, or it failed. */
struct bestdag_likely_parents *bestdag_auto_likely(
    const struct bestdag_task *task);
/* For `auto` on a table: a first network, soon. No graph in `to`: it is not
 * worth while, or the rules are too much for it. */
int bestdag_auto_first_network(struct bestdag_task *task,
                               struct bestdag_outcome *to);
/* Searches, for `auto` with one solver after the other, each for its share of
 * the time, until one proves. supply: what the task's problem is of, if they
 * may grow; or NULL. is_brief: one of many runs; without a limit only
 * counted work ends a turn. */
int bestdag_auto_search(struct bestdag_task *task,
                        struct bestdag_supply *supply, bool is_brief,
                        struct bestdag_outcome *to);

/* Does this solver take the task's rules? */
bool bestdag_auto_takes_rules(const struct bestdag_task *task,
                              const char *solver);

#endif
