/* SPDX-License-Identifier: MIT */
/* solver_turns.c -- several solvers take turns.
 *
 * A turn begins where the one before ended: its network is the start, its bound
 * is known. Each has a share of the time, or of the work (stages.h); the first
 * that proves ends them.
 *
 * Lists that are not complete hold what is good for each variable on its own.
 * What a good network needs shows when one is there. So rounds come before the
 * turns: the best heuristic searches for a while, and the lists grow around its
 * network. */
#include "learn/solver_turns.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "search/saved_state.h"

enum {
    BRIEF_STEPS = 20000, /* of cluster, in one of many runs */
    FEW = 64,            /* variables */
    LIKELY = 32,         /* variables: the first of three turns proves .. */
    A_TRY = 10,          /* .. or has this many seconds, or as much work */
    FEW_IDLE = 3,        /* rounds in a row end them all; where variables .. */
    IDLE = 6             /* .. are not few */
};

/* ---- one turn ---------------------------------------------------------------
 */

/* What one has spent is added to the other. */
static void add_up(const struct bestdag_outcome *spent,
                   struct bestdag_outcome *to)
{
    to->steps += spent->steps;
    to->restarts += spent->restarts;
    to->work += spent->work;
    to->seconds += spent->seconds;
}

static void pass_on(struct bestdag_task *task, struct bestdag_outcome *to,
                    struct bestdag_outcome *turn)
{
    turn->found += to->seconds;
    add_up(to, turn);
    bestdag_dag_free(to->dag);
    *to = *turn;
    task->start = to->dag;
    task->has_bounds = true;
}

/* In a slice of the run, which the task has for as long. */
static struct bestdag_run *search_in_slice(struct bestdag_task *task,
                                           double amount, uint64_t seed,
                                           struct bestdag_outcome *to)
{
    struct bestdag_run *run = task->run;
    bool is_timed = run->deadline > 0;
    struct bestdag_slice_limits share = {.seconds = is_timed ? amount : 0,
                                         .reports = true};
    struct bestdag_run *slice = bestdag_run_slice(run, share);
    if (slice) {
        slice->seed = seed;
        task->run = slice;
        task->work = is_timed ? 0 : amount;
        bestdag_search(task, to);
        task->work = 0;
        task->run = run;
    }
    return slice;
}

/* The turn's outcome is added to `to`. */
static int play_turn(struct bestdag_solver_turns *g, double amount,
                     uint64_t seed, struct bestdag_outcome *to)
{
    struct bestdag_task *task = g->task;
    struct bestdag_outcome turn = {0};
    struct bestdag_run *slice = search_in_slice(task, amount, seed, &turn);
    int status =
        slice ? bestdag_run_join(slice) : bestdag_run_status(task->run);
    bestdag_budget_share_spend(&g->whole, turn.work);
    if (!status)
        pass_on(task, to, &turn);
    else
        bestdag_dag_free(turn.dag);
    return status;
}

int bestdag_solver_turns_try(struct bestdag_task *task, double amount,
                             struct bestdag_outcome *to)
{
    struct bestdag_run *slice =
        search_in_slice(task, amount, task->run->seed, to);
    if (slice && bestdag_run_status(slice)) {
        bestdag_dag_free(to->dag);
        to->dag = NULL;
    }
    bestdag_run_free(slice);
    return bestdag_run_status(task->run);
}

/* ---- all turns --------------------------------------------------------------
 */

bool bestdag_solver_turns_is_proved(const struct bestdag_solver_turns *g)
{
    return g->to->status && !strcmp(g->to->status, "optimal");
}

static bool is_enough(const struct bestdag_solver_turns *g)
{
    const struct bestdag_run *run = g->task->run;
    return bestdag_solver_turns_is_proved(g) || bestdag_run_stopped(run) ||
           (run->gap > 0 && g->to->gap <= run->gap);
}

/* The amount of turn i; 0: no limit. The first of three has a try, which is
 * short if it will hardly succeed. */
static double share_of(const struct bestdag_solver_turns *g, int i)
{
    bool is_few = g->largest <= FEW;
    if (i + 1 == g->turns)
        return bestdag_budget_share_of_stage(&g->whole, BESTDAG_STAGE_ORDERS,
                                             is_few);
    if (i + 2 == g->turns)
        return bestdag_budget_share_of_stage(&g->whole, BESTDAG_STAGE_CLUSTER,
                                             is_few);
    double most =
        bestdag_budget_share_of_stage(&g->whole, BESTDAG_STAGE_ASTAR, is_few);
    return g->largest <= LIKELY
               ? most
               : fmin(most, A_TRY * bestdag_budget_share_second(&g->whole));
}

