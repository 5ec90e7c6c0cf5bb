/* SPDX-License-Identifier: MIT */
/* choice.h -- which solver: the user's, or what suits the problem, in turns. */
#ifndef BESTDAG_LEARN_CHOICE_H
#define BESTDAG_LEARN_CHOICE_H

#include "search/solver.h"

/* The solver that the options name, or, for `auto`, one that takes the rules,
 * until the candidate sets are known. */
int bestdag_choice_first(struct bestdag_task *task);
/* Searches, for `auto` with one solver after the other, each for its share of
 * the time, until one proves. is_brief: nobody waits for it; without a limit
 * only counted work ends a turn. */
int bestdag_choice_search(struct bestdag_task *task, bool is_brief,
                          struct bestdag_outcome *to);

#endif
