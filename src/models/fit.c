/* SPDX-License-Identifier: MIT */
/* fit.c -- a network's tables from data, and the regressions of numbers (see
 * fit_regression.c).
 *
 * Tables are posterior means under a Dirichlet prior that adds the same amount
 * to every cell of a table: `pseudo`, or ess / (r q) for a table of q rows of r
 * numbers. One imaginary row (ess 1) is the default, so that no new row is
 * impossible; 0 is maximum likelihood. Children with rules about their
 * parameters get the best feasible tables: see constrained_tables.h.
 *
 * A family is counted block by block: the joint state of parents and child as
 * one number (joint_state.c), then a histogram. Families are distributed over
 * threads; each fills its own table, in which counts become probabilities in
 * place. Time: rows times (variables + arcs). */
#include <assert.h>
#include <string.h>

#include "base/options.h"
#include "data/digest.h"
#include "data/missing.h"
#include "data/shards.h"
#include "models/constrained_tables.h"
#include "models/fit_limit.h"
#include "models/fit_regression.h"
#include "models/holes/gaussian_em.h"
#include "network/regression.h"
#include "parallel/parallel.h"

static const struct bestdag_option option_rows[] = {
    {"pseudo", BESTDAG_NUMBER, "0", 0, 1e9, .value = "X",
     .help = "add this pseudo-count to every count (Dirichlet prior), in place "
             "of --ess; 0: relative frequencies (maximum likelihood)"},
    {"ess", BESTDAG_NUMBER, "1", 0, 1e9, .value = "X",
     .help = "equivalent sample size of a uniform Dirichlet prior over each "
             "table; keeps probabilities above 0; 0: relative frequencies "
             "(maximum likelihood); not with --pseudo"},
    {"max-entries", BESTDAG_INTEGER, "16777216", 1, 1e12, .value = "N",
     .help = "maximum number of probabilities in all tables; a network with "
             "more gets none"},
    {0}};
const struct bestdag_option_group bestdag_fit_options = {"fit", option_rows};

enum { BLOCK = 4096, SHOWN = 5 };
/* Rows of a table whose counts are kept, at most: 512 kB. */
enum { MOST_COUNTED = 1 << 16 };

struct scratch {
    uint32_t index[BLOCK];
};

struct job {
    struct bestdag_run *run;
    struct bestdag_network *network;
    struct bestdag_match match;
    const struct bestdag_table *table;
    struct bestdag_fit_prior prior;
    int64_t most_entries;
    const char *policy; /* for missing values; NULL: such rows are left out */
    struct bestdag_parameters *parameters; /* owns; NULL: no rules */
    int64_t *unseen;             /* owns; [n]: table rows without data */
    struct scratch *scratch;     /* owns; one per worker */
    struct bestdag_digit *digit; /* owns; `widest` a worker */
    int widest;
};

/* ---- counting ------------------------------------------------------------ */

static void count_block(const struct job *job, int64_t from, int n,
                        const uint32_t *index, int64_t *cell)
{
    const int32_t *weights = job->match.weights;
    for (int i = 0; i < n; i++)
        if (!weights)
            cell[index[i]]++;
        else if (weights[from + i] > 0) /* else the index is arbitrary */
            cell[index[i]] += weights[from + i];
}

static int count_under_rules(const struct job *job, int v, int64_t *cell,
                             double add)
{
    struct bestdag_constrained_tables ruled = {.parameters = job->parameters,
                                               .network = job->network,
                                               .child = v,
                                               .add = add,
                                               .cell = cell};
    return bestdag_constrained_tables_fit(job->run, &ruled);
}

/* Keeps the data rows behind each table row, if the network stores them. */
static void keep_counts(const struct job *job, int v, const int64_t *cell)
{
    const struct bestdag_variable *x = &job->network->variable[v];
    int64_t q = bestdag_network_configurations(job->network, v);
    for (int64_t j = 0; x->counts && j < q; j++)
        for (int k = 0; k < x->states; k++)
            x->counts[j] += cell[j * x->states + k];
}

