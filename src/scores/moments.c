/* SPDX-License-Identifier: MIT */
/* moments.c -- centred and scaled columns of numbers, and their cross-products.
 *
 * The sum over a block of rows has LANES partial sums, added from the first to
 * the last; blocks are added in long double. The residue of the rounded mean in
 * the centred values is subtracted: the corrected two-pass formula of Chan,
 * Golub and LeVeque 1983. Time: rows n^2 / 2. */
#include "scores/moments.h"

#include <math.h>

#include "parallel/parallel.h"

enum { BLOCK = 256, LANES = 4 };

/* A standard deviation below this part of the largest value is considered
 * rounding. */
#define ROUNDING 1e-13

struct job {
    struct bestdag_run *run;
    struct bestdag_moments *m;
    double *rest;     /* owns; [numbers]: sum of the centred values */
    double *weighted; /* owns; [threads * rows]; NULL: all weights are 1 */
};

static double weight_of(const struct bestdag_table *t, int64_t row)
{
    return t->weights ? t->weights[row] : 1;
}

/* ---- columns ------------------------------------------------------------- */

static int refuse_value(struct bestdag_run *run, const struct bestdag_column *c,
                        int64_t row, double x)
{
    if (isnan(x))
        return bestdag_fail(run, BESTDAG_INPUT,
                            "column '%s', row %lld: the number is missing: "
                            "read the table with --missing drop",
                            c->name, (long long)row + 1);
    return bestdag_fail(run, BESTDAG_INPUT,
                        "column '%s', row %lld: %s is not a finite number",
                        c->name, (long long)row + 1, x > 0 ? "inf" : "-inf");
}

/* Mean, largest absolute value and standard deviation. */
static int describe(struct bestdag_run *run, const struct bestdag_table *t,
                    const struct bestdag_column *c, long double *mean,
                    double *most, double *deviation)
{
    const double *x = c->cells;
    long double sum = 0, squares = 0, total = 0;
    *most = 0;
    for (int64_t r = 0; r < t->rows; r++) {
        if (!isfinite(x[r]))
            return refuse_value(run, c, r, x[r]);
        sum += (long double)x[r] * weight_of(t, r);
        total += weight_of(t, r);
        *most = fabs(x[r]) > *most ? fabs(x[r]) : *most;
    }
    *mean = total > 0 ? sum / total : 0;
    for (int64_t r = 0; r < t->rows; r++)
        squares += ((long double)x[r] - *mean) * ((long double)x[r] - *mean) *
                   weight_of(t, r);
    *deviation = total > 0 ? (double)sqrtl(squares / total) : 0;
    return BESTDAG_OK;
}

static int centre(struct job *job, int v)
{
    struct bestdag_moments *m = job->m;
    const struct bestdag_column *c = &m->table->column[m->column[v]];
    const double *x = c->cells;
    long double mean = 0, rest = 0;
    double most = 0, deviation = 0;
    if (describe(job->run, m->table, c, &mean, &most, &deviation))
        return bestdag_run_status(job->run);
    m->constant[v] = !(deviation > ROUNDING * most);
    m->exponent[v] = m->constant[v] ? 0 : ilogb(deviation);
    for (int64_t r = 0; r < m->rows; r++) {
        long double d = m->constant[v] ? 0 : (long double)x[r] - mean;
        m->value[v][r] = (double)ldexpl(d, -m->exponent[v]);
        rest += (long double)m->value[v][r] * weight_of(m->table, r);
    }
    job->rest[v] = (double)rest;
    return BESTDAG_OK;
}

/* ---- cross-products ------------------------------------------------------ */

long double bestdag_moments_product(const double *x, const double *y,
                                    int64_t rows)
{
    long double sum = 0;
    for (int64_t from = 0; from < rows; from += BLOCK) {
        int64_t end = rows - from < BLOCK ? rows : from + BLOCK, r = from;
        double lane[LANES] = {0};
        for (; r + LANES <= end; r += LANES)
            for (int i = 0; i < LANES; i++)
                lane[i] += x[r + i] * y[r + i];
        for (; r < end; r++)
            lane[0] += x[r] * y[r];
        sum += (lane[0] + lane[1]) + (lane[2] + lane[3]);
    }
    return sum;
}

