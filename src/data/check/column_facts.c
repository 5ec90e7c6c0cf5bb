/* SPDX-License-Identifier: MIT */
/* column_facts.c -- what `check` determines about one column.
 *
 * A value is represented by the first row that has it, not by its name; the
 * shape of a column is a hash of the representatives of its rows, so that
 * columns which differ by the names of their values only have the same shape.
 * Time O(rows); memory up to 36 bytes per row. */
#include "data/check/column_facts.h"

#include <math.h>

#include "base/random.h"
#include "data/discretize/discretize.h"

enum { FEWEST_ROWS = 20 }; /* with fewer rows, unique values mean nothing */

static int represent_codes(struct bestdag_run *run,
                           const struct bestdag_column *c, int64_t rows,
                           uint32_t *to)
{
    uint32_t *first = bestdag_alloc(run, (size_t)c->states * sizeof *first);
    if (!first)
        return bestdag_run_status(run);
    for (int s = 0; s < c->states; s++)
        first[s] = UINT32_MAX;
    for (int64_t r = 0; r < rows; r++) {
        int code = bestdag_column_code(c, r);
        if (code >= 0 && first[code] == UINT32_MAX)
            first[code] = (uint32_t)r;
        to[r] = code < 0 ? UINT32_MAX : first[code];
    }
    bestdag_free(first);
    return BESTDAG_OK;
}

/* The rows that have a number, sorted by number; scratch follows them. */
static struct bestdag_keyed *sort_numbers(struct bestdag_run *run,
                                          const struct bestdag_column *c,
                                          int64_t rows)
{
    size_t n = 0, present = (size_t)(rows - c->missing);
    const double *x = c->cells;
    struct bestdag_keyed *at = bestdag_alloc(run, 2 * present * sizeof *at);
    if (!at)
        return NULL;
    for (int64_t r = 0; r < rows; r++)
        if (!isnan(x[r]))
            at[n++] = (struct bestdag_keyed){bestdag_key_of_double(x[r]),
                                             (uint32_t)r};
    bestdag_keyed_sort(at, at + n, n);
    return at;
}

/* `at` is sorted and stable: the first of equal ones is the first row. */
static void represent_sorted(const struct bestdag_keyed *at, int64_t n,
                             int64_t rows, uint32_t *to)
{
    uint32_t first = 0;
    for (int64_t r = 0; r < rows; r++)
        to[r] = UINT32_MAX;
    for (int64_t i = 0; i < n; i++) {
        if (!i || at[i].key != at[i - 1].key)
            first = at[i].row;
        to[at[i].row] = first;
    }
}

int bestdag_column_represent(struct bestdag_run *run,
                             const struct bestdag_column *column, int64_t rows,
                             uint32_t *representative)
{
    if (column->kind == BESTDAG_CODES)
        return represent_codes(run, column, rows, representative);
    struct bestdag_keyed *at = sort_numbers(run, column, rows);
    if (at)
        represent_sorted(at, rows - column->missing, rows, representative);
    bestdag_free(at);
    return bestdag_run_status(run);
}

