/* SPDX-License-Identifier: MIT */
/* predictor.c -- the probabilities of the class of many rows.
 *
 * Only the families that contain the class matter: its own and those of its
 * children. Each becomes a table of logarithms with the classes innermost,
 *
 *     log[joint state of the others][class]
 *
 * and a block of rows is processed family by family: states (encode.c), joint
 * states (joint_state.c), and one sum of `classes` numbers per row.
 *
 * A value that is missing is a further state, the hole. If the variable has no
 * children, its family sums to 1: the logarithms of its hole are 0. Else it
 * must be summed out of several families: blocks with such rows are given to
 * sessions of the network afterwards (predictor_holes.c).
 */
#include "models/predictor.h"

#include <math.h>
#include <string.h>

#include "models/classify.h"
#include "models/joint_state.h"
#include "parallel/parallel.h"
#include "network/regression.h"

enum { BLOCK = BESTDAG_PREDICTOR_BLOCK };

/* ---- tables of logarithms ------------------------------------------------ */

/* Does the family of v contain the class? */
static bool holds_class(const struct bestdag_predictor *p, int v)
{
    return v == p->class || bestdag_dag_has_arc(p->model->dag, p->class, v);
}

static int states_of(const struct bestdag_predictor *p, int v)
{
    return p->model->variable[v].states;
}

/* Sets the logarithms of the joint state `state` of the members; those of holes
 * are 0. Table rows are normalised, as in the engine that sums out holes. */
static void fill_entry(const struct bestdag_predictor *p, int v, int *state,
                       double *to)
{
    const struct bestdag_variable *x = &p->model->variable[v];
    const struct bestdag_parents *parents = &p->model->dag->parents[v];
    for (int c = 0; c < p->classes; c++) {
        int64_t row = 0;
        state[p->class] = c;
        for (int i = 0; i < parents->count; i++)
            row = row * states_of(p, parents->at[i]) + state[parents->at[i]];
        const double *share = x->table + row * x->states;
        double sum = 0;
        for (int s = 0; s < x->states; s++)
            sum += share[s];
        to[c] = log(share[state[v]] / sum);
    }
}

static bool has_hole(const struct bestdag_predictor *p,
                     const struct bestdag_predictor_term *t, const int *state)
{
    for (int i = 0; i < t->members; i++)
        if (state[t->member[i]] == states_of(p, t->member[i]))
            return true;
    return false;
}

/* Steps to the next joint state; the last member changes fastest. */
static void count_up(const struct bestdag_predictor *p,
                     const struct bestdag_predictor_term *t, int *state)
{
    for (int i = t->members - 1; i >= 0; i--) {
        if (++state[t->member[i]] <= states_of(p, t->member[i]))
            return;
        state[t->member[i]] = 0;
    }
}

static int list_members(struct bestdag_run *run,
                        const struct bestdag_predictor *p, int v,
                        struct bestdag_predictor_term *t)
{
    const struct bestdag_parents *parents = &p->model->dag->parents[v];
    t->member =
        bestdag_alloc(run, ((size_t)parents->count + 1) * sizeof *t->member);
    if (!t->member)
        return bestdag_run_status(run);
    for (int i = 0; i < parents->count; i++)
        if (parents->at[i] != p->class)
            t->member[t->members++] = parents->at[i];
    if (v != p->class)
        t->member[t->members++] = v;
    return BESTDAG_OK;
}

static int make_term(struct bestdag_run *run, struct bestdag_predictor *p,
                     int v, int *state)
{
    struct bestdag_predictor_term *t = &p->term[p->terms++];
    int64_t cells = 1, bytes = p->classes * (int64_t)sizeof(double);
    if (list_members(run, p, v, t))
        return bestdag_run_status(run);
    for (int i = 0; i < t->members; i++) {
        int states = states_of(p, t->member[i]) + 1;
        if (cells > BESTDAG_DIGITS_MOST / states)
            return bestdag_fail(run, BESTDAG_MEMORY,
                                "the table of '%s' is too large to predict "
                                "with",
                                p->model->variable[v].name);
        cells *= states;
        state[t->member[i]] = 0;
    }
    if (bestdag_reserve(run, cells * bytes, "tables of logarithms"))
        return bestdag_run_status(run);
    t->log = bestdag_alloc(run, (size_t)(cells * bytes));
    for (int64_t j = 0; t->log && j < cells; j++, count_up(p, t, state)) {
        double *to = t->log + j * p->classes;
        if (has_hole(p, t, state))
            memset(to, 0, (size_t)bytes);
        else
            fill_entry(p, v, state, to);
    }
    return bestdag_run_status(run);
}

static int make_terms(struct bestdag_run *run, struct bestdag_predictor *p)
{
    int *state = bestdag_calloc(run, (size_t)p->n, sizeof *state);
    p->term = bestdag_calloc(run, (size_t)p->n, sizeof *p->term);
    for (int v = 0; state && p->term && v < p->n; v++)
        if (holds_class(p, v) && make_term(run, p, v, state))
            break;
    bestdag_free(state);
    return bestdag_run_status(run);
}

