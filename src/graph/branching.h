/* SPDX-License-Identifier: MIT */
/* branching.h -- the maximum branching of a complete directed graph: every node
 * except the roots has one parent, and there is no cycle. */
#ifndef BESTDAG_GRAPH_BRANCHING_H
#define BESTDAG_GRAPH_BRANCHING_H

#include "base/run.h"

/* gain[u * n + v] of the arc u -> v, of any sign; BESTDAG_NO_ARC: forbidden.
 * The array is overwritten. With `forest` there may be any number of roots, so
 * that no arc loses; otherwise as few as possible, and among these the largest
 * gain. Fills parent[n], -1 for roots. Time O(n^2), memory 4 n^2 bytes in
 * addition. */
#define BESTDAG_NO_ARC INT64_MIN

int bestdag_branching_find(struct bestdag_run *run, int n, int64_t *gain,
                           bool forest, int *parent);

#endif
