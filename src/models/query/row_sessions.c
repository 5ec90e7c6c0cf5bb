/* SPDX-License-Identifier: MIT */
/* row_sessions.c -- rows of a table as evidence for sessions.
 *
 * Rows are processed in blocks; a worker keeps a session and sets only the
 * evidence that differs from the row before. Sessions live in slices of the run
 * that have the same seed, so that an answer does not depend on the worker. */
#include "models/query/row_sessions.h"

#include <math.h>

#include "inference/engine.h"
#include "parallel/parallel.h"

enum { BLOCK = BESTDAG_ROW_BLOCK };

/* ---- columns ------------------------------------------------------------- */

static bool is_in(const struct bestdag_name_list *list, int v)
{
    for (int i = 0; i < list->count; i++)
        if (list->at[i] == v)
            return true;
    return false;
}

/* Are columns of this variable used as evidence? */
static bool is_evidence(const struct bestdag_asking *a, int v)
{
    return v >= 0 && a->doing[v] < 0 && !is_in(&a->explained, v) &&
           (a->is_of_all || !is_in(&a->query.target, v));
}

static int find_sources(struct bestdag_row_sessions *s,
                        const struct bestdag_table *table)
{
    struct bestdag_asking *a = s->a;
    struct bestdag_unknown unknown = {.text.run = a->run};
    int unmatched = 0;
    s->source =
        bestdag_calloc(a->run, (size_t)table->columns + 1, sizeof *s->source);
    for (int c = 0; s->source && c < table->columns; c++) {
        const struct bestdag_column *column = &table->column[c];
        int v = bestdag_network_search(a->network, column->name);
        unmatched += v < 0;
        if (!is_evidence(a, v))
            continue;
        struct bestdag_row_source *source = &s->source[s->sources++];
        source->variable = v;
        source->column = c;
        if (bestdag_encoder_init(a->run, &source->encoder, a->network, v,
                                 column))
            break;
        bestdag_encoder_unknown(&source->encoder, table->rows, &unknown);
    }
    bestdag_unknown_note(&unknown);
    if (unmatched && unmatched == table->columns)
        bestdag_note(a->run, 0,
                     "the table has no column of the network: nothing is known "
                     "of any row");
    else if (unmatched)
        bestdag_note(a->run, 1, "columns that the network does not have: %d",
                     unmatched);
    return bestdag_run_status(a->run);
}

/* ---- workers ------------------------------------------------------------- */

static int most_states(const struct bestdag_row_sessions *s)
{
    int most = 1;
    for (int i = 0; i < s->sources; i++) {
        int states = s->source[i].encoder.states;
        most = states > most ? states : most;
    }
    return most;
}

static int new_worker(struct bestdag_row_sessions *s,
                      struct bestdag_row_worker *w)
{
    struct bestdag_run *run = s->a->run;
    size_t n = (size_t)s->sources + 1;
    w->run =
        bestdag_run_slice(run, (struct bestdag_slice_limits){.threads = 1});
    w->now = bestdag_alloc(run, n * sizeof *w->now);
    w->code = bestdag_alloc(run, n * BLOCK * sizeof *w->code);
    w->weight = bestdag_alloc(run, (size_t)most_states(s) * sizeof *w->weight);
    if (!w->run || !w->now || !w->code || !w->weight)
        return bestdag_run_status(run);
    for (int i = 0; i < s->sources; i++)
        w->now[i] = BESTDAG_HOLE;
    w->session = bestdag_asking_session(w->run, s->a);
    return bestdag_run_status(w->run);
}

static int new_workers(struct bestdag_row_sessions *s, int64_t items)
{
    int threads = bestdag_engine_sessions(
        s->a->run, s->a->engine, bestdag_parallel_threads(s->a->run, items));
    s->worker = bestdag_calloc(s->a->run, (size_t)threads, sizeof *s->worker);
    while (s->worker && s->threads < threads)
        if (new_worker(s, &s->worker[s->threads++]))
            return BESTDAG_FAILED;
    return bestdag_run_status(s->a->run);
}

