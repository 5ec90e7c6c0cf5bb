/* SPDX-License-Identifier: MIT */
/* predictor_holes.c -- the class of rows in which a parent is missing.
 *
 * Missing values are summed out by sessions of the network (inference/), one
 * per worker; only evidence that differs from the row before is set. Exact,
 * unless memory and time do not allow it; then the session samples, and the row
 * is counted as such. Sessions live in slices of the run that have the same
 * seed, so that an answer does not depend on the worker. */
#include <string.h>

#include "inference/session.h"
#include "models/predictor.h"
#include "parallel/parallel.h"

enum { BLOCK = BESTDAG_PREDICTOR_BLOCK };

struct worker {
    struct bestdag_run *run;         /* owns; a slice */
    struct bestdag_session *session; /* owns */
    uint16_t *state;                 /* owns; [n][BLOCK] */
    int *now;                        /* owns; [n]: the session's evidence */
    double *share;                   /* owns; [classes] */
    struct bestdag_predictions count;
};

struct job {
    struct bestdag_run *run;
    const struct bestdag_predictor *p;
    const bool *is_open_block;
    int64_t rows;
    struct bestdag_predictions *to;
    struct bestdag_engine *engine; /* owns */
    struct worker *worker;         /* owns; [threads] */
    int threads;
};

/* ---- rows ---------------------------------------------------------------- */

static bool is_hole(const struct job *job, const struct worker *w, int v, int i)
{
    return w->state[(size_t)v * BLOCK + (size_t)i] ==
           job->p->model->variable[v].states;
}

static bool is_open(const struct job *job, const struct worker *w, int i)
{
    for (int v = 0; v < job->p->n; v++)
        if (v != job->p->class && job->p->is_parent[v] && is_hole(job, w, v, i))
            return true;
    return false;
}

static int set_evidence(const struct job *job, struct worker *w, int i)
{
    for (int v = 0; v < job->p->n; v++) {
        if (v == job->p->class)
            continue;
        int state = is_hole(job, w, v, i)
                        ? -1
                        : w->state[(size_t)v * BLOCK + (size_t)i];
        if (state == w->now[v])
            continue;
        w->now[v] = state;
        if (bestdag_session_observe(w->run, w->session, v, state))
            return bestdag_run_status(w->run);
    }
    return BESTDAG_OK;
}

/* Was an exact answer that the row is impossible? If so, clears that error. */
static bool is_impossible(struct worker *w)
{
    char text[256];
    if (bestdag_run_status(w->run) != BESTDAG_INPUT ||
        !strcmp(bestdag_session_method(w->session),
                bestdag_method_name(BESTDAG_BY_SAMPLING)))
        return false;
    bestdag_run_recover(w->run, text, sizeof text);
    return true;
}

/* Computes the probabilities of the classes; equal ones if the row is
 * impossible. The probability of the row is not computed: it may need far
 * larger tables. */
static int query_class(const struct job *job, struct worker *w)
{
    int classes = job->p->classes;
    w->count.summed++;
    if (!bestdag_session_marginal(w->run, w->session, job->p->class, w->share,
                                  classes)) {
        w->count.sampled += bestdag_session_sample_size(w->session) > 0;
        return BESTDAG_OK;
    }
    if (!is_impossible(w))
        return bestdag_run_status(w->run);
    w->count.impossible++;
    for (int c = 0; c < classes; c++)
        w->share[c] = 1.0 / classes;
    return BESTDAG_OK;
}

static int predict_row(struct job *job, struct worker *w, int i, int64_t row)
{
    int best = 0;
    if (set_evidence(job, w, i) || query_class(job, w))
        return bestdag_run_status(w->run);
    for (int c = 0; c < job->p->classes; c++) {
        job->to->share[c][row] = w->share[c];
        if (w->share[c] > w->share[best])
            best = c;
    }
    job->to->best[row] = (uint16_t)best;
    return BESTDAG_OK;
}

static int predict_block(void *argument, int64_t item, int worker)
{
    struct job *job = argument;
    struct worker *w = &job->worker[worker];
    int64_t from = item * BLOCK, left = job->rows - from;
    int n = left < BLOCK ? (int)left : BLOCK;
    if (!job->is_open_block[item])
        return BESTDAG_OK;
    for (int v = 0; v < job->p->n; v++)
        if (v != job->p->class)
            bestdag_encode(&job->p->encoder[v], from, n,
                           w->state + (size_t)v * BLOCK);
    for (int i = 0; i < n; i++) {
        if (bestdag_run_stopped(job->run))
            return BESTDAG_FAILED;
        if (is_open(job, w, i) && predict_row(job, w, i, from + i))
            return bestdag_run_status(w->run);
    }
    return BESTDAG_OK;
}

/* ---- workers ------------------------------------------------------------- */

static int new_worker(struct job *job, struct worker *w)
{
    size_t n = (size_t)job->p->n;
    w->run = bestdag_run_slice(job->run,
                               (struct bestdag_slice_limits){.threads = 1});
    w->state = bestdag_calloc(job->run, n * BLOCK, sizeof *w->state);
    w->now = bestdag_alloc(job->run, n * sizeof *w->now);
    w->share =
        bestdag_alloc(job->run, (size_t)job->p->classes * sizeof *w->share);
    if (!w->run || bestdag_run_status(job->run))
        return bestdag_run_status(job->run);
    for (size_t v = 0; v < n; v++)
        w->now[v] = -1;
    w->session = bestdag_session_new(w->run, job->engine);
    return bestdag_run_status(w->run);
}

static int new_workers(struct job *job, int threads)
{
    job->worker =
        bestdag_calloc(job->run, (size_t)threads, sizeof *job->worker);
    while (job->worker && job->threads < threads)
        if (new_worker(job, &job->worker[job->threads++]))
            return BESTDAG_FAILED;
    return bestdag_run_status(job->run);
}

/* Adds up their counts, and passes their errors on. */
static void close_workers(struct job *job)
{
    for (int i = 0; i < job->threads; i++) {
        struct worker *w = &job->worker[i];
        job->to->summed += w->count.summed;
        job->to->sampled += w->count.sampled;
        job->to->impossible += w->count.impossible;
        bestdag_session_free(w->session);
        bestdag_free(w->state);
        bestdag_free(w->now);
        bestdag_free(w->share);
        if (w->run)
            bestdag_run_join(w->run);
    }
    bestdag_free(job->worker);
}

int bestdag_predictor_sum_holes(struct bestdag_run *run,
                                const struct bestdag_predictor *p, int64_t rows,
                                const bool *is_open_block,
                                struct bestdag_predictions *to)
{
    struct job job = {.run = run,
                      .p = p,
                      .is_open_block = is_open_block,
                      .rows = rows,
                      .to = to};
    struct bestdag_work work = {.job = &job,
                                .items = (rows + BLOCK - 1) / BLOCK,
                                .work = predict_block};
    int64_t done = 0;
    job.engine = bestdag_engine_new(run, p->model, NULL, 0, p->options);
    bestdag_run_phase(run, "summing out", work.items);
    if (job.engine)
        work.threads = bestdag_engine_sessions(
            run, job.engine, bestdag_parallel_threads(run, work.items));
    if (job.engine && !new_workers(&job, work.threads))
        bestdag_parallel(run, &work, &done);
    close_workers(&job);
    bestdag_engine_free(job.engine);
    if (done < work.items && !bestdag_run_status(run))
        return bestdag_fail(run, BESTDAG_FAILED,
                            "stopped before all rows were predicted");
    return bestdag_run_status(run);
}
