/* SPDX-License-Identifier: MIT */
/* reach.h -- ancestors and descendants in a DAG: of all nodes as rows of bits,
 * of some nodes as flags. */
#ifndef BESTDAG_GRAPH_REACH_H
#define BESTDAG_GRAPH_REACH_H

#include "base/row.h"
#include "graph/adjacency.h"

/* n rows of bestdag_row_words(n) words, the caller's: row v has the ancestors
 * of v, which is not one of them. NULL: failed; a cycle fails with
 * BESTDAG_INPUT. Time O(arcs * n / 64). */
uint64_t *bestdag_reach_ancestors(struct bestdag_run *run,
                                  const struct bestdag_dag *dag);
/* Flags of all nodes: those that are set stay so, and their ancestors, or
 * descendants, are set too. Time O(n + arcs); a graph with cycles will do. */
int bestdag_reach_mark_ancestors(struct bestdag_run *run,
                                 const struct bestdag_dag *dag, bool *marked);
int bestdag_reach_mark_descendants(struct bestdag_run *run,
                                   const struct bestdag_adjacency *children,
                                   bool *marked);

#endif
