/* SPDX-License-Identifier: MIT */
/* explore_all.c -- explores all variables, with one explorer per thread; lists
 * are taken in the order of the variables. */
#include <math.h>
#include <string.h>

#include "parallel/parallel.h"
#include "parents/anytime/explorer.h"
#include "parents/ruled/marked_classes.h"
#include "parents/ruled/ruled_lists.h"
#include "parents/trace.h"

struct yield {
    int64_t scored;
    bool final;  /* not cut short by the end of the run */
    char *trace; /* owns */
};

struct job {
    struct bestdag_plan *plan;
    bestdag_explore_fn *explore;
    int *child;                              /* owns; [items] */
    struct yield *yield;                     /* owns; [items] */
    struct bestdag_explorer *explorer;       /* owns; [threads] */
    struct bestdag_collector **collector;    /* owns; [threads] */
    struct bestdag_marked_classes *markings; /* owns; [threads] */
    struct bestdag_distinct *rows;           /* owns */
    int threads;
};

/* A set known to be worse than a subset would only be sorted and dropped. */
static bool is_listed(const struct bestdag_explorer *e,
                      const struct bestdag_record *r)
{
    return r->scored && r->obeys && !(e->prune && r->score < r->best);
}

static int collect(struct bestdag_explorer *e, struct bestdag_collector *c)
{
    for (int64_t i = 0; i < e->records; i++) {
        const struct bestdag_record *r = &e->record[i];
        const int *set = e->member + r->start;
        double score = bestdag_scorer_nats(e->scorer, r->score);
        if (is_listed(e, r) &&
            (e->markings ? bestdag_marked_classes_add(e->markings, c, set,
                                                      r->count, score)
                         : bestdag_collector_add(c, set, r->count, score)))
            return BESTDAG_MEMORY;
    }
    return BESTDAG_OK;
}

/* Explores a child that rules constrain, class by class. */
static int explore_classes(struct job *job, int child, int worker)
{
    struct bestdag_explorer *e = &job->explorer[worker];
    struct bestdag_marked_classes *m = &job->markings[worker];
    struct bestdag_explorer_turn turn = {
        .markings = m, .floor = INT64_MIN, .first = true};
    struct bestdag_list *list = &job->plan->sets->list[child];
    if (job->plan->seconds > 0)
        turn.end = bestdag_seconds() + job->plan->seconds;
    int64_t ground = INT64_MIN, most = bestdag_plan_most(job->plan, child);
    bool ended = false;
    bestdag_marked_classes_start(m, child);
    if (m->required > m->limit)
        return bestdag_marked_classes_refuse(m);
    for (double left = m->classes; !ended && bestdag_marked_classes_next(m);
         left -= 1) {
        turn.floor = m->floors ? ground : INT64_MIN;
        turn.share = 1 / (left > 1 ? left : 1);
        if (bestdag_explorer_begin(e, &turn) || job->explore(e) ||
            collect(e, job->collector[worker]))
            return bestdag_run_status(e->run);
        if (!m->count && e->record[0].obeys)
            ground = e->record[0].score;
        turn.first = false;
        ended = bestdag_run_stopped(e->run) || (most && e->scored >= most) ||
                (turn.end > 0 && bestdag_seconds() >= turn.end);
    }
    if (ended) /* some classes may be missing */
        bestdag_explorer_give_up(e, bestdag_marked_classes_bound(m));
    if (bestdag_marked_classes_finish(m, job->collector[worker], list))
        return bestdag_run_status(e->run);
    return list->count || e->ceiling > -INFINITY
               ? BESTDAG_OK
               : bestdag_marked_classes_refuse(m);
}

static int explore_child(struct job *job, int child, int worker)
{
    struct bestdag_explorer *e = &job->explorer[worker];
    struct bestdag_list *to = &job->plan->sets->list[child];
    if (bestdag_explorer_start(e, child) || job->explore(e) ||
        collect(e, job->collector[worker]))
        return bestdag_run_status(e->run);
    return bestdag_collector_finish(job->collector[worker], e->prune, to);
}

