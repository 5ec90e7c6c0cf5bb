/* SPDX-License-Identifier: MIT */
/* gaussian_score.c -- scores of linear Gaussian networks: ll-g, aic-g, bic-g.
 *
 * A column is a linear function of its parents with normal noise. With RSS the
 * residual sum of squares of the least-squares fit, N the weight of the rows
 * and k parents,
 *
 *     ll-g(X | P) = -(N / 2) (ln(2 pi RSS / N) + 1)
 *
 * (the maximum-likelihood variance RSS / N), less a weight for each of the k +
 * 2 parameters: intercept, coefficients, variance. A family costs a row of a
 * Cholesky factor (least_squares.h); its value is rounded once, to units.
 *
 * A family is singular, and has no score, if a parent or the child is a linear
 * function of the others up to BESTDAG_SINGULAR, or if there are no more rows
 * than k + 1. A superset of a singular set is singular.
 *
 * Pruning: the rules of the penalty, with LL - ceiling instead of LL, where the
 * ceiling of a column is its likelihood given all others (gaussian_ceiling.c;
 * the proof is in docs/gaussian.md). */
#include "scores/gaussian_score.h"
#include "scores/leaps.h"

#include <math.h>

/* ---- shared by all Gaussian scores --------------------------------------- */

/* An upper bound on the absolute score of a family, in nats. */
static double largest(const struct bestdag_moments *m, int v, double penalty)
{
    double own = bestdag_moments_cross(m, v, v);
    double high = own > 0 ? fabs(bestdag_gaussian_score_likelihood(
                                m->total, own, m->exponent[v]))
                          : 0;
    return high - m->total * log(BESTDAG_SINGULAR) + penalty;
}

int bestdag_gaussian_score_prepare(struct bestdag_run *run,
                                   struct bestdag_scorer *s,
                                   struct bestdag_moments *moments,
                                   double penalty)
{
    struct bestdag_gaussian_score *g = bestdag_calloc(run, 1, sizeof *g);
    double one = 0, all = 0;
    s->own = g;
    if (g)
        g->moments = moments;
    else
        bestdag_moments_free(moments);
    if (!g || !g->moments)
        return bestdag_run_status(run);
    for (int v = 0; v < s->n; v++) {
        double own = largest(g->moments, v, penalty);
        one = own > one ? own : one;
        all += own;
        s->states[v] = g->moments->constant[v] ? 1 : 2;
    }
    bestdag_scorer_units(run, s, 2 * one + 1, 2 * all + 1);
    s->additive = true;
    s->pruning = BESTDAG_PRUNE_DOMINATED;
    return bestdag_run_status(run);
}

void bestdag_gaussian_score_release(void *own)
{
    struct bestdag_gaussian_score *g = own;
    if (!g)
        return;
    bestdag_moments_free(g->moments);
    bestdag_free(g->ceiling);
    bestdag_free(g->joint);
    bestdag_free(g->ridge);
    bestdag_free(g->marginal);
    bestdag_free(g->spread);
    bestdag_free(g);
}

void *bestdag_gaussian_score_open(struct bestdag_run *run,
                                  const struct bestdag_scorer *s)
{
    const struct bestdag_gaussian_score *g = s->own;
    struct bestdag_least_squares *r = bestdag_calloc(run, 1, sizeof *r);
    if (r && !bestdag_least_squares_init(run, r, g->moments)) {
        r->ridge = g->ridge;
        return r;
    }
    bestdag_gaussian_score_close(r);
    return NULL;
}

void bestdag_gaussian_score_close(void *scratch)
{
    if (scratch)
        bestdag_least_squares_release(scratch);
    bestdag_free(scratch);
}

static const char *name_of(const struct bestdag_moments *m, int place)
{
    return m->table->column[m->column[place]].name;
}

/* Finds two columns that are linear functions of each other. */
static bool find_pair(const struct bestdag_moments *m, int *one, int *other)
{
    for (int i = 0; i < m->numbers; i++)
        for (int j = 0; j < i && !m->constant[i]; j++) {
            double x = bestdag_moments_cross(m, i, i);
            double y = bestdag_moments_cross(m, j, j);
            double xy = bestdag_moments_cross(m, i, j);
            if (m->constant[j] || x * y - xy * xy > BESTDAG_SINGULAR * x * y)
                continue;
            *one = j;
            *other = i;
            return true;
        }
    return false;
}

/* Does the column at this place have different values? */
static bool varies(const struct bestdag_moments *m, int place)
{
    const double *x = m->table->column[m->column[place]].cells;
    for (int64_t r = 1; r < m->rows; r++)
        if (x[r] != x[0])
            return true;
    return false;
}

void bestdag_moments_note(struct bestdag_run *run,
                          const struct bestdag_moments *m)
{
    int one, other;
    for (int i = 0; i < m->numbers; i++)
        if (m->constant[i] && varies(m, i))
            bestdag_note(run, 0,
                         "column '%s' varies by less than 1e-13 of its largest "
                         "value, which may be rounding: it is taken as "
                         "constant, unless an offset is subtracted first",
                         name_of(m, i));
    if (find_pair(m, &one, &other)) {
        bestdag_note(run, 0,
                     "columns '%s' and '%s' determine each other: families "
                     "that hold both are singular and never listed",
                     name_of(m, one), name_of(m, other));
        return;
    }
    other = bestdag_moments_determined(run, m);
    if (other >= 0)
        bestdag_note(run, 0,
                     "column '%s' is a linear function of columns before it: "
                     "families that hold all of them are singular and never "
                     "listed",
                     name_of(m, other));
}

