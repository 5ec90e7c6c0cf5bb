/* SPDX-License-Identifier: MIT */
/* table_bound.c -- a part's candidate sets as masks, and bounds on what
 * the variables outside a prefix cost, by multipliers of clusters outside it
 * (multipliers.c has the argument).
 *
 * Of a variable's sets, those with a subset that costs no more are left out:
 * the subset fits into at least as many prefixes and misses at least as many
 * clusters. The clusters with the variable at hand are gathered first; sets are
 * in order of the least that they can cost, so that a minimum is found after a
 * few of them. */
#include <stdlib.h>

#include "verify/kernel/growing_array.h"
#include "verify/kernel/mask.h"
#include "verify/kernel/table_proof.h"

/* Subsets are looked for among so many cheaper sets: what is left in costs
 * time, never correctness. */
enum { LOOKS = 512 };

/* ---- candidates -----------------------------------------------------------
 */

static int by_cost(const void *a, const void *b)
{
    const struct kernel_ranked *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    return (x->set > y->set) - (x->set < y->set);
}

/* Sorts the first `count` of t->ranked and makes room for them in `to`. */
static bool rank(struct kernel_table *t, size_t count,
                 struct kernel_candidates *to)
{
    struct bestdag_run *run = t->proof->run;
    to->cost = bestdag_alloc(run, count * sizeof *to->cost);
    to->mask = bestdag_alloc(run, count * t->words * sizeof *to->mask);
    if (count)
        qsort(t->ranked, count, sizeof *t->ranked, by_cost);
    return to->cost && to->mask;
}

/* Parents of the set inside the part, and who must come before v. */
static void fill_mask(const struct kernel_table *t, int v, int64_t set,
                      uint64_t *mask)
{
    const struct kernel_proof *p = t->proof;
    const struct kernel_lists *l = p->lists;
    int64_t id = p->part[p->depth - 1].id;
    memset(mask, 0, t->words * sizeof *mask);
    for (int64_t i = l->start[set]; i < l->start[set + 1]; i++)
        if (p->home[l->member[i]] == id)
            bestdag_row_add(mask, p->local[l->member[i]]);
    for (int i = 0; p->before && i < p->count; i++)
        if (bestdag_proof_precedes(p, p->member[i], v))
            bestdag_row_add(mask, i);
}

static bool has_subset(const struct kernel_candidates *c, const uint64_t *mask,
                       size_t words)
{
    for (int i = 0; i < c->count && i < LOOKS; i++)
        if (bestdag_mask_within(c->mask + (size_t)i * words, mask, words))
            return true;
    return false;
}

/* The sets of variable v that remain. */
static bool fill_candidates(struct kernel_table *t, int v,
                            struct kernel_candidates *to)
{
    const struct kernel_lists *l = t->proof->lists;
    size_t count = 0;
    if (!BESTDAG_GROW(t->proof->run, t->ranked, t->ranked_room,
                      l->first[v + 1] - l->first[v]))
        return false;
    for (int64_t s = l->first[v]; s < l->first[v + 1]; s++)
        if (l->remains[s])
            t->ranked[count++] = (struct kernel_ranked){l->cost[s], s};
    if (!rank(t, count, to))
        return false;
    for (size_t i = 0; i < count; i++) {
        uint64_t *mask = to->mask + (size_t)to->count * t->words;
        fill_mask(t, v, t->ranked[i].set, mask);
        if (!has_subset(to, mask, t->words))
            to->cost[to->count++] = t->ranked[i].cost;
    }
    return true;
}

bool bestdag_table_start(struct kernel_table *t, struct kernel_proof *proof)
{
    struct bestdag_run *run = proof->run;
    *t = (struct kernel_table){.proof = proof, .n = proof->count};
    t->words = bestdag_row_words(t->n);
    t->words += !t->words;
    t->prefixes = (struct kernel_prefix_table){
        .words = t->words, .size = sizeof(struct kernel_prefix)};
    t->back = bestdag_calloc(run, t->words, sizeof *t->back);
    t->grown = bestdag_calloc(run, t->words, sizeof *t->grown);
    t->layer = bestdag_calloc(run, (size_t)t->n + 1, sizeof *t->layer);
    t->candidates =
        bestdag_calloc(run, (size_t)t->n + 1, sizeof *t->candidates);
    for (int i = 0; i < t->n && !bestdag_run_status(run); i++)
        fill_candidates(t, proof->member[i], &t->candidates[i]);
    return !bestdag_run_status(run);
}

