/* SPDX-License-Identifier: MIT */
/* em_step.c -- expected counts of a network's families: the E-step.
 *
 * A family all of whose members a row has counts 1 in one cell, whatever the
 * parameters are: these counts are made once (`have`), and so is their part of
 * the log-likelihood, a sum over cells. A row with holes adds, for each family
 * with a hole, the posterior of its holes. With at most LISTED joint states
 * these are enumerated (hole_posterior.c), else a session of the inference
 * engine is asked; both are exact.
 *
 * Contributions are rounded to units of 2^-shift rows, so that the sums are the
 * same for any order of rows; log-likelihoods are summed in blocks of a fixed
 * number of rows, and blocks in order. */
#include "models/holes/em_step.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "inference/engine.h"
#include "parallel/parallel.h"

enum {
    BLOCK = 64,   /* different rows */
    LISTED = 512, /* joint states; listing them costs about what a junction
                     tree of 40 variables does */
    FINEST = 44   /* shift: 2^-44 rows is 6e-14 */
};

struct bestdag_step_worker {
    struct bestdag_hole_plan plan;
    struct bestdag_session *session; /* owns; NULL: not used */
    double *open;                    /* owns; [room]: posterior of a family */
    int64_t room;
    int *variable;  /* owns; [n]: scratch */
    int64_t *count; /* owns; [entries] */
};

/* ---- making -------------------------------------------------------------- */

static int shift_of(int64_t total)
{
    int shift = FINEST;
    while (shift > 8 && ldexp((double)total + 1, shift) >= 0x1p61)
        shift--;
    return shift;
}

struct counting {
    struct bestdag_run *run;
    struct bestdag_expectation *e;
    const struct bestdag_digit *column;
    int64_t rows;
    const int32_t *weights;
};

/* Counts the rows that have all of v's family. */
static int count_family(void *data, int64_t item, int worker)
{
    const struct counting *c = data;
    const struct bestdag_network *net = c->e->network;
    int v = (int)item;
    const struct bestdag_parents *parents = &net->dag->parents[v];
    int64_t *to = c->e->have + c->e->offset[v];
    (void)worker;
    for (int64_t r = 0; r < c->rows; r++) {
        int64_t at = 0;
        int code = 0;
        for (int i = 0; i <= parents->count && code >= 0; i++) {
            int u = i < parents->count ? parents->at[i] : v;
            code = bestdag_digit_code(&c->column[u], r);
            at = at * net->variable[u].states + code;
        }
        if (code >= 0)
            to[at] += c->weights ? c->weights[r] : 1;
        if (!(r & 0xffff) && bestdag_run_stopped(c->run))
            return bestdag_run_status(c->run);
    }
    return BESTDAG_OK;
}

static int count_families(struct bestdag_run *run, struct counting *c)
{
    struct bestdag_work work = {.job = c,
                                .items = c->e->network->dag->n,
                                .work = count_family,
                                .to_the_end = true};
    int64_t done = 0;
    bestdag_run_phase(run, "counting", work.items);
    return bestdag_parallel(run, &work, &done);
}

static int new_worker(struct bestdag_run *run, struct bestdag_expectation *e,
                      struct bestdag_step_worker *w)
{
    int n = e->network->dag->n;
    int64_t entries = e->offset[n];
    w->variable = bestdag_alloc(run, (size_t)n * sizeof *w->variable);
    w->count = bestdag_alloc(run, (size_t)entries * sizeof *w->count);
    w->room = LISTED;
    for (int v = 0; v < n; v++) {
        int64_t cells = e->offset[v + 1] - e->offset[v];
        w->room = cells > w->room ? cells : w->room;
    }
    w->open = bestdag_alloc(run, (size_t)w->room * sizeof *w->open);
    return bestdag_hole_plan_new(run, e->network, LISTED, &w->plan);
}

/* Finds the rows whose joint states are too many to list. */
static void look_for_large(struct bestdag_expectation *e)
{
    struct bestdag_hole_plan *p = &e->worker[0].plan;
    bool is_large = false;
    for (int64_t i = 0; i < e->rows->count; i++) {
        if (!i || e->rows->pattern[i] != e->rows->pattern[i - 1]) {
            bestdag_hole_plan_set(p, bestdag_hole_row(e->rows, i),
                                  e->rows->pattern[i]);
            is_large = false;
            for (int c = 0; c < p->components; c++)
                is_large = is_large || p->component[c].cells < 0;
        }
        e->by_tree += is_large;
    }
    e->needs_tree = e->by_tree > 0;
}

