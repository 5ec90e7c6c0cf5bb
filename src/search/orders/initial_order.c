/* SPDX-License-Identifier: MIT */
/* initial_order.c -- initial orders of a search. */
#include "search/orders/initial_order.h"

#include <assert.h>
#include <string.h>

#include "base/invariant.h"
#include "base/row.h"

int64_t bestdag_initial_order_bytes(const struct bestdag_problem *p)
{
    return (int64_t)p->n * 14 + (int64_t)p->words * 8;
}

static void find_alone(struct bestdag_initial_order *d)
{
    d->all_alone = true;
    for (int v = 0; v < d->n; v++) {
        const struct bestdag_indexed_list *m = &d->problem->candidates[v];
        const uint64_t *none = d->available + d->problem->offset[v];
        d->alone[v] = bestdag_indexed_list_first(m, none, 0) < m->count;
        d->all_alone &= d->alone[v];
    }
}

struct bestdag_initial_order *bestdag_initial_order_new(
    struct bestdag_run *run, const struct bestdag_problem *p)
{
    struct bestdag_initial_order *d = bestdag_calloc(run, 1, sizeof *d);
    if (!d)
        return NULL;
    size_t n = (size_t)p->n;
    d->problem = p;
    d->n = p->n;
    d->order = bestdag_alloc(run, n * sizeof *d->order);
    d->wait = bestdag_alloc(run, n * sizeof *d->wait);
    d->missing = bestdag_alloc(run, n * sizeof *d->missing);
    d->alone = bestdag_alloc(run, n * sizeof *d->alone);
    d->ready = bestdag_alloc(run, n * sizeof *d->ready);
    d->available = bestdag_calloc(run, (size_t)p->words, sizeof *d->available);
    if (d->order && d->wait && d->missing && d->alone && d->ready &&
        d->available) {
        find_alone(d);
        return d;
    }
    bestdag_initial_order_free(d);
    return NULL;
}

void bestdag_initial_order_free(struct bestdag_initial_order *d)
{
    if (!d)
        return;
    bestdag_free(d->order);
    bestdag_free(d->wait);
    bestdag_free(d->missing);
    bestdag_free(d->alone);
    bestdag_free(d->ready);
    bestdag_free(d->available);
    bestdag_free(d);
}

/* ---- feasible orders ----------------------------------------------------- */

/* After placing v: finds the variables that have a set now. */
static void announce(struct bestdag_initial_order *d, int v)
{
    const struct bestdag_problem *p = d->problem;
    for (int64_t k = p->user_start[v]; k < p->user_start[v + 1]; k++) {
        struct bestdag_occurrence u = p->user[k];
        const struct bestdag_indexed_list *m = &p->candidates[u.child];
        uint64_t *available = d->available + p->offset[u.child];
        bestdag_row_add(available, u.local);
        if (!d->ready[u.child])
            d->ready[u.child] = bestdag_indexed_list_first_with(
                                    m, available, u.local, m->count) < m->count;
    }
}

/* Delays variables of d->order until they have a set; otherwise keeps their
 * order. Returns how many have one. */
static int settle(struct bestdag_initial_order *d)
{
    int placed = 0, waiting = d->n, left = 0;
    if (d->all_alone)
        return d->n;
    memset(d->available, 0, (size_t)d->problem->words * sizeof *d->available);
    memcpy(d->ready, d->alone, (size_t)d->n * sizeof *d->ready);
    memcpy(d->wait, d->order, (size_t)d->n * sizeof *d->wait);
    for (; waiting; waiting = left) {
        left = 0;
        for (int i = 0; i < waiting; i++) {
            int v = d->wait[i];
            if (!d->ready[v]) {
                d->wait[left++] = v;
                continue;
            }
            d->order[placed++] = v;
            announce(d, v);
        }
        if (left == waiting)
            break;
    }
    memcpy(d->order + placed, d->wait, (size_t)waiting * sizeof *d->wait);
    assert(placed + waiting == d->n && bestdag_is_permutation(d->order, d->n));
    return placed;
}

int bestdag_initial_order_random(struct bestdag_initial_order *d,
                                 struct bestdag_random *r)
{
    for (int i = 0; i < d->n; i++) {
        int j = (int)bestdag_random_below(r, (uint64_t)i + 1);
        d->order[i] = d->order[j];
        d->order[j] = i;
    }
    return settle(d);
}

int bestdag_initial_order_near(struct bestdag_initial_order *d,
                               const int *order)
{
    memcpy(d->order, order, (size_t)d->n * sizeof *d->order);
    return settle(d);
}

/* ---- orders of a network ------------------------------------------------- */

void bestdag_initial_order_again(struct bestdag_initial_order *d,
                                 struct bestdag_random *r,
                                 const int32_t *choice)
{
    const struct bestdag_problem *p = d->problem;
    int placed = 0, waiting = 0;
    for (int v = 0; v < d->n; v++) {
        const struct bestdag_indexed_list *m = &p->candidates[v];
        d->missing[v] =
            choice[v] < m->count
                ? bestdag_row_count(bestdag_indexed_list_mask(m, choice[v]),
                                    (size_t)m->words)
                : 0;
        if (!d->missing[v])
            d->wait[waiting++] = v;
    }
    while (waiting) {
        int i = (int)bestdag_random_below(r, (uint64_t)waiting);
        int v = d->order[placed++] = d->wait[i];
        d->wait[i] = d->wait[--waiting];
        for (int64_t k = p->user_start[v]; k < p->user_start[v + 1]; k++) {
            struct bestdag_occurrence u = p->user[k];
            if (bestdag_indexed_list_holds(&p->candidates[u.child],
                                           choice[u.child], u.local) &&
                !--d->missing[u.child])
                d->wait[waiting++] = u.child;
        }
    }
    assert(placed == d->n); /* the network is acyclic */
}
