/* SPDX-License-Identifier: MIT */
/* smooth_dual.c -- improves all multipliers at once, by a smooth approximation
 * of B.
 *
 * B is concave and piecewise linear. With -w ln(sum of exp(-x / w)) instead of
 * the minimum over a variable's sets x it becomes smooth, is below B by at most
 * w times the sum of the logarithms of the lists' lengths, and its gradient is
 * the violation of the cluster constraints:
 *
 *     least_C - sum over v in C of the fraction of v's sets that miss C,
 *
 * where the fractions exp(-x / w), normalised, are a fractional solution. It is
 * maximised by L-BFGS (Nocedal 1980) with multipliers kept at 0 or above; the
 * caller decreases w from round to round. Steps are made on a working set, the
 * sets that are near the cheapest of their list (near_sets.h); every CHUNK
 * steps all reduced costs are computed, in integers, and the working set is
 * chosen again. So neither B nor the fractional solution depends on it at the
 * end. If lists are long, even this is restricted to the nearest part of them
 * (near_relaxation.h), and all sets are considered at the end. */
#include "bounds/near_sets.h"

#include <assert.h>
#include <math.h>

#include "bounds/near_relaxation.h"

/* "gaps" are those of hailfinder and soybean at the same work, "time" is that
 * of proving munin1, both before there was a working set
 * (bench/log/2026-11-17-sensitivity.csv). */
enum {
    MEMORY = 8,    /* steps that L-BFGS keeps; 4: gaps x 0.97..1.08, time x
                      1.15; 16: gaps x 0.86..1.01 */
    SHORTENED = 12 /* times that a step is shortened until it is given up;
                      6..24: the same */
};

/* A step is shortened by this factor. 2: gaps x 1.01..1.24; 6: gaps x 0.89..1,
 * time x 1.55. */
#define SHORTER 3.0
/* The first step, in widths per unit of the gradient. 2..8: gaps x 0.91..1. */
#define FIRST_STEP 4.0
/* Widths: exp(-FAR) < 2e-11 counts as 0. 12.5: gaps x 0.86..1.01; 50: gaps x
 * 1.03, time x 2.2. */
#define FAR 25.0
/* The part of the predicted gain that a step must reach (Armijo). 1e-6..1e-2:
 * the same. */
#define ENOUGH_RISE 1e-4
/* Steps with less curvature are not kept by L-BFGS. 1e-15..1e-9: the same. */
#define LEAST_CURVATURE 1e-12
/* In widths: sets beyond are not in the working set. */
#define NEAR 60.0

enum {
    CHUNK = 20,      /* steps on one working set; 10 to 20 were good */
    LEAST_CHUNK = 5, /* if the working set was too small */
    MOST_NEAR = 100, /* sets per list, at first; 100 to 200 were good */
    NEAR_PART = 16,  /* one set in this many of long lists takes part */
    PART_LESS = 8    /* if that was too few, one in so many times fewer */
};

struct climb {
    struct bestdag_relaxation *r;
    struct bestdag_near_sets near;
    double width;
    double unit;     /* nats per unit, a power of two: keeps numbers small */
    int m;           /* clusters */
    double most;     /* limit of a multiplier, so that sums do not overflow,
                        however flat the function is */
    double *x;       /* owns; [near sets of a list] */
    double *y, *g;   /* own; [m]: the present point and its gradient */
    double *y2, *g2; /* own; [m]: the next point and its gradient */
    double *d;       /* owns; [m]: direction */
    double *s[MEMORY], *t[MEMORY]; /* own; steps and changes of gradient */
    double rho[MEMORY];
    int kept, last;
};

static void release(struct climb *c)
{
    bestdag_near_sets_release(&c->near);
    double *all[] = {c->x, c->y, c->g, c->y2, c->g2, c->d};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        bestdag_free(all[i]);
    for (int i = 0; i < MEMORY; i++) {
        bestdag_free(c->s[i]);
        bestdag_free(c->t[i]);
    }
}

