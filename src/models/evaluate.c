/* SPDX-License-Identifier: MIT */
/* evaluate.c -- how likely a table is under a network.
 *
 * The tables' logarithms are taken once. Rows are processed in blocks: for each
 * variable the joint state of its family (joint_state.c) points to the
 * logarithm that is added to the row's sum. Row sums are added up per item with
 * Neumaier's correction, and items in their order, so that the total does not
 * depend on threads. Time: rows times (variables + arcs).
 *
 * A row with missing values has the probability of the values that are there:
 * a session of the network sums out the others (inference/). */
#include <math.h>
#include <string.h>

#include "base/options.h"
#include "models/match.h"
#include "models/number_columns.h"
#include "models/row_density.h"
#include "models/structure_scores.h"
#include "parallel/parallel.h"

static const struct bestdag_option option_rows[] = {
    {"per-row", BESTDAG_FLAG, "no",
     .help = "also print the log-likelihood of every row"},
    {0}};
const struct bestdag_option_group bestdag_evaluate_options = {"evaluate",
                                                              option_rows};

enum { BLOCK = 2048, ITEM_CELLS = 1 << 20 };

/* Neumaier's sum: rounding errors are added up separately. */
struct sum {
    double value, lost;
};

struct result {
    struct sum sum;    /* weighted, of the possible rows */
    int64_t zero_rows; /* impossible rows */
    int64_t sampled;   /* rows whose sum over missing values is an estimate */
};

struct scratch {
    uint32_t index[BLOCK];
    double row[BLOCK];
    double mean[BLOCK]; /* of numbers */
    /* for rows with missing values, if there are any; else NULL */
    struct bestdag_run *run;         /* owns; a slice */
    struct bestdag_session *session; /* owns */
    int *now; /* owns; [n]: the states that are set, or -1 */
    struct bestdag_row_density density; /* owns; of networks with numbers */
};

struct job {
    struct bestdag_run *run;
    const struct bestdag_network *network;
    const struct bestdag_options *options;
    struct bestdag_match match;
    int64_t table_rows, blocks_an_item, items;
    double **log; /* owns; [n]: logarithms of the tables */
    struct bestdag_number_family *number; /* owns; [n]: of numbers */
    double *row;                   /* owns; [rows]; NULL: not asked for */
    struct result *result;         /* owns; [items] */
    const int32_t *weights;        /* of the table; NULL: all 1 */
    struct bestdag_engine *engine; /* owns; NULL: no value is missing */
    struct scratch *scratch;       /* owns; one per worker */
    int workers;
    struct bestdag_digit *digit; /* owns; `widest` a worker */
    int widest;
};

static void add(struct sum *s, double x)
{
    double sum = s->value + x;
    s->lost +=
        fabs(s->value) >= fabs(x) ? (s->value - sum) + x : (x - sum) + s->value;
    s->value = sum;
}

/* ---- work ---------------------------------------------------------------- */

static int take_logs(void *argument, int64_t item, int worker)
{
    const struct job *job = argument;
    const struct bestdag_variable *x = &job->network->variable[item];
    int64_t cells =
        bestdag_network_configurations(job->network, (int)item) * x->states;
    (void)worker;
    for (int64_t i = 0; !x->is_number && i < cells; i++)
        job->log[item][i] = log(x->table[i]);
    return BESTDAG_OK;
}

/* For a missing cell the index is arbitrary; such rows are not counted here. */
static void add_logs(const double *logs, const uint32_t *index, uint32_t cells,
                     double *row, int n)
{
    for (int i = 0; i < n; i++)
        row[i] += logs[index[i] < cells ? index[i] : 0];
}

static int64_t cells_of(const struct bestdag_network *network, int v)
{
    return bestdag_network_configurations(network, v) *
           network->variable[v].states;
}

static void add_block(const struct job *job, int64_t from, int n, int worker)
{
    struct scratch *s = &job->scratch[worker];
    struct bestdag_digit *digit = job->digit + (int64_t)worker * job->widest;
    memset(s->row, 0, sizeof s->row);
    for (int v = 0; v < job->match.n; v++) {
        int count =
            bestdag_match_family(&job->match, job->network->dag, v, digit);
        if (job->match.number[v]) {
            struct bestdag_row_block block = {from, n, s->index};
            bestdag_number_log_density(&job->number[v], &block,
                                       job->match.number[v], s->mean, s->row);
            continue;
        }
        bestdag_digits_index(digit, count, from, n, s->index);
        add_logs(job->log[v], s->index, (uint32_t)cells_of(job->network, v),
                 s->row, n);
    }
}

