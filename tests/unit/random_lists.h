/* SPDX-License-Identifier: MIT */
/* random_lists.h -- random candidate sets, and the optimum over them by brute
 * force, for tests of searches. */
#ifndef RANDOMSETS_H
#define RANDOMSETS_H

#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "problem/problem.h"

struct random_sets {
    uint64_t seed;
    int n;
    int sets;         /* drawn for each variable, at most; some fall away */
    int most_parents; /* in a set */
    int levels;       /* scores are -1 .. -levels, so there are ties; 0: any */
    bool no_empty;    /* half of the variables cannot be without parents */
    bool no_prune;    /* also sets with a better subset */
};

static inline void random_list(struct bestdag_run *run, struct random_sets how,
                               struct bestdag_random *r, int v,
                               struct bestdag_list *to)
{
    struct bestdag_collector *c = bestdag_collector_new(run);
    int *set = malloc((size_t)how.n * sizeof *set);
    int count = how.n > 1 ? (int)bestdag_random_below(r, how.sets + 1u) : 0;
    bool empty = how.n < 2 || !how.no_empty || bestdag_random_below(r, 2);
    for (int i = empty ? -1 : 0; i < count || (!empty && !i); i++) {
        int size = 0, most = i < 0 ? 0 : how.most_parents;
        most = most < how.n - 1 ? most : how.n - 1;
        int want = most ? 1 + (int)bestdag_random_below(r, (uint64_t)most) : 0;
        for (int u = 0, left = how.n - 1; u < how.n; u++) {
            if (u == v)
                continue;
            if ((int)bestdag_random_below(r, (uint64_t)left--) < want - size)
                set[size++] = u;
        }
        double score =
            how.levels
                ? -1.0 - (double)bestdag_random_below(r, (uint64_t)how.levels)
                : -100 * bestdag_random_unit(r);
        /* more parents are mostly better, so that the best ones conflict */
        bestdag_collector_add(c, set, size,
                              how.levels ? score : score + 30 * size);
    }
    bestdag_collector_finish(c, !how.no_prune, to);
    bestdag_collector_free(c);
    free(set);
}

static inline struct bestdag_sets *random_sets(struct bestdag_run *run,
                                               struct random_sets how)
{
    struct bestdag_random r = bestdag_random_init(how.seed, 78);
    struct bestdag_sets *sets = bestdag_sets_new(run, how.n);
    for (int v = 0; v < how.n; v++) {
        char name[16];
        snprintf(name, sizeof name, "V%d", v + 1);
        sets->names[v] = bestdag_strdup(run, name);
        random_list(run, how, &r, v, &sets->list[v]);
    }
    return sets;
}

/* What the cheapest set of v within `allowed` costs; n at most 20. */
static inline int64_t brute_set(const struct bestdag_problem *p, int v,
                                uint32_t allowed)
{
    const struct bestdag_list *list = &p->sets->list[v];
    int64_t least = p->none;
    for (int64_t i = 0; i < list->count; i++) {
        uint32_t mask = 0;
        for (int64_t k = list->start[i]; k < list->start[i + 1]; k++)
            mask |= 1u << list->member[k];
        if (!(mask & ~allowed) && p->candidates[v].cost[i] < least)
            least = p->candidates[v].cost[i];
    }
    return least;
}

/* The least cost of a network; at least p->none: there is none. Over all sets
 * of variables: the last of an optimal order has its best set of the others. */
static inline int64_t brute_optimum(const struct bestdag_problem *p)
{
    uint32_t all = (1u << p->n) - 1;
    int64_t *least = calloc((size_t)all + 1, sizeof *least);
    for (uint32_t set = 1; set <= all; set++) {
        least[set] = INT64_MAX;
        for (int v = 0; v < p->n; v++) {
            uint32_t rest = set & ~(1u << v);
            if (rest == set)
                continue;
            int64_t cost = least[rest] + brute_set(p, v, rest);
            if (cost < least[set])
                least[set] = cost;
        }
    }
    int64_t optimum = least[all];
    free(least);
    return optimum;
}

/* What an order costs, straight from the lists. */
static inline int64_t brute_order(const struct bestdag_problem *p,
                                  const int *order)
{
    int64_t cost = 0;
    uint32_t before = 0;
    for (int i = 0; i < p->n; i++) {
        cost += brute_set(p, order[i], before);
        before |= 1u << order[i];
    }
    return cost;
}

static inline void random_order(struct bestdag_random *r, int n, int *order)
{
    for (int i = 0; i < n; i++) {
        int j = (int)bestdag_random_below(r, (uint64_t)i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}

#endif
