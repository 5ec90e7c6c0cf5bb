/* SPDX-License-Identifier: MIT */
/* arbour.h -- the optimal tree over all variables, for solvers that begin with
 * it. */
#ifndef BESTDAG_SEARCH_ARBOUR_H
#define BESTDAG_SEARCH_ARBOUR_H

#include "search/solver.h"

struct bestdag_arbour {
    int n;
    bool is_symmetric; /* the score of an arc does not depend on its direction:
                          any node of a tree may be its root */
    int *parent;       /* owns; [n]; -1: a root */
    int64_t steps;     /* families that were scored */
};

/* One tree that spans all, or with `forest` only arcs that gain. Stopped, it is
 * the best of what was looked at. */
int bestdag_arbour_find(const struct bestdag_task *task, bool forest,
                        struct bestdag_arbour *to);
void bestdag_arbour_release(struct bestdag_arbour *arbour);
/* The same tree from another root; only if it is symmetric. */
void bestdag_arbour_turn(struct bestdag_arbour *arbour, int root);
/* NULL: failed. */
struct bestdag_dag *bestdag_arbour_dag(struct bestdag_run *run,
                                       const struct bestdag_arbour *arbour);

#endif
