/* SPDX-License-Identifier: MIT */
/* pool_adjacent.c -- pool adjacent violators, for chains of chances and for two
 * distributions in stochastic order.
 *
 * The second is Brunk, Franck, Hanson and Hogg (1966). Let a, b be the counts,
 * N their sum, and m the decreasing fit of b / (a + b) with weights a + b. With
 * multipliers of the order that are differences of N m the conditions of
 * optimality read p = a / (N (1 - m)), q = b / (N m); both put (A + B) / N on a
 * pool with sums A, B, so the order is tight between pools, and pooling makes
 * it hold inside. In a pool without b (m = 0) any q in that order is as good,
 * and q = p is one; the same the other way round. */
#include "constraints/parameters/pool_adjacent.h"

static void fill(int count, const double *whole, double *p)
{
    int first = 0;
    while (first < count && whole[first] <= 0)
        first++;
    for (int i = 0; i < first && first < count; i++)
        p[i] = p[first];
    for (int i = first + 1; i < count; i++)
        if (whole[i] <= 0)
            p[i] = p[i - 1];
}

void bestdag_pool_adjacent_rise(int count, const double *part,
                                const double *whole, double *p, double *scratch)
{
    double *sum = scratch, *weight = scratch + count,
           *last = scratch + 2 * count; /* member of the pool */
    int pools = 0;
    for (int i = 0; i < count; i++) {
        if (whole[i] <= 0)
            continue;
        sum[pools] = part[i];
        weight[pools] = whole[i];
        last[pools++] = i;
        /* a / b >= c / d without the division */
        while (pools > 1 && sum[pools - 2] * weight[pools - 1] >=
                                sum[pools - 1] * weight[pools - 2]) {
            sum[pools - 2] += sum[pools - 1];
            weight[pools - 2] += weight[pools - 1];
            last[pools - 2] = last[pools - 1];
            pools--;
        }
    }
    for (int i = 0, pool = 0; i < count && pool < pools; i++) {
        p[i] = sum[pool] / weight[pool];
        pool += i >= (int)last[pool];
    }
    fill(count, whole, p);
}

void bestdag_pool_adjacent_dominate(const struct bestdag_pool_pair *pair,
                                    double *scratch)
{
    int r = pair->states;
    double *part = scratch, *whole = part + r, *m = whole + r, total = 0;
    for (int i = 0; i < r; i++) { /* from high to low: there m rises */
        int k = pair->order[r - 1 - i];
        part[i] = pair->high[k];
        whole[i] = pair->low[k] + pair->high[k];
        total += whole[i];
    }
    bestdag_pool_adjacent_rise(r, part, whole, m, m + r);
    for (int i = 0; i < r; i++) {
        int k = pair->order[r - 1 - i];
        double low = pair->low[k], high = pair->high[k];
        pair->p[k] = m[i] < 1 ? low / (total * (1 - m[i])) : high / total;
        pair->q[k] = m[i] > 0 ? high / (total * m[i]) : low / total;
    }
}
