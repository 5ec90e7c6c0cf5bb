/* SPDX-License-Identifier: MIT */
/* number_arcs.h -- equivalence classes if some variables are numbers, and none
 * of these may be a parent of a categorical variable. */
#ifndef BESTDAG_GRAPH_NUMBER_ARCS_H
#define BESTDAG_GRAPH_NUMBER_ARCS_H

#include "graph/cpdag.h"
#include "graph/pdag.h"

/* Changes the labels of a class to those of its DAGs without arcs from a number
 * to a categorical variable: arcs between the two kinds have one direction, and
 * others follow by Meek's rules. */
int bestdag_number_arcs_label(struct bestdag_run *run,
                              const struct bestdag_dag *dag,
                              const bool *is_number,
                              struct bestdag_labels *labels);

#endif
