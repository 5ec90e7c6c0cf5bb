/* SPDX-License-Identifier: MIT */
/* adjacent_swaps.h -- an order, its best network, and the effect of each
 * adjacent swap.
 *
 *     order      .. x  a  b  y ..         swapped      .. x  b  a  y ..
 *                        i  i+1
 *
 * Every variable takes its cheapest set among its predecessors, so a swap of
 * neighbours a, b concerns two variables: b loses a, and a may now have b. If a
 * is not a parent of b, then b needs no look-up; else its next set is further
 * down its list. For a only sets with b that are cheaper than its present one
 * matter. All n - 1 changes are kept in a table; a swap makes three of them
 * stale, one of which is the swap back and known. A tournament tree over the
 * table gives the best one, so a step costs four look-ups and O(log n).
 *
 * Teyssier and Koller, UAI 2005; Scanagatta et al., NIPS 2015, section 4. */
#ifndef BESTDAG_SEARCH_ORDERS_ADJACENT_SWAPS_H
#define BESTDAG_SEARCH_ORDERS_ADJACENT_SWAPS_H

#include "problem/problem.h"

/* A swap of neighbours: a, the earlier one, and b, the later one. */
struct bestdag_swap {
    int64_t change; /* of the cost; below 0: better */
    int32_t set_a;  /* sets afterwards */
    int32_t set_b;
    int32_t b_on_a; /* local number of b in the list of a, .. */
    int32_t a_on_b; /* .. of a in the list of b; -1: not in it */
};

struct bestdag_swaps {
    const struct bestdag_problem *problem; /* borrowed */
    int n;
    int *order;      /* owns */
    int32_t *choice; /* owns; set of each variable; the list's count: none */
    uint64_t *available; /* owns; predecessors of v, in words offset[v] .. */
    int64_t cost;
    int64_t steps;             /* look-ups so far */
    int leaves;                /* of the tree: a power of 2, at least n - 1 */
    struct bestdag_swap *swap; /* owns; [leaves] */
    int32_t *winner; /* owns; [2 * leaves]: best swap below a node; 1: root */
};

struct bestdag_swaps *bestdag_swaps_new(struct bestdag_run *run,
                                        const struct bestdag_problem *problem);
void bestdag_swaps_free(struct bestdag_swaps *s);
/* Bytes needed. */
int64_t bestdag_swaps_bytes(const struct bestdag_problem *problem);

/* Loads an order: choices and cost, with n look-ups. The table is stale. */
void bestdag_swaps_load(struct bestdag_swaps *s, const int *order);
/* Fills the table. */
void bestdag_swaps_weigh(struct bestdag_swaps *s);
/* The swap that lowers the cost most, the first among equals; -1: none. */
int bestdag_swaps_best(const struct bestdag_swaps *s);
/* Swaps positions i and i + 1 and updates the table. */
void bestdag_swaps_apply(struct bestdag_swaps *s, int i);

#endif
