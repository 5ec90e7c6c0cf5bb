/* SPDX-License-Identifier: MIT */
/* random_numbers.h -- random tables with columns of numbers that depend on each
 * other, and mixed ones, for tests. */
#ifndef RANDOMNUMBERS_H
#define RANDOMNUMBERS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "data/table.h"

struct random_numbers {
    uint64_t seed;
    int numbers, states; /* columns of each; states first */
    int64_t rows;
    int weights;   /* rows weigh 0 .. weights; 0: no weights */
    double parts;  /* of the earlier columns that a number depends on */
    bool constant; /* the last number is */
    bool twice;    /* the last number is the one before it, times three */
    double near;   /* odd columns are the one before and this part of noise; 0:
                      they are not */
};

static inline double random_normal(struct bestdag_random *r)
{
    double u = bestdag_random_unit(r), v = bestdag_random_unit(r);
    return sqrt(-2 * log(1 - u)) * cos(2 * M_PI * v);
}

/* A number is a linear function of some before it, shifted by the states. */
static inline void random_number_column(struct bestdag_random *r,
                                        const struct random_numbers *how,
                                        double *const *before, int count,
                                        const int32_t *const *codes)
{
    double *to = before[count], scale = exp(random_normal(r));
    double shift = 5 * random_normal(r);
    for (int64_t i = 0; i < how->rows; i++)
        to[i] = random_normal(r);
    for (int c = 0; c < count; c++) {
        double slope = random_normal(r);
        if (bestdag_random_unit(r) >= how->parts)
            continue;
        for (int64_t i = 0; i < how->rows; i++)
            to[i] += slope * before[c][i];
    }
    for (int c = 0; c < how->states; c++) {
        double slope = 2 * random_normal(r);
        if (bestdag_random_unit(r) >= how->parts)
            continue;
        for (int64_t i = 0; i < how->rows; i++)
            to[i] += slope * codes[c][i];
    }
    for (int64_t i = 0; i < how->rows; i++)
        to[i] = scale * to[i] + shift;
}

static inline void random_weights(struct bestdag_run *run,
                                  struct bestdag_random *r,
                                  struct bestdag_table *t, int most)
{
    int32_t *weight = malloc((size_t)t->rows * sizeof *weight);
    for (int64_t i = 0; i < t->rows; i++)
        weight[i] = (int32_t)bestdag_random_below(r, (uint64_t)most + 1);
    t->weights = bestdag_alloc(run, (size_t)t->rows * sizeof *t->weights);
    t->total = 0;
    for (int64_t i = 0; i < t->rows; i++)
        t->total += t->weights[i] = weight[i];
    free(weight);
}

static inline struct bestdag_table *random_numbers(struct bestdag_run *run,
                                                   struct random_numbers how)
{
    struct bestdag_random r = bestdag_random_init(how.seed, 78);
    struct bestdag_table *t = bestdag_table_new(run, how.rows);
    double *value[32];
    int32_t *code[32] = {NULL};
    char name[16];
    for (int c = 0; c < how.states; c++) {
        int states = 2 + (int)bestdag_random_below(&r, 2);
        code[c] = malloc((size_t)how.rows * sizeof **code);
        for (int64_t i = 0; i < how.rows; i++)
            code[c][i] = c && bestdag_random_unit(&r) < .5
                             ? code[c - 1][i] % states
                             : (int)bestdag_random_below(&r, (uint64_t)states);
        snprintf(name, sizeof name, "S%d", c + 1);
        bestdag_table_add_codes(run, t, name, code[c], 4, states, NULL);
    }
    for (int c = 0; c < how.numbers; c++) {
        value[c] = malloc((size_t)how.rows * sizeof **value);
        random_number_column(&r, &how, value, c, (const int32_t *const *)code);
        for (int64_t i = 0; i < how.rows && c + 1 == how.numbers; i++)
            value[c][i] = how.constant ? 7.25
                          : how.twice  ? 3 * value[c - 1][i]
                                       : value[c][i];
        for (int64_t i = 0; i < how.rows && c % 2 && how.near > 0; i++)
            value[c][i] = value[c - 1][i] * (1 + how.near * random_normal(&r));
        snprintf(name, sizeof name, "X%d", c + 1);
        bestdag_table_add_numbers(run, t, name, value[c]);
    }
    for (int c = 0; c < how.numbers; c++)
        free(value[c]);
    for (int c = 0; c < how.states; c++)
        free(code[c]);
    if (how.weights)
        random_weights(run, &r, t, how.weights);
    return t;
}

#endif
