/* SPDX-License-Identifier: MIT */
/* worth.c -- what at least is still to pay after a prefix, by multipliers of
 * clusters outside it. clusters.c says why.
 *
 * The clusters with the variable at hand are gathered first. Sets are in order
 * of the least that they can be worth, so that a minimum is found after a few
 * of them. */
#include <stdlib.h>
#include <string.h>

#include "base/row.h"
#include "verify/kernel/mask.h"
#include "verify/kernel/table_proof.h"

/* Room to gather so many clusters. */
static int make_room(struct kernel_table *t, int64_t clusters)
{
    struct bestdag_run *run = t->proof->run;
    if (clusters <= t->near_room)
        return BESTDAG_OK;
    size_t room = 2 * (size_t)clusters + 64;
    bestdag_free(t->near);
    bestdag_free(t->near_y);
    bestdag_free(t->near_few);
    bestdag_free(t->near_step);
    t->near_room = 0;
    t->near = bestdag_alloc(run, room * 2 * t->words * sizeof *t->near);
    t->near_y = bestdag_alloc(run, room * sizeof *t->near_y);
    t->near_few = bestdag_alloc(run, room * sizeof *t->near_few);
    t->near_step = bestdag_alloc(run, room * sizeof *t->near_step);
    if (!t->near || !t->near_y || !t->near_few || !t->near_step)
        return bestdag_run_status(run);
    t->near_room = (int64_t)room;
    return BESTDAG_OK;
}

BESTDAG_INLINE int64_t best_of(const struct kernel_candidates *c,
                               const uint64_t *prefix, size_t w)
{
    for (int i = 0; i < c->count; i++)
        if (bestdag_mask_within(c->mask + (size_t)i * w, prefix, w))
            return c->cost[i];
    return BESTDAG_PROOF_NEVER;
}

int64_t bestdag_prefixes_best(const struct kernel_table *t, int i,
                              const uint64_t *prefix)
{
    return t->words == 1 ? best_of(&t->choices[i], prefix, 1)
                         : best_of(&t->choices[i], prefix, t->words);
}

/* NEVER adds enough for anything. */
static void add(bestdag_wide *sum, int64_t least)
{
    *sum += least == BESTDAG_PROOF_NEVER ? (bestdag_wide)1 << 90 : least;
}

static int narrow(bestdag_wide sum, int64_t *bound)
{
    if (sum > BESTDAG_PROOF_MOST)
        sum = BESTDAG_PROOF_MOST;
    *bound = sum < -BESTDAG_PROOF_MOST ? INT64_MIN : (int64_t)sum;
    return BESTDAG_OK;
}

/* ---- one variable ---------------------------------------------------------
 */

/* A cluster: two masks, all of its members and its block. */
struct cluster {
    const uint64_t *mask;
    int few;
    int64_t y;
};

/* Gathers a cluster with variable v: members outside the block, the block, and
 * how much it counts for v that a set meets the block. */
BESTDAG_INLINE void gather(struct kernel_table *t, int64_t near, int v,
                           struct cluster c, size_t w)
{
    uint64_t *to = t->near + (size_t)near * 2 * w;
    for (size_t i = 0; i < w; i++) {
        to[i] = c.mask[i] & ~c.mask[w + i];
        to[w + i] = c.mask[w + i];
    }
    t->near_few[near] = c.few;
    t->near_step[near] = bestdag_row_has(c.mask + w, v) ? c.few : 1;
    t->near_y[near] = c.y;
}

/* The y of the gathered clusters that the variable misses with this set. */
BESTDAG_INLINE int64_t sum_missed(const struct kernel_table *t, int64_t near,
                                  const uint64_t *set, size_t w)
{
    int64_t sum = 0;
    for (int64_t k = 0; k < near; k++) {
        const uint64_t *rest = t->near + (size_t)k * 2 * w;
        int few = t->near_few[k];
        if (bestdag_mask_meets(rest + w, set, w))
            few -= t->near_step[k];
        if (few > 0 && bestdag_mask_few(rest, set, few, w))
            sum += t->near_y[k];
    }
    return sum;
}

/* min over sets of [cost - sum_missed()]. `sum`: all that is gathered. */
BESTDAG_INLINE int64_t least_less(const struct kernel_table *t,
                                  const struct kernel_candidates *c,
                                  int64_t near, int64_t sum, size_t w)
{
    int64_t least = BESTDAG_PROOF_NEVER;
    for (int i = 0; i < c->count && c->cost[i] - sum < least; i++) {
        int64_t value =
            c->cost[i] - sum_missed(t, near, c->mask + (size_t)i * w, w);
        least = value < least ? value : least;
    }
    return least;
}

