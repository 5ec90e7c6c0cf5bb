/* SPDX-License-Identifier: MIT */
/* reach.h -- who is reached from whom, along at least one arc. */
#ifndef BESTDAG_GRAPH_REACH_H
#define BESTDAG_GRAPH_REACH_H

#include "base/row.h"
#include "graph/adjacency.h"

/* n rows of bestdag_row_words(n) words, the caller's: row v has the ancestors
 * (descendants) of v. NULL: failed; a cycle fails with BESTDAG_INPUT. Time
 * O(arcs * n / 64). */
uint64_t *bestdag_reach_ancestors(struct bestdag_run *run,
                                  const struct bestdag_dag *dag);
uint64_t *bestdag_reach_descendants(struct bestdag_run *run,
                                    const struct bestdag_dag *dag);
/* Sets `row` to what is reached from `source`; `source` itself only if it lies
 * on a cycle. O(n + arcs). */
int bestdag_reach_from(struct bestdag_run *run,
                       const struct bestdag_adjacency *graph, int source,
                       uint64_t *row);

#endif
