/* SPDX-License-Identifier: MIT */
/* hole_rows.c -- the different rows of a table, sorted by the columns that they
 * lack.
 *
 * Rows have two hashes, of the columns that they lack and of all values, and
 * are sorted by both: equal patterns are adjacent, and so are equal rows.
 * Neighbours are compared by value, so equal hashes of different rows only mean
 * that equal rows may be stored twice. Memory: 2 bytes for each cell of these
 * rows. */
#include "models/holes/hole_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"

struct keyed {
    uint64_t pattern, all;
    int64_t row;
};

static int by_key(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    if (x->pattern != y->pattern)
        return x->pattern < y->pattern ? -1 : 1;
    if (x->all != y->all)
        return x->all < y->all ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* Makes the keys of the rows that have some value; NULL: failed. */
static struct keyed *find_keys(struct bestdag_run *run,
                               const struct bestdag_digit *column, int n,
                               int64_t rows, const int32_t *weights,
                               bool are_all, int64_t *count, int64_t *empty)
{
    struct keyed *key = bestdag_alloc(run, ((size_t)rows + 1) * sizeof *key);
    *count = 0;
    for (int64_t r = 0; key && r < rows; r++) {
        struct keyed k = {0, 0, r};
        int holes = 0;
        for (int v = 0; v < n; v++) {
            int code = bestdag_digit_code(&column[v], r);
            uint64_t at = bestdag_mix((uint64_t)v + 1);
            holes += code < 0;
            k.pattern ^= code < 0 ? at : 0;
            k.all += bestdag_mix(at + (uint64_t)(code + 1));
        }
        int64_t weight = weights ? weights[r] : 1;
        if (holes == n)
            *empty += weight;
        else if ((holes || are_all) && weight > 0)
            key[(*count)++] = k;
    }
    if (key)
        qsort(key, (size_t)*count, sizeof *key, by_key);
    return key;
}

static void copy_row(const struct bestdag_digit *column, int n, int64_t row,
                     uint16_t *to)
{
    for (int v = 0; v < n; v++) {
        int code = bestdag_digit_code(&column[v], row);
        to[v] = code < 0 ? (uint16_t)BESTDAG_HOLE : (uint16_t)code;
    }
}

static void collapse(const struct bestdag_digit *column, const int32_t *weights,
                     const struct keyed *key, int64_t keys,
                     struct bestdag_hole_rows *to)
{
    size_t size = (size_t)to->n * sizeof *to->code;
    for (int64_t i = 0; i < keys; i++) {
        uint16_t *next = to->code + to->count * to->n;
        copy_row(column, to->n, key[i].row, next);
        bool is_new = !i || key[i].pattern != key[i - 1].pattern;
        to->patterns += is_new;
        if (is_new || memcmp(next, next - to->n, size) != 0) {
            to->pattern[to->count] = key[i].pattern;
            to->weight[to->count++] = 0;
        }
        int64_t weight = weights ? weights[key[i].row] : 1;
        to->weight[to->count - 1] += weight;
        to->weight_of += weight;
    }
}

int bestdag_hole_rows_find(struct bestdag_run *run,
                           const struct bestdag_digit *column, int n,
                           int64_t rows, const int32_t *weights, bool are_all,
                           struct bestdag_hole_rows *to)
{
    int64_t keys;
    *to = (struct bestdag_hole_rows){.n = n};
    struct keyed *key =
        find_keys(run, column, n, rows, weights, are_all, &keys, &to->empty);
    if (!key)
        return bestdag_run_status(run);
    to->code =
        bestdag_alloc(run, ((size_t)keys + 1) * (size_t)n * sizeof *to->code);
    to->weight = bestdag_alloc(run, ((size_t)keys + 1) * sizeof *to->weight);
    to->pattern = bestdag_alloc(run, ((size_t)keys + 1) * sizeof *to->pattern);
    if (to->code && to->weight && to->pattern)
        collapse(column, weights, key, keys, to);
    bestdag_free(key);
    return bestdag_run_status(run);
}

void bestdag_hole_rows_release(struct bestdag_hole_rows *rows)
{
    bestdag_free(rows->code);
    bestdag_free(rows->weight);
    bestdag_free(rows->pattern);
    *rows = (struct bestdag_hole_rows){0};
}
