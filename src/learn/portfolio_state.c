/* SPDX-License-Identifier: MIT */
/* portfolio_state.c -- incumbent, bound and growing lists. */
#include "learn/portfolio_state.h"

#include <math.h>
#include <string.h>

#include "learn/listed_network.h"
#include "problem/component.h"
#include "search/answer_check.h"
#include "search/outcome.h"
#include "search/saved_state.h"

bool bestdag_portfolio_is_open(const struct bestdag_portfolio *p)
{
    return p->supply && bestdag_supply_is_open(p->supply);
}

bool bestdag_portfolio_is_proved(const struct bestdag_portfolio *p)
{
    return p->to->status && !strcmp(p->to->status, "optimal");
}

/* Can no network over the lists be better than the incumbent, which need not be
 * one of them (a start)? */
static bool lists_are_exhausted(const struct bestdag_portfolio *p)
{
    return !bestdag_portfolio_is_open(p) && p->to->dag &&
           p->task->bound <= p->to->score;
}

bool bestdag_portfolio_is_over(const struct bestdag_portfolio *p)
{
    const struct bestdag_run *run = p->task->run;
    return bestdag_portfolio_is_proved(p) || lists_are_exhausted(p) ||
           bestdag_work_budget_is_stopped(&p->whole) ||
           bestdag_work_budget_left(&p->whole) <= BESTDAG_LEAST_AMOUNT ||
           (run->gap > 0 && p->to->dag && p->to->gap <= run->gap);
}

void bestdag_portfolio_spend(struct bestdag_portfolio *p, double amount)
{
    p->to->work += amount;
    bestdag_work_budget_spend(&p->whole, fmax(amount, BESTDAG_LEAST_AMOUNT));
}

bool bestdag_portfolio_take_network(struct bestdag_portfolio *p,
                                    struct bestdag_dag *dag, double score)
{
    bool is_better = !p->to->dag || score > p->to->score;
    if (is_better) {
        bestdag_dag_free(p->to->dag);
        p->to->dag = dag;
        p->to->score = score;
        p->to->found = bestdag_seconds() - p->started;
        p->task->start = dag;
        p->better++;
        bestdag_task_keep(p->task, dag);
    } else
        bestdag_dag_free(dag);
    return is_better;
}

void bestdag_portfolio_begin_bounds(struct bestdag_portfolio *p)
{
    double all = p->task->global_bound;
    if (!p->task->has_bounds)
        bestdag_task_bound_saved(p->task, &p->clusters);
    p->task->global_bound = all;
}

int bestdag_portfolio_judge(struct bestdag_portfolio *p)
{
    p->to->seconds = bestdag_seconds() - p->started;
    bestdag_portfolio_begin_bounds(p);
    return p->to->dag ? bestdag_outcome_judge(p->task, (double)NAN, p->to)
                      : BESTDAG_OK;
}

int bestdag_portfolio_take_bound(struct bestdag_portfolio *p, double bound)
{
    bestdag_portfolio_begin_bounds(p);
    if (bound < p->task->bound)
        p->task->bound = bound;
    return bestdag_portfolio_judge(p);
}

int bestdag_portfolio_take_outcome(struct bestdag_portfolio *p, int stage)
{
    struct bestdag_attempt *a = &p->attempt[stage];
    struct bestdag_dag *dag = bestdag_attempt_network(a);
    double score = a->outcome.score;
    p->to->steps += a->outcome.steps;
    p->to->restarts += a->outcome.restarts;
    p->to->is_limited |= a->outcome.is_limited;
    p->is_certified |= stage == BESTDAG_STAGE_CLUSTER;
    p->clusters.is_final |=
        stage == BESTDAG_STAGE_CLUSTER; /* no prover waits for more clusters */
    if (dag)
        bestdag_portfolio_take_network(p, dag, score);
    return bestdag_portfolio_take_bound(p, a->task.bound);
}

int bestdag_portfolio_stop_provers(struct bestdag_portfolio *p)
{
    const struct bestdag_solver *last = p->task->solver;
    for (int i = 0; i < BESTDAG_STAGES; i++) {
        struct bestdag_attempt *a = &p->attempt[i];
        bool is_at_work = a->is_begun && !a->is_over;
        bestdag_attempt_stop(a, p->to->dag);
        p->task->solver = a->task.solver;
        if (is_at_work && !bestdag_run_status(p->task->run))
            bestdag_portfolio_take_outcome(p, i);
        bestdag_attempt_release(a);
    }
    p->task->solver = last;
    return bestdag_run_status(p->task->run);
}

int bestdag_portfolio_follow_lists(struct bestdag_portfolio *p,
                                   struct bestdag_dag *dag, double *score)
{
    int changed = 0;
    if (p->supply && p->supply->is_free && dag &&
        !bestdag_run_status(p->task->run))
        bestdag_network_keep_listed(p->task, dag, score, &changed);
    p->better += changed > 0;
    return bestdag_run_status(p->task->run);
}

/* Bounds and certificate of the previous lists no longer hold. */
static int change_lists(struct bestdag_portfolio *p)
{
    struct bestdag_run *run = p->task->run;
    p->task->problem = p->supply->problem;
    p->task->has_bounds = false;
    p->is_certified = false;
    p->clusters.is_final = false;
    if (!bestdag_run_status(run))
        p->largest = bestdag_components_largest(run, p->task->problem);
    return bestdag_portfolio_follow_lists(p, p->to->dag, &p->to->score);
}

int bestdag_portfolio_lists_grow(struct bestdag_portfolio *p, int64_t more)
{
    bestdag_portfolio_spend(p, p->supply->work);
    p->supply->work = 0;
    return more ? change_lists(p) : bestdag_run_status(p->task->run);
}

int bestdag_portfolio_grow(struct bestdag_portfolio *p,
                           const struct bestdag_dag *dag, double amount,
                           int64_t *more)
{
    *more = 0;
    if (!bestdag_portfolio_is_open(p) || !dag ||
        bestdag_portfolio_stop_provers(p))
        return bestdag_run_status(p->task->run);
    bestdag_supply_grow(p->supply, dag, amount, more);
    return bestdag_portfolio_lists_grow(p, *more);
}
