/* SPDX-License-Identifier: MIT */
/* numbers.c -- columns of numbers, and their scores: for every joint state of
 * the parents with states a regression on the others (bic-g and aic-g: there
 * is one such state), or the marginal likelihood bge. Everything is summed
 * again from the rows for every family, in long double. */
#include <math.h>
#include <string.h>

#include "claims.h"

#define SINGULAR 1e-10L /* the part of a variance that is left */

/* ---- drawing -------------------------------------------------------------
 */

static double round_to(double x, double step)
{
    return step > 0 ? nearbyint(x / step) * step : x;
}

static double spread_of(const struct sheet *s, int v)
{
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < s->rows; i++) {
        least = fmin(least, s->number[i][v]);
        most = fmax(most, s->number[i][v]);
    }
    return s->rows ? most - least : 0;
}

/* A number follows its column of states, and up to two earlier numbers; some
 * are constant, some a copy of another, or nearly so, some have few values. */
static void draw_column(struct sheet *s, double latent[ROWS][MOST], int v,
                        uint64_t *seed)
{
    static const double steps[] = {0, 0, .001, .25, 1};
    static const double scales[] = {1, 1, 1, 1e-3, 1e4};
    static const double nears[] = {0,    0,   .1, 1e-3,
                                   1e-4, 1e-7}; /* SINGULAR is
                                                   between */
    int a = v ? draw_below(seed, v) : v, b = v ? draw_below(seed, v) : v;
    double with_a = draw_unit(seed) * 4 - 2, with_b = draw_unit(seed) - .5;
    double own = draw_chance(seed, .5) ? draw_unit(seed) * 2 : 0;
    double noise = .05 + draw_unit(seed) * 2;
    double step = steps[draw_below(seed, 5)];
    double scale = scales[draw_below(seed, 5)];
    double offset = draw_chance(seed, .3) ? draw_between(seed, -100, 100) : 0;
    bool is_constant = draw_chance(seed, .03);
    bool is_copy = draw_chance(seed, .05) && s->is_number[a];
    double near = nears[draw_below(seed, 6)] * spread_of(s, a);
    for (int i = 0; i < s->rows; i++) {
        double x = own * s->cell[i][v], wave = 0;
        for (int k = 0; k < 6; k++) /* near normal */
            wave += draw_unit(seed) - .5;
        x += noise * wave + with_a * (a == v ? 0 : latent[i][a]);
        x += with_b * (b == v ? 0 : latent[i][b]);
        latent[i][v] = x / 3; /* so that long chains do not grow */
        s->number[i][v] = is_constant ? offset
                          : is_copy   ? s->number[i][a] * 2 + 1 + near * wave
                                      : round_to(x * scale + offset, step);
    }
}

int numbers_draw(struct sheet *s, uint64_t *seed)
{
    static double latent[ROWS][MOST]; /* before they are scaled */
    double share = draw_chance(seed, .6) ? 1 : draw_unit(seed);
    int count = 0;
    memset(latent, 0, sizeof latent);
    for (int v = 0; v < s->n; v++)
        if (draw_chance(seed, share)) {
            s->is_number[v] = true;
            draw_column(s, latent, v, seed);
            count++;
        }
    for (int i = 0; i < s->rows && count; i++)
        s->weight[i] = s->has_weights ? s->weight[i] % 4 : 1;
    return count;
}

/* ---- least squares -------------------------------------------------------
 */

/* Centred cross-products of numbers over some rows, and their factor. */
struct products {
    int count, of[MOST]; /* columns; the child is last */
    double weight;
    long double at[MOST][MOST], pivot[MOST];
};

static void add_products(const struct rows *rows, const bool *in,
                         struct products *p)
{
    long double mean[MOST] = {0};
    memset(p->at, 0, sizeof p->at);
    p->weight = 0;
    for (int i = 0; i < rows->count; i++) {
        p->weight += in[i] ? rows->weight[i] : 0;
        for (int j = 0; j < p->count && in[i]; j++)
            mean[j] += rows->weight[i] * (long double)rows->number[i][p->of[j]];
    }
    for (int i = 0; i < rows->count; i++)
        for (int j = 0; j < p->count && in[i]; j++)
            for (int k = 0; k <= j; k++)
                p->at[j][k] +=
                    rows->weight[i] *
                    (rows->number[i][p->of[j]] - mean[j] / p->weight) *
                    (rows->number[i][p->of[k]] - mean[k] / p->weight);
}

