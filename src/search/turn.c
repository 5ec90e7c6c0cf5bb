/* SPDX-License-Identifier: MIT */
/* turn.c -- decides when a turn is over. */
#include "search/turn.h"

#include <math.h>

#include "base/coroutine.h"
#include "bounds/saved_clusters.h"

double bestdag_turn_left(const struct bestdag_task *task, double work)
{
    const struct bestdag_turn *t = task->turn;
    if (!t)
        return INFINITY;
    return fmax(t->most - work, 0);
}

bool bestdag_turn_is_over(struct bestdag_task *task, double work)
{
    if (task->turn)
        task->turn->work = work;
    return bestdag_turn_left(task, work) <= 0;
}

bool bestdag_turn_pass(struct bestdag_task *task)
{
    task->turn->is_better = false;
    bestdag_coroutine_pause(task->turn->coroutine);
    return task->turn->is_better;
}

void bestdag_turn_await_clusters(struct bestdag_task *task)
{
    while (task->turn && task->clusters && !task->clusters->is_final &&
           !bestdag_run_stopped(task->run))
        bestdag_turn_pass(task);
}
