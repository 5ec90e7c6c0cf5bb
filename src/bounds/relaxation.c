/* SPDX-License-Identifier: MIT */
/* relaxation.c -- lists, clusters and multipliers of a relaxation. */
#include "bounds/relaxation.h"

#include <assert.h>
#include <stdlib.h>

#include "base/invariant.h"
#include "base/row.h"
#include "bounds/dual_ascent.h"
#include "bounds/long_lists.h"

/* Rounds with multiplier 0 after which a cluster is removed. 2: gaps of
 * hailfinder, soybean x 0.85..0.99 at the same work, 6: x 1.02..1.17
 * (bench/log/2026-11-17-sensitivity.csv). */
enum { MOST_IDLE = 3 };

/* Sets of a list that always take part in smoothing: ten times its initial
 * working set. */
enum { NEAR_LENGTH = 1024 };

struct bestdag_relaxation *bestdag_relaxation_new(struct bestdag_run *run,
                                                  int n)
{
    struct bestdag_relaxation *r = bestdag_calloc(run, 1, sizeof *r);
    if (!r)
        return NULL;
    r->run = run;
    r->n = n;
    r->near_length = NEAR_LENGTH;
    r->random = bestdag_random_init(run->seed, 0x636c7573);
    r->list = bestdag_calloc(run, (size_t)n, sizeof *r->list);
    r->pi = bestdag_calloc(run, (size_t)n, sizeof *r->pi);
    if (!r->list || !r->pi) {
        bestdag_relaxation_free(r);
        return NULL;
    }
    return r;
}

static void release_list(struct bestdag_reduced_list *s, bool is_borrowed)
{
    bestdag_free(s->reduced);
    bestdag_free(s->tight);
    if (!is_borrowed)
        bestdag_candidates_release(&s->head);
}

void bestdag_relaxation_free(struct bestdag_relaxation *r)
{
    if (!r)
        return;
    for (int v = 0; r->list && v < r->n; v++)
        release_list(&r->list[v], r->is_copy && !r->owns_lists);
    for (int i = r->pool.borrowed; i < r->pool.count; i++)
        bestdag_free(r->pool.at[i]);
    bestdag_free(r->pool.at);
    bestdag_free(r->pool.y);
    bestdag_free(r->pool.slot);
    bestdag_free(r->list);
    bestdag_free(r->pi);
    bestdag_tight_order_free(r->tight_order);
    bestdag_long_lists_free(r->long_lists);
    bestdag_free(r);
}

/* ---- lists --------------------------------------------------------------- */

/* Sets are compared with at most this many cheaper ones: keeping a dominated
 * set is no error, and most lists were pruned before. 150..600: the same on
 * hailfinder, soybean, munin1 (bench/log/2026-11-17-sensitivity.csv). */
enum { MOST_COMPARED = 300 };

int bestdag_relaxation_fill(struct bestdag_relaxation *r, int v,
                            const struct bestdag_candidates *from,
                            const int32_t *rename, bool is_whole)
{
    struct bestdag_reduced_list *s = &r->list[v];
    struct bestdag_restriction how = {.rename = rename,
                                      .compared = is_whole ? 0 : MOST_COMPARED};
    if (bestdag_candidates_restrict(r->run, from, &how, &s->head, &r->work))
        return bestdag_run_status(r->run);
    assert(bestdag_is_set(s->member, s->universe, r->n));
    s->reduced = bestdag_alloc(r->run, (size_t)s->count * sizeof *s->reduced);
    s->tight = bestdag_alloc(r->run, (size_t)s->count * sizeof *s->tight);
    return bestdag_run_status(r->run);
}

int bestdag_relaxation_ready(struct bestdag_relaxation *r)
{
    r->tight_order = bestdag_tight_order_new(r);
    r->long_lists = bestdag_long_lists_new(r);
    if (!bestdag_run_status(r->run))
        bestdag_relaxation_set(r, r->pool.y);
    return bestdag_run_status(r->run);
}

/* ---- clusters ------------------------------------------------------------ */

static uint64_t hash_shape(const struct bestdag_shape *s)
{
    uint64_t hash = (uint64_t)s->size << 32 | (uint64_t)s->least;
    for (int i = 0; i < s->size; i++)
        hash = bestdag_mix(hash ^ (uint64_t)s->member[i]);
    for (int i = 0; s->classes && i < s->size; i++)
        hash = bestdag_mix(hash + (uint64_t)s->label[i]);
    return hash;
}

static bool is_same(const struct bestdag_cluster *c, uint64_t hash,
                    const struct bestdag_shape *s)
{
    size_t bytes = (size_t)s->size * sizeof *s->member;
    return c->hash == hash && c->size == s->size && c->least == s->least &&
           c->classes == s->classes && !memcmp(c->member, s->member, bytes) &&
           (!s->classes || !memcmp(c->label, s->label, bytes));
}