/* Turns counts into probabilities in place; both take eight bytes. */
static int count_to_probability(const struct job *job, int v, int64_t *cell)
{
    struct bestdag_variable *x = &job->network->variable[v];
    int64_t q = bestdag_network_configurations(job->network, v);
    int r = x->states;
    double add = job->prior.pseudo + job->prior.ess / ((double)r * (double)q);
    keep_counts(job, v, cell);
    if (bestdag_parameters_about(job->parameters, v))
        return count_under_rules(job, v, cell, add);
    for (int64_t j = 0; j < q; j++, cell += r) {
        int64_t sum = 0;
        for (int k = 0; k < r; k++)
            sum += cell[k];
        if (j % BLOCK == 0 && bestdag_run_stopped(job->run))
            return BESTDAG_FAILED;
        job->unseen[v] += !sum;
        for (int k = 0; k < r; k++) {
            double p = sum ? ((double)cell[k] + add) / ((double)sum + r * add)
                           : 1.0 / r;
            assert(p >= 0 && p <= 1);
            memcpy(&cell[k], &p, sizeof p);
        }
    }
    return BESTDAG_OK;
}

/* Counts the rows of all ranks. */
static int fit_sharded(const struct job *job, int v, int64_t *cell)
{
    const struct bestdag_parents *p = &job->network->dag->parents[v];
    int count = p->count + 1;
    int *column = bestdag_alloc(job->run, (size_t)count * sizeof *column);
    struct bestdag_shard_request request = {.variables = column,
                                            .count = count};
    if (!column)
        return bestdag_run_status(job->run);
    for (int i = 0; i < p->count; i++)
        column[i] = job->match.column[p->at[i]];
    column[p->count] = job->match.column[v];
    bestdag_shards_count(job->run, job->table, &request, cell);
    bestdag_free(column);
    return bestdag_run_status(job->run) ? bestdag_run_status(job->run)
                                        : count_to_probability(job, v, cell);
}

static int fit_family(void *argument, int64_t item, int worker)
{
    struct job *job = argument;
    int v = (int)item;
    struct bestdag_digit *digit = job->digit + (int64_t)worker * job->widest;
    uint32_t *index = job->scratch[worker].index;
    int64_t *cell = (int64_t *)(void *)job->network->variable[v].table;
    if (job->network->variable[v].is_number) {
        struct bestdag_fit_regression number = {
            job->network, &job->match, job->table->rows, v, digit,
            index,        BLOCK};
        return bestdag_fit_regressions(job->run, &number, &job->unseen[v]);
    }
    if (job->table->shards)
        return fit_sharded(job, v, cell);
    int count = bestdag_match_family(&job->match, job->network->dag, v, digit);
    for (int64_t from = 0; from < job->table->rows; from += BLOCK) {
        int64_t left = job->table->rows - from;
        int n = left < BLOCK ? (int)left : BLOCK;
        if (bestdag_run_stopped(job->run))
            return BESTDAG_FAILED;
        bestdag_digits_index(digit, count, from, n, index);
        count_block(job, from, n, index, cell);
    }
    return count_to_probability(job, v, cell);
}

/* ---- before -------------------------------------------------------------- */

int bestdag_fit_prior(struct bestdag_run *run,
                      const struct bestdag_options *options, const char *prefix,
                      struct bestdag_fit_prior *to)
{
    const struct bestdag_option_group *group = &bestdag_fit_options;
    to->pseudo = bestdag_option_value(options, group, "pseudo").number;
    to->ess = bestdag_option_value(options, group, "ess").number;
    if (!bestdag_option_given(options, group, "pseudo"))
        return BESTDAG_OK;
    if (!bestdag_option_given(options, group, "ess"))
        to->ess = 0;
    return to->pseudo > 0 && to->ess > 0
               ? bestdag_fail(run, BESTDAG_USAGE,
                              "%spseudo and %sess are two priors: give one of "
                              "them",
                              prefix, prefix)
               : BESTDAG_OK;
}

