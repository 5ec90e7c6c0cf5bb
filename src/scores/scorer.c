/* SPDX-License-Identifier: MIT */
/* scorer.c -- local scores of families: what all scores share. */
#include "scores/scorer.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "network/network.h"
#include "scores/score.h"

static const struct bestdag_option option_rows[] = {
    {"score", BESTDAG_CHOICE, "bic", .names = bestdag_score_choice,
     .value = "NAME", .help = "score to maximise; mdl is another name of bic"},
    {"structure-prior", BESTDAG_TEXT, "uniform", .value = "PRIOR",
     .help =
         "uniform, or arcs:X, which subtracts X from the score for every arc"},
    {0}};
const struct bestdag_option_group bestdag_score_options = {"score",
                                                           option_rows};

enum {
    SHIFT = 32,
    MOST_TABLE = 1 << 20 /* counts above are computed when they come */
};

/* ---- units ------------------------------------------------------------------
 */

/* Units so fine that neither one set's sum (N ln N, and for small pseudo-counts
 * up to 710 more a row) nor the total of n variables can pass 2^61. */
static int choose_shift(const struct bestdag_scorer *s, bool dirichlet)
{
    double rows = (double)s->total + 1;
    double one = rows * (log(rows) + (dirichlet ? 710 : 1));
    double all = rows * (log(rows) + 12) * (s->n + 1);
    double most = one > all ? one : all;
    int shift = SHIFT;
    while (shift > 0 && ldexp(most, shift) >= (double)BESTDAG_UNITS_MOST)
        shift--;
    return shift;
}

double bestdag_scorer_nats(const struct bestdag_scorer *s, int64_t units)
{
    return (double)units / s->scale;
}

/* ---- functions of counts --------------------------------------------- */

int bestdag_scorer_add(struct bestdag_run *run, struct bestdag_scorer *s,
                       double a)
{
    for (int f = 0; f < s->functions; f++)
        if (s->function[f]->a == a || (a < 0 && s->function[f]->a < 0))
            return f;
    struct bestdag_score_terms **more = bestdag_realloc(
        run, s->function, ((size_t)s->functions + 1) * sizeof *more);
    if (!more)
        return -1;
    s->function = more;
    int64_t limit = s->total < MOST_TABLE ? s->total + 1 : MOST_TABLE;
    if (s->functions > 256) /* a pseudo-count for each of many variables */
        limit = limit < 4096 ? limit : 4096;
    struct bestdag_score_terms *t =
        bestdag_score_terms_new(run, a, s->scale, limit);
    if (!t)
        return -1;
    assert(t->scale == s->scale);
    s->function[s->functions] = t;
    return s->functions++;
}

/* Counts of sets with many joint states are small. */
static int64_t table_limit(const struct bestdag_scorer *s, double states)
{
    int64_t limit = states < 64 ? MOST_TABLE : states < 4096 ? 8192 : 512;
    int64_t most = bestdag_memory_limit(s->run) / 16, rows = s->total + 1;
    if (!most)
        most = (int64_t)256 << 20;
    limit = limit < rows ? limit : rows;
    return s->table_bytes + limit * 8 > most ? 0 : limit;
}

static struct bestdag_score_terms *find_terms(struct bestdag_score_terms *t,
                                              double a)
{
    while (t && t->a != a)
        t = t->next;
    return t;
}

/* The lists only grow at their front, so readers need no lock. */
static const struct bestdag_score_terms *bdeu_terms(struct bestdag_scorer *s,
                                                    double states)
{
    double a = s->ess / states;
    uint64_t hash;
    memcpy(&hash, &a, sizeof hash);
    _Atomic(struct bestdag_score_terms *) *bucket =
        &s->bucket[(hash * 0x9e3779b97f4a7c15u >> 32) % BESTDAG_TERM_BUCKETS];
    struct bestdag_score_terms *t =
        find_terms(atomic_load_explicit(bucket, memory_order_acquire), a);
    if (t)
        return t;
    pthread_mutex_lock(&s->lock);
    t = find_terms(atomic_load(bucket), a);
    if (!t && (t = bestdag_score_terms_new(s->run, a, s->scale,
                                           table_limit(s, states)))) {
        s->table_bytes += t->limit * 8;
        t->next = atomic_load(bucket);
        atomic_store_explicit(bucket, t, memory_order_release);
    }
    pthread_mutex_unlock(&s->lock);
    return t;
}

