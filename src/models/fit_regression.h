/* SPDX-License-Identifier: MIT */
/* fit_regression.h -- the regressions of one number from data. */
#ifndef BESTDAG_MODELS_FIT_REGRESSION_H
#define BESTDAG_MODELS_FIT_REGRESSION_H

#include "models/match.h"

struct bestdag_fit_regression {
    struct bestdag_network *network; /* v has room for its regressions */
    const struct bestdag_match *match;
    int64_t rows; /* of the table */
    int variable;
    struct bestdag_digit *digit; /* room for a family */
    uint32_t *index;             /* room for `block` rows */
    int block;
};

/* Fills the regressions of the variable, and its counts if it has them; adds to
 * *unseen the configurations with too few rows. On any thread. BESTDAG_FAILED
 * without an error in the run: stopped. */
int bestdag_fit_regressions(struct bestdag_run *run,
                            const struct bestdag_fit_regression *job,
                            int64_t *unseen);

/* The least-squares regression of the last of k + 1 variables on the others
 * from their means and their centred cross products (lower triangle, row by
 * row, (k + 1) * (k + 1); is overwritten): term[0] is the intercept, then come
 * the coefficients. A variable that is a linear function of earlier ones has
 * coefficient 0. Returns the residual sum of squares; NaN: not finite. */
double bestdag_least_squares(const double *mean, double *cross, int k,
                             double *term);

#endif