/* ---- the record at hand ---------------------------------------------------
 */

/* Clusters that meet the prefix leave it. */
static void drop_met(struct kernel_table *t, const uint64_t *prefix)
{
    int64_t left = 0;
    for (int64_t k = 0; k < t->count; k++)
        if (!bestdag_mask_meets(t->cluster + (size_t)t->id[k] * 2 * t->words,
                                prefix, t->words)) {
            t->id[left] = t->id[k];
            t->y[left++] = t->y[k];
        }
    t->count = left;
}

/* How many have variable v; *sum is what they add up to. */
BESTDAG_INLINE int64_t gather_record(struct kernel_table *t, int v,
                                     int64_t *sum, size_t w)
{
    int64_t near = 0;
    *sum = 0;
    for (int64_t k = 0; k < t->count; k++) {
        struct cluster c = {t->cluster + (size_t)t->id[k] * 2 * w,
                            t->few[t->id[k]], t->y[k]};
        if (!bestdag_row_has(c.mask, v))
            continue;
        gather(t, near++, v, c, w);
        *sum += c.y;
    }
    return near;
}

BESTDAG_INLINE bestdag_wide bound_by_record(struct kernel_table *t,
                                            const uint64_t *prefix, size_t w)
{
    bestdag_wide sum = 0;
    for (int64_t k = 0; k < t->count; k++)
        sum += (bestdag_wide)t->y[k] * t->few[t->id[k]];
    for (int v = 0; v < t->n; v++)
        if (!bestdag_row_has(prefix, v)) {
            int64_t all, near = gather_record(t, v, &all, w);
            add(&sum, least_less(t, &t->choices[v], near, all, w));
        }
    return sum;
}

int bestdag_prefixes_bound(struct kernel_table *t, const uint64_t *prefix,
                           int64_t *bound)
{
    if (make_room(t, t->count))
        return BESTDAG_MEMORY;
    drop_met(t, prefix);
    return narrow(t->words == 1 ? bound_by_record(t, prefix, 1)
                                : bound_by_record(t, prefix, t->words),
                  bound);
}

void bestdag_prefixes_price(struct kernel_table *t, int i, int count,
                            bestdag_wide enough, char *dear)
{
    const struct kernel_candidates *c = &t->choices[i];
    size_t w = t->words;
    int64_t all, near = gather_record(t, i, &all, w);
    int64_t least = least_less(t, c, near, all, w);
    for (int s = 0; s < count; s++) {
        int64_t value =
            c->cost[s] - sum_missed(t, near, c->mask + (size_t)s * w, w);
        dear[s] |= (bestdag_wide)value - least >= enough;
    }
}

/* ---- the part's own multipliers -------------------------------------------
 */

static int make_part_masks(struct kernel_table *t)
{
    struct kernel_proof *p = t->proof;
    const struct kernel_clusters *c = &p->clusters;
    int64_t members = c->count ? c->start[c->count] : 0;
    int32_t *local = bestdag_prefixes_number(p);
    t->part_mask = bestdag_calloc(p->run, (size_t)c->count * 2 * t->words + 1,
                                  sizeof *t->part_mask);
    t->part_start =
        bestdag_calloc(p->run, (size_t)t->n + 2, sizeof *t->part_start);
    t->part_of =
        bestdag_alloc(p->run, (size_t)(members + 1) * sizeof *t->part_of);
    if (local && t->part_mask && t->part_start && t->part_of) {
        for (int64_t i = 0; i < members; i++)
            t->part_start[local[bestdag_clusters_member(c, i)] + 2]++;
        for (int i = 2; i <= t->n + 1; i++)
            t->part_start[i] += t->part_start[i - 1];
        for (int64_t k = 0; k < c->count; k++)
            for (int64_t i = c->start[k]; i < c->start[k + 1]; i++) {
                uint64_t *mask = t->part_mask + (size_t)k * 2 * t->words;
                int v = local[bestdag_clusters_member(c, i)];
                bestdag_row_add(mask, v);
                if (c->member[i] < 0)
                    bestdag_row_add(mask + t->words, v);
                t->part_of[t->part_start[v + 1]++] = (int32_t)k;
            }
    }
    bestdag_free(local);
    return bestdag_run_status(p->run);
}

