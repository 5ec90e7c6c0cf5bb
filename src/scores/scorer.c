/* SPDX-License-Identifier: MIT */
/* scorer.c -- local scores of families: what all scores share. */
#include "scores/scorer.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/text/settings.h"
#include "network/network.h"
#include "scores/score.h"

static const struct bestdag_option option_rows[] = {
    {"score", BESTDAG_CHOICE, "bic", .names = bestdag_score_choice,
     .value = "NAME",
     .help = "score to maximise; mdl is another name of bic; by default bic-g "
             "where all columns hold numbers, bic-cg where some do"},
    {"structure-prior", BESTDAG_TEXT, "uniform", .value = "PRIOR",
     .help =
         "uniform, or arcs:X, which subtracts X from the score for every arc"},
    {0}};
const struct bestdag_option_group bestdag_score_options = {"score",
                                                           option_rows};

enum {
    SHIFT = 32,
    COARSE = 20, /* below this shift, 1e-6 nats, rounding is always noted */
    MOST_TABLE = 1 << 20 /* larger counts are computed when needed */
};

/* ---- units --------------------------------------------------------------- */

void bestdag_scorer_units(struct bestdag_run *run, struct bestdag_scorer *s,
                          double one, double all)
{
    double most = one > all ? one : all;
    s->shift = SHIFT;
    while (s->shift > 0 && ldexp(most, s->shift) >= (double)BESTDAG_UNITS_MOST)
        s->shift--;
    s->scale = ldexp(1, s->shift);
    if (s->shift < SHIFT)
        bestdag_note(run, s->shift < COARSE ? 0 : 1,
                     "scores are rounded to 2^-%d because of the size: %d "
                     "variables, %lld rows",
                     s->shift, s->n, (long long)s->total);
}

/* The sum of a set is up to N ln N, and for small pseudo-counts up to 710 more
 * per row. */
static void choose_units(struct bestdag_run *run, struct bestdag_scorer *s)
{
    double rows = (double)s->total + 1;
    bestdag_scorer_units(run, s,
                         rows * (log(rows) + (s->type->dirichlet ? 710 : 1)),
                         rows * (log(rows) + 12) * (s->n + 1));
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

/* Lists only grow at their front, so readers need no lock. */
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
    /* Its cache has a lock. */
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
    if (s->additive)
        nats += s->weight * count;
    nats *= s->scale;
    if (!(nats < (double)BESTDAG_UNITS_MOST))
        return BESTDAG_UNITS_MOST;
    return llround(nats) + s->base[child];
}

/* ---- preparation --------------------------------------------------------- */

/* For --missing available; a table of numbers only can be learned by em. */
static int refuse_numbers(struct bestdag_run *run,
                          const struct bestdag_table *table)
{
    int numbers = 0;
    for (int v = 0; v < table->columns; v++)
        numbers += table->column[v].kind == BESTDAG_NUMBERS;
    if (!numbers)
        return bestdag_table_need_codes(run, table);
    return bestdag_fail(run, BESTDAG_USAGE,
                        "--missing available is for columns of states, and "
                        "this table has numbers: cut them into states "
                        "(--discretize), or take %s",
                        numbers == table->columns
                            ? "--missing em"
                            : "complete rows (--missing drop)");
}

static int check_columns(struct bestdag_run *run,
                         const struct bestdag_table *table,
                         const struct bestdag_score_type *type)
{
    if (bestdag_score_takes(type, table))
        return BESTDAG_OK;
    if (table->use == BESTDAG_HOLES_AVAILABLE &&
        type->columns == BESTDAG_SCORE_STATES)
        return refuse_numbers(run, table);
    if (type->columns == BESTDAG_SCORE_STATES)
        return bestdag_table_need_codes(run, table);
    for (int v = 0; v < table->columns; v++) {
        const struct bestdag_column *c = &table->column[v];
        if (c->kind == BESTDAG_CODES && type->columns == BESTDAG_SCORE_NUMBERS)
            return bestdag_fail(run, BESTDAG_INPUT,
                                "column '%s' holds states: score %s needs "
                                "numbers in every column (--as-numbers, or a "
                                "score that ends in -cg)",
                                c->name, type->name);
        if (!(c->kind == BESTDAG_NUMBERS &&
              type->columns != BESTDAG_SCORE_STATES) &&
            bestdag_column_need_codes(run, c))
            return bestdag_run_status(run);
    }
    return bestdag_fail(run, BESTDAG_INPUT,
                        "score %s needs a column of numbers (--as-numbers)",
                        type->name);
}

static bool lacks_numbers(const struct bestdag_table *table)
{
    for (int c = 0; c < table->columns; c++)
        if (table->column[c].kind == BESTDAG_NUMBERS &&
            table->column[c].missing)
            return true;
    return false;
}

