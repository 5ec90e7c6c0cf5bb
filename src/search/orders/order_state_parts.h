/* SPDX-License-Identifier: MIT */
/* order_state_parts.h -- what order_state.c, order_insertion.c and
 * order_block_move.c share, and no other file needs. */
#ifndef BESTDAG_SEARCH_ORDERS_ORDER_STATE_PARTS_H
#define BESTDAG_SEARCH_ORDERS_ORDER_STATE_PARTS_H

#include <math.h>

#include "search/orders/order_state.h"

static inline const struct bestdag_indexed_list *list_of(
    const struct bestdag_order_state *p, int v)
{
    return &p->problem->candidates[v];
}

static inline uint64_t *available_of(const struct bestdag_order_state *p, int v)
{
    return p->available + p->problem->offset[v];
}

/* The lists on which v stands: from, to. */
static inline const struct bestdag_occurrence *first_user(
    const struct bestdag_order_state *p, int v)
{
    return p->problem->user + p->problem->user_start[v];
}

static inline const struct bestdag_occurrence *end_user(
    const struct bestdag_order_state *p, int v)
{
    return p->problem->user + p->problem->user_start[v + 1];
}

/* The largest key of a set's members. */
static inline double last_member(const struct bestdag_order_state *p,
                                 const struct bestdag_indexed_list *m, int set)
{
    const uint64_t *mask = bestdag_indexed_list_mask(m, set);
    double last = -INFINITY;
    for (int w = 0; w < m->words; w++)
        for (uint64_t rest = mask[w]; rest; rest &= rest - 1) {
            double key = p->key[m->member[w * 64 + __builtin_ctzll(rest)]];
            last = key > last ? key : last;
        }
    return last;
}

/* The next one in the queue, which is not empty. */
int bestdag_order_state_pop(struct bestdag_order_state *p);
/* Logged; variables that may gain by it are queued. */
void bestdag_order_state_move(struct bestdag_order_state *p, int v, double key);
/* A key for v next to `at`, with no variable that matters to v in between.
 * False if the keys are too crowded. */
bool bestdag_order_state_above(struct bestdag_order_state *p, int v, double at,
                               double *key);
bool bestdag_order_state_below(struct bestdag_order_state *p, int v, double at,
                               double *key);

#endif
