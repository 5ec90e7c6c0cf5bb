/* SPDX-License-Identifier: MIT */
/* arc_strength.c -- the score lost without an arc, for every arc of a network:
 *
 *     lost(u -> v) = local(v | P) - local(v | P - u).
 *
 * Cost: one family per arc in addition to one per variable. Threads share the
 * variables; each variable has its own elements of the output. */
#include "learn/arc_strength.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "parallel/parallel.h"

/* ---- from the lists ------------------------------------------------------ */

/* Copies all parents but the i-th; `to` has room for count - 1. */
static void leave_out(const struct bestdag_parents *p, int i, int *to)
{
    assert(i >= 0 && i < p->count);
    memcpy(to, p->at, (size_t)i * sizeof *to);
    memcpy(to + i, p->at + i + 1, (size_t)(p->count - i - 1) * sizeof *to);
}

static int most_parents(const struct bestdag_dag *dag)
{
    int most = 1;
    for (int v = 0; v < dag->n; v++)
        most = dag->parents[v].count > most ? dag->parents[v].count : most;
    return most;
}

static int look_up(const struct bestdag_task *task,
                   const struct bestdag_dag *dag, const int64_t *start,
                   double *lost)
{
    const struct bestdag_problem *p = task->problem;
    int *rest =
        bestdag_alloc(task->run, (size_t)most_parents(dag) * sizeof *rest);
    for (int v = 0; rest && v < dag->n; v++) {
        const struct bestdag_parents *own = &dag->parents[v];
        const double *score = p->sets->list[v].score;
        int whole = bestdag_problem_find(p, v, own->at, own->count);
        for (int i = 0; i < own->count && whole >= 0; i++) {
            leave_out(own, i, rest);
            int part = bestdag_problem_find(p, v, rest, own->count - 1);
            if (part >= 0)
                lost[start[v] + i] = score[whole] - score[part];
        }
    }
    bestdag_free(rest);
    return bestdag_run_status(task->run);
}

/* ---- from the table ------------------------------------------------------ */

struct scale {
    const struct bestdag_scorer *scorer;
    const struct bestdag_dag *dag;
    const int64_t *start;
    double *lost;
    int threads, room;                       /* room: elements of `rest` per
                                                worker */
    struct bestdag_scorer_scratch **scratch; /* owns; [threads] */
    int *rest;                               /* owns; [threads * room] */
};

static double weigh(const struct scale *s, int64_t whole, int64_t part)
{
    return part <= BESTDAG_NO_PARAMETERS
               ? (double)INFINITY
               : bestdag_scorer_nats(s->scorer, whole - part);
}

static int weigh_parents(void *job, int64_t item, int worker)
{
    struct scale *s = job;
    int v = (int)item, *rest = s->rest + (size_t)worker * (size_t)s->room;
    const struct bestdag_parents *p = &s->dag->parents[v];
    struct bestdag_scorer_scratch *scratch = s->scratch[worker];
    struct bestdag_family whole, part;
    if (!p->count)
        return BESTDAG_OK;
    int status =
        bestdag_scorer_family(s->scorer, scratch, v, p->at, p->count, &whole);
    /* the last parent first, so that counts of the parents before it are
     * reused */
    for (int i = p->count - 1; i >= 0 && !status; i--) {
        leave_out(p, i, rest);
        status = bestdag_scorer_family(s->scorer, scratch, v, rest,
                                       p->count - 1, &part);
        if (!status)
            s->lost[s->start[v] + i] = weigh(s, whole.score, part.score);
    }
    return status;
}

/* The number of scratches that fit into memory: each holds two numbers per row
 * for each parent, and tables. */
static int affordable(const struct bestdag_run *run, const struct scale *s)
{
    int64_t limit = bestdag_memory_limit(run);
    int64_t scratch = s->scorer->table->rows * 8 * (s->room + 2) + (1 << 20);
    int64_t scratches = (limit - bestdag_memory_used(run)) / scratch;
    return !limit || scratches > s->threads ? s->threads : (int)scratches;
}

static int weigh_all(struct bestdag_run *run, struct scale *s)
{
    struct bestdag_work work = {
        .job = s, .items = s->dag->n, .work = weigh_parents};
    int64_t done;
    s->scratch = bestdag_calloc(run, (size_t)s->threads, sizeof *s->scratch);
    s->rest = bestdag_calloc(run, (size_t)s->threads * (size_t)s->room,
                             sizeof *s->rest);
    for (int t = 0; s->scratch && s->rest && t < s->threads; t++)
        s->scratch[t] = bestdag_scorer_scratch_new(run, s->scorer);
    bestdag_run_phase(run, "weighing", s->dag->n);
    if (!bestdag_run_status(run))
        bestdag_parallel(run, &work, &done);
    for (int t = 0; s->scratch && t < s->threads; t++)
        bestdag_scorer_scratch_free(s->scratch[t]);
    bestdag_free(s->scratch);
    bestdag_free(s->rest);
    return bestdag_run_status(run);
}

/* Where little memory is left, arcs have no strengths: better than no
 * network. */
static bool find_room(struct bestdag_run *run, struct scale *s)
{
    s->threads = bestdag_parallel_threads(run, s->dag->n);
    s->room = most_parents(s->dag);
    s->threads = affordable(run, s);
    if (s->threads < 1)
        bestdag_note(run, 0, "not enough memory to compute arc strengths");
    return s->threads >= 1;
}

/* Runs in its own slice: if the run was stopped, this may still take a
 * second. */
static int count_anew(struct bestdag_run *run, struct scale *s)
{
    enum { SECONDS = 1 };
    if (!find_room(run, s))
        return BESTDAG_OK;
    bool is_over = bestdag_run_stopped(run);
    struct bestdag_slice_limits share = {.reports = true,
                                         .threads = s->threads};
    struct bestdag_run *slice = bestdag_run_slice(run, share);
    if (!slice)
        return bestdag_run_status(run);
    double least = bestdag_seconds() + SECONDS;
    if (is_over)
        slice->outer = NULL;
    if (is_over || (slice->deadline > 0 && slice->deadline < least))
        slice->deadline = least;
    weigh_all(slice, s);
    slice->outer = run;
    return bestdag_run_join(slice);
}

int bestdag_strength_measure(const struct bestdag_task *task,
                             const struct bestdag_dag *dag,
                             const int64_t *start, double *lost)
{
    struct scale scale = {
        .scorer = task->scorer, .dag = dag, .start = start, .lost = lost};
    for (int64_t a = 0; a < start[dag->n]; a++)
        lost[a] = (double)NAN;
    if (!start[dag->n])
        return BESTDAG_OK;
    if (task->scorer)
        return count_anew(task->run, &scale);
    return task->problem ? look_up(task, dag, start, lost) : BESTDAG_OK;
}
