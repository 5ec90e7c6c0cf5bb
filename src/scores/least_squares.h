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

#include <math.h>

#include "scores/accurate_moments.h"

struct bestdag_least_squares {
    struct bestdag_run *run;
    const struct bestdag_moments *moments; /* borrowed */
    const double
        *ridge;      /* borrowed; [numbers]: added to the diagonal; NULL: 0 */
    int *set, count; /* owns; ascending places, that the factor is of */
    int rank;        /* rows of the factor that are made: fewer than count if
                        the set is ill-conditioned */
    double *factor;  /* owns; lower triangle */
    struct bestdag_determinant
        *determinant;     /* owns; [count]: of the set up to each member */
    double *z;            /* owns; [count + 1]: row of the last child */
    int *sorted, *larger; /* own; [numbers] */
    int room;             /* of set, factor, determinant, z */
    struct block *block;  /* owns; of added_parent.c; NULL: not yet used */
    struct bestdag_accurate_moments *accurate; /* owns; NULL: not yet used */
};

static inline double bestdag_least_squares_diagonal(
    const struct bestdag_least_squares *r, int place)
{
    double own = bestdag_moments_cross(r->moments, place, place);
    return r->ridge ? own + r->ridge[place] : own;
}

int bestdag_least_squares_init(struct bestdag_run *run,
                               struct bestdag_least_squares *r,
                               const struct bestdag_moments *moments);
void bestdag_least_squares_release(struct bestdag_least_squares *r);
/* Places of any order. Not OK: memory failed. */
int bestdag_least_squares_set(struct bestdag_least_squares *r,
                              const int *places, int count);
static inline bool bestdag_least_squares_is_ill(
    const struct bestdag_least_squares *r)
{
    return r->rank < r->count;
}
/* Residual sum of squares of a place given the set, which is not
 * ill-conditioned; 0: with the place it is. */
double bestdag_least_squares_residual(struct bestdag_least_squares *r,
                                      int place);
/* The family of a child and some parents, however conditioned. */
int bestdag_least_squares_fit(struct bestdag_least_squares *r,
                              const int *places, int count, int child,
                              struct bestdag_residual *to);
/* The same in double-double arithmetic, which it does for ill-conditioned
 * ones. */
int bestdag_least_squares_fit_accurately(struct bestdag_least_squares *r,
                                         const int *places, int count,
                                         int child,
                                         struct bestdag_residual *to);
/* Of the first `count` of the set. */
static inline struct bestdag_determinant bestdag_determinant_of(
    const struct bestdag_least_squares *r, int count)
{
    return count ? r->determinant[count - 1]
                 : (struct bestdag_determinant){.scale = 1};
}
double bestdag_determinant_ln(struct bestdag_determinant d);

/* For each of added[many] what bestdag_least_squares_fit() with it and `places`
 * would give, to the bit. Those to add are ascending and neither places nor the
 * child. Not OK: memory failed. */
int bestdag_least_squares_add(struct bestdag_least_squares *r,
                              const int *places, int count, int child,
                              const int *added, int many,
                              struct bestdag_residual *to);
/* The same of one family in long double and from the beginning: 0 and NAN if it
 * is singular. */
int bestdag_least_squares_exactly(struct bestdag_least_squares *r,
                                  const int *places, int count, int place,
                                  double *residual, double *ln_determinant);

#endif
