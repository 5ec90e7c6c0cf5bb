/* SPDX-License-Identifier: MIT */
/* bge.c -- the marginal likelihood of a Gaussian network: bge.
 *
 * Geiger and Heckerman 2002, with the exponents as Kuipers, Moffa and Heckerman
 * 2014 corrected them. The prior is normal-Wishart: the mean nu, of weight
 * iss-mu, is the mean of the table, so that its term vanishes; iss-w degrees of
 * freedom, and T = t I with t = mu (w - n - 1) / (mu + 1). With R = T + S, S
 * the centred cross-products, r the residual of X given P in R, and k parents
 * of n columns,
 *
 *     bge(X | P) = (ln(mu / (N + mu)) - N ln pi) / 2
 *                + lnG((N + w - n + k + 1) / 2) - lnG((w - n + k + 1) / 2)
 *                + (w - n + 2 k + 1) / 2 ln t
 *                - (N + w - n + k + 1) / 2 ln r - ln |R_P| / 2
 *
 * Levels of sets prune only dominated sets; leaps.c has a bound (proof in
 * docs/gaussian.md). */
#include <math.h>

#include "scores/gaussian_score.h"
#include "scores/leaps.h"
#include "scores/special.h"

static const struct bestdag_option option_rows[] = {
    {"iss-mu", BESTDAG_NUMBER, "1", 1e-9, 1e9, .value = "X",
     .help = "weight of the prior mean of bge, in rows"},
    {"iss-w", BESTDAG_NUMBER, NULL, 1, 1e9, .value = "X",
     .help = "degrees of freedom of the Wishart prior of bge, above the "
             "number of columns + 1; that + 1 by default"},
    {0}};
static const struct bestdag_option_group bge_options = {"score", option_rows};

/* The part that all families with this many parents share. */
static double marginal_of(const struct bestdag_scorer *s, int count)
{
    const struct bestdag_gaussian_score *g = s->own;
    double total = g->moments->total, k = count;
    double free = g->iss_w - s->n + k + 1;
    return 0.5 * (log(g->iss_mu / (total + g->iss_mu)) - total * log(M_PI)) +
           bestdag_log_gamma((total + free) / 2) - bestdag_log_gamma(free / 2) +
           0.5 * (free + k) * g->ln_t;
}

/* The marginal likelihood from the logarithms of residual and determinant in
 * the table's units. */
static double marginal(const struct bestdag_scorer *s, int count, double ln_r,
                       double ln_determinant)
{
    const struct bestdag_gaussian_score *g = s->own;
    double free = g->iss_w - s->n + count + 1.0;
    return g->marginal[count] - 0.5 * (g->moments->total + free) * ln_r -
           0.5 * ln_determinant;
}

/* Converts the logarithm of a square from units of the moments to those of the
 * table. */
static double unscaled(const struct bestdag_gaussian_score *g, double ln,
                       int place)
{
    return ln + 2 * M_LN2 * g->moments->exponent[place];
}

/* `shifts`: sum of the exponents of the parents. */
static void set_family(const struct bestdag_scorer *s, int child, int count,
                       double rest, int64_t shifts,
                       struct bestdag_determinant determinant,
                       struct bestdag_family *to)
{
    const struct bestdag_gaussian_score *g = s->own;
    double nats = marginal(s, count, unscaled(g, log(rest), child),
                           bestdag_determinant_ln(determinant) +
                               2 * M_LN2 * (double)shifts);
    *to = (struct bestdag_family){.configurations = 1, .cells = 1};
    to->score = llround((nats - s->arc_cost * count) * s->scale);
    to->likelihood =
        llround(bestdag_gaussian_score_likelihood(g->moments->total, rest,
                                                  g->moments->exponent[child]) *
                s->scale);
}

static int64_t shifts_of(const struct bestdag_gaussian_score *g,
                         const int *parents, int count)
{
    int64_t sum = 0;
    for (int i = 0; i < count; i++)
        sum += g->moments->exponent[parents[i]];
    return sum;
}

static int family(const struct bestdag_scorer *s, void *scratch, int child,
                  const int *parents, int count, struct bestdag_family *to)
{
    const struct bestdag_gaussian_score *g = s->own;
    struct bestdag_residual rest;
    bestdag_family_none(to);
    if (bestdag_least_squares_fit(scratch, parents, count, child, &rest))
        return BESTDAG_MEMORY;
    if (rest.squares > 0)
        set_family(s, child, count, rest.squares, shifts_of(g, parents, count),
                   rest.determinant, to);
    return BESTDAG_OK;
}

