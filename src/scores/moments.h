/* SPDX-License-Identifier: MIT */
/* moments.h -- the numeric columns of a table, centred and scaled, and their
 * cross-products, from which Gaussian scores are computed.
 *
 * A column is divided by a power of two near its standard deviation, which is
 * exact, and centred at its mean. A cross-product is summed in a fixed order
 * (rows in blocks, see moments.c), so it does not depend on threads. Memory: 8
 * bytes per number, and 4 n^2 for n numeric columns. */
#ifndef BESTDAG_SCORES_MOMENTS_H
#define BESTDAG_SCORES_MOMENTS_H

#include "data/table.h"

/* A pivot of a Cholesky factor of at most this part of its variance counts as
 * zero: the column is determined by others. The residual variance is a pivot,
 * too. */
#define BESTDAG_SINGULAR 1e-10
/* A factor with a pivot below this part of its variance is recomputed from
 * accurate cross-products (accurate_moments.h): those in double have errors of
 * about 1e-15, which are multiplied by 1 / pivot. */
#define BESTDAG_ILL_CONDITIONED 1e-3

struct bestdag_moments {
    const struct bestdag_table *table; /* borrowed */
    int numbers;                       /* columns of numbers */
    int *column;                       /* owns; [numbers]: in the table */
    int *place;      /* owns; [columns]: the inverse; -1: states */
    int64_t rows;    /* number of rows, not weight */
    double total;    /* weight of all rows */
    int *exponent;   /* owns; [numbers]: values are in units of 2^exponent */
    double **value;  /* owns; [numbers][rows]: scaled and centred */
    double *values;  /* owns */
    bool *constant;  /* owns; [numbers] */
    double *cross;   /* owns; lower triangle, row by row */
    bool is_of_rows; /* cross has the products of `value` and nothing else */
};

/* NULL: error; a missing or non-finite value is one. */
struct bestdag_moments *bestdag_moments_new(struct bestdag_run *run,
                                            const struct bestdag_table *table);
void bestdag_moments_free(struct bestdag_moments *moments);

/* The index of the pair (i, j) in a lower triangle. */
static inline size_t bestdag_triangle(int i, int j)
{
    size_t high = (size_t)(i > j ? i : j), low = (size_t)(i > j ? j : i);
    return high * (high + 1) / 2 + low;
}

/* The sum of the products of two columns over some rows, in the order of all
 * cross-products. */
long double bestdag_moments_product(const double *x, const double *y,
                                    int64_t rows);
/* The cross-product of two places. */
static inline double bestdag_moments_cross(const struct bestdag_moments *m,
                                           int i, int j)
{
    return m->cross[bestdag_triangle(i, j)];
}

/* -(N / 2) (ln(2 pi RSS / N) + 1): the log-likelihood of a regression with this
 * residual sum of squares in units of 2^exponent. */
double bestdag_gaussian_score_likelihood(double total, double rss,
                                         int exponent);

#endif
