/* SPDX-License-Identifier: MIT */
/* reach.h -- ancestors and descendants in a DAG: of all nodes as rows of bits,
 * of some nodes as flags. */
#ifndef BESTDAG_GRAPH_REACH_H
#define BESTDAG_GRAPH_REACH_H

#include "base/row.h"
#include "graph/adjacency.h"

/* n rows of bestdag_row_words(n) words, owned by the caller: row v has the
 * ancestors of v, without v. NULL: error; a cycle fails with BESTDAG_INPUT.
 * Time O(arcs * n / 64). */
uint64_t *bestdag_reach_ancestors(struct bestdag_run *run,
                                  const struct bestdag_dag *dag);
/* Flags of all nodes: adds the ancestors, or descendants, of the nodes that are
 * set. Time O(n + arcs); the graph may have cycles. */
int bestdag_reach_mark_ancestors(struct bestdag_run *run,
                                 const struct bestdag_dag *dag, bool *marked);
int bestdag_reach_mark_descendants(struct bestdag_run *run,
                                   const struct bestdag_adjacency *children,
                                   bool *marked);

#endif