/* By Cholesky; false: one follows from those before it. */
static bool factorise(struct products *p)
{
    long double f[MOST][MOST] = {{0}};
    for (int i = 0; i < p->count; i++) {
        long double rest = p->at[i][i];
        for (int j = 0; j < i; j++) {
            f[i][j] = p->at[i][j];
            for (int k = 0; k < j; k++)
                f[i][j] -= f[i][k] * f[j][k];
            f[i][j] /= f[j][j];
            rest -= f[i][j] * f[i][j];
        }
        if (!(rest > SINGULAR * p->at[i][i]))
            return false;
        p->pivot[i] = rest;
        f[i][i] = sqrtl(rest);
    }
    return true;
}

static bool is_constant(const struct rows *rows, const bool *in, int v)
{
    int first = -1;
    for (int i = 0; i < rows->count; i++) {
        first = in[i] && first < 0 ? i : first;
        if (in[i] && rows->number[i][v] != rows->number[first][v])
            return false;
    }
    return true;
}

/* ---- scores --------------------------------------------------------------
 */

/* As it is given in docs/scores.md, the prior at its default. */
static double bge(struct products *p, int n)
{
    int l = p->count - 1;
    double total = p->weight, mu = 1, w = n + mu + 1;
    double t = mu * (w - n - 1) / (mu + 1), a = w - n + l + 1;
    long double ln_p = 0, ln_f;
    for (int i = 0; i < p->count; i++)
        p->at[i][i] += t;
    if (!factorise(p))
        return -INFINITY;
    for (int i = 0; i < l; i++)
        ln_p += logl(p->pivot[i]);
    ln_f = ln_p + logl(p->pivot[l]);
    return (double)(-total / 2 * logl(acosl(-1)) + logl(mu / (total + mu)) / 2 +
                    lgammal((total + a) / 2) - lgammal(a / 2) +
                    (w - n + 2 * l + 1) / 2 * logl(t) +
                    (total + w - n + l) / 2 * ln_p -
                    (total + w - n + l + 1) / 2 * ln_f);
}

/* The log-likelihood of one joint state; `whole`: the variance of the child
 * over all rows. */
static double regress(const struct rows *rows, const bool *in,
                      struct products *p, double whole)
{
    add_products(rows, in, p);
    if (p->weight < p->count + 1)
        return -INFINITY;
    for (int i = 0; i < p->count; i++)
        if (is_constant(rows, in, p->of[i]))
            return -INFINITY;
    if (!factorise(p))
        return -INFINITY;
    long double variance = p->pivot[p->count - 1] / p->weight;
    if (!(variance > SINGULAR * whole))
        return -INFINITY;
    return (double)(-p->weight / 2 * (logl(2 * acosl(-1) * variance) + 1));
}

static bool is_same(const struct rows *rows, unsigned states, int i, int j)
{
    for (int v = 0; v < rows->n; v++)
        if (states >> v & 1 && rows->cell[i][v] != rows->cell[j][v])
            return false;
    return true;
}

static double likelihood(const struct rows *rows, unsigned states,
                         struct products *p)
{
    bool in[ROWS], done[ROWS] = {false};
    struct products all = {.count = 1, .of = {p->of[p->count - 1]}};
    double sum = 0;
    memset(in, true, sizeof in);
    add_products(rows, in, &all);
    for (int i = 0; i < rows->count; i++) {
        if (done[i])
            continue;
        for (int j = 0; j < rows->count; j++) {
            in[j] = is_same(rows, states, i, j);
            done[j] |= in[j];
        }
        sum += regress(rows, in, p, (double)(all.at[0][0] / all.weight));
    }
    return sum;
}

double numbers_score(const struct rows *rows, const struct reading *how,
                     int child, unsigned parents)
{
    struct products p = {0};
    unsigned states = 0;
    bool all[ROWS], has_constant = false;
    double q = 1;
    memset(all, true, sizeof all);
    for (int v = 0; v < rows->n; v++)
        if (parents >> v & 1 && rows->is_number[v]) {
            p.of[p.count++] = v;
            has_constant |= is_constant(rows, all, v);
        } else if (parents >> v & 1) {
            states |= 1u << v;
            q *= rows->states[v];
        }
    p.of[p.count++] = child;
    has_constant |= is_constant(rows, all, child);
    if (has_constant && parents) /* such arcs are not offered; bge has a score
                                    where a rule requires one */
        return strcmp(how->score, "bge") ? -INFINITY : (double)NAN;
    if (!strcmp(how->score, "bge")) {
        add_products(rows, all, &p);
        return bge(&p, rows->n);
    }
    if (has_constant)
        return 0;
    double each = !strncmp(how->score, "ll", 2)    ? 0
                  : !strncmp(how->score, "aic", 3) ? 1
                                                   : log(rows->total) / 2;
    return likelihood(rows, states, &p) - each * (p.count + 1) * q;
}
