/* SPDX-License-Identifier: MIT */
/* numbers.h -- what learning does about columns of numbers before it begins:
 * cuts them into states (--discretize), or checks that the rules fit them. */
#ifndef BESTDAG_LEARN_NUMBERS_H
#define BESTDAG_LEARN_NUMBERS_H

#include "constraints/deduction/compile.h"
#include "graph/number_arcs.h"
#include "learn/result.h"

typedef struct bestdag_result *bestdag_learn_fn(
    struct bestdag_run *run, const struct bestdag_table *table,
    const struct bestdag_rules *rules, const struct bestdag_options *options);

/* Learns from the table, or, with the option "discretize", from the table with
 * its numbers discretised by that method; the network keeps the cuts. NULL:
 * error. */
struct bestdag_result *bestdag_numbers_learn(
    bestdag_learn_fn *learner, struct bestdag_run *run,
    const struct bestdag_table *table, const struct bestdag_rules *rules,
    const struct bestdag_options *options);
/* Fails, naming the rules, if every network that obeys them has a number as a
 * parent of a categorical column, which is impossible. Does not check more than
 * a million pairs of such columns. knowledge may be NULL; names[columns]. */
int bestdag_numbers_check(struct bestdag_run *run,
                          const struct bestdag_table *table,
                          const struct bestdag_knowledge *knowledge,
                          const char *const *names);

/* Restricts the labels to the DAGs of the class in which no number is a parent
 * of a categorical column; changes nothing unless the table has both (NULL: no
 * table). */
int bestdag_numbers_label(struct bestdag_run *run,
                          const struct bestdag_table *table,
                          const struct bestdag_dag *dag,
                          struct bestdag_labels *labels);

#endif
