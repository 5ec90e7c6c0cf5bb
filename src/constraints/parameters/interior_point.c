/* SPDX-License-Identifier: MIT */
/* interior_point.c -- the primal-dual method: see interior_point.h.
 *
 * With slack s, multiplier z and target t of every constraint f <= 0,
 *
 *     slope + sum z grad f = 0,    s z = t
 *
 * is linearised; what is left after the multipliers are eliminated is one
 * symmetric positive system of size dim, solved by Cholesky. Its solution is a
 * way down for
 *
 *     barrier = last * v[dim - 1] - sum t log s
 *
 * which decides how far to go; multipliers go as far as they stay positive, and
 * are kept near t / s. The target of the constraints without weight stays until
 * the equations hold to about its size, then shrinks to a tenth. */
#include "constraints/parameters/interior_point.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define NEAR 10        /* times the target */
#define STRAY 1e6      /* of s z from the target */
#define EDGE .99       /* of the way to a boundary */
#define ROUNDING 1e-15 /* in the barrier */
#define NOISE 1e-9 /* rounding error that may remain in the first equation */
enum { MOST_STEPS = 100, MOST_HALVINGS = 40, MOST_FAILURES = 3 };

struct point {
    double *v, *slack, *multiplier;
    double *dual; /* [dim]: residual of the gradient of the Lagrangian */
};

struct state {
    const struct bestdag_interior_point *p;
    int all;       /* constraints */
    double target; /* of those without weight */
    struct point now, next;
    double *gradient; /* [(balls + curves) * dim] */
    double *matrix;   /* [dim * dim] */
    double *step;     /* [dim] */
    double *descent;  /* [dim]: minus the gradient of the barrier */
    double *rise;     /* [all]: of the multipliers */
    double *bend;     /* [2 * dim]: for differences of gradients */
};

size_t bestdag_interior_point_room(int dim, int rows, int balls, int curves)
{
    size_t d = (size_t)dim, bent = (size_t)balls + (size_t)curves;
    size_t m = (size_t)rows + bent;
    return 2 * (2 * d + 2 * m) + bent * d + d * d + 2 * d + m + 2 * d;
}

static double *take(double **scratch, size_t count)
{
    double *at = *scratch;
    *scratch += count;
    return at;
}

static void lay_out(struct state *s, double *scratch)
{
    size_t d = (size_t)s->p->dim, m = (size_t)s->all;
    struct point *both[] = {&s->now, &s->next};
    for (int i = 0; i < 2; i++) {
        both[i]->v = take(&scratch, d);
        both[i]->dual = take(&scratch, d);
        both[i]->slack = take(&scratch, m);
        both[i]->multiplier = take(&scratch, m);
    }
    s->gradient = take(&scratch, (size_t)(s->all - s->p->rows) * d);
    s->matrix = take(&scratch, d * d);
    s->step = take(&scratch, d);
    s->descent = take(&scratch, d);
    s->rise = take(&scratch, m);
    s->bend = take(&scratch, 2 * d);
}

