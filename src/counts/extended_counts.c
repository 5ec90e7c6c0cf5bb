/* SPDX-License-Identifier: MIT */
/* extended_counts.c -- counts of a known set of parents, one more and a child.
 *
 * Group numbers have no gaps, so groups <= rows, and the array of groups x
 * states x states that a pass fills is small enough to stay in a cache. */
#include "counts/extended_counts.h"

#include <assert.h>
#include <string.h>

enum { LEAST_KEPT = 4, MOST_KEPT = 4096 };

static const double ROW_NS = 1.6, WORD_NS = 0.8;

struct kept {
    uint64_t hash;
    int64_t groups; /* 0: the slot is empty */
};

struct bestdag_extended_counts {
    const struct bestdag_columns *columns;
    const struct bestdag_distinct *rows;
    struct kept *kept; /* owns; [mask + 1]: slots by hash */
    uint32_t *code;    /* owns; [mask + 1][rows] */
    uint64_t mask;
    uint32_t *cell; /* owns; [room] */
    int64_t room;
};

struct bestdag_extended_counts *bestdag_extended_counts_new(
    struct bestdag_run *run, const struct bestdag_columns *columns,
    const struct bestdag_distinct *rows, int64_t bytes)
{
    struct bestdag_extended_counts *e = bestdag_calloc(run, 1, sizeof *e);
    if (!e)
        return NULL;
    int64_t each = (rows->rows + 1) * (int64_t)sizeof *e->code;
    uint64_t slots = LEAST_KEPT;
    while (2 * slots <= MOST_KEPT && 2 * (int64_t)slots * each <= bytes)
        slots *= 2;
    e->columns = columns;
    e->rows = rows;
    e->mask = slots - 1;
    e->room = 4 * rows->rows + 1024;
    e->kept = bestdag_calloc(run, slots, sizeof *e->kept);
    e->code = bestdag_alloc(run, slots * (size_t)each);
    e->cell = bestdag_alloc(run, (size_t)e->room * sizeof *e->cell);
    if (e->kept && e->code && e->cell)
        return e;
    bestdag_extended_counts_free(e);
    return NULL;
}

void bestdag_extended_counts_free(struct bestdag_extended_counts *e)
{
    if (!e)
        return;
    bestdag_free(e->kept);
    bestdag_free(e->code);
    bestdag_free(e->cell);
    bestdag_free(e);
}

/* Bit columns are ANDed for the whole set, whatever is cached. */
bool bestdag_extended_counts_pays(const struct bestdag_extended_counts *e,
                                  double states)
{
    const struct bestdag_columns *c = e->columns;
    if (c->total > UINT32_MAX)
        return false;
    return !c->bit_places || c->table->weights ||
           states * (double)c->words * WORD_NS > (double)e->rows->rows * ROW_NS;
}

/* ---- groups -------------------------------------------------------------- */

/* Splits the groups by a variable; returns their number, 0: too many cells. */
static int64_t refine(struct bestdag_extended_counts *e, uint32_t *code,
                      int64_t groups, int variable)
{
    size_t states = (size_t)e->columns->states[variable];
    const void *cells = e->rows->cells[variable];
    int bytes = e->rows->bytes[variable];
    uint32_t next = 0;
    if (groups > e->room / (int64_t)states)
        return 0;
    memset(e->cell, 0, (size_t)groups * states * sizeof *e->cell);
    for (int64_t r = 0; r < e->rows->rows; r++) {
        uint32_t *number =
            &e->cell[code[r] * states + bestdag_distinct_code(cells, bytes, r)];
        assert(code[r] < groups);
        if (!*number)
            *number = ++next;
        code[r] = *number - 1;
    }
    assert((int64_t)next >= groups && next <= e->rows->rows); /* groups only
                                                                 become finer */
    return next;
}

/* The cached groups of a set; NULL: too many. */
static const uint32_t *find(struct bestdag_extended_counts *e,
                            const struct bestdag_extended *set, int64_t *groups)
{
    struct kept *k = &e->kept[set->hash & e->mask];
    size_t rows = (size_t)e->rows->rows;
    uint32_t *code = e->code + (size_t)(k - e->kept) * rows;
    *groups = k->groups;
    if (k->groups && k->hash == set->hash)
        return code;
    memset(code, 0, rows * sizeof *code);
    *groups = rows > 0;
    assert(set->count >= 0);
    for (int i = 0; i < set->count && *groups; i++)
        *groups = refine(e, code, *groups, set->base[i]);
    *k = (struct kept){set->hash, *groups};
    return *groups ? code : NULL;
}

/* ---- counting ------------------------------------------------------------ */

/* cell[(group * added + code) * child + code] */
static void count_cells(struct bestdag_extended_counts *e, const uint32_t *code,
                        const struct bestdag_extended *set)
{
    const struct bestdag_distinct *d = e->rows;
    const void *added = d->cells[set->added], *child = d->cells[set->child];
    int wide = d->bytes[set->added], deep = d->bytes[set->child];
    size_t width = (size_t)e->columns->states[set->added];
    size_t depth = (size_t)e->columns->states[set->child];
    if (wide != 1 || deep != 1) {
        for (int64_t r = 0; r < d->rows; r++)
            e->cell[(code[r] * width + bestdag_distinct_code(added, wide, r)) *
                        depth +
                    bestdag_distinct_code(child, deep, r)] +=
                d->weight ? (uint32_t)d->weight[r] : 1;
        return;
    }
    const uint8_t *a = added, *b = child;
    if (d->weight)
        for (int64_t r = 0; r < d->rows; r++)
            e->cell[(code[r] * width + a[r]) * depth + b[r]] +=
                (uint32_t)d->weight[r];
    else
        for (int64_t r = 0; r < d->rows; r++)
            e->cell[(code[r] * width + a[r]) * depth + b[r]]++;
}

static void add_up(const uint32_t *cell, int64_t configurations, int states,
                   const struct bestdag_extended_terms *terms,
                   struct bestdag_extended_sums *to)
{
    for (int64_t j = 0; j < configurations; j++, cell += states) {
        int64_t all = 0;
        for (int k = 0; k < states; k++) {
            int64_t n = cell[k];
            if (!n)
                continue;
            all += n;
            to->cells++;
            for (int f = 0; f < terms->count; f++)
                to->top[f] += bestdag_score_terms_at(terms->top[f], n);
        }
        if (!all)
            continue;
        to->configurations++;
        for (int f = 0; f < terms->count; f++)
            to->bottom[f] += bestdag_score_terms_at(terms->bottom[f], all);
    }
}

bool bestdag_extended_counts_sum(struct bestdag_extended_counts *e,
                                 const struct bestdag_extended *set,
                                 const struct bestdag_extended_terms *terms,
                                 struct bestdag_extended_sums *to)
{
    const int *states = e->columns->states;
    int64_t groups;
    *to = (struct bestdag_extended_sums){0};
    const uint32_t *code = find(e, set, &groups);
    int64_t each = (int64_t)states[set->added] * states[set->child];
    if (!code || groups > e->room / each)
        return false;
    memset(e->cell, 0, (size_t)(groups * each) * sizeof *e->cell);
    count_cells(e, code, set);
    add_up(e->cell, groups * states[set->added], states[set->child], terms, to);
    return true;
}
