/* SPDX-License-Identifier: MIT */
/* phase_one.c -- a point inside the constraints of a piece, if there is any.
 *
 * Minimise t subject to "every constraint is missed by at most t". If the least
 * t is above 0 there is no solution. If it is below, the point found lies well
 * inside all constraints and solving starts there. If it is 0, the constraints
 * leave no room in some direction (p <= .3 and p >= .3): those with a positive
 * multiplier hold with equality wherever all hold, so they become equations and
 * the search goes on in what is left (facial reduction). Convex functions of
 * the caller come after that, inside the other constraints: they need not be
 * defined outside. */
#include <math.h>
#include <string.h>

#include "constraints/parameters/affine.h"
#include "constraints/parameters/linked_rows.h"

#define FEASIBLE 1e-9 /* a constraint that is missed by less holds */
#define NOTHING 1e-11 /* a coefficient, against 1 */
#define EXACT 1e-12   /* of t */
#define ZERO 1e-12    /* a chance */

/* The search and its remaining constraints. Constraint i is entry i, then come
 * linear ones, then spheres. */
struct search {
    struct bestdag_run *run;
    struct bestdag_linked_rows *p;
    struct bestdag_affine affine;
    bool *is_settled;  /* [n + uppers + spheres]: it always holds */
    int *which;        /* constraint of a row of the programme */
    double *row;       /* [rows * (dim + 1)] */
    double *limit;     /* [rows] */
    double *round_row; /* [spheres * states * (dim + 1)] */
    double *round_at;  /* [spheres * states] */
    struct bestdag_interior_round *round;
    struct bestdag_convex_function *convex; /* [convexes] */
    struct bestdag_bend *bend;              /* [convexes] */
    double *v, *multiplier, *solver;
    double *theta; /* [n + 1]: the point; scratch before it is known */
    double *gathered;
    int rows, rounds;
};

enum outcome { INSIDE, NARROW, NONE, FAILED };

/* ---- room ---------------------------------------------------------------- */

static void release(struct search *s)
{
    void *owned[] = {s->affine.origin, s->affine.basis,
                     s->affine.pivot,

                     s->is_settled,    s->which,
                     s->row,           s->limit,
                     s->round_row,     s->round_at,
                     s->round,         s->convex,
                     s->bend,          s->v,
                     s->multiplier,    s->solver,
                     s->theta,         s->gathered};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        bestdag_free(owned[i]);
}

static void *room(struct search *s, size_t count, size_t bytes)
{
    return bestdag_calloc(s->run, count ? count : 1, bytes);
}

static int reserve(struct search *s)
{
    const struct bestdag_linked_rows *p = s->p;
    size_t n = (size_t)p->n, spheres = (size_t)p->spheres;
    size_t convexes = (size_t)p->convexes, width = n + 1;
    size_t rows = n + (size_t)p->uppers + 1;
    size_t balls = spheres * (size_t)p->states;
    s->affine.n = p->n;
    s->affine.origin = room(s, n, sizeof(double));
    s->affine.basis = room(s, n * n, sizeof(double));
    s->affine.pivot = room(s, n, sizeof(int));
    s->convex = room(s, convexes, sizeof *s->convex);
    s->bend = room(s, convexes, sizeof *s->bend);
    s->is_settled = room(s, rows + spheres, sizeof(bool));
    s->which = room(s, rows, sizeof(int));
    s->row = room(s, rows * width, sizeof(double));
    s->limit = room(s, rows, sizeof(double));
    s->round_row = room(s, balls * width, sizeof(double));
    s->round_at = room(s, balls, sizeof(double));
    s->round = room(s, spheres, sizeof *s->round);
    s->v = room(s, width, sizeof(double));
    s->multiplier = room(s, rows + spheres + convexes, sizeof(double));
    s->solver = room(s,
                     bestdag_interior_point_room((int)width, (int)rows,
                                                 p->spheres, p->convexes),
                     sizeof(double));
    s->theta = room(s, width, sizeof(double));
    s->gathered = room(s, 2 * n, sizeof(double));
    return bestdag_run_status(s->run);
}

