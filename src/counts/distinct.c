/* SPDX-License-Identifier: MIT */
/* distinct.c -- distinct rows with their weights.
 *
 * Unlike a collapsed table it has no names and labels, and is only used for
 * passes over rows, so it is optional. Time: that of sorting the rows, which
 * ends early if all are different. */
#include "counts/distinct.h"

#include <assert.h>
#include <string.h>

#include "data/groups.h"

enum { ALIKE = 3 }; /* rows per distinct one, on average, from which it pays */

/* ---- allocation ---------------------------------------------------------- */

static void borrow(struct bestdag_distinct *d, const struct bestdag_table *t)
{
    d->rows = t->rows;
    d->weight = t->weights;
    for (int c = 0; c < d->columns; c++) {
        d->cells[c] = t->column[c].cells;
        d->bytes[c] = t->column[c].bytes;
    }
}

void bestdag_distinct_free(struct bestdag_distinct *d)
{
    if (!d)
        return;
    bestdag_free(d->cells);
    bestdag_free(d->bytes);
    bestdag_free(d->weights);
    bestdag_free(d->block);
    bestdag_free(d);
}

/* ---- gathering ----------------------------------------------------------- */

/* One row and the weight of each group; false: a weight is too large. */
static bool weigh(const struct bestdag_table *t, const struct bestdag_groups *g,
                  uint32_t *from, int32_t *weight)
{
    int64_t at = -1, sum = 0;
    for (int64_t i = 0; i < t->rows; i++) {
        uint32_t row = (uint32_t)g->row[i].row;
        if (g->first[i]) {
            from[++at] = row;
            sum = 0;
        }
        assert(at >= 0 && at < g->count);
        sum += t->weights ? t->weights[row] : 1;
        if (sum > INT32_MAX)
            return false;
        weight[at] = (int32_t)sum;
    }
    return true;
}

static void copy_rows(struct bestdag_distinct *d, const struct bestdag_table *t,
                      const uint32_t *from)
{
    uint16_t *two = d->block; /* the columns of two bytes first: aligned */
    for (int c = 0; c < d->columns; c++) {
        if (d->bytes[c] != 2)
            continue;
        for (int64_t r = 0; r < d->rows; r++)
            two[r] = ((const uint16_t *)t->column[c].cells)[from[r]];
        d->cells[c] = two;
        two += d->rows;
    }
    uint8_t *one = (uint8_t *)two;
    for (int c = 0; c < d->columns; c++) {
        if (d->bytes[c] != 1)
            continue;
        for (int64_t r = 0; r < d->rows; r++)
            one[r] = ((const uint8_t *)t->column[c].cells)[from[r]];
        d->cells[c] = one;
        one += d->rows;
    }
}

static int gather(struct bestdag_run *run, struct bestdag_distinct *d,
                  const struct bestdag_table *t, const struct bestdag_groups *g)
{
    size_t rows = (size_t)g->count, bytes = 1;
    for (int c = 0; c < d->columns; c++)
        bytes += rows * (size_t)d->bytes[c];
    uint32_t *from = bestdag_alloc(run, rows * sizeof *from);
    d->weights = bestdag_alloc(run, rows * sizeof *d->weights);
    d->block = bestdag_alloc(run, bytes);
    if (from && d->weights && d->block && weigh(t, g, from, d->weights)) {
        d->rows = g->count;
        d->weight = d->weights;
        copy_rows(d, t, from);
    }
    bestdag_free(from);
    return bestdag_run_status(run);
}

struct bestdag_distinct *bestdag_distinct_new(struct bestdag_run *run,
                                              const struct bestdag_table *table)
{
    struct bestdag_groups groups = {0};
    struct bestdag_distinct *d = bestdag_calloc(run, 1, sizeof *d);
    if (!d)
        return NULL;
    size_t n = (size_t)table->columns;
    d->columns = table->columns;
    d->cells = bestdag_alloc(run, n * sizeof *d->cells);
    d->bytes = bestdag_alloc(run, n * sizeof *d->bytes);
    if (d->cells && d->bytes) {
        borrow(d, table);
        if (!bestdag_groups_make(run, table, &groups) && groups.row &&
            groups.count <= table->rows / ALIKE)
            gather(run, d, table, &groups);
    }
    bestdag_groups_release(&groups);
    if (!bestdag_run_status(run))
        return d;
    bestdag_distinct_free(d);
    return NULL;
}
