/* SPDX-License-Identifier: MIT */
/* table.c -- building and accessing tables. */
#include "data/table.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "data/hole_patterns.h"
#include "data/shards.h"

/* Limit, so that rows times bytes never overflows. */
static const int64_t MOST_ROWS = (int64_t)1 << 48;

struct bestdag_table *bestdag_table_new(struct bestdag_run *run, int64_t rows)
{
    if (bestdag_run_status(run))
        return NULL;
    if (rows < 0 || rows > MOST_ROWS) {
        bestdag_fail(run, BESTDAG_USAGE, "a table cannot have %lld rows",
                     (long long)rows);
        return NULL;
    }
    struct bestdag_table *t = bestdag_calloc(run, 1, sizeof *t);
    if (t)
        t->rows = t->total = rows;
    return t;
}

void bestdag_column_release(struct bestdag_column *column)
{
    if (column->labels)
        for (int s = 0; s < column->states; s++)
            bestdag_free(column->labels[s]);
    bestdag_free(column->labels);
    bestdag_free(column->cells);
    bestdag_free(column->name);
    *column = (struct bestdag_column){0};
}

void bestdag_table_free(struct bestdag_table *table)
{
    if (!table)
        return;
    for (int c = 0; c < table->columns; c++)
        bestdag_column_release(&table->column[c]);
    bestdag_free(table->column);
    bestdag_free(table->weights);
    bestdag_hole_patterns_free(table->holes);
    bestdag_shards_free(table->shards);
    bestdag_free(table);
}

struct bestdag_column *bestdag_table_add(struct bestdag_run *run,
                                         struct bestdag_table *table,
                                         char *name)
{
    if (name && table->columns == table->room) {
        int room = table->room ? table->room * 2 : 16;
        void *column = bestdag_realloc(run, table->column,
                                       (size_t)room * sizeof *table->column);
        if (column) {
            table->column = column;
            table->room = room;
        }
    }
    if (!name || table->columns == table->room) {
        bestdag_free(name);
        return NULL;
    }
    struct bestdag_column *c = &table->column[table->columns++];
    assert(table->columns <= table->room);
    *c = (struct bestdag_column){.name = name};
    return c;
}

int bestdag_column_copy_head(struct bestdag_run *run,
                             const struct bestdag_column *from,
                             struct bestdag_column *to)
{
    *to = (struct bestdag_column){.kind = from->kind,
                                  .bytes = from->bytes,
                                  .distinct = from->distinct,
                                  .ordered = from->ordered};
    to->name = bestdag_strdup(run, from->name);
    if (from->states)
        to->labels =
            bestdag_calloc(run, (size_t)from->states, sizeof *to->labels);
    if (!to->name || (from->states && !to->labels))
        return bestdag_run_status(run);
    to->states = from->states;
    for (int s = 0; s < from->states; s++) {
        to->labels[s] = bestdag_strdup(run, from->labels[s]);
        if (!to->labels[s])
            return bestdag_run_status(run);
    }
    return BESTDAG_OK;
}

struct bestdag_column *bestdag_table_add_like(struct bestdag_run *run,
                                              struct bestdag_table *table,
                                              const struct bestdag_column *from)
{
    struct bestdag_column *c =
        bestdag_table_add(run, table, bestdag_strdup(run, from->name));
    if (!c)
        return NULL;
    bestdag_free(c->name); /* copied again with the rest */
    return bestdag_column_copy_head(run, from, c) ? NULL : c;
}

static int64_t code_at(const void *codes, int bytes, int64_t row)
{
    switch (bytes) {
    case 1:
        return ((const int8_t *)codes)[row];
    case 2:
        return ((const int16_t *)codes)[row];
    case 4:
        return ((const int32_t *)codes)[row];
    default:
        return ((const int64_t *)codes)[row];
    }
}