/* ---- equations ----------------------------------------------------------- */

/* A sphere of radius 0 is its centre. */
static int fix_row(struct search *s, int row, const double *at)
{
    for (int k = 0; k < s->p->states; k++) {
        double *equal = bestdag_linked_rows_equal(s->run, s->p);
        if (!equal)
            return bestdag_run_status(s->run);
        equal[row * s->p->states + k] = 1;
        equal[s->p->n] = at[k];
    }
    return BESTDAG_OK;
}

static int fix_points(struct search *s)
{
    const struct bestdag_linked_rows *p = s->p;
    int status = BESTDAG_OK;
    for (int i = 0; i < p->spheres && !status; i++)
        if (p->sphere[i].most <= 0) {
            s->is_settled[p->n + p->uppers + i] = true;
            status = fix_row(s, p->sphere[i].row, p->sphere[i].centre);
        }
    return status;
}

static enum outcome solve_equations(struct search *s)
{
    const struct bestdag_linked_rows *p = s->p;
    size_t width = (size_t)p->n + 1, rows = (size_t)(p->rows + p->equals);
    double *e = bestdag_calloc(s->run, rows * width, sizeof *e);
    if (!e)
        return FAILED;
    for (int j = 0; j < p->rows; j++) {
        for (int k = 0; k < p->states; k++)
            e[(size_t)j * width + (size_t)(j * p->states + k)] = 1;
        e[(size_t)j * width + width - 1] = 1;
    }
    if (p->equals)
        memcpy(e + (size_t)p->rows * width, p->equal,
               (size_t)p->equals * width * sizeof *e);
    bool fine = bestdag_affine_solve(&s->affine, e, (int)rows);
    bestdag_free(e);
    return fine ? INSIDE : NONE;
}

/* ---- the programme ------------------------------------------------------- */

