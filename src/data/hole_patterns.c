/* SPDX-License-Identifier: MIT */
/* hole_patterns.c -- which values of a table are missing together.
 *
 * The hash of a row's pattern is the exclusive or of one number for each column
 * that the row lacks; sorting makes equal patterns adjacent. Two patterns with
 * the same hash would be taken for one: with 64 bits and a million patterns the
 * probability is below 1e-7, and only a picture would be wrong. */
#include "data/hole_patterns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

struct hashed {
    uint64_t hash;
    int64_t row;
};

struct found {
    int64_t size, row; /* number of its rows; the first of them */
};

bool bestdag_column_has_holes(const struct bestdag_column *c)
{
    return c->missing && c->kind != BESTDAG_OPAQUE;
}

bool bestdag_column_is_hole(const struct bestdag_column *c, int64_t row)
{
    return c->kind == BESTDAG_NUMBERS
               ? isnan(((const double *)c->cells)[row]) != 0
               : bestdag_column_code(c, row) < 0;
}

static int by_hash(const void *a, const void *b)
{
    const struct hashed *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

static int by_size(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

/* Hashes the rows with missing values, which are listed first; returns how
 * many. */
static int64_t hash_rows(const struct bestdag_table *t, struct hashed *to)
{
    int64_t incomplete = 0;
    for (int64_t r = 0; r < t->rows; r++)
        to[r] = (struct hashed){0, r};
    for (int c = 0; c < t->columns; c++)
        if (bestdag_column_has_holes(&t->column[c])) {
            uint64_t key = bestdag_mix((uint64_t)c + 1);
            for (int64_t r = 0; r < t->rows; r++)
                if (bestdag_column_is_hole(&t->column[c], r))
                    to[r].hash ^= key;
        }
    for (int64_t r = 0; r < t->rows; r++)
        if (to[r].hash)
            to[incomplete++] = to[r];
    return incomplete;
}

/* Groups equal hashes into `to`, most frequent first; returns how many
 * groups. */
static int64_t group(struct hashed *row, int64_t rows, struct found *to)
{
    int64_t count = 0;
    qsort(row, (size_t)rows, sizeof *row, by_hash);
    for (int64_t i = 0; i < rows; i++) {
        if (!i || row[i].hash != row[i - 1].hash)
            to[count++] = (struct found){0, row[i].row};
        to[count - 1].size++;
    }
    qsort(to, (size_t)count, sizeof *to, by_size);
    return count;
}

static int keep(struct bestdag_run *run, struct bestdag_hole_patterns *p,
                const struct bestdag_table *t, const struct found *found)
{
    size_t cells = (size_t)p->count * (size_t)p->columns;
    p->size = bestdag_alloc(run, (size_t)p->count * sizeof *p->size);
    p->lacks = bestdag_calloc(run, cells, 1);
    if (!p->size || !p->lacks)
        return bestdag_run_status(run);
    for (int i = 0; i < p->count; i++) {
        p->size[i] = found[i].size;
        for (int c = 0; c < p->columns; c++)
            p->lacks[(size_t)i * (size_t)p->columns + (size_t)c] =
                bestdag_column_has_holes(&t->column[c]) &&
                bestdag_column_is_hole(&t->column[c], found[i].row);
    }
    return BESTDAG_OK;
}

static int find(struct bestdag_run *run, struct bestdag_hole_patterns *p,
                const struct bestdag_table *t)
{
    struct hashed *row =
        bestdag_alloc(run, ((size_t)t->rows + 1) * sizeof *row);
    if (!row)
        return bestdag_run_status(run);
    p->incomplete = hash_rows(t, row);
    struct found *found =
        bestdag_alloc(run, ((size_t)p->incomplete + 1) * sizeof *found);
    if (found) {
        p->different = group(row, p->incomplete, found);
        p->count = p->different < BESTDAG_PATTERNS_KEPT
                       ? (int)p->different
                       : (int)BESTDAG_PATTERNS_KEPT;
        keep(run, p, t, found);
    }
    bestdag_free(found);
    bestdag_free(row);
    return bestdag_run_status(run);
}

struct bestdag_hole_patterns *bestdag_hole_patterns_new(
    struct bestdag_run *run, const struct bestdag_table *table)
{
    struct bestdag_hole_patterns *p = bestdag_calloc(run, 1, sizeof *p);
    if (!p)
        return NULL;
    p->columns = table->columns;
    p->rows = table->rows;
    if (!find(run, p, table))
        return p;
    bestdag_hole_patterns_free(p);
    return NULL;
}

struct bestdag_hole_patterns *bestdag_hole_patterns_copy(
    struct bestdag_run *run, const struct bestdag_hole_patterns *from)
{
    struct bestdag_hole_patterns *p = bestdag_calloc(run, 1, sizeof *p);
    size_t cells = (size_t)from->count * (size_t)from->columns;
    if (!p)
        return NULL;
    *p = *from;
    p->size = bestdag_alloc(run, (size_t)p->count * sizeof *p->size);
    p->lacks = bestdag_alloc(run, cells);
    if (p->size && p->lacks) {
        memcpy(p->size, from->size, (size_t)p->count * sizeof *p->size);
        memcpy(p->lacks, from->lacks, cells);
        return p;
    }
    bestdag_hole_patterns_free(p);
    return NULL;
}

void bestdag_hole_patterns_free(struct bestdag_hole_patterns *p)
{
    if (!p)
        return;
    bestdag_free(p->size);
    bestdag_free(p->lacks);
    bestdag_free(p);
}
