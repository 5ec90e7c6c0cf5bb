/* SPDX-License-Identifier: MIT */
/* likelihood.c -- scores made of the log-likelihood: ll, aic, bic, mit.
 *
 *     LL(X | P) = sum n_jk ln(n_jk / n_j) = joint(P + X) - joint(P)
 *
 * with joint(S) = sum of n ln n over the cells of S. mit (de Campos 2006)
 * takes 2 N MI(X; P) = 2 (LL(X | P) - LL(X)) and subtracts, for the parents in
 * order of descending states, the chi-square quantile of the degrees of freedom
 * that each adds; that order makes the sum largest. */
#include <math.h>
#include <stdlib.h>

#include "data/shards.h"
#include "scores/exact_sum.h"
#include "scores/score.h"
#include "scores/special.h"

static const struct bestdag_option alpha_row[] = {
    {"alpha", BESTDAG_NUMBER, "0.999", 1e-9, 0.999999999, .value = "X",
     .help = "confidence level of the tests of mit"},
    {0}};
static const struct bestdag_option_group alpha_options = {"score", alpha_row};

/* Degrees of freedom whose quantiles are cached. */
enum { KEPT = 1 << 14 };

static int by_xlogx(struct bestdag_run *run, struct bestdag_scorer *s)
{
    int f = bestdag_scorer_add(run, s, BESTDAG_XLOGX);
    for (int v = 0; f >= 0 && v < s->n; v++)
        s->top[v] = s->bottom[v] = f;
    return f < 0 ? BESTDAG_MEMORY : BESTDAG_OK;
}

static int prepare_ll(struct bestdag_run *run, struct bestdag_scorer *s,
                      const struct bestdag_options *options)
{
    (void)options;
    return by_xlogx(run, s);
}

static int prepare_aic(struct bestdag_run *run, struct bestdag_scorer *s,
                       const struct bestdag_options *options)
{
    (void)options;
    s->weight = 1;
    return by_xlogx(run, s);
}

static int prepare_bic(struct bestdag_run *run, struct bestdag_scorer *s,
                       const struct bestdag_options *options)
{
    (void)options;
    s->weight = s->total > 0 ? log((double)s->total) / 2 : 0;
    return by_xlogx(run, s);
}

static double penalty(const struct bestdag_scorer *s, int child,
                      const int *parents, int count)
{
    return s->weight * (s->states[child] - 1) *
           bestdag_scorer_joint_states(s, parents, count);
}

static double likelihood(const struct bestdag_score_view *v)
{
    bestdag_exact_sum sum = 0;
    for (int64_t i = 0; i < v->cells; i++) {
        double n = (double)v->cell[i].count;
        bestdag_exact_sum_add(&sum,
                              n * log(n / (double)v->weight[v->cell[i].group]));
    }
    return bestdag_exact_sum_value(sum);
}

static double penalised(const struct bestdag_scorer *s,
                        const struct bestdag_score_view *v)
{
    return likelihood(v) - penalty(s, v->child, v->parents, v->count);
}

const struct bestdag_score_type bestdag_score_ll = {
    .name = "ll",
    .likelihood = true,
    .never_falls = true,
    .help = "log-likelihood: sum n_jk ln(n_jk / n_j); no pruning",
    .equivalent = true,
    .pruning = BESTDAG_PRUNE_DOMINATED,
    .prepare = prepare_ll,
    .nats = penalised};
const struct bestdag_score_type bestdag_score_aic = {
    .name = "aic",
    .likelihood = true,
    .help = "ll - (r - 1) q: 1 per free parameter",
    .equivalent = true,
    .pruning = BESTDAG_PRUNE_PENALTY,
    .prepare = prepare_aic,
    .penalty = penalty,
    .nats = penalised};
const struct bestdag_score_type bestdag_score_bic = {
    .name = "bic",
    .likelihood = true,
    .alias = "mdl",
    .help = "ll - (ln N)/2 (r - 1) q: (ln N)/2 per free parameter",
    .equivalent = true,
    .pruning = BESTDAG_PRUNE_PENALTY,
    .prepare = prepare_bic,
    .penalty = penalty,
    .nats = penalised};

