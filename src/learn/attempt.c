/* SPDX-License-Identifier: MIT */
/* attempt.c -- a search as a coroutine. */
#include "learn/attempt.h"

#include <assert.h>
#include <math.h>

#include "base/coroutine.h"
#include "search/incumbent.h"

/* A prover may use 1/MEMORY_SHARE of the memory that is left, if memory is
 * limited: other provers and later stages need some. */
enum { MEMORY_SHARE = 2 };
/* A turn that spends less than this counts as waiting. */
#define LEAST 1e-7

static void search(void *argument)
{
    struct bestdag_attempt *a = argument;
    bestdag_search(&a->task, &a->outcome);
}

int bestdag_attempt_begin(struct bestdag_attempt *a,
                          const struct bestdag_task *task)
{
    struct bestdag_run *run = task->run;
    int64_t limit = bestdag_memory_limit(run);
    int64_t left = limit - bestdag_memory_used(run);
    struct bestdag_slice_limits share = {.reports = true,
                                         .bytes = !limit ? 0
                                                  : left > MEMORY_SHARE
                                                      ? left / MEMORY_SHARE
                                                      : 1};
    *a = (struct bestdag_attempt){.task = *task,
                                  .given = a->given,
                                  .is_optional = a->is_optional,
                                  .is_detached = a->is_detached,
                                  .outer = run,
                                  .bound = {INFINITY, INFINITY},
                                  .cost = INT64_MAX};
    a->task.turn = &a->turn;
    a->task.checkpoint = NULL; /* a new search gives the same answer */
    a->task.run = bestdag_run_slice(run, share);
    if (!a->task.run)
        return bestdag_run_status(run);
    a->task.run->seed = run->seed;
    a->task.run->checkpoint = NULL;
    if (a->is_detached) {
        a->task.run->outer = NULL;
        a->task.run->on_progress = NULL;
        a->task.run->deadline = 0;
    }
    a->coroutine = bestdag_coroutine_new(run, search, a);
    a->turn.coroutine = a->task.run->inside = a->coroutine;
    a->is_begun = a->coroutine != NULL;
    return bestdag_run_status(run);
}

/* Passes an error of the search on to the run, unless the attempt is optional
 * and lacked memory. */
static void finish(struct bestdag_attempt *a)
{
    a->is_over = true;
    a->turn.work = fmax(a->turn.work, a->outcome.work);
    bestdag_coroutine_free(a->coroutine);
    a->task.run->outer = a->outer;
    if (a->is_optional && bestdag_run_status(a->task.run) == BESTDAG_MEMORY)
        bestdag_run_free(a->task.run);
    else
        bestdag_run_join(a->task.run);
    a->coroutine = NULL;
    a->task.run = NULL;
}

double bestdag_attempt_take_turn(struct bestdag_attempt *a, double amount,
                                 const struct bestdag_dag *start,
                                 bool is_better)
{
    double before = a->spent;
    assert(a->is_begun && !a->is_over);
    a->given += amount;
    if (a->given <= a->spent)
        return 0;
    a->turn.most = a->given;
    a->turn.is_better = is_better;
    a->task.start = start;
    if (!bestdag_coroutine_resume(a->coroutine))
        finish(a);
    a->spent = a->turn.work;
    if (a->spent <= before + LEAST) { /* it waited: the rest of its amount is
                                         forfeited */
        a->given = a->spent;
        return 0;
    }
    a->bound[0] = a->bound[1];
    a->after[0] = a->after[1];
    a->bound[1] = a->task.bound;
    a->after[1] = a->spent;
    return a->spent - before;
}

struct bestdag_dag *bestdag_attempt_network(struct bestdag_attempt *a)
{
    const struct bestdag_incumbent *incumbent = a->task.incumbent;
    struct bestdag_dag *dag = NULL;
    if (a->is_over) {
        dag = a->outcome.dag;
        a->outcome.dag = NULL;
    } else if (incumbent && incumbent->kind && incumbent->cost < a->cost) {
        a->cost = incumbent->cost;
        dag = bestdag_incumbent_dag(&a->task);
    } else if (a->turn.finds > a->finds) {
        a->finds = a->turn.finds;
        dag = bestdag_dag_copy(a->task.run, a->turn.found);
    }
    return dag;
}

double bestdag_attempt_forecast(const struct bestdag_attempt *a, double score)
{
    assert(bestdag_attempt_is_known(a));
    double grown = log(a->after[1] / a->after[0]);
    double slope = (a->bound[0] - a->bound[1]) / grown;
    double gap = a->bound[1] - score;
    return !(grown > 0) || !(slope > 0)
               ? INFINITY
               : a->after[1] * (exp(fmin(gap / slope, 100)) - 1);
}

void bestdag_attempt_stop(struct bestdag_attempt *a,
                          const struct bestdag_dag *start)
{
    if (!a->is_begun || a->is_over)
        return;
    bestdag_run_stop(a->task.run);
    a->turn.most = INFINITY;
    a->turn.is_better = false;
    a->task.start = start;
    while (bestdag_coroutine_resume(a->coroutine))
        ;
    finish(a);
}

void bestdag_attempt_release(struct bestdag_attempt *a)
{
    assert(!a->is_begun || a->is_over);
    bestdag_dag_free(a->outcome.dag);
    *a = (struct bestdag_attempt){0};
}
