/* SPDX-License-Identifier: MIT */
/* linked_rows.c -- the rows of one piece: building, closed forms, the general
 * method.
 *
 * The general method is the interior-point method over y, theta = centre +
 * basis y, started at the centre. It is tested first whether the frequencies
 * satisfy all constraints. */
#include "constraints/parameters/linked_rows.h"

#include <math.h>
#include <string.h>

#include "constraints/parameters/pool_adjacent.h"

/* How exactly frequencies must meet a constraint. */
#define MET 1e-12
/* Probabilities of unobserved states below this become 0. */
#define TINY 1e-12
/* Accepted gap of the likelihood per row of the table; mostly it is 1e-12. */
#define GOOD_GAP 1e-8

/* ---- building ------------------------------------------------------------ */

int bestdag_linked_rows_init(struct bestdag_run *run,
                             struct bestdag_linked_rows *p, int states,
                             int rows)
{
    *p = (struct bestdag_linked_rows){
        .states = states, .rows = rows, .n = states * rows};
    p->order = bestdag_calloc(run, (size_t)(rows + states), sizeof *p->order);
    p->centre = bestdag_calloc(run, (size_t)p->n, sizeof *p->centre);
    p->is_zero = bestdag_calloc(run, (size_t)p->n, sizeof *p->is_zero);
    for (int i = 0; p->centre && i < p->n; i++)
        p->centre[i] = 1. / states;
    return bestdag_run_status(run);
}

void bestdag_linked_rows_release(struct bestdag_linked_rows *p)
{
    for (int i = 0; i < p->spheres; i++)
        bestdag_free(p->sphere[i].centre);
    for (int i = 0; i < p->convexes; i++)
        bestdag_free((void *)p->convex[i].entry);
    void *owned[] = {p->upper, p->equal,  p->sphere, p->convex,
                     p->order, p->centre, p->basis,  p->is_zero,
                     p->row,   p->limit,  p->round,  p->distance};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        bestdag_free(owned[i]);
}

static double *next_row(struct bestdag_run *run, double **at, int *count,
                        int *room, int width)
{
    if (*count == *room) {
        int more = *room ? 2 * *room : 4;
        double *larger = bestdag_realloc(
            run, *at, (size_t)more * (size_t)width * sizeof *larger);
        if (!larger)
            return NULL;
        *at = larger;
        *room = more;
    }
    double *row = *at + (size_t)(*count)++ * (size_t)width;
    memset(row, 0, (size_t)width * sizeof *row);
    return row;
}

double *bestdag_linked_rows_upper(struct bestdag_run *run,
                                  struct bestdag_linked_rows *p)
{
    return next_row(run, &p->upper, &p->uppers, &p->upper_room, p->n + 1);
}

double *bestdag_linked_rows_equal(struct bestdag_run *run,
                                  struct bestdag_linked_rows *p)
{
    return next_row(run, &p->equal, &p->equals, &p->equal_room, p->n + 1);
}

/* ---- which kind it is ---------------------------------------------------- */

static bool same(double a, double b)
{
    return fabs(a - b) <= 1e-12 * (1 + fabs(a));
}

/* Does a constraint on two-state rows say that the chance of state 1 in row
 * *low is at most that in row *high? */
static bool is_step(const struct bestdag_linked_rows *p, const double *upper,
                    int *low, int *high)
{
    double bound = upper[p->n], factor = 0;
    *low = *high = -1;
    for (int i = 0; i < p->rows; i++) {
        double difference = upper[2 * i + 1] - upper[2 * i];
        bound -= upper[2 * i];
        if (same(difference, 0))
            continue;
        int *to = difference > 0 ? low : high;
        if (*to >= 0)
            return false;
        *to = i;
        factor += difference;
    }
    return *low >= 0 && *high >= 0 && same(factor, 0) && same(bound, 0);
}

/* Are the rows one path of such steps? Then order has it. */
static bool is_chain(struct bestdag_linked_rows *p, int *after, int *before)
{
    int low, high, first = -1, length = 0;
    for (int i = 0; i < p->rows; i++)
        after[i] = before[i] = -1;
    for (int i = 0; i < p->uppers; i++) {
        if (!is_step(p, p->upper + (size_t)i * (p->n + 1), &low, &high) ||
            (after[low] >= 0 && after[low] != high) ||
            (before[high] >= 0 && before[high] != low))
            return false;
        after[low] = high;
        before[high] = low;
    }
    for (int i = 0; i < p->rows; i++)
        if (before[i] < 0)
            first = i;
    for (int i = first; i >= 0; i = after[i])
        p->order[length++] = i;
    return length == p->rows;
}

/* Does a constraint on two rows say that the chance of a set of states is at
 * most as large in the first as in the second? in[k] then gives the set. */
