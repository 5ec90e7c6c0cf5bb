/* SPDX-License-Identifier: MIT */
/* candidates.c -- restricts, prunes and splits candidate lists. */
#include "problem/candidates.h"

#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "base/row.h"
#include "graph/components.h"
#include "parents/sets.h"

void bestdag_candidates_release(struct bestdag_candidates *c)
{
    bestdag_free(c->member);
    bestdag_free(c->mask);
    bestdag_free(c->cost);
    bestdag_free(c->id);
    *c = (struct bestdag_candidates){0};
}

/* The union of all masks; `used` has c->words words. */
static void find_used(const struct bestdag_candidates *c, uint64_t *used)
{
    size_t words = (size_t)c->words;
    memset(used, 0, words * sizeof *used);
    for (int i = 0; i < c->count; i++)
        bestdag_row_join(used, c->mask + (size_t)i * words, words);
}

/* ---- restriction --------------------------------------------------------- */

static int new_number(const struct bestdag_candidates *from,
                      const struct bestdag_restriction *how, int bit)
{
    int u = from->member ? from->member[bit] : bit;
    return how->rename ? how->rename[u] : u;
}

/* Sets place[i] to the new bit of bit i, or -1; makes the new universe. */
static int place_bits(struct bestdag_run *run,
                      const struct bestdag_candidates *from,
                      const struct bestdag_restriction *how,
                      struct bestdag_candidates *to, int32_t *place)
{
    size_t words = (size_t)from->words;
    uint64_t *used = bestdag_alloc(run, words * sizeof *used);
    to->universe = how->bits;
    if (!how->bits)
        to->member =
            bestdag_alloc(run, (size_t)from->universe * sizeof *to->member);
    if (used && (how->bits || to->member)) {
        find_used(from, used);
        for (int i = 0; i < from->universe; i++) {
            int u = bestdag_row_has(used, i) ? new_number(from, how, i) : -1;
            place[i] = how->bits || u < 0 ? u : to->universe;
            if (!how->bits && u >= 0)
                to->member[to->universe++] = u;
        }
        to->words = to->universe ? (to->universe + 63) / 64 : 1;
    }
    bestdag_free(used);
    return bestdag_run_status(run);
}

/* Is one of the first sets a subset of the mask after the last set? */
static bool has_subset(const struct bestdag_candidates *c, int compared)
{
    const uint64_t *mask = c->mask + (int64_t)c->count * c->words;
    for (int i = 0; i < c->count && i < compared; i++)
        if (bestdag_mask_inside(bestdag_candidates_mask(c, i), mask, c->words))
            return true;
    return false;
}

static void copy_sets(const struct bestdag_candidates *from,
                      const struct bestdag_restriction *how,
                      const int32_t *place, struct bestdag_candidates *to,
                      int64_t *compared)
{
    size_t words = (size_t)from->words;
    for (int i = 0; i < from->count; i++) {
        const uint64_t *mask = from->mask + (size_t)i * words;
        uint64_t *copy = to->mask + (int64_t)to->count * to->words;
        memset(copy, 0, (size_t)to->words * sizeof *copy);
        for (int b = bestdag_row_next(mask, words, 0); b >= 0;
             b = bestdag_row_next(mask, words, b + 1))
            if (place[b] >= 0)
                bestdag_row_add(copy, place[b]);
        /* if none of the cheapest has a subset, the list was pruned before */
        bool was_pruned = i == to->count && i >= how->compared;
        if (how->compared && !was_pruned) {
            if (compared)
                *compared +=
                    to->count < how->compared ? to->count : how->compared;
            if (has_subset(to, how->compared))
                continue;
        }
        to->cost[to->count] = from->cost[i];
        to->id[to->count++] = from->id ? from->id[i] : i;
    }
    to->cost[to->count] = from->cost[from->count];
}

int bestdag_candidates_restrict(struct bestdag_run *run,
                                const struct bestdag_candidates *from,
                                const struct bestdag_restriction *how,
                                struct bestdag_candidates *to,
                                int64_t *compared)
{
    size_t count = (size_t)from->count;
    int32_t *place = bestdag_alloc(run, (size_t)from->universe * sizeof *place);
    if (place && !place_bits(run, from, how, to, place)) {
        to->mask =
            bestdag_alloc(run, count * (size_t)to->words * sizeof *to->mask);
        to->cost = bestdag_alloc(run, (count + 1) * sizeof *to->cost);
        to->id = bestdag_alloc(run, count * sizeof *to->id);
        if (to->mask && to->cost && to->id)
            copy_sets(from, how, place, to, compared);
    }
    bestdag_free(place);
    assert(bestdag_run_status(run) ||
           (to->count <= from->count &&
            bestdag_is_ascending(to->cost, to->count)));
    return bestdag_run_status(run);
}

