/* SPDX-License-Identifier: MIT */
/* dag.h -- a directed graph as parent lists, and what one asks of it. */
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
/* Any order in, ascending out. A parent out of range, twice, or the child
 * itself fails with BESTDAG_USAGE. Cycles are not looked for here. */
int bestdag_dag_set_parents(struct bestdag_run *run, struct bestdag_dag *dag,
                            int child, const int *parents, int count);
/* Place of `from` among the parents of `to`; -1: it is none. */
int bestdag_dag_parent_at(const struct bestdag_dag *dag, int from, int to);
bool bestdag_dag_has_arc(const struct bestdag_dag *dag, int from, int to);
int64_t bestdag_dag_arcs(const struct bestdag_dag *dag);
/* Parents before children; among those that are ready the least number comes
 * first. Returns how many were placed: fewer than n means a cycle (all that is
 * not placed lies on a cycle or behind one); negative: failed. */
int bestdag_dag_order(struct bestdag_run *run, const struct bestdag_dag *dag,
                      int *order);
/* A directed cycle, each the parent of the next and the last of the first.
 * Returns its length, 0 if there is none, negative: failed. cycle has room
 * for n. */
int bestdag_dag_cycle(struct bestdag_run *run, const struct bestdag_dag *dag,
                      int *cycle);

#endif
