/* SPDX-License-Identifier: MIT */
/* stages.c -- shares of the clock, or of counted work. */
#include "learn/stages.h"

#include <assert.h>

/* Shares of what is left when a stage begins. Where few variables depend on
 * each other their best network is soon found, and only a proof is missing;
 * else the search for a good one must not come too short. */
static const struct {
    double few, many;
} shares[] = {
    [BESTDAG_STAGE_OPENING] = {0.6, 0.6},
    [BESTDAG_STAGE_SETS] = {0.5, 0.5},
    [BESTDAG_STAGE_ROUNDS] = {0.2, 0.6},
    [BESTDAG_STAGE_ROUND] = {0.15, 0.15},
    [BESTDAG_STAGE_GROWING] = {0.1, 0.1},
    [BESTDAG_STAGE_ASTAR] = {0.3, 0.3},
    [BESTDAG_STAGE_CLUSTER] = {0.85, 0.35},
    [BESTDAG_STAGE_ORDERS] = {1, 1},
};

/* Nominal seconds of all together: 200 for a hundred variables, which two cores
 * do in less than two minutes. Candidate sets that cannot be complete add a
 * quarter of one for each variable (parents.c). */
#define AT_LEAST 100.0
#define A_VARIABLE 1.0
/* A time limit is mostly meant for a machine of a few cores. */
#define CORES 2.0

struct bestdag_budget_share bestdag_budget_share_begin(
    const struct bestdag_run *run, int n)
{
    return (struct bestdag_budget_share){
        .run = run, .work = run->effort * (AT_LEAST + A_VARIABLE * n)};
}

double bestdag_budget_share_left(const struct bestdag_budget_share *w)
{
    bool is_timed = w->run->deadline > 0;
    double left = is_timed ? w->run->deadline - bestdag_seconds() : w->work;
    return !is_timed && w->has_no_limits ? 0 : left > 1e-3 ? left : 1e-3;
}

void bestdag_budget_share_spend(struct bestdag_budget_share *w, double work)
{
    assert(work >= 0);
    w->work -= work;
}

double bestdag_budget_share_second(const struct bestdag_budget_share *w)
{
    return w->run->deadline > 0 ? 1 : CORES;
}

double bestdag_budget_share_of_stage(const struct bestdag_budget_share *w,
                                     enum bestdag_stage stage, bool is_few)
{
    return bestdag_budget_share_left(w) *
           (is_few ? shares[stage].few : shares[stage].many);
}
