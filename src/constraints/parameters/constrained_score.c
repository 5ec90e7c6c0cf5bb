/* SPDX-License-Identifier: MIT */
/* constrained_score.c -- the scorer's hook for constraints on parameters.
 *
 * The cells of a family are sorted by the configuration of the parents that no
 * rule names; each of these has a block of its own, and the losses of the
 * blocks add up. In units they are rounded block by block, so that the order of
 * the sum does not matter. Bundles are kept from family to family. */
#include "constraints/parameters/constrained_score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "scores/score.h"

enum { SLOTS = 64 };

struct hook {
    struct bestdag_hook base;
    struct bestdag_parameters *parameters; /* owns */
    bool *applies;                         /* owns; [n] */
};

struct slot {
    uint64_t key;
    bool used;
    struct bestdag_block_list block_list; /* owns */
};

/* A cell, before it is added to its block. */
struct place {
    uint64_t block; /* configuration of the parents that are not named */
    int entry;
    int64_t count;
};

struct scratch {
    struct bestdag_run *run;
    const struct hook *hook;
    struct slot slot[SLOTS];
    int *parents;        /* owns; [n]: ascending */
    struct place *place; /* owns */
    int64_t room;
    double *work; /* owns; counts, theta, what solving takes */
    size_t work_room;
};

/* ---- scratch ------------------------------------------------------------- */

static void close_scratch(void *scratch)
{
    struct scratch *s = scratch;
    if (!s)
        return;
    for (int i = 0; i < SLOTS; i++)
        bestdag_block_list_release(&s->slot[i].block_list);
    bestdag_free(s->parents);
    bestdag_free(s->place);
    bestdag_free(s->work);
    bestdag_free(s);
}

static void *open_scratch(struct bestdag_run *run,
                          const struct bestdag_hook *hook)
{
    struct scratch *s = bestdag_calloc(run, 1, sizeof *s);
    if (s) {
        s->run = run;
        s->hook = (const struct hook *)hook;
    }
    return s;
}

static int reserve(struct scratch *s, const struct bestdag_scorer *scorer,
                   int64_t cells)
{
    if (!s->parents)
        s->parents =
            bestdag_alloc(s->run, (size_t)scorer->n * sizeof *s->parents);
    if (!s->parents)
        return bestdag_run_status(s->run);
    if (cells <= s->room)
        return BESTDAG_OK;
    struct place *place =
        bestdag_realloc(s->run, s->place, 2 * (size_t)cells * sizeof *place);
    if (!place)
        return bestdag_run_status(s->run);
    s->place = place;
    s->room = 2 * cells;
    return BESTDAG_OK;
}

static int reserve_work(struct scratch *s, size_t doubles)
{
    if (doubles <= s->work_room)
        return BESTDAG_OK;
    double *work = bestdag_realloc(s->run, s->work, doubles * sizeof *work);
    if (!work)
        return bestdag_run_status(s->run);
    s->work = work;
    s->work_room = doubles;
    return BESTDAG_OK;
}

/* ---- blocks -------------------------------------------------------------- */

static void sort_parents(const struct bestdag_score_view *v, int *to)
{
    for (int i = 0; i < v->count; i++) {
        int j = i;
        for (; j > 0 && to[j - 1] > v->parents[i]; j--)
            to[j] = to[j - 1];
        to[j] = v->parents[i];
    }
}

static const struct bestdag_block_list *find_blocks(
    struct scratch *s, const struct bestdag_score_view *v)
{
    const struct bestdag_parameters *p = s->hook->parameters;
    sort_parents(v, s->parents);
    uint64_t key = bestdag_parameters_key(p, v->child, s->parents, v->count);
    struct slot *slot = &s->slot[key % SLOTS];
    if (slot->used && slot->key == key)
        return &slot->block_list;
    bestdag_block_list_release(&slot->block_list);
    slot->used = false;
    if (bestdag_parameters_blocks(s->run, p, v->child, s->parents, v->count,
                                  &slot->block_list))
        return NULL;
    slot->key = key;
    slot->used = true;
    return &slot->block_list;
}

/* ---- cells into blocks --------------------------------------------------- */

static bool is_named(const struct bestdag_block_list *b, int parent)
{
    for (int i = 0; i < b->count; i++)
        if (b->parent[i] == parent)
            return true;
    return false;
}

static struct place place_cell(const struct bestdag_scorer *scorer,
                               const struct bestdag_score_view *v,
                               const struct bestdag_block_list *b,
                               const struct bestdag_cell *cell)
{
    const struct bestdag_column *column = scorer->table->column;
    struct place to = {.count = cell->count};
    int row = 0;
    for (int i = 0; i < b->count; i++)
        row = row * scorer->states[b->parent[i]] +
              bestdag_column_code(&column[b->parent[i]], cell->row);
    to.entry = row * scorer->states[v->child] + cell->state;
    for (int i = 0; i < v->count && b->count < v->count; i++) {
        int parent = v->parents[i];
        if (!is_named(
                b,
                parent)) /* only part of a hash: it must only be consistent */
            to.block = bestdag_mix(to.block ^ (uint64_t)bestdag_column_code(
                                                  &column[parent], cell->row));
    }
    return to;
}

static int by_block(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return (x->entry > y->entry) - (x->entry < y->entry);
}

/* Gathers the counts of the next block; returns where the one after it
 * begins. */