static uint64_t shape_of(const uint32_t *representative, int64_t rows)
{
    uint64_t h = 0;
    for (int64_t r = 0; r < rows; r++) {
        h = (h ^ representative[r]) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return bestdag_mix(h);
}

/* Counts the rows of each value, at its representative. */
static int count_values(struct bestdag_run *run, const uint32_t *representative,
                        int64_t rows, struct bestdag_column_facts *to)
{
    uint32_t *count = bestdag_calloc(run, (size_t)rows, sizeof *count);
    uint32_t most = 0;
    if (!count)
        return bestdag_run_status(run);
    for (int64_t r = 0; r < rows; r++)
        if (representative[r] != UINT32_MAX)
            count[representative[r]]++;
    for (int64_t r = 0; r < rows; r++) {
        to->distinct += count[r] > 0;
        if (count[r] > most) {
            most = count[r];
            to->common_row = r;
        }
    }
    bestdag_free(count);
    return BESTDAG_OK;
}

static int look_at_numbers(struct bestdag_run *run,
                           const struct bestdag_table *t,
                           const struct bestdag_column *c, uint32_t *scratch,
                           struct bestdag_column_facts *to)
{
    struct bestdag_keyed *at = sort_numbers(run, c, t->rows);
    if (!at)
        return bestdag_run_status(run);
    struct bestdag_sample s = {.at = at, .count = to->present, .table = t};
    to->is_whole = true;
    for (int64_t i = 0; i < s.count; i++) {
        double x = bestdag_sample_value(&s, i);
        to->is_whole &= x == floor(x);
        s.total += bestdag_sample_weight(&s, i);
    }
    if (s.count) {
        to->least = bestdag_sample_value(&s, 0);
        to->most = bestdag_sample_value(&s, s.count - 1);
        to->mean = bestdag_sample_mean(&s);
    }
    to->weight = s.total;
    represent_sorted(at, s.count, t->rows, scratch);
    bestdag_free(at);
    return count_values(run, scratch, t->rows, to);
}

static int look_at_codes(struct bestdag_run *run, const struct bestdag_table *t,
                         const struct bestdag_column *c, uint32_t *scratch,
                         struct bestdag_column_facts *to)
{
    int64_t *weight = bestdag_calloc(run, (size_t)c->states, sizeof *weight);
    if (!weight)
        return bestdag_run_status(run);
    for (int64_t r = 0; r < t->rows; r++) {
        int code = bestdag_column_code(c, r);
        if (code >= 0)
            weight[code] += t->weights ? t->weights[r] : 1;
    }
    for (int s = 0; s < c->states; s++) {
        to->weight += weight[s];
        if (weight[s] > to->common_weight) {
            to->common_weight = weight[s];
            to->common = s;
        }
    }
    bestdag_free(weight);
    if (represent_codes(run, c, t->rows, scratch))
        return bestdag_run_status(run);
    return count_values(run, scratch, t->rows, to);
}

static int look_at_cells(struct bestdag_run *run, const struct bestdag_table *t,
                         const struct bestdag_column *c,
                         struct bestdag_column_facts *to)
{
    uint32_t *scratch = bestdag_alloc(run, (size_t)t->rows * sizeof *scratch);
    if (!scratch)
        return bestdag_run_status(run);
    int status = c->kind == BESTDAG_CODES
                     ? look_at_codes(run, t, c, scratch, to)
                     : look_at_numbers(run, t, c, scratch, to);
    if (!status)
        to->shape = shape_of(scratch, t->rows);
    bestdag_free(scratch);
    return status;
}

/* Does nearly every row have a value of its own? Numbers with fractions are
 * measurements, not identifiers. For text the reader stops counting at some
 * point. */
static bool is_identifier(const struct bestdag_column *c,
                          const struct bestdag_column_facts *f)
{
    if (c->kind == BESTDAG_OPAQUE && f->distinct > BESTDAG_MOST_STATES)
        return true;
    return f->weight >= FEWEST_ROWS &&
           (double)f->distinct > 0.9 * (double)f->weight &&
           (c->kind != BESTDAG_NUMBERS || f->is_whole);
}

int bestdag_column_facts_find(struct bestdag_run *run,
                              const struct bestdag_table *table, int column,
                              struct bestdag_column_facts *to)
{
    const struct bestdag_column *c = &table->column[column];
    *to = (struct bestdag_column_facts){.present = table->rows - c->missing,
                                        .least = NAN,
                                        .most = NAN,
                                        .mean = NAN,
                                        .common = -1,
                                        .common_row = -1,
                                        .leader = column,
                                        .determined_by = -1};
    if (c->kind == BESTDAG_OPAQUE) {
        to->distinct = c->distinct;
        to->weight = to->present;
    } else if (look_at_cells(run, table, c, to))
        return bestdag_run_status(run);
    to->is_constant =
        to->distinct < 2 && (c->kind != BESTDAG_OPAQUE || !to->present);
    to->is_identifier = is_identifier(c, to);
    return BESTDAG_OK;
}