static int prepare(struct climb *c)
{
    struct bestdag_run *run = c->r->run;
    size_t longest = 1, m = (size_t)c->r->pool.count;
    c->m = c->r->pool.count;
    c->most = ldexp(c->unit, 58) / (c->m + 1.0);
    for (int v = 0; v < c->r->n; v++)
        if ((size_t)c->r->list[v].count > longest)
            longest = (size_t)c->r->list[v].count;
    c->x = bestdag_alloc(run, longest * sizeof *c->x);
    double **all[] = {&c->y, &c->g, &c->y2, &c->g2, &c->d};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = bestdag_calloc(run, m, sizeof **all[i]);
    for (int i = 0; i < MEMORY; i++) {
        c->s[i] = bestdag_calloc(run, m, sizeof *c->s[i]);
        c->t[i] = bestdag_calloc(run, m, sizeof *c->t[i]);
    }
    bestdag_near_sets_init(&c->near, c->r);
    for (int i = 0; i < c->m && !bestdag_run_status(run); i++)
        c->y[i] = (double)c->r->pool.y[i] * c->unit;
    return bestdag_run_status(run);
}

/* ---- the function and its gradient --------------------------------------- */

/* x of every near set of v: its cost plus the multipliers of the clusters that
 * it meets. Returns the least. */
static double reduce_costs(struct climb *c, int v, const double *y)
{
    const struct bestdag_near_sets *s = &c->near;
    const int64_t *cost = c->r->list[v].cost;
    double least = INFINITY, *x = c->x;
    for (int64_t i = s->start[v]; i < s->start[v + 1]; i++, x++) {
        *x = (double)cost[s->set[i]] * c->unit;
        for (int64_t k = s->hit_start[i]; k < s->hit_start[i + 1]; k++)
            *x += y[s->hit[k]];
        least = *x < least ? *x : least;
    }
    return least;
}

/* Turns x into fractions; returns the smooth minimum. */
static double divide(double *x, int count, double least, double width)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        double far = (x[i] - least) / width;
        x[i] = far > FAR ? 0 : exp(-far);
        sum += x[i];
    }
    assert(!count || sum >= 1); /* the least x gives exp(0) */
    for (int i = 0; i < count; i++)
        x[i] = x[i] > 0 ? x[i] / sum : 0;
    return least - width * log(sum > 1 ? sum : 1);
}

/* Adds the fraction of each set to the entries of the clusters that it meets.
 */
static void add_to_gradient(struct climb *c, int v, double *g)
{
    const struct bestdag_near_sets *s = &c->near;
    const double *x = c->x;
    for (int64_t i = s->start[v]; i < s->start[v + 1]; i++, x++)
        if (*x > 0)
            for (int64_t k = s->hit_start[i]; k < s->hit_start[i + 1]; k++)
                g[s->hit[k]] += *x;
}

/* The smooth function at y, and its gradient in g. -INFINITY if stopped. */
static double value(struct climb *c, const double *y, double *g)
{
    const struct bestdag_near_sets *s = &c->near;
    double sum = 0;
    for (int i = 0; i < c->m; i++) {
        g[i] = s->base[i];
        sum += g[i] * y[i];
    }
    c->r->work += s->hit_start[s->start[c->r->n]];
    for (int v = 0; v < c->r->n; v++) {
        int count = (int)(s->start[v + 1] - s->start[v]);
        if (bestdag_relaxation_stopped(c->r))
            return -INFINITY;
        if (!count)
            continue;
        sum += divide(c->x, count, reduce_costs(c, v, y), c->width);
        add_to_gradient(c, v, g);
    }
    return sum;
}

/* ---- L-BFGS with multipliers >= 0 ---------------------------------------- */

