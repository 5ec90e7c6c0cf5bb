/* SPDX-License-Identifier: MIT */
/* query_rows.c -- one query, answered for every row of a table, whose cells are
 * evidence in addition to the query's own (row_sessions.c).
 *
 * Rows are answered in chunks, in parallel within one, and results are stored
 * by row, so that results depend on neither threads nor chunks. Writing to a
 * file (bestdag_network_query_write) needs memory for one chunk, returning the
 * answers for all rows. */
#include <math.h>
#include <string.h>

#include "inference/engine.h"
#include "models/query/answer_file.h"
#include "models/query/numeric.h"
#include "models/query/report.h"
#include "models/query/row_sessions.h"

/* Bytes of the answers of a chunk; larger chunks are not faster. */
static const int64_t CHUNK = 1 << 24;

struct row_answer {
    double ln_evidence, ln_evidence_error, sample_size;
    const char *method;
};

struct job {
    struct bestdag_asking a;          /* owns */
    struct bestdag_row_sessions rows; /* owns */
    int64_t width;
    int64_t chunk;          /* rows in a chunk; the last may have fewer */
    struct row_answer *row; /* owns; [chunk] */
    double *value, *error;  /* own; [chunk][width] */
    int *state;             /* owns; [chunk][n]; [reports] are used */
    double *ln_p;           /* owns; [chunk] */
    int64_t impossible;     /* number of rows */
    bool is_sampled; /* answers may be sampled: there are standard errors */
};

/* ---- rows ---------------------------------------------------------------- */

/* `row` counts from the first of the chunk. */
static int answer_row(struct job *job, int worker, int64_t row, int at)
{
    const struct bestdag_asking *a = &job->a;
    struct bestdag_row_worker *w = &job->rows.worker[worker];
    bool is_excluded;
    struct bestdag_query_answer answer = {
        .ln_evidence = -INFINITY,
        .method = "",
        .value = job->value + row * job->width,
        .error = job->error + row * job->width,
        .state = job->state ? job->state + row * a->network->dag->n : NULL,
        .ln_p = job->ln_p ? job->ln_p + row : NULL};
    if (bestdag_row_sessions_tell(&job->rows, worker, at, &is_excluded) ||
        (!is_excluded && bestdag_asking_answer(w->run, a, w->session, &answer)))
        return bestdag_run_status(w->run);
    job->row[row] =
        (struct row_answer){answer.ln_evidence, answer.ln_evidence_error,
                            answer.sample_size, answer.method};
    return BESTDAG_OK;
}

static int answer_block(void *argument, int64_t block, int worker)
{
    struct job *job = argument;
    int64_t from;
    int n = bestdag_row_sessions_encode(&job->rows, worker, block, &from);
    for (int r = 0; r < n; r++) {
        if (bestdag_run_stopped(job->a.run))
            return BESTDAG_FAILED;
        if (answer_row(job, worker, from - job->rows.first + r, r))
            return bestdag_run_status(job->rows.worker[worker].run);
    }
    return BESTDAG_OK;
}

/* ---- before and after ---------------------------------------------------- */

/* A small part of the limit: a chunk is in memory as numbers and as text. */
static int64_t chunk_bytes(const struct bestdag_run *run)
{
    int64_t most = bestdag_memory_limit(run) / 16;
    return most > 0 && most < CHUNK ? most : CHUNK;
}

static int new_results(struct job *job, bool is_whole)
{
    struct bestdag_run *run = job->a.run;
    int64_t each = (int64_t)sizeof *job->row;
    int64_t explained = job->a.has_explanations ? job->a.network->dag->n : 0;
    job->width = bestdag_asking_width(&job->a);
    each += 2 * job->width * (int64_t)sizeof(double) +
            explained * (int64_t)sizeof(int) + 8;
    int64_t chunk = chunk_bytes(run) / each;
    chunk = chunk < BESTDAG_ROW_BLOCK ? BESTDAG_ROW_BLOCK : chunk;
    job->chunk = is_whole || chunk > job->rows.rows ? job->rows.rows : chunk;
    size_t rows = (size_t)job->chunk, width = (size_t)job->width;
    if (bestdag_run_status(run) ||
        bestdag_reserve(run, job->chunk * each, "the answers"))
        return bestdag_run_status(run);
    job->row = bestdag_calloc(run, rows + 1, sizeof *job->row);
    job->value = bestdag_alloc(run, (rows * width + 1) * sizeof *job->value);
    job->error = bestdag_calloc(run, rows * width + 1, sizeof *job->error);
    if (explained) {
        job->state =
            bestdag_alloc(run, (rows * (size_t)explained + 1) * sizeof(int));
        job->ln_p = bestdag_alloc(run, (rows + 1) * sizeof *job->ln_p);
    }
    return bestdag_run_status(run);
}