int64_t bestdag_fit_most(const struct bestdag_options *options)
{
    return bestdag_option_value(options, &bestdag_fit_options, "max-entries")
        .integer;
}

/* A structure without states takes those of the table; a column of numbers
 * makes its variable a number. */
static int adopt_states(struct bestdag_run *run, struct bestdag_variable *x,
                        const struct bestdag_column *c)
{
    if (x->states || x->is_number)
        return BESTDAG_OK;
    x->is_number = c->kind == BESTDAG_NUMBERS;
    if (x->is_number)
        return BESTDAG_OK;
    if (!c->states)
        return bestdag_fail(run, BESTDAG_INPUT,
                            "column '%s' has no value: the states of the "
                            "variable are not known",
                            c->name);
    x->labels = bestdag_calloc(run, (size_t)c->states, sizeof *x->labels);
    if (!x->labels)
        return bestdag_run_status(run);
    x->states = c->states;
    for (int s = 0; s < c->states; s++)
        if (!(x->labels[s] = bestdag_strdup(run, c->labels[s])))
            return bestdag_run_status(run);
    return BESTDAG_OK;
}

/* Fails early if the tables are too large for the memory, or to be written in
 * the remaining time. */
static int check_size(struct bestdag_run *run,
                      const struct bestdag_network *network, int64_t limit)
{
    int v;
    int64_t most, all = bestdag_network_entries(network, &v, &most);
    const struct bestdag_variable *x = &network->variable[v];
    struct bestdag_buffer what = {.run = run};
    if (most > BESTDAG_DIGITS_MOST)
        return bestdag_fail(
            run, BESTDAG_MEMORY,
            "the table of '%s' with %d parents has more than %lld entries",
            x->name, network->dag->parents[v].count,
            (long long)BESTDAG_DIGITS_MOST);
    if (all > limit)
        return bestdag_fail(
            run, BESTDAG_MEMORY,
            "the network's tables have %lld entries, that of '%s' %lld: more "
            "than max-entries, %lld",
            (long long)all, x->name, (long long)most, (long long)limit);
    if (bestdag_tables_are_late(run, all))
        return bestdag_fail(
            run, BESTDAG_FAILED,
            "the network's tables have %lld entries, that of '%s' %lld: too "
            "many for the time limit",
            (long long)all, x->name, (long long)most);
    bestdag_buffer_format(
        &what, "fitting %lld entries, %lld of them of the table of '%s',",
        (long long)all, (long long)most, x->name);
    if (what.at)
        bestdag_reserve(run, all < INT64_MAX / 8 ? 8 * all : -1, what.at);
    bestdag_buffer_release(&what);
    return bestdag_run_status(run);
}

static int new_tables(struct bestdag_run *run, struct bestdag_network *network,
                      int64_t limit)
{
    if (check_size(run, network, limit))
        return bestdag_run_status(run);
    for (int v = 0; v < network->dag->n; v++) {
        struct bestdag_variable *x = &network->variable[v];
        if (x->is_number ? bestdag_network_new_regression(run, network, v)
                         : bestdag_network_new_table(run, network, v))
            return bestdag_run_status(run);
        int64_t rows = bestdag_network_configurations(network, v);
        if (rows <= MOST_COUNTED &&
            !(x->counts = bestdag_calloc(run, (size_t)rows, sizeof *x->counts)))
            return bestdag_run_status(run);
    }
    return BESTDAG_OK;
}

static bool is_em(const struct job *job)
{
    return !strcmp(job->policy, "em");
}

/* Refuses what cannot be estimated from rows with missing values. */
static int refuse_holes(struct bestdag_run *run, const struct job *job,
                        const struct bestdag_table *table)
{
    if (!job->policy || !bestdag_table_missing(table))
        return bestdag_run_status(run);
    if (bestdag_network_has_numbers(job->network) &&
        !(is_em(job) && bestdag_network_is_gaussian(job->network)))
        return bestdag_fail(run, BESTDAG_USAGE,
                            is_em(job)
                                ? "--missing em is for tables of states or of "
                                  "numbers, not of both: make the numbers "
                                  "states ('bestdag discretize')"
                            : bestdag_network_is_gaussian(job->network)
                                ? "--missing available is for columns of "
                                  "states: take --missing em"
                                : "--missing available is for columns of "
                                  "states: make the numbers states ('bestdag "
                                  "discretize')");
    return job->parameters
               ? bestdag_fail(run, BESTDAG_USAGE,
                              "constraints on probabilities need complete "
                              "rows, not --missing %s",
                              job->policy)
               : bestdag_run_status(run);
}