int bestdag_expectation_new(struct bestdag_run *run,
                            struct bestdag_network *network,
                            const struct bestdag_digit *column,
                            int64_t table_rows, const int32_t *weights,
                            const struct bestdag_hole_rows *rows, int64_t total,
                            struct bestdag_expectation *to)
{
    int n = network->dag->n;
    *to = (struct bestdag_expectation){.network = network,
                                       .rows = rows,
                                       .total = total,
                                       .shift = shift_of(total)};
    struct counting counting = {run, to, column, table_rows, weights};
    to->blocks = (rows->count + BLOCK - 1) / BLOCK;
    to->offset = bestdag_calloc(run, (size_t)n + 1, sizeof *to->offset);
    for (int v = 0; to->offset && v < n; v++)
        to->offset[v + 1] =
            to->offset[v] + bestdag_network_configurations(network, v) *
                                network->variable[v].states;
    size_t entries = to->offset ? (size_t)to->offset[n] : 0;
    to->have = bestdag_calloc(run, entries + 1, sizeof *to->have);
    to->count = bestdag_calloc(run, entries + 1, sizeof *to->count);
    to->block = bestdag_alloc(run, ((size_t)to->blocks + 1) * sizeof(double));
    to->workers = bestdag_parallel_threads(run, to->blocks + 1);
    to->worker = bestdag_calloc(run, (size_t)to->workers, sizeof *to->worker);
    for (int i = 0; to->worker && i < to->workers; i++)
        if (bestdag_run_status(run) || new_worker(run, to, &to->worker[i]))
            return bestdag_run_status(run);
    if (bestdag_run_status(run) || count_families(run, &counting))
        return bestdag_run_status(run);
    look_for_large(to);
    to->exact = to->needs_tree ? bestdag_options_new(run) : NULL;
    return to->exact ? bestdag_options_need_exact(run, to->exact)
                     : bestdag_run_status(run);
}

void bestdag_expectation_release(struct bestdag_expectation *e)
{
    for (int i = 0; e->worker && i < e->workers; i++) {
        struct bestdag_step_worker *w = &e->worker[i];
        bestdag_session_free(w->session);
        bestdag_hole_plan_release(&w->plan);
        bestdag_free(w->open);
        bestdag_free(w->variable);
        bestdag_free(w->count);
    }
    bestdag_engine_free(e->engine);
    bestdag_options_free(e->exact);
    bestdag_free(e->worker);
    bestdag_free(e->offset);
    bestdag_free(e->have);
    bestdag_free(e->count);
    bestdag_free(e->block);
    *e = (struct bestdag_expectation){0};
}

/* ---- rows ---------------------------------------------------------------- */

/* Adds w->open, the posterior of a family's open members (first member of the
 * plan fastest), times the weight. */
static void add_open(const struct bestdag_expectation *e,
                     struct bestdag_step_worker *w,
                     const struct bestdag_hole_family *f, double weight)
{
    const struct bestdag_hole_plan *p = &w->plan;
    const struct bestdag_open_member *m = p->member + f->place;
    const int *hole = p->hole + p->component[f->component].first;
    int64_t *to = w->count + e->offset[f->child], cells = 1;
    for (int i = 0; i < f->open; i++)
        cells *= p->network->variable[hole[m[i].hole]].states;
    for (int64_t j = 0; j < cells; j++) {
        int64_t at = f->base, rest = j;
        for (int i = 0; i < f->open; i++) {
            int states = p->network->variable[hole[m[i].hole]].states;
            at += rest % states * m[i].stride;
            rest /= states;
        }
        to[at] += llround(w->open[j] * weight);
    }
}

