/* SPDX-License-Identifier: MIT */
/* plain.c -- one pass over byte columns into a dense table, for every child and
 * set again. x log x comes from a table already; built with -O2. */
#include "plain.h"

#include <math.h>
#include <string.h>

static double likelihood(const struct plain *p, int64_t q, int r)
{
    double sum = 0;
    for (int64_t j = 0; j < q; j++) {
        int32_t all = 0;
        for (int k = 0; k < r; k++) {
            sum += p->xlogx[p->cell[j * r + k]];
            all += p->cell[j * r + k];
        }
        sum -= p->xlogx[all];
    }
    return sum - log((double)p->rows) / 2 * (r - 1) * (double)q;
}

static double dirichlet(const struct plain *p, int64_t q, int r)
{
    double sum = 0, a = p->ess / (double)q / r, all_a = p->ess / (double)q;
    for (int64_t j = 0; j < q; j++) {
        int32_t all = 0;
        for (int k = 0; k < r; k++)
            if (p->cell[j * r + k]) {
                sum += lgamma(a + p->cell[j * r + k]) - lgamma(a);
                all += p->cell[j * r + k];
            }
        if (all)
            sum -= lgamma(all_a + all) - lgamma(all_a);
    }
    return sum;
}

double plain_score(const struct plain *p, int child, const int *parents,
                   int count)
{
    int r = p->states[child];
    int64_t q = 1;
    for (int i = 0; i < count; i++)
        q *= p->states[parents[i]];
    if (q * r > p->room)
        return -1e300;
    memset(p->cell, 0, (size_t)(q * r) * sizeof *p->cell);
    for (int64_t row = 0; row < p->rows; row++) {
        int64_t j = 0;
        for (int i = 0; i < count; i++)
            j = j * p->states[parents[i]] + p->column[parents[i]][row];
        p->cell[j * r + p->column[child][row]]++;
    }
    return p->ess > 0 ? dirichlet(p, q, r) : likelihood(p, q, r);
}
