/* SPDX-License-Identifier: MIT */
/* optimal_tree.h -- the optimal tree over all variables. */
#ifndef BESTDAG_SEARCH_DIRECT_OPTIMAL_TREE_H
#define BESTDAG_SEARCH_DIRECT_OPTIMAL_TREE_H

#include "search/solver.h"

struct bestdag_optimal_tree {
    int n;
    bool is_symmetric; /* the score of an arc does not depend on its direction,
                          so that any node may be the root */
    int *parent;       /* owns; [n]; -1: a root */
    int64_t steps;     /* families scored */
};

/* A tree that spans all variables, or, with `forest`, only arcs that gain. If
 * stopped, it is the best for the arcs scored so far. */
int bestdag_optimal_tree_find(const struct bestdag_task *task, bool forest,
                              struct bestdag_optimal_tree *to);
void bestdag_optimal_tree_release(struct bestdag_optimal_tree *tree);
/* Directs the tree from another root; it must be symmetric. */
void bestdag_optimal_tree_direct(struct bestdag_optimal_tree *tree, int root);
/* NULL: failed. */
struct bestdag_dag *bestdag_optimal_tree_dag(
    struct bestdag_run *run, const struct bestdag_optimal_tree *tree);

#endif
