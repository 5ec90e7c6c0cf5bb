/* SPDX-License-Identifier: MIT */
/* dirichlet.c -- marginal likelihoods under Dirichlet priors: k2, bd, bdeu,
 * bde.
 *
 *     sum_j [ lnG(a_j) - lnG(a_j + n_j) + sum_k lnG(a_jk + n_jk) - lnG(a_jk) ]
 *
 * k2 has a_jk = 1, bd a given pseudo-count (per variable, or per state, from a
 * file), bdeu ess / (r q), bde ess times the probability of the cell in a prior
 * network. Joint states that do not occur contribute nothing. */
#include <math.h>
#include <string.h>

#include "scores/exact_sum.h"
#include "scores/score.h"
#include "scores/special.h"

static const struct bestdag_option ess_row[] = {
    {"ess", BESTDAG_NUMBER, "1", 0, 1e9, .value = "X",
     .help = "equivalent sample size of bdeu and bde; the weight of their "
             "Dirichlet prior"},
    {0}};
static const struct bestdag_option pseudo_rows[] = {
    {"pseudo", BESTDAG_NUMBER, "1", 0, 1e9, .value = "X",
     .help = "pseudo-count of bd, added to every count; its Dirichlet prior"},
    {"pseudo-file", BESTDAG_FILE, .value = "FILE",
     .help = "pseudo-counts of bd per variable (JSON: {\"name\": X or [X of "
             "each state], ...}); other variables have --pseudo"},
    {0}};
const struct bestdag_option_group bestdag_ess_options = {"score", ess_row};
static const struct bestdag_option_group pseudo_options = {"score",
                                                           pseudo_rows};

/* ---- k2 and bd ----------------------------------------------------------- */

static int constant(struct bestdag_run *run, struct bestdag_scorer *s, int v,
                    double a)
{
    s->top[v] = bestdag_scorer_add(run, s, a);
    s->bottom[v] = bestdag_scorer_add(run, s, a * s->states[v]);
    return bestdag_run_status(run);
}

static int prepare_k2(struct bestdag_run *run, struct bestdag_scorer *s,
                      const struct bestdag_options *options)
{
    (void)options;
    for (int v = 0; v < s->n; v++)
        if (constant(run, s, v, 1))
            return bestdag_run_status(run);
    return BESTDAG_OK;
}

static int wrong(struct bestdag_run *run, const char *path,
                 const struct bestdag_json *at, const char *expected)
{
    return bestdag_fail_at(run, path, bestdag_json_place(at), "expected %s",
                           expected);
}

static bool is_pseudo(const struct bestdag_json *x)
{
    return x->kind == BESTDAG_JSON_NUMBER && x->number > 0 && x->number <= 1e9;
}

/* Reads a list of numbers, one per state. */
static int by_state(struct bestdag_run *run, struct bestdag_scorer *s, int v,
                    const struct bestdag_json *list)
{
    double sum = 0;
    size_t states = (size_t)s->states[v];
    s->by_state[v] = bestdag_alloc(run, states * sizeof **s->by_state);
    s->pseudo[v] = bestdag_alloc(run, states * sizeof **s->pseudo);
    if (!s->by_state[v] || !s->pseudo[v])
        return BESTDAG_MEMORY;
    for (int k = 0; k < s->states[v]; k++) {
        s->pseudo[v][k] = list->items[k].number;
        s->by_state[v][k] = bestdag_scorer_add(run, s, s->pseudo[v][k]);
        sum += s->pseudo[v][k];
    }
    s->by_family = true;
    s->bottom[v] = bestdag_scorer_add(run, s, sum);
    return bestdag_run_status(run);
}

static int from_file(struct bestdag_run *run, struct bestdag_scorer *s,
                     const char *path, const struct bestdag_json *member)
{
    int v = bestdag_table_find(s->table, member->key);
    if (v < 0)
        return bestdag_fail_at(run, path, bestdag_json_place(member),
                               "there is no variable '%s'", member->key);
    if (is_pseudo(member))
        return constant(run, s, v, member->number);
    if (member->kind != BESTDAG_JSON_ARRAY || member->count != s->states[v])
        return wrong(run, path, member,
                     "a number above 0, or a list of one for each state");
    for (int64_t k = 0; k < member->count; k++)
        if (!is_pseudo(&member->items[k]))
            return wrong(run, path, &member->items[k], "a number above 0");
    return by_state(run, s, v, member);
}

static int read_pseudo(struct bestdag_run *run, struct bestdag_scorer *s,
                       const char *path)
{
    struct bestdag_file file;
    if (bestdag_file_read(run, path, &file))
        return bestdag_run_status(run);
    struct bestdag_json *root = bestdag_json_parse(run, &file);
    if (root && root->kind != BESTDAG_JSON_OBJECT)
        wrong(run, path, root,
              "an object: { \"variable\": pseudo-count, ... }");
    else if (root)
        for (int64_t i = 0; i < root->count; i++)
            if (from_file(run, s, path, &root->items[i]))
                break;
    bestdag_json_free(root);
    bestdag_free(file.bytes);
    return bestdag_run_status(run);
}

