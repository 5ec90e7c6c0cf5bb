/* SPDX-License-Identifier: MIT */
/* gaussian.c -- joint normals: see gaussian.h.
 *
 * The covariance of x = a + sum c_i p_i + noise with an earlier y is sum c_i
 * cov(p_i, y) (Shachter and Kenley 1989). Conditioning on e: with the Cholesky
 * factor L of cov(e), W = L^-1 cov(e, rest) and z = L^-1 (e - mean), the rest
 * has mean + W' z and covariance - W' W, and the density of e is that of z over
 * the determinant of L. */
#include "inference/gaussian.h"

#include <math.h>
#include <string.h>

#include "base/cholesky.h"

/* A conditional variance below this part of the variance is rounding error: it
 * is a difference of numbers of that size. */
static const double FOLLOWS = 1e-11;
/* Relative error that is allowed for a number that others determine. */
static const double AGREES = 1e-6;

int bestdag_gaussian_init(struct bestdag_run *run, struct bestdag_gaussian *g,
                          int room)
{
    size_t n = (size_t)room;
    *g = (struct bestdag_gaussian){.room = room};
    g->mean = bestdag_calloc(run, n + 1, sizeof *g->mean);
    g->covariance = bestdag_calloc(run, n * n + 1, sizeof *g->covariance);
    return bestdag_run_status(run);
}

void bestdag_gaussian_release(struct bestdag_gaussian *g)
{
    bestdag_free(g->mean);
    bestdag_free(g->covariance);
    *g = (struct bestdag_gaussian){0};
}

void bestdag_gaussian_copy(const struct bestdag_gaussian *from,
                           struct bestdag_gaussian *to)
{
    size_t room = (size_t)from->room;
    to->n = from->n;
    memcpy(to->mean, from->mean, room * sizeof *to->mean);
    memcpy(to->covariance, from->covariance,
           room * room * sizeof *to->covariance);
}

static double *row_of(const struct bestdag_gaussian *g, int i)
{
    return g->covariance + (ptrdiff_t)i * g->room;
}

void bestdag_gaussian_add(struct bestdag_gaussian *g,
                          const struct bestdag_gaussian_term *term)
{
    int n = g->n++;
    double *row = row_of(g, n), mean = term->intercept, variance = 0;
    for (int j = 0; j < n; j++) {
        row[j] = 0;
        for (int i = 0; i < term->count; i++)
            row[j] += term->coefficient[i] * row_of(g, term->parent[i])[j];
        row_of(g, j)[n] = row[j];
    }
    for (int i = 0; i < term->count; i++) {
        mean += term->coefficient[i] * g->mean[term->parent[i]];
        variance += term->coefficient[i] * row[term->parent[i]];
    }
    g->mean[n] = mean;
    row[n] = fmax(variance, 0) + term->sd * term->sd;
}

/* ---- conditioning -------------------------------------------------------- */

struct conditioning {
    struct bestdag_gaussian *g;
    int *seen; /* owns; [k]: observed numbers */
    int k;
    double *factor; /* owns; [k * k]: of their covariance */
    double *z;      /* owns; [k] */
    double *w;      /* owns; [n * k]: W', a row for each number */
};

static int make(struct bestdag_run *run, struct conditioning *c,
                const double *value)
{
    size_t n = (size_t)c->g->n, k;
    c->seen = bestdag_alloc(run, (n + 1) * sizeof *c->seen);
    for (int i = 0; c->seen && i < c->g->n; i++)
        if (!isnan(value[i]))
            c->seen[c->k++] = i;
    k = (size_t)c->k;
    c->factor = bestdag_alloc(run, (k * k + 1) * sizeof *c->factor);
    c->z = bestdag_alloc(run, (k + 1) * sizeof *c->z);
    c->w = bestdag_alloc(run, (n * k + 1) * sizeof *c->w);
    return bestdag_run_status(run);
}

static int factorise(struct bestdag_run *run, struct conditioning *c)
{
    for (int i = 0; i < c->k; i++)
        for (int j = 0; j <= i; j++)
            c->factor[i * c->k + j] = row_of(c->g, c->seen[i])[c->seen[j]];
    return bestdag_cholesky(c->factor, c->k, FOLLOWS) < 0
               ? bestdag_fail(run, BESTDAG_INPUT,
                              "the covariances of the network are too large, "
                              "or too close to dependent, for doubles")
               : BESTDAG_OK;
}

/* Computes z and the density; a number that others determine must agree with
 * them. */
static double find_density(struct conditioning *c, const double *value)
{
    const double constant = 0.91893853320467274178; /* ln of root of 2 pi */
    double ln = 0;
    for (int i = 0; i < c->k; i++) {
        const double *row = c->factor + (ptrdiff_t)i * c->k;
        double x = value[c->seen[i]], rest = x - c->g->mean[c->seen[i]];
        double size = fabs(x) + fabs(c->g->mean[c->seen[i]]);
        for (int j = 0; j < i; j++) {
            rest -= row[j] * c->z[j];
            size += fabs(row[j] * c->z[j]);
        }
        c->z[i] = 0;
        if (row[i] > 0) {
            c->z[i] = rest / row[i];
            ln -= 0.5 * c->z[i] * c->z[i] + log(row[i]) + constant;
        } else if (!(fabs(rest) <= AGREES * size))
            return -INFINITY;
    }
    return ln;
}

