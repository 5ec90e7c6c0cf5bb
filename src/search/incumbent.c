/* SPDX-License-Identifier: MIT */
/* incumbent.c -- one climb over insertions, and what acyclic selection adds. */
#include "search/incumbent.h"

#include "search/placing.h"

static int begin(const struct bestdag_task *task, int *order)
{
    if (task->start) /* it has no cycle: all are placed */
        return bestdag_dag_order(task->run, task->start, order) < 0;
    for (int i = 0; i < task->n; i++)
        order[i] = i;
    return BESTDAG_OK;
}

int bestdag_incumbent_find(struct bestdag_task *task, int *order,
                           int64_t *steps)
{
    const struct bestdag_problem *problem = task->problem;
    struct bestdag_placing *p = NULL;
    if (!begin(task, order))
        p = bestdag_placing_new(task->run, problem);
    if (!p)
        return bestdag_run_status(task->run);
    p->random = bestdag_random_init(task->run->seed, 0);
    bestdag_placing_set(p, order);
    bestdag_placing_climb(p);
    bestdag_placing_lift(p);
    int status = p->status ? p->status : bestdag_placing_get(p, order);
    *steps += p->steps;
    if (!status && p->cost < problem->none)
        bestdag_task_tell(task, bestdag_problem_nats(problem, p->cost), 0);
    bestdag_placing_free(p);
    return status;
}
