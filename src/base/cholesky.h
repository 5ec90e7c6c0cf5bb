/* SPDX-License-Identifier: MIT */
/* cholesky.h -- Cholesky factors of small dense symmetric matrices.
 *
 * A matrix of n rows is stored row by row; only its lower triangle is used. A
 * semidefinite matrix has a factor as well: a row that depends linearly on
 * earlier ones (its pivot is at most `tolerance` of its diagonal entry) has the
 * pivot 0 in L, so that L L' is still the matrix, up to that tolerance, and
 * solving leaves its unknown 0. Time n^3 / 3. */
#ifndef BESTDAG_BASE_CHOLESKY_H
#define BESTDAG_BASE_CHOLESKY_H

/* Replaces the lower triangle by L. Returns the rank; -1: not semidefinite, by
 * more than the tolerance, or not finite. */
int bestdag_cholesky(double *matrix, int n, double tolerance);
/* Replaces x by the solution of L x = x, or of L L' x = x; where the pivot is
 * 0, x is 0. */
void bestdag_cholesky_forward(const double *factor, int n, double *x);
void bestdag_cholesky_solve(const double *factor, int n, double *x);

#endif