const struct bestdag_score_terms *bestdag_scorer_terms(
    const struct bestdag_scorer *s, int f, double joint_states)
{
    if (s->functions)
        return s->function[f];
    /* The cache inside is guarded by its lock. */
    return bdeu_terms((struct bestdag_scorer *)(uintptr_t)s, joint_states);
}

double bestdag_scorer_joint_states(const struct bestdag_scorer *s,
                                   const int *variables, int count)
{
    double product = 1;
    for (int i = 0; i < count; i++)
        product *= s->states[variables[i]];
    return product < 1e290 ? product : 1e290;
}

int64_t bestdag_scorer_penalty(const struct bestdag_scorer *s, int child,
                               const int *parents, int count)
{
    double nats = s->arc_cost * count;
    if (s->type->penalty)
        nats += s->type->penalty(s, child, parents, count);
    nats *= s->scale;
    if (!(nats < (double)BESTDAG_UNITS_MOST))
        return BESTDAG_UNITS_MOST;
    return llround(nats) + s->base[child];
}

/* ---- making ---------------------------------------------------------- */

static int check_table(struct bestdag_run *run,
                       const struct bestdag_table *table)
{
    if (!table)
        return bestdag_fail(run, BESTDAG_USAGE, "there is no table to score");
    if (bestdag_table_need_codes(run, table))
        return bestdag_run_status(run);
    int64_t missing = bestdag_table_missing(table);
    if (missing)
        return bestdag_fail(run, BESTDAG_INPUT,
                            "%lld values are missing: read the table with "
                            "--missing drop or state",
                            (long long)missing);
    if (table->rows >= UINT32_MAX)
        return bestdag_fail(run, BESTDAG_INPUT,
                            "a table of %lld rows is more than can be scored",
                            (long long)table->rows);
    return BESTDAG_OK;
}

static int read_prior(struct bestdag_run *run, struct bestdag_scorer *s,
                      const char *text)
{
    double x;
    if (!text || !strcmp(text, "uniform"))
        return BESTDAG_OK;
    if (strncmp(text, "arcs:", 5) ||
        !bestdag_number_parse(text + 5, strlen(text + 5), &x) || x < 0 ||
        x > 1e9)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "structure-prior: '%s' is not uniform or arcs:X "
                            "with X from 0 to 1e9",
                            text);
    s->arc_cost = x;
    return BESTDAG_OK;
}

/* An option of other scores alone is a mistake worth reporting. */
static int check_option(struct bestdag_run *run,
                        const struct bestdag_score_type *type,
                        const struct bestdag_options *options, const char *key)
{
    char users[128] = "";
    size_t n = 0;
    const struct bestdag_score_type *t;
    if (bestdag_score_uses(type, key) ||
        !bestdag_option_given(options, &bestdag_score_options, key))
        return BESTDAG_OK;
    for (int i = 0; (t = bestdag_score_at(i)); i++)
        if (bestdag_score_uses(t, key) && n < sizeof users)
            n += (size_t)snprintf(users + n, sizeof users - n, " %s", t->name);
    return bestdag_fail(run, BESTDAG_USAGE,
                        "score %s does not use --%s: it is an option of%s",
                        type->name, key, users);
}

static int check_settings(struct bestdag_run *run,
                          const struct bestdag_score_type *type,
                          const struct bestdag_options *options)
{
    const struct bestdag_score_type *t;
    for (int i = 0; (t = bestdag_score_at(i)); i++)
        for (int g = 0; g < BESTDAG_SCORE_GROUPS && t->options[g]; g++)
            for (const struct bestdag_option *o = t->options[g]->row; o->key;
                 o++)
                if (check_option(run, type, options, o->key))
                    return bestdag_run_status(run);
    return BESTDAG_OK;
}

