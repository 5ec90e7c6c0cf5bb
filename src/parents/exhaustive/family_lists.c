/* SPDX-License-Identifier: MIT */
/* family_lists.c -- complete lists by a score's own enumeration. */
#include "parents/exhaustive/family_lists.h"

#include <math.h>

#include "parallel/parallel.h"
#include "parents/candidate_parents.h"
#include "scores/score.h"

/* Sets of a child between two checks of the clock. */
enum { LOOK = 256 };

struct job {
    struct bestdag_plan *plan;
    int *child;                              /* owns; [items] */
    int64_t *scored;                         /* owns; [items] */
    bool *ended;                             /* owns; [items] */
    struct bestdag_scorer_scratch **scratch; /* owns; [threads] */
    struct bestdag_collector **collector;    /* owns; [threads] */
    int **sorted;                            /* owns; [threads][n] */
    int **candidate;                         /* owns; [threads][n] */
    int threads;
};

/* One child. */
struct visit {
    struct job *job;
    int64_t item;
    int worker;
    double deadline; /* 0: none */
    int64_t next;    /* when to check the clock */
};

bool bestdag_family_lists_can(const struct bestdag_plan *plan)
{
    const struct bestdag_scorer *s = plan->scorer;
    return s->type->families && s->type->families->list &&
           s->type->families->can_list(s) && s->arc_cost >= 0 && plan->prune &&
           !plan->trace;
}

static int take_set(void *user, const int *set, int count, int64_t score)
{
    const struct visit *v = user;
    const struct job *job = v->job;
    int *to = job->sorted[v->worker];
    for (int i = 0; i < count; i++) {
        int j = i;
        for (; j > 0 && to[j - 1] > set[i]; j--)
            to[j] = to[j - 1];
        to[j] = set[i];
    }
    return bestdag_collector_add(job->collector[v->worker], to, count,
                                 bestdag_scorer_nats(job->plan->scorer, score));
}

static bool must_end(void *user, int64_t looked)
{
    struct visit *v = user;
    struct job *job = v->job;
    job->scored[v->item] = looked;
    if (looked >= v->next) {
        v->next = looked + LOOK;
        if (bestdag_run_stopped(job->plan->run) ||
            (v->deadline > 0 && bestdag_seconds() >= v->deadline))
            job->ended[v->item] = true;
    }
    return job->ended[v->item];
}

/* An upper bound on the scores of sets with at least one parent. */
static double ceiling(const struct bestdag_scorer *s, int child)
{
    int parent = child ? 0 : 1;
    if (s->pruning != BESTDAG_PRUNE_PENALTY)
        return INFINITY;
    return bestdag_scorer_nats(s,
                               -bestdag_scorer_penalty(s, child, &parent, 1));
}

static int work(void *data, int64_t item, int worker)
{
    struct job *job = data;
    struct bestdag_plan *plan = job->plan;
    int child = job->child[item], limit = bestdag_plan_limit(plan, child);
    struct bestdag_list *list = &plan->sets->list[child];
    struct visit visit = {.job = job, .item = item, .worker = worker};
    struct bestdag_family_search search = {
        .child = child,
        .candidate = job->candidate[worker],
        .candidates = bestdag_plan_candidates(plan, child),
        .user = &visit,
        .take = take_set,
        .must_end = must_end};
    for (int i = 0; i < search.candidates; i++)
        job->candidate[worker][i] = bestdag_plan_candidate(plan, child, i);
    search.limit =
        limit >= 0 && limit < search.candidates ? limit : search.candidates;
    if (plan->is_timed)
        visit.deadline = bestdag_seconds() + plan->seconds;
    if (bestdag_scorer_list(plan->scorer, job->scratch[worker], &search) ||
        bestdag_collector_finish(job->collector[worker], true, list))
        return bestdag_run_status(plan->run);
    list->max_parents = plan->max_parents;
    list->ceiling = job->ended[item] ? ceiling(plan->scorer, child) : -INFINITY;
    double left_out = bestdag_candidate_parents_ceiling(plan, child);
    if (list->ceiling < left_out)
        list->ceiling = left_out;
    return BESTDAG_OK;
}

static int take(void *data, int64_t item)
{
    struct job *job = data;
    if (!job->ended[item] || !bestdag_run_stopped(job->plan->run))
        return bestdag_plan_finish(job->plan, job->child[item],
                                   job->scored[item]);
    job->plan->sets->scored += job->scored[item];
    return BESTDAG_OK;
}

static int prepare(struct job *job)
{
    struct bestdag_run *run = job->plan->run;
    size_t n = (size_t)job->plan->n + 1, threads = (size_t)job->threads;
    job->child = bestdag_alloc(run, n * sizeof *job->child);
    job->scored = bestdag_calloc(run, n, sizeof *job->scored);
    job->ended = bestdag_calloc(run, n, sizeof *job->ended);
    job->scratch = bestdag_calloc(run, threads, sizeof *job->scratch);
    job->collector = bestdag_calloc(run, threads, sizeof *job->collector);
    job->sorted = bestdag_calloc(run, threads, sizeof *job->sorted);
    job->candidate = bestdag_calloc(run, threads, sizeof *job->candidate);
    for (int i = 0; i < job->threads && !bestdag_run_status(run); i++) {
        job->scratch[i] = bestdag_scorer_scratch_new(run, job->plan->scorer);
        job->collector[i] = bestdag_collector_new(run);
        job->sorted[i] = bestdag_alloc(run, n * sizeof **job->sorted);
        job->candidate[i] = bestdag_alloc(run, n * sizeof **job->candidate);
    }
    return bestdag_run_status(run);
}

static void release(struct job *job)
{
    for (int i = 0; i < job->threads; i++) {
        if (job->scratch)
            bestdag_scorer_scratch_free(job->scratch[i]);
        if (job->collector)
            bestdag_collector_free(job->collector[i]);
        if (job->sorted)
            bestdag_free(job->sorted[i]);
        if (job->candidate)
            bestdag_free(job->candidate[i]);
    }
    bestdag_free(job->scratch);
    bestdag_free(job->collector);
    bestdag_free(job->sorted);
    bestdag_free(job->candidate);
    bestdag_free(job->child);
    bestdag_free(job->scored);
    bestdag_free(job->ended);
}

int bestdag_family_lists_find(struct bestdag_plan *plan, const bool *is_taken)
{
    struct job job = {.plan = plan,
                      .threads = bestdag_parallel_threads(plan->run, plan->n)};
    struct bestdag_work w = {.job = &job, .work = work, .take = take};
    if (!prepare(&job)) {
        for (int v = 0; v < plan->n; v++)
            if (!is_taken[v])
                job.child[w.items++] = v;
        bestdag_run_phase(plan->run, "scoring", w.items);
        bestdag_parallel(plan->run, &w, NULL);
    }
    release(&job);
    return bestdag_run_status(plan->run);
}
