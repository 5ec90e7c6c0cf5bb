/* SPDX-License-Identifier: MIT */
/* numeric_impute.c -- fills the missing cells of a table from a network with
 * numbers.
 *
 * Given the cells of a row that are there,
 *   - joint: the missing states get the values that are most probable
 *     together, the missing numbers integrated out (MAP); the missing numbers
 *     their means given these states as well;
 *   - cells: each state alone the most probable one, each number its mean;
 *   - draws: all are drawn from their joint distribution.
 * The first and the last are exact, or refused (inference/mixed.h). Every row
 * has its own stream of random numbers. Rows are filled one after the other. */
#include "models/query/numeric_impute.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "inference/mixed.h"
#include "models/query/impute.h"
#include "models/query/numeric_rows.h"

struct job {
    struct bestdag_imputation m;      /* owns */
    struct bestdag_numeric_rows rows; /* owns; the cells that are there */
    const struct bestdag_options *options;
    struct bestdag_mixed_question q; /* its arrays are owned, except target */
    double **weight;                 /* owns; [n] */
    double *value;                   /* owns; [n] */
    int *doing;                      /* owns; [n]: none */
    bool *is_set;                    /* owns; [n]: none */
    int *target;                     /* owns; [n]: holes of the row */
    double *answer, *error;          /* own; [width of all variables] */
    int *drawn_state;                /* owns; [tables * n] */
    double *drawn_value;             /* owns; [tables * n] */
    const double **cells;            /* owns; [sources] */
    int64_t first, count;            /* of the holes of the row */
    int64_t impossible;              /* number of rows */
};

/* ---- what is there ------------------------------------------------------- */

static int add_sources(struct job *job)
{
    struct bestdag_row_sessions *to = &job->m.rows;
    size_t room = (size_t)job->rows.sources + 1;
    to->source = bestdag_calloc(job->rows.run, room, sizeof *to->source);
    job->cells = bestdag_calloc(job->rows.run, room, sizeof *job->cells);
    if (!to->source || !job->cells)
        return bestdag_run_status(job->rows.run);
    for (int i = 0; i < job->rows.sources; i++) {
        const struct bestdag_numeric_source *s = &job->rows.source[i];
        to->source[to->sources++] = (struct bestdag_row_source){
            .encoder = {.states = s->encoder.states,
                        .is_cut = s->encoder.is_cut},
            .variable = s->variable,
            .column = s->column};
        job->cells[i] = s->number;
    }
    job->m.cells = job->cells;
    return BESTDAG_OK;
}

static int make_room(struct job *job)
{
    struct bestdag_run *run = job->rows.run;
    const struct bestdag_network *net = job->rows.network;
    size_t n = (size_t)net->dag->n + 1, width = 1;
    for (int v = 0; v < net->dag->n; v++)
        width += (size_t)bestdag_mixed_width(net, &v, 1);
    size_t drawn =
        job->m.fill == BESTDAG_FILL_DRAWS ? (size_t)job->m.tables * n : 2 * n;
    job->weight = bestdag_calloc(run, n, sizeof *job->weight);
    job->value = bestdag_alloc(run, n * sizeof *job->value);
    job->doing = bestdag_alloc(run, n * sizeof *job->doing);
    job->is_set = bestdag_calloc(run, n, sizeof *job->is_set);
    job->target = bestdag_alloc(run, n * sizeof *job->target);
    job->answer = bestdag_alloc(run, width * sizeof *job->answer);
    job->error = bestdag_alloc(run, width * sizeof *job->error);
    job->drawn_state = bestdag_alloc(run, drawn * sizeof *job->drawn_state);
    job->drawn_value = bestdag_alloc(run, drawn * sizeof *job->drawn_value);
    for (int v = 0; job->doing && v < net->dag->n; v++)
        job->doing[v] = -1;
    job->q = (struct bestdag_mixed_question){.network = net,
                                             .weight = job->weight,
                                             .doing = job->doing,
                                             .value = job->value,
                                             .is_set = job->is_set};
    return bestdag_run_status(run);
}

