/* SPDX-License-Identifier: MIT */
/* reach.h -- the ancestors of all nodes of a DAG as rows of bits. */
#ifndef BESTDAG_GRAPH_REACH_H
#define BESTDAG_GRAPH_REACH_H

#include "base/row.h"
#include "graph/dag.h"

/* n rows of bestdag_row_words(n) words, the caller's: row v has the ancestors
 * of v, which is not one of them. NULL: failed; a cycle fails with
 * BESTDAG_INPUT. Time O(arcs * n / 64). */
uint64_t *bestdag_reach_ancestors(struct bestdag_run *run,
                                  const struct bestdag_dag *dag);

#endif
