/* SPDX-License-Identifier: MIT */
/* cpdag.h -- the equivalence class of a DAG, as one flag per arc. */
#ifndef BESTDAG_GRAPH_CPDAG_H
#define BESTDAG_GRAPH_CPDAG_H

#include "graph/dag.h"

/* The arc from parents[v].at[i] to v has number start[v] + i. An arc is
 * compelled if all DAGs of the class have it, else reversible. */
struct bestdag_labels {
    int64_t *start;  /* owns; [n + 1] */
    bool *compelled; /* owns; one per arc */
};

/* Overwrites `to`, which must be released even after an error. A graph with a
 * cycle fails with BESTDAG_INPUT. */
int bestdag_cpdag_label(struct bestdag_run *run, const struct bestdag_dag *dag,
                        struct bestdag_labels *to);
void bestdag_cpdag_release(struct bestdag_labels *labels);
/* The number of v-structures a -> c <- b, with a and b not adjacent; negative:
 * error. Time O(arcs * most parents). */
int64_t bestdag_cpdag_v_structures(struct bestdag_run *run,
                                   const struct bestdag_dag *dag);

#endif