static double dot(const double *a, const double *b, int m)
{
    double sum = 0;
    for (int i = 0; i < m; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Is multiplier i at 0 with a gradient that would make it negative? */
static bool is_held(const struct climb *c, int i)
{
    return c->y[i] <= 0 && c->g[i] <= 0;
}

/* d = (approximate inverse Hessian) g, from the last steps. */
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
    double scale = FIRST_STEP * c->width;
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

/* Keeps the step to y2 if the function is curved along it. */
static void remember(struct climb *c)
{
    int j = (c->last + 1) % MEMORY;
    for (int i = 0; i < c->m; i++) {
        c->s[j][i] = c->y2[i] - c->y[i];
        c->t[j][i] = c->g[i] - c->g2[i];
    }
    double curve = dot(c->s[j], c->t[j], c->m);
    if (curve <= LEAST_CURVATURE * dot(c->t[j], c->t[j], c->m))
        return;
    c->rho[j] = 1 / curve;
    c->last = j;
    c->kept += c->kept < MEMORY;
}

/* A step along d, shortened until the function rises enough; false: it does
 * not, or it was stopped. */
static bool step(struct climb *c, double *now)
{
    double length = 1;
    for (int h = 0; h < SHORTENED; h++, length /= SHORTER) {
        double rise = 0;
        for (int i = 0; i < c->m; i++) {
            double to = c->y[i] + length * c->d[i];
            c->y2[i] = to > 0 ? fmin(to, c->most) : 0;
            assert(c->y[i] >= 0 && !isnan(to));
            rise += c->g[i] * (c->y2[i] - c->y[i]);
        }
        double then = value(c, c->y2, c->g2);
        if (rise > 0 && then >= *now + ENOUGH_RISE * rise) {
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
            c->kept = 0; /* try again along the gradient */
            continue;
        }
        remember(c);
        swap(&c->y, &c->y2);
        swap(&c->g, &c->g2);
    }
}

/* Rounds y to units and computes all reduced costs. */
static void reprice(struct climb *c)
{
    for (int i = 0; i < c->m; i++)
        c->r->pool.y[i] = llround(fmin(c->y[i], c->most) / c->unit);
    bestdag_relaxation_set(c->r, c->r->pool.y);
}

/* The fractions of all sets, from their reduced costs. */
static void list_fractions(const struct bestdag_relaxation *r, double width,
                           double *fraction)
{
    for (int v = 0; v < r->n; v++) {
        const struct bestdag_reduced_list *s = &r->list[v];
        for (int set = 0; set < s->count; set++)
            fraction[set] = (double)s->reduced[set];
        divide(fraction, s->count, 0, width);
        fraction += s->count;
    }
}

/* The smooth function over all sets, in units. */
static double whole_value(const struct bestdag_relaxation *r, double width)
{
    double value = (double)r->bound;
    for (int v = 0; v < r->n; v++) {
        const struct bestdag_reduced_list *s = &r->list[v];
        double far = FAR * width, sum = 0;
        for (int set = 0; set < s->count; set++)
            if ((double)s->reduced[set] <= far)
                sum += exp(-(double)s->reduced[set] / width);
        value -= sum > 1 ? width * log(sum) : 0;
    }
    return value;
}

/* Climbs in chunks, each on its working set. If the function fell although it
 * rose on the working set, sets were missing: they are near now, and the next
 * chunk is shorter with a larger working set. */
static int climb_chunks(struct climb *c, double width, int steps)
{
    struct bestdag_relaxation *r = c->r;
    double now = whole_value(r, width);
    int chunk = CHUNK, most = MOST_NEAR;
    for (int done = 0; done < steps && !bestdag_relaxation_stopped(r);) {
        if (bestdag_near_sets_choose(&c->near, NEAR * width, most))
            return bestdag_run_status(r->run);
        int count = steps - done;
        if (!c->near.is_whole && chunk < count)
            count = chunk;
        climb_up(c, count);
        if (bestdag_relaxation_stopped(r))
            break;
        reprice(c);
        done += count;
        double then = whole_value(r, width);
        if (then < now) {
            chunk = chunk / 2 > LEAST_CHUNK ? chunk / 2 : LEAST_CHUNK;
            most *= 2;
        }
        now = then;
    }
    return bestdag_run_status(r->run);
}

/* Climbs on the full lists. */
static int climb_lists(struct bestdag_relaxation *r, double width, int steps)
{
    struct climb c = {.r = r, .unit = 0x1p-20};
    c.width = width * c.unit;
    if (!prepare(&c))
        climb_chunks(&c, width, steps);
    release(&c);
    return bestdag_run_status(r->run);
}

/* Climbs on the nearest sets. If the function fell, sets were missing: tries
 * again with more of them. If stopped, it changes nothing. */
static int climb_near(struct bestdag_relaxation *r, double width, int steps)
{
    double before = whole_value(r, width);
    for (int part = NEAR_PART; part > 1; part /= PART_LESS) {
        struct bestdag_relaxation *near = bestdag_near_relaxation_new(r, part);
        if (!near)
            return bestdag_run_status(r->run);
        climb_lists(near, width, steps);
        r->work += near->work;
        bool is_done =
            !bestdag_run_status(r->run) && !bestdag_relaxation_stopped(r);
        if (is_done)
            bestdag_relaxation_set(r, near->pool.y);
        bestdag_relaxation_free(near);
        if (!is_done || whole_value(r, width) >= before)
            break;
    }
    return bestdag_run_status(r->run);
}

int bestdag_smooth_dual(struct bestdag_relaxation *r, double width, int steps,
                        double *fraction)
{
    int status = bestdag_near_relaxation_pays(r) ? climb_near(r, width, steps)
                                                 : climb_lists(r, width, steps);
    if (!status && fraction)
        list_fractions(r, width, fraction);
    return status;
}
