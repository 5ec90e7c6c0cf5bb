/* SPDX-License-Identifier: MIT */
/* factor.h -- tables over several variables, multiplied and summed. */
#ifndef BESTDAG_INFERENCE_FACTOR_H
#define BESTDAG_INFERENCE_FACTOR_H

#include "base/run.h"

/* Row-major: the last variable of the scope changes fastest. */
struct bestdag_factor {
    int count;
    const int *scope;   /* [count] */
    const double *cell; /* [product of states] */
    double *own;        /* owns: cell, or NULL if it is borrowed */
    int next;           /* for lists of factors; -1: the end */
};

/* The product of factors over the axes, the last of which is summed out unless
 * it is -1. Every variable of every factor must be an axis. */
struct bestdag_product {
    const struct bestdag_factor *factor;
    const int *list; /* which of them; [factors] */
    int factors;
    const int *axis; /* of the result, row-major; [axes] */
    int axes;
    int summed;        /* a variable, or -1 */
    const int *states; /* by variable */
    bool watches;      /* this is the run's own thread */
};

/* Writes the result, all cells of it; a stop ends it early with BESTDAG_FAILED
 * and an error that says so. Time: cells times states of `summed` times
 * factors. */
int bestdag_product_compute(struct bestdag_run *run,
                            const struct bestdag_product *product, double *to);

#endif