/* Adds ln of the probability of the row's values that are there. */
static int add_incomplete(const struct job *job, int64_t row, int worker,
                          double *to, int64_t *sampled)
{
    struct scratch *s = &job->scratch[worker];
    bool is_sampled;
    if (s->density.network) {
        if (!bestdag_row_density(s->run, &s->density, &job->match, row, to,
                                 &is_sampled))
            *sampled += is_sampled;
        return bestdag_run_status(s->run);
    }
    for (int v = 0; v < job->match.n; v++) {
        const struct bestdag_digit *d = &job->match.digit[v];
        int code = d->bytes == 1 ? ((const uint8_t *)d->cells)[row]
                                 : ((const uint16_t *)d->cells)[row];
        int state = code < d->states ? code : -1;
        if (s->now[v] == state)
            continue;
        s->now[v] = state;
        if (bestdag_session_observe(s->run, s->session, v, state))
            return bestdag_run_status(s->run);
    }
    *to = bestdag_session_evidence(s->run, s->session);
    *sampled += bestdag_session_sample_size(s->session) > 0;
    return bestdag_run_status(s->run);
}

static int add_rows(const struct job *job, int64_t from, int n, int worker,
                    struct result *to)
{
    const int32_t *matched = job->match.weights;
    double *row = job->scratch[worker].row;
    for (int i = 0; i < n; i++) {
        int32_t weight = job->weights ? job->weights[from + i] : 1;
        if (matched && matched[from + i] < 0 &&
            add_incomplete(job, from + i, worker, &row[i], &to->sampled))
            return BESTDAG_FAILED;
        if (job->row)
            job->row[from + i] = row[i];
        if (weight > 0 && row[i] == -INFINITY)
            to->zero_rows++;
        else if (weight > 0)
            add(&to->sum, weight * row[i]);
    }
    return BESTDAG_OK;
}

static int evaluate_blocks(void *argument, int64_t item, int worker)
{
    const struct job *job = argument;
    int64_t first = item * job->blocks_an_item;
    for (int64_t b = first; b < first + job->blocks_an_item; b++) {
        int64_t from = b * BLOCK, left = job->table_rows - from;
        int n = left < BLOCK ? (int)left : BLOCK;
        if (left <= 0)
            break;
        if (bestdag_run_stopped(job->run))
            return BESTDAG_FAILED;
        add_block(job, from, n, worker);
        if (add_rows(job, from, n, worker, &job->result[item]))
            return BESTDAG_FAILED;
    }
    return BESTDAG_OK;
}

/* Frees the sessions; errors of their slices become the run's. */
static int free_sessions(struct bestdag_run *run, struct job *job)
{
    for (int i = 0; job->scratch && i < job->workers; i++) {
        struct scratch *s = &job->scratch[i];
        bestdag_session_free(s->session);
        bestdag_row_density_release(&s->density);
        bestdag_free(s->now);
        if (s->run)
            bestdag_run_join(s->run);
        s->session = NULL;
        s->now = NULL;
        s->run = NULL;
    }
    bestdag_engine_free(job->engine);
    job->engine = NULL;
    return bestdag_run_status(run);
}

/* Makes a session per worker, for rows with missing values. */
static int new_sessions(struct bestdag_run *run, struct job *job)
{
    size_t n = (size_t)job->match.n;
    if (bestdag_network_has_numbers(job->network)) {
        for (int i = 0; i < job->workers; i++) {
            struct scratch *s = &job->scratch[i];
            s->run = bestdag_run_slice(
                run, (struct bestdag_slice_limits){.threads = 1});
            if (!s->run || bestdag_row_density_init(run, &s->density,
                                                    job->network, job->options))
                break;
        }
        return bestdag_run_status(run);
    }
    job->engine = bestdag_engine_new(run, job->network, NULL, 0, job->options);
    if (job->engine)
        job->workers = bestdag_engine_sessions(run, job->engine, job->workers);
    for (int i = 0; job->engine && i < job->workers; i++) {
        struct scratch *s = &job->scratch[i];
        s->run =
            bestdag_run_slice(run, (struct bestdag_slice_limits){.threads = 1});
        s->now = bestdag_alloc(run, (n + 1) * sizeof *s->now);
        if (!s->run || !s->now)
            break;
        for (size_t v = 0; v < n; v++)
            s->now[v] = -1;
        s->session = bestdag_session_new(s->run, job->engine);
        if (!s->session)
            return free_sessions(run, job);
    }
    return bestdag_run_status(run);
}

