/* SPDX-License-Identifier: MIT */
/* pairs.c -- the contingency tables of one variable with each of many, from bit
 * columns.
 *
 * Only the cells of a pair in which neither is in its last state are counted,
 * by AND and population count; the others follow from the margins:
 *
 *             other: 0   1   2        last column: row total - row
 *     place 0        .   .   -        last row:    column total - column
 *           1        .   .   -        . counted, - follows
 *        last        -   -   -
 *
 * Bit columns of consecutive places are adjacent, so a block of them takes one
 * call for each bit column of `place`. Time per pair: (states - 1) (states - 1)
 * rows / 64 / 4 ns and 1 ns per cell. */
#include "counts/pairs.h"

#include <string.h>

#include "base/popcount.h"

enum {
    BLOCK_BYTES = 1 << 17, /* of bit columns */
    MOST_COLUMNS = 1 << 10
};

static const double WORD_NS = 0.22, ROW_NS = 1.2;

struct bestdag_pairs {
    const struct bestdag_columns *columns;
    bestdag_popcount_fn *popcount;
    int32_t *margin; /* owns; for a place from first[place] + place on */
    int32_t *core;   /* owns; [most bit columns of a place * room] */
    int32_t *row;    /* owns; [most states]: rest of a column */
    int room;        /* bit columns in a block */
};

static int most_states(const struct bestdag_columns *c)
{
    int most = 1;
    for (int p = 0; p < c->bit_places; p++)
        if (c->states[c->order[p]] > most)
            most = c->states[c->order[p]];
    return most;
}

/* Counts the bits that a column shares with itself. */
static void count_margins(struct bestdag_pairs *p)
{
    const struct bestdag_columns *c = p->columns;
    for (int place = 0; place < c->bit_places; place++) {
        int others = c->first[place + 1] - c->first[place];
        int32_t *to = p->margin + c->first[place] + place;
        int64_t last = c->total;
        for (int k = 0; k < others; k++) {
            const uint64_t *column = bestdag_bit_column(c, place, k);
            p->popcount(column, column, c->words, 1, &to[k]);
            last -= to[k];
        }
        to[others] = (int32_t)last;
    }
}

struct bestdag_pairs *bestdag_pairs_new(struct bestdag_run *run,
                                        const struct bestdag_columns *columns)
{
    struct bestdag_pairs *p = bestdag_calloc(run, 1, sizeof *p);
    if (!p)
        return NULL;
    size_t places = (size_t)columns->bit_places;
    size_t bits = (size_t)columns->first[places];
    size_t most = (size_t)most_states(columns);
    p->columns = columns;
    p->popcount = bestdag_popcount_pick();
    p->room = MOST_COLUMNS;
    p->margin = bestdag_alloc(run, (bits + places + 1) * sizeof *p->margin);
    p->core = bestdag_alloc(run, most * (size_t)p->room * sizeof *p->core);
    p->row = bestdag_alloc(run, most * sizeof *p->row);
    if (p->margin && p->core && p->row) {
        count_margins(p);
        return p;
    }
    bestdag_pairs_free(p);
    return NULL;
}

void bestdag_pairs_free(struct bestdag_pairs *p)
{
    if (!p)
        return;
    bestdag_free(p->margin);
    bestdag_free(p->core);
    bestdag_free(p->row);
    bestdag_free(p);
}

const int32_t *bestdag_pairs_margin(const struct bestdag_pairs *p, int place)
{
    return p->margin + p->columns->first[place] + place;
}

bool bestdag_pairs_can(const struct bestdag_pairs *p, int place, int other)
{
    const struct bestdag_columns *c = p->columns;
    if (place >= c->bit_places || other >= c->bit_places)
        return false;
    double cells = (double)(c->first[place + 1] - c->first[place]) *
                   (c->first[other + 1] - c->first[other]);
    return cells * (double)c->words * WORD_NS <= (double)c->rows * ROW_NS;
}

/* A place has at most 63 bit columns: at least one place fits. */
int bestdag_pairs_end(const struct bestdag_pairs *p, int from)
{
    const struct bestdag_columns *c = p->columns;
    int64_t most = BLOCK_BYTES / 8 / c->words;
    int end = from + 1;
    most = most < p->room ? most : p->room;
    while (end < c->bit_places && c->first[end + 1] - c->first[from] <= most)
        end++;
    return end;
}

struct sums {
    const struct bestdag_score_terms *const *terms;
    int count;
    struct bestdag_pair pair;
};

static inline void add_cell(struct sums *s, int32_t n)
{
    if (!n)
        return;
    s->pair.sum[0] += bestdag_score_terms_at(s->terms[0], n);
    if (s->count > 1)
        s->pair.sum[1] += bestdag_score_terms_at(s->terms[1], n);
    s->pair.cells++;
}

/* Adds the cells of `place`, whose core rows are `stride` apart, with one other
 * place. */
static inline void add_pair(struct bestdag_pairs *p, int place,
                            const int32_t *core, int other, struct sums *to)
{
    const struct bestdag_columns *c = p->columns;
    const int32_t *rows = bestdag_pairs_margin(p, place);
    int height = c->first[place + 1] - c->first[place];
    int width = c->first[other + 1] - c->first[other];
    int32_t corner = rows[height];
    memcpy(p->row, bestdag_pairs_margin(p, other),
           (size_t)width * sizeof *p->row);
    for (int k = 0; k < height; k++, core += p->room) {
        int32_t left = rows[k];
        for (int j = 0; j < width; j++) {
            add_cell(to, core[j]);
            left -= core[j];
            p->row[j] -= core[j];
        }
        add_cell(to, left);
    }
    for (int j = 0; j < width; j++) {
        add_cell(to, p->row[j]);
        corner -= p->row[j];
    }
    add_cell(to, corner);
}

void bestdag_pairs_sum(struct bestdag_pairs *p, int place, int from, int end,
                       const struct bestdag_score_terms *const *terms,
                       int count, struct bestdag_pair *to)
{
    const struct bestdag_columns *c = p->columns;
    int height = c->first[place + 1] - c->first[place];
    const uint64_t *block = bestdag_bit_column(c, from, 0);
    for (int k = 0; k < height; k++)
        p->popcount(bestdag_bit_column(c, place, k), block, c->words,
                    c->first[end] - c->first[from], p->core + k * p->room);
    for (int other = from; other < end; other++) {
        struct sums s = {.terms = terms, .count = count};
        add_pair(p, place, p->core + c->first[other] - c->first[from], other,
                 &s);
        to[other - from] = s.pair;
    }
}
