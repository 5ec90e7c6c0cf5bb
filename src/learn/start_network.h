/* SPDX-License-Identifier: MIT */
/* start_network.h -- the network that a search starts from. */
#ifndef BESTDAG_LEARN_START_NETWORK_H
#define BESTDAG_LEARN_START_NETWORK_H

#include "base/options.h"
#include "graph/dag.h"

/* Reads the network of the option "start" and returns its graph over n
 * variables with these names; the file may have them in another order, and lack
 * some. NULL with status OK: no such option. */
struct bestdag_dag *bestdag_start_read(struct bestdag_run *run,
                                       const struct bestdag_options *options,
                                       char *const *names, int n);

#endif
