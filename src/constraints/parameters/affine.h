/* SPDX-License-Identifier: MIT */
/* affine.h -- the points that satisfy linear equations, as origin + basis * y.
 */
#ifndef BESTDAG_CONSTRAINTS_PARAMETERS_AFFINE_H
#define BESTDAG_CONSTRAINTS_PARAMETERS_AFFINE_H

#include <stdbool.h>

struct bestdag_affine {
    int n, dim;
    double *origin; /* [n] */
    double *basis;  /* [n * dim], room for [n * n]; row i belongs to entry i */
    int *pivot;     /* [n]: scratch */
};

/* equations: [rows * (n + 1)], the constant last; destroyed. False: no point
 * satisfies them. Gauss and Jordan with complete pivoting, O(rows^2 n). */
bool bestdag_affine_solve(struct bestdag_affine *a, double *equations,
                          int rows);

#endif