static double dot(const double *a, const double *b, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static double weight_of(const struct state *s, int i)
{
    return i < s->p->rows && s->p->weight ? s->p->weight[i] : 0;
}

/* A constraint with less weight than the barrier has the barrier's target, so
 * that no slack runs ahead of the others. */
static double target_of(const struct state *s, int i)
{
    double weight = weight_of(s, i);
    return weight > s->target ? weight : s->target;
}

static double ball_slack(const struct state *s, int b, const double *v,
                         double *gradient)
{
    const struct bestdag_interior_round *ball = &s->p->ball[b];
    int d = s->p->dim;
    double value = ball->last * v[d - 1];
    memset(gradient, 0, (size_t)d * sizeof *gradient);
    gradient[d - 1] = ball->last;
    for (int k = 0; k < ball->rows; k++) {
        const double *row = ball->row + (size_t)k * d;
        double x = dot(row, v, d) + ball->at[k];
        value += x * x;
        for (int i = 0; i < d; i++)
            gradient[i] += 2 * x * row[i];
    }
    return ball->limit - value;
}

/* Slack of a ball or convex function, which come after the rows, and its
 * gradient. */
static double bent_slack(const struct state *s, int i, const double *v,
                         double *gradient)
{
    i -= s->p->rows;
    if (i < s->p->balls)
        return ball_slack(s, i, v, gradient);
    const struct bestdag_convex_function *c = &s->p->convex[i - s->p->balls];
    return -c->value(c->of, v, gradient);
}

/* The slacks at a point; false if one of them is not positive. */
static bool find_slacks(struct state *s, struct point *at)
{
    const struct bestdag_interior_point *p = s->p;
    bool inside = true;
    for (int i = 0; i < p->rows; i++) {
        at->slack[i] =
            p->limit[i] - dot(p->row + (size_t)i * p->dim, at->v, p->dim);
        inside = inside && at->slack[i] > 0;
    }
    for (int i = p->rows; i < s->all && inside; i++) {
        at->slack[i] = bent_slack(s, i, at->v, s->bend);
        inside = at->slack[i] > 0;
    }
    return inside;
}

/* Sets the dual residual of a point, and the gradients of the balls there. */
static void find_dual(struct state *s, struct point *at)
{
    const struct bestdag_interior_point *p = s->p;
    int d = p->dim;
    memset(at->dual, 0, (size_t)d * sizeof *at->dual);
    at->dual[d - 1] = p->last;
    for (int i = 0; i < s->all; i++) {
        const double *row = p->row + (size_t)i * d;
        if (i >= p->rows) {
            double *gradient = s->gradient + (size_t)(i - p->rows) * d;
            bent_slack(s, i, at->v, gradient);
            row = gradient;
        }
        for (int j = 0; j < d; j++)
            at->dual[j] += at->multiplier[i] * row[j];
    }
}

static double residual(const struct state *s, const struct point *at)
{
    double sum = fmax(0, dot(at->dual, at->dual, s->p->dim) - NOISE * NOISE);
    for (int i = 0; i < s->all; i++) {
        double miss = at->slack[i] * at->multiplier[i] - target_of(s, i);
        sum += miss * miss;
    }
    return sqrt(sum);
}

/* The duality gap. */
static double find_gap(const struct state *s)
{
    double gap = 0;
    for (int i = 0; i < s->all; i++) {
        double weight = weight_of(s, i);
        double product = s->now.slack[i] * s->now.multiplier[i];
        if (weight > 0) {
            double u = product / weight - 1;
            product = weight * (u - log1p(u));
        }
        gap += product;
    }
    return gap;
}

/* Adds factor * row * row' to the lower triangle. */
static void add_square(double *matrix, const double *row, double factor, int d)
{
    for (int i = 0; i < d; i++) {
        double x = factor * row[i];
        if (x != 0)
            for (int j = 0; j <= i; j++)
                matrix[(size_t)i * d + j] += x * row[j];
    }
}

static const double *gradient_of(const struct state *s, int i)
{
    int d = s->p->dim, rows = s->p->rows;
    return i < rows ? s->p->row + (size_t)i * d
                    : s->gradient + (size_t)(i - rows) * d;
}

/* The longer of the two distances to the boundary along coordinate j. */
static double find_way(const struct state *s, int j)
{
    double up = INFINITY, down = INFINITY;
    for (int i = 0; i < s->p->rows; i++) {
        double x = s->p->row[(size_t)i * s->p->dim + j];
        if (x > 0)
            up = fmin(up, s->now.slack[i] / x);
        else if (x < 0)
            down = fmin(down, -s->now.slack[i] / x);
    }
    return up >= down ? up : -down;
}

/* Adds factor times the second derivatives of convex function i. */
static void add_bend(struct state *s, int i, double factor)
{
    int d = s->p->dim;
    double *v = s->bend, *there = s->bend + d;
    const double *here = gradient_of(s, i);
    memcpy(v, s->now.v, (size_t)d * sizeof *v);
    for (int j = 0; j < d; j++) {
        double way = find_way(s, j) / 2;
        double step = way > 0 ? fmin(way, 1e-5) : fmax(way, -1e-5);
        v[j] += step;
        bent_slack(s, i, v, there);
        v[j] = s->now.v[j];
        for (int k = 0; k < d; k++) { /* of both triangles the mean */
            double x = factor * (there[k] - here[k]) / step;
            size_t low = (size_t)(k > j ? k : j),
                   high = (size_t)(k > j ? j : k);
            s->matrix[low * (size_t)d + high] += k == j ? x : x / 2;
        }
    }
}

static void build_system(struct state *s)
{
    const struct bestdag_interior_point *p = s->p;
    int d = p->dim;
    memset(s->matrix, 0, (size_t)d * d * sizeof *s->matrix);
    memset(s->step, 0, (size_t)d * sizeof *s->step);
    s->step[d - 1] = -p->last;
    for (int i = 0; i < s->all; i++) {
        const double *row = gradient_of(s, i);
        double slack = s->now.slack[i], z = s->now.multiplier[i];
        add_square(s->matrix, row, z / slack, d);
        double price = target_of(s, i) / slack;
        for (int j = 0; j < d; j++)
            s->step[j] -= price * row[j];
    }
    for (int b = 0; b < p->balls; b++)
        for (int k = 0; k < p->ball[b].rows; k++)
            add_square(s->matrix, p->ball[b].row + (size_t)k * d,
                       2 * s->now.multiplier[p->rows + b], d);
    for (int i = p->rows + p->balls; i < s->all; i++)
        add_bend(s, i, s->now.multiplier[i]);
}

/* Cholesky, in place; a pivot that rounding has eaten becomes so large that
 * its direction is not moved along, and false is returned. */
static bool solve_system(double *matrix, double *x, int d)
{
    bool whole = true;
    for (int i = 0; i < d; i++) {
        double *row = matrix + (size_t)i * d, diagonal = row[i];
        for (int j = 0; j < i; j++) {
            const double *other = matrix + (size_t)j * d;
            row[j] = (row[j] - dot(row, other, j)) / other[j];
        }
        double pivot = diagonal - dot(row, row, i);
        bool fine = pivot > DBL_EPSILON / 2 * diagonal;
        row[i] = fine ? sqrt(pivot) : sqrt(DBL_MAX) / 1e8;
        whole = whole && fine;
        x[i] = (x[i] - dot(row, x, i)) / row[i];
    }
    for (int i = d - 1; i >= 0; i--) {
        x[i] /= matrix[(size_t)i * d + i];
        for (int j = 0; j < i; j++)
            x[j] -= matrix[(size_t)i * d + j] * x[i];
    }
    return whole;
}

/* The longest steps of v and of the multipliers, at most 1, that keep linear
 * slacks and multipliers positive. */
static void find_lengths(struct state *s, double *down, double *rise)
{
    *down = *rise = 1 / EDGE;
    for (int i = 0; i < s->all; i++) {
        double slack = s->now.slack[i], z = s->now.multiplier[i];
        double along = dot(gradient_of(s, i), s->step, s->p->dim);
        s->rise[i] = (target_of(s, i) + z * along) / slack - z;
        if (s->rise[i] * *rise < -z)
            *rise = -z / s->rise[i];
        if (i < s->p->rows && along * *down > slack)
            *down = slack / along;
    }
    *down *= EDGE;
    *rise *= EDGE;
}

/* How much lower the barrier is at the next point. */
static double find_descent(const struct state *s)
{
    int last = s->p->dim - 1;
    double sum = s->p->last * (s->now.v[last] - s->next.v[last]);
    for (int i = 0; i < s->all; i++)
        sum += target_of(s, i) * log(s->next.slack[i] / s->now.slack[i]);
    return sum;
}

static void raise(struct state *s, double length)
{
    for (int i = 0; i < s->all; i++) {
        double centre = target_of(s, i) / s->next.slack[i];
        double z = s->now.multiplier[i] + length * s->rise[i];
        s->next.multiplier[i] = fmin(fmax(z, centre / STRAY), centre * STRAY);
    }
}

/* Moves along the step as far as it helps; false: it does not. */
static bool advance(struct state *s)
{
    double length, rise, predicted = dot(s->descent, s->step, s->p->dim);
    find_lengths(s, &length, &rise);
    for (int i = 0; i < MOST_HALVINGS; i++, length /= 2) {
        for (int j = 0; j < s->p->dim; j++)
            s->next.v[j] = s->now.v[j] + length * s->step[j];
        if (!find_slacks(s, &s->next) ||
            !(find_descent(s) >= 1e-4 * length * predicted - ROUNDING))
            continue;
        raise(s, rise);
        find_dual(s, &s->next);
        struct point old = s->now;
        s->now = s->next;
        s->next = old;
        return true;
    }
    return false;
}

static double largest(const double *x, int count)
{
    double most = 0;
    for (int i = 0; i < count; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

/* Bound on the distance of the objective from the optimum: the gap, plus the
 * residual of the first equation times the remaining distance, which the next
 * step gives if it is a full one. */
static double find_error(const struct state *s, bool whole)
{
    double way = whole ? fmin(1, 10 * largest(s->step, s->p->dim)) : 1;
    return find_gap(s) + way * largest(s->now.dual, s->p->dim);
}

static void start(struct state *s, const double *v)
{
    memcpy(s->now.v, v, (size_t)s->p->dim * sizeof *v);
    find_slacks(s, &s->now);
    s->target = s->all ? 1. / s->all : 0;
    for (int i = 0; i < s->all; i++)
        s->now.multiplier[i] = target_of(s, i) / s->now.slack[i];
    find_dual(s, &s->now);
}

double bestdag_interior_point_solve(const struct bestdag_interior_point *p,
                                    double *v, double *multiplier,
                                    double *scratch)
{
    struct state s = {.p = p, .all = p->rows + p->balls + p->curves};
    lay_out(&s, scratch);
    start(&s, v);
    double error = INFINITY;
    int failures = 0;
    for (int i = 0; i < MOST_STEPS; i++) {
        if (residual(&s, &s.now) <= NEAR * s.target)
            s.target /= 10;
        build_system(&s);
        memcpy(s.descent, s.step, (size_t)p->dim * sizeof *s.descent);
        error = find_error(&s, solve_system(s.matrix, s.step, p->dim));
        if (error <= p->tolerance)
            break;
        if (advance(&s))
            continue;
        if (++failures == MOST_FAILURES)
            break;
        s.target /= 10;
    }
    memcpy(v, s.now.v, (size_t)p->dim * sizeof *v);
    if (multiplier)
        memcpy(multiplier, s.now.multiplier,
               (size_t)s.all * sizeof *multiplier);
    return error;
}