/* ---- making -------------------------------------------------------------- */

/* `near` is the column to try first. */
static int find_column(struct bestdag_run *run,
                       const struct bestdag_table *table, const char *name,
                       int near, bool is_ignored)
{
    if (near < table->columns && !strcmp(table->column[near].name, name))
        return near;
    int c = bestdag_table_find(table, name);
    if (c < 0 && !is_ignored)
        bestdag_fail(run, BESTDAG_INPUT,
                     "the table has no column '%s', which the model needs",
                     name);
    return c;
}

static int check_model(struct bestdag_run *run,
                       const struct bestdag_network *model, int class)
{
    if (bestdag_network_need_states(run, model, "a classifier"))
        return bestdag_run_status(run);
    if (!bestdag_network_has_tables(model))
        return bestdag_fail(run, BESTDAG_INPUT,
                            "the model has no probabilities");
    if (class < 0)
        return bestdag_fail(run, BESTDAG_INPUT,
                            "the model does not say which variable is the "
                            "class: give its name (--class)");
    if (model->variable[class].states > BESTDAG_MOST_STATES)
        return bestdag_fail(run, BESTDAG_INPUT, "the class has %d states",
                            model->variable[class].states);
    return BESTDAG_OK;
}

static bool is_among(const struct bestdag_words *words, const char *name)
{
    for (int i = 0; words && i < words->count; i++)
        if (!strcmp(words->word[i], name))
            return true;
    return false;
}

static int make(struct bestdag_run *run, struct bestdag_predictor *p,
                const struct bestdag_table *table,
                const struct bestdag_words *ignored)
{
    size_t n = (size_t)p->n;
    int c = -1;
    p->encoder = bestdag_calloc(run, n, sizeof *p->encoder);
    p->is_parent = bestdag_calloc(run, n, sizeof *p->is_parent);
    if (!p->encoder || !p->is_parent)
        return bestdag_run_status(run);
    for (int v = 0; v < p->n; v++) {
        const struct bestdag_parents *parents = &p->model->dag->parents[v];
        for (int i = 0; i < parents->count; i++)
            p->is_parent[parents->at[i]] = true;
        if (v == p->class)
            continue;
        const char *name = p->model->variable[v].name;
        int found =
            find_column(run, table, name, c + 1, is_among(ignored, name));
        if (bestdag_run_status(run) ||
            bestdag_encoder_init(run, &p->encoder[v], p->model, v,
                                 found < 0 ? &p->absent
                                           : &table->column[found]) ||
            bestdag_encoder_only_seen(run, &p->encoder[v], p->model, v))
            return bestdag_run_status(run);
        c = found < 0 ? c : found;
    }
    return make_terms(run, p);
}

int bestdag_predictor_init(struct bestdag_run *run,
                           struct bestdag_predictor *to,
                           const struct bestdag_network *model, int class,
                           const struct bestdag_table *table,
                           const struct bestdag_words *ignored)
{
    class = class < 0 ? bestdag_classify_marked(model) : class;
    *to = (struct bestdag_predictor){
        .model = model,
        .class = class,
        .absent = {.kind = BESTDAG_OPAQUE, .missing = table->rows}};
    if (check_model(run, model, class))
        return bestdag_run_status(run);
    to->n = model->dag->n;
    to->classes = model->variable[class].states;
    return make(run, to, table, ignored);
}

void bestdag_predictor_release(struct bestdag_predictor *p)
{
    for (int v = 0; p->encoder && v < p->n; v++)
        bestdag_encoder_release(&p->encoder[v]);
    for (int i = 0; i < p->terms; i++) {
        bestdag_free(p->term[i].member);
        bestdag_free(p->term[i].log);
    }
    bestdag_free(p->encoder);
    bestdag_free(p->term);
    bestdag_free(p->is_parent);
    *p = (struct bestdag_predictor){0};
}

/* ---- rows ---------------------------------------------------------------- */

/* Owned by one thread. */
struct worker {
    uint16_t *state;             /* owns; [n][BLOCK] */
    double *sum;                 /* owns; [BLOCK][classes] */
    struct bestdag_digit *digit; /* owns; [n] */
    struct bestdag_predictions count;
    uint32_t index[BLOCK];
    bool is_open[BLOCK]; /* a parent is missing in this row */
};

struct job {
    struct bestdag_run *run;
    const struct bestdag_predictor *p;
    int64_t rows;
    struct bestdag_predictions *to;
    bool *is_open_block;   /* owns; [blocks] */
    struct worker *worker; /* owns; [threads] */
    int threads;
};

static void encode_block(const struct job *job, struct worker *b, int64_t from,
                         int n)
{
    const struct bestdag_predictor *p = job->p;
    memset(b->is_open, 0, sizeof b->is_open);
    for (int v = 0; v < p->n; v++) {
        uint16_t *state = b->state + (size_t)v * BLOCK;
        if (v == p->class)
            continue;
        int holes = bestdag_encode(&p->encoder[v], from, n, state);
        b->count.holes += holes;
        if (holes && p->is_parent[v])
            for (int i = 0; i < n; i++)
                b->is_open[i] |= state[i] == states_of(p, v);
    }
}

