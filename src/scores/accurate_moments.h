/* SPDX-License-Identifier: MIT */
/* accurate_moments.h -- cross-products and residuals in double-double
 * arithmetic, for columns that nearly determine each other: see
 * accurate_moments.c. */
#ifndef BESTDAG_SCORES_ACCURATE_MOMENTS_H
#define BESTDAG_SCORES_ACCURATE_MOMENTS_H

#include <math.h>

#include "base/double_double.h"
#include "scores/moments.h"

/* scale * 2^power. */
struct bestdag_determinant {
    double scale;
    int power;
};

/* The regression of a column on others. */
struct bestdag_residual {
    double squares; /* residual sum of squares; 0: the family is singular */
    struct bestdag_determinant determinant; /* of the others */
};

/* The cross-products used last, of one thread. */
struct bestdag_accurate_moments;

struct bestdag_accurate_moments *bestdag_accurate_moments_new(
    struct bestdag_run *run, const struct bestdag_moments *moments);
void bestdag_accurate_moments_free(struct bestdag_accurate_moments *a);
/* The centred cross-product of two places. */
struct bestdag_double_double bestdag_accurate_moments_cross(
    struct bestdag_accurate_moments *a, int i, int j);

/* The cross-product of two columns over some rows, about their means there;
 * weights NULL: 1. */
struct bestdag_double_double bestdag_accurate_product(const double *x,
                                                      const double *y,
                                                      const int32_t *weights,
                                                      int64_t rows);
/* The residual of the last of `count` columns; overwrites their lower triangle
 * of cross-products. If the residual of one of them given those before it is at
 * most least[i], the family is singular. */
struct bestdag_residual bestdag_accurate_residual(
    struct bestdag_double_double *triangle, int count, const double *least);

/* Extracts a power of two from a very large or small number. */
static inline double bestdag_determinant_shift(double x, int *power)
{
    int shift = 0;
    if (x > 0x1p-300 && x < 0x1p300)
        return x;
    x = frexp(x, &shift);
    *power += shift;
    return x;
}
static inline void bestdag_determinant_multiply(struct bestdag_determinant *d,
                                                double pivot)
{
    d->scale *= bestdag_determinant_shift(pivot, &d->power);
    d->scale = bestdag_determinant_shift(d->scale, &d->power);
}

#endif