static int prepare(struct bestdag_run *run, struct job *job,
                   const struct bestdag_rules *rules,
                   const struct bestdag_table *table)
{
    struct bestdag_network *network = job->network;
    int n = network->dag->n, threads = bestdag_parallel_threads(run, n);
    if (bestdag_match_columns(run, network, table, &job->match))
        return bestdag_run_status(run);
    for (int v = 0; v < n; v++)
        if (adopt_states(run, &network->variable[v],
                         &table->column[job->match.column[v]]))
            return bestdag_run_status(run);
    if (bestdag_network_check_numbers(run, network, "network"))
        return bestdag_run_status(run);
    job->parameters =
        bestdag_constrained_tables_new(run, rules, network, table, &job->match);
    if (refuse_holes(run, job, table))
        return bestdag_run_status(run);
    if (bestdag_run_status(run) ||
        new_tables(run, network, job->most_entries) ||
        bestdag_match_cells(run, network, table, &job->match))
        return bestdag_run_status(run);
    job->table = table;
    job->widest = bestdag_match_widest(network->dag);
    job->unseen = bestdag_calloc(run, (size_t)n, sizeof *job->unseen);
    job->scratch = bestdag_alloc(run, (size_t)threads * sizeof *job->scratch);
    job->digit = bestdag_alloc(run, (size_t)threads * (size_t)job->widest *
                                        sizeof *job->digit);
    return bestdag_run_status(run);
}

static void note_number(struct bestdag_run *run, struct bestdag_network *to,
                        const char *key, const char *prefix, double value)
{
    char number[BESTDAG_NUMBER_ROOM];
    struct bestdag_buffer b = {.run = run};
    bestdag_number_format(value, number);
    bestdag_buffer_format(&b, "%s%s", prefix, number);
    if (b.at)
        bestdag_network_note(run, to, key, b.at);
    bestdag_buffer_release(&b);
}

/* ---- tables with holes --------------------------------------------------- */

/* Stores the data rows behind the rows of v's table, rounded, and counts those
 * without. */
static void take_counts(struct job *job, const struct bestdag_expectation *e,
                        const int64_t *count, int shift, int v)
{
    struct bestdag_variable *x = &job->network->variable[v];
    int64_t q = bestdag_network_configurations(job->network, v);
    const int64_t *cell = count + e->offset[v];
    for (int64_t j = 0; j < q; j++, cell += x->states) {
        int64_t sum = 0;
        for (int k = 0; k < x->states; k++)
            sum += cell[k];
        job->unseen[v] += !sum;
        if (x->counts)
            x->counts[j] = (int64_t)(ldexp((double)sum, -shift) + 0.5);
    }
}

static void note_em(struct bestdag_run *run, struct bestdag_network *to,
                    int64_t by_tree, const struct bestdag_em_report *report)
{
    char ln[BESTDAG_NUMBER_ROOM];
    bestdag_number_brief(report->ln, ln);
    if (report->iterations)
        bestdag_note(run, 0,
                     "expectation-maximisation: log-likelihood %s after %d "
                     "iteration%s of start %d%s",
                     ln, report->iterations, report->iterations == 1 ? "" : "s",
                     report->start + 1,
                     report->has_converged ? "" : ", not converged");
    else
        bestdag_note(run, 0,
                     "expectation-maximisation was stopped before its first "
                     "step: %s",
                     bestdag_network_has_numbers(to)
                         ? "each missing value counts as its column's mean"
                         : "each table is from the rows that have it");
    if (by_tree)
        bestdag_note(run, 1, "%lld kinds of rows by junction tree",
                     (long long)by_tree);
    if (report->raised)
        bestdag_note(run, 0,
                     "%d of the numbers follow from their parents: their "
                     "deviations are kept above 0",
                     report->raised);
    note_number(run, to, "em_iterations", "", report->iterations);
    if (report->iterations)
        note_number(run, to, "em_log_likelihood", "", report->ln);
    bestdag_network_note(run, to, "em_converged",
                         report->has_converged ? "yes" : "no");
}