static int allocate(struct bestdag_run *run, struct bestdag_scorer *s)
{
    size_t n = (size_t)s->n;
    s->states = bestdag_alloc(run, n * sizeof *s->states);
    s->top = bestdag_calloc(run, n, sizeof *s->top);
    s->bottom = bestdag_calloc(run, n, sizeof *s->bottom);
    s->by_state = bestdag_calloc(run, n, sizeof *s->by_state);
    s->pseudo = bestdag_calloc(run, n, sizeof *s->pseudo);
    s->base = bestdag_calloc(run, n, sizeof *s->base);
    s->known = bestdag_known_new(run, s->n);
    if (bestdag_run_status(run))
        return BESTDAG_MEMORY;
    for (int v = 0; v < s->n; v++) {
        s->states[v] = s->table->column[v].states;
        assert(s->states[v] >= 1); /* codes, as check_table() saw */
    }
    return BESTDAG_OK;
}

static int prepare(struct bestdag_run *run, struct bestdag_scorer *s,
                   const struct bestdag_options *options)
{
    const char *prior =
        bestdag_option_value(options, &bestdag_score_options, "structure-prior")
            .text;
    s->shift = choose_shift(s, s->type->dirichlet);
    s->scale = ldexp(1, s->shift);
    assert(s->shift >= 0 && s->shift <= SHIFT);
    if (s->shift < SHIFT)
        bestdag_note(run, 0,
                     "scores are rounded to 2^-%d because of the size: %d "
                     "variables, %lld rows",
                     s->shift, s->n, (long long)s->total);
    if (read_prior(run, s, prior) || allocate(run, s))
        return bestdag_run_status(run);
    int64_t limit = s->total < MOST_TABLE ? s->total + 1 : MOST_TABLE;
    s->xlogx = bestdag_score_terms_new(run, BESTDAG_XLOGX, s->scale, limit);
    s->columns = bestdag_columns_new(run, s->table);
    if (!s->xlogx || !s->columns)
        return BESTDAG_MEMORY;
    return s->type->prepare(run, s, options);
}

struct bestdag_scorer *bestdag_scorer_new(struct bestdag_run *run,
                                          const struct bestdag_table *table,
                                          const struct bestdag_options *options)
{
    const struct bestdag_score_type *type = bestdag_score_find(
        bestdag_option_value(options, &bestdag_score_options, "score").text);
    if (bestdag_run_status(run) || check_settings(run, type, options))
        return NULL;
    return bestdag_scorer_of(run, table, type, options);
}

struct bestdag_scorer *bestdag_scorer_of(struct bestdag_run *run,
                                         const struct bestdag_table *table,
                                         const struct bestdag_score_type *type,
                                         const struct bestdag_options *options)
{
    if (bestdag_run_status(run) || check_table(run, table))
        return NULL;
    struct bestdag_scorer *s = bestdag_calloc(run, 1, sizeof *s);
    if (!s)
        return NULL;
    pthread_mutex_init(&s->lock, NULL);
    s->run = run;
    s->table = table;
    s->n = table->columns;
    s->total = table->total;
    s->factor = 1;
    s->type = type;
    if (!prepare(run, s, options) && !bestdag_run_status(run))
        return s;
    bestdag_scorer_free(s);
    return NULL;
}

static void free_lists(struct bestdag_scorer *s)
{
    for (int v = 0; v < s->n; v++) {
        if (s->by_state)
            bestdag_free(s->by_state[v]);
        if (s->pseudo)
            bestdag_free(s->pseudo[v]);
        if (s->prior_state)
            bestdag_free(s->prior_state[v]);
    }
    for (int f = 0; f < s->functions; f++)
        bestdag_score_terms_free(s->function[f]);
    for (int b = 0; b < BESTDAG_TERM_BUCKETS; b++)
        for (struct bestdag_score_terms *t = s->bucket[b], *next; t; t = next) {
            next = t->next;
            bestdag_score_terms_free(t);
        }
}