static void free_workers(struct bestdag_row_sessions *s)
{
    for (int i = 0; i < s->threads; i++) {
        struct bestdag_row_worker *w = &s->worker[i];
        bestdag_session_free(w->session);
        bestdag_free(w->now);
        bestdag_free(w->code);
        bestdag_free(w->weight);
        if (w->run)
            bestdag_run_join(w->run);
    }
    bestdag_free(s->worker);
    s->worker = NULL;
    s->threads = 0;
}

/* ---- the ways in --------------------------------------------------------- */

/* Fails if the query's own evidence is impossible. */
static int check_query(struct bestdag_asking *a)
{
    struct bestdag_session *session = bestdag_asking_session(a->run, a);
    if (session &&
        (a->contradicted >= 0 ||
         bestdag_session_evidence(a->run, session) == -INFINITY) &&
        !bestdag_run_status(a->run))
        bestdag_asking_refuse(a, session);
    bestdag_session_free(session);
    return bestdag_run_status(a->run);
}

int bestdag_row_sessions_init(struct bestdag_row_sessions *s,
                              const struct bestdag_table *table)
{
    struct bestdag_run *run = s->a->run;
    s->rows = s->count = table->rows;
    if (find_sources(s, table))
        return bestdag_run_status(run);
    int *list = bestdag_alloc(run, ((size_t)s->sources + 1) * sizeof *list);
    for (int i = 0; list && i < s->sources; i++)
        list[i] = s->source[i].variable;
    if (list)
        bestdag_asking_compile(s->a, list, s->sources);
    bestdag_free(list);
    return bestdag_run_status(run) ? bestdag_run_status(run)
                                   : check_query(s->a);
}

void bestdag_row_sessions_release(struct bestdag_row_sessions *s)
{
    for (int i = 0; i < s->sources; i++)
        bestdag_encoder_release(&s->source[i].encoder);
    bestdag_free(s->source);
    s->source = NULL;
    s->sources = 0;
}

int bestdag_row_sessions_run(struct bestdag_row_sessions *s, void *job,
                             int (*work)(void *job, int64_t block, int worker))
{
    struct bestdag_run *run = s->a->run;
    int64_t items = (s->count + BLOCK - 1) / BLOCK, done = 0;
    struct bestdag_work all = {.job = job, .items = items, .work = work};
    bestdag_run_phase(run, "answering", items);
    if (!new_workers(s, items)) {
        all.threads = s->threads;
        bestdag_parallel(run, &all, &done);
    }
    free_workers(s);
    if (done < items && !bestdag_run_status(run))
        return bestdag_fail(run, BESTDAG_FAILED,
                            "stopped before all rows were answered");
    return bestdag_run_status(run);
}

int bestdag_row_sessions_encode(const struct bestdag_row_sessions *s,
                                int worker, int64_t block, int64_t *from)
{
    int64_t left = s->count - block * BLOCK;
    int n = left < BLOCK ? (int)left : BLOCK;
    *from = s->first + block * BLOCK;
    for (int i = 0; i < s->sources; i++)
        bestdag_encode(&s->source[i].encoder, *from, n,
                       s->worker[worker].code + i * BLOCK);
    return n;
}

static int set_source(const struct bestdag_row_sessions *s, int worker,
                      int source, int state)
{
    struct bestdag_row_worker *w = &s->worker[worker];
    int v = s->source[source].variable;
    const double *given = s->a->weight[v];
    int states = s->source[source].encoder.states;
    if (w->now[source] == state)
        return BESTDAG_OK;
    w->now[source] = state;
    if (!given)
        return bestdag_session_observe(w->run, w->session, v, state);
    if (state == BESTDAG_HOLE)
        return bestdag_session_weigh(w->run, w->session, v, given, states);
    for (int k = 0; k < states; k++)
        w->weight[k] = k == state ? given[k] : 0;
    return bestdag_session_weigh(w->run, w->session, v, w->weight, states);
}

int bestdag_row_sessions_tell(const struct bestdag_row_sessions *s, int worker,
                              int at, bool *is_excluded)
{
    *is_excluded = false;
    for (int i = 0; i < s->sources; i++) {
        int state = bestdag_row_state(s, worker, i, at);
        const double *given = s->a->weight[s->source[i].variable];
        if (state != BESTDAG_HOLE && given && !(given[state] > 0))
            *is_excluded = true;
        else if (set_source(s, worker, i, state))
            return bestdag_run_status(s->worker[worker].run);
    }
    return BESTDAG_OK;
}
