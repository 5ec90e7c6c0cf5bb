/* SPDX-License-Identifier: MIT */
/* regressions.c -- scores of columns of numbers, from the rows, in long double.
 *
 * For every joint state of the parents of states: the means and the centred
 * cross-products of the parents of numbers and the child; Gaussian elimination
 * leaves the residual sum of squares of the child. Parents are eliminated in
 * the order of the columns. A pivot of at most 1e-10 of what these rows have of
 * the variance of its column in the table, or no more rows than coefficients,
 * makes the family singular: it has no score.
 *
 *     ll-g    -(N / 2) (ln(2 pi RSS / N) + 1), summed over the joint states
 *     bge     Geiger and Heckerman 2002, Kuipers and others 2014: the quotient
 *             of the marginal likelihoods of the set with and without the child
 *
 * No superset within the set and those that may still join it has a smaller
 * residual than all of them together; each has a parameter more. */
#include <math.h>
#include <stdlib.h>

#include "verify/recount/recount.h"

#define SINGULAR 1e-10L
#define SLACK 1e-6 /* nats, added to a ceiling */
static const long double PI = 3.141592653589793238462643383279502884L;

/* ---- the whole table ----------------------------------------------------- */

static long double centred(const struct verify_recount *r, int v,
                           long double *mean)
{
    long double sum = 0, squares = 0;
    for (int64_t i = 0; i < r->rows; i++)
        sum += (long double)r->times[i] * r->value[v][i];
    *mean = r->total > 0 ? sum / r->total : 0;
    for (int64_t i = 0; i < r->rows; i++)
        squares +=
            r->times[i] * (r->value[v][i] - *mean) * (r->value[v][i] - *mean);
    return squares;
}

static int fill_whole(struct verify_recount *r, const long double *mean)
{
    int n = r->lists->n;
    size_t cells = (size_t)n * (size_t)n;
    r->whole = bestdag_calloc(r->run, cells + 1, sizeof *r->whole);
    for (int u = 0; r->whole && u < n; u++)
        for (int v = 0; v <= u && r->value[u]; v++) {
            long double sum = 0;
            bool is_zero = !r->value[v] || r->states[u] < 2 || r->states[v] < 2;
            for (int64_t i = 0; !is_zero && i < r->rows; i++)
                sum += r->times[i] * (r->value[u][i] - mean[u]) *
                       (r->value[v][i] - mean[v]);
            r->whole[u * n + v] = r->whole[v * n + u] = sum;
        }
    return bestdag_run_status(r->run);
}

int bestdag_recount_moments(struct verify_recount *r)
{
    int n = r->lists->n, numbers = 0;
    for (int v = 0; v < n; v++)
        numbers += r->value[v] != NULL;
    if (!numbers)
        return BESTDAG_OK;
    long double *mean = bestdag_calloc(r->run, (size_t)n, sizeof *mean);
    for (int v = 0; mean && v < n; v++)
        if (r->value[v]) {
            long double most = 0, squares = centred(r, v, &mean[v]);
            for (int64_t i = 0; i < r->rows; i++)
                most = fmaxl(most, fabsl((long double)r->value[v][i]));
            if (!(squares > 1e-26L * most * most * r->total))
                r->states[v] = 1;
        }
    int status = mean ? fill_whole(r, mean) : BESTDAG_MEMORY;
    bestdag_free(mean);
    return status;
}

/* ---- elimination --------------------------------------------------------- */

/* The columns of the current family: its parents, then the child. */
static int column_of(const struct verify_recount *r, int child, int i)
{
    return i < r->numbers ? r->number[i] : child;
}

/* Eliminates all columns of a symmetric matrix but the child; returns the
 * child's residual in `share` of the rows, 0 if the matrix is singular.
 * *ln_determinant: of the others. */
