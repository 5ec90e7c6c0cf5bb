/* SPDX-License-Identifier: MIT */
/* choices.c -- a part's sets as masks over its own variables, and the bounds
 * that a table of prefixes asks for.
 *
 * Of a variable's sets, those with a subset that costs no more are left out:
 * whatever a set can do, its subset can (fits into as many prefixes, loses as
 * many multipliers). Sets are in order of their least possible value, so that a
 * minimum is found after a few of them. */
#include <stdlib.h>
#include <string.h>

#include "base/row.h"
#include "verify/masks.h"
#include "verify/prefixes.h"

/* Subsets are looked for among so many cheaper sets. */
enum { LOOKS = 512 };

static void release_choices(struct bestdag_choices *c, int n)
{
    for (int i = 0; c && i < n; i++) {
        bestdag_free(c[i].cost);
        bestdag_free(c[i].mask);
    }
    bestdag_free(c);
}

void bestdag_prefixes_release(struct bestdag_prefixes *t)
{
    release_choices(t->choices, t->n);
    release_choices(t->reduced, t->n);
    bestdag_free(t->part_mask);
    bestdag_free(t->part_start);
    bestdag_free(t->part_of);
    bestdag_free(t->cluster);
    bestdag_free(t->few);
    bestdag_free(t->pairs);
    bestdag_free(t->id);
    bestdag_free(t->y);
    bestdag_free(t->near);
    bestdag_free(t->near_y);
    bestdag_free(t->near_few);
    bestdag_hoard_release(&t->fates);
}

/* ---- making them ----------------------------------------------------------
 */

struct entry {
    int64_t value, set; /* set: its number among those of the variable */
};

static int by_value(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->set > y->set) - (x->set < y->set);
}

static void fill_mask(const struct bestdag_prefixes *t, const int32_t *local,
                      int v, int64_t set, uint64_t *mask)
{
    const struct bestdag_proof *p = t->proof;
    const struct bestdag_lists *l = p->lists;
    int64_t id = p->part[p->depth - 1].id;
    memset(mask, 0, t->words * sizeof *mask);
    for (int64_t i = l->start[set]; i < l->start[set + 1]; i++)
        if (p->home[l->member[i]] == id)
            bestdag_row_add(mask, local[l->member[i]]);
    for (int i = 0; p->before && i < p->count; i++)
        if (bestdag_proof_precedes(p, p->member[i], v))
            bestdag_row_add(mask, i);
}

static bool has_subset(const struct bestdag_choices *c, const uint64_t *mask,
                       size_t words)
{
    for (int i = 0; i < c->count && i < LOOKS; i++)
        if (bestdag_mask_within(c->mask + (size_t)i * words, mask, words))
            return true;
    return false;
}

/* The sets of variable v that remain. */
static int fill_choices(struct bestdag_prefixes *t, const int32_t *local, int v,
                        struct bestdag_choices *to)
{
    struct bestdag_proof *p = t->proof;
    const struct bestdag_lists *l = p->lists;
    size_t room = (size_t)(l->first[v + 1] - l->first[v]), count = 0;
    struct entry *all = bestdag_alloc(p->run, room * sizeof *all);
    to->cost = bestdag_alloc(p->run, room * sizeof *to->cost);
    to->mask = bestdag_alloc(p->run, room * t->words * sizeof *to->mask);
    if (!all || !to->cost || !to->mask) {
        bestdag_free(all);
        return BESTDAG_MEMORY;
    }
    for (int64_t s = l->first[v]; s < l->first[v + 1]; s++)
        if (l->remains[s])
            all[count++] = (struct entry){l->cost[s], s};
    if (count)
        qsort(all, count, sizeof *all, by_value);
    for (size_t i = 0; i < count; i++) {
        uint64_t *mask = to->mask + (size_t)to->count * t->words;
        fill_mask(t, local, v, all[i].set, mask);
        if (!has_subset(to, mask, t->words))
            to->cost[to->count++] = all[i].value;
    }
    bestdag_free(all);
    return BESTDAG_OK;
}

/* Numbers inside the part; the caller frees. */
static int32_t *number_members(struct bestdag_proof *p)
{
    int32_t *local =
        bestdag_calloc(p->run, (size_t)p->lists->n + 1, sizeof *local);
    for (int i = 0; local && i < p->count; i++)
        local[p->member[i]] = i;
    return local;
}

static int make_choices(struct bestdag_prefixes *t)
{
    struct bestdag_proof *p = t->proof;
    int32_t *local = number_members(p);
    t->choices = bestdag_calloc(p->run, (size_t)t->n + 1, sizeof *t->choices);
    for (int i = 0; local && t->choices && i < t->n; i++)
        if (fill_choices(t, local, p->member[i], &t->choices[i]))
            break;
    bestdag_free(local);
    return bestdag_run_status(p->run);
}

int bestdag_prefixes_start(struct bestdag_prefixes *t,
                           struct bestdag_proof *proof)
{
    *t = (struct bestdag_prefixes){.proof = proof, .n = proof->count};
    t->words = bestdag_row_words(t->n);
    t->words += !t->words;
    t->fates.words = t->words;
    t->fates.size = sizeof(struct bestdag_fate);
    return make_choices(t);
}

