/* SPDX-License-Identifier: MIT */
/* numbers.h -- what learning does about columns of numbers before it begins:
 * cuts them into states (--discretize), or checks that the rules fit them. */
#ifndef BESTDAG_LEARN_NUMBERS_H
#define BESTDAG_LEARN_NUMBERS_H

#include "constraints/deduction/compile.h"
#include "data/discretize/cutting.h"
#include "graph/number_arcs.h"
#include "learn/result.h"

/* The table with its numbers cut by a method, and how; the caller frees both.
 * NULL: failed. */
struct bestdag_table *bestdag_numbers_cut(struct bestdag_run *run,
                                          const struct bestdag_table *table,
                                          const char *method,
                                          struct bestdag_interval_list *list);
/* Keeps the cuts in the variables of a result. */
int bestdag_numbers_mark(struct bestdag_run *run, struct bestdag_result *result,
                         const struct bestdag_interval_list *list);
/* A number is no parent of a state: fails, naming the rule, if the rules
 * require it. knowledge may be NULL. */
int bestdag_numbers_check(struct bestdag_run *run,
                          const struct bestdag_table *table,
                          const struct bestdag_knowledge *knowledge);

/* Labels of a class become those of its DAGs in which no number is a parent of
 * a state; nothing changes unless the table has both (NULL: no table). */
int bestdag_numbers_label(struct bestdag_run *run,
                          const struct bestdag_table *table,
                          const struct bestdag_dag *dag,
                          struct bestdag_labels *labels);

#endif
