/* SPDX-License-Identifier: MIT */
/* start_network.h -- the network that a search starts from. */
#ifndef BESTDAG_LEARN_START_NETWORK_H
#define BESTDAG_LEARN_START_NETWORK_H

#include "base/options.h"
#include "graph/dag.h"

/* The graph of the network of the option "start" over n variables of these
 * names, which it may have in any order and not all of. NULL with status OK:
 * no start was asked for. */
struct bestdag_dag *bestdag_start_read(struct bestdag_run *run,
                                       const struct bestdag_options *options,
                                       char *const *names, int n);

#endif
