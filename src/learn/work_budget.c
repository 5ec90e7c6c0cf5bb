/* SPDX-License-Identifier: MIT */
/* work_budget.c -- a budget of time or of counted work. */
#include "learn/work_budget.h"

#include <assert.h>

#include "parallel/collective.h"

enum { LEFT = 0x6c656674, STOPPED = 0x73746f70 }; /* identify collectives */

/* Nominal seconds of all stages: 200 for a hundred variables, which take two
 * cores less than two minutes. Incomplete candidate lists add a quarter of a
 * second per variable (parents.c). */
#define AT_LEAST 100.0
#define A_VARIABLE 1.0
/* The part for a resample, since there are hundreds. */
#define BRIEF 0.01

struct bestdag_work_budget bestdag_work_budget_begin(struct bestdag_run *run,
                                                     int n, bool is_brief)
{
    double work = run->effort * (AT_LEAST + A_VARIABLE * n);
    return (struct bestdag_work_budget){.run = run,
                                        .work = is_brief ? BRIEF * work : work};
}

double bestdag_work_budget_left(const struct bestdag_work_budget *w)
{
    bool is_timed = w->run->deadline > 0;
    double left = is_timed ? w->run->deadline - bestdag_seconds() : w->work;
    if (is_timed)
        left = bestdag_collective_number(w->run, LEFT, left);
    return left > 0 ? left : 0;
}

bool bestdag_work_budget_is_stopped(const struct bestdag_work_budget *w)
{
    return bestdag_collective_decide(w->run, STOPPED,
                                     bestdag_run_stopped(w->run));
}

void bestdag_work_budget_spend(struct bestdag_work_budget *w, double work)
{
    assert(work >= 0);
    w->work -= work;
}
