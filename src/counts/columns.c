/* SPDX-License-Identifier: MIT */
/* columns.c -- prepares a table for counting: order of places, bit columns. */
#include "counts/columns.h"

#include <limits.h>
#include <string.h>

#include "data/bit_column.h"

enum {
    MOST_BIT_STATES = 64, /* with more states, bits are never used */
    ALIGN = 64
};

/* A stable counting sort of the variables by their states. */
static int sort_places(struct bestdag_run *run, struct bestdag_columns *c)
{
    int most = 0;
    for (int v = 0; v < c->n; v++)
        most = c->states[v] > most ? c->states[v] : most;
    int *start = bestdag_calloc(run, (size_t)most + 2, sizeof *start);
    if (!start)
        return BESTDAG_MEMORY;
    for (int v = 0; v < c->n; v++)
        start[c->states[v] + 1]++;
    for (int s = 0; s <= most; s++)
        start[s + 1] += start[s];
    for (int v = 0; v < c->n; v++) {
        c->place[v] = start[c->states[v]]++;
        c->order[c->place[v]] = v;
    }
    bestdag_free(start);
    return BESTDAG_OK;
}

static bool wants_bits(const struct bestdag_columns *c)
{
    /* A word of bits costs about a quarter of a row of codes. */
    return c->total > 0 && c->total <= INT_MAX && c->total / 16 <= c->rows * 4;
}

static void number_bits(struct bestdag_columns *c)
{
    int next = 0;
    c->bit_places = 0;
    if (wants_bits(c))
        for (int p = 0; p < c->n; p++) {
            int states = c->states[c->order[p]];
            if (states > MOST_BIT_STATES)
                break;
            c->first[p] = next;
            next += states > 0 ? states - 1 : 0;
            c->bit_places = p + 1;
        }
    c->first[c->bit_places] = next;
}

static void fill_weighted(struct bestdag_columns *c, int place)
{
    const struct bestdag_column *column = &c->table->column[c->order[place]];
    int last = column->states - 1;
    int64_t bit = 0;
    for (int64_t row = 0; row < c->rows; row++) {
        int code = bestdag_column_code(column, row);
        int64_t end = bit + bestdag_columns_weight(c, row);
        if (code == last || code < 0) {
            bit = end;
            continue;
        }
        uint64_t *to = c->bits + (c->first[place] + code) * c->words;
        for (; bit < end; bit++)
            to[bit / 64] |= (uint64_t)1 << (bit % 64);
    }
}

static void fill_bits(struct bestdag_columns *c, int place)
{
    const struct bestdag_column *column = &c->table->column[c->order[place]];
    if (c->table->weights || column->bytes != 1) {
        fill_weighted(c, place);
        return;
    }
    for (int state = 0; state < column->states - 1; state++)
        bestdag_bit_column_fill(column->cells, c->rows, state,
                                c->bits + (c->first[place] + state) * c->words);
}

static int make_bits(struct bestdag_run *run, struct bestdag_columns *c)
{
    c->words = (c->total + 511) / 512 * 8;
    int64_t bytes = c->words * 8 * c->first[c->bit_places];
    int64_t limit = bestdag_memory_limit(run);
    if (!bytes || c->table->shards || (limit && bytes > limit / 4)) {
        c->bit_places = c->first[0] = 0;
        return BESTDAG_OK;
    }
    c->block = bestdag_calloc(run, 1, (size_t)bytes + ALIGN);
    if (!c->block)
        return BESTDAG_MEMORY;
    c->bits = (uint64_t *)(((uintptr_t)c->block + ALIGN - 1) / ALIGN * ALIGN);
    for (int p = 0; p < c->bit_places; p++)
        fill_bits(c, p);
    return BESTDAG_OK;
}

struct bestdag_columns *bestdag_columns_new(struct bestdag_run *run,
                                            const struct bestdag_table *table)
{
    struct bestdag_columns *c = bestdag_calloc(run, 1, sizeof *c);
    if (!c)
        return NULL;
    size_t n = (size_t)table->columns;
    c->table = table;
    c->n = table->columns;
    c->rows = table->rows;
    c->total = table->total;
    c->states = bestdag_alloc(run, n * sizeof *c->states);
    c->order = bestdag_alloc(run, n * sizeof *c->order);
    c->place = bestdag_alloc(run, n * sizeof *c->place);
    c->first = bestdag_calloc(run, n + 1, sizeof *c->first);
    if (c->states && c->order && c->place && c->first) {
        for (int v = 0; v < c->n; v++)
            c->states[v] = table->column[v].states;
        if (!sort_places(run, c)) {
            number_bits(c);
            if (!make_bits(run, c))
                return c;
        }
    }
    bestdag_columns_free(c);
    return NULL;
}

void bestdag_columns_free(struct bestdag_columns *c)
{
    if (!c)
        return;
    bestdag_free(c->states);
    bestdag_free(c->order);
    bestdag_free(c->place);
    bestdag_free(c->first);
    bestdag_free(c->block);
    bestdag_free(c);
}
