/* SPDX-License-Identifier: MIT */
/* plain_regression.h -- scores of numbers and mixed tables in the plainest way:
 * a Householder QR of the rows in long double, counts, determinants; for tests.
 */
#ifndef PLAINREGRESSION_H
#define PLAINREGRESSION_H

#include <math.h>
#include <stdlib.h>

#include "scores/score.h"

enum { MOST = 8 };

/* ---- plain least squares --------------------------------------------------
 */

static inline double cell(const struct bestdag_table *t, int c, int64_t row)
{
    return ((const double *)t->column[c].cells)[row];
}

static inline bool is_number(const struct bestdag_table *t, int c)
{
    return t->column[c].kind == BESTDAG_NUMBERS;
}

/* Rows of one configuration: sqrt(w) (1, parents, child). */
struct system {
    int rows, columns;
    long double *at; /* [rows][columns] */
    double weight;
};

/* Turns one column below the diagonal into zero, by reflection. */
static inline void reflect(struct system *s, int c)
{
    long double norm = 0, dot, first;
    for (int r = c; r < s->rows; r++)
        norm += s->at[r * s->columns + c] * s->at[r * s->columns + c];
    first = s->at[c * s->columns + c];
    norm = first > 0 ? -sqrtl(norm) : sqrtl(norm);
    if (norm == 0)
        return;
    long double scale = 1 / (norm * (norm - first));
    s->at[c * s->columns + c] -= norm;
    for (int k = c + 1; k < s->columns; k++) {
        dot = 0;
        for (int r = c; r < s->rows; r++)
            dot += s->at[r * s->columns + c] * s->at[r * s->columns + k];
        for (int r = c; r < s->rows; r++)
            s->at[r * s->columns + k] -=
                scale * dot * s->at[r * s->columns + c];
    }
    s->at[c * s->columns + c] = norm;
}

/* The sum of squares about the mean. */
static inline double plain_squares(const struct bestdag_table *t, int c)
{
    long double mean = 0, sum = 0;
    for (int64_t r = 0; r < t->rows; r++)
        mean += (t->weights ? t->weights[r] : 1) * (long double)cell(t, c, r) /
                t->total;
    for (int64_t r = 0; r < t->rows; r++)
        sum += (t->weights ? t->weights[r] : 1) * (cell(t, c, r) - mean) *
               (cell(t, c, r) - mean);
    return (double)sum;
}

/* -INFINITY: singular, as a residual is at most least[column]. */
static inline double fit(struct system *s, const double *least)
{
    int k = s->columns - 1;
    double rest = 0;
    if (s->weight < k + 1 || s->rows < k + 1)
        return -INFINITY;
    for (int c = 0; c < k; c++)
        reflect(s, c);
    for (int c = 1; c < k; c++)
        if (!(s->at[c * s->columns + c] * s->at[c * s->columns + c] > least[c]))
            return -INFINITY;
    for (int r = k; r < s->rows; r++)
        rest += (double)(s->at[r * s->columns + k] * s->at[r * s->columns + k]);
    if (!(rest > least[k]))
        return -INFINITY;
    return -s->weight / 2 * (log(2 * M_PI * rest / s->weight) + 1);
}

static inline int configuration(const struct bestdag_table *t,
                                const int *parents, int count, int64_t row)
{
    int at = 0;
    for (int i = 0; i < count; i++)
        if (!is_number(t, parents[i]))
            at = at * t->column[parents[i]].states +
                 bestdag_column_code(&t->column[parents[i]], row);
    return at;
}

static inline int joint_states(const struct bestdag_table *t,
                               const int *parents, int count)
{
    int q = 1;
    for (int i = 0; i < count; i++)
        q *= is_number(t, parents[i]) ? 1 : t->column[parents[i]].states;
    return q;
}