static long double eliminate(const struct verify_recount *r, int child,
                             long double *a, long double share,
                             long double ridge, long double *ln_determinant)
{
    int wide = r->numbers + 1, n = r->lists->n;
    *ln_determinant = 0;
    for (int i = 0; i < wide; i++)
        a[i * wide + i] += ridge;
    for (int i = 0; i < wide; i++) {
        int v = column_of(r, child, i);
        long double whole = r->whole[v * n + v] + ridge;
        for (int k = 0; k < i; k++) { /* columns eliminated before */
            long double part = a[i * wide + k] / a[k * wide + k];
            for (int j = k + 1; j < wide; j++)
                a[i * wide + j] -= part * a[k * wide + j];
        }
        if (!(a[i * wide + i] > SINGULAR * share * whole))
            return 0;
        if (i < wide - 1)
            *ln_determinant += logl(a[i * wide + i]);
    }
    return a[wide * wide - 1];
}

/* The residual of a child over all rows. */
static int whole_residual(struct verify_recount *r, int child,
                          long double ridge, long double *residual,
                          long double *ln_determinant)
{
    int n = r->lists->n, wide = r->numbers + 1;
    long double *a =
        bestdag_alloc(r->run, (size_t)wide * (size_t)wide * sizeof *a);
    for (int i = 0; a && i < wide; i++)
        for (int j = 0; j < wide; j++)
            a[i * wide + j] =
                r->whole[column_of(r, child, i) * n + column_of(r, child, j)];
    *residual = a ? eliminate(r, child, a, 1, ridge, ln_determinant) : 0;
    bestdag_free(a);
    return bestdag_run_status(r->run);
}

static double likelihood(double rows, long double residual)
{
    return residual > 0
               ? (double)(-rows / 2 * (logl(2 * PI * residual / rows) + 1))
               : -INFINITY;
}

void bestdag_recount_rank(const struct verify_recount *r, int child, int *at,
                          int count)
{
    int n = r->lists->n;
    for (int i = 1; i < count && r->value[child]; i++) {
        int u = at[i], j = i;
        for (; j > 0 && r->value[u] && r->value[at[j - 1]]; j--) {
            int w = at[j - 1];
            const long double *row = r->whole + (size_t)child * (size_t)n;
            if (row[u] * row[u] * r->whole[w * n + w] <=
                row[w] * row[w] * r->whole[u * n + u])
                break;
            at[j] = w;
        }
        at[j] = u;
    }
}

/* ---- by joint states ----------------------------------------------------- */

/* Sums up all groups: rows, means, cross-products. */
static void add_up(const struct verify_recount *r, int child,
                   const struct verify_grouping *g, long double *group,
                   size_t size)
{
    int wide = r->numbers + 1;
    for (int64_t i = 0; i < r->rows; i++) {
        long double *to = group + (size_t)g->of[i] * size;
        to[0] += r->times[i];
        for (int a = 0; a < wide; a++)
            to[1 + a] +=
                r->times[i] * (long double)r->value[column_of(r, child, a)][i];
    }
    for (int32_t j = 0; j < g->count; j++)
        for (int a = 0; a < wide && group[(size_t)j * size] > 0; a++)
            group[(size_t)j * size + 1 + (size_t)a] /= group[(size_t)j * size];
    for (int64_t i = 0; i < r->rows; i++) {
        long double *to = group + (size_t)g->of[i] * size, *mean = to + 1;
        for (int a = 0; a < wide; a++)
            for (int b = 0; b < wide; b++)
                mean[wide + a * wide + b] +=
                    r->times[i] *
                    (r->value[column_of(r, child, a)][i] - mean[a]) *
                    (r->value[column_of(r, child, b)][i] - mean[b]);
    }
}

static int sum_groups(struct verify_recount *r, int child,
                      const struct verify_grouping *g, double *sum)
{
    size_t wide = (size_t)r->numbers + 1, size = 1 + wide + wide * wide;
    long double *group =
        bestdag_calloc(r->run, (size_t)g->count * size + 1, sizeof *group);
    *sum = 0;
    if (!group)
        return BESTDAG_MEMORY;
    add_up(r, child, g, group, size);
    for (int32_t j = 0; j < g->count; j++) {
        long double *of = group + (size_t)j * size, ln = 0;
        if (!(of[0] > 0))
            continue;
        *sum += of[0] < r->numbers + 2
                    ? -INFINITY
                    : likelihood((double)of[0],
                                 eliminate(r, child, of + 1 + wide,
                                           of[0] / r->total, 0, &ln));
    }
    bestdag_free(group);
    return BESTDAG_OK;
}