static int add(const struct bestdag_scorer *s, void *scratch,
               const struct bestdag_added_families *ask,
               struct bestdag_family *to)
{
    const struct bestdag_gaussian_score *g = s->own;
    struct bestdag_residual rest[BESTDAG_MOST_ADDED];
    int64_t shifts = shifts_of(g, ask->parents, ask->count);
    if (bestdag_least_squares_add(scratch, ask->parents, ask->count, ask->child,
                                  ask->added, ask->many, rest))
        return BESTDAG_MEMORY;
    for (int i = 0; i < ask->many; i++) {
        bestdag_family_none(&to[i]);
        if (rest[i].squares > 0)
            set_family(s, ask->child, ask->count + 1, rest[i].squares,
                       shifts + g->moments->exponent[ask->added[i]],
                       rest[i].determinant, &to[i]);
    }
    return BESTDAG_OK;
}

static int exact(const struct bestdag_scorer *s, void *scratch, int child,
                 const int *parents, int count, double *nats)
{
    const struct bestdag_gaussian_score *g = s->own;
    double rest, determinant;
    if (bestdag_least_squares_exactly(scratch, parents, count, child, &rest,
                                      &determinant))
        return BESTDAG_MEMORY;
    for (int i = 0; i < count; i++)
        determinant = unscaled(g, determinant, parents[i]);
    *nats = rest > 0
                ? marginal(s, count, unscaled(g, log(rest), child), determinant)
                : -INFINITY;
    return BESTDAG_OK;
}

static int set_prior(struct bestdag_run *run, struct bestdag_scorer *s,
                     const struct bestdag_options *options)
{
    struct bestdag_gaussian_score *g = s->own;
    double mu = bestdag_option_value(options, &bge_options, "iss-mu").number;
    double w = s->n + mu + 1;
    if (bestdag_option_given(options, &bge_options, "iss-w"))
        w = bestdag_option_value(options, &bge_options, "iss-w").number;
    if (!(w > s->n + 1))
        return bestdag_fail(run, BESTDAG_USAGE,
                            "iss-w: %g is not above %d, the number of columns "
                            "and 1",
                            w, s->n + 1);
    double t = mu * (w - s->n - 1) / (mu + 1);
    g->iss_mu = mu;
    g->iss_w = w;
    g->ln_t = log(t);
    size_t n = (size_t)s->n;
    g->ridge = bestdag_alloc(run, n * sizeof *g->ridge);
    g->marginal = bestdag_alloc(run, (n + 1) * sizeof *g->marginal);
    for (int v = 0; g->ridge && v < s->n; v++)
        g->ridge[v] = ldexp(t, -2 * g->moments->exponent[v]);
    for (int k = 0; g->marginal && k <= s->n; k++)
        g->marginal[k] = marginal_of(s, k);
    return bestdag_run_status(run);
}

static int prepare(struct bestdag_run *run, struct bestdag_scorer *s,
                   const struct bestdag_options *options)
{
    double rows = (double)s->total + 1, w = 2.0 * s->n + 2;
    if (bestdag_option_given(options, &bge_options, "iss-w"))
        w += bestdag_option_value(options, &bge_options, "iss-w").number;
    /* log-gammas, and powers of determinants of up to n columns */
    double terms = (rows + w) * (log(rows + w) + 50) + 800.0 * s->n;
    if (bestdag_gaussian_score_prepare(
            run, s, bestdag_moments_new(run, s->table), terms))
        return bestdag_run_status(run);
    if (set_prior(run, s, options))
        return bestdag_run_status(run);
    struct bestdag_gaussian_score *g = s->own;
    g->spread = bestdag_alloc(run, (size_t)s->n * sizeof *g->spread);
    if (g->spread && !bestdag_gaussian_score_spreads(run, g)) {
        bestdag_free(g->spread);
        g->spread = NULL;
    }
    return bestdag_run_status(run);
}

static bool can_list(const struct bestdag_scorer *s)
{
    const struct bestdag_gaussian_score *g = s->own;
    return g->spread != NULL;
}

static const struct bestdag_score_families families = {
    .open = bestdag_gaussian_score_open,
    .close = bestdag_gaussian_score_close,
    .family = family,
    .add = add,
    .exact = exact,
    .list = bestdag_gaussian_score_list,
    .can_list = can_list,
    .note = bestdag_gaussian_score_note,
    .release = bestdag_gaussian_score_release};

const struct bestdag_score_type bestdag_score_bge = {
    .name = "bge",
    .options = {&bge_options},
    .help = "numbers: ln marginal likelihood, normal-Wishart prior of --iss-mu "
            "and --iss-w",
    .columns = BESTDAG_SCORE_NUMBERS,
    .equivalent = true,
    .pruning = BESTDAG_PRUNE_DOMINATED,
    .prepare = prepare,
    .families = &families};
