/* SPDX-License-Identifier: MIT */
#include "search/solver.h"
static int solve(struct bestdag_task *task, struct bestdag_answer *to)
{
    int *order = bestdag_alloc(task->run, (size_t)task->n * sizeof *order);
    for (int v = 0; order && v < task->n; v++)
        order[v] = v;
    to->dag = order ? bestdag_order_dag(task->run, task->problem, order, NULL) : NULL;
    bestdag_free(order);
    return bestdag_run_status(task->run);
}
const struct bestdag_solver bestdag_solver_orders = {.name = "orders", .help = "x", .solve = solve};