static void release(struct job *job)
{
    bestdag_free(job->weight);
    bestdag_free(job->value);
    bestdag_free(job->doing);
    bestdag_free(job->is_set);
    bestdag_free(job->target);
    bestdag_free(job->answer);
    bestdag_free(job->error);
    bestdag_free(job->drawn_state);
    bestdag_free(job->drawn_value);
    bestdag_free(job->cells);
    bestdag_imputation_release(&job->m);
    bestdag_free(job->m.rows.source);
    bestdag_numeric_rows_release(&job->rows);
}

/* ---- one row ------------------------------------------------------------- */

static int variable_of(const struct job *job, int64_t i)
{
    const struct bestdag_imputation *m = &job->m;
    return m->rows.source[m->hole[job->first + i].source].variable;
}

static bool is_number(const struct job *job, int v)
{
    return job->rows.network->variable[v].is_number;
}

/* Makes the holes of one kind, or of both (-1), the targets. */
static void target_holes(struct job *job, int kind)
{
    job->q.target = job->target;
    job->q.targets = 0;
    for (int64_t i = 0; i < job->count; i++) {
        int v = variable_of(job, i);
        if (kind < 0 || is_number(job, v) == kind)
            job->target[job->q.targets++] = v;
    }
}

/* Asks for the targets; if *is_possible is false, nothing else is set. */
static int ask(struct job *job, bool *is_possible)
{
    struct bestdag_mixed_answer answer = {.value = job->answer,
                                          .error = job->error};
    if (bestdag_mixed_ask(job->rows.run, &job->q, job->options, &answer))
        return bestdag_run_status(job->rows.run);
    *is_possible = answer.ln_evidence > -INFINITY;
    if (*is_possible && answer.sample_size > 0)
        job->m.is_sampled = true;
    return BESTDAG_OK;
}

/* Fills a hole from the answer about its variable. */
static void put_answer(struct job *job, int64_t hole, const double *answer,
                       const double *error)
{
    struct bestdag_imputation *m = &job->m;
    int states = m->rows.source[m->hole[hole].source].encoder.states;
    size_t bytes = (size_t)states * sizeof *answer;
    if (m->has_probabilities && states) {
        memcpy(m->share + m->hole[hole].at, answer, bytes);
        memcpy(m->error + m->hole[hole].at, error, bytes);
    }
    if (m->has_probabilities)
        return;
    if (states)
        m->state[hole] = bestdag_imputation_best(answer, states);
    else
        m->value[hole] = answer[0];
}

/* Fills all targets from the answer. */
static void put_answers(struct job *job)
{
    int at = 0;
    for (int64_t i = 0, k = 0; i < job->count && k < job->q.targets; i++) {
        if (variable_of(job, i) != job->target[k])
            continue;
        put_answer(job, job->first + i, job->answer + at, job->error + at);
        at += bestdag_mixed_width(job->rows.network, job->target + k++, 1);
    }
}

static int fill_cells(struct job *job, bool *is_possible)
{
    target_holes(job, -1);
    if (!ask(job, is_possible) && *is_possible)
        put_answers(job);
    return bestdag_run_status(job->rows.run);
}

/* Fills in the most probable states of the row, which then count as known. */
static int fill_states(struct job *job, bool *is_possible)
{
    double ln;
    struct bestdag_mixed_explanations e = {.best = 1,
                                           .ln = &ln,
                                           .state = job->drawn_state,
                                           .value = job->drawn_value};
    if (bestdag_mixed_map(job->rows.run, &job->q, job->options, &e))
        return bestdag_run_status(job->rows.run);
    *is_possible = e.ln_evidence > -INFINITY;
    for (int64_t i = 0; i < job->count && *is_possible; i++) {
        int v = variable_of(job, i);
        if (is_number(job, v))
            continue;
        double *known = job->rows.likelihood[v];
        for (int s = 0; s < job->rows.network->variable[v].states; s++)
            known[s] = s == e.state[v];
        job->weight[v] = known;
        job->m.state[job->first + i] = e.state[v];
    }
    return BESTDAG_OK;
}

