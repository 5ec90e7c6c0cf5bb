/* SPDX-License-Identifier: MIT */
/* mixed_slow.h -- questions about networks with numbers, answered by
 * enumeration of all states times normals by plain matrix algebra. */
#ifndef BESTDAG_TEST_MIXED_SLOW_H
#define BESTDAG_TEST_MIXED_SLOW_H

#include "mixed_nets.h"

#include "inference/mixed.h"

enum { N = MIXED_MOST };

/* ---- matrices -------------------------------------------------------------
 */

/* The inverse by Gauss and Jordan; returns the determinant. */
static inline double invert(int n, double a[N][N], double to[N][N])
{
    double m[N][2 * N], det = 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            m[i][j] = a[i][j];
            m[i][n + j] = i == j;
        }
    for (int c = 0; c < n; c++) {
        int best = c;
        for (int i = c + 1; i < n; i++)
            if (fabs(m[i][c]) > fabs(m[best][c]))
                best = i;
        for (int j = 0; j < 2 * n && best != c; j++) {
            double swap = m[c][j];
            m[c][j] = m[best][j];
            m[best][j] = swap;
        }
        det *= best == c ? m[c][c] : -m[c][c];
        double pivot = m[c][c];
        for (int j = 0; j < 2 * n; j++)
            m[c][j] /= pivot;
        for (int i = 0; i < n; i++) {
            double f = i == c ? 0 : m[i][c];
            for (int j = 0; j < 2 * n; j++)
                m[i][j] -= f * m[c][j];
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            to[i][j] = m[i][n + j];
    return det;
}

/* ---- questions ------------------------------------------------------------
 */

/* What is known, and room for an answer. */
struct question {
    double likelihood[N][4], *weight[N], value[N];
    int doing[N];
    bool is_set[N];
    int target[N], targets;
};

static inline struct bestdag_mixed_question view(
    const struct bestdag_network *net, const struct question *q)
{
    return (struct bestdag_mixed_question){.network = net,
                                           .weight = q->weight,
                                           .doing = q->doing,
                                           .value = q->value,
                                           .is_set = q->is_set,
                                           .target = q->target,
                                           .targets = q->targets,
                                           .has_covariance = true};
}

static inline void nothing(struct question *q, int n)
{
    memset(q, 0, sizeof *q);
    for (int v = 0; v < n; v++) {
        q->doing[v] = -1;
        q->value[v] = NAN;
        q->target[q->targets++] = v;
    }
}

/* Random evidence and interventions. */
static inline void random_question(const struct bestdag_network *net,
                                   struct bestdag_random *random,
                                   struct question *q)
{
    nothing(q, net->dag->n);
    for (int v = 0; v < net->dag->n; v++) {
        uint64_t what = bestdag_random_below(random, 6);
        if (net->variable[v].is_number) {
            if (what < 3)
                q->value[v] = 3 * mixed_normal(random);
            q->is_set[v] = what == 0;
            continue;
        }
        int states = net->variable[v].states;
        if (what == 0)
            q->doing[v] = (int)bestdag_random_below(random, (uint64_t)states);
        if (what == 1 || what == 2)
            q->weight[v] = q->likelihood[v];
        for (int s = 0; s < states; s++)
            q->likelihood[v][s] =
                what == 1 ? s == 1 : bestdag_random_unit(random);
    }
}

/* ---- the slow answer ------------------------------------------------------
 */

struct slow {
    double all;                   /* P or density of the evidence */
    double p[N][4];               /* of states, times all */
    double mean[N], square[N][N]; /* E x, E x y, times all */
};

/* All numbers of the network in one assignment of states: x = B x + a + noise
 * has mean (I - B)^-1 a and covariance (I - B)^-1 D (I - B)^-1'. */
static inline void plain_normal(const struct bestdag_network *net,
                                const struct question *q, const int *state,
                                double mean[N], double cov[N][N])
{
    double b[N][N] = {{0}}, inv[N][N], a[N] = {0}, d[N] = {0}, c[N];
    int n = net->dag->n;
    for (int v = 0; v < n; v++) {
        b[v][v] = 1;
        if (!net->variable[v].is_number)
            continue;
        if (q->is_set[v]) {
            a[v] = q->value[v];
            continue;
        }
        mixed_terms(net, v, state, &a[v], c, &d[v]);
        for (int u = 0; u < n; u++)
            b[v][u] -= c[u];
    }
    invert(n, b, inv);
    for (int i = 0; i < n; i++) {
        mean[i] = 0;
        for (int k = 0; k < n; k++)
            mean[i] += inv[i][k] * a[k];
        for (int j = 0; j < n; j++) {
            cov[i][j] = 0;
            for (int k = 0; k < n; k++)
                cov[i][j] += inv[i][k] * d[k] * d[k] * inv[j][k];
        }
    }
}

/* Adds one assignment of the states, with its weight. */
static inline void add_assignment(const struct bestdag_network *net,
                                  const struct question *q, const int *state,
                                  double p, struct slow *to)
{
    double mean[N], cov[N][N], see[N][N], inv[N][N], gain[N][N], m[N];
    int e[N], k = 0, n = net->dag->n;
    plain_normal(net, q, state, mean, cov);
    for (int v = 0; v < n; v++)
        if (net->variable[v].is_number && !isnan(q->value[v]) && !q->is_set[v])
            e[k++] = v;
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++)
            see[i][j] = cov[e[i]][e[j]];
    double det = invert(k, see, inv), form = 0;
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++)
            form += (q->value[e[i]] - mean[e[i]]) * inv[i][j] *
                    (q->value[e[j]] - mean[e[j]]);
    p *= exp(-0.5 * form) / sqrt(det * pow(2 * 3.14159265358979323846, k));
    to->all += p;
    for (int v = 0; v < n; v++) {
        m[v] = mean[v];
        for (int j = 0; j < k; j++) {
            gain[v][j] = 0;
            for (int i = 0; i < k; i++)
                gain[v][j] += cov[v][e[i]] * inv[i][j];
            m[v] += gain[v][j] * (q->value[e[j]] - mean[e[j]]);
        }
        if (!net->variable[v].is_number)
            to->p[v][state[v]] += p;
        to->mean[v] += p * m[v];
    }
    for (int v = 0; v < n; v++)
        for (int u = 0; u < n; u++) {
            double left = cov[v][u];
            for (int j = 0; j < k; j++)
                left -= gain[v][j] * cov[e[j]][u];
            to->square[v][u] += p * (left + m[v] * m[u]);
        }
}

static inline void answer_slowly(const struct bestdag_network *net,
                                 const struct question *q, struct slow *to)
{
    int state[N] = {0};
    memset(to, 0, sizeof *to);
    do {
        double p = 1;
        for (int v = 0; v < net->dag->n; v++) {
            const struct bestdag_variable *x = &net->variable[v];
            if (x->is_number)
                continue;
            if (q->doing[v] >= 0)
                p *= q->doing[v] == state[v];
            else
                p *= x->table[mixed_configuration(net, v, state) * x->states +
                              state[v]];
            p *= q->weight[v] ? q->weight[v][state[v]] : 1;
        }
        if (p > 0)
            add_assignment(net, q, state, p, to);
    } while (mixed_next(net, state));
}

#endif
