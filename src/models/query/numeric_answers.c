/* SPDX-License-Identifier: MIT */
/* numeric_answers.c -- one query about a network with numbers, answered for
 * every row of a table, whose cells are evidence in addition to the query's
 * own. Rows are answered one after the other; writing to a file needs memory
 * for one chunk of rows, returning the answers needs memory for all. */
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "models/query/answer_file.h"
#include "models/query/numeric.h"
#include "models/query/numeric_rows.h"

enum { CHUNK = 1024 /* rows; larger chunks are not faster */ };

struct job {
    struct bestdag_numeric a;         /* owns */
    struct bestdag_numeric_rows rows; /* owns */
    double **given; /* owns the list; the query's own weights */
    double *value;  /* owns; [n]: the query's own values of numbers */
    int64_t all;    /* rows of the table */
    int64_t count;  /* rows that are answered at once */
    int64_t room;   /* for that many rows */
    double *ln;     /* owns; [room] */
    double *answer; /* owns; [width][room] */
    double *ln_p;   /* owns; [room]: of explanations; else NULL */
    double *number; /* owns; [targets][room]: values of numbers */
    int32_t *code;  /* owns; [targets][room]: states */
    int64_t impossible;
    bool is_sampled;
};

static bool is_explained(const struct job *job)
{
    return job->a.is_mpe || job->a.is_map;
}

/* Columns of named targets and of variables under do() are not used; an
 * explanation of everything uses all columns. */
static int open_rows(struct job *job, const struct bestdag_table *table)
{
    struct bestdag_numeric *a = &job->a;
    size_t n = (size_t)a->network->dag->n + 1;
    bool *skip = bestdag_calloc(a->run, n, sizeof *skip);
    job->given = bestdag_alloc(a->run, n * sizeof *job->given);
    job->value = bestdag_alloc(a->run, n * sizeof *job->value);
    if (job->given) /* at once, as release() puts them back */
        memcpy(job->given, a->weight, (n - 1) * sizeof *job->given);
    job->all = table->rows;
    if (!bestdag_run_status(a->run)) {
        memcpy(job->value, a->value, (n - 1) * sizeof *job->value);
        bool is_named = !a->is_mpe && !a->is_of_all;
        for (int i = 0; is_named && i < a->query.target.count; i++)
            skip[a->query.target.at[i]] = true;
        for (int v = 0; v < a->network->dag->n; v++)
            skip[v] |= a->is_set[v] || a->doing[v] >= 0;
        job->rows.run = a->run;
        job->rows.network = a->network;
        bestdag_numeric_rows_init(&job->rows, table, skip);
    }
    bestdag_free(skip);
    return bestdag_run_status(a->run);
}

static int make_room(struct job *job, int64_t rows)
{
    struct bestdag_run *run = job->a.run;
    size_t room = (size_t)rows + 1, width = (size_t)job->a.width + 1;
    size_t targets = (size_t)job->a.query.target.count + 1;
    job->room = rows;
    job->ln = bestdag_alloc(run, room * sizeof *job->ln);
    if (!is_explained(job))
        job->answer = bestdag_alloc(run, room * width * sizeof *job->answer);
    else {
        job->ln_p = bestdag_alloc(run, room * sizeof *job->ln_p);
        job->number = bestdag_alloc(run, room * targets * sizeof *job->number);
        job->code = bestdag_alloc(run, room * targets * sizeof *job->code);
    }
    return bestdag_run_status(run);
}

static int ask_row(struct job *job, int64_t r)
{
    struct bestdag_numeric *a = &job->a;
    size_t n = (size_t)a->network->dag->n;
    memcpy(a->weight, job->given, n * sizeof *a->weight);
    memcpy(a->value, job->value, n * sizeof *a->value);
    a->answer.ln_evidence = -INFINITY;
    if (bestdag_run_stopped(a->run))
        return bestdag_fail(a->run, BESTDAG_FAILED,
                            "stopped before all rows were answered");
    if (bestdag_numeric_rows_give(&job->rows, r, job->given, a->weight,
                                  a->value) &&
        bestdag_numeric_ask(a))
        return bestdag_run_status(a->run);
    job->is_sampled |= a->answer.sample_size > 0;
    job->impossible += a->answer.ln_evidence == -INFINITY;
    return BESTDAG_OK;
}

