/* SPDX-License-Identifier: MIT */
/* affine.c -- linear equations solved for as many entries as they have rank;
 * the others are the coordinates y. */
#include "constraints/parameters/affine.h"

#include <math.h>
#include <string.h>

#define NOTHING 1e-11 /* a coefficient, once every row has size 1 */
#define MISSED 1e-9   /* residuals above this are not rounding errors */

/* Makes the largest coefficient of every row 1. */
static void scale_rows(double *e, int rows, int n)
{
    for (int i = 0; i < rows; i++) {
        double most = 0, *row = e + (size_t)i * (n + 1);
        for (int j = 0; j < n; j++)
            most = fmax(most, fabs(row[j]));
        if (most > 0)
            for (int j = 0; j <= n; j++)
                row[j] /= most;
    }
}

/* The largest coefficient from row `from` on; its row, or -1: all are 0. */
static int find_pivot(const double *e, int from, int rows, int n, int *column)
{
    double most = NOTHING;
    int best = -1;
    for (int i = from; i < rows; i++)
        for (int j = 0; j < n; j++)
            if (fabs(e[(size_t)i * (n + 1) + j]) > most) {
                most = fabs(e[(size_t)i * (n + 1) + j]);
                best = i;
                *column = j;
            }
    return best;
}

static void swap_rows(double *a, double *b, int n)
{
    for (int j = 0; a != b && j <= n; j++) {
        double x = a[j];
        a[j] = b[j];
        b[j] = x;
    }
}

static void eliminate(double *e, int rows, int n, int rank, int column)
{
    double *pivot = e + (size_t)rank * (n + 1), by = pivot[column];
    for (int j = 0; j <= n; j++)
        pivot[j] /= by;
    for (int i = 0; i < rows; i++) {
        double *row = e + (size_t)i * (n + 1), factor = row[column];
        if (i == rank || factor == 0)
            continue;
        for (int j = 0; j <= n; j++)
            row[j] -= factor * pivot[j];
        row[column] = 0;
    }
}

/* pivot[j] is the row that gives entry j, or -1. */
static void read_off(struct bestdag_affine *a, const double *e)
{
    int n = a->n, y = 0;
    memset(a->basis, 0, (size_t)n * a->dim * sizeof *a->basis);
    for (int j = 0; j < n; j++)
        if (a->pivot[j] < 0) {
            for (int i = 0; i < n; i++)
                if (a->pivot[i] >= 0)
                    a->basis[(size_t)i * a->dim + y] =
                        -e[(size_t)a->pivot[i] * (n + 1) + j];
            a->basis[(size_t)j * a->dim + y++] = 1;
        }
    for (int i = 0; i < n; i++)
        a->origin[i] =
            a->pivot[i] < 0 ? 0 : e[(size_t)a->pivot[i] * (n + 1) + n];
}

bool bestdag_affine_solve(struct bestdag_affine *a, double *equations, int rows)
{
    int n = a->n, rank = 0, row, column = 0;
    for (int j = 0; j < n; j++)
        a->pivot[j] = -1;
    scale_rows(equations, rows, n);
    while ((row = find_pivot(equations, rank, rows, n, &column)) >= 0) {
        swap_rows(equations + (size_t)rank * (n + 1),
                  equations + (size_t)row * (n + 1), n);
        eliminate(equations, rows, n, rank, column);
        a->pivot[column] = rank++;
    }
    a->dim = n - rank;
    read_off(a, equations);
    for (int i = rank; i < rows; i++)
        if (!(fabs(equations[(size_t)i * (n + 1) + n]) <= MISSED))
            return false;
    return true;
}
