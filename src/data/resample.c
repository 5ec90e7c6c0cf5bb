/* SPDX-License-Identifier: MIT */
/* resample.c -- rows drawn with replacement.
 *
 * First the multiplicity of each row is drawn, then rows are copied. A table
 * without weights gives one without weights, in which rows are repeated: these
 * can be counted from bits, which is faster than counting weighted rows. A
 * table with weights gives one with weights, of the rows that were drawn. Time
 * O(rows * columns), and O(log rows) per draw with weights.
 */
#include "data/resample.h"

#include <assert.h>
#include <math.h>

int bestdag_resampler_init(struct bestdag_run *run, struct bestdag_resampler *r,
                           const struct bestdag_table *table)
{
    *r = (struct bestdag_resampler){.table = table};
    for (int v = 0; v < table->columns; v++)
        if (table->column[v].kind == BESTDAG_OPAQUE &&
            bestdag_column_need_codes(run, &table->column[v]))
            return bestdag_run_status(run);
    if (table->total < 1 || table->total > INT32_MAX)
        return bestdag_fail(run, BESTDAG_INPUT,
                            "the rows count as %lld in all, expected 1 to %d "
                            "to draw from",
                            (long long)table->total, INT32_MAX);
    if (!table->weights)
        return BESTDAG_OK;
    r->end = bestdag_alloc(run, (size_t)table->rows * sizeof *r->end);
    int64_t sum = 0;
    for (int64_t row = 0; r->end && row < table->rows; row++)
        r->end[row] = sum += table->weights[row];
    assert(!r->end || sum == table->total);
    return bestdag_run_status(run);
}

void bestdag_resampler_release(struct bestdag_resampler *r)
{
    bestdag_free(r->end);
    *r = (struct bestdag_resampler){0};
}

/* The first row whose end is above x. */
static int64_t find_row(const struct bestdag_resampler *r, int64_t x)
{
    int64_t low = 0, high = r->table->rows - 1;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (r->end[middle] > x)
            high = middle;
        else
            low = middle + 1;
    }
    assert(r->end[low] > x && (!low || r->end[low - 1] <= x));
    return low;
}

/* How often each row was drawn. */
static int32_t *draw_times(struct bestdag_run *run,
                           const struct bestdag_resampler *r,
                           struct bestdag_random *random)
{
    const struct bestdag_table *t = r->table;
    int32_t *times = bestdag_calloc(run, (size_t)t->rows, sizeof *times);
    for (int64_t i = 0; times && i < t->total; i++) {
        int64_t x = (int64_t)bestdag_random_below(random, (uint64_t)t->total);
        times[r->end ? find_row(r, x) : x]++;
    }
    return times;
}

/* ---- copying ------------------------------------------------------------- */

/* The rows of the old table that the new one has. */
struct choice {
    int64_t rows;
    int64_t *from;    /* owns; [rows] */
    int32_t *weights; /* owns; [rows]; NULL: all 1 */
};

static int choose_rows(struct bestdag_run *run,
                       const struct bestdag_resampler *r, const int32_t *times,
                       struct choice *c)
{
    const struct bestdag_table *t = r->table;
    for (int64_t row = 0; row < t->rows; row++)
        c->rows += r->end ? times[row] > 0 : times[row];
    c->from = bestdag_alloc(run, (size_t)c->rows * sizeof *c->from);
    if (r->end)
        c->weights = bestdag_alloc(run, (size_t)c->rows * sizeof *c->weights);
    if (!c->from || (r->end && !c->weights))
        return bestdag_run_status(run);
    int64_t to = 0;
    for (int64_t row = 0; row < t->rows; row++)
        for (int32_t i = 0; i < times[row]; i++) {
            c->from[to] = row;
            if (c->weights)
                c->weights[to] = times[row];
            to++;
            if (c->weights)
                break;
        }
    assert(to == c->rows);
    return BESTDAG_OK;
}

static void copy_cells(const struct bestdag_column *from,
                       const struct choice *c, struct bestdag_column *to)
{
    for (int64_t r = 0; r < c->rows; r++)
        if (from->kind == BESTDAG_NUMBERS) {
            double x = ((const double *)from->cells)[c->from[r]];
            ((double *)to->cells)[r] = x;
            to->missing += isnan(x) != 0;
        } else if (from->bytes == 1) {
            uint8_t x = ((const uint8_t *)from->cells)[c->from[r]];
            ((uint8_t *)to->cells)[r] = x;
            to->missing += x == BESTDAG_MISSING_1;
        } else {
            uint16_t x = ((const uint16_t *)from->cells)[c->from[r]];
            ((uint16_t *)to->cells)[r] = x;
            to->missing += x == BESTDAG_MISSING_2;
        }
}

static struct bestdag_table *copy_rows(struct bestdag_run *run,
                                       const struct bestdag_table *t,
                                       struct choice *c)
{
    struct bestdag_table *to = bestdag_table_new(run, c->rows);
    if (!to)
        return NULL;
    to->total = t->total;
    to->use = t->use;
    to->weights = c->weights;
    c->weights = NULL;
    for (int v = 0; v < t->columns && !bestdag_run_status(run); v++) {
        const struct bestdag_column *from = &t->column[v];
        struct bestdag_column *column = bestdag_table_add_like(run, to, from);
        if (column)
            column->cells =
                bestdag_alloc(run, (size_t)c->rows * (size_t)from->bytes);
        if (column && column->cells)
            copy_cells(from, c, column);
    }
    if (!bestdag_run_status(run))
        return to;
    bestdag_table_free(to);
    return NULL;
}

struct bestdag_table *bestdag_resampler_draw(struct bestdag_run *run,
                                             const struct bestdag_resampler *r,
                                             struct bestdag_random *random)
{
    struct choice c = {0};
    struct bestdag_table *to = NULL;
    int32_t *times = draw_times(run, r, random);
    if (times && !choose_rows(run, r, times, &c))
        to = copy_rows(run, r->table, &c);
    bestdag_free(times);
    bestdag_free(c.from);
    bestdag_free(c.weights);
    return to;
}
