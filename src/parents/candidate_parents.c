/* SPDX-License-Identifier: MIT */
/* candidate_parents.c -- the candidate parents of each variable: all that are
 * not constant and that the rules allow, or the K of these with the highest
 * mutual information.
 *
 * N I(X; Y) = LL(X | Y) - LL(X): one pair is counted for each Y, on all
 * threads; a thread holds n families and a variable keeps K, so 10,000
 * variables need a few megabytes. Ties go to the first variable. */
#include "parents/candidate_parents.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "constraints/deduction/compile.h"
#include "parallel/parallel.h"
#include "parents/likely_parents.h"
#include "parents/pair_workers.h"

struct job {
    struct bestdag_plan *plan;
    int most;
    struct bestdag_pair_workers workers; /* owns */
};

/* Replaces the root of a heap whose root is the worst element. */
static void sift_down(struct bestdag_ranked_parent *heap, int count,
                      struct bestdag_ranked_parent x)
{
    int i = 0;
    for (int child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count &&
            bestdag_ranked_is_better(&heap[child], &heap[child + 1]))
            child++;
        if (!bestdag_ranked_is_better(&x, &heap[child]))
            break;
        heap[i] = heap[child];
    }
    heap[i] = x;
}

static void sift_up(struct bestdag_ranked_parent *heap, int i,
                    struct bestdag_ranked_parent x)
{
    for (; i && bestdag_ranked_is_better(&heap[(i - 1) / 2], &x);
         i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = x;
}

/* Moves the best `most` to the front, in any order. */
static void select_best(struct bestdag_ranked_parent *ranked, int count,
                        int most)
{
    for (int i = 0; i < count; i++)
        if (i < most)
            sift_up(ranked, i, ranked[i]);
        else if (bestdag_ranked_is_better(&ranked[i], &ranked[0]))
            sift_down(ranked, most, ranked[i]);
}

static int ascending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int keep(struct job *job, int child,
                struct bestdag_ranked_parent *ranked, int count)
{
    struct bestdag_plan *plan = job->plan;
    if (count > job->most) {
        select_best(ranked, count, job->most);
        count = job->most;
    }
    int *to = bestdag_alloc(plan->run, (size_t)count * sizeof *to);
    if (!to)
        return BESTDAG_MEMORY;
    for (int i = 0; i < count; i++)
        to[i] = ranked[i].variable;
    if (count)
        qsort(to, (size_t)count, sizeof *to, ascending);
    assert(count <= job->most && bestdag_is_set(to, count, plan->n));
    plan->candidate[child] = to;
    plan->candidates[child] = count;
    return BESTDAG_OK;
}

static bool is_allowed(const struct bestdag_plan *plan, int child, int v)
{
    return plan->knowledge ? bestdag_knowledge_allows(plan->knowledge, child, v)
                           : v != child;
}

/* If the run is stopped, pairs that were not counted rank last. */
static int work(void *data, int64_t item, int worker)
{
    struct job *job = data;
    struct bestdag_plan *plan = job->plan;
    const int *states = plan->scorer->states;
    struct bestdag_ranked_parent *ranked = job->workers.at[worker].ranked;
    const struct bestdag_family *family = NULL;
    int child = (int)item, count = 0;
    if (states[child] < 2)
        return keep(job, child, ranked, 0);
    if (job->most < plan->n - 1) {
        family =
            bestdag_pairwise_score(job->workers.at[worker].pairwise, child);
        if (!family)
            return bestdag_run_status(plan->run);
    }
    for (int v = 0; v < plan->n; v++)
        if (states[v] > 1 && is_allowed(plan, child, v))
            ranked[count++] = (struct bestdag_ranked_parent){
                family && family[v].configurations >= 0 ? family[v].likelihood
                                                        : INT64_MIN,
                v};
    return keep(job, child, ranked, count);
}

static int pass(void *data, int64_t item, struct bestdag_archive *p)
{
    struct bestdag_plan *plan = ((struct job *)data)->plan;
    void *to = plan->candidate[item];
    int64_t count = plan->candidates[item];
    BESTDAG_PASS(p, count);
    bestdag_archive_array(p, plan->run, &to, count, sizeof(int));
    plan->candidate[item] = to;
    plan->candidates[item] = to ? (int)count : 0;
    return bestdag_run_status(plan->run);
}

static int prepare(struct job *job)
{
    struct bestdag_plan *plan = job->plan;
    size_t n = (size_t)plan->n;
    plan->candidate = bestdag_calloc(plan->run, n, sizeof *plan->candidate);
    plan->candidates = bestdag_calloc(plan->run, n, sizeof *plan->candidates);
    return plan->candidate && plan->candidates
               ? bestdag_pair_workers_init(&job->workers, plan->run,
                                           plan->scorer)
               : BESTDAG_MEMORY;
}

/* Copies the likely parents. */
static int copy_likely(struct bestdag_plan *plan)
{
    const struct bestdag_likely_parents *likely = plan->likely;
    size_t n = (size_t)plan->n;
    plan->restricted = true;
    plan->candidate = bestdag_calloc(plan->run, n, sizeof *plan->candidate);
    plan->candidates = bestdag_calloc(plan->run, n, sizeof *plan->candidates);
    for (int v = 0; plan->candidate && plan->candidates && v < plan->n; v++) {
        size_t bytes = (size_t)likely->count[v] * sizeof **plan->candidate;
        plan->candidate[v] = bestdag_alloc(plan->run, bytes);
        if (!plan->candidate[v])
            break;
        plan->candidates[v] = likely->count[v];
        if (bytes)
            memcpy(plan->candidate[v], likely->at[v], bytes);
    }
    return bestdag_run_status(plan->run);
}

int bestdag_candidate_parents_restrict(struct bestdag_plan *plan,
                                       const struct bestdag_options *options)
{
    int64_t most =
        bestdag_option_value(options, &bestdag_parents_options, "candidates")
            .integer;
    struct job job = {.plan = plan, .most = plan->n};
    struct bestdag_work w = {
        .job = &job, .items = plan->n, .work = work, .pass = pass};
    bool constant = false;
    for (int v = 0; v < plan->n; v++)
        constant |= plan->scorer->states[v] < 2;
    plan->restricted = most > 0 && most < plan->n - 1;
    if (plan->likely && !plan->complete && !plan->knowledge &&
        !plan->restricted)
        return copy_likely(plan);
    if (plan->restricted)
        job.most = (int)most;
    else if (!constant && !(plan->knowledge && plan->knowledge->allowed))
        return BESTDAG_OK;
    bestdag_run_phase(plan->run, "mutual information", plan->n);
    if (!prepare(&job))
        bestdag_parallel(plan->run, &w, NULL);
    bestdag_pair_workers_release(&job.workers);
    return bestdag_run_status(plan->run);
}

/* The fewest states of an excluded variable; 0: none is. */
static int least_excluded(const struct bestdag_plan *plan, int child)
{
    const int *states = plan->scorer->states;
    int least = 0, next = 0, count = bestdag_plan_candidates(plan, child);
    for (int v = 0; v < plan->n && count < plan->n - 1; v++) {
        if (next < count && bestdag_plan_candidate(plan, child, next) == v)
            next++;
        else if (is_allowed(plan, child, v) && states[v] > 1 &&
                 (!least || states[v] < least))
            least = states[v];
    }
    return least;
}

double bestdag_candidate_parents_ceiling(const struct bestdag_plan *plan,
                                         int child)
{
    const struct bestdag_scorer *s = plan->scorer;
    int least = least_excluded(plan, child), states = s->states[child];
    double slack = ((double)s->total + 16) / s->scale;
    if (!least || states < 2 || bestdag_plan_limit(plan, child) == 0)
        return -INFINITY;
    if (s->arc_cost < 0)
        return INFINITY;
    if (s->pruning == BESTDAG_PRUNE_PENALTY && s->additive)
        return slack - s->weight - s->arc_cost -
               bestdag_scorer_nats(s, s->base[child]);
    if (s->pruning == BESTDAG_PRUNE_PENALTY)
        return slack - s->weight * (states - 1) * least - s->arc_cost;
    if (s->pruning == BESTDAG_PRUNE_URN)
        return slack - log(states) - s->arc_cost;
    return INFINITY;
}