/* The posterior of a component, summed onto a family's open members. */
static void sum_onto(struct bestdag_step_worker *w,
                     const struct bestdag_hole_component *c,
                     const struct bestdag_hole_family *f)
{
    const struct bestdag_hole_plan *p = &w->plan;
    int64_t step[64] = {0}, cells = 1, at = 0;
    int state[64] = {0};
    for (int i = 0; i < f->open; i++) {
        int h = p->member[f->place + i].hole;
        step[h] = cells;
        cells *= p->network->variable[p->hole[c->first + h]].states;
    }
    memset(w->open, 0, (size_t)cells * sizeof *w->open);
    for (int64_t j = 0; j < c->cells; j++) {
        w->open[at] += p->cell[j];
        for (int h = c->holes - 1; h >= 0; h--) {
            int states = p->network->variable[p->hole[c->first + h]].states;
            at += step[h];
            if (++state[h] < states)
                break;
            at -= step[h] * states;
            state[h] = 0;
        }
    }
}

static double list_component(const struct bestdag_expectation *e,
                             struct bestdag_step_worker *w, int which,
                             double weight)
{
    const struct bestdag_hole_component *c = &w->plan.component[which];
    double ln = bestdag_hole_plan_enumerate(&w->plan, which);
    for (int f = c->family; f < c->family + c->families; f++) {
        sum_onto(w, c, &w->plan.family[f]);
        add_open(e, w, &w->plan.family[f], weight);
    }
    return ln;
}

/* ln of the product of the tables of families without holes. */
static double ln_of_whole(const struct bestdag_expectation *e,
                          struct bestdag_step_worker *w, const uint16_t *row)
{
    const struct bestdag_network *net = e->network;
    double ln = 0;
    for (int v = 0; v < net->dag->n; v++) {
        const struct bestdag_parents *parents = &net->dag->parents[v];
        bool is_whole = true;
        int64_t at = 0;
        for (int i = 0; i <= parents->count; i++) {
            int u = i < parents->count ? parents->at[i] : v;
            is_whole = is_whole && w->plan.place[u] < 0;
            at = at * net->variable[u].states + row[u];
        }
        ln += is_whole ? log(net->variable[v].table[at]) : 0;
    }
    return ln;
}

static int ask_family(struct bestdag_run *run, struct bestdag_step_worker *w,
                      const struct bestdag_hole_family *f)
{
    const struct bestdag_hole_plan *p = &w->plan;
    const int *hole = p->hole + p->component[f->component].first;
    /* the answer has its last variable fastest, the plan its first member */
    int64_t cells = 1;
    for (int i = 0; i < f->open; i++) {
        int v = hole[p->member[f->place + i].hole];
        w->variable[f->open - 1 - i] = v;
        cells *= p->network->variable[v].states;
    }
    return bestdag_session_joint(run, w->session, w->variable, f->open, w->open,
                                 cells);
}

static int ask_session(struct bestdag_run *run, struct bestdag_expectation *e,
                       struct bestdag_step_worker *w, const uint16_t *row,
                       double weight, double *ln)
{
    for (int v = 0; v < e->network->dag->n; v++)
        if (bestdag_session_observe(run, w->session, v,
                                    row[v] == BESTDAG_HOLE ? -1 : row[v]))
            return bestdag_run_status(run);
    *ln = bestdag_session_evidence(run, w->session) - ln_of_whole(e, w, row);
    for (int f = 0; f<w->plan.families && * ln> - INFINITY; f++) {
        if (ask_family(run, w, &w->plan.family[f]))
            return bestdag_run_status(run);
        add_open(e, w, &w->plan.family[f], weight);
    }
    return bestdag_run_status(run);
}

static int do_row(struct bestdag_run *run, struct bestdag_expectation *e,
                  struct bestdag_step_worker *w, int64_t i, double *ln)
{
    const uint16_t *row = bestdag_hole_row(e->rows, i);
    double weight = ldexp((double)e->rows->weight[i], e->shift);
    bool is_large = false;
    bestdag_hole_plan_set(&w->plan, row, e->rows->pattern[i]);
    for (int c = 0; c < w->plan.components; c++)
        is_large = is_large || w->plan.component[c].cells < 0;
    *ln = 0;
    if (is_large)
        return ask_session(run, e, w, row, weight, ln);
    for (int c = 0; c < w->plan.components; c++)
        *ln += list_component(e, w, c, weight);
    return BESTDAG_OK;
}

struct stepping {
    struct bestdag_run *run;
    struct bestdag_expectation *e;
    _Atomic bool is_cut; /* time ran out within a block */
};

