/* SPDX-License-Identifier: MIT */
/* simple_paths.h -- the paths between two nodes, ignoring directions, shortest
 * first. */
#ifndef BESTDAG_GRAPH_SIMPLE_PATHS_H
#define BESTDAG_GRAPH_SIMPLE_PATHS_H

#include "graph/adjacency.h"

struct bestdag_simple_path {
    int *node; /* owns */
    int count;
    int branch; /* first index not determined by an earlier path */
};

/* No node occurs twice on a path; sorted by length, then by node numbers. */
struct bestdag_simple_paths {
    struct bestdag_simple_path *at; /* owns; [count] */
    int64_t count, room;
    bool complete; /* there are no more */
};

/* At most `most` paths between two different nodes. Overwrites `to`, which must
 * be released even after an error. Time O(most * longest * (n + arcs)). */
int bestdag_simple_paths_find(struct bestdag_run *run,
                              const struct bestdag_dag *dag,
                              const struct bestdag_adjacency *children,
                              const int ends[2], int64_t most,
                              struct bestdag_simple_paths *to);
void bestdag_simple_paths_release(struct bestdag_simple_paths *paths);

#endif
