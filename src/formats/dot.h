/* SPDX-License-Identifier: MIT */
/* dot.h -- graphs in the language of Graphviz, from which pictures are also
 * made. */
#ifndef BESTDAG_FORMATS_DOT_H
#define BESTDAG_FORMATS_DOT_H

#include "base/stream.h"
#include "graph/pdag.h"
#include "network/network.h"

/* Errors go into the run. pdag NULL: the arcs of the network. */
void bestdag_dot_write(struct bestdag_run *run,
                       const struct bestdag_network *network,
                       const struct bestdag_pdag *pdag,
                       struct bestdag_sink *to);

#endif