/* Gathers the clusters with variable v that meet the prefix; NULL: all. */
BESTDAG_INLINE int64_t gather_part(struct kernel_table *t, int v,
                                   const uint64_t *prefix, size_t w)
{
    const struct kernel_clusters *c = &t->proof->clusters;
    int64_t near = 0;
    for (int64_t i = t->part_start[v]; i < t->part_start[v + 1]; i++) {
        int32_t k = t->part_of[i];
        struct cluster one = {t->part_mask + (size_t)k * 2 * w, c->few[k],
                              c->y[k]};
        if (!prefix || bestdag_mask_meets(one.mask, prefix, w))
            gather(t, near++, v, one, w);
    }
    return near;
}

struct entry {
    int64_t value, set;
};

static int by_value(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->set > y->set) - (x->set < y->set);
}

/* The choices of variable v again, by cost less all multipliers. */
static int reduce_choices(struct kernel_table *t, int v)
{
    const struct kernel_candidates *from = &t->choices[v];
    struct kernel_candidates *to = &t->reduced[v];
    struct bestdag_run *run = t->proof->run;
    size_t count = (size_t)from->count, w = t->words;
    struct entry *all = bestdag_alloc(run, count * sizeof *all);
    to->cost = bestdag_alloc(run, count * sizeof *to->cost);
    to->mask = bestdag_alloc(run, count * w * sizeof *to->mask);
    int64_t near = gather_part(t, v, NULL, w);
    if (!bestdag_run_status(run)) {
        for (size_t s = 0; s < count; s++)
            all[s] = (struct entry){
                from->cost[s] - sum_missed(t, near, from->mask + s * w, w),
                (int64_t)s};
        if (count)
            qsort(all, count, sizeof *all, by_value);
        for (; (size_t)to->count < count; to->count++) {
            size_t i = (size_t)to->count;
            to->cost[i] = all[i].value;
            bestdag_mask_copy(to->mask + i * w,
                              from->mask + (size_t)all[i].set * w, w);
        }
    }
    bestdag_free(all);
    return bestdag_run_status(run);
}

static int prepare_part(struct kernel_table *t)
{
    struct bestdag_run *run = t->proof->run;
    if (make_part_masks(t) || make_room(t, t->proof->clusters.count))
        return bestdag_run_status(run);
    t->reduced = bestdag_calloc(run, (size_t)t->n + 1, sizeof *t->reduced);
    for (int v = 0; t->reduced && v < t->n; v++)
        if (reduce_choices(t, v))
            break;
    return bestdag_run_status(run);
}

/* Like least_less(), but from sets with all multipliers taken off: those of
 * the gathered clusters, which meet the prefix, come back. */
BESTDAG_INLINE int64_t least_more(const struct kernel_table *t,
                                  const struct kernel_candidates *c,
                                  int64_t near, size_t w)
{
    int64_t least = BESTDAG_PROOF_NEVER;
    for (int i = 0; i < c->count && c->cost[i] < least; i++) {
        int64_t value =
            c->cost[i] + sum_missed(t, near, c->mask + (size_t)i * w, w);
        least = value < least ? value : least;
    }
    return least;
}

BESTDAG_INLINE bestdag_wide bound_by_part(struct kernel_table *t,
                                          const uint64_t *prefix, size_t w)
{
    const struct kernel_clusters *c = &t->proof->clusters;
    bestdag_wide sum = 0;
    for (int64_t k = 0; k < c->count; k++)
        if (!bestdag_mask_meets(t->part_mask + (size_t)k * 2 * w, prefix, w))
            sum += (bestdag_wide)c->y[k] * c->few[k];
    for (int v = 0; v < t->n; v++)
        if (!bestdag_row_has(prefix, v))
            add(&sum,
                least_more(t, &t->reduced[v], gather_part(t, v, prefix, w), w));
    return sum;
}

int bestdag_prefixes_inherit(struct kernel_table *t, const uint64_t *prefix,
                             int64_t *bound)
{
    if (!t->reduced && prepare_part(t))
        return bestdag_run_status(t->proof->run);
    if (make_room(t, t->proof->clusters.count))
        return BESTDAG_MEMORY;
    return narrow(t->words == 1 ? bound_by_part(t, prefix, 1)
                                : bound_by_part(t, prefix, t->words),
                  bound);
}
