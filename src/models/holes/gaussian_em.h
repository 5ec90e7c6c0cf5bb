/* SPDX-License-Identifier: MIT */
/* gaussian_em.h -- a Gaussian network from a table of numbers with missing
 * values: expected moments, and parameters from them. */
#ifndef BESTDAG_MODELS_HOLES_GAUSSIAN_EM_H
#define BESTDAG_MODELS_HOLES_GAUSSIAN_EM_H

#include "models/holes/em.h"

__extension__ typedef __int128 bestdag_wide;

/* Rows that lack the same columns. */
struct bestdag_number_pattern {
    int64_t first, rows;
    double weight;
    int hole, holes; /* em->hole[hole ..], ascending */
};

/* Rows without any value or weight are left out; the others are sorted by the
 * columns that they lack. Values are z = (x - centre) / 2^exponent of the
 * values that are there, so that they are near a standard normal. */
struct bestdag_gaussian_em {
    int n;
    int64_t count;                          /* rows */
    int64_t table_rows;                     /* of the table */
    double total;                           /* weight of all rows */
    int64_t empty;                          /* weight of rows without a value */
    int64_t lacking;                        /* weight of rows with a hole */
    int64_t *row;                           /* owns; [count]: in the table */
    double *weight;                         /* owns; [count]; NULL: all 1 */
    double *centre, *variance;              /* own; [n] */
    int *exponent;                          /* owns; [n] */
    bool *constant;                         /* owns; [n] */
    double **value;                         /* owns; [n][count] */
    double *values;                         /* owns */
    struct bestdag_number_pattern *pattern; /* owns */
    int64_t patterns;
    int32_t *pattern_of; /* owns; [count] */
    int *hole;           /* owns */
    /* Valid after bestdag_gaussian_em_expect(): values of holes are their
     * expectations, and these the sums of their covariances over all rows, in
     * units of 2^-BESTDAG_SPREAD_SHIFT: whole numbers, so that the order in
     * which threads add does not matter. A lower triangle. */
    bestdag_wide *spread; /* owns; [n (n + 1) / 2] */
    double *ln;           /* owns; [count]: of each row's values */
};

enum { BESTDAG_SPREAD_SHIFT = 52 };

/* Columns of the table's rows; NaN: missing. Weights: NULL: all 1. Release in
 * any case. */
int bestdag_gaussian_em_new(struct bestdag_run *run,
                            const double *const *number, int n, int64_t rows,
                            const int32_t *weights,
                            struct bestdag_gaussian_em *to);
void bestdag_gaussian_em_release(struct bestdag_gaussian_em *em);

/* Sets holes to the means of their columns, with the columns' variances, as a
 * network without arcs expects them. */
void bestdag_gaussian_em_blank(struct bestdag_gaussian_em *em);
/* The E-step, by the regressions of a network. *ln: the log-likelihood of the
 * values that are there. *done: false if it was stopped; then nothing is valid.
 */
int bestdag_gaussian_em_expect(struct bestdag_run *run,
                               struct bestdag_gaussian_em *em,
                               const struct bestdag_network *network,
                               double *ln, bool *done);
/* The M-step: the regressions of a network, which has room for them, from the
 * expected moments. A residual variance is at least BESTDAG_SINGULAR of the
 * column's variance; *raised (or NULL) counts the variances that were raised to
 * it. */
int bestdag_gaussian_em_maximise(struct bestdag_run *run,
                                 struct bestdag_gaussian_em *em,
                                 struct bestdag_network *network, int *raised);
/* As bestdag_em_run(). */
int bestdag_gaussian_em_run(struct bestdag_run *run,
                            struct bestdag_gaussian_em *em,
                            struct bestdag_network *network,
                            const struct bestdag_em_settings *settings,
                            bool is_here, struct bestdag_em_report *report);

/* The least residual variance, in the units of a column. */
double bestdag_gaussian_em_floor(const struct bestdag_gaussian_em *em, int v);

#endif
