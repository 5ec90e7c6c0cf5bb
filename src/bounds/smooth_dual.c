/* SPDX-License-Identifier: MIT */
/* smooth_dual.c -- all multipliers at once, by a smooth approximation of B.
 *
 * B is concave and piecewise linear. With -w ln(sum of exp(-x / w)) instead of
 * the minimum over a variable's sets it is smooth, below B by at most w times
 * the logarithms of the lists' lengths, and its gradient is the violation of
 * the cluster constraints:
 *
 *     1 - sum over v in C of the fraction of v's sets that miss C,
 *
 * where the fractions exp(-x / w), normalised, are a fractional solution.
 * It is maximised by L-BFGS (Nocedal 1980) with multipliers kept at 0 or above;
 * the caller decreases w from round to round. A step costs the sets of
 * every member of every cluster whose multiplier is not 0. */
#include "bounds/relaxation.h"

#include <assert.h>
#include <math.h>

enum { MEMORY = 20, HALVINGS = 12 };

/* A cluster as one of its members sees it. */
struct view {
    int32_t cluster;
    struct bestdag_cluster_view seen;
};

struct climb {
    struct bestdag_relaxation *r;
    double width;
    double unit;       /* nats of a unit, as a power of two: keeps numbers
                          small */
    int m;             /* clusters */
    bool *is_off;      /* owns; [m]: it meets what is placed, and stays 0 */
    int64_t *start;    /* owns; [n + 1] */
    struct view *view; /* owns; view[start[v] ..): of v */
    double *x;         /* owns; [longest list] */
    int32_t *near;     /* owns; [longest list]: sets that have a fraction */
    double *y, *g;     /* own; [m]: where it is, and the gradient */
    double *y2, *g2;   /* own; [m]: where it may go */
    double *d;         /* owns; [m]: direction */
    double *s[MEMORY], *t[MEMORY]; /* own; steps and changes of gradient */
    double rho[MEMORY];
    int kept, last;
    double *fraction; /* NULL: not wanted now */
};

static void release(struct climb *c)
{
    bestdag_free(c->start);
    bestdag_free(c->view);
    bestdag_free(c->is_off);
    bestdag_free(c->x);
    bestdag_free(c->near);
    double *all[] = {c->y, c->g, c->y2, c->g2, c->d};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        bestdag_free(all[i]);
    for (int i = 0; i < MEMORY; i++) {
        bestdag_free(c->s[i]);
        bestdag_free(c->t[i]);
    }
}

static bool meets_placed(const struct bestdag_relaxation *r, int i)
{
    const struct bestdag_cluster *c = r->pool.at[i];
    for (int k = 0; k < c->size; k++)
        if (r->is_placed[c->member[k]])
            return true;
    return false;
}

static void list_views(struct climb *c)
{
    const struct bestdag_pool *p = &c->r->pool;
    int n = c->r->n;
    for (int i = 0; i < p->count; i++) {
        c->is_off[i] = meets_placed(c->r, i);
        for (int k = 0; k < p->at[i]->size && !c->is_off[i]; k++)
            c->start[p->at[i]->member[k] + 1]++;
    }
    for (int v = 0; v < n; v++)
        c->start[v + 1] += c->start[v];
    for (int i = 0; i < p->count; i++)
        for (struct bestdag_walk w = {0};
             !c->is_off[i] && bestdag_cluster_walk(c->r, p->at[i], &w);)
            c->view[c->start[w.v]++] = (struct view){i, w.view};
    for (int v = n; v > 0; v--)
        c->start[v] = c->start[v - 1];
    c->start[0] = 0;
}