static void release_candidates(struct kernel_candidates *c, int n)
{
    for (int i = 0; c && i < n; i++) {
        bestdag_free(c[i].cost);
        bestdag_free(c[i].mask);
    }
    bestdag_free(c);
}

void bestdag_table_release(struct kernel_table *t)
{
    void *const owned[] = {
        t->part_mask, t->part_start, t->part_of, t->cluster,   t->few,
        t->bytes,     t->pair,       t->near,    t->near_mask, t->ranked,
        t->expensive, t->back,       t->grown,   t->question,  t->asked};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        bestdag_free(owned[i]);
    release_candidates(t->candidates, t->n);
    release_candidates(t->reduced, t->n);
    bestdag_prefix_table_release(&t->prefixes);
    for (int i = 0; t->layer && i <= t->n; i++)
        bestdag_prefix_table_release(&t->layer[i]);
    bestdag_free(t->layer);
}

KERNEL_INLINE int first_within(const struct kernel_candidates *c,
                               const uint64_t *prefix, size_t w)
{
    int i = 0;
    while (i < c->count &&
           !bestdag_mask_within(c->mask + (size_t)i * w, prefix, w))
        i++;
    return i;
}

int64_t bestdag_table_best(const struct kernel_table *t, int v,
                           const uint64_t *prefix, int *cheaper)
{
    const struct kernel_candidates *c = &t->candidates[v];
    int i = t->words == 1 ? first_within(c, prefix, 1)
                          : first_within(c, prefix, t->words);
    int64_t cost = i < c->count ? c->cost[i] : KERNEL_NEVER;
    if (cheaper) {
        while (i && c->cost[i - 1] == cost)
            i--;
        *cheaper = i;
    }
    return cost;
}

/* ---- one variable ---------------------------------------------------------
 */

/* Room to gather so many clusters. */
static bool make_room(struct kernel_table *t, int64_t clusters)
{
    struct bestdag_run *run = t->proof->run;
    return BESTDAG_GROW(run, t->near, t->near_room, clusters) &&
           bestdag_array_grow(run, &t->near_mask, &t->near_mask_room, clusters,
                              2 * t->words * sizeof *t->near_mask);
}

/* Gathers a cluster with variable v. `mask`: all of its members, its block. */
KERNEL_INLINE void gather(struct kernel_table *t, int64_t at, int v,
                          const uint64_t *mask, int few, int64_t y, size_t w)
{
    uint64_t *to = t->near_mask + (size_t)at * 2 * w;
    for (size_t i = 0; i < w; i++) {
        to[i] = mask[i] & ~mask[w + i];
        to[w + i] = mask[w + i];
    }
    t->near[at].y = y;
    t->near[at].few = few;
    t->near[at].step = bestdag_row_has(mask + w, v) ? few : 1;
}

/* The y of the `near` gathered clusters that the variable misses with a set. */
KERNEL_INLINE int64_t sum_missed(const struct kernel_table *t, int64_t near,
                                 const uint64_t *set, size_t w)
{
    int64_t sum = 0;
    for (int64_t k = 0; k < near; k++) {
        const uint64_t *rest = t->near_mask + (size_t)k * 2 * w;
        int few = t->near[k].few;
        if (bestdag_mask_meets(rest + w, set, w))
            few -= t->near[k].step;
        if (few > 0 && bestdag_mask_few(rest, set, few, w))
            sum += t->near[k].y;
    }
    return sum;
}

/* min over sets of [cost + sign * sum_missed()], which is at least cost - most.
 */
KERNEL_INLINE int64_t least_cost(const struct kernel_table *t,
                                 const struct kernel_candidates *c,
                                 int64_t near, int sign, int64_t most, size_t w)
{
    int64_t least = KERNEL_NEVER;
    for (int i = 0; i < c->count && c->cost[i] - most < least; i++) {
        int64_t value =
            c->cost[i] + sign * sum_missed(t, near, c->mask + (size_t)i * w, w);
        least = value < least ? value : least;
    }
    return least;
}