/* Answers the chunk that begins with row `first`; returns its rows; 0: there
 * are no more, or it failed. */
static int64_t answer_chunk(void *data, int64_t first)
{
    struct job *job = data;
    int64_t left = job->rows.rows - first;
    job->rows.first = first;
    job->rows.count = left < job->chunk ? left : job->chunk;
    if (left <= 0 || bestdag_row_sessions_run(&job->rows, job, answer_block))
        return 0;
    for (int64_t r = 0; r < job->rows.count; r++)
        job->impossible += job->row[r].ln_evidence == -INFINITY;
    return job->rows.count;
}

static int note_impossible(const struct job *job)
{
    if (job->impossible && !bestdag_run_status(job->a.run))
        bestdag_note(job->a.run, 0,
                     "rows of probability 0: %lld; there is no answer for them",
                     (long long)job->impossible);
    return bestdag_run_status(job->a.run);
}

/* is_whole: all rows are one chunk. */
static int open_job(struct bestdag_run *run, struct job *job,
                    const struct bestdag_network *network, const char *text,
                    const struct bestdag_table *table, bool is_whole,
                    const struct bestdag_options *options)
{
    if (bestdag_lacks(run, table, "table") ||
        bestdag_asking_init(run, &job->a, network, text, options))
        return bestdag_run_status(run);
    if (job->a.best > 1)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "best: for rows of a table there is one "
                            "explanation each");
    job->rows.a = &job->a;
    if (bestdag_row_sessions_init(&job->rows, table))
        return bestdag_run_status(run);
    job->is_sampled =
        bestdag_engine_may_sample(job->a.engine, job->a.has_joint);
    return new_results(job, is_whole);
}

static void release(struct job *job)
{
    bestdag_row_sessions_release(&job->rows);
    bestdag_free(job->row);
    bestdag_free(job->value);
    bestdag_free(job->error);
    bestdag_free(job->state);
    bestdag_free(job->ln_p);
    bestdag_asking_release(&job->a);
}

/* ---- as JSON ------------------------------------------------------------- */

static struct bestdag_query_answer answer_of(const struct job *job, int64_t r)
{
    const struct row_answer *row = &job->row[r];
    int64_t n = job->a.network->dag->n;
    return (struct bestdag_query_answer){
        .ln_evidence = row->ln_evidence,
        .ln_evidence_error = row->ln_evidence_error,
        .sample_size = row->sample_size,
        .method = row->method,
        .value = job->value + r * job->width,
        .error = job->error + r * job->width,
        .explanations = job->state ? 1 : 0,
        .state = job->state ? job->state + r * n : NULL,
        .ln_p = job->ln_p ? job->ln_p + r : NULL};
}

static void add_json(const struct job *job, struct bestdag_json_writer *w)
{
    for (int64_t r = 0; r < job->rows.count; r++) {
        struct bestdag_query_answer answer = answer_of(job, r);
        bestdag_json_open(w, NULL, '{');
        bestdag_query_answer_write(w, &job->a, &answer);
        bestdag_json_close(w, '}');
    }
}

/* Writes each chunk as it is answered; sink NULL: the writer keeps all of
 * them. */
static void write_json(void *data, struct bestdag_json_writer *w,
                       struct bestdag_sink *sink)
{
    struct job *job = data;
    int64_t done = 0, count;
    bestdag_json_open(w, NULL, '{');
    bestdag_json_open(w, "rows", '[');
    for (; (count = answer_chunk(job, done)); done += count) {
        add_json(job, w);
        if (sink)
            bestdag_json_flush(w, sink);
    }
    bestdag_json_close(w, ']');
    bestdag_json_close(w, '}');
    note_impossible(job);
}