static int estimate(struct bestdag_run *run, struct job *job,
                    struct bestdag_expectation *e,
                    const struct bestdag_options *options)
{
    struct bestdag_em_settings settings = bestdag_em_settings_of(options);
    struct bestdag_em_report report = {0};
    if (!is_em(job))
        bestdag_em_available(e, job->prior);
    else if (bestdag_em_run(run, e, job->prior, &settings, false, &report))
        return bestdag_run_status(run);
    bool has_stepped = report.iterations > 0;
    for (int v = 0; v < job->network->dag->n; v++)
        take_counts(job, e, has_stepped ? e->count : e->have,
                    has_stepped ? e->shift : 0, v);
    if (is_em(job))
        note_em(run, job->network, e->by_tree, &report);
    return bestdag_network_note(run, job->network, "missing", job->policy);
}

static int fit_holes(struct bestdag_run *run, struct job *job,
                     const struct bestdag_table *table,
                     const struct bestdag_options *options)
{
    struct bestdag_hole_rows rows = {0};
    struct bestdag_expectation e = {0};
    if (!bestdag_hole_rows_find(run, job->match.digit, job->match.n,
                                table->rows, table->weights, false, &rows) &&
        !bestdag_expectation_new(run, job->network, job->match.digit,
                                 table->rows, table->weights, &rows,
                                 table->total, &e))
        estimate(run, job, &e, options);
    job->match.total = table->total - rows.empty;
    bestdag_expectation_release(&e);
    bestdag_hole_rows_release(&rows);
    return bestdag_run_status(run);
}

static int fit_number_holes(struct bestdag_run *run, struct job *job,
                            const struct bestdag_table *table,
                            const struct bestdag_options *options)
{
    struct bestdag_gaussian_em em = {0};
    struct bestdag_em_settings settings = bestdag_em_settings_of(options);
    struct bestdag_em_report report = {0};
    if (!bestdag_gaussian_em_new(run, job->match.number, job->match.n,
                                 table->rows, table->weights, &em) &&
        !bestdag_gaussian_em_run(run, &em, job->network, &settings, false,
                                 &report)) {
        for (int v = 0; v < job->match.n; v++)
            if (job->network->variable[v].counts)
                job->network->variable[v].counts[0] = (int64_t)em.total;
        note_em(run, job->network, 0, &report);
        bestdag_network_note(run, job->network, "missing", job->policy);
    }
    job->match.total = table->total - em.empty;
    bestdag_gaussian_em_release(&em);
    return bestdag_run_status(run);
}

/* ---- after --------------------------------------------------------------- */

/* Names the SHOWN variables with the most table rows without data. */
static void name_unseen(const struct job *job, struct bestdag_buffer *b)
{
    int64_t last = INT64_MAX;
    int last_at = -1, n = job->network->dag->n;
    for (int shown = 0; shown <= SHOWN; shown++) {
        int best = -1;
        for (int v = 0; v < n; v++) {
            int64_t count = job->unseen[v];
            bool is_left = count < last || (count == last && v > last_at);
            if (count && is_left && (best < 0 || count > job->unseen[best]))
                best = v;
        }
        if (best < 0)
            return;
        if (shown == SHOWN) {
            bestdag_buffer_text(b, ", ...");
            return;
        }
        last = job->unseen[best];
        last_at = best;
        bestdag_buffer_format(b, "%s'%s' (%lld)", shown ? ", " : "",
                              job->network->variable[best].name,
                              (long long)last);
    }
}