static bool is_set_order(const struct bestdag_linked_rows *p,
                         const double *upper, int *in)
{
    int r = p->states;
    double least = upper[0], most = upper[r];
    for (int k = 1; k < r; k++) {
        least = fmin(least, upper[k]);
        most = fmax(most, upper[r + k]);
    }
    double factor = 0;
    for (int k = 0; k < r; k++)
        factor = fmax(factor, upper[k] - least);
    for (int k = 0; k < r; k++) {
        double a = upper[k] - least, b = most - upper[r + k];
        if (!same(a, b) || (!same(a, 0) && !same(a, factor)))
            return false;
        in[k] = !same(a, 0);
    }
    return same(upper[p->n], least + most);
}

/* Two rows, the second of which is stochastically not smaller in the order that
 * the sets make: nested, one of each size. */
static bool is_pair(struct bestdag_linked_rows *p, int *in, int *often)
{
    int r = p->states, sets = 0;
    memset(often, 0, (size_t)r * sizeof *often);
    for (int i = 0; i < p->uppers; i++) {
        if (!is_set_order(p, p->upper + (size_t)i * (p->n + 1), in))
            return false;
        for (int k = 0; k < r; k++)
            often[k] += in[k];
    }
    for (int k = 0; k < r; k++) /* by how many sets it is in; few: low */
        p->order[k] = k;
    for (int i = 1; i < r; i++)
        for (int j = i; j && often[p->order[j]] < often[p->order[j - 1]]; j--) {
            int k = p->order[j];
            p->order[j] = p->order[j - 1];
            p->order[j - 1] = k;
        }
    for (int i = 0; i < p->uppers; i++) {
        is_set_order(p, p->upper + (size_t)i * (p->n + 1), in);
        for (int j = 1; j < r; j++)
            if (in[p->order[j - 1]] && !in[p->order[j]])
                return false;
    }
    for (int j = 1; j < r; j++)
        sets += often[p->order[j]] > often[p->order[j - 1]];
    return sets == r - 1;
}

int bestdag_linked_rows_sort(struct bestdag_run *run,
                             struct bestdag_linked_rows *p)
{
    size_t most = (size_t)(p->rows > p->states ? p->rows : p->states);
    int *scratch = bestdag_calloc(run, 2 * most, sizeof *scratch);
    if (!scratch)
        return bestdag_run_status(run);
    p->kind = BESTDAG_PIECE_GENERAL;
    bool linear = !p->equals && !p->spheres && !p->convexes;
    if (linear && !p->uppers && p->rows == 1)
        p->kind = BESTDAG_PIECE_FREE;
    else if (linear && p->states == 2 && p->rows > 1 &&
             is_chain(p, scratch, scratch + most))
        p->kind = BESTDAG_PIECE_CHAIN;
    else if (linear && p->rows == 2 && p->states > 2 &&
             is_pair(p, scratch, scratch + most))
        p->kind = BESTDAG_PIECE_PAIR;
    bestdag_free(scratch);
    return BESTDAG_OK;
}

/* ---- solving ------------------------------------------------------------- */

