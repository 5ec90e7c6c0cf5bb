/* SPDX-License-Identifier: MIT */
/* fit_regression.c -- the regressions of a number: maximum likelihood.
 *
 * For every configuration of the parents with states: the weights of its rows,
 * the means of the numeric parents and of the number (first pass), their
 * centred cross products (second), the coefficients by a Cholesky factor, and
 * the sum of squared residuals themselves (third), which is more exact than the
 * value from the factor. The variance divides by the number of rows.
 *
 * A parent that is a linear function of earlier ones (its residual is below
 * ALIASED of its sum of squares) has coefficient 0. A configuration with no
 * more rows than coefficients and intercept does not determine the variance: it
 * gets the regression of the rows of all configurations; its count is its own
 * number of rows. A table without rows gives a standard normal.
 *
 * Rows are added up in their order by one thread, so that results do not depend
 * on threads. Time: rows times the square of the family; memory: as much for
 * each configuration. */
#include "models/fit_regression.h"

#include <math.h>
#include <string.h>

#include "base/cholesky.h"
#include "network/regression.h"

/* Relative to a sum of squares, or to a size: far above rounding errors (1e-16
 * times the root of the rows), far below the variation in data. */
static const double ALIASED = 1e-11, NO_DEVIATION = 1e-14;

/* Sums over groups of rows, one group per configuration or one for all. */
struct sums {
    int64_t groups;
    int k;              /* numeric parents */
    double *weight;     /* owns; [groups] */
    double *mean;       /* owns; [groups * (k + 1)]: parents, then the number */
    long double *total; /* owns; the same, not divided */
    double *cross;      /* owns; [groups * (k + 1)^2] */
    double *term;       /* owns; [groups * (k + 2)]: the result */
    const double **column; /* owns; [k + 1] */
};

static void release(struct sums *s)
{
    bestdag_free(s->weight);
    bestdag_free(s->mean);
    bestdag_free(s->total);
    bestdag_free(s->cross);
    bestdag_free(s->term);
    bestdag_free(s->column);
}

static int make_sums(struct bestdag_run *run,
                     const struct bestdag_fit_regression *job, int64_t groups,
                     struct sums *s)
{
    const struct bestdag_parents *p =
        &job->network->dag->parents[job->variable];
    size_t q = (size_t)groups, wide;
    s->groups = groups;
    s->column = bestdag_alloc(run, ((size_t)p->count + 1) * sizeof *s->column);
    for (int i = 0; s->column && i < p->count; i++)
        if (job->match->number[p->at[i]])
            s->column[s->k++] = job->match->number[p->at[i]];
    wide = (size_t)s->k + 1;
    s->weight = bestdag_calloc(run, q, sizeof *s->weight);
    s->mean = bestdag_calloc(run, q * wide, sizeof *s->mean);
    s->total = bestdag_calloc(run, q * wide, sizeof *s->total);
    s->cross = bestdag_calloc(run, q * wide * wide, sizeof *s->cross);
    s->term = bestdag_calloc(run, q * (wide + 1), sizeof *s->term);
    if (!bestdag_run_status(run))
        s->column[s->k] = job->match->number[job->variable];
    return bestdag_run_status(run);
}

/* ---- passes over the rows ------------------------------------------------ */

enum pass { MEANS, CROSS, RESIDUALS };

static void add_means(struct sums *s, int64_t g, int64_t row, double weight)
{
    long double *total = s->total + g * (s->k + 1);
    s->weight[g] += weight;
    for (int i = 0; i <= s->k; i++)
        total[i] += (long double)weight * s->column[i][row];
}

static void add_cross(struct sums *s, int64_t g, int64_t row, double weight)
{
    int wide = s->k + 1;
    const double *mean = s->mean + g * wide;
    double *cross = s->cross + g * wide * wide;
    for (int i = 0; i < wide; i++) {
        double x = weight * (s->column[i][row] - mean[i]);
        for (int j = 0; j <= i; j++)
            cross[i * wide + j] += x * (s->column[j][row] - mean[j]);
    }
}

/* Adds to the last term, the sum of squared residuals. */
static void add_residual(struct sums *s, int64_t g, int64_t row, double weight)
{
    double *term = s->term + g * (s->k + 2);
    double rest = s->column[s->k][row] - term[0];
    for (int i = 0; i < s->k; i++)
        rest -= term[i + 1] * s->column[i][row];
    term[s->k + 1] += weight * rest * rest;
}

static int pass_rows(struct bestdag_run *run,
                     const struct bestdag_fit_regression *job, struct sums *s,
                     enum pass pass)
{
    static void (*const add[])(struct sums *, int64_t, int64_t,
                               double) = {add_means, add_cross, add_residual};
    const int32_t *weights = job->match->weights;
    int digits = s->groups == 1
                     ? 0
                     : bestdag_match_family(job->match, job->network->dag,
                                            job->variable, job->digit);
    for (int64_t from = 0; from < job->rows; from += job->block) {
        int64_t left = job->rows - from;
        int n = left < job->block ? (int)left : job->block;
        if (bestdag_run_stopped(run))
            return BESTDAG_FAILED;
        bestdag_digits_index(job->digit, digits, from, n, job->index);
        for (int i = 0; i < n; i++) {
            int32_t weight = weights ? weights[from + i] : 1;
            if (weight > 0) /* else the index is arbitrary */
                add[pass](s, job->index[i], from + i, weight);
        }
    }
    return BESTDAG_OK;
}

/* ---- solving ------------------------------------------------------------- */