static int copy_codes(struct bestdag_run *run, struct bestdag_column *c,
                      const void *codes, int bytes, int64_t rows)
{
    for (int64_t r = 0; r < rows; r++) {
        int64_t code = code_at(codes, bytes, r);
        if (code < -1 || code >= c->states)
            return bestdag_fail(run, BESTDAG_USAGE,
                                "column '%s', row %lld: code %lld is not in "
                                "-1 .. %d",
                                c->name, (long long)r, (long long)code,
                                c->states - 1);
        c->missing += code < 0;
        if (c->bytes == 1)
            ((uint8_t *)c->cells)[r] =
                code < 0 ? BESTDAG_MISSING_1 : (uint8_t)code;
        else
            ((uint16_t *)c->cells)[r] =
                code < 0 ? BESTDAG_MISSING_2 : (uint16_t)code;
    }
    return BESTDAG_OK;
}

static int check_labels(struct bestdag_run *run, const char *column, int states,
                        const char *const *labels)
{
    const char *twice;
    for (int s = 0; s < states; s++)
        if (!labels[s])
            return bestdag_fail(run, BESTDAG_USAGE,
                                "column '%s': state %d has no label", column,
                                s);
    if (bestdag_text_twice(run, labels, states, &twice))
        return bestdag_run_status(run);
    return twice ? bestdag_fail(run, BESTDAG_USAGE,
                                "column '%s': two states are called '%s'",
                                column, twice)
                 : BESTDAG_OK;
}

static int copy_labels(struct bestdag_run *run, struct bestdag_column *c,
                       int states, const char *const *labels)
{
    char number[16];
    if (labels && check_labels(run, c->name, states, labels))
        return bestdag_run_status(run);
    c->labels = bestdag_calloc(run, (size_t)states, sizeof *c->labels);
    if (!c->labels)
        return BESTDAG_MEMORY;
    c->states = states;
    for (int s = 0; s < states; s++) {
        snprintf(number, sizeof number, "%d", s);
        c->labels[s] = bestdag_strdup(run, labels ? labels[s] : number);
        if (!c->labels[s])
            return BESTDAG_MEMORY;
    }
    return BESTDAG_OK;
}

/* Adds and names the last column; NULL if it cannot. */
static struct bestdag_column *new_column(struct bestdag_run *run,
                                         struct bestdag_table *table,
                                         const char *name, const void *cells)
{
    if (bestdag_lacks(run, table, "table") ||
        (table->rows && bestdag_lacks(run, cells, "array of cells")))
        return NULL;
    if (!name || !*name || bestdag_table_find(table, name) >= 0) {
        bestdag_fail(run, BESTDAG_USAGE,
                     name && *name ? "there is a column '%s' already"
                                   : "a column has no name%s",
                     name ? name : "");
        return NULL;
    }
    return bestdag_table_add(run, table, bestdag_strdup(run, name));
}

static int drop_last_on_failure(struct bestdag_run *run,
                                struct bestdag_table *table)
{
    if (bestdag_run_status(run))
        bestdag_column_release(&table->column[--table->columns]);
    return bestdag_run_status(run);
}

int bestdag_table_add_codes(struct bestdag_run *run,
                            struct bestdag_table *table, const char *name,
                            const void *codes, int bytes_a_code, int states,
                            const char *const *labels)
{
    struct bestdag_column *c = new_column(run, table, name, codes);
    if (!c)
        return bestdag_run_status(run);
    if (states < 1 || states > BESTDAG_MOST_STATES ||
        !(bytes_a_code == 1 || bytes_a_code == 2 || bytes_a_code == 4 ||
          bytes_a_code == 8))
        bestdag_fail(run, BESTDAG_USAGE,
                     "column '%s': %d states in codes of %d bytes; expected 1 "
                     "to %d states, 1, 2, 4 or 8 bytes",
                     name, states, bytes_a_code, BESTDAG_MOST_STATES);
    else if (!copy_labels(run, c, states, labels)) {
        c->ordered = true;
        c->bytes = bestdag_code_bytes(states);
        c->cells = bestdag_alloc(run, (size_t)table->rows * (size_t)c->bytes);
        if (c->cells)
            copy_codes(run, c, codes, bytes_a_code, table->rows);
    }
    return drop_last_on_failure(run, table);
}

