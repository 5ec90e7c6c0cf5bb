/* SPDX-License-Identifier: MIT */
/* match_numbers.c -- columns of a table for variables that are numbers, and for
 * states that were cut from numbers.
 *
 * In a new table, a column with few different numbers may have been read as
 * states. Then the labels are the numbers. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "models/match.h"
#include "network/cuts.h"

/* The number of each label; NaN: it is none. */
static double *label_values(struct bestdag_run *run,
                            const struct bestdag_column *c)
{
    double *value = bestdag_alloc(run, ((size_t)c->states + 1) * sizeof *value);
    for (int s = 0; value && s < c->states; s++)
        if (!bestdag_number_parse(c->labels[s], strlen(c->labels[s]),
                                  &value[s]) ||
            !isfinite(value[s]))
            value[s] = NAN;
    return value;
}

double *bestdag_column_to_numbers(struct bestdag_run *run,
                                  const struct bestdag_column *c, int64_t rows)
{
    if (c->kind == BESTDAG_OPAQUE && c->distinct) {
        bestdag_fail(run, BESTDAG_INPUT,
                     "column '%s' has many different texts, expected numbers",
                     c->name);
        return NULL;
    }
    double *value = label_values(run, c);
    double *to =
        value ? bestdag_alloc(run, ((size_t)rows + 1) * sizeof *to) : NULL;
    for (int64_t r = 0; to && r < rows; r++) {
        int code = c->kind == BESTDAG_CODES ? bestdag_column_code(c, r) : -1;
        to[r] = code < 0 ? NAN : value[code];
        if (code >= 0 && isnan(to[r])) {
            bestdag_fail(run, BESTDAG_INPUT,
                         "column '%s' has '%s', expected a number", c->name,
                         c->labels[code]);
            bestdag_free(to);
            to = NULL;
        }
    }
    bestdag_free(value);
    return to;
}

int bestdag_match_numbers(struct bestdag_run *run,
                          const struct bestdag_variable *x,
                          const struct bestdag_table *table, int v,
                          struct bestdag_match *match)
{
    const struct bestdag_column *c = &table->column[match->column[v]];
    const double *cells = c->cells;
    (void)x;
    if (c->kind != BESTDAG_NUMBERS)
        cells = match->copy[v] = bestdag_column_to_numbers(run, c, table->rows);
    match->number[v] = cells;
    for (int64_t r = 0; cells && r < table->rows; r++)
        if (isinf(cells[r]))
            return bestdag_fail(
                run, BESTDAG_INPUT,
                "column '%s', row %lld: infinite, expected a number", c->name,
                (long long)r + 1);
    return bestdag_run_status(run);
}

int bestdag_match_cuts(struct bestdag_run *run,
                       const struct bestdag_variable *x,
                       const struct bestdag_table *table, int v,
                       struct bestdag_match *match)
{
    const struct bestdag_column *c = &table->column[match->column[v]];
    struct bestdag_cuts cuts = {0};
    bool is_cut = false, is_copy = c->kind != BESTDAG_NUMBERS;
    int bytes = bestdag_code_bytes(x->states);
    if (bestdag_variable_cuts(run, x, &cuts, &is_cut)) {
        bestdag_free(cuts.at);
        return bestdag_run_status(run);
    }
    const double *from = is_copy
                             ? bestdag_column_to_numbers(run, c, table->rows)
                             : (const double *)c->cells;
    void *to = bestdag_alloc(run, (size_t)table->rows * (size_t)bytes);
    for (int64_t r = 0; from && to && r < table->rows; r++) {
        int state = isnan(from[r]) ? -1 : bestdag_cuts_state(&cuts, from[r]);
        if (bytes == 1)
            ((uint8_t *)to)[r] = (uint8_t)state; /* -1: missing */
        else
            ((uint16_t *)to)[r] = (uint16_t)state;
    }
    match->copy[v] = to;
    match->digit[v] = (struct bestdag_digit){to, bytes, x->states};
    if (is_copy)
        bestdag_free((void *)from);
    bestdag_free(cuts.at);
    return bestdag_run_status(run);
}
