/* SPDX-License-Identifier: MIT */
/* exact_sum.h -- a sum of doubles that does not depend on their order, so that
 * it is the same however rows are counted: in units of 2^-60, for terms below
 * 2^66. */
#ifndef BESTDAG_SCORES_EXACT_SUM_H
#define BESTDAG_SCORES_EXACT_SUM_H

__extension__ typedef __int128 bestdag_exact_sum;

static inline void bestdag_exact_sum_add(bestdag_exact_sum *sum, double x)
{
    *sum += (bestdag_exact_sum)(x * 0x1p60);
}

static inline double bestdag_exact_sum_value(bestdag_exact_sum sum)
{
    return (double)sum * 0x1p-60;
}

#endif
