/* SPDX-License-Identifier: MIT */
/* random_sets.h -- random candidate sets for tests of searches, and the best
 * network over them by trying all orders. */
#ifndef BESTDAG_TESTS_RANDOM_SETS_H
#define BESTDAG_TESTS_RANDOM_SETS_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "problem/problem.h"

struct sets_shape {
    int n;
    int most_sets;    /* besides the empty one */
    int most_parents; /* of a set */
    bool lacks_empty; /* some lists come without the empty set */
};

static inline bool random_set_add(struct bestdag_run *run,
                                  struct bestdag_collector *c,
                                  struct bestdag_random *r,
                                  struct sets_shape shape, int child)
{
    int parents[64], count = 0, size;
    size = 1 + (int)bestdag_random_below(r, (uint64_t)shape.most_parents);
    for (int u = 0; u < shape.n; u++) /* each of them as likely */
        if (u != child && count < size &&
            (int)bestdag_random_below(r, (uint64_t)shape.n) < 2 * size)
            parents[count++] = u;
    (void)run;
    return !bestdag_collector_add(c, parents, count,
                                  -100 + 90 * bestdag_random_unit(r));
}

/* Lists as any strategy makes them: sorted, without dominated sets. */
static inline struct bestdag_sets *random_sets(struct bestdag_run *run,
                                               struct bestdag_random *r,
                                               struct sets_shape shape)
{
    struct bestdag_sets *sets = bestdag_sets_new(run, shape.n);
    struct bestdag_collector *c = bestdag_collector_new(run);
    bool fine = sets && c;
    for (int v = 0; fine && v < shape.n; v++) {
        char name[16];
        int count = (int)bestdag_random_below(r, (uint64_t)shape.most_sets + 1);
        bool empty = !shape.lacks_empty || bestdag_random_below(r, 3) || !count;
        snprintf(name, sizeof name, "x%d", v);
        sets->names[v] = bestdag_strdup(run, name);
        fine = sets->names[v] &&
               (!empty || !bestdag_collector_add(c, NULL, 0, -101));
        for (int i = 0; fine && i < count && shape.n > 1; i++)
            fine = random_set_add(run, c, r, shape, v);
        fine = fine && !bestdag_collector_finish(c, true, &sets->list[v]);
    }
    bestdag_collector_free(c);
    if (fine)
        return sets;
    bestdag_sets_free(sets);
    return NULL;
}

/* Cost of an order, straight from the lists. */
static inline int64_t order_cost(const struct bestdag_problem *p,
                                 const int *order)
{
    int64_t total = 0;
    bool before[64] = {false};
    for (int i = 0; i < p->n; i++) {
        const struct bestdag_list *list = &p->sets->list[order[i]];
        int64_t set = 0;
        for (; set < list->count; set++) {
            bool fits = true;
            for (int64_t k = list->start[set]; k < list->start[set + 1]; k++)
                fits &= before[list->member[k]];
            if (fits)
                break;
        }
        total += p->menu[order[i]].cost[set];
        before[order[i]] = true;
    }
    return total;
}

static inline int64_t best_from(const struct bestdag_problem *p, int *order,
                                int done)
{
    if (done == p->n)
        return order_cost(p, order);
    int64_t best = INT64_MAX;
    for (int i = done; i < p->n; i++) {
        int first = order[done];
        order[done] = order[i];
        order[i] = first;
        int64_t cost = best_from(p, order, done + 1);
        best = cost < best ? cost : best;
        order[i] = order[done];
        order[done] = first;
    }
    return best;
}

/* The least cost over all orders; n at most 7 or so. */
static inline int64_t best_cost(const struct bestdag_problem *p)
{
    int order[64];
    for (int v = 0; v < p->n; v++)
        order[v] = v;
    return best_from(p, order, 0);
}

#endif
