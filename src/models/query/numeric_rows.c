/* SPDX-License-Identifier: MIT */
/* numeric_rows.c -- one query about a network with numbers, answered for every
 * row of a table, whose cells are evidence in addition to the query's own. One
 * row after the other; memory: rows times numbers of an answer. */
#include "models/query/numeric_rows.h"

#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "models/match.h"
#include "models/query/numeric.h"

/* ---- columns --------------------------------------------------------------
 */

static int add_source(struct bestdag_numeric_rows *to,
                      const struct bestdag_table *table, int v, int column,
                      struct bestdag_unknown *unknown)
{
    const struct bestdag_column *c = &table->column[column];
    struct bestdag_numeric_source *s = &to->source[to->sources++];
    *s = (struct bestdag_numeric_source){.variable = v, .column = column};
    if (!to->network->variable[v].is_number) {
        s->is_states = true;
        if (!bestdag_encoder_init(to->run, &s->encoder, to->network, v, c))
            bestdag_encoder_unknown(&s->encoder, table->rows, unknown);
        return bestdag_run_status(to->run);
    }
    if (c->kind != BESTDAG_NUMBERS)
        s->copy = bestdag_column_to_numbers(to->run, c, table->rows);
    s->number = c->kind == BESTDAG_NUMBERS ? c->cells : s->copy;
    return bestdag_run_status(to->run);
}

int bestdag_numeric_rows_init(struct bestdag_numeric_rows *to,
                              const struct bestdag_table *table,
                              const bool *skip)
{
    int n = to->network->dag->n;
    size_t room = (size_t)n + 1;
    struct bestdag_unknown unknown = {.text.run = to->run};
    bool is_known = false;
    to->source = bestdag_calloc(to->run, room, sizeof *to->source);
    to->likelihood = bestdag_calloc(to->run, room, sizeof *to->likelihood);
    for (int v = 0; !bestdag_run_status(to->run) && v < n; v++) {
        const struct bestdag_variable *x = &to->network->variable[v];
        int column = bestdag_table_find(table, x->name);
        to->likelihood[v] = bestdag_calloc(to->run, (size_t)x->states + 1,
                                           sizeof **to->likelihood);
        is_known |= column >= 0;
        if (column >= 0 && !(skip && skip[v]))
            add_source(to, table, v, column, &unknown);
    }
    bestdag_unknown_note(&unknown);
    if (!is_known)
        bestdag_note(to->run, 0,
                     "the table has no column of the network: nothing is known "
                     "of any row");
    return bestdag_run_status(to->run);
}

void bestdag_numeric_rows_release(struct bestdag_numeric_rows *rows)
{
    for (int i = 0; i < rows->sources; i++) {
        bestdag_free(rows->source[i].copy);
        bestdag_encoder_release(&rows->source[i].encoder);
    }
    for (int v = 0; rows->likelihood && v < rows->network->dag->n; v++)
        bestdag_free(rows->likelihood[v]);
    bestdag_free(rows->likelihood);
    bestdag_free(rows->source);
}

static bool give_state(struct bestdag_numeric_rows *rows,
                       const struct bestdag_numeric_source *s, int64_t r,
                       const double *given, double **weight)
{
    uint16_t state;
    double *likelihood = rows->likelihood[s->variable];
    if (bestdag_encode(&s->encoder, r, 1, &state))
        return true; /* a hole: what the query says remains */
    memset(likelihood, 0, (size_t)s->encoder.states * sizeof *likelihood);
    likelihood[state] = given ? given[state] : 1;
    weight[s->variable] = likelihood;
    return likelihood[state] > 0;
}

bool bestdag_numeric_rows_give(struct bestdag_numeric_rows *rows, int64_t r,
                               double *const *given, double **weight,
                               double *value)
{
    bool is_possible = true;
    for (int i = 0; i < rows->sources; i++) {
        const struct bestdag_numeric_source *s = &rows->source[i];
        int v = s->variable;
        if (s->is_states)
            is_possible &=
                give_state(rows, s, r, given ? given[v] : NULL, weight);
        else if (!isnan(s->number[r])) {
            is_possible &= isnan(value[v]) || value[v] == s->number[r];
            value[v] = s->number[r];
        }
    }
    return is_possible;
}

/* ---- answers --------------------------------------------------------------
 */

struct job {
    struct bestdag_numeric a;         /* owns */
    struct bestdag_numeric_rows rows; /* owns */
    double **given;                   /* owns the list; what the query says */
    double *value;                    /* owns; [n]: the same of numbers */
    int64_t count;                    /* of the table's rows */
    double *ln;                       /* owns; [count] */
    double *answer;                   /* owns; [width][count] */
    int64_t impossible;
    bool is_sampled;
};