/* ---- scores -------------------------------------------------------------- */

static double ln_gamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

/* ln of the marginal likelihood of l columns with this ln |R|. */
static double marginal(const struct verify_recount *r, int l, double mu,
                       double w, double ln_determinant)
{
    double n = r->lists->n, rows = (double)r->total, sum = 0;
    double t = mu * (w - n - 1) / (mu + 1);
    for (int i = 1; i <= l; i++)
        sum += ln_gamma((rows + w - n + i) / 2) - ln_gamma((w - n + i) / 2);
    return sum + l / 2.0 * log(mu / (rows + mu)) -
           l * rows / 2 * (double)logl(PI) + (w - n + l) / 2 * l * log(t) -
           (rows + w - n + l) / 2 * ln_determinant;
}

static int score_bge(struct verify_recount *r, int child, double *score)
{
    double n = r->lists->n, mu = r->iss_mu;
    double w = r->iss_w > 0 ? r->iss_w : n + mu + 1;
    long double residual = 0, ln = 0;
    if (whole_residual(r, child, mu * (w - n - 1) / (mu + 1), &residual, &ln))
        return BESTDAG_MEMORY;
    if (residual > 0)
        *score =
            marginal(r, r->numbers + 1, mu, w, (double)(ln + logl(residual))) -
            marginal(r, r->numbers, mu, w, (double)ln);
    return BESTDAG_OK;
}

/* The score without parents of states: all rows are one group. */
static int score_whole(struct verify_recount *r, int child, double *ll)
{
    long double residual = 0, ln = 0;
    if (whole_residual(r, child, 0, &residual, &ln))
        return BESTDAG_MEMORY;
    *ll = r->total < r->numbers + 2 ? -INFINITY
                                    : likelihood((double)r->total, residual);
    return BESTDAG_OK;
}

/* The ceiling over the set and all columns that may still be added; none of
 * these may have states. */
static int find_ceiling(struct verify_recount *r, int child, double *ceiling)
{
    int count = r->numbers, all = count + r->laters;
    long double residual = 0, ln = 0;
    for (int i = 0; i < r->laters; i++)
        if (!r->value[r->later[i]])
            return BESTDAG_OK;
    for (int i = 0; i < r->laters; i++)
        r->number[r->numbers++] = r->later[i];
    int status = whole_residual(r, child, 0, &residual, &ln);
    r->numbers = count;
    if (!status && residual > 0 && r->total > all + 1)
        *ceiling = likelihood((double)r->total, residual) -
                   r->weight * (count + 3) + SLACK;
    return status;
}

static int by_place(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int bestdag_recount_number(struct verify_recount *r, int child,
                           const struct verify_grouping *g, double q,
                           double *score, double *ceiling)
{
    double ll = 0;
    *score = -INFINITY;
    *ceiling = INFINITY;
    qsort(r->number, (size_t)r->numbers, sizeof *r->number, by_place);
    if (r->states[child] < 2 && r->formula == VERIFY_FORMULA_GAUSSIAN) {
        *score = *ceiling = r->numbers || g->count > 1 ? -INFINITY : 0;
        return BESTDAG_OK;
    }
    if (r->formula == VERIFY_FORMULA_BGE)
        return score_bge(r, child, score);
    if (g->count <= 1 && q <= 1 ? score_whole(r, child, &ll)
                                : sum_groups(r, child, g, &ll))
        return BESTDAG_MEMORY;
    *score = ll - r->weight * (r->numbers + 2) * q;
    if (isinf(ll))
        *ceiling = -INFINITY;
    else if (g->count <= 1 && q <= 1)
        return find_ceiling(r, child, ceiling);
    return BESTDAG_OK;
}