static void note_all(const struct job *job)
{
    if (job->impossible)
        bestdag_note(job->a.run, 0,
                     "rows of probability 0, without an answer: %lld",
                     (long long)job->impossible);
    if (job->is_sampled)
        bestdag_note(job->a.run, 0, "some answers are estimates from samples");
}

static void release(struct job *job)
{
    /* Restore the query's own weights, which the rows have replaced. */
    for (int v = 0; job->given && job->a.weight && v < job->a.network->dag->n;
         v++)
        job->a.weight[v] = job->given[v];
    bestdag_free(job->given);
    bestdag_free(job->value);
    bestdag_free(job->ln);
    bestdag_free(job->answer);
    bestdag_free(job->ln_p);
    bestdag_free(job->number);
    bestdag_free(job->code);
    bestdag_numeric_rows_release(&job->rows);
    bestdag_numeric_release(&job->a);
}

/* Does the evidence of rows have a density? */
static bool is_density(const struct job *job)
{
    bool is = job->a.has_values;
    for (int i = 0; i < job->rows.sources; i++)
        is |= !job->rows.source[i].is_states;
    return is;
}

static int open_job(struct bestdag_run *run, struct job *job,
                    const struct bestdag_network *network, const char *text,
                    const struct bestdag_table *table)
{
    if (bestdag_numeric_init(run, &job->a, network, text, job->a.options))
        return bestdag_run_status(run);
    return open_rows(job, table);
}

/* ---- as a table ---------------------------------------------------------- */

/* Stores the answer of the current row as the at-th of the chunk. */
static void store_row(struct job *job, int64_t at)
{
    const struct bestdag_numeric *a = &job->a;
    const struct bestdag_mixed_explanations *e = &a->explained;
    bool is_impossible = a->answer.ln_evidence == -INFINITY;
    job->ln[at] = is_impossible && is_density(job) /* minus infinity */
                      ? NAN
                      : a->answer.ln_evidence;
    for (int i = 0; i < a->width && job->answer; i++)
        job->answer[i * job->room + at] =
            is_impossible ? NAN : a->answer.value[i];
    if (!job->ln_p)
        return;
    job->ln_p[at] = is_impossible ? NAN : e->ln[0];
    for (int i = 0; i < a->query.target.count; i++) {
        int v = a->query.target.at[i];
        job->number[i * job->room + at] = is_impossible ? NAN : e->value[v];
        job->code[i * job->room + at] = is_impossible ? -1 : e->state[v];
    }
}

/* Answers as many rows as there is room for; returns how many; 0: no more, or
 * failed. */
static int64_t answer_chunk(void *data, int64_t from)
{
    struct job *job = data;
    job->count = job->all - from < job->room ? job->all - from : job->room;
    for (int64_t i = 0; i < job->count; i++) {
        if (ask_row(job, from + i))
            return 0;
        store_row(job, i);
    }
    return job->count;
}

static int add_column(const struct job *job, struct bestdag_table *to, int at,
                      const char *what, const struct bestdag_variable *x,
                      const char *label)
{
    struct bestdag_buffer b = {.run = job->a.run};
    bestdag_buffer_format(&b, label ? "%s(%s=%s)" : "%s(%s)", what, x->name,
                          label);
    if (b.at)
        bestdag_table_add_numbers(job->a.run, to, b.at,
                                  job->answer + at * job->room);
    bestdag_buffer_release(&b);
    return bestdag_run_status(job->a.run);
}

static void add_answers(const struct job *job, struct bestdag_table *to)
{
    const struct bestdag_numeric *a = &job->a;
    for (int i = 0, at = 0; i < a->query.target.count; i++) {
        const struct bestdag_variable *x =
            &a->network->variable[a->query.target.at[i]];
        for (int s = 0; s < x->states; s++)
            add_column(job, to, at++, "p", x, x->labels[s]);
        if (x->is_number) {
            add_column(job, to, at++, "mean", x, NULL);
            add_column(job, to, at++, "sd", x, NULL);
        }
    }
}

