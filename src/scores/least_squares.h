/* SPDX-License-Identifier: MIT */
/* least_squares.h -- the Cholesky factor of the cross-products of a set of
 * columns, and the residuals of other columns given them; for one thread.
 *
 * The set is used in ascending order, whatever order it is given in, and a row
 * of the factor depends only on earlier ones: rows kept from the last set have
 * the same bits as recomputed ones. So a family has one value, whatever was
 * computed before. Time: k^3 / 6 for k columns, less what the last set had in
 * common; k^2 / 2 for each column given them. */
#ifndef BESTDAG_SCORES_LEAST_SQUARES_H
#define BESTDAG_SCORES_LEAST_SQUARES_H

#include <math.h>

#include "scores/accurate_moments.h"

struct bestdag_least_squares {
    struct bestdag_run *run;
    const struct bestdag_moments *moments; /* borrowed */
    const double
        *ridge;      /* borrowed; [numbers]: added to the diagonal; NULL: 0 */
    int *set, count; /* owns; ascending places of the factor */
    int rank;        /* rows of the factor computed: fewer than count if the set
                        is ill-conditioned */
    double *factor;  /* owns; lower triangle */
    struct bestdag_determinant
        *determinant;     /* owns; [count]: of the set up to each member */
    double *z;            /* owns; [count + 1]: row of the last child */
    int *sorted, *larger; /* own; [numbers] */
    int room;             /* of set, factor, determinant, z */
    struct block *block;  /* owns; for added_parent.c; NULL: not used yet */
    struct bestdag_accurate_moments *accurate; /* owns; NULL: not used yet */
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
/* Sets the places, in any order. Not OK: out of memory. */
int bestdag_least_squares_set(struct bestdag_least_squares *r,
                              const int *places, int count);
static inline bool bestdag_least_squares_is_ill(
    const struct bestdag_least_squares *r)
{
    return r->rank < r->count;
}
/* The residual sum of squares of a place given the set, which must not be
 * ill-conditioned; 0: with the place it is. */
double bestdag_least_squares_residual(struct bestdag_least_squares *r,
                                      int place);
/* The family of a child and some parents, for any condition. */
int bestdag_least_squares_fit(struct bestdag_least_squares *r,
                              const int *places, int count, int child,
                              struct bestdag_residual *to);
/* The same in double-double arithmetic, which is used for ill-conditioned
 * ones. */
int bestdag_least_squares_fit_accurately(struct bestdag_least_squares *r,
                                         const int *places, int count,
                                         int child,
                                         struct bestdag_residual *to);
/* The determinant of the first `count` of the set. */
static inline struct bestdag_determinant bestdag_determinant_of(
    const struct bestdag_least_squares *r, int count)
{
    return count ? r->determinant[count - 1]
                 : (struct bestdag_determinant){.scale = 1};
}
double bestdag_determinant_ln(struct bestdag_determinant d);

/* For each of added[many], the result of bestdag_least_squares_fit() with it
 * and `places`, to the bit. `added` ascends and contains neither places nor the
 * child. Not OK: out of memory. */
int bestdag_least_squares_add(struct bestdag_least_squares *r,
                              const int *places, int count, int child,
                              const int *added, int many,
                              struct bestdag_residual *to);
/* The same for one family in long double, computed from scratch: 0 and NAN if
 * it is singular. */
int bestdag_least_squares_exactly(struct bestdag_least_squares *r,
                                  const int *places, int count, int place,
                                  double *residual, double *ln_determinant);

#endif
