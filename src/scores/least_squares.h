/* SPDX-License-Identifier: MIT */
/* least_squares.h -- one thread's Cholesky factor of the cross-products of a
 * set of columns, and the residuals of other columns given them.
 *
 * The set is taken in ascending order, whatever order it comes in, and a row of
 * the factor depends on those before it alone: what is kept from the last set
 * has the same bits as if it were made again. So a family has one value,
 * whatever was asked before. Time: k^3 / 6 for k columns, less what the last
 * set had in common; k^2 / 2 for each column given them. */
#ifndef BESTDAG_SCORES_LEAST_SQUARES_H
#define BESTDAG_SCORES_LEAST_SQUARES_H

#include "scores/moments.h"

struct bestdag_least_squares {
    struct bestdag_run *run;
    const struct bestdag_moments *moments; /* borrowed */
    const double
        *ridge;       /* borrowed; [numbers]: added to the diagonal; NULL: 0 */
    int *set, count;  /* owns; ascending places, that the factor is of */
    int rank;         /* rows of the factor that are made: fewer than count if
                         the set is singular */
    double *factor;   /* owns; lower triangle */
    double *ln_pivot; /* owns; [count]: sums of the logarithms of the pivots */
    double *z;        /* owns; [count + 1] */
    int *sorted;      /* owns; [numbers] */
    int room;         /* of set, factor, ln_pivot, z */
};

int bestdag_least_squares_init(struct bestdag_run *run,
                               struct bestdag_least_squares *r,
                               const struct bestdag_moments *moments);
void bestdag_least_squares_release(struct bestdag_least_squares *r);
/* Places of any order. Not OK: memory failed. */
int bestdag_least_squares_set(struct bestdag_least_squares *r,
                              const int *places, int count);
/* Is the set singular? */
static inline bool bestdag_least_squares_is_singular(
    const struct bestdag_least_squares *r)
{
    return r->rank < r->count;
}
/* Residual sum of squares of a place given the set, which is not singular; 0:
 * the set determines it. */
double bestdag_least_squares_residual(struct bestdag_least_squares *r,
                                      int place);
/* The logarithm of the determinant of the set. */
static inline double bestdag_least_squares_ln_determinant(
    const struct bestdag_least_squares *r)
{
    return r->count ? r->ln_pivot[r->count - 1] : 0;
}
/* The same two in long double and from the beginning: 0 and NAN if it is
 * singular. */
int bestdag_least_squares_exactly(struct bestdag_least_squares *r,
                                  const int *places, int count, int place,
                                  double *residual, double *ln_determinant);

#endif