/* Columns of targets that were named, and of do(), are not used. */
static int open_rows(struct job *job, const struct bestdag_table *table)
{
    struct bestdag_numeric *a = &job->a;
    size_t n = (size_t)a->network->dag->n + 1;
    bool *skip = bestdag_calloc(a->run, n, sizeof *skip);
    job->given = bestdag_alloc(a->run, n * sizeof *job->given);
    job->value = bestdag_alloc(a->run, n * sizeof *job->value);
    if (job->given) /* at once: release() puts them back */
        memcpy(job->given, a->weight, (n - 1) * sizeof *job->given);
    job->count = table->rows;
    job->ln =
        bestdag_alloc(a->run, ((size_t)table->rows + 1) * sizeof *job->ln);
    job->answer = bestdag_alloc(
        a->run, ((size_t)table->rows * (size_t)a->width + 1) * sizeof(double));
    if (!bestdag_run_status(a->run)) {
        memcpy(job->value, a->value, (n - 1) * sizeof *job->value);
        for (int i = 0; !a->is_of_all && i < a->query.target.count; i++)
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

static int answer_row(struct job *job, int64_t r)
{
    struct bestdag_numeric *a = &job->a;
    size_t n = (size_t)a->network->dag->n;
    memcpy(a->weight, job->given, n * sizeof *a->weight);
    memcpy(a->value, job->value, n * sizeof *a->value);
    a->answer.ln_evidence = -INFINITY;
    bool is_possible = bestdag_numeric_rows_give(&job->rows, r, job->given,
                                                 a->weight, a->value);
    if (a->is_of_all)
        bestdag_numeric_target_all(a);
    if (is_possible && bestdag_numeric_ask(a))
        return bestdag_run_status(a->run);
    job->ln[r] = a->answer.ln_evidence;
    job->is_sampled |= a->answer.sample_size > 0;
    bool is_impossible = job->ln[r] == -INFINITY;
    job->impossible += is_impossible;
    for (int i = 0; i < a->width; i++)
        job->answer[i * job->count + r] =
            is_impossible ? NAN : a->answer.value[i];
    return BESTDAG_OK;
}

static int answer_all(struct job *job)
{
    struct bestdag_run *run = job->a.run;
    for (int64_t r = 0; r < job->count; r++)
        if (bestdag_run_stopped(run))
            return bestdag_fail(run, BESTDAG_FAILED,
                                "stopped before all rows were answered");
        else if (answer_row(job, r))
            return bestdag_run_status(run);
    if (job->impossible)
        bestdag_note(run, 0, "rows of probability 0, without an answer: %lld",
                     (long long)job->impossible);
    if (job->is_sampled)
        bestdag_note(run, 0, "some answers are estimates from samples");
    return BESTDAG_OK;
}

static void release(struct job *job)
{
    /* The query's own weights, which the rows have replaced. */
    for (int v = 0; job->given && job->a.weight && v < job->a.network->dag->n;
         v++)
        job->a.weight[v] = job->given[v];
    bestdag_free(job->given);
    bestdag_free(job->value);
    bestdag_free(job->ln);
    bestdag_free(job->answer);
    bestdag_numeric_rows_release(&job->rows);
    bestdag_numeric_release(&job->a);
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
                                  job->answer + at * job->count);
    bestdag_buffer_release(&b);
    return bestdag_run_status(job->a.run);
}

/* Has the evidence of rows a density? */
static bool is_density(const struct job *job)
{
    bool is = job->a.has_values;
    for (int i = 0; i < job->rows.sources; i++)
        is |= !job->rows.source[i].is_states;
    return is;
}

static struct bestdag_table *make_table(struct job *job)
{
    struct bestdag_numeric *a = &job->a;
    struct bestdag_table *to = bestdag_table_new(a->run, job->count);
    for (int64_t r = 0; r < job->count && !is_density(job); r++)
        job->ln[r] = exp(job->ln[r]);
    bestdag_table_add_numbers(a->run, to,
                              is_density(job) ? "log_evidence_density"
                                              : "evidence_probability",
                              job->ln);
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
    if (!bestdag_run_status(a->run))
        return to;
    bestdag_table_free(to);
    return NULL;
}

/* ---- the ways in ----------------------------------------------------------
 */

static int open_job(struct bestdag_run *run, struct job *job,
                    const struct bestdag_network *network, const char *text,
                    const struct bestdag_table *table)
{
    if (bestdag_numeric_init(run, &job->a, network, text, job->a.options))
        return bestdag_run_status(run);
    return open_rows(job, table);
}

struct bestdag_table *bestdag_numeric_query_table(
    struct bestdag_run *run, const struct bestdag_network *network,
    const char *text, const struct bestdag_table *table,
    const struct bestdag_options *options)
{
    struct job job = {.a.options = options};
    struct bestdag_table *to = NULL;
    if (!open_job(run, &job, network, text, table)) {
        if (job.a.has_joint || job.a.is_mpe)
            bestdag_fail(run, BESTDAG_USAGE,
                         "covariances and explanations of each row do not fit "
                         "into a table: use --json");
        else if (!answer_all(&job))
            to = make_table(&job);
    }
    release(&job);
    return to;
}

char *bestdag_numeric_query_rows(struct bestdag_run *run,
                                 const struct bestdag_network *network,
                                 const char *text,
                                 const struct bestdag_table *table,
                                 const struct bestdag_options *options)
{
    struct job job = {.a.options = options};
    struct bestdag_json_writer w = {.out.run = run};
    bestdag_json_open(&w, NULL, '{');
    bestdag_json_open(&w, "rows", '[');
    if (!open_job(run, &job, network, text, table))
        for (int64_t r = 0; r < job.count && !bestdag_run_stopped(run); r++) {
            if (answer_row(&job, r))
                break;
            bestdag_json_open(&w, NULL, '{');
            bestdag_numeric_write(&w, &job.a, is_density(&job));
            bestdag_json_close(&w, '}');
        }
    bestdag_json_close(&w, ']');
    bestdag_json_close(&w, '}');
    if (bestdag_run_stopped(run) && !bestdag_run_status(run))
        bestdag_fail(run, BESTDAG_FAILED,
                     "stopped before all rows were answered");
    release(&job);
    return bestdag_json_take(&w);
}
