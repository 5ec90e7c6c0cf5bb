/* SPDX-License-Identifier: MIT */
/* pdag.h -- graphs with directed and undirected edges, as rows of bits: the
 * equivalence class of a DAG (CPDAG), consistent extensions.
 *
 * Between two nodes there is nothing, an arc, or an undirected edge. Memory is
 * 3/8 n^2 bytes: 37 MB for 10,000 nodes. To find which arcs of a DAG are
 * compelled, cpdag.h suffices, which is linear. */
#ifndef BESTDAG_GRAPH_PDAG_H
#define BESTDAG_GRAPH_PDAG_H

#include "base/row.h"
#include "graph/dag.h"

struct bestdag_pdag {
    int n;
    size_t words;         /* of a row */
    uint64_t *parents;    /* owns; row v at parents + v * words */
    uint64_t *children;   /* owns */
    uint64_t *neighbours; /* owns; undirected */
};

struct bestdag_pdag *bestdag_pdag_new(struct bestdag_run *run, int n);
void bestdag_pdag_free(struct bestdag_pdag *pdag);
/* Replace any edge between the two nodes, which must differ. */
void bestdag_pdag_add_arc(struct bestdag_pdag *pdag, int from, int to);
void bestdag_pdag_add_edge(struct bestdag_pdag *pdag, int a, int b);
/* Removes any edge between the two nodes. */
void bestdag_pdag_separate(struct bestdag_pdag *pdag, int a, int b);
/* The CPDAG of a DAG: compelled arcs are directed, reversible ones
 * undirected. */
struct bestdag_pdag *bestdag_pdag_class(struct bestdag_run *run,
                                        const struct bestdag_dag *dag);
/* The graph for given labels (cpdag.h) of the arcs. */
struct bestdag_labels;
struct bestdag_pdag *bestdag_pdag_labelled(struct bestdag_run *run,
                                           const struct bestdag_dag *dag,
                                           const struct bestdag_labels *labels);
/* A DAG with the same skeleton and directed arcs, and no new v-structure. NULL
 * with status BESTDAG_OK: none. */
struct bestdag_dag *bestdag_pdag_extend(struct bestdag_run *run,
                                        const struct bestdag_pdag *pdag);
/* The same for a DAG that stays acyclic when an arc u -> v is added for each u
 * that comes before v; NULL: no order. */
struct bestdag_order {
    const uint64_t *before, *after; /* rows: nodes before, after v */
};
struct bestdag_dag *bestdag_pdag_extend_under(
    struct bestdag_run *run, const struct bestdag_pdag *pdag,
    const struct bestdag_order *order);

#endif
