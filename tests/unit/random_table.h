/* SPDX-License-Identifier: MIT */
/* random_table.h -- random tables with dependent columns, for tests. */
#ifndef RANDOMTABLE_H
#define RANDOMTABLE_H

#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "data/table.h"

struct random_table {
    uint64_t seed;
    int columns, most; /* states: 2 .. most (1 .. most if `constant`) */
    int64_t rows;      /* 0: 1 to 200, drawn */
    bool constant;
    int weights; /* rows weigh 0 .. weights; 0: no weights */
};

static inline struct bestdag_table *random_table(struct bestdag_run *run,
                                                 struct random_table how)
{
    struct bestdag_random r = bestdag_random_init(how.seed, 77);
    int64_t rows =
        how.rows ? how.rows : 1 + (int64_t)bestdag_random_below(&r, 200);
    struct bestdag_table *t = bestdag_table_new(run, rows);
    int32_t *code = malloc((size_t)rows * sizeof *code);
    for (int c = 0; c < how.columns; c++) {
        char name[16];
        int least = how.constant ? 1 : 2;
        int states = least + (int)bestdag_random_below(
                                 &r, (uint64_t)(how.most - least + 1));
        int from = c ? (int)bestdag_random_below(&r, (uint64_t)c) : -1;
        double copied = bestdag_random_unit(&r);
        snprintf(name, sizeof name, "V%d", c + 1);
        for (int64_t i = 0; i < rows; i++) {
            int other =
                from >= 0 ? bestdag_column_code(&t->column[from], i) : 0;
            code[i] = from >= 0 && bestdag_random_unit(&r) < copied
                          ? other % states
                          : (int)bestdag_random_below(&r, (uint64_t)states);
        }
        bestdag_table_add_codes(run, t, name, code, 4, states, NULL);
    }
    free(code);
    if (how.weights) {
        t->weights = bestdag_alloc(run, (size_t)rows * sizeof *t->weights);
        t->total = 0;
        for (int64_t i = 0; i < rows; i++) {
            t->weights[i] =
                (int32_t)bestdag_random_below(&r, (uint64_t)how.weights + 1);
            t->total += t->weights[i];
        }
    }
    return t;
}

#endif