static int check_table(struct bestdag_run *run,
                       const struct bestdag_table *table,
                       const struct bestdag_score_type *type)
{
    if (!table)
        return bestdag_fail(run, BESTDAG_USAGE, "there is no table to score");
    if (check_columns(run, table, type))
        return bestdag_run_status(run);
    if (table->shards && (type->families || type->required))
        return bestdag_fail(run, BESTDAG_USAGE,
                            "score %s looks at single rows, and rows-by-rank "
                            "has only their counts: take another score",
                            type->name);
    int64_t missing = bestdag_table_missing(table);
    if (missing && !(type->families && type->families->takes_missing))
        return bestdag_fail(run, BESTDAG_INPUT,
                            "%lld values are missing, and score %s needs "
                            "complete rows: read the table with --missing "
                            "drop%s",
                            (long long)missing, type->name,
                            lacks_numbers(table)
                                ? ", or cut its numbers into states"
                                : " or state, or take --score pnal with "
                                  "--missing available");
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

/* Is this an option of pnal, with --missing available? That scores tables with
 * missing values by pnal. */
static bool is_for_holes(const struct bestdag_options *options, const char *key)
{
    const char *missing =
        bestdag_option_value(options, &bestdag_table_options, "missing").text;
    return missing && !strcmp(missing, "available") &&
           bestdag_score_uses(bestdag_score_find("pnal"), key);
}

/* Reports an option that only other scores have. */
static int check_option(struct bestdag_run *run,
                        const struct bestdag_score_type *type,
                        const struct bestdag_options *options, const char *key)
{
    char users[128] = "";
    size_t n = 0;
    const struct bestdag_score_type *t;
    if (bestdag_score_uses(type, key) || is_for_holes(options, key) ||
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
        const struct bestdag_column *c = &s->table->column[v];
        s->states[v] = c->kind == BESTDAG_CODES ? c->states : 2;
        assert(s->states[v] >= 1); /* checked by check_table() */
    }
    return BESTDAG_OK;
}

/* Counting sort. */
static int order_states(struct bestdag_run *run, struct bestdag_scorer *s)
{
    int *next = bestdag_calloc(run, BESTDAG_MOST_STATES + 2, sizeof *next);
    s->order = s->own_order =
        bestdag_alloc(run, (size_t)s->n * sizeof *s->own_order);
    for (int v = 0; next && v < s->n; v++)
        next[s->states[v] + 1]++;
    for (int k = 0; next && k <= BESTDAG_MOST_STATES; k++)
        next[k + 1] += next[k];
    for (int v = 0; next && s->own_order && v < s->n; v++)
        s->own_order[next[s->states[v]]++] = v;
    bestdag_free(next);
    return bestdag_run_status(run);
}

static int prepare_families(struct bestdag_run *run, struct bestdag_scorer *s,
                            const struct bestdag_options *options)
{
    s->by_family = true;
    if (s->type->prepare(run, s, options))
        return bestdag_run_status(run);
    assert(s->scale >= 1);
    return order_states(run, s);
}

static int prepare_cells(struct bestdag_run *run, struct bestdag_scorer *s,
                         const struct bestdag_options *options)
{
    int64_t limit = s->total < MOST_TABLE ? s->total + 1 : MOST_TABLE;
    choose_units(run, s);
    s->xlogx = bestdag_score_terms_new(run, BESTDAG_XLOGX, s->scale, limit);
    s->columns = bestdag_columns_new(run, s->table);
    if (!s->xlogx || !s->columns)
        return BESTDAG_MEMORY;
    s->order = s->columns->order;
    return s->type->prepare(run, s, options);
}

static int prepare(struct bestdag_run *run, struct bestdag_scorer *s,
                   const struct bestdag_options *options)
{
    const char *prior =
        bestdag_option_value(options, &bestdag_score_options, "structure-prior")
            .text;
    if (read_prior(run, s, prior) || allocate(run, s))
        return bestdag_run_status(run);
    return s->type->families ? prepare_families(run, s, options)
                             : prepare_cells(run, s, options);
}

struct bestdag_scorer *bestdag_scorer_new(struct bestdag_run *run,
                                          const struct bestdag_table *table,
                                          const struct bestdag_options *options)
{
    const struct bestdag_score_type *type = bestdag_score_asked(table, options);
    if (bestdag_run_status(run) || check_settings(run, type, options))
        return NULL;
    return bestdag_scorer_of(run, table, type, options);
}

struct bestdag_scorer *bestdag_scorer_of(struct bestdag_run *run,
                                         const struct bestdag_table *table,
                                         const struct bestdag_score_type *type,
                                         const struct bestdag_options *options)
{
    if (bestdag_run_status(run) || check_table(run, table, type))
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
    s->slowness = 1;
    s->type = type;
    s->pruning = type->pruning;
    if (!prepare(run, s, options) && !bestdag_run_status(run))
        return s;
    bestdag_scorer_free(s);
    return NULL;
}

void bestdag_scorer_note(struct bestdag_run *run,
                         const struct bestdag_scorer *s)
{
    int numbers = 0;
    const char *first = NULL;
    for (int v = s->n; v-- > 0;)
        if (s->table->column[v].kind == BESTDAG_NUMBERS) {
            first = s->table->column[v].name;
            numbers++;
        }
    if (numbers == s->n && s->n > 0)
        bestdag_note(run, 0,
                     "all %d columns hold numbers: a Gaussian network, score "
                     "%s (--discretize cuts them into states)",
                     s->n, s->type->name);
    else if (numbers)
        bestdag_note(run, 0,
                     "%d of %d columns hold numbers, '%s' first: a conditional "
                     "Gaussian network, score %s (--discretize cuts them into "
                     "states)",
                     numbers, s->n, first, s->type->name);
    if (s->type->families && s->type->families->note)
        s->type->families->note(run, s);
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
    if (s->type->families)
        s->type->families->release(s->own);
    bestdag_free(s->own_order);
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
