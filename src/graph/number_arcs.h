/* SPDX-License-Identifier: MIT */
/* number_arcs.h -- equivalence classes of graphs in which some variables are
 * numbers and none of these may be a parent of another kind. */
#ifndef BESTDAG_GRAPH_NUMBER_ARCS_H
#define BESTDAG_GRAPH_NUMBER_ARCS_H

#include "graph/cpdag.h"
#include "graph/pdag.h"

/* Labels of a class become those of the DAGs of the class without arcs from a
 * number to a variable that is none: arcs between the two have one direction,
 * and others follow by Meek's rules. */
int bestdag_number_arcs_label(struct bestdag_run *run,
                              const struct bestdag_dag *dag,
                              const bool *is_number,
                              struct bestdag_labels *labels);

#endif