/* Room to gather so many clusters. */
int bestdag_prefixes_room(struct bestdag_prefixes *t, int64_t clusters)
{
    if (clusters <= t->near_room)
        return BESTDAG_OK;
    int64_t room = 2 * clusters + 64;
    bestdag_free(t->near);
    bestdag_free(t->near_y);
    bestdag_free(t->near_few);
    t->near_y = NULL;
    t->near_few = NULL;
    t->near_room = 0;
    t->near =
        bestdag_alloc(t->proof->run, (size_t)room * t->words * sizeof *t->near);
    t->near_y = bestdag_alloc(t->proof->run, (size_t)room * sizeof *t->near_y);
    t->near_few =
        bestdag_alloc(t->proof->run, (size_t)room * sizeof *t->near_few);
    if (!t->near || !t->near_y || !t->near_few)
        return BESTDAG_MEMORY;
    t->near_room = room;
    return BESTDAG_OK;
}

/* ---- bounds ---------------------------------------------------------------
 */

BESTDAG_INLINE int64_t best_of(const struct bestdag_choices *c,
                               const uint64_t *prefix, size_t w)
{
    for (int i = 0; i < c->count; i++)
        if (bestdag_mask_within(c->mask + (size_t)i * w, prefix, w))
            return c->cost[i];
    return BESTDAG_PROOF_NEVER;
}

int64_t bestdag_prefixes_best(const struct bestdag_prefixes *t, int i,
                              const uint64_t *prefix)
{
    return t->words == 1 ? best_of(&t->choices[i], prefix, 1)
                         : best_of(&t->choices[i], prefix, t->words);
}

/* A sum is never more than is needed; NEVER adds enough for anything. */
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

/* The y of the gathered clusters in which the set has few members. */
BESTDAG_INLINE int64_t sum_few(const struct bestdag_prefixes *t, int64_t near,
                               const uint64_t *set, size_t w)
{
    int64_t sum = 0;
    for (int64_t k = 0; k < near; k++)
        if (bestdag_mask_few(t->near + (size_t)k * w, set, t->near_few[k], w))
            sum += t->near_y[k];
    return sum;
}

/* min over sets of [cost - sum_few()]. `sum`: all that is gathered. */
BESTDAG_INLINE int64_t least_less(const struct bestdag_prefixes *t,
                                  const struct bestdag_choices *c, int64_t near,
                                  int64_t sum, size_t w)
{
    int64_t least = BESTDAG_PROOF_NEVER;
    for (int i = 0; i < c->count && c->cost[i] - sum < least; i++) {
        int64_t value =
            c->cost[i] - sum_few(t, near, c->mask + (size_t)i * w, w);
        least = value < least ? value : least;
    }
    return least;
}

/* Clusters that meet the prefix leave the record at hand. */
static void drop_met(struct bestdag_prefixes *t, const uint64_t *prefix)
{
    int64_t left = 0;
    for (int64_t k = 0; k < t->count; k++)
        if (!bestdag_mask_meets(t->cluster + (size_t)t->id[k] * t->words,
                                prefix, t->words)) {
            t->id[left] = t->id[k];
            t->y[left++] = t->y[k];
        }
    t->count = left;
}

BESTDAG_INLINE bestdag_wide bound_by_record(struct bestdag_prefixes *t,
                                            const uint64_t *prefix, size_t w)
{
    bestdag_wide sum = 0;
    for (int64_t k = 0; k < t->count; k++)
        sum += (bestdag_wide)t->y[k] * t->few[t->id[k]];
    for (int v = 0; v < t->n; v++) {
        int64_t near = 0, all = 0;
        if (bestdag_row_has(prefix, v))
            continue;
        for (int64_t k = 0; k < t->count; k++) {
            const uint64_t *mask = t->cluster + (size_t)t->id[k] * w;
            if (!bestdag_row_has(mask, v))
                continue;
            bestdag_mask_copy(t->near + (size_t)near * w, mask, w);
            t->near_few[near] = t->few[t->id[k]];
            t->near_y[near++] = t->y[k];
            all += t->y[k];
        }
        add(&sum, least_less(t, &t->choices[v], near, all, w));
    }
    return sum;
}

int bestdag_prefixes_bound(struct bestdag_prefixes *t, const uint64_t *prefix,
                           int64_t *bound)
{
    if (bestdag_prefixes_room(t, t->count))
        return BESTDAG_MEMORY;
    drop_met(t, prefix);
    return narrow(t->words == 1 ? bound_by_record(t, prefix, 1)
                                : bound_by_record(t, prefix, t->words),
                  bound);
}

/* ---- the part's own multipliers -------------------------------------------
 */