/* A row may take long, so the clock is checked at every row. */
static bool is_late(const struct bestdag_run *run)
{
    double deadline = run->deadline;
    return bestdag_run_stopped(run) ||
           (deadline > 0 && bestdag_seconds() > deadline);
}

static int do_block(void *data, int64_t item, int worker)
{
    struct stepping *s = data;
    struct bestdag_expectation *e = s->e;
    int64_t end = (item + 1) * BLOCK;
    double sum = 0;
    for (int64_t i = item * BLOCK; i < end && i < e->rows->count; i++) {
        double ln;
        if (is_late(s->run)) {
            s->is_cut = true;
            return BESTDAG_OK;
        }
        if (do_row(s->run, e, &e->worker[worker], i, &ln))
            return bestdag_run_status(s->run);
        sum += (double)e->rows->weight[i] * ln;
    }
    e->block[item] = sum;
    return BESTDAG_OK;
}

/* ---- a step -------------------------------------------------------------- */

/* Compiles the tables as they are now; *threads have sessions. */
static int compile(struct bestdag_run *run, struct bestdag_expectation *e,
                   int *threads)
{
    for (int i = 0; i < e->workers; i++) {
        bestdag_session_free(e->worker[i].session);
        e->worker[i].session = NULL;
    }
    bestdag_engine_free(e->engine);
    e->engine = bestdag_engine_new(run, e->network, NULL, 0, e->exact);
    if (e->engine)
        *threads = bestdag_engine_sessions(run, e->engine, e->workers);
    for (int i = 0; e->engine && i < *threads; i++)
        e->worker[i].session = bestdag_session_new(run, e->engine);
    return bestdag_run_status(run);
}

/* The log-likelihood of the families that rows have completely; -infinity if
 * one of these has probability 0. */
static double ln_of_counts(const struct bestdag_expectation *e)
{
    double ln = 0;
    for (int v = 0; v < e->network->dag->n; v++) {
        const double *table = e->network->variable[v].table;
        const int64_t *have = e->have + e->offset[v];
        for (int64_t i = 0; i < e->offset[v + 1] - e->offset[v]; i++)
            ln += have[i] ? (double)have[i] * log(table[i]) : 0;
    }
    return ln;
}

static void add_up(struct bestdag_expectation *e)
{
    int64_t entries = e->offset[e->network->dag->n];
    for (int64_t i = 0; i < entries; i++)
        e->count[i] = e->have[i] << e->shift;
    for (int w = 0; w < e->workers; w++)
        for (int64_t i = 0; i < entries; i++)
            e->count[i] += e->worker[w].count[i];
    e->ln = ln_of_counts(e);
    for (int64_t b = 0; b < e->blocks; b++)
        e->ln += e->block[b];
}

static int step(struct bestdag_run *run, struct bestdag_expectation *e,
                bool *done)
{
    struct stepping s = {.run = run, .e = e};
    struct bestdag_work work = {
        .job = &s, .items = e->blocks, .work = do_block};
    size_t entries = (size_t)e->offset[e->network->dag->n];
    int64_t taken = 0;
    if (e->needs_tree && compile(run, e, &work.threads))
        return bestdag_run_status(run);
    for (int w = 0; w < e->workers; w++)
        memset(e->worker[w].count, 0, entries * sizeof *e->worker[w].count);
    if (bestdag_parallel(run, &work, &taken))
        return bestdag_run_status(run);
    *done = taken == work.items && !s.is_cut;
    return BESTDAG_OK;
}

/* A session that was stopped fails; that is no error here. */
int bestdag_expectation_step(struct bestdag_run *run,
                             struct bestdag_expectation *e, bool *done)
{
    struct bestdag_slice_limits share = {.reports = true};
    struct bestdag_run *slice = bestdag_run_slice(run, share);
    bool is_cut;
    *done = false;
    if (slice)
        step(slice, e, done);
    if (bestdag_run_join_cut(slice, &is_cut) || !*done)
        return bestdag_run_status(run);
    add_up(e);
    return e->ln > -INFINITY
               ? BESTDAG_OK
               : bestdag_fail(run, BESTDAG_INPUT,
                              "a row has probability 0 under the network");
}
