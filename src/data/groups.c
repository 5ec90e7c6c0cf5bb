/* SPDX-License-Identifier: MIT */
/* groups.c -- sorts rows, so that identical ones are adjacent.
 *
 * Neighbouring columns are packed, first column highest, into words of 64 bits:
 * a column of codes takes the bits that its states need, a number takes a word.
 * Rows are sorted by the first word; each run of equal rows is sorted by the
 * next word, and so on until no run is left or the columns are used up:
 *
 *     rows     | . . . . . . . . . . |     word 1: columns 0 .. 20
 *              | . . . | . | . . . . |     word 2, inside each run
 *     first      1 0 0   1   1 0 1 0
 *
 * Exact: no hashing. Time O(rows) for the first word; later words cost the rows
 * that are still undecided. Memory 33 bytes per row. */
#include "data/groups.h"

#include "base/run.h"

/* Columns [from, to) in one word. */
struct word {
    int from, to;
};

/* Bits that distinguish the cells of a column. */
static int bits_of(const struct bestdag_column *c)
{
    int bits = 0, most = c->states - (c->missing ? 0 : 1);
    if (c->kind != BESTDAG_CODES)
        return c->kind == BESTDAG_NUMBERS ? 64 : 0;
    for (; most > 0; most >>= 1)
        bits++;
    return bits;
}

/* The word that begins with column `from`; at least one column. */
static struct word next_word(const struct bestdag_table *t, int from)
{
    struct word w = {from, from};
    for (int bits = 0; w.to < t->columns; w.to++) {
        bits += bits_of(&t->column[w.to]);
        if (bits > 64)
            break;
    }
    return w;
}

static void add_codes(const struct bestdag_column *c, struct bestdag_keyed *at,
                      size_t n)
{
    int bits = bits_of(c);
    uint64_t missing = (uint64_t)c->states;
    if (c->bytes == 1) {
        const uint8_t *cell = c->cells;
        for (size_t i = 0; i < n; i++) {
            uint64_t code = cell[at[i].row];
            at[i].key = at[i].key << bits |
                        (code == BESTDAG_MISSING_1 ? missing : code);
        }
    } else {
        const uint16_t *cell = c->cells;
        for (size_t i = 0; i < n; i++) {
            uint64_t code = cell[at[i].row];
            at[i].key = at[i].key << bits |
                        (code == BESTDAG_MISSING_2 ? missing : code);
        }
    }
}

static void fill_keys(const struct bestdag_table *t, struct word w,
                      struct bestdag_keyed *at, size_t n)
{
    for (size_t i = 0; i < n; i++)
        at[i].key = 0;
    for (int c = w.from; c < w.to; c++) {
        const struct bestdag_column *column = &t->column[c];
        if (column->kind == BESTDAG_NUMBERS)
            for (size_t i = 0; i < n; i++)
                at[i].key = bestdag_key_of_double(
                    ((const double *)column->cells)[at[i].row]);
        else if (bits_of(column))
            add_codes(column, at, n);
    }
}

/* Sorts every run by one word and marks the new boundaries; returns whether a
 * run of several rows is left. */
static bool refine(const struct bestdag_table *t, struct word w,
                   struct bestdag_groups *g, struct bestdag_keyed *scratch)
{
    bool is_left = false;
    size_t rows = (size_t)t->rows;
    for (size_t from = 0, to; from < rows; from = to) {
        for (to = from + 1; to < rows && !g->first[to]; to++)
            ;
        if (to - from == 1)
            continue;
        fill_keys(t, w, g->row + from, to - from);
        bestdag_keyed_sort(g->row + from, scratch, to - from);
        for (size_t i = from + 1; i < to; i++) {
            g->first[i] = g->row[i].key != g->row[i - 1].key;
            is_left |= !g->first[i];
        }
    }
    return is_left;
}

static int make(struct bestdag_run *run, const struct bestdag_table *t,
                struct bestdag_groups *g, struct bestdag_keyed *scratch)
{
    bool is_left = t->rows > 1, stopped = false;
    for (int64_t r = 0; r < t->rows; r++)
        g->row[r].row = (uint32_t)r;
    if (t->rows)
        g->first[0] = 1;
    for (int c = 0; is_left && c < t->columns && !stopped;) {
        struct word w = next_word(t, c);
        is_left = refine(t, w, g, scratch);
        c = w.to;
        stopped = bestdag_run_watch(run, c);
    }
    for (int64_t r = 0; r < t->rows; r++)
        g->count += g->first[r];
    if (stopped)
        bestdag_groups_release(g);
    return bestdag_run_status(run);
}

int bestdag_groups_need_few(struct bestdag_run *run,
                            const struct bestdag_table *table)
{
    if (table->rows <= UINT32_MAX)
        return BESTDAG_OK;
    return bestdag_fail(run, BESTDAG_USAGE,
                        "a table of %lld rows is too long to be sorted, "
                        "expected at most %u",
                        (long long)table->rows, UINT32_MAX);
}

int bestdag_groups_make(struct bestdag_run *run,
                        const struct bestdag_table *table,
                        struct bestdag_groups *to)
{
    size_t rows = (size_t)table->rows;
    *to = (struct bestdag_groups){0};
    if (bestdag_groups_need_few(run, table))
        return bestdag_run_status(run);
    struct bestdag_keyed *scratch = bestdag_calloc(run, rows, sizeof *scratch);
    to->row = bestdag_calloc(run, rows, sizeof *to->row);
    to->first = bestdag_calloc(run, rows, sizeof *to->first);
    if (scratch && to->row && to->first)
        make(run, table, to, scratch);
    bestdag_free(scratch);
    return bestdag_run_status(run);
}

void bestdag_groups_release(struct bestdag_groups *groups)
{
    bestdag_free(groups->row);
    bestdag_free(groups->first);
    *groups = (struct bestdag_groups){0};
}