static int work(void *data, int64_t item, int worker)
{
    struct job *job = data;
    struct bestdag_explorer *e = &job->explorer[worker];
    struct yield *yield = &job->yield[item];
    int child = job->child[item];
    const struct bestdag_knowledge *k = job->plan->knowledge;
    struct bestdag_list *list = &job->plan->sets->list[child];
    if (k && bestdag_knowledge_constrains(k, child)
            ? explore_classes(job, child, worker)
            : explore_child(job, child, worker))
        return bestdag_run_status(e->run);
    list->ceiling = e->ceiling;
    list->max_parents = e->plan->max_parents;
    yield->scored = e->scored;
    yield->final = !bestdag_run_stopped(e->run) || !e->ended;
    if (e->tracing && e->trace.length)
        yield->trace = bestdag_strndup(e->run, e->trace.at, e->trace.length);
    return bestdag_run_status(e->run);
}

static int take(void *data, int64_t item)
{
    struct job *job = data;
    struct yield *yield = &job->yield[item];
    int child = job->child[item];
    bestdag_trace_write(job->plan, child, yield->trace);
    bestdag_free(yield->trace);
    yield->trace = NULL;
    if (yield->final)
        return bestdag_plan_finish(job->plan, child, yield->scored);
    job->plan->sets->scored += yield->scored;
    return BESTDAG_OK;
}

static int pass(void *data, int64_t item, struct bestdag_archive *p)
{
    struct job *job = data;
    struct bestdag_run *run = job->plan->run;
    struct yield *yield = &job->yield[item];
    BESTDAG_PASS(p, yield->scored);
    BESTDAG_PASS(p, yield->final);
    bestdag_archive_text(p, run, &yield->trace);
    bestdag_list_pass(run, &job->plan->sets->list[job->child[item]], p);
    return bestdag_run_status(run);
}

static int prepare(struct job *job)
{
    struct bestdag_plan *plan = job->plan;
    size_t n = (size_t)plan->n, threads = (size_t)job->threads;
    job->child = bestdag_alloc(plan->run, n * sizeof *job->child);
    job->yield = bestdag_calloc(plan->run, n, sizeof *job->yield);
    job->explorer = bestdag_calloc(plan->run, threads, sizeof *job->explorer);
    job->collector = bestdag_calloc(plan->run, threads, sizeof *job->collector);
    job->markings = bestdag_calloc(plan->run, threads, sizeof *job->markings);
    if (plan->scorer->columns &&
        !bestdag_columns_are_sharded(plan->scorer->columns))
        job->rows = bestdag_distinct_new(plan->run, plan->scorer->table);
    if (bestdag_run_status(plan->run))
        return BESTDAG_MEMORY;
    for (int i = 0; i < job->threads; i++) {
        job->collector[i] = bestdag_collector_new(plan->run);
        if (!job->collector[i] ||
            bestdag_marked_classes_init(&job->markings[i], plan) ||
            bestdag_explorer_init(&job->explorer[i], plan, job->rows))
            return bestdag_run_status(plan->run);
    }
    return BESTDAG_OK;
}

static void release(struct job *job)
{
    for (int i = 0; i < job->threads; i++) {
        if (job->explorer)
            bestdag_explorer_release(&job->explorer[i]);
        if (job->markings)
            bestdag_marked_classes_release(&job->markings[i]);
        if (job->collector)
            bestdag_collector_free(job->collector[i]);
    }
    for (int i = 0; job->yield && i < job->plan->n; i++)
        bestdag_free(job->yield[i].trace);
    bestdag_free(job->child);
    bestdag_free(job->yield);
    bestdag_free(job->explorer);
    bestdag_free(job->collector);
    bestdag_free(job->markings);
    bestdag_distinct_free(job->rows);
}

int bestdag_plan_explore(struct bestdag_plan *plan, bestdag_explore_fn *explore)
{
    struct job job = {.plan = plan, .explore = explore};
    struct bestdag_work w = {
        .job = &job, .work = work, .take = take, .pass = pass};
    job.threads = bestdag_parallel_threads(plan->run, plan->n);
    if (!prepare(&job)) {
        for (int v = 0; v < plan->n; v++)
            if (!plan->is_done[v] && !bestdag_plan_constrains(plan, v))
                job.child[w.items++] = v;
        bestdag_run_phase(plan->run, "scoring", w.items);
        bestdag_parallel(plan->run, &w, NULL);
    }
    release(&job);
    return bestdag_run_status(plan->run);
}