static double dot(const double *a, const double *b, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

double bestdag_bend_value(const void *bend, const double *v, double *gradient)
{
    const struct bestdag_bend *b = bend;
    const struct bestdag_convex *f = b->convex;
    size_t d = (size_t)b->dim;
    double *slope = b->gathered + f->count;
    for (int i = 0; i < f->count; i++) {
        size_t entry = (size_t)f->entry[i];
        b->gathered[i] =
            b->origin[entry] + dot(b->basis + entry * d, v, b->dim);
    }
    double value = f->function(f->data, b->gathered, slope) - b->ease;
    memset(gradient, 0, d * sizeof *gradient);
    for (int i = 0; i < f->count; i++)
        for (size_t j = 0; j < d; j++)
            gradient[j] += slope[i] * b->basis[(size_t)f->entry[i] * d + j];
    if (b->last == 0)
        return value;
    gradient[d] = b->last;
    return value + b->last * v[d];
}

double bestdag_convex_value(const struct bestdag_convex *convex,
                            const double *theta, double *scratch)
{
    for (int i = 0; i < convex->count; i++)
        scratch[i] = theta[convex->entry[i]];
    return convex->function(convex->data, scratch, scratch + convex->count);
}

/* Computes frequencies; an unobserved row takes those of the nearest observed
 * one. */
static void find_frequencies(const struct bestdag_linked_rows *p,
                             const double *counts, double *theta)
{
    int r = p->states, seen = -1;
    for (int j = 0; j < p->rows; j++) {
        double total = 0;
        for (int k = 0; k < r; k++)
            total += counts[j * r + k];
        if (total > 0)
            for (int k = 0; k < r; k++)
                theta[j * r + k] = counts[j * r + k] / total;
        else if (seen >= 0)
            memcpy(theta + j * r, theta + seen * r, (size_t)r * sizeof *theta);
        if (total > 0 && seen < 0)
            for (int i = 0; i < j; i++)
                memcpy(theta + i * r, theta + j * r, (size_t)r * sizeof *theta);
        seen = total > 0 || seen >= 0 ? j : -1;
    }
}

static double distance_of(const struct bestdag_linked_rows *p, int sphere,
                          const double *theta)
{
    const struct bestdag_sphere *s = &p->sphere[sphere];
    const double *row = theta + s->row * p->states;
    double sum = 0;
    for (int k = 0; k < p->states; k++)
        sum += (row[k] - s->centre[k]) * (row[k] - s->centre[k]);
    return sum;
}

static bool meets_all(const struct bestdag_linked_rows *p, const double *theta,
                      double *gathered)
{
    for (int i = 0; i < p->uppers; i++) {
        const double *row = p->upper + (size_t)i * (p->n + 1);
        if (dot(row, theta, p->n) > row[p->n] + MET)
            return false;
    }
    for (int i = 0; i < p->equals; i++) {
        const double *row = p->equal + (size_t)i * (p->n + 1);
        if (fabs(dot(row, theta, p->n) - row[p->n]) > MET)
            return false;
    }
    for (int i = 0; i < p->spheres; i++)
        if (distance_of(p, i, theta) > p->sphere[i].most + MET)
            return false;
    for (int i = 0; i < p->convexes; i++)
        if (!(bestdag_convex_value(&p->convex[i], theta, gathered) <= 0))
            return false;
    return true;
}

static void solve_chain(const struct bestdag_linked_rows *p,
                        const double *counts, double *theta, double *scratch)
{
    int rows = p->rows;
    double *part = scratch, *whole = part + rows, *chance = whole + rows;
    for (int i = 0; i < rows; i++) {
        const double *row = counts + 2 * p->order[i];
        part[i] = row[1];
        whole[i] = row[0] + row[1];
    }
    bestdag_pool_adjacent_rise(rows, part, whole, chance, chance + rows);
    for (int i = 0; i < rows; i++) {
        int j = 2 * p->order[i];
        bool is_own = part[i] / whole[i] == chance[i]; /* not if 0 / 0 */
        theta[j + 1] = chance[i];
        theta[j] = is_own ? counts[j] / whole[i] : 1 - chance[i];
    }
}

/* Computes theta from y; unobserved states of negligible probability become
 * 0. */
static void read_point(const struct bestdag_linked_rows *p,
                       const double *counts, const double *y, double *theta)
{
    int r = p->states;
    for (int i = 0; i < p->n; i++) {
        double x = p->centre[i] + dot(p->basis + (size_t)i * p->dim, y, p->dim);
        bool none = p->is_zero[i] || (x < TINY && counts[i] <= 0);
        theta[i] = none || x < 0 ? 0 : x;
    }
    for (int j = 0; j < p->rows; j++) {
        double sum = 0;
        for (int k = 0; k < r; k++)
            sum += theta[j * r + k];
        for (int k = 0; k < r; k++)
            theta[j * r + k] /= sum;
    }
}

static void solve_range(const struct bestdag_linked_rows *p,
                        const double *counts, double *theta)
{
    double least = -INFINITY, most = INFINITY, seen = counts[0] + counts[1];
    for (int i = 0; i < p->inside; i++)
        if (p->row[i] > 0)
            most = fmin(most, p->limit[i] / p->row[i]);
        else
            least = fmax(least, p->limit[i] / p->row[i]);
    double y = (counts[1] / seen - p->centre[1]) / p->basis[1];
    y = fmin(fmax(y, least), most);
    read_point(p, counts, &y, theta);
}

/* The input of the interior-point method. */
struct setting {
    struct bestdag_interior_point programme;
    struct bestdag_interior_round *ball;    /* [rounds] */
    struct bestdag_convex_function *convex; /* [convexes] */
    struct bestdag_bend *bend;              /* [convexes] */
    double *weight, *y, *gathered, *solver;
};

/* Doubles that this many things take. */
static size_t in_doubles(int count, size_t bytes)
{
    return (size_t)count * ((bytes + sizeof(double) - 1) / sizeof(double));
}

size_t bestdag_linked_rows_room(const struct bestdag_linked_rows *p)
{
    size_t closed = (size_t)(6 * (p->rows + p->states)) + 2 * (size_t)p->n;
    return closed +
           in_doubles(p->rounds, sizeof(struct bestdag_interior_round)) +
           in_doubles(p->convexes, sizeof(struct bestdag_convex_function)) +
           in_doubles(p->convexes, sizeof(struct bestdag_bend)) +
           (size_t)p->inside + (size_t)p->dim +
           bestdag_interior_point_room(p->dim, p->inside, p->rounds,
                                       p->convexes);
}

static void *take(double **scratch, size_t count)
{
    double *at = *scratch;
    *scratch += count;
    return at;
}

static void bend_all(const struct bestdag_linked_rows *p, struct setting *s)
{
    for (int i = 0; i < p->convexes; i++) {
        s->bend[i] = (struct bestdag_bend){.convex = &p->convex[i],
                                           .dim = p->dim,
                                           .origin = p->centre,
                                           .basis = p->basis,
                                           .ease = p->ease,
                                           .gathered = s->gathered};
        s->convex[i] =
            (struct bestdag_convex_function){bestdag_bend_value, &s->bend[i]};
    }
}

static struct setting set_up(const struct bestdag_linked_rows *p,
                             double *scratch)
{
    size_t d = (size_t)p->dim, r = (size_t)p->states;
    struct setting s;
    s.ball = take(&scratch, in_doubles(p->rounds, sizeof *s.ball));
    s.convex = take(&scratch, in_doubles(p->convexes, sizeof *s.convex));
    s.bend = take(&scratch, in_doubles(p->convexes, sizeof *s.bend));
    s.weight = take(&scratch, (size_t)p->inside);
    s.y = take(&scratch, d);
    s.gathered = take(&scratch, 2 * (size_t)p->n);
    s.solver = scratch;
    for (int i = 0; i < p->rounds; i++) {
        const struct bestdag_sphere *sphere = &p->sphere[p->round[i]];
        s.ball[i] = (struct bestdag_interior_round){
            .rows = p->states,
            .row = p->basis + (size_t)sphere->row * r * d,
            .at = p->distance + (size_t)i * r,
            .limit = sphere->most};
    }
    bend_all(p, &s);
    s.programme = (struct bestdag_interior_point){.dim = p->dim,
                                                  .rows = p->inside,
                                                  .row = p->row,
                                                  .limit = p->limit,
                                                  .weight = s.weight,
                                                  .balls = p->rounds,
                                                  .ball = s.ball,
                                                  .curves = p->convexes,
                                                  .convex = s.convex};
    return s;
}

static void weigh(const struct bestdag_linked_rows *p, struct setting *s,
                  const double *counts, double total)
{
    int at = 0;
    for (int i = 0; i < p->n; i++)
        if (!p->is_zero[i])
            s->weight[at++] = counts[i] / total;
    while (at < p->inside)
        s->weight[at++] = 0;
    s->programme.tolerance = fmin(fmax(1e-10 / total, 1e-14), 1e-11);
}

static enum bestdag_block_end solve_general(const struct bestdag_linked_rows *p,
                                            const double *counts, double *theta,
                                            double *scratch)
{
    double total = 0;
    memcpy(theta, p->centre, (size_t)p->n * sizeof *theta);
    for (int i = 0; i < p->n; i++) {
        total += counts[i];
        if (p->is_zero[i] && counts[i] > 0)
            return BESTDAG_BLOCK_EXCLUDED;
    }
    if (!p->dim)
        return BESTDAG_BLOCK_SOLVED;
    struct setting s = set_up(p, scratch);
    weigh(p, &s, counts, total);
    memset(s.y, 0, (size_t)p->dim * sizeof *s.y);
    double gap =
        bestdag_interior_point_solve(&s.programme, s.y, NULL, s.solver);
    read_point(p, counts, s.y, theta);
    return gap <= GOOD_GAP ? BESTDAG_BLOCK_SOLVED : BESTDAG_BLOCK_STUCK;
}

enum bestdag_block_end bestdag_linked_rows_solve(
    const struct bestdag_linked_rows *p, const double *counts, double *theta,
    double *scratch)
{
    double total = 0;
    for (int i = 0; i < p->n; i++)
        total += counts[i];
    if (!(total > 0)) {
        memcpy(theta, p->centre, (size_t)p->n * sizeof *theta);
        return BESTDAG_BLOCK_SOLVED;
    }
    if (p->kind == BESTDAG_PIECE_CHAIN) {
        solve_chain(p, counts, theta, scratch);
        return BESTDAG_BLOCK_SOLVED;
    }
    if (p->kind == BESTDAG_PIECE_PAIR) {
        struct bestdag_pool_pair pair = {p->states, p->order,
                                         counts,    counts + p->states,
                                         theta,     theta + p->states};
        bestdag_pool_adjacent_dominate(&pair, scratch);
        return BESTDAG_BLOCK_SOLVED;
    }
    find_frequencies(p, counts, theta);
    if (p->kind == BESTDAG_PIECE_FREE || meets_all(p, theta, scratch))
        return BESTDAG_BLOCK_SOLVED;
    if (p->kind == BESTDAG_PIECE_RANGE) {
        solve_range(p, counts, theta);
        return BESTDAG_BLOCK_SOLVED;
    }
    return solve_general(p, counts, theta, scratch);
}
