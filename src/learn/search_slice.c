/* SPDX-License-Identifier: MIT */
/* search_slice.c -- a search in a slice of the run. */
#include "learn/search_slice.h"

/* The slice is the task's run during the search. */
static struct bestdag_run *search(struct bestdag_task *task, double seconds,
                                  double work, uint64_t seed,
                                  struct bestdag_outcome *to)
{
    struct bestdag_run *run = task->run;
    struct bestdag_slice_limits share = {.seconds = seconds, .reports = true};
    struct bestdag_run *slice = bestdag_run_slice(run, share);
    if (slice) {
        slice->seed = seed;
        task->run = slice;
        task->work = work;
        bestdag_search(task, to);
        task->work = 0;
        task->run = run;
    }
    return slice;
}

struct bestdag_run *bestdag_search_in_slice(struct bestdag_task *task,
                                            double work, uint64_t seed,
                                            struct bestdag_outcome *to)
{
    return search(task, 0, work, seed, to);
}

int bestdag_search_try(struct bestdag_task *task, double amount,
                       struct bestdag_outcome *to)
{
    bool is_timed = task->run->deadline > 0;
    struct bestdag_run *slice =
        search(task, is_timed ? amount : 0, is_timed ? 0 : amount,
               task->run->seed, to);
    if (slice && bestdag_run_status(slice)) {
        bestdag_dag_free(to->dag);
        to->dag = NULL;
    }
    bestdag_run_free(slice);
    return bestdag_run_status(task->run);
}