int bestdag_solver_turns_run(struct bestdag_solver_turns *g)
{
    struct bestdag_task *task = g->task;
    for (int i = 0; i < g->turns; i++) {
        task->solver = bestdag_solver_find(g->turn[i]);
        task->steps = g->is_brief && i + 1 < g->turns ? BRIEF_STEPS : 0;
        if (play_turn(g, share_of(g, i), task->run->seed, g->to))
            return bestdag_run_status(task->run);
        if (is_enough(g))
            break;
    }
    return BESTDAG_OK;
}

/* ---- lists that grow --------------------------------------------------------
 */

static int grow(struct bestdag_solver_turns *g, const struct bestdag_dag *dag,
                int64_t *more)
{
    double amount =
        bestdag_budget_share_of_stage(&g->whole, BESTDAG_STAGE_GROWING, false);
    *more = 0;
    if (dag)
        bestdag_supply_grow(g->supply, dag, amount, more);
    bestdag_budget_share_spend(&g->whole, g->supply->work);
    g->supply->work = 0;
    g->task->problem = g->supply->problem;
    return bestdag_run_status(g->task->run);
}

/* Each round draws other numbers. */
static uint64_t next_seed(struct bestdag_solver_turns *g)
{
    return bestdag_mix(g->task->run->seed ^ bestdag_mix(++g->round));
}

struct round {
    double amount;  /* at most */
    bool is_afresh; /* not from the best network on */
    bool is_idle;   /* no better network came of it */
    int64_t more;   /* new sets did */
};

/* From the best network on; afresh, if the lists have all around it: what is
 * around another good one may be new. */
static int play_round(struct bestdag_solver_turns *g, struct round *r)
{
    struct bestdag_task *task = g->task;
    const struct bestdag_dag *start = task->start;
    struct bestdag_outcome round = {0};
    if (r->is_afresh)
        task->start = NULL;
    bestdag_task_bound_simply(task);
    double most =
        bestdag_budget_share_of_stage(&g->whole, BESTDAG_STAGE_ROUND, false);
    int status = play_turn(g, fmin(most, r->amount), next_seed(g), &round);
    task->start = start;
    if (!status)
        status = grow(g, round.dag, &r->more);
    r->is_idle = g->to->dag && round.score <= g->to->score;
    if (!status && !r->is_idle) {
        pass_on(task, g->to, &round);
        return BESTDAG_OK;
    }
    add_up(&round, g->to);
    bestdag_dag_free(round.dag);
    return status;
}

int bestdag_solver_turns_rounds(struct bestdag_solver_turns *g)
{
    struct bestdag_task *task = g->task;
    double share = bestdag_budget_share_of_stage(
        &g->whole, BESTDAG_STAGE_ROUNDS, task->n <= FEW);
    double end = bestdag_budget_share_left(&g->whole) - share;
    struct round r = {.amount = bestdag_budget_share_second(&g->whole)};
    if (grow(g, task->start, &r.more))
        return bestdag_run_status(task->run);
    task->solver = bestdag_solver_find("orders");
    task->steps = 0;
    int most = task->n <= FEW ? FEW_IDLE : IDLE;
    for (int idle = 0; idle < most &&
                       bestdag_budget_share_left(&g->whole) > end &&
                       !bestdag_run_stopped(task->run);) {
        if (play_round(g, &r))
            break;
        bestdag_task_keep(task, g->to->dag);
        idle = r.is_idle ? idle + 1 : 0;
        r.is_afresh = !r.is_afresh && !r.more;
        r.amount *= 2;
    }
    task->has_bounds = false;
    return bestdag_run_status(task->run);
}

/* Sets around the network, unless the last of them were of no use; or those
 * that a longer search for sets finds, if time ended the one before. */
int bestdag_solver_turns_refill(struct bestdag_solver_turns *g, bool is_stuck,
                                bool *is_new)
{
    int64_t more = 0;
    if (!is_stuck && grow(g, g->to->dag, &more))
        return bestdag_run_status(g->task->run);
    if (!more && g->supply->sets->ending == BESTDAG_TIMED_OUT)
        bestdag_supply_find(
            g->supply,
            bestdag_budget_share_of_stage(&g->whole, BESTDAG_STAGE_SETS, false),
            &more);
    g->task->problem = g->supply->problem;
    *is_new = more > 0;
    return bestdag_run_status(g->task->run);
}
