/* SPDX-License-Identifier: MIT */
/* interior_point.h -- convex programmes with a weighted log objective, by a
 * primal-dual interior-point method.
 *
 *     minimise    last * v[dim - 1]  -  sum of weight[i] * log(slack i)
 *     subject to  slack i = limit[i] - row[i] . v >= 0        (linear)
 *                 |row . v + at|^2 + last * v[dim - 1] <= limit    (balls)
 *                 value(v) <= 0                                   (curves)
 *
 * A log likelihood is of this kind: the slack of "theta >= 0" is theta, its
 * weight the count. Both the counts and the vanishing barrier are then targets
 * for slack times multiplier: the count's share for the first, a number that
 * goes to 0 for the second. Newton steps on these equations (Boyd and
 * Vandenberghe 2004, section 11.7) converge in 10 to 25 steps of cost
 * O(rows * dim^2 + dim^3), and the duality gap is known at every step. The
 * curvature of curves is found by differences of their gradients. */
#ifndef BESTDAG_CONSTRAINTS_PARAMETERS_INTERIOR_POINT_H
#define BESTDAG_CONSTRAINTS_PARAMETERS_INTERIOR_POINT_H

#include <stdbool.h>
#include <stddef.h>

struct bestdag_interior_round {
    int rows;
    const double *row; /* [rows * dim] */
    const double *at;  /* [rows] */
    double last;
    double limit;
};

/* A smooth convex function, which must be at most 0. It is only asked inside
 * the linear constraints. */
struct bestdag_convex_function {
    double (*value)(const void *of, const double *v, double *gradient);
    const void *of;
};

struct bestdag_interior_point {
    int dim;
    int rows;
    const double *row;    /* [rows * dim] */
    const double *limit;  /* [rows] */
    const double *weight; /* [rows]; the sum is about 1. NULL: all are 0 */
    int balls;
    const struct bestdag_interior_round *ball;
    int curves;
    const struct bestdag_convex_function *convex;
    double last;
    double tolerance; /* of the objective */
};

/* Doubles of scratch. */
size_t bestdag_interior_point_room(int dim, int rows, int balls, int curves);
/* v: strictly feasible, then the best point, strictly feasible too. multiplier
 * (may be NULL): [rows + balls + curves]. Returns the duality gap reached,
 * which exceeds the tolerance when the method got stuck. */
double bestdag_interior_point_solve(const struct bestdag_interior_point *p,
                                    double *v, double *multiplier,
                                    double *scratch);

#endif