static int64_t gather(const struct scratch *s, int64_t from, int64_t cells,
                      double *counts)
{
    int64_t i = from;
    for (; i < cells && s->place[i].block == s->place[from].block; i++)
        counts[s->place[i].entry] += (double)s->place[i].count;
    return i;
}

static int add_losses(struct scratch *s, const struct bestdag_scorer *scorer,
                      const struct bestdag_block_list *b, int64_t cells,
                      size_t entries, double *nats, int64_t *units)
{
    if (reserve_work(s, 2 * entries + bestdag_block_room(b->block)))
        return bestdag_run_status(s->run);
    double *counts = s->work, *theta = counts + entries;
    for (int64_t i = 0; i < cells;) {
        double loss;
        memset(counts, 0, entries * sizeof *counts);
        i = gather(s, i, cells, counts);
        bestdag_block_solve(b->block, counts, theta, &loss, theta + entries);
        *nats += loss;
        if (!(loss * scorer->scale < (double)BESTDAG_UNITS_MOST / 8))
            return BESTDAG_OK;
        *units += llround(loss * scorer->scale);
    }
    return BESTDAG_OK;
}

static int find_loss(const struct bestdag_hook *hook, void *scratch,
                     const struct bestdag_scorer *scorer,
                     const struct bestdag_score_view *v, double *nats,
                     int64_t *units)
{
    struct scratch *s = scratch;
    (void)hook;
    *nats = 0;
    *units = 0;
    if (reserve(s, scorer, v->cells))
        return bestdag_run_status(s->run);
    const struct bestdag_block_list *b = find_blocks(s, v);
    if (!b)
        return bestdag_run_status(s->run);
    if (!b->feasible)
        *nats = INFINITY;
    else {
        size_t entries = (size_t)b->rows * (size_t)scorer->states[v->child];
        for (int64_t i = 0; i < v->cells; i++)
            s->place[i] = place_cell(scorer, v, b, &v->cell[i]);
        if (v->cells)
            qsort(s->place, (size_t)v->cells, sizeof *s->place, by_block);
        if (add_losses(s, scorer, b, v->cells, entries, nats, units))
            return bestdag_run_status(s->run);
    }
    if (!(*nats * scorer->scale < (double)BESTDAG_UNITS_MOST / 8))
        *units = BESTDAG_UNITS_MOST;
    return BESTDAG_OK;
}

/* ---- making -------------------------------------------------------------- */

static void release(struct bestdag_hook *hook)
{
    struct hook *h = (struct hook *)hook;
    bestdag_parameters_free(h->parameters);
    bestdag_free(h->applies);
    bestdag_free(h);
}

/* The columns of a table as subjects; the caller's. NULL: failed. */
static struct bestdag_subject *list_subjects(struct bestdag_run *run,
                                             const struct bestdag_table *table)
{
    struct bestdag_subject *to =
        bestdag_alloc(run, ((size_t)table->columns + 1) * sizeof *to);
    for (int v = 0; to && v < table->columns; v++) {
        const struct bestdag_column *c = &table->column[v];
        to[v] =
            (struct bestdag_subject){c->name, c->states, c->labels, c->ordered};
    }
    return to;
}

/* The first rule about parameters; -1: none. */
static int first_rule(const struct bestdag_rules *rules)
{
    for (int i = 0; rules && i < rules->count; i++)
        if (bestdag_rule_has_parameters(&rules->rule[i]))
            return i;
    return -1;
}

static int install(struct bestdag_run *run, struct bestdag_scorer *scorer,
                   struct hook *h)
{
    if (scorer->table->shards)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "constraints on probabilities look at single rows, "
                            "and rows-by-rank has only their counts");
    h->applies = bestdag_calloc(run, (size_t)scorer->n + 1, sizeof *h->applies);
    if (!h->applies)
        return bestdag_run_status(run);
    for (int v = 0; v < scorer->n; v++)
        h->applies[v] = bestdag_parameters_about(h->parameters, v);
    h->base = (struct bestdag_hook){.applies = h->applies,
                                    .loss = find_loss,
                                    .open = open_scratch,
                                    .close = close_scratch,
                                    .release = release};
    scorer->hook = &h->base;
    return BESTDAG_OK;
}

int bestdag_scorer_constrain(struct bestdag_run *run,
                             struct bestdag_scorer *scorer,
                             const struct bestdag_rules *rules)
{
    int first = first_rule(rules);
    char place[128];
    if (bestdag_run_status(run) || first < 0)
        return bestdag_run_status(run);
    if (!scorer->type->likelihood)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "score %s does not support parameter rules (%s): "
                            "use bic, aic or ll",
                            scorer->type->name,
                            bestdag_rule_place(&rules->rule[first], place));
    struct hook *h = bestdag_calloc(run, 1, sizeof *h);
    struct bestdag_subject *subjects =
        h ? list_subjects(run, scorer->table) : NULL;
    if (subjects)
        h->parameters = bestdag_parameters_new(run, rules, subjects, scorer->n);
    bestdag_free(subjects);
    if (!h || !h->parameters || install(run, scorer, h)) {
        if (h)
            release(&h->base);
        return bestdag_run_status(run);
    }
    return BESTDAG_OK;
}

const struct bestdag_parameters *bestdag_scorer_parameters(
    const struct bestdag_scorer *scorer)
{
    return scorer->hook ? ((const struct hook *)scorer->hook)->parameters
                        : NULL;
}