static int fill_together(struct job *job, bool *is_possible)
{
    *is_possible = true;
    target_holes(job, 0);
    if (job->q.targets && fill_states(job, is_possible))
        return bestdag_run_status(job->rows.run);
    target_holes(job, 1);
    if (*is_possible && job->q.targets && !ask(job, is_possible) &&
        *is_possible)
        put_answers(job);
    return bestdag_run_status(job->rows.run);
}

static int fill_by_draws(struct job *job, int64_t r, bool *is_possible)
{
    struct bestdag_imputation *m = &job->m;
    int n = job->rows.network->dag->n;
    struct bestdag_random random =
        bestdag_random_init(job->rows.run->seed, (uint64_t)r);
    target_holes(job, -1);
    if (bestdag_mixed_draw(job->rows.run, &job->q, job->options, &random,
                           m->tables, job->drawn_state, job->drawn_value,
                           is_possible))
        return bestdag_run_status(job->rows.run);
    for (int t = 0; t < m->tables && *is_possible; t++)
        for (int64_t i = 0; i < job->count; i++) {
            int64_t to = t * m->holes + job->first + i;
            ptrdiff_t from = (ptrdiff_t)t * n + variable_of(job, i);
            m->state[to] = job->drawn_state[from];
            m->value[to] = job->drawn_value[from];
        }
    return BESTDAG_OK;
}

static int fill_row(struct job *job, int64_t r)
{
    const struct bestdag_imputation *m = &job->m;
    int n = job->rows.network->dag->n;
    bool is_possible = false;
    job->first = m->first[r];
    job->count = m->first[r + 1] - job->first;
    if (!job->count)
        return BESTDAG_OK;
    for (int v = 0; v < n; v++) {
        job->weight[v] = NULL;
        job->value[v] = NAN;
    }
    bestdag_numeric_rows_give(&job->rows, r, NULL, job->weight, job->value);
    int status = m->has_probabilities || m->fill == BESTDAG_FILL_CELLS
                     ? fill_cells(job, &is_possible)
                 : m->fill == BESTDAG_FILL_JOINT
                     ? fill_together(job, &is_possible)
                     : fill_by_draws(job, r, &is_possible);
    job->impossible += !status && !is_possible;
    return status;
}

static int fill_all(struct job *job)
{
    for (int64_t r = 0; r < job->m.table->rows; r++) {
        if (bestdag_run_stopped(job->rows.run))
            return bestdag_fail(job->rows.run, BESTDAG_FAILED,
                                "stopped before all rows were filled");
        if (fill_row(job, r))
            return bestdag_run_status(job->rows.run);
    }
    return bestdag_imputation_note(&job->m, job->impossible);
}

/* ---- the whole ----------------------------------------------------------- */

static int open_job(struct job *job)
{
    const struct bestdag_network *net = job->rows.network;
    struct bestdag_run *run = job->rows.run;
    if (!bestdag_network_is_fitted(net))
        return bestdag_fail(run, BESTDAG_USAGE,
                            "the network has no parameters to fill cells with: "
                            "'bestdag fit' estimates them");
    if (bestdag_imputation_choose(&job->m, job->options))
        return bestdag_run_status(run);
    if (job->m.has_probabilities && bestdag_network_is_gaussian(net))
        return bestdag_fail(run, BESTDAG_USAGE,
                            "probabilities: numbers have none; 'bestdag query "
                            "--evidence' gives their means and standard "
                            "deviations");
    if (make_room(job) ||
        bestdag_numeric_rows_init(&job->rows, job->m.table, NULL) ||
        add_sources(job))
        return bestdag_run_status(run);
    return bestdag_imputation_find_holes(&job->m);
}

struct bestdag_table *bestdag_numeric_impute(
    struct bestdag_run *run, const struct bestdag_network *network,
    const struct bestdag_table *table, const struct bestdag_options *options)
{
    struct job job = {
        .m = {.a = {.run = run, .network = network}, .table = table},
        .rows = {.run = run, .network = network},
        .options = options};
    struct bestdag_table *to = NULL;
    if (!open_job(&job) && !fill_all(&job))
        to = job.m.has_probabilities ? bestdag_imputation_probabilities(&job.m)
                                     : bestdag_imputation_table(&job.m);
    release(&job);
    return to;
}