double bestdag_least_squares(const double *mean, double *cross, int k,
                             double *term)
{
    int wide = k + 1;
    double *last = cross + (ptrdiff_t)k * wide, whole = last[k];
    double explained = 0;
    /* The factor of all but the last row, packed to k columns. */
    for (int i = 1; i < k; i++)
        memmove(cross + (ptrdiff_t)i * k, cross + (ptrdiff_t)i * wide,
                (size_t)k * sizeof *cross);
    if (bestdag_cholesky(cross, k, ALIASED) < 0)
        return NAN;
    memcpy(term + 1, last, (size_t)k * sizeof *term);
    bestdag_cholesky_solve(cross, k, term + 1);
    term[0] = mean[k];
    for (int i = 0; i < k; i++) {
        term[0] -= term[i + 1] * mean[i];
        explained += term[i + 1] * last[i];
    }
    return fmax(whole - explained, 0) + (isfinite(term[0]) ? 0 : NAN);
}

/* Does a column vary, but so little that squares are lost? */
static bool is_too_small(const double *x, int64_t rows)
{
    double least = INFINITY, most = -INFINITY;
    for (int64_t r = 0; r < rows; r++) {
        least = fmin(least, x[r]); /* a missing one counts for nothing */
        most = fmax(most, x[r]);
    }
    double range = most - least;
    return range > 1e-13 * fmax(fabs(least), fabs(most)) && range < 1e-150;
}

/* The size of the numbers whose differences the residuals are: rounding errors
 * are a small fraction of it. */
static double size_of(const struct sums *s, int64_t g)
{
    const double *mean = s->mean + g * (s->k + 1);
    const double *term = s->term + g * (s->k + 2);
    double size = fabs(mean[s->k]);
    for (int i = 0; i < s->k; i++)
        size += fabs(term[i + 1] * mean[i]);
    return size;
}

static int refuse(struct bestdag_run *run,
                  const struct bestdag_fit_regression *job, const char *why)
{
    return bestdag_fail(run, BESTDAG_INPUT,
                        "the numbers of '%s' or of its parents are too %s for "
                        "a regression",
                        job->network->variable[job->variable].name, why);
}

/* Turns sums of squares into standard deviations. */
static int find_deviations(struct bestdag_run *run,
                           const struct bestdag_fit_regression *job,
                           struct sums *s)
{
    for (int64_t g = 0; g < s->groups; g++) {
        double *term = s->term + g * (s->k + 2), *sd = term + s->k + 1;
        if (!(s->weight[g] > 0)) {
            *sd = 1;
            continue;
        }
        *sd = sqrt(*sd / s->weight[g]);
        if (!isfinite(*sd) || *sd > 1e150)
            return refuse(run, job, "large");
        if (*sd <= NO_DEVIATION * size_of(s, g))
            *sd = 0;
    }
    return BESTDAG_OK;
}

static int estimate(struct bestdag_run *run,
                    const struct bestdag_fit_regression *job, struct sums *s)
{
    int wide = s->k + 1;
    for (int i = 0; i < wide; i++)
        if (is_too_small(s->column[i], job->rows))
            return refuse(run, job, "small");
    if (pass_rows(run, job, s, MEANS))
        return BESTDAG_FAILED;
    for (int64_t i = 0; i < s->groups * wide; i++)
        if (s->weight[i / wide] > 0)
            s->mean[i] = (double)(s->total[i] / s->weight[i / wide]);
    if (pass_rows(run, job, s, CROSS))
        return BESTDAG_FAILED;
    for (int64_t g = 0; g < s->groups; g++)
        if (isnan(bestdag_least_squares(s->mean + g * wide,
                                        s->cross + g * wide * wide, s->k,
                                        s->term + g * (wide + 1))))
            return refuse(run, job, "large");
    if (pass_rows(run, job, s, RESIDUALS))
        return BESTDAG_FAILED;
    return find_deviations(run, job, s);
}

static int estimate_all_rows(struct bestdag_run *run,
                             const struct bestdag_fit_regression *job,
                             double *term)
{
    struct sums s = {0};
    int status = make_sums(run, job, 1, &s);
    if (!status)
        status = estimate(run, job, &s);
    if (!status)
        memcpy(term, s.term, ((size_t)s.k + 2) * sizeof *term);
    release(&s);
    return status;
}

static int fill(struct bestdag_run *run,
                const struct bestdag_fit_regression *job, struct sums *s,
                int64_t *unseen)
{
    struct bestdag_variable *x = &job->network->variable[job->variable];
    int terms = s->k + 2;
    const double *pooled = NULL;
    memcpy(x->regression, s->term,
           (size_t)s->groups * (size_t)terms * sizeof *s->term);
    for (int64_t g = 0; g < s->groups; g++) {
        double *to = x->regression + g * terms;
        if (x->counts)
            x->counts[g] = (int64_t)s->weight[g];
        if (s->weight[g] > s->k + 1)
            continue;
        ++*unseen;
        if (s->groups == 1)
            continue;
        if (!pooled && estimate_all_rows(run, job, to))
            return BESTDAG_FAILED;
        if (pooled)
            memcpy(to, pooled, (size_t)terms * sizeof *to);
        pooled = to;
    }
    return BESTDAG_OK;
}

int bestdag_fit_regressions(struct bestdag_run *run,
                            const struct bestdag_fit_regression *job,
                            int64_t *unseen)
{
    struct sums s = {0};
    int64_t q = bestdag_network_configurations(job->network, job->variable);
    int status = make_sums(run, job, q, &s);
    if (!status)
        status = estimate(run, job, &s);
    if (!status)
        status = fill(run, job, &s, unseen);
    release(&s);
    return status;
}