static int prepare(struct climb *c)
{
    struct bestdag_run *run = c->r->run;
    const struct bestdag_pool *p = &c->r->pool;
    size_t views = 0, longest = 1, m = (size_t)p->count;
    c->m = p->count;
    for (int i = 0; i < p->count; i++)
        views += (size_t)p->at[i]->size;
    for (int v = 0; v < c->r->n; v++)
        if ((size_t)c->r->list[v].count > longest)
            longest = (size_t)c->r->list[v].count;
    c->start = bestdag_calloc(run, (size_t)c->r->n + 1, sizeof *c->start);
    c->view = bestdag_alloc(run, views * sizeof *c->view);
    c->is_off = bestdag_alloc(run, m * sizeof *c->is_off);
    c->x = bestdag_alloc(run, longest * sizeof *c->x);
    c->near = bestdag_alloc(run, longest * sizeof *c->near);
    double **all[] = {&c->y, &c->g, &c->y2, &c->g2, &c->d};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = bestdag_calloc(run, m, sizeof **all[i]);
    for (int i = 0; i < MEMORY; i++) {
        c->s[i] = bestdag_calloc(run, m, sizeof *c->s[i]);
        c->t[i] = bestdag_calloc(run, m, sizeof *c->t[i]);
    }
    if (bestdag_run_status(run))
        return bestdag_run_status(run);
    list_views(c);
    return BESTDAG_OK;
}

/* ---- the function and its gradient ------------------------------------------
 */

/* x of every set of v: its cost less what clusters pay. */
static void pay(struct climb *c, int v, const double *y)
{
    const struct bestdag_reduced_list *s = &c->r->list[v];
    double *x = c->x;
    for (int i = 0; i < s->count; i++)
        x[i] = (double)s->cost[i] * c->unit;
    for (int64_t k = c->start[v]; k < c->start[v + 1]; k++) {
        const struct bestdag_cluster_view *seen = &c->view[k].seen;
        double pays = y[c->view[k].cluster];
        if (pays <= 0)
            continue;
        c->r->work += s->count;
        if (s->words == 1 && seen->least == 1)
            for (int i = 0; i < s->count; i++)
                x[i] -= s->mask[i] & *seen->inside ? 0 : pays;
        else
            for (int i = 0; i < s->count; i++)
                if (bestdag_cluster_view_missed(
                        seen, bestdag_reduced_list_mask(s, i), s->words))
                    x[i] -= pays;
    }
}

/* Turns x into fractions of those that are near the least one, which come to
 * c->near; the smooth minimum. */
static double divide(struct climb *c, int count, int *near)
{
    double least = INFINITY, sum = 0;
    for (int i = 0; i < count; i++)
        least = c->x[i] < least ? c->x[i] : least;
    *near = 0;
    for (int i = 0; i < count; i++) {
        double far = (c->x[i] - least) / c->width;
        if (far > 25) {
            c->x[i] = 0;
            continue;
        }
        c->x[i] = exp(-far);
        sum += c->x[i];
        c->near[(*near)++] = i;
    }
    for (int i = 0; i < *near; i++)
        c->x[c->near[i]] /= sum;
    assert(!count || (sum >= 1 && *near >= 1)); /* the least one has exp(0) */
    return least - c->width * log(sum > 1 ? sum : 1);
}

static void blame(struct climb *c, int v, int near, double *g)
{
    const struct bestdag_reduced_list *s = &c->r->list[v];
    c->r->work += near * (c->start[v + 1] - c->start[v]);
    for (int64_t k = c->start[v]; k < c->start[v + 1]; k++) {
        double misses = 0;
        for (int i = 0; i < near; i++)
            if (bestdag_cluster_view_missed(
                    &c->view[k].seen, bestdag_reduced_list_mask(s, c->near[i]),
                    s->words))
                misses += c->x[c->near[i]];
        g[c->view[k].cluster] -= misses;
    }
}

/* The smooth function at y; its gradient to g. Stopped: less than any. */
static double value(struct climb *c, const double *y, double *g)
{
    double sum = 0;
    double *fraction = c->fraction;
    for (int i = 0; i < c->m; i++) {
        g[i] = c->is_off[i] ? -1 : c->r->pool.at[i]->least;
        sum += g[i] * y[i];
    }
    for (int v = 0; v < c->r->n; v++) {
        int near = 0, count = c->r->list[v].count;
        if (bestdag_relaxation_stopped(c->r))
            return -INFINITY;
        if (!count || c->r->is_placed[v])
            continue;
        pay(c, v, y);
        sum += divide(c, count, &near);
        blame(c, v, near, g);
        if (fraction) {
            memcpy(fraction, c->x, (size_t)count * sizeof *fraction);
            fraction += count;
        }
    }
    return sum;
}

/* ---- L-BFGS, above 0 --------------------------------------------------------
 */

