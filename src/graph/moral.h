/* SPDX-License-Identifier: MIT */
/* moral.h -- the moral graph: two nodes are adjacent if one is a parent of the
 * other, or both are parents of a third. */
#ifndef BESTDAG_GRAPH_MORAL_H
#define BESTDAG_GRAPH_MORAL_H

#include "base/row.h"
#include "graph/adjacency.h"

/* n rows of bestdag_row_words(n) words, the caller's; NULL: failed. */
uint64_t *bestdag_moral_rows(struct bestdag_run *run,
                             const struct bestdag_dag *dag);
/* The same a node at a time, for graphs too large for rows: lists the nodes
 * adjacent to v, each once, in no special order, and returns their number.
 * `list` and `stamp` have room for n; stamp starts as zeros and afterwards
 * stamp[u] == v + 1 says that u is in the list (or is v). For each v once. */
int bestdag_moral_list(const struct bestdag_dag *dag,
                       const struct bestdag_adjacency *children, int v,
                       int *stamp, int *list);

#endif
