/* SPDX-License-Identifier: MIT */
/* acyclic_selection.h -- acyclic selection: the network that ASOBS reads from
 * an order, and the effect of adjacent swaps on it.
 *
 * The variables take their turns from the last of the order to the first. Each
 * takes its cheapest set without any of its descendants so far, before or after
 * it in the order. A variable before it cannot be a descendant yet, so every
 * set that OBS allows is allowed here.
 *
 *     turn       0   1   2   3  ..      arcs so far lead only to variables that
 *     variable  V_n V_n-1 ..            have had their turn
 *
 * The network and the turns are the whole state. Before turn t, the arcs so far
 * are those to variables of turns below t; so descendants are found by a
 * traversal that ignores later turns, and any turn can be taken again without
 * restoring an older state. A traversal follows at most all arcs: O(n k) with k
 * parents each. Bit rows of ancestors and descendants would cost up to O(n^2 /
 * 64) per turn, and a copy to restore for every swap.
 *
 * A swap of turns t and t + 1 leaves earlier turns as they are. Of the later
 * ones, only those that reach the tail of an added or removed arc must be taken
 * again: the others have the same descendants as before.
 *
 * Scanagatta et al., NIPS 2015, section 4. Their theorem 4 (what improves OBS
 * improves ASOBS) fails for swapped orders that are evaluated again, so every
 * swap is evaluated in full here. */
#ifndef BESTDAG_SEARCH_ORDERS_ACYCLIC_SELECTION_H
#define BESTDAG_SEARCH_ORDERS_ACYCLIC_SELECTION_H

#include "problem/problem.h"

/* The previous state of a turn that was taken again. */
struct bestdag_retaken {
    int turn, variable;
    int32_t choice;
    bool may_change;
};

struct bestdag_acyclic_selection {
    const struct bestdag_problem *problem; /* borrowed */
    int n;
    int *at;         /* owns; [n]: the variable of turn t */
    int *turn;       /* owns; [n]: the turn of each variable */
    int32_t *choice; /* owns; set of each variable; the list's count: none */
    int64_t cost;
    int64_t steps;    /* look-ups so far */
    bool *may_change; /* owns; [n]: can a swap of t - 1 and t have an effect? */
    int32_t *child;   /* owns; children of u: child[user_start[u] ..) */
    int32_t *degree;  /* owns; [n]: number of children of u */
    uint32_t *seen;   /* owns; [n]: == stamp: a descendant */
    uint32_t stamp;
    int *stack;          /* owns; [n] */
    uint64_t *available; /* owns; [words of the widest candidate list] */
    uint64_t *touched;   /* owns; bits by turn: to be taken again */
    struct bestdag_retaken *retaken; /* owns; [n]: of the last swap */
    int retakes;
};

struct bestdag_acyclic_selection *bestdag_acyclic_selection_new(
    struct bestdag_run *run, const struct bestdag_problem *problem);
void bestdag_acyclic_selection_free(struct bestdag_acyclic_selection *s);
/* Bytes needed. */
int64_t bestdag_acyclic_selection_bytes(const struct bestdag_problem *problem);

/* Reads the network from an order, with n look-ups. */
void bestdag_acyclic_selection_load(struct bestdag_acyclic_selection *s,
                                    const int *order);
/* Swaps turns t and t + 1 if that lowers the cost; else changes nothing. */
bool bestdag_acyclic_selection_swap(struct bestdag_acyclic_selection *s, int t);

#endif