static void add_term(const struct job *job, struct worker *b,
                     const struct bestdag_predictor_term *t, int n)
{
    int classes = job->p->classes;
    double *restrict sum = b->sum;
    for (int i = 0; i < t->members; i++)
        b->digit[i] =
            (struct bestdag_digit){b->state + (size_t)t->member[i] * BLOCK, 2,
                                   states_of(job->p, t->member[i]) + 1};
    bestdag_digits_index(b->digit, t->members, 0, n, b->index);
    for (int i = 0; i < n; i++, sum += classes) {
        const double *restrict add = t->log + (int64_t)b->index[i] * classes;
        for (int c = 0; c < classes; c++)
            sum[c] += add[c];
    }
}

/* Turns logarithms into probabilities. */
static void finish_row(struct job *job, struct worker *b, double *sum,
                       int64_t row)
{
    int classes = job->p->classes, best = 0;
    double total = 0;
    for (int c = 1; c < classes; c++)
        if (sum[c] > sum[best])
            best = c;
    double most = sum[best];
    bool is_possible = most > -INFINITY;
    b->count.impossible += !is_possible;
    for (int c = 0; c < classes; c++) {
        sum[c] = is_possible ? exp(sum[c] - most) : 1;
        total += sum[c];
    }
    for (int c = 0; c < classes; c++)
        job->to->share[c][row] = sum[c] / total;
    job->to->best[row] = (uint16_t)best;
}

static int predict_block(void *argument, int64_t item, int worker)
{
    struct job *job = argument;
    struct worker *b = &job->worker[worker];
    const struct bestdag_predictor *p = job->p;
    int64_t from = item * BLOCK, left = job->rows - from;
    int n = left < BLOCK ? (int)left : BLOCK;
    size_t classes = (size_t)p->classes;
    memset(b->sum, 0, (size_t)n * classes * sizeof *b->sum);
    encode_block(job, b, from, n);
    for (int i = 0; i < p->terms; i++)
        add_term(job, b, &p->term[i], n);
    for (int i = 0; i < n; i++) {
        if (b->is_open[i])
            job->is_open_block[item] = true;
        else
            finish_row(job, b, b->sum + (size_t)i * classes, from + i);
    }
    return BESTDAG_OK;
}

static int make_workers(struct job *job)
{
    size_t n = (size_t)job->p->n, classes = (size_t)job->p->classes;
    job->worker =
        bestdag_calloc(job->run, (size_t)job->threads, sizeof *job->worker);
    for (int i = 0; job->worker && i < job->threads; i++) {
        struct worker *b = &job->worker[i];
        b->state = bestdag_calloc(job->run, n * BLOCK, sizeof *b->state);
        b->sum = bestdag_alloc(job->run, BLOCK * classes * sizeof *b->sum);
        b->digit = bestdag_alloc(job->run, n * sizeof *b->digit);
    }
    return bestdag_run_status(job->run);
}

/* Adds up the counts of a thread and frees its memory. */
static void release_worker(struct worker *b, struct bestdag_predictions *to)
{
    to->holes += b->count.holes;
    to->impossible += b->count.impossible;
    bestdag_free(b->state);
    bestdag_free(b->sum);
    bestdag_free(b->digit);
}

static bool has_open_block(const struct job *job, int64_t blocks)
{
    for (int64_t i = 0; i < blocks; i++)
        if (job->is_open_block[i])
            return true;
    return false;
}

int bestdag_predictor_run(struct bestdag_run *run,
                          const struct bestdag_predictor *p, int64_t rows,
                          struct bestdag_predictions *to)
{
    struct job job = {.run = run, .p = p, .rows = rows, .to = to};
    struct bestdag_work work = {.job = &job,
                                .items = (rows + BLOCK - 1) / BLOCK,
                                .work = predict_block};
    int64_t done = 0;
    for (int v = 0; v < p->n; v++)
        if (v != p->class)
            to->missing += p->encoder[v].column->missing;
    job.threads = bestdag_parallel_threads(run, work.items);
    job.is_open_block = bestdag_calloc(run, (size_t)work.items + 1, 1);
    bestdag_run_phase(run, "predicting", work.items);
    if (!make_workers(&job) && !bestdag_parallel(run, &work, &done) &&
        done < work.items)
        bestdag_fail(run, BESTDAG_FAILED,
                     "stopped before all rows were predicted");
    for (int i = 0; job.worker && i < job.threads; i++)
        release_worker(&job.worker[i], to);
    bestdag_free(job.worker);
    if (!bestdag_run_status(run) && has_open_block(&job, work.items))
        bestdag_predictor_sum_holes(run, p, rows, job.is_open_block, to);
    bestdag_free(job.is_open_block);
    return bestdag_run_status(run);
}