void bestdag_gaussian_score_note(struct bestdag_run *run,
                                 const struct bestdag_scorer *s)
{
    const struct bestdag_gaussian_score *g = s->own;
    bestdag_moments_note(run, g->moments);
}

/* Twice the gain of an unrelated column is chi-square with one degree of
 * freedom. Notes how many of n such columns pay for themselves. */
static void note_chance(struct bestdag_run *run, const struct bestdag_scorer *s)
{
    double others = s->n - 1.0, price = s->weight + s->arc_cost;
    double by_chance = others * erfc(sqrt(price));
    if (s->weight > 0 && by_chance >= 1)
        bestdag_note(
            run, 0,
            "with %d columns and %lld rows %s takes about %.2g parents "
            "for a column by chance alone: --structure-prior "
            "arcs:%.2g, the natural logarithm of the number of "
            "columns (extended BIC), prevents it",
            s->n, (long long)s->total, s->type->name, by_chance,
            log((double)s->n));
}

/* ---- likelihoods --------------------------------------------------------- */

static double parameters(int count)
{
    return count + 2.0;
}

/* A constant column has no parents and contributes nothing. */
static bool is_empty(const struct bestdag_gaussian_score *g, int child,
                     int count)
{
    return !count && g->moments->constant[child];
}

/* The family for a given residual; `joint`: what the parents add to
 * parents_joint. */
static void set_family(const struct bestdag_scorer *s, int child, int count,
                       double rss, int64_t joint,
                       struct bestdag_determinant determinant,
                       struct bestdag_family *to)
{
    const struct bestdag_gaussian_score *g = s->own;
    const struct bestdag_moments *m = g->moments;
    double ll =
        bestdag_gaussian_score_likelihood(m->total, rss, m->exponent[child]);
    *to = (struct bestdag_family){.configurations = 1, .cells = 1};
    to->score = llround(
        (ll - s->weight * parameters(count) - s->arc_cost * count) * s->scale);
    to->likelihood = to->score + bestdag_scorer_penalty(s, child, NULL, count);
    if (g->joint && count)
        to->parents_joint =
            joint +
            (int64_t)ceil(-m->total / 2 * bestdag_determinant_ln(determinant) *
                          s->scale);
}

static int64_t joint_of(const struct bestdag_gaussian_score *g,
                        const int *parents, int count)
{
    int64_t sum = 0;
    for (int i = 0; i < count && g->joint; i++)
        sum += g->joint[parents[i]];
    return sum;
}

static int family(const struct bestdag_scorer *s, void *scratch, int child,
                  const int *parents, int count, struct bestdag_family *to)
{
    const struct bestdag_gaussian_score *g = s->own;
    if (is_empty(g, child, count)) {
        *to = (struct bestdag_family){.configurations = 1, .cells = 1};
        return BESTDAG_OK;
    }
    bestdag_family_none(to);
    if (g->moments->total < count + 2)
        return BESTDAG_OK;
    struct bestdag_residual rest;
    if (bestdag_least_squares_fit(scratch, parents, count, child, &rest))
        return BESTDAG_MEMORY;
    if (rest.squares > 0)
        set_family(s, child, count, rest.squares, joint_of(g, parents, count),
                   rest.determinant, to);
    return BESTDAG_OK;
}

/* The families with one additional parent each. */
static int add(const struct bestdag_scorer *s, void *scratch,
               const struct bestdag_added_families *ask,
               struct bestdag_family *to)
{
    const struct bestdag_gaussian_score *g = s->own;
    struct bestdag_residual rest[BESTDAG_MOST_ADDED];
    int count = ask->count + 1;
    int64_t joint = joint_of(g, ask->parents, ask->count);
    for (int i = 0; i < ask->many; i++)
        bestdag_family_none(&to[i]);
    if (g->moments->total < count + 2)
        return BESTDAG_OK;
    if (bestdag_least_squares_add(scratch, ask->parents, ask->count, ask->child,
                                  ask->added, ask->many, rest))
        return BESTDAG_MEMORY;
    for (int i = 0; i < ask->many; i++)
        if (rest[i].squares > 0)
            set_family(s, ask->child, count, rest[i].squares,
                       joint + (g->joint ? g->joint[ask->added[i]] : 0),
                       rest[i].determinant, &to[i]);
    return BESTDAG_OK;
}