static void add_explanations(struct job *job, struct bestdag_table *to)
{
    const struct bestdag_numeric *a = &job->a;
    bool is_mode = bestdag_numeric_is_mode(a);
    for (int i = 0; i < a->query.target.count; i++) {
        const struct bestdag_variable *x =
            &a->network->variable[a->query.target.at[i]];
        if (x->is_number)
            bestdag_table_add_numbers(a->run, to, x->name,
                                      job->number + i * job->room);
        else
            bestdag_table_add_codes(a->run, to, x->name,
                                    job->code + i * job->room, 4, x->states,
                                    (const char *const *)x->labels);
    }
    for (int64_t r = 0; r < job->count && !is_mode; r++)
        job->ln_p[r] = exp(job->ln_p[r]);
    bestdag_table_add_numbers(
        a->run, to, is_mode ? "log_density" : "probability", job->ln_p);
}

static struct bestdag_table *make_table(void *data)
{
    struct job *job = data;
    struct bestdag_run *run = job->a.run;
    struct bestdag_table *to = bestdag_table_new(run, job->count);
    for (int64_t r = 0; r < job->count && !is_density(job); r++)
        job->ln[r] = exp(job->ln[r]);
    bestdag_table_add_numbers(run, to,
                              is_density(job) ? "log_evidence_density"
                                              : "evidence_probability",
                              job->ln);
    if (is_explained(job))
        add_explanations(job, to);
    else
        add_answers(job, to);
    if (!bestdag_run_status(run))
        return to;
    bestdag_table_free(to);
    return NULL;
}

static int open_table(struct bestdag_run *run, struct job *job,
                      const struct bestdag_network *network, const char *text,
                      const struct bestdag_table *table, int64_t rows)
{
    if (open_job(run, job, network, text, table))
        return bestdag_run_status(run);
    if (job->a.has_joint)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "covariances of each row do not fit into a table: "
                            "use --json");
    if (job->a.explained.best > 1)
        return bestdag_fail(run, BESTDAG_USAGE,
                            "several explanations of each row do not fit into "
                            "a table: use --json");
    return make_room(job, rows);
}

struct bestdag_table *bestdag_numeric_query_table(
    struct bestdag_run *run, const struct bestdag_network *network,
    const char *text, const struct bestdag_table *table,
    const struct bestdag_options *options)
{
    struct job job = {.a.options = options};
    struct bestdag_table *to = NULL;
    if (!open_table(run, &job, network, text, table, table->rows)) {
        answer_chunk(&job, 0);
        if (!bestdag_run_status(run))
            to = make_table(&job);
        note_all(&job);
    }
    release(&job);
    return to;
}

/* ---- as JSON ------------------------------------------------------------- */

/* Writes to a sink every now and then; sink NULL: the writer keeps all of
 * it. */
static void write_json(void *data, struct bestdag_json_writer *w,
                       struct bestdag_sink *sink)
{
    struct job *job = data;
    bestdag_json_open(w, NULL, '{');
    bestdag_json_open(w, "rows", '[');
    for (int64_t r = 0; r < job->all && !ask_row(job, r); r++) {
        bestdag_json_open(w, NULL, '{');
        bestdag_numeric_write(w, &job->a, is_density(job));
        bestdag_json_close(w, '}');
        if (sink && r % CHUNK == CHUNK - 1)
            bestdag_json_flush(w, sink);
    }
    bestdag_json_close(w, ']');
    bestdag_json_close(w, '}');
    note_all(job);
}

char *bestdag_numeric_query_rows(struct bestdag_run *run,
                                 const struct bestdag_network *network,
                                 const char *text,
                                 const struct bestdag_table *table,
                                 const struct bestdag_options *options)
{
    struct job job = {.a.options = options};
    struct bestdag_json_writer w = {.out.run = run};
    if (!open_job(run, &job, network, text, table))
        write_json(&job, &w, NULL);
    release(&job);
    return bestdag_json_take(&w);
}

/* ---- to a file ----------------------------------------------------------- */

int bestdag_numeric_query_write(struct bestdag_run *run,
                                const struct bestdag_network *network,
                                const char *text,
                                const struct bestdag_table *table,
                                const struct bestdag_table_format *format,
                                const char *path,
                                const struct bestdag_options *options)
{
    struct job job = {.a.options = options};
    struct bestdag_row_answers answers = {.job = &job,
                                          .answer = answer_chunk,
                                          .make_table = make_table,
                                          .write_json = write_json};
    if (!(format ? open_table(run, &job, network, text, table, CHUNK)
                 : open_job(run, &job, network, text, table))) {
        bestdag_answer_file_write(run, &answers, format, path);
        if (format)
            note_all(&job);
    }
    release(&job);
    return bestdag_run_status(run);
}