static int make_part_masks(struct bestdag_prefixes *t)
{
    struct bestdag_proof *p = t->proof;
    const struct bestdag_clusters *c = &p->clusters;
    int64_t members = c->count ? c->start[c->count] : 0;
    int32_t *local = number_members(p);
    t->part_mask = bestdag_calloc(p->run, (size_t)c->count * t->words + 1,
                                  sizeof *t->part_mask);
    t->part_start =
        bestdag_calloc(p->run, (size_t)t->n + 2, sizeof *t->part_start);
    t->part_of =
        bestdag_alloc(p->run, (size_t)(members + 1) * sizeof *t->part_of);
    if (local && t->part_mask && t->part_start && t->part_of) {
        for (int64_t i = 0; i < members; i++)
            t->part_start[local[c->member[i]] + 2]++;
        for (int i = 2; i <= t->n + 1; i++)
            t->part_start[i] += t->part_start[i - 1];
        for (int64_t k = 0; k < c->count; k++)
            for (int64_t i = c->start[k]; i < c->start[k + 1]; i++) {
                int v = local[c->member[i]];
                bestdag_row_add(t->part_mask + (size_t)k * t->words, v);
                t->part_of[t->part_start[v + 1]++] = (int32_t)k;
            }
    }
    bestdag_free(local);
    return bestdag_run_status(p->run);
}

/* The choices of variable v again, by cost less all multipliers. */
static int reduce_choices(struct bestdag_prefixes *t, int v)
{
    const struct bestdag_choices *from = &t->choices[v];
    struct bestdag_choices *to = &t->reduced[v];
    struct bestdag_run *run = t->proof->run;
    size_t count = (size_t)from->count, w = t->words;
    struct entry *all = bestdag_alloc(run, count * sizeof *all);
    to->cost = bestdag_alloc(run, count * sizeof *to->cost);
    to->mask = bestdag_alloc(run, count * w * sizeof *to->mask);
    for (size_t s = 0; all && to->cost && to->mask && s < count; s++) {
        all[s] = (struct entry){from->cost[s], (int64_t)s};
        for (int64_t i = t->part_start[v]; i < t->part_start[v + 1]; i++)
            if (bestdag_mask_few(t->part_mask + (size_t)t->part_of[i] * w,
                                 from->mask + s * w,
                                 t->proof->clusters.few[t->part_of[i]], w))
                all[s].value -= t->proof->clusters.y[t->part_of[i]];
    }
    if (!bestdag_run_status(run)) {
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

static int prepare_part(struct bestdag_prefixes *t)
{
    struct bestdag_run *run = t->proof->run;
    if (make_part_masks(t) ||
        bestdag_prefixes_room(t, t->proof->clusters.count))
        return bestdag_run_status(run);
    t->reduced = bestdag_calloc(run, (size_t)t->n + 1, sizeof *t->reduced);
    for (int v = 0; t->reduced && v < t->n; v++)
        if (reduce_choices(t, v))
            break;
    return bestdag_run_status(run);
}

/* Like least_less(), but from sets with all multipliers taken off: those of
 * the gathered clusters, which meet the prefix, come back. */
BESTDAG_INLINE int64_t least_more(const struct bestdag_prefixes *t,
                                  const struct bestdag_choices *c, int64_t near,
                                  size_t w)
{
    int64_t least = BESTDAG_PROOF_NEVER;
    for (int i = 0; i < c->count && c->cost[i] < least; i++) {
        int64_t value =
            c->cost[i] + sum_few(t, near, c->mask + (size_t)i * w, w);
        least = value < least ? value : least;
    }
    return least;
}

BESTDAG_INLINE bestdag_wide bound_by_part(struct bestdag_prefixes *t,
                                          const uint64_t *prefix, size_t w)
{
    const struct bestdag_clusters *c = &t->proof->clusters;
    bestdag_wide sum = 0;
    for (int64_t k = 0; k < c->count; k++)
        if (!bestdag_mask_meets(t->part_mask + (size_t)k * w, prefix, w))
            sum += (bestdag_wide)c->y[k] * c->few[k];
    for (int v = 0; v < t->n; v++) {
        int64_t near = 0;
        if (bestdag_row_has(prefix, v))
            continue;
        for (int64_t i = t->part_start[v]; i < t->part_start[v + 1]; i++) {
            int32_t k = t->part_of[i];
            const uint64_t *mask = t->part_mask + (size_t)k * w;
            if (!bestdag_mask_meets(mask, prefix, w))
                continue;
            bestdag_mask_copy(t->near + (size_t)near * w, mask, w);
            t->near_few[near] = c->few[k];
            t->near_y[near++] = c->y[k];
        }
        add(&sum, least_more(t, &t->reduced[v], near, w));
    }
    return sum;
}

int bestdag_prefixes_inherit(struct bestdag_prefixes *t, const uint64_t *prefix,
                             int64_t *bound)
{
    if (!t->reduced && prepare_part(t))
        return bestdag_run_status(t->proof->run);
    if (bestdag_prefixes_room(t, t->proof->clusters.count))
        return BESTDAG_MEMORY;
    return narrow(t->words == 1 ? bound_by_part(t, prefix, 1)
                                : bound_by_part(t, prefix, t->words),
                  bound);
}
