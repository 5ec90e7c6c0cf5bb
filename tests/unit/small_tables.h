/* SPDX-License-Identifier: MIT */
/* small_tables.h -- tables for tests: built by hand or at random. */
#ifndef SMALLTABLES_H
#define SMALLTABLES_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "data/table.h"

/* Fails the test with the run's error. */
#define assert_ok(run) assert_string_equal(bestdag_run_error(run), "")

static inline int below(struct bestdag_random *random, int n)
{
    return (int)bestdag_random_below(random, (uint64_t)n);
}

static inline void set_weights(struct bestdag_run *run, struct bestdag_table *t,
                               const int32_t *weights)
{
    size_t bytes = (size_t)t->rows * sizeof *weights;
    t->weights = bestdag_alloc(run, bytes);
    memcpy(t->weights, weights, bytes);
    t->total = 0;
    for (int64_t r = 0; r < t->rows; r++)
        t->total += weights[r];
}

/* Weights from 0 to most. */
static inline void set_random_weights(struct bestdag_run *run,
                                      struct bestdag_table *t,
                                      struct bestdag_random *random, int most)
{
    int32_t *weights = malloc((size_t)t->rows * sizeof *weights + 1);
    for (int64_t r = 0; r < t->rows; r++)
        weights[r] = below(random, most + 1);
    set_weights(run, t, weights);
    free(weights);
}

/* Codes 0 .. states - 1; one cell in `missing` is missing (0: none). */
static inline void add_random_codes(struct bestdag_run *run,
                                    struct bestdag_table *t,
                                    struct bestdag_random *random, int states,
                                    int missing)
{
    int *codes = malloc((size_t)t->rows * sizeof *codes + 1);
    char name[16];
    snprintf(name, sizeof name, "c%d", t->columns);
    for (int64_t r = 0; r < t->rows; r++)
        codes[r] =
            missing && !below(random, missing) ? -1 : below(random, states);
    bestdag_table_add_codes(run, t, name, codes, sizeof *codes, states, NULL);
    free(codes);
}

/* Multiples of 1/4 in [-values / 8, values / 8). */
static inline void add_random_numbers(struct bestdag_run *run,
                                      struct bestdag_table *t,
                                      struct bestdag_random *random, int values,
                                      int missing)
{
    double *x = malloc((size_t)t->rows * sizeof *x + 1);
    char name[16];
    snprintf(name, sizeof name, "c%d", t->columns);
    for (int64_t r = 0; r < t->rows; r++)
        x[r] = missing && !below(random, missing)
                   ? (double)NAN
                   : (below(random, values) - values / 2) / 4.0;
    bestdag_table_add_numbers(run, t, name, x);
    free(x);
}

static inline void add_opaque(struct bestdag_run *run, struct bestdag_table *t,
                              const char *name, int64_t distinct)
{
    struct bestdag_column *c =
        bestdag_table_add(run, t, bestdag_strdup(run, name));
    c->kind = BESTDAG_OPAQUE;
    c->distinct = distinct;
}

static inline double cell_number(const struct bestdag_column *c, int64_t row)
{
    if (c->kind == BESTDAG_NUMBERS)
        return ((const double *)c->cells)[row];
    int code = bestdag_column_code(c, row);
    return code < 0 ? (double)NAN : code;
}

/* Same value, or both missing. */
static inline bool same_cell(const struct bestdag_column *c, int64_t a,
                             int64_t b)
{
    double x = cell_number(c, a), y = cell_number(c, b);
    return x == y || (isnan(x) && isnan(y));
}

#endif
