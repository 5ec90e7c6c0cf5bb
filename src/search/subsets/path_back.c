/* SPDX-License-Identifier: MIT */
/* path_back.c -- recovers the order that reached all variables from the costs
 * of sets. */
#include <assert.h>
#include <string.h>

#include "search/subsets/order_graph.h"

static void flip(uint64_t *set, int v)
{
    set[v / 64] ^= (uint64_t)1 << (v % 64);
}

/* The cost of `set` without each of its variables, if other ranks must be
 * asked. */
static bool ask_ranks(struct bestdag_expansion *g, uint64_t *set,
                      const struct bestdag_cost_lookup *w, int64_t *without)
{
    for (int v = 0; g->is_spread && v < g->n; v++) {
        without[v] = BESTDAG_NO_NODE;
        if (!(set[v / 64] >> (v % 64) & 1))
            continue;
        flip(set, v);
        without[v] = w->cost_of(w->job, set);
        flip(set, v);
    }
    return bestdag_expansion_least(g, without, g->n);
}

/* Removes the last variable from a set of cost *cost, which becomes the cost of
 * the rest. -1: no variable fits. */
static int take_last(const struct bestdag_expansion *g, uint64_t *set,
                     const struct bestdag_cost_lookup *w,
                     const int64_t *without, int64_t *cost)
{
    for (int v = 0; v < g->n; v++) {
        if (!(set[v / 64] >> (v % 64) & 1))
            continue;
        flip(set, v);
        int64_t before = g->is_spread ? without[v] : w->cost_of(w->job, set);
        int64_t last = bestdag_best_parents_best(g->lookup, v, set);
        if (before != BESTDAG_NO_NODE && before + last <= *cost) {
            *cost = before;
            return v;
        }
        flip(set, v);
    }
    return -1;
}

bool bestdag_order_graph_trace(struct bestdag_order_graph *p,
                               const struct bestdag_cost_lookup *w)
{
    struct bestdag_expansion *g = &p->expansion;
    uint64_t set[BESTDAG_MOST_WORDS];
    int64_t without[BESTDAG_MOST_VARIABLES];
    int order[BESTDAG_MOST_VARIABLES];
    memcpy(set, g->all, sizeof set);
    int64_t cost = w->cost_of(w->job, set);
    if (!bestdag_expansion_least(g, &cost, 1) || bestdag_run_status(p->run))
        return false;
    for (int i = g->n - 1; i >= 0; i--) {
        if (!ask_ranks(g, set, w, without))
            return false;
        order[i] = take_last(g, set, w, without, &cost);
        if (order[i] < 0) {
            bestdag_fail(p->run, BESTDAG_FAILED,
                         "internal error: %s cannot reconstruct its solution; "
                         "please report it",
                         p->task->solver->name);
            return false;
        }
        assert(cost >= 0);
    }
    memcpy(p->order, order, (size_t)g->n * sizeof *order);
    return true;
}
