/* SPDX-License-Identifier: MIT */
/* incumbent.c -- one climb over insertions, and what acyclic selection adds. */
#include "search/incumbent.h"

#include <math.h>

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

void bestdag_incumbent_part(const struct bestdag_component *component,
                            const int *rank, int *order)
{
    for (int i = 0; i < component->n; i++) {
        int v = component->variable[i], k = i;
        for (; k > 0 && rank[order[k - 1]] > rank[v]; k--)
            order[k] = order[k - 1];
        order[k] = v;
    }
}

int bestdag_incumbent_answer(struct bestdag_task *task, const int *order,
                             int64_t least, struct bestdag_answer *to)
{
    const struct bestdag_problem *p = task->problem;
    int64_t cost = 0;
    to->dag = bestdag_order_dag(task->run, p, order, &cost);
    if (!to->dag)
        return bestdag_run_status(task->run);
    /* what rounding to units may have taken, as the door allows for */
    to->bound = bestdag_problem_nats(p, least) + ldexp((double)p->n, -p->shift);
    bestdag_task_tell(task, bestdag_problem_nats(p, cost), 0);
    return BESTDAG_OK;
}