static double dot(const double *a, const double *b, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Coefficient row of constraint i over the entries, its bound last. */
static const double *constraint(const struct search *s, int i, double *entry)
{
    const struct bestdag_linked_rows *p = s->p;
    if (i >= p->n)
        return p->upper + (size_t)(i - p->n) * (p->n + 1);
    memset(entry, 0, (size_t)(p->n + 1) * sizeof *entry);
    entry[i] = -1;
    return entry;
}

/* Writes a constraint in y: row (dim long) and limit. The largest coefficient
 * becomes 1; 0 is returned if there is none. */
static double reduce(const struct search *s, const double *from, double *row,
                     double *limit)
{
    int n = s->p->n, d = s->affine.dim;
    double most = 0;
    memset(row, 0, (size_t)d * sizeof *row);
    for (int k = 0; k < n; k++)
        for (int j = 0; j < d && from[k] != 0; j++)
            row[j] += from[k] * s->affine.basis[(size_t)k * d + j];
    *limit = from[n] - dot(from, s->affine.origin, n);
    for (int j = 0; j < d; j++)
        most = fmax(most, fabs(row[j]));
    if (most <= NOTHING)
        return 0;
    for (int j = 0; j < d; j++)
        row[j] /= most;
    *limit /= most;
    return most;
}

/* Adds constraint i, less t times `soft`, unless it says nothing about y; false
 * if it cannot hold. */
static bool add_row(struct search *s, int i, double soft)
{
    int d = s->affine.dim;
    double *row = s->row + (size_t)s->rows * (d + 1), limit;
    if (reduce(s, constraint(s, i, s->theta), row, &limit) <= 0) {
        s->is_settled[i] = true;
        if (i < s->p->n && limit <= ZERO)
            s->p->is_zero[i] = true;
        return limit >= -FEASIBLE;
    }
    row[d] = -soft;
    s->limit[s->rows] = limit;
    s->which[s->rows++] = i;
    return true;
}

static void add_round(struct search *s, int i, double soft)
{
    const struct bestdag_sphere *sphere = &s->p->sphere[i];
    int d = s->affine.dim, r = s->p->states;
    double *row = s->round_row + (size_t)i * r * (d + 1);
    double *at = s->round_at + (size_t)i * r;
    for (int k = 0; k < r; k++) {
        size_t entry = (size_t)(sphere->row * r + k);
        memcpy(row + (size_t)k * (d + 1), s->affine.basis + entry * d,
               (size_t)d * sizeof *row);
        row[(size_t)k * (d + 1) + d] = 0;
        at[k] = s->affine.origin[entry] - sphere->centre[k];
    }
    s->round[s->rounds++] = (struct bestdag_interior_round){
        .rows = r, .row = row, .at = at, .last = -soft, .limit = sphere->most};
}

static bool add_all(struct search *s, double soft)
{
    const struct bestdag_linked_rows *p = s->p;
    s->rows = s->rounds = 0;
    bool fine = true;
    for (int i = 0; i < p->n + p->uppers; i++)
        if (!s->is_settled[i])
            fine = add_row(s, i, soft) && fine;
    for (int i = 0; i < p->spheres; i++)
        if (!s->is_settled[p->n + p->uppers + i])
            add_round(s, i, soft);
    return fine;
}

static double find_slack(const struct search *s, int i)
{
    int d = s->affine.dim + 1;
    if (i < s->rows)
        return s->limit[i] - dot(s->row + (size_t)i * d, s->v, d);
    const struct bestdag_interior_round *b = &s->round[i - s->rows];
    double value = b->last * s->v[d - 1];
    for (int k = 0; k < b->rows; k++) {
        double x = dot(b->row + (size_t)k * d, s->v, d) + b->at[k];
        value += x * x;
    }
    return b->limit - value;
}

/* Minimises t, in v[dim], from t = start; returns a bound on the error. */
static double minimise(struct search *s, double start, int curves)
{
    int d = s->affine.dim;
    double *floor = s->row + (size_t)s->rows * (d + 1);
    memset(floor, 0, (size_t)(d + 1) * sizeof *floor); /* t >= -1 */
    floor[d] = -1;
    s->limit[s->rows] = 1;
    memset(s->v, 0, (size_t)(d + 1) * sizeof *s->v);
    s->v[d] = start;
    struct bestdag_interior_point programme = {.dim = d + 1,
                                               .rows = s->rows + 1,
                                               .row = s->row,
                                               .limit = s->limit,
                                               .balls = s->rounds,
                                               .ball = s->round,
                                               .curves = curves,
                                               .convex = s->convex,
                                               .last = 1,
                                               .tolerance = EXACT};
    return bestdag_interior_point_solve(&programme, s->v, s->multiplier,
                                        s->solver);
}

/* A t with which all constraints hold strictly at the origin. */
static double find_start(struct search *s)
{
    double most = 0;
    memset(s->v, 0, (size_t)(s->affine.dim + 1) * sizeof *s->v);
    for (int i = 0; i < s->rows + s->rounds; i++)
        most = fmax(most, -find_slack(s, i));
    return most + 1;
}

static void read_theta(struct search *s)
{
    int d = s->affine.dim;
    for (int i = 0; i < s->p->n; i++)
        s->theta[i] =
            s->affine.origin[i] + dot(s->affine.basis + (size_t)i * d, s->v, d);
}

/* Judges the least t, which is between t - gap and t. In doubt there is no
 * interior: the equations that follow detect what is impossible. */
static enum outcome judge(double t, double gap)
{
    return t < -FEASIBLE           ? INSIDE
           : t - gap > FEASIBLE    ? NONE
           : gap <= 100 * FEASIBLE ? NARROW
                                   : FAILED;
}

/* Inside the other constraints, where theta is: a point with room under all
 * convex functions. */
static enum outcome search_curves(struct search *s)
{
    const struct bestdag_linked_rows *p = s->p;
    double most = -INFINITY;
    memcpy(s->affine.origin, s->theta, (size_t)p->n * sizeof *s->theta);
    if (!add_all(s, 0))
        return FAILED;
    memset(s->v, 0, (size_t)(s->affine.dim + 1) * sizeof *s->v);
    for (int i = 0; i < p->convexes; i++) {
        s->bend[i] = (struct bestdag_bend){.convex = &p->convex[i],
                                           .dim = s->affine.dim,
                                           .origin = s->affine.origin,
                                           .basis = s->affine.basis,
                                           .last = -1,
                                           .gathered = s->gathered};
        s->convex[i] =
            (struct bestdag_convex_function){bestdag_bend_value, &s->bend[i]};
        double value = bestdag_bend_value(&s->bend[i], s->v, s->multiplier);
        if (!isfinite(value))
            return FAILED;
        most = fmax(most, value);
    }
    double gap = minimise(s, fmax(most, -.9) + 1, p->convexes);
    double least = s->v[s->affine.dim];
    /* What is deepest under the functions may lie at the edge of the rest: the
     * new point is between the two, half of the way that is needed deeper. */
    double enough = most > 0 ? most / (most - least) : 0;
    for (int j = 0; j < s->affine.dim && least < 0; j++)
        s->v[j] *= (1 + enough) / 2;
    read_theta(s);
    return judge(least, gap);
}

/* ---- the search ---------------------------------------------------------- */

/* No coordinates are left: do all constraints hold at the only point? */
static enum outcome check_point(struct search *s)
{
    const struct bestdag_linked_rows *p = s->p;
    memcpy(s->theta, s->affine.origin, (size_t)p->n * sizeof *s->theta);
    for (int i = 0; i < p->n; i++) {
        if (s->theta[i] < -FEASIBLE)
            return NONE;
        if (s->theta[i] <= ZERO)
            p->is_zero[i] = true;
    }
    for (int i = 0; i < p->uppers; i++) {
        const double *row = p->upper + (size_t)i * (p->n + 1);
        if (dot(row, s->theta, p->n) > row[p->n] + FEASIBLE)
            return NONE;
    }
    for (int i = 0; i < p->spheres; i++) {
        const struct bestdag_sphere *b = &p->sphere[i];
        double sum = 0;
        for (int k = 0; k < p->states; k++) {
            double x = s->theta[b->row * p->states + k] - b->centre[k];
            sum += x * x;
        }
        if (sum > b->most + FEASIBLE)
            return NONE;
    }
    for (int i = 0; i < p->convexes; i++) {
        double value =
            bestdag_convex_value(&p->convex[i], s->theta, s->gathered);
        if (!isfinite(value))
            return FAILED;
        if (value > FEASIBLE)
            return NONE;
    }
    return INSIDE;
}

/* Turns constraints that hold with equality into equations; returns how many,
 * or -1. */
static int tighten(struct search *s)
{
    struct bestdag_linked_rows *p = s->p;
    int found = 0;
    for (int i = 0; i < s->rows; i++) {
        int c = s->which[i];
        if (s->multiplier[i] <= find_slack(s, i))
            continue;
        double *equal = bestdag_linked_rows_equal(s->run, p);
        if (!equal)
            return -1;
        if (c < p->n) {
            equal[c] = 1;
            p->is_zero[c] = true;
        } else
            memcpy(equal, p->upper + (size_t)(c - p->n) * (p->n + 1),
                   (size_t)(p->n + 1) * sizeof *equal);
        s->is_settled[c] = true;
        found++;
    }
    for (int i = 0, b = 0; i < p->spheres; i++) {
        int c = p->n + p->uppers + i;
        if (s->is_settled[c])
            continue;
        int at = s->rows + 1 + b++; /* after t >= -1 */
        if (s->multiplier[at] <= find_slack(s, at - 1))
            continue;
        s->is_settled[c] = true;
        if (fix_row(s, p->sphere[i].row,
                    s->theta + p->sphere[i].row * p->states))
            return -1;
        found++;
    }
    return found;
}

static enum outcome step(struct search *s)
{
    enum outcome outcome = solve_equations(s);
    if (outcome)
        return outcome;
    if (!s->affine.dim)
        return check_point(s);
    if (!add_all(s, 1))
        return NONE;
    double gap = minimise(s, find_start(s), 0);
    read_theta(s);
    outcome = judge(s->v[s->affine.dim], gap);
    if (outcome == NARROW)
        return tighten(s) > 0 ? NARROW : FAILED;
    if (outcome || !s->p->convexes)
        return outcome;
    outcome = search_curves(s);
    if (outcome == NARROW) /* give the functions some room */
        s->p->ease = 2 * FEASIBLE;
    return outcome == NARROW ? INSIDE : outcome;
}

/* ---- what is kept -------------------------------------------------------- */

static int keep_rounds(struct search *s)
{
    struct bestdag_linked_rows *p = s->p;
    size_t r = (size_t)p->states;
    p->round = room(s, (size_t)p->spheres, sizeof *p->round);
    p->distance = room(s, (size_t)p->spheres * r, sizeof *p->distance);
    if (!p->round || !p->distance)
        return bestdag_run_status(s->run);
    for (int i = 0; i < p->spheres; i++) {
        if (s->is_settled[p->n + p->uppers + i])
            continue;
        const struct bestdag_sphere *b = &p->sphere[i];
        for (size_t k = 0; k < r; k++)
            p->distance[(size_t)p->rounds * r + k] =
                p->centre[(size_t)b->row * r + k] - b->centre[k];
        p->round[p->rounds++] = i;
    }
    return BESTDAG_OK;
}

/* The point becomes the centre; constraints are rewritten relative to it. */
static int keep(struct search *s)
{
    struct bestdag_linked_rows *p = s->p;
    size_t n = (size_t)p->n, d = (size_t)s->affine.dim;
    size_t most = n + (size_t)p->uppers;
    memcpy(p->centre, s->theta, n * sizeof *p->centre);
    memcpy(s->affine.origin, s->theta, n * sizeof *p->centre);
    p->dim = (int)d;
    p->basis = room(s, n * d, sizeof *p->basis);
    p->row = room(s, most * d, sizeof *p->row);
    p->limit = room(s, most, sizeof *p->limit);
    if (!p->basis || !p->row || !p->limit)
        return bestdag_run_status(s->run);
    memcpy(p->basis, s->affine.basis, n * d * sizeof *p->basis);
    for (int i = 0; i < (int)most && d; i++) {
        bool is_entry = i < p->n;
        if (is_entry ? p->is_zero[i] : s->is_settled[i])
            continue;
        double *row = p->row + (size_t)p->inside * d;
        double scale =
            reduce(s, constraint(s, i, s->theta), row, &p->limit[p->inside]);
        for (size_t j = 0; is_entry && scale > 0 && j < d; j++)
            row[j] *= scale; /* its slack is the chance itself */
        if (is_entry)
            p->limit[p->inside] = p->centre[i];
        if (is_entry || scale > 0)
            p->inside++;
        p->bounds += is_entry;
    }
    return keep_rounds(s);
}

int bestdag_linked_rows_settle(struct bestdag_run *run,
                               struct bestdag_linked_rows *p, bool *feasible)
{
    struct search s = {.run = run, .p = p};
    enum outcome outcome = NARROW;
    int status = reserve(&s);
    if (!status)
        status = fix_points(&s);
    while (!status && outcome == NARROW)
        outcome = step(&s);
    if (!status && outcome == FAILED && !bestdag_run_status(run))
        status = bestdag_fail(run, BESTDAG_FAILED,
                              "parameter constraints: cannot determine whether "
                              "they have a solution");
    if (!status && outcome == INSIDE)
        status = keep(&s);
    *feasible = outcome == INSIDE;
    release(&s);
    if (!status && outcome == INSIDE && p->dim == 1 && p->rows == 1 &&
        p->states == 2 && !p->rounds && !p->convexes)
        p->kind = BESTDAG_PIECE_RANGE;
    return status ? status : bestdag_run_status(run);
}
