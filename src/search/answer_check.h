/* SPDX-License-Identifier: MIT */
/* answer_check.h -- checks and scores the answer of a solver. */
#ifndef BESTDAG_SEARCH_ANSWER_CHECK_H
#define BESTDAG_SEARCH_ANSWER_CHECK_H

#include "search/solver.h"

/* The score in nats, from the table if there is one, else from the lists. */
int bestdag_task_rescore(const struct bestdag_task *task,
                         const struct bestdag_dag *dag, double *score);
/* Takes over the DAG of the answer and fills `to`, except for the fields that
 * bestdag_search() sets. No network: BESTDAG_OK, and to->dag is NULL. */
int bestdag_task_conclude(struct bestdag_task *task,
                          const struct bestdag_answer *answer,
                          struct bestdag_outcome *to);

#endif
