/* SPDX-License-Identifier: MIT */
/* adjacent_swaps.h -- an order, its best network, and what each swap of
 * neighbours in it would change.
 *
 *     order      .. x  a  b  y ..         swapped      .. x  b  a  y ..
 *                        i  i+1
 *
 * Every variable takes the cheapest of its sets that lies before it, so a swap
 * of neighbours a, b concerns two variables: b must do without a, and a may now
 * have b. If b has no a, nothing is to be looked up for it; else its next set
 * is further down its candidate list. For a only sets that hold b and are
 * cheaper than what it has can matter. All n - 1 changes are kept in a table; a
 * swap makes three of them stale, one of which is known to be the swap back. A
 * tournament tree over the table gives the best one, so a step costs four
 * look-ups and O(log n).
 *
 * Teyssier and Koller, UAI 2005; Scanagatta et al., NIPS 2015, section 4. */
#ifndef BESTDAG_SEARCH_ORDERS_ADJACENT_SWAPS_H
#define BESTDAG_SEARCH_ORDERS_ADJACENT_SWAPS_H

#include "problem/problem.h"

/* Of a, the earlier of two neighbours, and b, the later one. */
struct bestdag_swap {
    int64_t change; /* of the cost; below 0: better */
    int32_t set_a;  /* what they take afterwards */
    int32_t set_b;  /* */
    int32_t b_on_a; /* local number of b on the candidate list of a, */
    int32_t a_on_b; /* of a on the candidate list of b; -1: not there */
};

struct bestdag_swaps {
    const struct bestdag_problem *problem; /* borrowed */
    int n;
    int *order; /* owns */
    int32_t
        *choice; /* owns; set of each variable; candidate list's count: none */
    uint64_t *available; /* owns; what is before v, in words offset[v] .. */
    int64_t cost;
    int64_t steps;             /* look-ups so far */
    int leaves;                /* of the tree: a power of 2, at least n - 1 */
    struct bestdag_swap *swap; /* owns; [leaves] */
    int32_t *winner; /* owns; [2 * leaves]: best swap below a node; 1: root */
};

struct bestdag_swaps *bestdag_swaps_new(struct bestdag_run *run,
                                        const struct bestdag_problem *problem);
void bestdag_swaps_free(struct bestdag_swaps *s);
/* Bytes that it takes. */
int64_t bestdag_swaps_bytes(const struct bestdag_problem *problem);

/* Takes over an order: choices and cost, by n look-ups. The table is stale. */
void bestdag_swaps_load(struct bestdag_swaps *s, const int *order);
/* Fills the table. */
void bestdag_swaps_weigh(struct bestdag_swaps *s);
/* The swap that lowers the cost most, the first among equals; -1: none does. */
int bestdag_swaps_best(const struct bestdag_swaps *s);
/* Swaps places i and i + 1. The table stays true. */
void bestdag_swaps_apply(struct bestdag_swaps *s, int i);

#endif
