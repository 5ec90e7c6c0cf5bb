/* SPDX-License-Identifier: MIT */
/* fitting.h -- the network of a graph that was learned. */
#ifndef BESTDAG_LEARN_FITTING_H
#define BESTDAG_LEARN_FITTING_H

#include "base/options.h"
#include "data/table.h"
#include "graph/dag.h"

/* A learned network comes with its tables, also when a limit or the user ended
 * the search, or ends it now: fitting has the time that it needs, in a slice
 * that cannot be stopped. Only if they are too large for the memory, or would
 * take far longer than the time that is left, it has none: that is noted, and
 * stands in the network's note "unfitted". NULL: failed. */
struct bestdag_network *bestdag_fitting_unstopped(
    struct bestdag_run *run, const struct bestdag_dag *dag,
    const struct bestdag_table *table, const struct bestdag_rules *rules,
    const struct bestdag_options *options);

#endif