static int work_all(struct bestdag_run *run, struct job *job, int64_t items,
                    int (*work)(void *, int64_t, int))
{
    struct bestdag_work all = {
        .job = job, .items = items, .work = work, .threads = job->workers};
    int64_t done = 0;
    bestdag_run_phase(run, "evaluating", items);
    bestdag_parallel(run, &all, &done);
    if (work == evaluate_blocks)
        free_sessions(run, job); /* passes their errors on */
    if (done < items && !bestdag_run_status(run))
        return bestdag_fail(run, BESTDAG_FAILED,
                            "stopped before the table was evaluated");
    return bestdag_run_status(run);
}

/* ---- before -------------------------------------------------------------- */

static int new_logs(struct bestdag_run *run, struct job *job)
{
    const struct bestdag_network *network = job->network;
    int n = network->dag->n;
    int64_t bytes = 0;
    for (int v = 0; v < n; v++) {
        bytes += cells_of(network, v) * (int64_t)sizeof(double);
        if (cells_of(network, v) > BESTDAG_DIGITS_MOST)
            return bestdag_fail(run, BESTDAG_MEMORY,
                                "the table of '%s' is too large",
                                network->variable[v].name);
    }
    if (bestdag_reserve(run, bytes, "evaluating the network"))
        return bestdag_run_status(run);
    job->log = bestdag_calloc(run, (size_t)n, sizeof *job->log);
    for (int v = 0; job->log && v < n; v++) {
        job->log[v] = bestdag_alloc(run, (size_t)cells_of(network, v) *
                                             sizeof *job->log[v]);
        if (!job->log[v])
            break;
    }
    return bestdag_run_status(run);
}

/* Finds the columns of the parents of numbers. */
static int new_numbers(struct bestdag_run *run, struct job *job)
{
    const struct bestdag_match *m = &job->match;
    job->number = bestdag_calloc(run, (size_t)m->n, sizeof *job->number);
    for (int v = 0; job->number && v < m->n; v++) {
        const struct bestdag_parents *p = &job->network->dag->parents[v];
        struct bestdag_number_family *f = &job->number[v];
        int count = 0;
        if (!m->number[v])
            continue;
        if (bestdag_number_family_init(run, job->network, v, f))
            break;
        f->digits = bestdag_match_family(m, job->network->dag, v, f->digit);
        for (int i = 0; i < p->count; i++)
            if (m->number[p->at[i]])
                f->parent[count++] = m->number[p->at[i]];
    }
    return bestdag_run_status(run);
}

static int prepare(struct bestdag_run *run, struct job *job,
                   const struct bestdag_table *table, bool per_row)
{
    int n = job->network->dag->n;
    job->match.is_lenient = true;
    if (bestdag_match_columns(run, job->network, table, &job->match) ||
        bestdag_match_cells(run, job->network, table, &job->match) ||
        new_logs(run, job) || new_numbers(run, job))
        return bestdag_run_status(run);
    job->table_rows = table->rows;
    job->blocks_an_item = 1 + ITEM_CELLS / ((int64_t)BLOCK * (n + 1));
    int64_t rows_an_item = job->blocks_an_item * BLOCK;
    job->items = (table->rows + rows_an_item - 1) / rows_an_item;
    int threads = bestdag_parallel_threads(run, job->items);
    job->widest = bestdag_match_widest(job->network->dag);
    job->result = bestdag_calloc(run, (size_t)job->items, sizeof *job->result);
    job->scratch = bestdag_calloc(run, (size_t)threads, sizeof *job->scratch);
    job->workers = threads;
    job->weights = table->weights;
    job->digit = bestdag_alloc(run, (size_t)threads * (size_t)job->widest *
                                        sizeof *job->digit);
    if (per_row)
        job->row = bestdag_alloc(run, (size_t)table->rows * sizeof *job->row);
    if (bestdag_run_status(run) || !job->match.left_out)
        return bestdag_run_status(run);
    return new_sessions(run, job);
}