static double dot(const double *a, const double *b, int m)
{
    double sum = 0;
    for (int i = 0; i < m; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Is multiplier i at 0, and would fall below it? */
static bool is_held(const struct climb *c, int i)
{
    return c->y[i] <= 0 && c->g[i] <= 0;
}

/* d = (inverse of the curvature) g, by the last steps. */
static void direct(struct climb *c)
{
    double alpha[MEMORY] = {0};
    for (int i = 0; i < c->m; i++)
        c->d[i] = is_held(c, i) ? 0 : c->g[i];
    for (int k = 0; k < c->kept; k++) {
        int j = (c->last + MEMORY - k) % MEMORY;
        alpha[j] = c->rho[j] * dot(c->s[j], c->d, c->m);
        for (int i = 0; i < c->m; i++)
            c->d[i] -= alpha[j] * c->t[j][i];
    }
    double scale = 4 * c->width;
    if (c->kept)
        scale = 1 / (c->rho[c->last] * dot(c->t[c->last], c->t[c->last], c->m));
    for (int i = 0; i < c->m; i++)
        c->d[i] *= scale;
    for (int k = c->kept - 1; k >= 0; k--) {
        int j = (c->last + MEMORY - k) % MEMORY;
        double beta = c->rho[j] * dot(c->t[j], c->d, c->m);
        for (int i = 0; i < c->m; i++)
            c->d[i] += (alpha[j] - beta) * c->s[j][i];
    }
    for (int i = 0; i < c->m; i++)
        if (is_held(c, i))
            c->d[i] = 0;
}

/* Keeps the step to y2 if the function curves along it. */
static void remember(struct climb *c)
{
    int j = (c->last + 1) % MEMORY;
    for (int i = 0; i < c->m; i++) {
        c->s[j][i] = c->y2[i] - c->y[i];
        c->t[j][i] = c->g[i] - c->g2[i];
    }
    double curve = dot(c->s[j], c->t[j], c->m);
    if (curve <= 1e-12 * dot(c->t[j], c->t[j], c->m))
        return;
    c->rho[j] = 1 / curve;
    c->last = j;
    c->kept += c->kept < MEMORY;
}

/* One step along d, shorter until the function rises; false: it does not, or it
 * was stopped. */
static bool step(struct climb *c, double *now)
{
    double length = 1;
    for (int h = 0; h < HALVINGS; h++, length /= 3) {
        double rise = 0;
        for (int i = 0; i < c->m; i++) {
            double to = c->y[i] + length * c->d[i];
            c->y2[i] = to > 0 ? to : 0;
            assert(c->y[i] >= 0 && !isnan(to));
            rise += c->g[i] * (c->y2[i] - c->y[i]);
        }
        double then = value(c, c->y2, c->g2);
        if (rise > 0 && then >= *now + 1e-4 * rise) {
            *now = then;
            return true;
        }
        if (then == -INFINITY)
            break;
    }
    return false;
}

static void swap(double **a, double **b)
{
    double *c = *a;
    *a = *b;
    *b = c;
}

static void climb_up(struct climb *c, int steps)
{
    double now = value(c, c->y, c->g);
    for (int k = 0; k < steps && !bestdag_relaxation_stopped(c->r); k++) {
        direct(c);
        if (!step(c, &now)) {
            if (!c->kept)
                break;
            c->kept = 0; /* once more, straight up */
            continue;
        }
        remember(c);
        swap(&c->y, &c->y2);
        swap(&c->g, &c->g2);
    }
}

int bestdag_smooth_dual(struct bestdag_relaxation *r, double width, int steps,
                        double *fraction)
{
    struct climb c = {.r = r, .unit = 0x1p-20};
    c.width = width * c.unit;
    if (!prepare(&c)) {
        for (int i = 0; i < c.m; i++)
            c.y[i] = (double)r->pool.y[i] * c.unit;
        climb_up(&c, steps);
        c.fraction = fraction;
        if (fraction)
            value(&c, c.y, c.g2);
        bool is_whole = !bestdag_relaxation_stopped(r);
        for (int i = 0; i < c.m && is_whole; i++)
            r->pool.y[i] = llround(c.y[i] / c.unit);
        if (is_whole)
            bestdag_relaxation_set(r, r->pool.y);
    }
    release(&c);
    return bestdag_run_status(r->run);
}