static int multiply(void *data, int64_t item, int worker)
{
    struct job *job = data;
    struct bestdag_moments *m = job->m;
    const double *x = m->value[item];
    int v = (int)item;
    if (job->weighted) {
        double *w = job->weighted + (int64_t)worker * m->rows;
        for (int64_t r = 0; r < m->rows; r++)
            w[r] = x[r] * weight_of(m->table, r);
        x = w;
    }
    for (int u = 0; u <= v; u++)
        m->cross[bestdag_triangle(v, u)] =
            (double)(bestdag_moments_product(x, m->value[u], m->rows) -
                     (long double)job->rest[v] * job->rest[u] /
                         (m->total > 0 ? m->total : 1));
    return BESTDAG_OK;
}

/* ---- preparation --------------------------------------------------------- */

static int allocate(struct bestdag_run *run, struct bestdag_moments *m)
{
    size_t n = (size_t)m->numbers, rows = (size_t)m->rows;
    m->exponent = bestdag_calloc(run, n, sizeof *m->exponent);
    m->constant = bestdag_calloc(run, n, sizeof *m->constant);
    m->value = bestdag_calloc(run, n, sizeof *m->value);
    m->values = bestdag_alloc(run, n * rows * sizeof *m->values);
    m->cross = bestdag_alloc(run, n * (n + 1) / 2 * sizeof *m->cross);
    for (size_t v = 0; m->value && m->values && v < n; v++)
        m->value[v] = m->values + v * rows;
    return bestdag_run_status(run);
}

static int fill(struct bestdag_run *run, struct bestdag_moments *m)
{
    struct job job = {.run = run, .m = m};
    struct bestdag_work work = {
        .job = &job, .items = m->numbers, .work = multiply, .to_the_end = true};
    int threads = bestdag_parallel_threads(run, m->numbers);
    job.rest = bestdag_calloc(run, (size_t)m->numbers + 1, sizeof *job.rest);
    if (m->table->weights)
        job.weighted = bestdag_alloc(run, (size_t)threads * (size_t)m->rows *
                                              sizeof *job.weighted);
    for (int v = 0; v < m->numbers && !bestdag_run_status(run); v++)
        centre(&job, v);
    if (!bestdag_run_status(run))
        bestdag_parallel(run, &work, NULL);
    bestdag_free(job.rest);
    bestdag_free(job.weighted);
    return bestdag_run_status(run);
}

struct bestdag_moments *bestdag_moments_new(struct bestdag_run *run,
                                            const struct bestdag_table *table)
{
    struct bestdag_moments *m = bestdag_calloc(run, 1, sizeof *m);
    if (!m)
        return NULL;
    size_t n = (size_t)table->columns;
    m->table = table;
    m->rows = table->rows;
    m->total = (double)table->total;
    m->is_of_rows = true;
    m->column = bestdag_alloc(run, n * sizeof *m->column);
    m->place = bestdag_alloc(run, n * sizeof *m->place);
    for (int c = 0; m->column && m->place && c < table->columns; c++) {
        bool is_number = table->column[c].kind == BESTDAG_NUMBERS;
        m->place[c] = is_number ? m->numbers : -1;
        if (is_number)
            m->column[m->numbers++] = c;
    }
    if (!bestdag_run_status(run) && !allocate(run, m) && !fill(run, m))
        return m;
    bestdag_moments_free(m);
    return NULL;
}

void bestdag_moments_free(struct bestdag_moments *m)
{
    if (!m)
        return;
    bestdag_free(m->column);
    bestdag_free(m->place);
    bestdag_free(m->exponent);
    bestdag_free(m->constant);
    bestdag_free(m->value);
    bestdag_free(m->values);
    bestdag_free(m->cross);
    bestdag_free(m);
}

double bestdag_gaussian_score_likelihood(double total, double rss, int exponent)
{
    static const double LN_2PI = 1.8378770664093454836, LN_2 = M_LN2;
    return -total / 2 * (LN_2PI + log(rss / total) + 1) -
           total * exponent * LN_2;
}
