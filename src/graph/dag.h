/* SPDX-License-Identifier: MIT */
/* dag.h -- a directed graph as parent lists. */
#ifndef BESTDAG_GRAPH_DAG_H
#define BESTDAG_GRAPH_DAG_H

#include "base/run.h"

struct bestdag_parents {
    int count;
    int *at; /* owns; ascending */
};

struct bestdag_dag {
    int n;
    struct bestdag_parents *parents; /* owns; [n] */
};

struct bestdag_dag *bestdag_dag_new(struct bestdag_run *run, int n);
struct bestdag_dag *bestdag_dag_copy(struct bestdag_run *run,
                                     const struct bestdag_dag *from);
void bestdag_dag_free(struct bestdag_dag *dag);
/* Parents may come in any order and are stored ascending. A parent that is out
 * of range, occurs twice, or is the child itself fails with BESTDAG_USAGE. Does
 * not check for cycles. */
int bestdag_dag_set_parents(struct bestdag_run *run, struct bestdag_dag *dag,
                            int child, const int *parents, int count);
/* The index of `from` among the parents of `to`; -1: none. */
int bestdag_dag_parent_at(const struct bestdag_dag *dag, int from, int to);
bool bestdag_dag_has_arc(const struct bestdag_dag *dag, int from, int to);
int64_t bestdag_dag_arcs(const struct bestdag_dag *dag);
/* A topological order; among nodes that are ready, the least number comes
 * first. Returns how many were placed: fewer than n means a cycle (every other
 * node is on a cycle or behind one); negative: error. */
int bestdag_dag_order(struct bestdag_run *run, const struct bestdag_dag *dag,
                      int *order);
/* A directed cycle: each node is the parent of the next, the last one of the
 * first. Returns its length, 0: none, negative: error. cycle has room for n. */
int bestdag_dag_cycle(struct bestdag_run *run, const struct bestdag_dag *dag,
                      int *cycle);

#endif
