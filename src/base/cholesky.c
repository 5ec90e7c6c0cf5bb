/* SPDX-License-Identifier: MIT */
/* cholesky.c -- see cholesky.h. Row by row, sums in the order of the columns.
 */
#include "base/cholesky.h"

#include <math.h>
#include <stddef.h>

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

int bestdag_cholesky(double *matrix, int n, double tolerance)
{
    int rank = 0;
    for (int i = 0; i < n; i++) {
        double *row = matrix + (ptrdiff_t)i * n;
        for (int j = 0; j < i; j++) {
            const double *other = matrix + (ptrdiff_t)j * n;
            row[j] =
                other[j] > 0 ? (row[j] - dot(row, other, j)) / other[j] : 0;
        }
        double whole = row[i], pivot = whole - dot(row, row, i);
        if (!isfinite(pivot) || pivot < -10 * tolerance * whole || whole < 0)
            return -1;
        row[i] = pivot > tolerance * whole ? sqrt(pivot) : 0;
        rank += row[i] > 0;
    }
    return rank;
}

void bestdag_cholesky_forward(const double *factor, int n, double *x)
{
    for (int i = 0; i < n; i++) {
        const double *row = factor + (ptrdiff_t)i * n;
        x[i] = row[i] > 0 ? (x[i] - dot(row, x, i)) / row[i] : 0;
    }
}

void bestdag_cholesky_solve(const double *factor, int n, double *x)
{
    bestdag_cholesky_forward(factor, n, x);
    for (int i = n - 1; i >= 0; i--) {
        double sum = x[i], pivot = factor[(ptrdiff_t)i * n + i];
        for (int j = i + 1; j < n; j++)
            sum -= factor[(ptrdiff_t)j * n + i] * x[j];
        x[i] = pivot > 0 ? sum / pivot : 0;
    }
}