/* Marks which of the list's universe have which label; both ascend. */
static void mark(const struct bestdag_cluster *c,
                 const struct bestdag_reduced_list *s, uint64_t *to)
{
    int i = 0;
    for (int b = 0; b < s->universe; b++) {
        while (i < c->size && c->member[i] < s->member[b])
            i++;
        if (i < c->size && c->member[i] == s->member[b])
            bestdag_row_add(to + (size_t)c->label[i] * (size_t)s->words, b);
    }
}

static struct bestdag_cluster *make_cluster(struct bestdag_relaxation *r,
                                            uint64_t hash,
                                            const struct bestdag_shape *s)
{
    size_t words = 0, size = (size_t)s->size, at = 0;
    for (int i = 0; i < s->size; i++)
        words += (size_t)r->list[s->member[i]].words * (size_t)(s->classes + 1);
    struct bestdag_cluster *c = bestdag_calloc(
        r->run, 1,
        sizeof *c + words * sizeof *c->inside + 2 * size * sizeof *c->member);
    if (!c)
        return NULL;
    *c = (struct bestdag_cluster){.hash = hash,
                                  .size = s->size,
                                  .classes = s->classes,
                                  .least = s->least};
    c->inside = (uint64_t *)(c + 1);
    c->member = (int32_t *)(c->inside + words);
    c->label = c->member + size;
    memcpy(c->member, s->member, size * sizeof *c->member);
    if (s->classes)
        memcpy(c->label, s->label, size * sizeof *c->label);
    for (int i = 0; i < c->size; i++) {
        const struct bestdag_reduced_list *list = &r->list[c->member[i]];
        mark(c, list, c->inside + at);
        at += (size_t)list->words * (size_t)(c->classes + 1);
    }
    return c;
}

void bestdag_pool_index(struct bestdag_pool *p)
{
    memset(p->slot, -1, (size_t)p->slots * sizeof *p->slot);
    for (int i = 0; i < p->count; i++) {
        uint64_t at = p->at[i]->hash;
        while (p->slot[at & (uint64_t)(p->slots - 1)] >= 0)
            at++;
        p->slot[at & (uint64_t)(p->slots - 1)] = i;
    }
}

int bestdag_pool_grow(struct bestdag_relaxation *r)
{
    struct bestdag_pool *p = &r->pool;
    int room = p->room ? 2 * p->room : 64;
    struct bestdag_cluster **at =
        bestdag_realloc(r->run, p->at, (size_t)room * sizeof *at);
    if (at)
        p->at = at;
    int64_t *y = bestdag_realloc(r->run, p->y, (size_t)room * sizeof *y);
    if (y)
        p->y = y;
    int32_t *slot = bestdag_alloc(r->run, (size_t)room * 2 * sizeof *slot);
    if (!at || !y || !slot) {
        bestdag_free(slot);
        return bestdag_run_status(r->run);
    }
    bestdag_free(p->slot);
    p->slot = slot;
    p->slots = 2 * room;
    p->room = room;
    bestdag_pool_index(p);
    return BESTDAG_OK;
}

#ifndef NDEBUG
/* Are labels numbered by first members, do all labelled classes have several
 * members, and are there more classes than `least`? */
static bool is_divided(const struct bestdag_shape *s)
{
    int highest = 0, alone = 0;
    for (int i = 0; i < s->size; i++) {
        int members = 0;
        for (int k = 0; k < s->size; k++)
            members += s->label[k] == s->label[i];
        if (s->label[i] < 0 || s->label[i] > highest + 1 ||
            (s->label[i] && members < 2))
            return false;
        highest = s->label[i] > highest ? s->label[i] : highest;
        alone += !s->label[i];
    }
    return s->least > 1 && highest == s->classes && alone + highest > s->least;
}
#endif

int bestdag_relaxation_cluster(struct bestdag_relaxation *r,
                               const struct bestdag_shape *shape)
{
    struct bestdag_pool *p = &r->pool;
    uint64_t hash = hash_shape(shape), at = hash;
    assert(bestdag_is_set(shape->member, shape->size, r->n));
    assert(shape->least >= 1 && shape->size >= shape->least);
    assert(!shape->classes || is_divided(shape));
    if (p->count == p->room && bestdag_pool_grow(r))
        return -1;
    for (int i; (i = p->slot[at & (uint64_t)(p->slots - 1)]) >= 0; at++)
        if (is_same(p->at[i], hash, shape))
            return i;
    struct bestdag_cluster *c = make_cluster(r, hash, shape);
    if (!c)
        return -1;
    p->slot[at & (uint64_t)(p->slots - 1)] = p->count;
    p->at[p->count] = c;
    p->y[p->count] = 0;
    assert(p->count < p->room && 2 * p->room <= p->slots);
    return p->count++;
}

void bestdag_relaxation_drop_idle(struct bestdag_relaxation *r)
{
    struct bestdag_pool *p = &r->pool;
    int kept = 0;
    for (int i = 0; i < p->count; i++) {
        p->at[i]->idle = p->y[i] ? 0 : p->at[i]->idle + 1;
        if (p->at[i]->idle == MOST_IDLE) {
            bestdag_free(p->at[i]);
            continue;
        }
        p->at[kept] = p->at[i];
        p->y[kept++] = p->y[i];
    }
    p->count = kept;
    if (p->slots)
        bestdag_pool_index(p);
    assert(p->count <= p->room && p->borrowed <= p->count);
}

