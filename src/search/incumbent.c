/* SPDX-License-Identifier: MIT */
/* incumbent.c -- the incumbent as an array of n integers. */
#include "search/incumbent.h"

#include <string.h>

static void incumbent(struct bestdag_task *task, const int32_t *from, int kind,
                      int64_t cost)
{
    struct bestdag_incumbent *d = task->incumbent;
    if (!d || !d->at || (d->kind && cost >= d->cost))
        return;
    memcpy(d->at, from, (size_t)task->n * sizeof *d->at);
    d->kind = kind;
    d->cost = cost;
}

void bestdag_task_keep_incumbent_order(struct bestdag_task *task,
                                       const int *order, int64_t cost)
{
    incumbent(task, order, BESTDAG_AN_ORDER, cost);
}

void bestdag_task_keep_incumbent_sets(struct bestdag_task *task,
                                      const int32_t *choice, int64_t cost)
{
    incumbent(task, choice, BESTDAG_SETS, cost);
}

/* Solvers on the table do not record one. */
int bestdag_incumbent_open(struct bestdag_task *task,
                           struct bestdag_incumbent *incumbent)
{
    task->incumbent = incumbent;
    if (task->problem)
        incumbent->at = bestdag_alloc(task->run, ((size_t)task->n + 1) *
                                                     sizeof *incumbent->at);
    return bestdag_run_status(task->run);
}

struct bestdag_dag *bestdag_incumbent_dag(const struct bestdag_task *task)
{
    const struct bestdag_incumbent *d = task->incumbent;
    if (d->kind == BESTDAG_AN_ORDER)
        return bestdag_order_dag(task->run, task->problem, d->at, NULL);
    return d->kind == BESTDAG_SETS
               ? bestdag_problem_dag(task->run, task->problem, d->at)
               : NULL;
}

void bestdag_incumbent_close(struct bestdag_task *task)
{
    bestdag_free(task->incumbent->at);
    task->incumbent = NULL;
}