/* ---- mit ----------------------------------------------------------------- */

/* The sum of n ln n over the states of a variable. */
static int64_t joint_of_one(const struct bestdag_scorer *s, int64_t *count,
                            int v)
{
    const struct bestdag_column *c = &s->table->column[v];
    int64_t sum = 0;
    for (int i = 0; i < c->states; i++)
        count[i] = 0;
    if (s->table->shards) {
        struct bestdag_shard_request request = {.variables = &v, .count = 1};
        bestdag_shards_count(s->run, s->table, &request, count);
    }
    for (int64_t r = 0; r < s->table->rows && !s->table->shards; r++)
        count[bestdag_column_code(c, r)] +=
            s->table->weights ? s->table->weights[r] : 1;
    for (int i = 0; i < c->states; i++)
        sum += bestdag_score_terms_at(s->xlogx, count[i]);
    return sum;
}

static int prepare_mit(struct bestdag_run *run, struct bestdag_scorer *s,
                       const struct bestdag_options *options)
{
    s->factor = 2;
    s->alpha = bestdag_option_value(options, &alpha_options, "alpha").number;
    s->quantile = bestdag_calloc(run, KEPT, sizeof *s->quantile);
    int64_t *count = bestdag_alloc(run, BESTDAG_MOST_STATES * sizeof *count);
    if (s->quantile && count && !by_xlogx(run, s))
        for (int v = 0; v < s->n; v++)
            s->base[v] = 2 * (joint_of_one(s, count, v) -
                              bestdag_score_terms_at(s->xlogx, s->total));
    bestdag_free(count);
    return bestdag_run_status(run);
}

/* Computed when first needed; if two threads do so, they get the same value. */
static double quantile(const struct bestdag_scorer *s, double freedom)
{
    if (freedom < 1)
        return 0;
    if (freedom >= KEPT)
        return bestdag_chi2_quantile(s->alpha, freedom);
    _Atomic double *kept = &s->quantile[(int)freedom];
    double x = atomic_load_explicit(kept, memory_order_relaxed);
    if (x > 0)
        return x;
    x = bestdag_chi2_quantile(s->alpha, freedom);
    atomic_store_explicit(kept, x, memory_order_relaxed);
    return x;
}

/* The largest number of states of the parents below `bound`, and how often it
 * occurs; 0: none. */
static int largest_below(const struct bestdag_scorer *s, const int *parents,
                         int count, int bound, int *times)
{
    int most = 0;
    *times = 0;
    for (int i = 0; i < count; i++) {
        int r = s->states[parents[i]];
        if (r >= bound || r < most)
            continue;
        *times = r > most ? 1 : *times + 1;
        most = r;
    }
    return most;
}

static double mit_penalty(const struct bestdag_scorer *s, int child,
                          const int *parents, int count)
{
    double sum = 0, freedom = s->states[child] - 1;
    int times, r = BESTDAG_MOST_STATES + 1;
    while ((r = largest_below(s, parents, count, r, &times)))
        for (; times > 0; times--) {
            sum += quantile(s, freedom * (r - 1));
            freedom *= r;
        }
    return sum;
}

static double mit_nats(const struct bestdag_scorer *s,
                       const struct bestdag_score_view *v)
{
    double alone = 0; /* LL of the child without parents */
    for (int k = 0; k < s->states[v->child]; k++) {
        double n = 0;
        for (int64_t i = 0; i < v->cells; i++)
            n += v->cell[i].state == k ? (double)v->cell[i].count : 0;
        alone += n > 0 ? n * log(n / (double)s->total) : 0;
    }
    return 2 * (likelihood(v) - alone) -
           mit_penalty(s, v->child, v->parents, v->count);
}

const struct bestdag_score_type bestdag_score_mit = {
    .name = "mit",
    .options = {&alpha_options},
    .symmetric = true,
    .help = "2 N MI(X; P) - sum of chi-square quantiles at --alpha",
    .pruning = BESTDAG_PRUNE_DOMINATED,
    .prepare = prepare_mit,
    .penalty = mit_penalty,
    .nats = mit_nats};
