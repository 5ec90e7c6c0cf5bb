/* SPDX-License-Identifier: MIT */
/* totals.h -- sums of weights by state, over samples or over a cutset. */
#ifndef BESTDAG_INFERENCE_TOTALS_H
#define BESTDAG_INFERENCE_TOTALS_H

#include <math.h>

#include "base/run.h"

/* Weights are stored divided by exp(most), the largest so far, so that they
 * neither overflow nor vanish. */
struct bestdag_totals {
    double most;        /* ln; -infinity: no weight so far */
    double sum, square; /* of weights, and of their squares */
    int64_t count;      /* of weights */
    int64_t cells;
    double *cell, *cell_square; /* own; [cells] */
};

int bestdag_totals_new(struct bestdag_run *run, int64_t cells,
                       struct bestdag_totals *to);
void bestdag_totals_release(struct bestdag_totals *t);
void bestdag_totals_clear(struct bestdag_totals *t);
/* Adds a weight, given as its ln; returns the amount to add to cells. */
double bestdag_totals_weigh(struct bestdag_totals *t, double ln);

static inline void bestdag_totals_add(struct bestdag_totals *t, int64_t cell,
                                      double weight)
{
    t->cell[cell] += weight;
    t->cell_square[cell] += weight * weight;
}

/* Effective sample size. */
static inline double bestdag_totals_size(const struct bestdag_totals *t)
{
    return t->square > 0 ? t->sum * t->sum / t->square : 0;
}

/* Probability of a cell, and its standard error: that of a ratio of means (the
 * delta method), as if two more samples of the largest weight so far had been
 * drawn, one in the cell and one outside. Without them the error is too small
 * where few samples or few large weights decide (Agresti and Coull 1998 do so
 * for counts), and 0 for a state that no sample is in. */
static inline double bestdag_totals_share(const struct bestdag_totals *t,
                                          int64_t cell, double *error)
{
    double all = t->sum + 2, p = (t->cell[cell] + 1) / all;
    double inside = t->cell_square[cell] + 1;
    double outside = fmax(t->square - t->cell_square[cell], 0) + 1;
    *error = sqrt((1 - p) * (1 - p) * inside + p * p * outside) / all;
    return t->cell[cell] / t->sum;
}

/* Standard error of ln(mean weight), with one more sample of the largest. */
static inline double bestdag_totals_error(const struct bestdag_totals *t)
{
    double n = (double)t->count + 1, mean = (t->sum + 1) / n;
    return sqrt(fmax((t->square + 1) / n - mean * mean, 0) / n) / mean;
}

#endif
