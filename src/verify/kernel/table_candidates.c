/* SPDX-License-Identifier: MIT */
/* choices.c -- a part's sets as masks over its own variables, for
 * a table of prefixes.
 *
 * Of a variable's sets, those with a subset that costs no more are left out:
 * whatever a set can do, its subset can (fits into as many prefixes, misses as
 * many clusters). Cheap ones come first, so that a minimum is found after a few
 * of them. */
#include <stdlib.h>
#include <string.h>

#include "base/row.h"
#include "verify/kernel/mask.h"
#include "verify/kernel/table_proof.h"

/* Subsets are looked for among so many cheaper sets. */
enum { LOOKS = 512 };

static void release_choices(struct kernel_candidates *c, int n)
{
    for (int i = 0; c && i < n; i++) {
        bestdag_free(c[i].cost);
        bestdag_free(c[i].mask);
    }
    bestdag_free(c);
}

void bestdag_prefixes_release(struct kernel_table *t)
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
    bestdag_free(t->near_step);
    bestdag_free(t->dear);
    bestdag_free(t->link_from);
    bestdag_free(t->link_next);
    bestdag_free(t->question);
    bestdag_free(t->asked);
    bestdag_free(t->back);
    bestdag_prefix_table_release(&t->fates);
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

static void fill_mask(const struct kernel_table *t, const int32_t *local, int v,
                      int64_t set, uint64_t *mask)
{
    const struct kernel_proof *p = t->proof;
    const struct kernel_lists *l = p->lists;
    int64_t id = p->part[p->depth - 1].id;
    memset(mask, 0, t->words * sizeof *mask);
    for (int64_t i = l->start[set]; i < l->start[set + 1]; i++)
        if (p->home[l->member[i]] == id)
            bestdag_row_add(mask, local[l->member[i]]);
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
static int fill_choices(struct kernel_table *t, const int32_t *local, int v,
                        struct kernel_candidates *to)
{
    struct kernel_proof *p = t->proof;
    const struct kernel_lists *l = p->lists;
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

int32_t *bestdag_prefixes_number(struct kernel_proof *p)
{
    int32_t *local =
        bestdag_calloc(p->run, (size_t)p->lists->n + 1, sizeof *local);
    for (int i = 0; local && i < p->count; i++)
        local[p->member[i]] = i;
    return local;
}

static int make_choices(struct kernel_table *t)
{
    struct kernel_proof *p = t->proof;
    int32_t *local = bestdag_prefixes_number(p);
    t->choices = bestdag_calloc(p->run, (size_t)t->n + 1, sizeof *t->choices);
    for (int i = 0; local && t->choices && i < t->n; i++)
        if (fill_choices(t, local, p->member[i], &t->choices[i]))
            break;
    bestdag_free(local);
    return bestdag_run_status(p->run);
}

int bestdag_prefixes_start(struct kernel_table *t, struct kernel_proof *proof)
{
    *t = (struct kernel_table){.proof = proof, .n = proof->count};
    t->words = bestdag_row_words(t->n);
    t->words += !t->words;
    t->fates.words = t->words;
    t->fates.size = sizeof(struct kernel_prefix);
    t->back = bestdag_calloc(proof->run, t->words, sizeof *t->back);
    return t->back ? make_choices(t) : bestdag_run_status(proof->run);
}
