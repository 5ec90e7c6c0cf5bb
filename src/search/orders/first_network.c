/* SPDX-License-Identifier: MIT */
/* first_network.c -- a short search over orders. */
#include "search/orders/first_network.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "base/work.h"
#include "search/orders/initial_order.h"
#include "search/orders/order_state.h"

/* Look-ups of the search; fewer where look-ups are slow, half at LONG_LIST. On
 * water1000, alarm1000, hailfinder and two generated problems the solver
 * `cluster` ends with the same answer; only its time changes
 * (bench/log/2026-11-17-sensitivity.csv). */
enum {
    LOOKUPS = 100000,            /* 50000..200000: time x 0.8..1 */
    LOOKUPS_PER_VARIABLE = 10000 /* 5000: time x 0.7..1, twice the nodes on 300
                                    variables; 20000: time x 1..1.1, no nodes */
};
enum { ISLANDS = 5 };   /* states of `orders`, including the common one */
#define LONG_LIST 500.0 /* sets per variable; 250..1000: time within noise */

double bestdag_lookup_work(const struct bestdag_problem *p)
{
    double sets = 0;
    for (int v = 0; v < p->n; v++)
        sets += (double)p->candidates[v].count;
    return BESTDAG_WORK_LOOKUP + BESTDAG_WORK_LOOKUP_SET * sets / (p->n + 1.0);
}

int64_t bestdag_first_network_steps(const struct bestdag_problem *p)
{
    int64_t n = p->n, sets = 0;
    for (int v = 0; v < p->n; v++)
        sets += p->candidates[v].count;
    double share =
        LONG_LIST * (double)n / (LONG_LIST * (double)n + (double)sets);
    return (int64_t)(share * (double)(LOOKUPS + LOOKUPS_PER_VARIABLE * n));
}

/* An order of a network over the lists that also obeys "order" rules. */
static int order_under_rules(const struct bestdag_task *task,
                             const struct bestdag_dag *dag, int *order)
{
    struct bestdag_random random = bestdag_random_init(task->run->seed, 0);
    struct bestdag_initial_order *draw =
        bestdag_initial_order_new(task->run, task->problem);
    int32_t *choice =
        bestdag_alloc(task->run, (size_t)task->n * sizeof *choice);
    if (draw && choice) {
        for (int v = 0; v < task->n; v++)
            choice[v] = bestdag_problem_find(
                task->problem, v, dag->parents[v].at, dag->parents[v].count);
        bestdag_initial_order_again(draw, &random, choice);
        memcpy(order, draw->order, (size_t)task->n * sizeof *order);
    }
    bestdag_free(choice);
    bestdag_initial_order_free(draw);
    return bestdag_run_status(task->run);
}

static int order_of(const struct bestdag_task *task,
                    const struct bestdag_dag *dag, int *order)
{
    if (task->knowledge && task->knowledge->needs & BESTDAG_NEEDS_ORDER)
        return order_under_rules(task, dag, order);
    return bestdag_dag_order(task->run, dag, order) < 0;
}

/* Runs `orders` on a copy of a task; order[n] becomes the order found, if
 * any. */
static int run_orders(struct bestdag_task *task, bool is_trial, int64_t most,
                      int *order, int64_t *steps)
{
    struct bestdag_answer found = {.bound = (double)NAN};
    task->solver = bestdag_solver_find("orders");
    task->steps = most;
    task->work = 0;
    task->checkpoint = NULL; /* it is short, and repeated after a resume */
    task->is_trial =
        is_trial ||
        (task->knowledge && (task->knowledge->needs & ~task->solver->takes));
    if (!task->solver->solve(task, &found) && found.dag)
        order_of(task, found.dag, order);
    assert(bestdag_run_status(task->run) ||
           bestdag_is_permutation(order, task->n));
    *steps += found.steps;
    bestdag_dag_free(found.dag);
    return bestdag_run_status(task->run);
}

int bestdag_first_network_find(struct bestdag_task *task, int64_t most,
                               int *order, int64_t *steps)
{
    struct bestdag_task quick = *task;
    for (int i = 0; i < task->n; i++)
        order[i] = i;
    return run_orders(&quick, false, most, order, steps);
}

/* Would `orders` fit into half of the memory left? */
static bool has_room(const struct bestdag_task *task)
{
    const struct bestdag_problem *p = task->problem;
    int64_t limit = bestdag_memory_limit(task->run);
    int64_t left = limit - bestdag_memory_used(task->run);
    return !limit || ISLANDS * (bestdag_order_state_bytes(p) + 8 * p->n) +
                             bestdag_initial_order_bytes(p) <
                         left / 2;
}

int bestdag_first_network_climb(struct bestdag_task *task, int64_t most,
                                int *order, int64_t *steps)
{
    struct bestdag_task quick = *task;
    if (!has_room(task))
        return BESTDAG_OK;
    struct bestdag_dag *start =
        bestdag_order_dag(task->run, task->problem, order, NULL);
    quick.start = start;
    quick.incumbent = NULL; /* the caller decides */
    if (start)
        run_orders(&quick, true, most, order, steps);
    bestdag_dag_free(start);
    return bestdag_run_status(task->run);
}

/* Are all families of the network listed? */
static bool has_listed(const struct bestdag_task *task,
                       const struct bestdag_dag *dag)
{
    int v = 0;
    while (v < task->n &&
           bestdag_problem_find(task->problem, v, dag->parents[v].at,
                                dag->parents[v].count) >= 0)
        v++;
    return v == task->n;
}

int bestdag_first_network_begin(struct bestdag_task *task, int64_t most,
                                int *order, int64_t *steps)
{
    if (!task->turn || !task->start || !has_listed(task, task->start))
        return bestdag_first_network_find(task, most, order, steps);
    order_of(task, task->start, order);
    return bestdag_run_status(task->run);
}

void bestdag_first_network_part(const struct bestdag_component *component,
                                const int *rank, int *order)
{
    for (int i = 0; i < component->n; i++) {
        int v = component->variable[i], k = i;
        for (; k > 0 && rank[order[k - 1]] > rank[v]; k--)
            order[k] = order[k - 1];
        order[k] = v;
    }
}

int bestdag_first_network_answer(struct bestdag_task *task, const int *order,
                                 int64_t least, struct bestdag_answer *to)
{
    const struct bestdag_problem *p = task->problem;
    int64_t cost = 0;
    to->dag = bestdag_order_dag(task->run, p, order, &cost);
    if (!to->dag)
        return bestdag_run_status(task->run);
    /* a resumed state may hold any bound, which is checked later */
    assert(least <= cost || task->is_resumed);
    to->bound = bestdag_problem_bound(p, least);
    bestdag_task_prove(task, p, least);
    bestdag_task_report(task, bestdag_problem_nats(p, cost), 0);
    return BESTDAG_OK;
}

int bestdag_first_network_only(struct bestdag_task *task,
                               struct bestdag_answer *to)
{
    bool is_timed = task->run->deadline > 0;
    int64_t most = is_timed ? 0 : bestdag_first_network_steps(task->problem);
    int *order = bestdag_alloc(task->run, (size_t)task->n * sizeof *order);
    if (order && !bestdag_first_network_find(task, most, order, &to->steps))
        bestdag_first_network_answer(task, order, 0, to);
    to->is_limited = true;
    bestdag_free(order);
    return bestdag_run_status(task->run);
}
