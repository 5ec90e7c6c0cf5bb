/* SPDX-License-Identifier: MIT */
/* fitting.h -- a network from a graph that was learned. */
#ifndef BESTDAG_LEARN_FITTING_H
#define BESTDAG_LEARN_FITTING_H

#include "base/options.h"
#include "data/table.h"
#include "graph/dag.h"

/* Estimates the parameters of a learned graph, even if a limit or the user has
 * ended the search: fitting takes the time that it needs, in a slice that
 * cannot be stopped. If the tables are too large for memory, or would take far
 * longer than the time that is left, the network has none; that is reported,
 * and the network's note "unfitted" says so. NULL: error. */
struct bestdag_network *bestdag_fitting_unstopped(
    struct bestdag_run *run, const struct bestdag_dag *dag,
    const struct bestdag_table *table, const struct bestdag_rules *rules,
    const struct bestdag_options *options);

#endif