/* ---- pruning ---------------------------------------------------------------
 *
 * The collector (parents/sets.h) compares scores: for a set of cost c it gets
 * minus the index of the first set of that cost, which a double represents
 * exactly. */

static int collect(struct bestdag_run *run, const struct bestdag_candidates *c,
                   struct bestdag_collector *sorter)
{
    size_t words = (size_t)c->words;
    int *parents = bestdag_alloc(run, (size_t)c->universe * sizeof *parents);
    int rank = 0;
    for (int set = 0; parents && set < c->count; set++) {
        const uint64_t *mask = bestdag_candidates_mask(c, set);
        int count = 0;
        for (int i = bestdag_row_next(mask, words, 0); i >= 0;
             i = bestdag_row_next(mask, words, i + 1))
            parents[count++] = i;
        if (c->cost[set] > c->cost[rank])
            rank = set;
        if (bestdag_collector_add(sorter, parents, count, 0 - (double)rank))
            break;
    }
    bestdag_free(parents);
    return bestdag_run_status(run);
}

/* Frees memory after the first `count` words of eight bytes. */
static void *shrink(struct bestdag_run *run, void *p, size_t count)
{
    void *less = bestdag_realloc(run, p, count * 8);
    return less ? less : p;
}

int bestdag_candidates_prune(struct bestdag_run *run,
                             struct bestdag_candidates *c,
                             struct bestdag_collector *sorter)
{
    struct bestdag_list list = {0};
    size_t words = (size_t)c->words;
    if (!collect(run, c, sorter) &&
        !bestdag_collector_finish(sorter, true, &list)) {
        int64_t none = c->cost[c->count];
        assert(list.count <= c->count);
        memset(c->mask, 0, (size_t)list.count * words * sizeof *c->mask);
        for (int i = 0; i < (int)list.count; i++) {
            int rank = (int)-list.score[i];
            assert(rank < c->count);
            /* if it was overwritten (rank < i), then by the same cost */
            c->cost[i] = c->cost[rank];
            for (int64_t k = list.start[i]; k < list.start[i + 1]; k++)
                bestdag_row_add(c->mask + (size_t)i * words, list.member[k]);
        }
        c->count = (int)list.count;
        c->cost[c->count] = none;
        bestdag_free(c->id);
        c->id = NULL;
        c->mask = shrink(run, c->mask, (size_t)c->count * words);
        c->cost = shrink(run, c->cost, (size_t)c->count + 1);
    }
    bestdag_list_release(&list);
    return bestdag_run_status(run);
}

/* ---- components ---------------------------------------------------------- */

struct splitting {
    int n;
    const struct bestdag_candidates *(*list)(const void *job, int v);
    const void *job;
    uint64_t *used; /* owns; words of the widest list */
    struct bestdag_adjacency graph;
};

/* Visits the arcs from all possible parents of v to v: counts them in start[u +
 * 2], or, if `to` is not NULL, writes them from start[u + 1] on. */
static int64_t list_arcs(const struct splitting *s, int v, int *to)
{
    const struct bestdag_candidates *c = s->list(s->job, v);
    int64_t count = 0, *start = s->graph.start;
    find_used(c, s->used);
    for (int b = bestdag_row_next(s->used, (size_t)c->words, 0); b >= 0;
         b = bestdag_row_next(s->used, (size_t)c->words, b + 1)) {
        int u = c->member ? c->member[b] : b;
        if (to)
            to[start[u + 1]++] = v;
        else
            start[u + 2]++;
        count++;
    }
    return count;
}

int bestdag_candidates_split(
    struct bestdag_run *run, int n,
    const struct bestdag_candidates *(*list)(const void *job, int v),
    const void *job, int *component)
{
    struct splitting s = {.n = n, .list = list, .job = job, .graph.n = n};
    int64_t arcs = 0;
    int words = 1, count = -1;
    for (int v = 0; v < n; v++)
        words = list(job, v)->words > words ? list(job, v)->words : words;
    s.used = bestdag_alloc(run, (size_t)words * sizeof *s.used);
    s.graph.start = bestdag_calloc(run, (size_t)n + 2, sizeof *s.graph.start);
    for (int v = 0; s.used && s.graph.start && v < n; v++)
        arcs += list_arcs(&s, v, NULL);
    s.graph.to = bestdag_alloc(run, (size_t)arcs * sizeof *s.graph.to);
    if (s.used && s.graph.start && s.graph.to) {
        for (int v = 0; v < n; v++)
            s.graph.start[v + 2] += s.graph.start[v + 1];
        for (int v = 0; v < n; v++)
            list_arcs(&s, v, s.graph.to);
        count = bestdag_components_strong(run, &s.graph, component);
    }
    bestdag_free(s.used);
    bestdag_free(s.graph.start);
    bestdag_free(s.graph.to);
    return count;
}