void bestdag_scorer_free(struct bestdag_scorer *s)
{
    if (!s)
        return;
    free_lists(s);
    if (s->hook)
        s->hook->release(s->hook);
    bestdag_score_terms_free(s->xlogx);
    bestdag_columns_free(s->columns);
    bestdag_network_free(s->prior);
    bestdag_free(s->prior_variable);
    bestdag_free(s->prior_state);
    bestdag_free(s->function);
    bestdag_known_free(s);
    bestdag_free(s->states);
    bestdag_free(s->top);
    bestdag_free(s->bottom);
    bestdag_free(s->by_state);
    bestdag_free(s->pseudo);
    bestdag_free(s->base);
    bestdag_free((void *)(uintptr_t)s->quantile);
    pthread_mutex_destroy(&s->lock);
    bestdag_free(s);
}

/* ---- one family ------------------------------------------------------ */

struct bestdag_scorer_scratch {
    struct bestdag_tally *tally;
    int *parents; /* owns; [n]: those that `groups` and the sums belong to */
    int count;    /* -1: none yet */
    int64_t occur;
    const struct bestdag_score_terms *bottom_terms;
    int64_t bottom, joint; /* sums over the parents' joint states */
    struct bestdag_beliefs beliefs;
    struct bestdag_run *run;
    const struct bestdag_hook *hook; /* that hooked belongs to */
    void *hooked;                    /* owns; NULL: not yet used */
};

struct bestdag_scorer_scratch *bestdag_scorer_scratch_new(
    struct bestdag_run *run, const struct bestdag_scorer *scorer)
{
    struct bestdag_scorer_scratch *scratch =
        bestdag_calloc(run, 1, sizeof *scratch);
    if (!scratch)
        return NULL;
    scratch->count = -1;
    scratch->beliefs.run = scratch->run = run;
    scratch->hook = scorer->hook;
    scratch->tally = bestdag_tally_new(run, scorer->columns);
    scratch->parents =
        bestdag_alloc(run, (size_t)scorer->n * sizeof *scratch->parents);
    if (scratch->tally && scratch->parents)
        return scratch;
    bestdag_scorer_scratch_free(scratch);
    return NULL;
}

void bestdag_scorer_scratch_free(struct bestdag_scorer_scratch *scratch)
{
    if (!scratch)
        return;
    if (scratch->hooked)
        scratch->hook->close(scratch->hooked);
    bestdag_beliefs_release(&scratch->beliefs);
    bestdag_tally_free(scratch->tally);
    bestdag_free(scratch->parents);
    bestdag_free(scratch);
}

struct bestdag_tally *bestdag_scorer_scratch_tally(
    struct bestdag_scorer_scratch *scratch)
{
    scratch->count = -1; /* the caller may change the path */
    return scratch->tally;
}

static int64_t sum_weights(const struct bestdag_tally *t,
                           const struct bestdag_score_terms *terms,
                           int64_t *occur)
{
    const int64_t *weight = bestdag_tally_weights(t);
    int64_t sum = 0, groups = bestdag_tally_groups(t);
    *occur = 0;
    for (int64_t g = 0; g < groups; g++) {
        sum += bestdag_score_terms_at(terms, weight[g]);
        *occur += weight[g] > 0;
    }
    return sum;
}

/* Brings the scratch to these parents. */
static int look_at(const struct bestdag_scorer *s,
                   struct bestdag_scorer_scratch *scratch, const int *parents,
                   int count)
{
    size_t bytes = (size_t)count * sizeof *parents;
    if (scratch->count == count &&
        (!count || !memcmp(scratch->parents, parents, bytes)))
        return BESTDAG_OK;
    scratch->count = -1;
    if (bestdag_tally_path(scratch->tally, parents, count))
        return BESTDAG_MEMORY;
    if (count)
        memcpy(scratch->parents, parents, bytes);
    scratch->count = count;
    scratch->joint = sum_weights(scratch->tally, s->xlogx, &scratch->occur);
    scratch->bottom_terms = NULL;
    return BESTDAG_OK;
}

