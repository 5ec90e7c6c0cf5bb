/* SPDX-License-Identifier: MIT */
/* cpdag.h -- the equivalence class of a DAG, as one flag an arc. */
#ifndef BESTDAG_GRAPH_CPDAG_H
#define BESTDAG_GRAPH_CPDAG_H

#include "graph/dag.h"

/* The arc from parents[v].at[i] to v has number start[v] + i. An arc is
 * compelled if all DAGs of the class have it, else reversible. */
struct bestdag_labels {
    int64_t *start;  /* owns; [n + 1] */
    bool *compelled; /* owns; one an arc */
};

/* `to` is overwritten and must be released, also on failure. A graph with a
 * cycle fails with BESTDAG_INPUT. */
int bestdag_cpdag_label(struct bestdag_run *run, const struct bestdag_dag *dag,
                        struct bestdag_labels *to);
void bestdag_cpdag_release(struct bestdag_labels *labels);
/* How many a -> c <- b there are with a and b not adjacent; negative: failed.
 * Time O(arcs * most parents). */
int64_t bestdag_cpdag_v_structures(struct bestdag_run *run,
                                   const struct bestdag_dag *dag);

#endif
