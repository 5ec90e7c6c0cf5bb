/* SPDX-License-Identifier: MIT */
/* accurate_moments.c -- cross-products and residuals in double-double
 * arithmetic.
 *
 * A residual that is a part tau of its variance has lost a factor 1 / tau of
 * the precision of the cross-products, which is 1e-15 for doubles: at tau =
 * 1e-10 only five digits would be left. Here sums of products are as if
 * computed with 106 bits and then rounded (Dot2 of Ogita, Rump and Oishi 2005),
 * and so is their factor. Time: about 5 ns per row for a cross-product, which
 * is cached, and a microsecond for a family of a few parents. */
#include "scores/accurate_moments.h"

#include <math.h>

enum { KEPT = 1 << 14 }; /* all pairs of 180 columns; 384 KiB per thread */

struct kept {
    size_t pair; /* index in the triangle + 1; 0: none */
    struct bestdag_double_double cross;
};

struct bestdag_accurate_moments {
    const struct bestdag_moments *moments; /* borrowed */
    struct kept *kept;                     /* owns; [KEPT] */
};

struct bestdag_accurate_moments *bestdag_accurate_moments_new(
    struct bestdag_run *run, const struct bestdag_moments *moments)
{
    struct bestdag_accurate_moments *a = bestdag_calloc(run, 1, sizeof *a);
    if (!a)
        return NULL;
    a->moments = moments;
    a->kept = bestdag_calloc(run, KEPT, sizeof *a->kept);
    if (a->kept)
        return a;
    bestdag_accurate_moments_free(a);
    return NULL;
}

void bestdag_accurate_moments_free(struct bestdag_accurate_moments *a)
{
    if (!a)
        return;
    bestdag_free(a->kept);
    bestdag_free(a);
}

/* The sum of the products of two columns; y NULL: of one. */
static struct bestdag_double_double sum_products(const double *x,
                                                 const double *y,
                                                 const int32_t *weights,
                                                 int64_t rows)
{
    double high = 0, low = 0;
    for (int64_t r = 0; r < rows; r++) {
        struct bestdag_double_double p =
            bestdag_dd_two_product(x[r], y ? y[r] : 1);
        double rest = p.low;
        if (weights) {
            p = bestdag_dd_two_product(p.high, weights[r]);
            rest = rest * weights[r] + p.low;
        }
        struct bestdag_double_double sum = bestdag_dd_two_sum(high, p.high);
        high = sum.high;
        low += sum.low + rest;
    }
    return bestdag_dd_normalise(high, low);
}

/* Subtracts (sum x) (sum y) / N. */
struct bestdag_double_double bestdag_accurate_product(const double *x,
                                                      const double *y,
                                                      const int32_t *weights,
                                                      int64_t rows)
{
    struct bestdag_double_double total = {(double)rows, 0};
    for (int64_t r = 0; weights && r < rows; r++)
        total.high += weights[r] - 1;
    if (!(total.high > 0))
        return (struct bestdag_double_double){0, 0};
    return bestdag_dd_subtract_product(
        sum_products(x, y, weights, rows), sum_products(x, NULL, weights, rows),
        bestdag_dd_divide(sum_products(y, NULL, weights, rows), total));
}

struct bestdag_double_double bestdag_accurate_moments_cross(
    struct bestdag_accurate_moments *a, int i, int j)
{
    const struct bestdag_moments *m = a->moments;
    size_t pair = bestdag_triangle(i, j);
    struct kept *kept = &a->kept[pair % KEPT];
    if (!m->is_of_rows)
        return (struct bestdag_double_double){bestdag_moments_cross(m, i, j),
                                              0};
    if (kept->pair != pair + 1)
        *kept = (struct kept){
            pair + 1, bestdag_accurate_product(m->value[i > j ? i : j],
                                               m->value[i > j ? j : i],
                                               m->table->weights, m->rows)};
    return kept->cross;
}

/* LDL': row i has L, with d on the diagonal. */
struct bestdag_residual bestdag_accurate_residual(
    struct bestdag_double_double *triangle, int count, const double *least)
{
    struct bestdag_residual to = {.determinant = {.scale = 1}};
    for (int i = 0; i < count; i++) {
        struct bestdag_double_double *row = triangle + bestdag_triangle(i, 0);
        struct bestdag_double_double rest = row[i];
        for (int j = 0; j < i; j++) { /* row[j] is first L d of it */
            const struct bestdag_double_double *other =
                triangle + bestdag_triangle(j, 0);
            for (int l = 0; l < j; l++)
                row[j] = bestdag_dd_subtract_product(
                    row[j], bestdag_dd_multiply(row[l], other[l]),
                    triangle[bestdag_triangle(l, l)]);
            struct bestdag_double_double slope =
                bestdag_dd_divide(row[j], other[j]);
            rest = bestdag_dd_subtract_product(rest, row[j], slope);
            row[j] = slope;
        }
        if (!(rest.high > least[i]))
            return (struct bestdag_residual){0};
        row[i] = rest;
        if (i < count - 1)
            bestdag_determinant_multiply(&to.determinant, rest.high);
        else
            to.squares = rest.high;
    }
    return to;
}
