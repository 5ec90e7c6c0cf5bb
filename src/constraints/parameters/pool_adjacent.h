/* SPDX-License-Identifier: MIT */
/* pool_adjacent.h -- constrained likelihoods that have a closed form: pool
 * adjacent violators. */
#ifndef BESTDAG_CONSTRAINTS_PARAMETERS_POOL_ADJACENT_H
#define BESTDAG_CONSTRAINTS_PARAMETERS_POOL_ADJACENT_H

/* Maximises sum part[i] log p[i] + (whole[i] - part[i]) log(1 - p[i]) over
 * p[0] <= p[1] <= ...; 0 <= part <= whole, some whole > 0. Where whole is 0, p
 * is that of the nearest before, else after. scratch: [3 * count]. Time
 * O(count). */
void bestdag_pool_adjacent_rise(int count, const double *part,
                                const double *whole, double *p,
                                double *scratch);

/* Two distributions over `states` ordered from low to high of which the second
 * is stochastically not smaller: for every k the chance of state k or above is
 * not less in it. */
struct bestdag_pool_pair {
    int states;
    const int *order;         /* [states]: from low to high */
    const double *low, *high; /* counts of the first and the second */
    double *p, *q;            /* what is found */
};
/* Maximises the likelihood of both; some count is > 0. scratch: [6 * states].
 * Time O(states). */
void bestdag_pool_adjacent_dominate(const struct bestdag_pool_pair *pair,
                                    double *scratch);

#endif