int bestdag_table_add_numbers(struct bestdag_run *run,
                              struct bestdag_table *table, const char *name,
                              const double *values)
{
    struct bestdag_column *c = new_column(run, table, name, values);
    if (!c)
        return bestdag_run_status(run);
    c->kind = BESTDAG_NUMBERS;
    c->bytes = sizeof(double);
    c->cells = bestdag_alloc(run, (size_t)table->rows * sizeof(double));
    if (c->cells && table->rows)
        memcpy(c->cells, values, (size_t)table->rows * sizeof(double));
    for (int64_t r = 0; c->cells && r < table->rows; r++) {
        c->missing += isnan(values[r]) != 0;
        if (isinf(values[r])) {
            bestdag_fail(run, BESTDAG_USAGE,
                         "column '%s', row %lld: infinite, expected a number",
                         name, (long long)r);
            break;
        }
    }
    return drop_last_on_failure(run, table);
}

int bestdag_table_set_weights(struct bestdag_run *run,
                              struct bestdag_table *table,
                              const int64_t *weights)
{
    if (bestdag_lacks(run, table, "table") ||
        bestdag_lacks(run, weights, "list of weights"))
        return bestdag_run_status(run);
    int32_t *copy = bestdag_alloc(run, (size_t)table->rows * sizeof *copy);
    int64_t total = 0;
    for (int64_t r = 0; copy && r < table->rows; r++) {
        if (weights[r] < 0 || weights[r] > INT32_MAX) {
            bestdag_fail(run, BESTDAG_USAGE,
                         "row %lld: a weight of %lld, expected 0 to %d",
                         (long long)r, (long long)weights[r], INT32_MAX);
            bestdag_free(copy);
            return bestdag_run_status(run);
        }
        copy[r] = (int32_t)weights[r];
        total += weights[r];
    }
    if (!copy)
        return bestdag_run_status(run);
    bestdag_free(table->weights);
    table->weights = copy;
    table->total = total;
    return BESTDAG_OK;
}

int bestdag_table_find(const struct bestdag_table *table, const char *name)
{
    for (int c = 0; c < table->columns; c++)
        if (!strcmp(table->column[c].name, name))
            return c;
    return -1;
}

static const char *name_of_column(const void *table, int c)
{
    return ((const struct bestdag_table *)table)->column[c].name;
}

int bestdag_table_find_or_fail(struct bestdag_run *run,
                               const struct bestdag_table *table,
                               const char *name)
{
    char suggestion[128];
    int c = bestdag_table_find(table, name);
    if (c < 0)
        bestdag_fail(run, BESTDAG_USAGE, "the table has no column '%s'%s", name,
                     bestdag_suggest(suggestion,
                                     bestdag_nearest(name, name_of_column,
                                                     table, table->columns)));
    return c;
}

int bestdag_column_need_codes(struct bestdag_run *run,
                              const struct bestdag_column *c)
{
    if (c->kind == BESTDAG_NUMBERS)
        return bestdag_fail(
            run, BESTDAG_INPUT,
            "column '%s' holds numbers, states were expected: discretise it "
            "(bestdag discretize), leave it out (--ignore '%s') or, if they "
            "are whole, raise --max-states",
            c->name, c->name);
    if (c->kind == BESTDAG_OPAQUE)
        return bestdag_fail(run, BESTDAG_INPUT,
                            "column '%s' has %s: leave it out (--ignore '%s')",
                            c->name,
                            c->distinct ? "too many different values for states"
                                        : "no value at all",
                            c->name);
    return BESTDAG_OK;
}

