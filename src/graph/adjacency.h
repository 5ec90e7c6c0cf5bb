/* SPDX-License-Identifier: MIT */
/* adjacency.h -- a directed graph as one block of arc heads.
 *
 *     start:  | 0 | 2 | 2 | ...        successors of v are
 *     to:     | 1 | 4 | 0 | ...        to[start[v]] .. to[start[v + 1] - 1]
 *
 * Graph traversals use this form; the graph may have cycles. */
#ifndef BESTDAG_GRAPH_ADJACENCY_H
#define BESTDAG_GRAPH_ADJACENCY_H

#include "graph/dag.h"

struct bestdag_adjacency {
    int n;
    int64_t *start; /* owns; [n + 1] */
    int *to;        /* owns; [start[n]] */
};

/* Successors are children, ascending. Overwrites `to`, which must be released
 * even after an error. O(n + arcs). */
int bestdag_adjacency_of_children(struct bestdag_run *run,
                                  const struct bestdag_dag *dag,
                                  struct bestdag_adjacency *to);
void bestdag_adjacency_release(struct bestdag_adjacency *adjacency);

#endif