static void update(const struct conditioning *c, const double *value)
{
    struct bestdag_gaussian *g = c->g;
    int k = c->k;
    for (int i = 0; i < g->n; i++) {
        double *w = c->w + (ptrdiff_t)i * k;
        for (int j = 0; j < k; j++)
            w[j] = row_of(g, i)[c->seen[j]];
        bestdag_cholesky_forward(c->factor, k, w);
        for (int j = 0; j < k; j++)
            g->mean[i] += w[j] * c->z[j];
    }
    for (int i = 0; i < g->n; i++)
        for (int j = 0; j <= i; j++) {
            const double *a = c->w + (ptrdiff_t)i * k;
            const double *b = c->w + (ptrdiff_t)j * k;
            double left = row_of(g, i)[j];
            for (int l = 0; l < k; l++)
                left -= a[l] * b[l];
            if (i == j && left <= FOLLOWS * row_of(g, i)[j])
                left = 0;
            row_of(g, i)[j] = row_of(g, j)[i] = left;
        }
    for (int s = 0; s < k; s++) {
        int i = c->seen[s];
        g->mean[i] = value[i];
        for (int j = 0; j < g->n; j++)
            row_of(g, i)[j] = row_of(g, j)[i] = 0;
    }
    for (int i = 0; i < g->n; i++) /* a determined number has no covariances */
        for (int j = 0; j < g->n && row_of(g, i)[i] == 0; j++)
            row_of(g, i)[j] = row_of(g, j)[i] = 0;
}

int bestdag_gaussian_condition(struct bestdag_run *run,
                               struct bestdag_gaussian *g, const double *value,
                               double *ln_density)
{
    struct conditioning c = {.g = g};
    *ln_density = 0;
    if (!make(run, &c, value) && c.k && !factorise(run, &c)) {
        *ln_density = find_density(&c, value);
        if (*ln_density > -INFINITY)
            update(&c, value);
    }
    bestdag_free(c.seen);
    bestdag_free(c.factor);
    bestdag_free(c.z);
    bestdag_free(c.w);
    return bestdag_run_status(run);
}

/* ---- of a network -------------------------------------------------------- */

int64_t bestdag_gaussian_configuration(const struct bestdag_network *network,
                                       int v, const int *state)
{
    const struct bestdag_parents *p = &network->dag->parents[v];
    int64_t j = 0;
    for (int i = 0; i < p->count; i++) {
        const struct bestdag_variable *x = &network->variable[p->at[i]];
        if (!x->is_number)
            j = j * x->states + state[p->at[i]];
    }
    return j;
}

/* The regression of v on members; other parents are constants. */
static void add_member(const struct bestdag_gaussian_part *part, int v,
                       struct bestdag_gaussian *g, int *parent,
                       double *coefficient)
{
    const struct bestdag_network *net = part->network;
    const struct bestdag_parents *p = &net->dag->parents[v];
    const double *from = net->variable[v].regression +
                         bestdag_gaussian_configuration(net, v, part->state) *
                             bestdag_network_terms(net, v);
    struct bestdag_gaussian_term term = {
        .intercept = *from++, .parent = parent, .coefficient = coefficient};
    for (int i = 0; i < p->count; i++) {
        if (!net->variable[p->at[i]].is_number)
            continue;
        double c = *from++;
        if (!isnan(part->value[p->at[i]])) {
            term.intercept += c * part->value[p->at[i]];
            continue;
        }
        parent[term.count] = part->place[p->at[i]];
        coefficient[term.count++] = c;
    }
    term.sd = *from;
    part->place[v] = g->n;
    bestdag_gaussian_add(g, &term);
}

int bestdag_gaussian_of(struct bestdag_run *run,
                        const struct bestdag_gaussian_part *part,
                        struct bestdag_gaussian *g)
{
    size_t room = (size_t)part->members + 1;
    int *parent = bestdag_alloc(run, room * sizeof *parent);
    double *coefficient = bestdag_alloc(run, room * sizeof *coefficient);
    g->n = 0;
    for (int i = 0; parent && coefficient && i < part->members; i++)
        add_member(part, part->member[i], g, parent, coefficient);
    bestdag_free(parent);
    bestdag_free(coefficient);
    for (int i = 0; !bestdag_run_status(run) && i < g->n; i++)
        if (!isfinite(g->mean[i]) || !isfinite(row_of(g, i)[i]))
            return bestdag_fail(
                run, BESTDAG_INPUT,
                "the regressions of '%s' or of what it depends on are too "
                "large: its mean or variance is not finite",
                part->network->variable[part->member[i]].name);
    return bestdag_run_status(run);
}
