/* SPDX-License-Identifier: MIT */
/* em_step.h -- expected counts of a network's families: the E-step. */
#ifndef BESTDAG_MODELS_HOLES_EM_STEP_H
#define BESTDAG_MODELS_HOLES_EM_STEP_H

#include "models/holes/hole_posterior.h"

/* Counts are whole numbers of units of 2^-shift rows: sums do not depend on the
 * order of rows, nor on threads. */
struct bestdag_expectation {
    struct bestdag_network *network;      /* borrowed; its tables are used */
    const struct bestdag_hole_rows *rows; /* borrowed */
    int64_t total;                        /* weight of all rows */
    int shift;
    int64_t *offset; /* owns; [n + 1]: of a variable's table in the arrays */
    int64_t
        *have; /* owns; counts of the rows that have all of a family, in rows */
    int64_t *count; /* owns; expected counts of all rows, in units; valid after
                       a step */
    double ln; /* after a step: observed-data log-likelihood of the tables */
    double *block; /* owns: ln of blocks of rows */
    int64_t blocks;
    bool needs_tree; /* some row has too many joint states to list */
    int64_t by_tree; /* number of such rows */
    int workers;
    struct bestdag_step_worker *worker; /* owns */
    struct bestdag_engine *engine;      /* owns; of the tables; or NULL */
    struct bestdag_options *exact;      /* owns; for the engine */
};

/* Columns in the network's codes, with rows and weights as in the table; rows
 * were found in them. `total`: weight of all rows. Release in any case. */
int bestdag_expectation_new(struct bestdag_run *run,
                            struct bestdag_network *network,
                            const struct bestdag_digit *column,
                            int64_t table_rows, const int32_t *weights,
                            const struct bestdag_hole_rows *rows, int64_t total,
                            struct bestdag_expectation *to);
void bestdag_expectation_release(struct bestdag_expectation *e);
/* *done: false if it was stopped before the end; then count and ln mean
 * nothing. BESTDAG_INPUT: a row is impossible under the tables. */
int bestdag_expectation_step(struct bestdag_run *run,
                             struct bestdag_expectation *e, bool *done);

#endif