/* Log-likelihood of a number, over all configurations. */
static inline double plain_number(const struct bestdag_table *t, int child,
                                  const int *parents, int count)
{
    double sum = 0, squares[MOST + 1] = {0}, least[MOST + 1];
    int columns = 1;
    for (int i = 0; i < count; i++)
        if (is_number(t, parents[i]))
            squares[columns++] = plain_squares(t, parents[i]);
    squares[columns++] = plain_squares(t, child);
    struct system s = {.columns = columns};
    s.at = malloc((size_t)t->rows * (size_t)columns * sizeof *s.at);
    for (int j = 0; j < joint_states(t, parents, count); j++) {
        s.rows = 0;
        s.weight = 0;
        for (int64_t r = 0; r < t->rows; r++) {
            int w = t->weights ? t->weights[r] : 1, k = 0;
            if (!w || configuration(t, parents, count, r) != j)
                continue;
            long double root = sqrtl(w), *row = s.at + s.rows++ * columns;
            row[k++] = root;
            for (int i = 0; i < count; i++)
                if (is_number(t, parents[i]))
                    row[k++] = root * cell(t, parents[i], r);
            row[k] = root * cell(t, child, r);
            s.weight += w;
        }
        for (int c = 0; c < columns; c++)
            least[c] = 1e-10 * squares[c] * s.weight / (double)t->total;
        sum += s.rows ? fit(&s, least) : 0;
    }
    free(s.at);
    return sum;
}

static inline double plain_states(const struct bestdag_table *t, int child,
                                  const int *parents, int count)
{
    double sum = 0;
    int r = t->column[child].states;
    for (int j = 0; j < joint_states(t, parents, count); j++) {
        double all = 0, each[8] = {0};
        for (int64_t i = 0; i < t->rows; i++)
            if (configuration(t, parents, count, i) == j) {
                int w = t->weights ? t->weights[i] : 1;
                each[bestdag_column_code(&t->column[child], i)] += w;
                all += w;
            }
        for (int k = 0; k < r; k++)
            sum += each[k] > 0 ? each[k] * log(each[k] / all) : 0;
    }
    return sum;
}

static inline double plain(const struct bestdag_scorer *s, int child,
                           const int *parents, int count)
{
    const struct bestdag_table *t = s->table;
    double q = joint_states(t, parents, count), k = 0;
    for (int i = 0; i < count; i++)
        k += is_number(t, parents[i]);
    if (!is_number(t, child))
        return k > 0 ? -INFINITY
                     : plain_states(t, child, parents, count) -
                           s->weight * (t->column[child].states - 1) * q;
    return plain_number(t, child, parents, count) - s->weight * (k + 2) * q;
}

/* ---- bge, from the formula for sets ---------------------------------------
 */

static inline double ln_gamma_of(int l, double x)
{
    double sum = l * (l - 1) / 4.0 * log(M_PI);
    for (int j = 1; j <= l; j++)
        sum += lgamma(x + (1 - j) / 2.0);
    return sum;
}

/* ln |T + S| of a set, by elimination with the largest pivots. */
static inline double ln_determinant(const struct bestdag_table *t,
                                    const int *set, int l, double ridge)
{
    long double a[MOST][MOST], mean[MOST] = {0}, total = 0, ln = 0;
    for (int64_t r = 0; r < t->rows; r++) {
        long double w = t->weights ? t->weights[r] : 1;
        total += w;
        for (int i = 0; i < l; i++)
            mean[i] += w * cell(t, set[i], r);
    }
    for (int i = 0; i < l; i++)
        for (int j = 0; j < l; j++) {
            a[i][j] = i == j ? ridge : 0;
            for (int64_t r = 0; r < t->rows; r++)
                a[i][j] += (t->weights ? t->weights[r] : 1) *
                           (cell(t, set[i], r) - mean[i] / total) *
                           (cell(t, set[j], r) - mean[j] / total);
        }
    for (int i = 0; i < l; i++) {
        int best = i;
        for (int r = i; r < l; r++)
            best = fabsl(a[r][i]) > fabsl(a[best][i]) ? r : best;
        for (int c = 0; c < l; c++) {
            long double swap = a[i][c];
            a[i][c] = a[best][c];
            a[best][c] = swap;
        }
        ln += logl(fabsl(a[i][i]));
        for (int r = i + 1; r < l; r++)
            for (int c = l - 1; c >= i; c--)
                a[r][c] -= a[r][i] / a[i][i] * a[i][c];
    }
    return (double)ln;
}

static inline double bge_of_set(const struct bestdag_table *t, const int *set,
                                int l, double mu, double w)
{
    double n = t->columns, total = (double)t->total;
    double ridge = mu * (w - n - 1) / (mu + 1);
    return l / 2.0 * log(mu / (total + mu)) - l * total / 2 * log(M_PI) +
           ln_gamma_of(l, (total + w - n + l) / 2) -
           ln_gamma_of(l, (w - n + l) / 2) + (w - n + l) / 2 * l * log(ridge) -
           (total + w - n + l) / 2 * ln_determinant(t, set, l, ridge);
}

#endif
