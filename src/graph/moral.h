/* SPDX-License-Identifier: MIT */
/* moral.h -- the moral graph: two nodes are adjacent if one is a parent of the
 * other, or both are parents of a third. */
#ifndef BESTDAG_GRAPH_MORAL_H
#define BESTDAG_GRAPH_MORAL_H

#include "graph/adjacency.h"

/* Lists the nodes adjacent to v, each once, in no particular order, and returns
 * their number; one node at a time, since rows of large graphs would not fit.
 * `list` and `stamp` have room for n; stamp starts as zeros, and afterwards
 * stamp[u] == v + 1 means that u is in the list (or is v). To be called once
 * per v. */
int bestdag_moral_list(const struct bestdag_dag *dag,
                       const struct bestdag_adjacency *children, int v,
                       int *stamp, int *list);

#endif