char *bestdag_network_query_rows(struct bestdag_run *run,
                                 const struct bestdag_network *network,
                                 const char *text,
                                 const struct bestdag_table *table,
                                 const struct bestdag_options *options)
{
    struct job job = {0};
    char *report = NULL;
    if (bestdag_numeric_is(run, network, table))
        return bestdag_numeric_query_rows(run, network, text, table, options);
    if (!open_job(run, &job, network, text, table, false, options)) {
        struct bestdag_json_writer w = {.out.run = run};
        write_json(&job, &w, NULL);
        report = bestdag_json_take(&w);
    }
    release(&job);
    return report;
}

/* ---- as a table ---------------------------------------------------------- */

/* Column `at` of all rows; NaN where there is no answer. */
static int add_numbers(const struct job *job, struct bestdag_table *to,
                       const char *name, const double *from, double *column)
{
    for (int64_t r = 0; r < job->rows.count; r++)
        column[r] =
            job->row[r].ln_evidence == -INFINITY ? NAN : from[r * job->width];
    return bestdag_table_add_numbers(job->a.run, to, name, column);
}

static int add_value(const struct job *job, struct bestdag_table *to,
                     const char *inside, int64_t at, double *column)
{
    struct bestdag_buffer name = {.run = job->a.run};
    bestdag_buffer_format(&name, "p(%s)", inside);
    if (name.at && !add_numbers(job, to, name.at, job->value + at, column) &&
        job->is_sampled) {
        name.length = 0;
        bestdag_buffer_format(&name, "se(%s)", inside);
        if (name.at)
            add_numbers(job, to, name.at, job->error + at, column);
    }
    bestdag_buffer_release(&name);
    return bestdag_run_status(job->a.run);
}

static int add_marginals(const struct job *job, struct bestdag_table *to,
                         double *column)
{
    int64_t at = 0;
    for (int i = 0; i < job->a.query.target.count; i++) {
        const struct bestdag_variable *x =
            &job->a.network->variable[job->a.query.target.at[i]];
        for (int s = 0; s < x->states; s++) {
            struct bestdag_buffer b = {.run = job->a.run};
            bestdag_buffer_format(&b, "%s=%s", x->name, x->labels[s]);
            if (b.at)
                add_value(job, to, b.at, at++, column);
            bestdag_buffer_release(&b);
            if (bestdag_run_status(job->a.run))
                return bestdag_run_status(job->a.run);
        }
    }
    return BESTDAG_OK;
}

static int add_joint(const struct job *job, struct bestdag_table *to,
                     double *column)
{
    const struct bestdag_name_list *t = &job->a.query.target;
    int *state = bestdag_calloc(job->a.run, (size_t)t->count + 1, sizeof(int));
    int64_t at = 0;
    if (!state)
        return bestdag_run_status(job->a.run);
    do {
        struct bestdag_buffer b = {.run = job->a.run};
        for (int i = 0; i < t->count; i++) {
            const struct bestdag_variable *x =
                &job->a.network->variable[t->at[i]];
            bestdag_buffer_format(&b, "%s%s=%s", i ? "," : "", x->name,
                                  x->labels[state[i]]);
        }
        if (b.at)
            add_value(job, to, b.at, at++, column);
        bestdag_buffer_release(&b);
    } while (!bestdag_run_status(job->a.run) &&
             bestdag_states_step(&job->a, state));
    bestdag_free(state);
    return bestdag_run_status(job->a.run);
}