/* The score without penalty of a child whose score looks at each cell. */
static int local_by_cells(const struct bestdag_scorer *s,
                          struct bestdag_scorer_scratch *scratch, int child,
                          struct bestdag_family *to)
{
    struct bestdag_score_view v = bestdag_score_view_of(
        scratch->tally, child, scratch->parents, scratch->count);
    v.beliefs = &scratch->beliefs;
    if (bestdag_tally_cells(scratch->tally, child, &v.cell, &v.cells) ||
        s->type->local(s, &v, &to->score))
        return BESTDAG_MEMORY;
    int64_t joint = 0;
    for (int64_t i = 0; i < v.cells; i++)
        joint += bestdag_score_terms_at(s->xlogx, v.cell[i].count);
    to->cells = v.cells;
    to->likelihood = joint - scratch->joint;
    return BESTDAG_OK;
}

static int local_by_sums(const struct bestdag_scorer *s,
                         struct bestdag_scorer_scratch *scratch, int child,
                         struct bestdag_family *to)
{
    double states =
        bestdag_scorer_joint_states(s, scratch->parents, scratch->count);
    const struct bestdag_score_terms *bottom =
        bestdag_scorer_terms(s, s->bottom[child], states);
    const struct bestdag_score_terms *terms[2] = {
        s->xlogx,
        bestdag_scorer_terms(s, s->top[child], states * s->states[child])};
    bool same = terms[1] && terms[1]->a < 0;
    int64_t sums[2];
    if (!bottom || !terms[1] ||
        bestdag_tally_sum(scratch->tally, child, terms, same ? 1 : 2, sums,
                          &to->cells))
        return BESTDAG_MEMORY;
    to->likelihood = sums[0] - scratch->joint;
    if (same) {
        to->score = s->factor * to->likelihood;
        return BESTDAG_OK;
    }
    if (bottom != scratch->bottom_terms) {
        scratch->bottom = sum_weights(scratch->tally, bottom, &scratch->occur);
        scratch->bottom_terms = bottom;
    }
    to->score = s->factor * (sums[1] - scratch->bottom);
    return BESTDAG_OK;
}

/* Takes what constraints cost from likelihood and score. */
static int subtract_loss(const struct bestdag_scorer *s,
                         struct bestdag_scorer_scratch *scratch, int child,
                         struct bestdag_family *to)
{
    struct bestdag_score_view v = bestdag_score_view_of(
        scratch->tally, child, scratch->parents, scratch->count);
    double nats;
    int64_t units;
    if (!scratch->hooked)
        scratch->hooked = s->hook->open(scratch->run, s->hook);
    if (!scratch->hooked ||
        bestdag_tally_cells(scratch->tally, child, &v.cell, &v.cells) ||
        s->hook->loss(s->hook, scratch->hooked, s, &v, &nats, &units))
        return bestdag_run_status(scratch->run);
    if (units >= BESTDAG_UNITS_MOST / 2)
        to->score = to->likelihood = -BESTDAG_UNITS_MOST / 2;
    else {
        to->likelihood -= units;
        to->score -= s->factor * units;
    }
    return BESTDAG_OK;
}

int bestdag_scorer_family(const struct bestdag_scorer *s,
                          struct bestdag_scorer_scratch *scratch, int child,
                          const int *parents, int count,
                          struct bestdag_family *to)
{
    *to = (struct bestdag_family){0};
    if (look_at(s, scratch, parents, count))
        return BESTDAG_MEMORY;
    int status = s->by_family ? local_by_cells(s, scratch, child, to)
                              : local_by_sums(s, scratch, child, to);
    if (!status && bestdag_scorer_is_constrained(s, child))
        status = subtract_loss(s, scratch, child, to);
    to->configurations = scratch->occur;
    to->parents_joint = scratch->joint;
    to->score -= bestdag_scorer_penalty(s, child, parents, count);
    return status;
}