/* ---- by the record at hand ------------------------------------------------
 */

static const uint64_t *cluster_of(const struct kernel_table *t, int64_t pair)
{
    return t->cluster + (size_t)t->pair[pair].id * 2 * t->words;
}

/* How many clusters have variable v; *sum is what their y add up to. */
KERNEL_INLINE int64_t gather_record(struct kernel_table *t, int v, int64_t *sum,
                                    size_t w)
{
    int64_t near = 0;
    *sum = 0;
    for (int64_t k = 0; k < t->pairs; k++) {
        struct kernel_pair pair = t->pair[k];
        const uint64_t *mask = t->cluster + (size_t)pair.id * 2 * w;
        if (!bestdag_row_has(mask, v))
            continue;
        gather(t, near++, v, mask, t->few[pair.id], pair.y, w);
        *sum += pair.y;
    }
    return near;
}

static int64_t narrow(kernel_wide sum)
{
    if (sum > KERNEL_MOST)
        return KERNEL_MOST;
    return sum < -KERNEL_MOST ? INT64_MIN : (int64_t)sum;
}

KERNEL_INLINE int64_t bound_by_record(struct kernel_table *t,
                                      const uint64_t *prefix, size_t w)
{
    kernel_wide sum = 0;
    for (int64_t k = 0; k < t->pairs; k++)
        sum += (kernel_wide)t->pair[k].y * t->few[t->pair[k].id];
    for (int v = 0; v < t->n; v++) {
        if (bestdag_row_has(prefix, v))
            continue;
        int64_t most, near = gather_record(t, v, &most, w);
        int64_t least = least_cost(t, &t->candidates[v], near, -1, most, w);
        sum += least == KERNEL_NEVER ? KERNEL_NEVER_SUM : least;
    }
    return narrow(sum);
}

bool bestdag_table_bound(struct kernel_table *t, const uint64_t *prefix,
                         int64_t *bound)
{
    int64_t left = 0;
    if (!make_room(t, t->pairs))
        return false;
    for (int64_t k = 0; k < t->pairs; k++)
        if (!bestdag_mask_meets(cluster_of(t, k), prefix, t->words))
            t->pair[left++] = t->pair[k];
    t->pairs = left;
    *bound = t->words == 1 ? bound_by_record(t, prefix, 1)
                           : bound_by_record(t, prefix, t->words);
    return true;
}

void bestdag_table_price(struct kernel_table *t, int v, int count,
                         kernel_wide enough, char *expensive)
{
    const struct kernel_candidates *c = &t->candidates[v];
    size_t w = t->words;
    int64_t most, near = gather_record(t, v, &most, w);
    int64_t least = least_cost(t, c, near, -1, most, w);
    for (int s = 0; s < count; s++) {
        int64_t value =
            c->cost[s] - sum_missed(t, near, c->mask + (size_t)s * w, w);
        expensive[s] |= (kernel_wide)value - least >= enough;
    }
}

/* ---- by the part's own multipliers ----------------------------------------
 */

/* Clusters as masks, and by variable. */
static bool make_part_masks(struct kernel_table *t)
{
    const struct kernel_proof *p = t->proof;
    const struct kernel_clusters *c = &p->clusters;
    int64_t members = c->count ? c->one[c->count - 1].to : 0;
    t->part_mask = bestdag_calloc(p->run, (size_t)c->count * 2 * t->words + 1,
                                  sizeof *t->part_mask);
    t->part_start =
        bestdag_calloc(p->run, (size_t)t->n + 2, sizeof *t->part_start);
    t->part_of =
        bestdag_alloc(p->run, (size_t)(members + 1) * sizeof *t->part_of);
    if (!t->part_mask || !t->part_start || !t->part_of)
        return false;
    for (int64_t k = 0; k < c->count; k++)
        for (int64_t i = c->one[k].from; i < c->one[k].to; i++) {
            uint64_t *mask = t->part_mask + (size_t)k * 2 * t->words;
            bool in_block = c->member[i] < 0;
            int v = p->local[in_block ? -1 - c->member[i] : c->member[i]];
            bestdag_row_add(mask, v);
            if (in_block)
                bestdag_row_add(mask + t->words, v);
            t->part_start[v + 2]++;
        }
    for (int v = 2; v <= t->n + 1; v++)
        t->part_start[v] += t->part_start[v - 1];
    for (int64_t k = 0; k < c->count; k++) {
        const uint64_t *mask = t->part_mask + (size_t)k * 2 * t->words;
        for (int v = bestdag_row_next(mask, t->words, 0); v >= 0;
             v = bestdag_row_next(mask, t->words, v + 1))
            t->part_of[t->part_start[v + 1]++] = (int32_t)k;
    }
    return true;
}

