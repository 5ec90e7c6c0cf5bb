/* SPDX-License-Identifier: MIT */
/* arc_reversals.h -- the arcs of a network by parent, and what a child loses in
 * its list if it may not have one of its parents: what the reversal of that arc
 * has to bring. */
#ifndef BESTDAG_PARENTS_ARC_REVERSALS_H
#define BESTDAG_PARENTS_ARC_REVERSALS_H

#include "graph/dag.h"
#include "parents/sets.h"

struct bestdag_arc_reversals {
    int *place;   /* owns; [n]: in an order of the network */
    int *child;   /* owns; those of v at first[v] .. first[v + 1] - 1 */
    int *first;   /* owns; [n + 1] */
    double *own;  /* owns; [n]: score of the best listed set of those before */
    double *loss; /* owns; of each child, if v is not among those */
};

/* Order and children. Zeroed before; whatever it returns, release it. */
int bestdag_arc_reversals_init(struct bestdag_run *run,
                               struct bestdag_arc_reversals *a,
                               const struct bestdag_dag *dag);
/* Own scores and losses, over the lists as they are. */
void bestdag_arc_reversals_weigh(struct bestdag_arc_reversals *a,
                                 const struct bestdag_dag *dag,
                                 const struct bestdag_sets *sets);
void bestdag_arc_reversals_release(struct bestdag_arc_reversals *a);

#endif
