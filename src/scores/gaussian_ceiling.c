/* SPDX-License-Identifier: MIT */
/* gaussian_ceiling.c -- an upper bound on the log-likelihood of a column for
 * any parents: that given all other columns.
 *
 * RSS falls with every parent, so the residual sum of squares given all others
 * is the least; it is the reciprocal of the diagonal element of the inverse of
 * the matrix of cross-products. Computed once, in long double: n^3 / 2
 * products.
 *
 * Rounding. A Cholesky factor has the residuals of a matrix that differs from
 * the given one by at most about k eps of its diagonal in each element (Higham
 * 2002, Theorem 10.3). With tau the least residual given all others, as part of
 * the variance, coefficients of standardised columns are at most 1 / sqrt(tau):
 * a residual is off by at most (k + 1)^2 eps / tau^2 of itself. The ceilings
 * are raised by 4 N times that; if that exceeds a certain part of the cost of a
 * parent, they are not used.
 *
 * Ill-conditioned families use accurate cross-products; those in double differ
 * from them by at most SUMMED eps of the diagonal. With lambda the least
 * eigenvalue of the correlations, a residual is v'Av >= lambda v'v, so it
 * changes by at most n SUMMED eps / lambda of itself, and 1 / lambda is at most
 * the trace of the inverse: the sum of 1 / tau over the columns. */
#include <float.h>
#include <math.h>

#include "scores/gaussian_score.h"

enum { MOST = 1000 }; /* columns: n^3 / 2 takes a second */

#define SUMMED 70        /* eps: additions in a block of moments.c, and a few */
#define MOST_MARGIN 0.25 /* of what a parent costs */

/* 1 for a constant column, which is unrelated to others. */
static double diagonal(const struct bestdag_moments *m, const double *ridge,
                       int i)
{
    if (m->constant[i])
        return 1;
    return bestdag_moments_cross(m, i, i) + (ridge ? ridge[i] : 0);
}

/* Computes the factor of the correlations, row by row; returns the number of
 * columns before the first one that is determined by earlier ones. The ridge is
 * added to the diagonal; NULL: none. */
static int factorise(const struct bestdag_moments *m, const double *ridge,
                     long double *factor)
{
    for (int i = 0; i < m->numbers; i++) {
        long double *row = factor + (size_t)i * ((size_t)i + 1) / 2;
        long double own = diagonal(m, ridge, i), rest = 1;
        for (int j = 0; j < i; j++) {
            const long double *other = factor + (size_t)j * ((size_t)j + 1) / 2;
            long double sum = bestdag_moments_cross(m, i, j) /
                              sqrtl(own * diagonal(m, ridge, j));
            for (int k = 0; k < j; k++)
                sum -= row[k] * other[k];
            row[j] = sum / other[j];
            rest -= row[j] * row[j];
        }
        if (!(rest > BESTDAG_SINGULAR))
            return i;
        row[i] = sqrtl(rest);
    }
    return m->numbers;
}

/* 1 / diagonal of the inverse: computes column c of the inverse of the factor
 * by forward substitution; the sum of its squares is the diagonal element. */
static void invert(const long double *factor, int n, long double *column,
                   double *to)
{
    for (int c = 0; c < n; c++) {
        long double sum = 0;
        for (int i = c; i < n; i++) {
            const long double *row = factor + (size_t)i * ((size_t)i + 1) / 2;
            long double x = i == c;
            for (int k = c; k < i; k++)
                x -= row[k] * column[k];
            column[i] = x / row[i];
            sum += column[i] * column[i];
        }
        to[c] = (double)(1 / sum);
    }
}

/* The largest rounding error of a score, in nats, for `rows` times the
 * logarithm of a residual; part[v] is the least residual of v. */
static double rounding(const double *part, int count, double rows)
{
    double least = 1, trace = 0, n = count;
    for (int v = 0; v < count; v++) {
        least = part[v] < least ? part[v] : least;
        trace += 1 / part[v];
    }
    return 4 * rows * (n + 1) * (n + 1) * DBL_EPSILON / (least * least) +
           rows * n * SUMMED * DBL_EPSILON * trace + 1e-9;
}

/* Converts parts of the variance to log-likelihoods, raised by the margin. */
static bool finish(const struct bestdag_moments *m, double per_parent,
                   double *ceiling, double *more)
{
    double margin = rounding(ceiling, m->numbers, m->total);
    *more = 0;
    if (!(margin < MOST_MARGIN * per_parent))
        return false;
    for (int v = 0; v < m->numbers; v++) {
        double rss = ceiling[v] * bestdag_moments_cross(m, v, v);
        double ll =
            bestdag_gaussian_score_likelihood(m->total, rss, m->exponent[v]);
        ceiling[v] = ll + margin + 1e-12 * fabs(ll);
        *more = fmax(*more, margin + 1e-12 * fabs(ll));
    }
    return true;
}

/* Constant columns do not matter, but would make the matrix singular. */
static bool has_constant(const struct bestdag_moments *m)
{
    for (int v = 0; v < m->numbers; v++)
        if (m->constant[v])
            return true;
    return false;
}

/* Computes the residual of each column given all others, as part of the
 * diagonal, in part[n]; false: singular, or out of memory. */
static bool find_residuals(struct bestdag_run *run,
                           const struct bestdag_moments *m, const double *ridge,
                           double *part)
{
    size_t n = (size_t)m->numbers;
    long double *factor = bestdag_alloc(run, n * (n + 1) / 2 * sizeof *factor);
    long double *column = bestdag_alloc(run, n * sizeof *column);
    bool known = factor && column && factorise(m, ridge, factor) == m->numbers;
    if (known)
        invert(factor, m->numbers, column, part);
    bestdag_free(factor);
    bestdag_free(column);
    return known && !bestdag_run_status(run);
}

bool bestdag_gaussian_score_ceilings(struct bestdag_run *run,
                                     const struct bestdag_moments *m,
                                     double per_parent, double *ceiling,
                                     double *margin)
{
    if (m->numbers > MOST || m->total < m->numbers + 1 || has_constant(m))
        return false;
    return find_residuals(run, m, NULL, ceiling) &&
           finish(m, per_parent, ceiling, margin);
}

bool bestdag_gaussian_score_spreads(struct bestdag_run *run,
                                    struct bestdag_gaussian_score *g)
{
    const struct bestdag_moments *m = g->moments;
    if (m->numbers > MOST || has_constant(m) ||
        !find_residuals(run, m, g->ridge, g->spread))
        return false;
    g->margin = rounding(g->spread, m->numbers, 2 * (m->total + g->iss_w));
    for (int v = 0; v < m->numbers; v++)
        g->spread[v] =
            log(g->spread[v] * diagonal(m, g->ridge, v) / g->ridge[v]) - 1e-9;
    return g->margin < MOST_MARGIN * log(m->total + 1) / 2;
}

int bestdag_moments_determined(struct bestdag_run *run,
                               const struct bestdag_moments *m)
{
    size_t n = (size_t)m->numbers;
    if (m->numbers > MOST || m->total < m->numbers + 1)
        return -1;
    long double *factor = bestdag_alloc(run, n * (n + 1) / 2 * sizeof *factor);
    int rank = factor ? factorise(m, NULL, factor) : m->numbers;
    bestdag_free(factor);
    return rank < m->numbers ? rank : -1;
}
