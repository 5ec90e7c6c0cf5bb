/* SPDX-License-Identifier: MIT */
/* order_state_parts.h -- shared by order_state.c, order_insertion.c and
 * order_block_move.c only. */
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

/* The lists that contain v: begin, end. */
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

/* Removes the next variable of the queue, which must not be empty. */
int bestdag_order_state_pop(struct bestdag_order_state *p);
/* Moves v and logs it; queues variables that may gain by it. */
void bestdag_order_state_move(struct bestdag_order_state *p, int v, double key);
/* A key for v next to `at`, with no neighbour of v in between. False: the keys
 * are crowded. */
bool bestdag_order_state_above(struct bestdag_order_state *p, int v, double at,
                               double *key);
bool bestdag_order_state_below(struct bestdag_order_state *p, int v, double at,
                               double *key);

#endif
