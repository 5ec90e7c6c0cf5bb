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
#include <string.h>

#include "base/growing_array.h"
#include "base/row.h"
#include "verify/kernel/table_proof.h"

/* Subsets are looked for among this many cheaper sets: what is left in costs
 * time, never correctness. */
enum { LOOKS = 512 };

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

/* Parents of the set inside the part, and what must come before v. */
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
        if (bestdag_row_within(c->mask + (size_t)i * words, mask, words))
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
    *t = (struct kernel_table){.proof = proof,
                               .clusters = &proof->clusters,
                               .n = proof->count,
                               .words = proof->clusters.words};
    t->prefixes = (struct bestdag_row_table){
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

void bestdag_table_release(struct kernel_table *t)
{
    void *const owned[] = {t->bytes,     t->pair, t->near,  t->near_mask,
                           t->ranked,    t->back, t->grown, t->question,
                           t->expensive, t->asked};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        bestdag_free(owned[i]);
    for (int i = 0; t->candidates && i < t->n; i++) {
        bestdag_free(t->candidates[i].cost);
        bestdag_free(t->candidates[i].mask);
    }
    bestdag_free(t->candidates);
    bestdag_row_table_release(&t->prefixes);
    for (int i = 0; t->layer && i <= t->n; i++)
        bestdag_row_table_release(&t->layer[i]);
    bestdag_free(t->layer);
}

BESTDAG_INLINE int first_within(const struct kernel_candidates *c,
                                const uint64_t *prefix, size_t w)
{
    int i = 0;
    while (i < c->count &&
           !bestdag_row_within(c->mask + (size_t)i * w, prefix, w))
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

/* ---- bounds ---- */

/* Gathers the clusters of the record with variable v in t->near: from the front
 * those with a = 1, whose masks are side by side; from the back the others. */
BESTDAG_INLINE void gather(struct kernel_table *t, int v, size_t w)
{
    t->single = t->all_y = 0;
    t->several = t->pairs;
    for (int64_t k = 0; k < t->pairs; k++) {
        const struct kernel_cluster *c = &t->clusters->one[t->pair[k].id];
        const uint64_t *mask = t->clusters->mask + (size_t)c->at * w;
        if (!bestdag_row_has(mask, v))
            continue;
        if (c->few == 1)
            bestdag_row_copy(t->near_mask + (size_t)t->single * w, mask, w);
        int64_t at = c->few == 1 ? t->single++ : --t->several;
        t->near[at] = bestdag_cluster_seen(c, mask, v, w);
        t->near[at].y = t->pair[k].y;
        t->all_y += t->pair[k].y;
    }
}

/* The cost of a set less y of the gathered clusters that v misses with it. */
BESTDAG_INLINE int64_t reduced_cost(const struct kernel_table *t,
                                    const struct kernel_candidates *c, int i,
                                    size_t w)
{
    const uint64_t *set = c->mask + (size_t)i * w, *mask = t->near_mask;
    int64_t cost = c->cost[i];
    for (int64_t k = 0; k < t->single; k++, mask += w)
        cost -= bestdag_row_meets(mask, set, w) ? 0 : t->near[k].y;
    for (int64_t k = t->several; k < t->pairs; k++)
        cost -= bestdag_cluster_missed(&t->near[k], set, w) ? t->near[k].y : 0;
    return cost;
}

/* The least reduced cost of a set of v, after gather(). */
BESTDAG_INLINE int64_t least_cost(const struct kernel_table *t, int v, size_t w)
{
    const struct kernel_candidates *c = &t->candidates[v];
    int64_t least = KERNEL_NEVER;
    for (int i = 0; i < c->count && c->cost[i] - t->all_y < least; i++) {
        int64_t cost = reduced_cost(t, c, i, w);
        least = cost < least ? cost : least;
    }
    return least;
}

BESTDAG_INLINE kernel_wide bound_by_record(struct kernel_table *t,
                                           const uint64_t *prefix, size_t w)
{
    kernel_wide sum = 0;
    for (int64_t k = 0; k < t->pairs; k++)
        sum += (kernel_wide)t->pair[k].y * t->clusters->one[t->pair[k].id].few;
    for (int v = 0; v < t->n; v++) {
        if (bestdag_row_has(prefix, v))
            continue;
        gather(t, v, w);
        int64_t least = least_cost(t, v, w);
        sum += least == KERNEL_NEVER ? KERNEL_NEVER_SUM : least;
    }
    return sum;
}

bool bestdag_table_bound(struct kernel_table *t, const uint64_t *prefix,
                         int64_t *bound)
{
    int64_t left = 0;
    if (!BESTDAG_GROW(t->proof->run, t->near, t->near_room, t->pairs) ||
        !bestdag_array_grow(t->proof->run, &t->near_mask, &t->near_mask_room,
                            t->pairs, t->words * sizeof *t->near_mask))
        return false;
    for (int64_t k = 0; k < t->pairs; k++)
        if (!bestdag_row_meets(bestdag_cluster_mask(t->clusters, t->pair[k].id),
                               prefix, t->words))
            t->pair[left++] = t->pair[k];
    t->pairs = left;
    kernel_wide sum = t->words == 1 ? bound_by_record(t, prefix, 1)
                                    : bound_by_record(t, prefix, t->words);
    sum = sum > KERNEL_MOST ? KERNEL_MOST : sum;
    *bound = sum < -KERNEL_MOST ? INT64_MIN : (int64_t)sum;
    return true;
}

void bestdag_table_price(struct kernel_table *t, int v, int count,
                         kernel_wide enough, char *expensive)
{
    size_t w = t->words;
    gather(t, v, w);
    int64_t least = least_cost(t, v, w);
    for (int s = 0; s < count; s++) {
        kernel_wide cost = reduced_cost(t, &t->candidates[v], s, w);
        expensive[s] |= cost - least >= enough;
    }
}
