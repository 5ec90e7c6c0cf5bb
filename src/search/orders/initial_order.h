/* SPDX-License-Identifier: MIT */
/* initial_order.h -- initial orders of a search.
 *
 * A random order; another order of the same network; and, where some variables
 * cannot be without parents, an order that allows a network, if there is one: a
 * variable waits until it has a set among its predecessors. */
#ifndef BESTDAG_SEARCH_ORDERS_INITIAL_ORDER_H
#define BESTDAG_SEARCH_ORDERS_INITIAL_ORDER_H

#include "base/random.h"
#include "problem/problem.h"

struct bestdag_initial_order {
    const struct bestdag_problem *problem; /* borrowed */
    int n;
    int *order;          /* owns; the result */
    int *wait, *missing; /* own; [n] */
    bool *alone, *ready; /* own; [n]: may be without parents; has a set */
    bool all_alone;
    uint64_t *available; /* owns; placed members of its list: words offset[v]
                            .. */
};

struct bestdag_initial_order *bestdag_initial_order_new(
    struct bestdag_run *run, const struct bestdag_problem *problem);
void bestdag_initial_order_free(struct bestdag_initial_order *d);
/* Bytes needed. */
int64_t bestdag_initial_order_bytes(const struct bestdag_problem *problem);

/* Both fill d->order and return how many variables have a set: fewer than n
 * means that no network exists. */
int bestdag_initial_order_random(struct bestdag_initial_order *d,
                                 struct bestdag_random *r);
/* As close to this order as possible. */
int bestdag_initial_order_near(struct bestdag_initial_order *d,
                               const int *order);

/* A random order with parents before children; v has set choice[v], and these
 * are acyclic. The best network of the order is at least as good. */
void bestdag_initial_order_again(struct bestdag_initial_order *d,
                                 struct bestdag_random *r,
                                 const int32_t *choice);

#endif