/* Names all columns of numbers at once. */
static int refuse_numbers(struct bestdag_run *run,
                          const struct bestdag_table *table, int count)
{
    struct bestdag_buffer names = {.run = run};
    int named = 0;
    for (int c = 0; c < table->columns && names.length < 600; c++)
        if (table->column[c].kind == BESTDAG_NUMBERS)
            bestdag_buffer_format(&names, "%s'%.60s'", named++ ? ", " : "",
                                  table->column[c].name);
    if (named < count)
        bestdag_buffer_format(&names, " and %d more", count - named);
    if (!bestdag_run_status(run))
        bestdag_fail(
            run, BESTDAG_INPUT,
            "%d columns hold numbers, states were expected: %s; discretise "
            "them all with 'bestdag discretize TABLE -o states.csv' (in learn "
            "and score: --discretize METHOD), leave "
            "them out (--ignore) or, if they are whole, raise --max-states",
            count, names.at);
    bestdag_buffer_release(&names);
    return bestdag_run_status(run);
}

int bestdag_table_need_codes(struct bestdag_run *run,
                             const struct bestdag_table *table)
{
    int status = BESTDAG_OK, numbers = 0;
    for (int i = 0; i < table->columns; i++)
        numbers += table->column[i].kind == BESTDAG_NUMBERS;
    if (numbers > 1)
        return refuse_numbers(run, table, numbers);
    for (int i = 0; i < table->columns && !status; i++)
        status = bestdag_column_need_codes(run, &table->column[i]);
    return status;
}

int64_t bestdag_table_missing(const struct bestdag_table *table)
{
    int64_t missing = 0;
    for (int c = 0; c < table->columns; c++)
        missing += table->column[c].missing;
    return missing;
}

static const struct bestdag_column *column_at(const struct bestdag_table *t,
                                              int column)
{
    return t && column >= 0 && column < t->columns ? &t->column[column] : NULL;
}

int64_t bestdag_table_rows(const struct bestdag_table *table)
{
    return table ? table->rows : 0;
}

int bestdag_table_columns(const struct bestdag_table *table)
{
    return table ? table->columns : 0;
}

const char *bestdag_table_name(const struct bestdag_table *table, int column)
{
    const struct bestdag_column *c = column_at(table, column);
    return c ? c->name : NULL;
}

int bestdag_table_states(const struct bestdag_table *table, int column)
{
    const struct bestdag_column *c = column_at(table, column);
    return c ? c->states : 0;
}

const char *bestdag_table_label(const struct bestdag_table *table, int column,
                                int state)
{
    const struct bestdag_column *c = column_at(table, column);
    return c && state >= 0 && state < c->states ? c->labels[state] : NULL;
}

/* How many of `count` rows from `from` on exist. */
static int64_t rows_from(const struct bestdag_table *t, int64_t from, int count)
{
    if (from < 0 || from >= t->rows || count < 0)
        return 0;
    return t->rows - from < count ? t->rows - from : count;
}

int bestdag_table_codes(const struct bestdag_table *table, int column,
                        int64_t from, int count, int *to)
{
    const struct bestdag_column *c = column_at(table, column);
    if (!c || c->kind != BESTDAG_CODES)
        return 0;
    int64_t n = rows_from(table, from, count);
    for (int64_t r = 0; r < n; r++)
        to[r] = bestdag_column_code(c, from + r);
    return (int)n;
}

int bestdag_table_numbers(const struct bestdag_table *table, int column,
                          int64_t from, int count, double *to)
{
    const struct bestdag_column *c = column_at(table, column);
    if (!c || c->kind != BESTDAG_NUMBERS)
        return 0;
    int64_t n = rows_from(table, from, count);
    for (int64_t r = 0; r < n; r++)
        to[r] = ((const double *)c->cells)[from + r];
    return (int)n;
}

int64_t bestdag_table_weight(const struct bestdag_table *table, int64_t row)
{
    if (!table || row < 0 || row >= table->rows)
        return 0;
    return table->weights ? table->weights[row] : 1;
}