/* Gathers the clusters with variable v that meet the prefix; NULL: all. */
KERNEL_INLINE int64_t gather_part(struct kernel_table *t, int v,
                                  const uint64_t *prefix, size_t w)
{
    const struct kernel_cluster *c = t->proof->clusters.one;
    int64_t near = 0;
    for (int64_t i = t->part_start[v]; i < t->part_start[v + 1]; i++) {
        int32_t k = t->part_of[i];
        const uint64_t *mask = t->part_mask + (size_t)k * 2 * w;
        if (!prefix || bestdag_mask_meets(mask, prefix, w))
            gather(t, near++, v, mask, c[k].few, c[k].y, w);
    }
    return near;
}

/* The candidates of variable v again, by cost less all multipliers. */
static bool reduce_candidates(struct kernel_table *t, int v)
{
    const struct kernel_candidates *from = &t->candidates[v];
    struct kernel_candidates *to = &t->reduced[v];
    size_t count = (size_t)from->count, w = t->words;
    int64_t near = gather_part(t, v, NULL, w);
    for (size_t s = 0; s < count; s++) /* ranked has room for all sets */
        t->ranked[s] = (struct kernel_ranked){
            from->cost[s] - sum_missed(t, near, from->mask + s * w, w),
            (int64_t)s};
    if (!rank(t, count, to))
        return false;
    for (size_t i = 0; i < count; i++) {
        to->cost[i] = t->ranked[i].cost;
        bestdag_mask_copy(to->mask + i * w,
                          from->mask + (size_t)t->ranked[i].set * w, w);
    }
    to->count = from->count;
    return true;
}

static bool prepare_part(struct kernel_table *t)
{
    struct bestdag_run *run = t->proof->run;
    if (!make_part_masks(t) || !make_room(t, t->proof->clusters.count))
        return false;
    t->reduced = bestdag_calloc(run, (size_t)t->n + 1, sizeof *t->reduced);
    for (int v = 0; t->reduced && v < t->n; v++)
        if (!reduce_candidates(t, v))
            return false;
    return t->reduced != NULL;
}

/* Sets have all multipliers taken off: those of clusters that meet the prefix
 * come back. */
KERNEL_INLINE int64_t bound_by_part(struct kernel_table *t,
                                    const uint64_t *prefix, size_t w)
{
    const struct kernel_clusters *c = &t->proof->clusters;
    kernel_wide sum = 0;
    for (int64_t k = 0; k < c->count; k++)
        if (!bestdag_mask_meets(t->part_mask + (size_t)k * 2 * w, prefix, w))
            sum += (kernel_wide)c->one[k].y * c->one[k].few;
    for (int v = 0; v < t->n; v++) {
        if (bestdag_row_has(prefix, v))
            continue;
        int64_t near = gather_part(t, v, prefix, w);
        int64_t least = least_cost(t, &t->reduced[v], near, 1, 0, w);
        sum += least == KERNEL_NEVER ? KERNEL_NEVER_SUM : least;
    }
    return narrow(sum);
}

bool bestdag_table_part_bound(struct kernel_table *t, const uint64_t *prefix,
                              int64_t *bound)
{
    if (!t->reduced && !prepare_part(t))
        return false;
    *bound = t->words == 1 ? bound_by_part(t, prefix, 1)
                           : bound_by_part(t, prefix, t->words);
    return true;
}
