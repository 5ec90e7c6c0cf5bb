/* SPDX-License-Identifier: MIT */
/* components.h -- strongly connected components of a directed graph. */
#ifndef BESTDAG_GRAPH_COMPONENTS_H
#define BESTDAG_GRAPH_COMPONENTS_H

#include "graph/adjacency.h"

/* component[v] is the number of v's component. Numbers start at 0 and never
 * decrease along an arc. Returns the number of components; negative: error.
 * Time and memory O(n + arcs). */
int bestdag_components_strong(struct bestdag_run *run,
                              const struct bestdag_adjacency *graph,
                              int *component);

#endif