static int add_explanations(const struct job *job, struct bestdag_table *to,
                            double *column)
{
    const struct bestdag_asking *a = &job->a;
    int64_t n = a->network->dag->n;
    int32_t *code =
        bestdag_alloc(a->run, ((size_t)job->rows.count + 1) * sizeof *code);
    for (int i = 0; code && i < a->reports && !bestdag_run_status(a->run);
         i++) {
        const struct bestdag_variable *x =
            &a->network->variable[a->reported[i]];
        for (int64_t r = 0; r < job->rows.count; r++)
            code[r] = job->row[r].ln_evidence == -INFINITY
                          ? BESTDAG_HOLE
                          : job->state[r * n + i];
        bestdag_table_add_codes(a->run, to, x->name, code, 4, x->states,
                                (const char *const *)x->labels);
    }
    bestdag_free(code);
    for (int64_t r = 0; r < job->rows.count; r++)
        column[r] = job->row[r].ln_evidence == -INFINITY
                        ? NAN
                        : exp(job->ln_p[r] - job->row[r].ln_evidence);
    bestdag_table_add_numbers(a->run, to, "probability", column);
    for (int64_t r = 0; r < job->rows.count; r++)
        column[r] *= job->row[r].ln_evidence_error;
    return job->is_sampled
               ? bestdag_table_add_numbers(a->run, to, "standard_error", column)
               : bestdag_run_status(a->run);
}

/* Adds the error of the evidence, and the method and sample size of each
 * row. */
static int add_errors(const struct job *job, struct bestdag_table *to,
                      double *column)
{
    for (int64_t r = 0; r < job->rows.count; r++)
        column[r] =
            exp(job->row[r].ln_evidence) * job->row[r].ln_evidence_error;
    bestdag_table_add_numbers(job->a.run, to, "evidence_standard_error",
                              column);
    for (int64_t r = 0; r < job->rows.count; r++)
        column[r] = job->row[r].sample_size > 0 ? job->row[r].sample_size : NAN;
    return bestdag_table_add_numbers(job->a.run, to, "effective_sample_size",
                                     column);
}

static struct bestdag_table *make_table(void *data)
{
    const struct job *job = data;
    struct bestdag_run *run = job->a.run;
    struct bestdag_table *to = bestdag_table_new(run, job->rows.count);
    double *column =
        bestdag_alloc(run, ((size_t)job->rows.count + 1) * sizeof *column);
    if (to && column) {
        for (int64_t r = 0; r < job->rows.count; r++)
            column[r] = exp(job->row[r].ln_evidence);
        bestdag_table_add_numbers(run, to, "evidence_probability", column);
        if (job->is_sampled)
            add_errors(job, to, column);
        if (job->a.has_marginals)
            add_marginals(job, to, column);
        if (job->a.has_joint)
            add_joint(job, to, column);
        if (job->a.has_explanations)
            add_explanations(job, to, column);
    }
    bestdag_free(column);
    if (!bestdag_run_status(run))
        return to;
    bestdag_table_free(to);
    return NULL;
}

struct bestdag_table *bestdag_network_query_table(
    struct bestdag_run *run, const struct bestdag_network *network,
    const char *text, const struct bestdag_table *table,
    const struct bestdag_options *options)
{
    struct job job = {0};
    struct bestdag_table *to = NULL;
    if (bestdag_numeric_is(run, network, table))
        return bestdag_numeric_query_table(run, network, text, table, options);
    if (!open_job(run, &job, network, text, table, true, options)) {
        answer_chunk(&job, 0);
        if (!note_impossible(&job))
            to = make_table(&job);
    }
    release(&job);
    return to;
}

/* ---- to a file ----------------------------------------------------------- */

int bestdag_network_query_write(struct bestdag_run *run,
                                const struct bestdag_network *network,
                                const char *text,
                                const struct bestdag_table *table,
                                const char *format, const char *path,
                                const struct bestdag_options *options)
{
    struct job job = {0};
    struct bestdag_row_answers answers = {.job = &job,
                                          .answer = answer_chunk,
                                          .make_table = make_table,
                                          .write_json = write_json};
    if (bestdag_lacks(run, path, "file to write"))
        return bestdag_run_status(run);
    bool is_json = format && !strcmp(format, "json");
    const struct bestdag_table_format *f =
        is_json ? NULL : bestdag_table_format_for(run, format, path);
    if (!is_json && !f)
        return bestdag_run_status(run);
    if (bestdag_numeric_is(run, network, table))
        return bestdag_numeric_query_write(run, network, text, table, f, path,
                                           options);
    if (!open_job(run, &job, network, text, table, false, options)) {
        bestdag_answer_file_write(run, &answers, f, path);
        if (f)
            note_impossible(&job);
    }
    release(&job);
    return bestdag_run_status(run);
}