static int exact(const struct bestdag_scorer *s, void *scratch, int child,
                 const int *parents, int count, double *nats)
{
    const struct bestdag_gaussian_score *g = s->own;
    const struct bestdag_moments *m = g->moments;
    double rss, ln_determinant;
    *nats = is_empty(g, child, count) ? 0 : -INFINITY;
    if (is_empty(g, child, count) || m->total < count + 2)
        return BESTDAG_OK;
    if (bestdag_least_squares_exactly(scratch, parents, count, child, &rss,
                                      &ln_determinant))
        return BESTDAG_MEMORY;
    if (rss > 0)
        *nats = bestdag_gaussian_score_likelihood(m->total, rss,
                                                  m->exponent[child]) -
                s->weight * parameters(count);
    return BESTDAG_OK;
}

static bool can_list(const struct bestdag_scorer *s)
{
    return s->pruning == BESTDAG_PRUNE_PENALTY;
}

static void note(struct bestdag_run *run, const struct bestdag_scorer *s)
{
    bestdag_gaussian_score_note(run, s);
    note_chance(run, s);
}

static const struct bestdag_score_families families = {
    .open = bestdag_gaussian_score_open,
    .close = bestdag_gaussian_score_close,
    .family = family,
    .add = add,
    .exact = exact,
    .list = bestdag_gaussian_score_list,
    .can_list = can_list,
    .note = note,
    .release = bestdag_gaussian_score_release};

/* Sets what likelihoods of 0 stand for, and the parts of parents_joint. */
static void set_ceilings(struct bestdag_scorer *s)
{
    struct bestdag_gaussian_score *g = s->own;
    const struct bestdag_moments *m = g->moments;
    for (int v = 0; v < s->n; v++) {
        double own =
            bestdag_gaussian_score_likelihood(m->total, 1, m->exponent[v]);
        g->joint[v] = (int64_t)ceil((own - g->ceiling[v]) * s->scale);
        s->base[v] = -(int64_t)ceil(
            (g->ceiling[v] - s->weight * parameters(0)) * s->scale);
    }
    s->pruning = BESTDAG_PRUNE_PENALTY;
}

/* Uses the rules of the penalty if the ceilings are known. */
static int find_ceilings(struct bestdag_run *run, struct bestdag_scorer *s)
{
    struct bestdag_gaussian_score *g = s->own;
    g->ceiling = bestdag_alloc(run, (size_t)s->n * sizeof *g->ceiling);
    g->joint = bestdag_alloc(run, (size_t)s->n * sizeof *g->joint);
    if (!g->ceiling || !g->joint)
        return bestdag_run_status(run);
    if (bestdag_gaussian_score_ceilings(run, g->moments, s->weight, g->ceiling,
                                        &g->margin)) {
        set_ceilings(s);
        return BESTDAG_OK;
    }
    bestdag_free(g->ceiling);
    bestdag_free(g->joint);
    g->ceiling = NULL;
    g->joint = NULL;
    return bestdag_run_status(run);
}

int bestdag_gaussian_score_weigh(struct bestdag_run *run,
                                 struct bestdag_scorer *s,
                                 struct bestdag_moments *moments, double weight)
{
    s->weight = weight;
    if (bestdag_gaussian_score_prepare(run, s, moments,
                                       weight * parameters(s->n)))
        return bestdag_run_status(run);
    return weight > 0 ? find_ceilings(run, s) : BESTDAG_OK;
}

static int prepare(struct bestdag_run *run, struct bestdag_scorer *s,
                   double weight)
{
    return bestdag_gaussian_score_weigh(
        run, s, bestdag_moments_new(run, s->table), weight);
}

static int prepare_ll(struct bestdag_run *run, struct bestdag_scorer *s,
                      const struct bestdag_options *options)
{
    (void)options;
    return prepare(run, s, 0);
}

static int prepare_aic(struct bestdag_run *run, struct bestdag_scorer *s,
                       const struct bestdag_options *options)
{
    (void)options;
    return prepare(run, s, 1);
}

static int prepare_bic(struct bestdag_run *run, struct bestdag_scorer *s,
                       const struct bestdag_options *options)
{
    (void)options;
    return prepare(run, s, s->total > 1 ? log((double)s->total) / 2 : 0);
}

const struct bestdag_score_type bestdag_score_ll_g = {
    .name = "ll-g",
    .never_falls = true,
    .help = "numbers: -N/2 (ln(2 pi RSS / N) + 1) of a regression; no pruning",
    .columns = BESTDAG_SCORE_NUMBERS,
    .equivalent = true,
    .pruning = BESTDAG_PRUNE_DOMINATED,
    .prepare = prepare_ll,
    .families = &families};
const struct bestdag_score_type bestdag_score_aic_g = {
    .name = "aic-g",
    .help = "numbers: ll-g - (k + 2): 1 per parameter of a regression",
    .columns = BESTDAG_SCORE_NUMBERS,
    .equivalent = true,
    .pruning = BESTDAG_PRUNE_PENALTY,
    .prepare = prepare_aic,
    .families = &families};
const struct bestdag_score_type bestdag_score_bic_g = {
    .name = "bic-g",
    .help = "numbers: ll-g - (ln N)/2 (k + 2): (ln N)/2 per parameter",
    .columns = BESTDAG_SCORE_NUMBERS,
    .equivalent = true,
    .pruning = BESTDAG_PRUNE_PENALTY,
    .prepare = prepare_bic,
    .families = &families};
