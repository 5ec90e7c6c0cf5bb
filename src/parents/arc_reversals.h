/* SPDX-License-Identifier: MIT */
/* arc_reversals.h -- the arcs of a network by parent, and what a child loses
 * over its list without one of its parents: what the reversal of that arc has
 * to gain. */
#ifndef BESTDAG_PARENTS_ARC_REVERSALS_H
#define BESTDAG_PARENTS_ARC_REVERSALS_H

#include "graph/dag.h"
#include "parents/sets.h"

struct bestdag_arc_reversals {
    int *place;   /* owns; [n]: position in an order of the network */
    int *child;   /* owns; children of v: child[first[v] .. first[v + 1]) */
    int *first;   /* owns; [n + 1] */
    double *own;  /* owns; [n]: score of its best listed set among its
                     predecessors */
    double *loss; /* owns; of each child, without v among these */
};

/* Finds order and children. *a must be zeroed; release it even after an
 * error. */
int bestdag_arc_reversals_init(struct bestdag_run *run,
                               struct bestdag_arc_reversals *a,
                               const struct bestdag_dag *dag);
/* Computes own scores and losses over the present lists. */
void bestdag_arc_reversals_weigh(struct bestdag_arc_reversals *a,
                                 const struct bestdag_dag *dag,
                                 const struct bestdag_sets *sets);
void bestdag_arc_reversals_release(struct bestdag_arc_reversals *a);

#endif
