/* SPDX-License-Identifier: MIT */
/* universe.c -- the candidate parents of each variable: all that are not
 * constant, or the K of highest mutual information with it.
 *
 * N I(X; Y) = LL(X | Y) - LL(X): one pair to count for each Y, on all threads;
 * a thread holds n numbers and a variable keeps K, so 10,000 variables need a
 * few megabytes. Ties go to the variable that comes first. */
#include "parents/universe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parallel/parallel.h"
#include "scores/score.h"

struct ranked {
    int64_t information;
    int variable;
};

struct job {
    struct bestdag_plan *plan;
    int most;
    struct bestdag_desk **desk; /* owns; of each thread */
    struct ranked **ranked;     /* owns; [n] of each thread */
    int threads;
};

static int most_first(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->information != y->information)
        return x->information > y->information ? -1 : 1;
    return (x->variable > y->variable) - (x->variable < y->variable);
}

static int ascending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int keep(struct job *job, int child, struct ranked *ranked, int count)
{
    struct bestdag_plan *plan = job->plan;
    if (count > job->most) {
        qsort(ranked, (size_t)count, sizeof *ranked, most_first);
        count = job->most;
    }
    int *to = bestdag_alloc(plan->run, (size_t)count * sizeof *to);
    if (!to)
        return BESTDAG_MEMORY;
    for (int i = 0; i < count; i++)
        to[i] = ranked[i].variable;
    if (count)
        qsort(to, (size_t)count, sizeof *to, ascending);
    plan->candidate[child] = to;
    plan->candidates[child] = count;
    return BESTDAG_OK;
}

static int work(void *data, int64_t item, int worker)
{
    struct job *job = data;
    struct bestdag_plan *plan = job->plan;
    const struct bestdag_scorer *s = plan->scorer;
    struct ranked *ranked = job->ranked[worker];
    int child = (int)item, count = 0;
    bool rank = job->most < plan->n - 1;
    for (int v = 0; v < plan->n && s->states[child] > 1; v++) {
        struct bestdag_family family = {0};
        if (v == child || s->states[v] < 2)
            continue;
        if (rank && !bestdag_run_stopped(plan->run) &&
            bestdag_scorer_family(s, job->desk[worker], child, &v, 1, &family))
            return bestdag_run_status(plan->run);
        ranked[count++] = (struct ranked){family.likelihood, v};
    }
    return keep(job, child, ranked, count);
}

static int prepare(struct job *job)
{
    struct bestdag_plan *plan = job->plan;
    size_t n = (size_t)plan->n, threads = (size_t)job->threads;
    plan->candidate = bestdag_calloc(plan->run, n, sizeof *plan->candidate);
    plan->candidates = bestdag_calloc(plan->run, n, sizeof *plan->candidates);
    job->desk = bestdag_calloc(plan->run, threads, sizeof *job->desk);
    job->ranked = bestdag_calloc(plan->run, threads, sizeof *job->ranked);
    if (!plan->candidate || !plan->candidates || !job->desk || !job->ranked)
        return BESTDAG_MEMORY;
    for (int i = 0; i < job->threads; i++) {
        job->desk[i] = bestdag_desk_new(plan->run, plan->scorer);
        job->ranked[i] = bestdag_alloc(plan->run, n * sizeof **job->ranked);
        if (!job->desk[i] || !job->ranked[i])
            return BESTDAG_MEMORY;
    }
    return BESTDAG_OK;
}

static void release(struct job *job)
{
    for (int i = 0; i < job->threads; i++) {
        if (job->desk)
            bestdag_desk_free(job->desk[i]);
        if (job->ranked)
            bestdag_free(job->ranked[i]);
    }
    bestdag_free(job->desk);
    bestdag_free(job->ranked);
}

int bestdag_universe_restrict(struct bestdag_plan *plan,
                              const struct bestdag_options *options)
{
    int64_t most = bestdag_option_value(options, "candidates").integer;
    struct job job = {.plan = plan, .most = plan->n};
    struct bestdag_work w = {.job = &job, .items = plan->n, .work = work};
    bool constant = false;
    for (int v = 0; v < plan->n; v++)
        constant |= plan->scorer->states[v] < 2;
    plan->restricted = most > 0 && most < plan->n - 1;
    if (plan->restricted)
        job.most = (int)most;
    else if (!constant)
        return BESTDAG_OK;
    job.threads = bestdag_parallel_threads(plan->run, plan->n);
    bestdag_run_phase(plan->run, "mutual information", plan->n);
    if (!prepare(&job))
        bestdag_parallel(plan->run, &w, NULL);
    release(&job);
    return bestdag_run_status(plan->run);
}

/* The fewest states of a variable that was left out; 0: none was. */
static int least_excluded(const struct bestdag_plan *plan, int child)
{
    const int *states = plan->scorer->states;
    int least = 0, next = 0, count = bestdag_plan_candidates(plan, child);
    for (int v = 0; v < plan->n && count < plan->n - 1; v++) {
        if (next < count && bestdag_plan_candidate(plan, child, next) == v)
            next++;
        else if (v != child && states[v] > 1 && (!least || states[v] < least))
            least = states[v];
    }
    return least;
}

double bestdag_universe_ceiling(const struct bestdag_plan *plan, int child)
{
    const struct bestdag_scorer *s = plan->scorer;
    int least = least_excluded(plan, child), states = s->states[child];
    double slack = ((double)s->total + 16) / s->scale;
    if (!least || states < 2 || plan->max_parents == 0)
        return -INFINITY;
    if (s->arc_cost < 0)
        return INFINITY;
    if (s->type->pruning == BESTDAG_PRUNE_PENALTY)
        return slack - s->weight * (states - 1) * least - s->arc_cost;
    if (s->type->pruning == BESTDAG_PRUNE_URN)
        return slack - log(states) - s->arc_cost;
    return INFINITY;
}