static int prepare_bd(struct bestdag_run *run, struct bestdag_scorer *s,
                      const struct bestdag_options *options)
{
    double a = bestdag_option_value(options, &pseudo_options, "pseudo").number;
    const char *path =
        bestdag_option_value(options, &pseudo_options, "pseudo-file").text;
    if (!bestdag_option_given(options, &pseudo_options, "pseudo"))
        a = 1;
    if (!(a > 0))
        return bestdag_fail(run, BESTDAG_USAGE,
                            "score bd needs --pseudo above 0");
    for (int v = 0; v < s->n; v++)
        if (constant(run, s, v, a))
            return bestdag_run_status(run);
    return path ? read_pseudo(run, s, path) : BESTDAG_OK;
}

/* The pseudo-count of a cell, and of all cells of a joint state of the
 * parents. */
static double pseudo_of(const struct bestdag_scorer *s, int v, int state)
{
    return s->pseudo[v] ? s->pseudo[v][state] : s->function[s->top[v]]->a;
}

/* ln (Gamma(a + count) / Gamma(a)). */
static double rise(double a, int64_t count)
{
    return bestdag_log_gamma(a + (double)count) - bestdag_log_gamma(a);
}

static double bd_nats(const struct bestdag_scorer *s,
                      const struct bestdag_score_view *v)
{
    double all = s->function[s->bottom[v->child]]->a;
    bestdag_exact_sum sum = 0;
    for (int64_t j = 0; j < v->groups; j++)
        bestdag_exact_sum_add(&sum, -rise(all, v->weight[j]));
    for (int64_t i = 0; i < v->cells; i++)
        bestdag_exact_sum_add(
            &sum,
            rise(pseudo_of(s, v->child, v->cell[i].state), v->cell[i].count));
    return bestdag_exact_sum_value(sum);
}

static int bd_local(const struct bestdag_scorer *s,
                    const struct bestdag_score_view *v, int64_t *units)
{
    int child = v->child;
    const struct bestdag_score_terms *all = s->function[s->bottom[child]];
    *units = 0;
    for (int64_t j = 0; j < v->groups; j++)
        *units -= bestdag_score_terms_at(all, v->weight[j]);
    for (int64_t i = 0; i < v->cells; i++) {
        int f = s->by_state[child] ? s->by_state[child][v->cell[i].state]
                                   : s->top[child];
        *units += bestdag_score_terms_at(s->function[f], v->cell[i].count);
    }
    return BESTDAG_OK;
}

const struct bestdag_score_type bestdag_score_k2 = {
    .name = "k2",
    .dirichlet = true,
    .help = "ln marginal likelihood, Dirichlet prior a_jk = 1",
    .pruning = BESTDAG_PRUNE_URN,
    .prepare = prepare_k2,
    .nats = bd_nats};
const struct bestdag_score_type bestdag_score_bd = {
    .name = "bd",
    .options = {&pseudo_options},
    .dirichlet = true,
    .help = "ln marginal likelihood, Dirichlet prior a_jk = --pseudo",
    .pruning = BESTDAG_PRUNE_DOMINATED,
    .prepare = prepare_bd,
    .nats = bd_nats,
    .local = bd_local};

/* ---- bdeu ---------------------------------------------------------------- */

static int prepare_bdeu(struct bestdag_run *run, struct bestdag_scorer *s,
                        const struct bestdag_options *options)
{
    s->ess = bestdag_option_value(options, &bestdag_ess_options, "ess").number;
    if (!(s->ess > 0))
        return bestdag_fail(run, BESTDAG_USAGE, "score %s needs --ess above 0",
                            s->type->name);
    return BESTDAG_OK;
}

static double bdeu_nats(const struct bestdag_scorer *s,
                        const struct bestdag_score_view *v)
{
    double all = s->ess / bestdag_scorer_joint_states(s, v->parents, v->count);
    double each = all / s->states[v->child];
    bestdag_exact_sum sum = 0;
    for (int64_t j = 0; j < v->groups; j++)
        bestdag_exact_sum_add(&sum, -rise(all, v->weight[j]));
    for (int64_t i = 0; i < v->cells; i++)
        bestdag_exact_sum_add(&sum, rise(each, v->cell[i].count));
    return bestdag_exact_sum_value(sum);
}

const struct bestdag_score_type bestdag_score_bdeu = {
    .name = "bdeu",
    .options = {&bestdag_ess_options},
    .dirichlet = true,
    .help = "ln marginal likelihood, Dirichlet prior a_jk = --ess / (r q)",
    .equivalent = true,
    .pruning = BESTDAG_PRUNE_URN,
    .prepare = prepare_bdeu,
    .nats = bdeu_nats};