/* ---- multipliers --------------------------------------------------------- */

/* pay() for clusters of rank 2 and masks of one word, without branches. */
static void pay_rank_2(struct bestdag_reduced_list *s,
                       const struct bestdag_cluster_view *view, int64_t y)
{
    uint64_t own = view->own ? view->inside[view->own] : 0;
    for (int set = 0; set < s->count; set++) {
        uint64_t mask = s->mask[set], alone = mask & view->inside[0];
        int count = (alone != 0) + ((alone & (alone - 1)) != 0);
        for (int k = 1; k <= view->classes; k++)
            count += (mask & view->inside[k]) != 0;
        count += (mask & own) != 0; /* its own class counts twice, which
                                       suffices */
        s->reduced[set] -= count < 2 ? y : 0;
    }
}

/* Subtracts y from the reduced cost of every set that misses the cluster. */
static void pay(struct bestdag_reduced_list *s,
                const struct bestdag_cluster_view *view, int64_t y)
{
    if (s->words == 1 && view->least == 1)
        for (int set = 0; set < s->count; set++)
            s->reduced[set] -= s->mask[set] & *view->inside ? 0 : y;
    else if (s->words == 1 && view->least == 2)
        pay_rank_2(s, view, y);
    else
        for (int set = 0; set < s->count; set++)
            if (bestdag_cluster_view_missed(
                    view, bestdag_reduced_list_mask(s, set), s->words))
                s->reduced[set] -= y;
}

void bestdag_relaxation_pay(struct bestdag_relaxation *r,
                            const struct bestdag_cluster *c, int64_t y)
{
    for (struct bestdag_walk w = {0}; bestdag_cluster_walk(r, c, &w);) {
        r->work += r->list[w.v].count;
        pay(&r->list[w.v], &w.view, y);
    }
}

void bestdag_relaxation_pay_late(struct bestdag_relaxation *r,
                                 const struct bestdag_cluster *c, int64_t y)
{
    for (struct bestdag_walk w = {0}; bestdag_cluster_walk(r, c, &w);) {
        if (bestdag_long_list_of(r, w.v)) {
            bestdag_long_list_pay(r, w.v, &w.view, y);
            continue;
        }
        r->work += r->list[w.v].count;
        pay(&r->list[w.v], &w.view, y);
    }
}

/* Adds the least reduced cost to pi_v and subtracts it from all. */
static void level(struct bestdag_reduced_list *s, int64_t *pi)
{
    int64_t least = INT64_MAX;
    for (int set = 0; set < s->count; set++)
        least = s->reduced[set] < least ? s->reduced[set] : least;
    *pi = s->count ? least : 0;
    assert(!s->count || least > INT64_MIN / 2);
    for (int set = 0; set < s->count; set++)
        s->reduced[set] -= least;
    bestdag_reduced_list_tighten(s);
}

void bestdag_relaxation_set(struct bestdag_relaxation *r, const int64_t *y)
{
    struct bestdag_pool *p = &r->pool;
    if (p->count && y != p->y)
        memcpy(p->y, y, (size_t)p->count * sizeof *y);
    for (int v = 0; v < r->n; v++)
        memcpy(r->list[v].reduced, r->list[v].cost,
               (size_t)r->list[v].count * sizeof *r->list[v].cost);
    r->bound = 0;
    for (int i = 0; i < p->count; i++) {
        assert(p->y[i] >= 0); /* multipliers are never negative */
        if (p->y[i])
            bestdag_relaxation_pay_late(r, p->at[i], p->y[i]);
        r->bound += p->at[i]->least * p->y[i];
    }
    bestdag_long_lists_settle(r);
    for (int v = 0; v < r->n; v++) {
        r->pi[v] = 0;
        level(&r->list[v], &r->pi[v]);
        r->bound += r->pi[v];
    }
}

/* ---- reduced-cost fixing ------------------------------------------------- */

static int thin(struct bestdag_reduced_list *s, int64_t spare)
{
    int kept = 0;
    for (int set = 0; set < s->count; set++) {
        assert(s->reduced[set] >= 0);
        if (s->reduced[set] >= spare)
            continue;
        memmove(s->mask + (int64_t)kept * s->words,
                s->mask + (int64_t)set * s->words,
                (size_t)s->words * sizeof *s->mask);
        s->cost[kept] = s->cost[set];
        s->id[kept] = s->id[set];
        s->reduced[kept++] = s->reduced[set];
    }
    int gone = s->count - kept;
    s->count = kept;
    if (gone)
        bestdag_reduced_list_tighten(s);
    return gone;
}

int64_t bestdag_reduced_cost_fixing(struct bestdag_relaxation *r, int64_t limit)
{
    int64_t gone = 0;
    for (int v = 0; v < r->n && r->bound < limit; v++)
        gone += thin(&r->list[v], limit - r->bound);
    return gone;
}