/* ---- after --------------------------------------------------------------- */

static struct result add_up(const struct job *job)
{
    struct result all = {0};
    for (int64_t i = 0; i < job->items; i++) {
        const struct result *one = &job->result[i];
        add(&all.sum, one->sum.value);
        add(&all.sum, one->sum.lost);
        all.zero_rows += one->zero_rows;
        all.sampled += one->sampled;
    }
    return all;
}

static int64_t free_parameters(const struct bestdag_network *network)
{
    int64_t free = 0;
    for (int v = 0; v < network->dag->n; v++)
        free +=
            bestdag_network_configurations(network, v) *
            (network->variable[v].is_number ? bestdag_network_terms(network, v)
                                            : network->variable[v].states - 1);
    return free;
}

static char *write_report(struct bestdag_run *run, const struct job *job,
                          const struct bestdag_table *table,
                          const struct bestdag_options *options)
{
    const struct bestdag_match *m = &job->match;
    struct result all = add_up(job);
    double sum = all.zero_rows ? NAN : all.sum.value + all.sum.lost;
    struct bestdag_json_writer w = {.out.run = run};
    bestdag_json_open(&w, NULL, '{');
    bestdag_json_add_integer(&w, "rows", table->rows);
    bestdag_json_add_integer(&w, "weight", table->total);
    bestdag_json_add_integer(&w, "missing_rows", m->left_out);
    if (all.sampled) {
        bestdag_json_add_integer(&w, "sampled_rows", all.sampled);
        bestdag_note(run, 0,
                     "rows whose sum over missing values is estimated by "
                     "sampling: %lld",
                     (long long)all.sampled);
    }
    bestdag_json_add_integer(&w, "unknown_values", m->unknown);
    bestdag_json_add_integer(&w, "variables", m->n);
    bestdag_json_add_integer(&w, "arcs", bestdag_dag_arcs(job->network->dag));
    bestdag_json_add_integer(&w, "free_parameters",
                             free_parameters(job->network));
    bestdag_json_add_number(&w, "log_likelihood", sum);
    bestdag_json_add_number(&w, "log_likelihood_per_row",
                            table->total ? sum / (double)table->total : NAN);
    bestdag_json_add_integer(&w, "zero_probability_rows", all.zero_rows);
    if (bestdag_scores_add(run, &w, job->network, table, m, options)) {
        bestdag_buffer_release(&w.out);
        return NULL;
    }
    if (job->row) {
        bestdag_json_open(&w, "row_log_likelihood", '[');
        for (int64_t r = 0; r < job->table_rows; r++)
            bestdag_json_add_number(&w, NULL, job->row[r]);
        bestdag_json_close(&w, ']');
    }
    bestdag_json_close(&w, '}');
    return bestdag_json_take(&w);
}

/* ---- the whole ----------------------------------------------------------- */

static void release(struct job *job)
{
    free_sessions(job->run, job);
    for (int v = 0; job->log && v < job->network->dag->n; v++)
        bestdag_free(job->log[v]);
    for (int v = 0; job->number && v < job->network->dag->n; v++)
        bestdag_number_family_release(&job->number[v]);
    bestdag_free(job->number);
    bestdag_free(job->log);
    bestdag_free(job->row);
    bestdag_free(job->result);
    bestdag_free(job->scratch);
    bestdag_free(job->digit);
    bestdag_match_release(&job->match);
}

char *bestdag_network_evaluate(struct bestdag_run *run,
                               const struct bestdag_network *network,
                               const struct bestdag_table *table,
                               const struct bestdag_options *options)
{
    struct job job = {.run = run, .network = network, .options = options};
    bool per_row =
        bestdag_option_value(options, &bestdag_evaluate_options, "per-row")
            .integer != 0;
    char *report = NULL;
    if (bestdag_lacks(run, network, "network") ||
        bestdag_lacks(run, table, "table"))
        return NULL;
    if (!bestdag_network_is_fitted(network)) {
        bestdag_fail(run, BESTDAG_USAGE,
                     "cannot evaluate a network without tables: fit it first");
        return NULL;
    }
    if (!prepare(run, &job, table, per_row) &&
        !work_all(run, &job, network->dag->n, take_logs) &&
        !work_all(run, &job, job.items, evaluate_blocks))
        report = write_report(run, &job, table, options);
    release(&job);
    return report;
}