/* Notes and returns how many table rows have no data. */
static int64_t note_unseen(struct bestdag_run *run, const struct job *job)
{
    struct bestdag_buffer b = {.run = run};
    int64_t unseen = 0, all = 0;
    for (int v = 0; v < job->network->dag->n; v++) {
        unseen += job->unseen[v];
        all += bestdag_network_configurations(job->network, v);
    }
    if (!unseen)
        return 0;
    name_unseen(job, &b);
    char *names = bestdag_buffer_take(&b);
    if (names)
        bestdag_note(run, 0,
                     bestdag_network_has_numbers(job->network)
                         ? "%lld of %lld configurations have too few rows and "
                           "are uniform, or regressions over all rows: %s"
                         : "%lld of %lld table rows have no data and are "
                           "uniform: %s",
                     (long long)unseen, (long long)all, names);
    bestdag_free(names);
    return unseen;
}

static int write_provenance(struct bestdag_run *run, const struct job *job,
                            const struct bestdag_table *table)
{
    struct bestdag_network *to = job->network;
    char digest[BESTDAG_SHA256_HEX];
    if (job->prior.pseudo > 0)
        note_number(run, to, "fit", "pseudo=", job->prior.pseudo);
    else if (job->prior.ess > 0)
        note_number(run, to, "fit", "ess=", job->prior.ess);
    else
        bestdag_network_note(run, to, "fit", "ml");
    note_number(run, to, "rows", "", (double)job->match.total);
    note_number(run, to, "unseen_rows", "", (double)note_unseen(run, job));
    if (!bestdag_table_digest_unstopped(run, table, digest))
        bestdag_network_note(run, to, "data_sha256", digest);
    bestdag_network_note(run, to, "version", bestdag_version());
    return bestdag_run_status(run);
}

/* ---- the whole ----------------------------------------------------------- */

static int fit(struct bestdag_run *run, struct job *job,
               const struct bestdag_rules *rules,
               const struct bestdag_table *table,
               const struct bestdag_options *options)
{
    struct bestdag_work work = {
        .job = job, .items = job->network->dag->n, .work = fit_family};
    int64_t done = 0;
    bestdag_run_phase(run, "fitting", work.items);
    if (prepare(run, job, rules, table))
        return bestdag_run_status(run);
    if (job->policy && job->match.left_out) {
        bool are_numbers = bestdag_network_is_gaussian(job->network);
        int status = are_numbers ? fit_number_holes(run, job, table, options)
                                 : fit_holes(run, job, table, options);
        return status ? status : write_provenance(run, job, table);
    }
    bestdag_parallel(run, &work, &done);
    if (done < work.items && !bestdag_run_status(run))
        return bestdag_fail(run, BESTDAG_FAILED,
                            "stopped before all tables were fitted");
    return write_provenance(run, job, table);
}

struct bestdag_network *bestdag_network_fit(
    struct bestdag_run *run, const struct bestdag_network *structure,
    const struct bestdag_table *table, const struct bestdag_options *options)
{
    return bestdag_network_fit_under(run, structure, table, NULL, options);
}

struct bestdag_network *bestdag_network_fit_under(
    struct bestdag_run *run, const struct bestdag_network *structure,
    const struct bestdag_table *table, const struct bestdag_rules *rules,
    const struct bestdag_options *options)
{
    struct job job = {.run = run};
    if (bestdag_lacks(run, structure, "network") ||
        bestdag_lacks(run, table, "table") ||
        bestdag_fit_prior(run, options, "", &job.prior))
        return NULL;
    job.most_entries = bestdag_fit_most(options);
    job.policy = bestdag_hole_use_name(table->use);
    job.match.keeps_holes = job.policy != NULL;
    job.network = bestdag_network_copy_structure(run, structure);
    int status =
        job.network ? fit(run, &job, rules, table, options) : BESTDAG_FAILED;
    bestdag_match_release(&job.match);
    bestdag_parameters_free(job.parameters);
    bestdag_free(job.unseen);
    bestdag_free(job.scratch);
    bestdag_free(job.digit);
    if (!status)
        return job.network;
    bestdag_network_free(job.network);
    return NULL;
}
