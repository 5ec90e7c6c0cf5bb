/* SPDX-License-Identifier: MIT */
/* turns.c -- several solvers take turns.
 *
 * A turn begins where the one before ended: its network is the start, its bound
 * is known. Each has a share of the time; the first that proves ends them.
 *
 * Lists that are not complete hold what is good for each variable by itself.
 * What a good network needs shows when one is there. So rounds come before the
 * turns: the best heuristic searches for a while, and the lists grow around its
 * network. */
#include "learn/turns.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "search/saved.h"

enum {
    BRIEF_STEPS = 20000, /* of cluster, if nobody waits */
    FEW = 64,            /* variables */
    LIKELY = 32,         /* variables: the first of three turns proves .. */
    A_TRY = 10,          /* .. or has so many seconds */
    FEW_IDLE = 3,        /* rounds in a row end them all; where variables .. */
    IDLE = 6             /* .. are not few */
};

/* Of the time that is left: what the rounds may take before the turns, where
 * few variables soon have their best network, and else; one round; growing in
 * it. A round has more than a second only if those before were not enough. */
#define FEW_ROUNDS 0.2
#define ROUNDS 0.6
#define ROUND 0.15
#define GROWING 0.1

/* ---- one turn ---------------------------------------------------------------
 */

/* What one has spent is added to the other. */
static void add_up(const struct bestdag_outcome *spent,
                   struct bestdag_outcome *to)
{
    to->steps += spent->steps;
    to->restarts += spent->restarts;
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
                                           double seconds, uint64_t seed,
                                           struct bestdag_outcome *to)
{
    struct bestdag_run *run = task->run;
    struct bestdag_share share = {.seconds = seconds, .reports = true};
    struct bestdag_run *slice = bestdag_run_slice(run, share);
    if (slice) {
        slice->seed = seed;
        task->run = slice;
        bestdag_search(task, to);
        task->run = run;
    }
    return slice;
}

static int play_turn(struct bestdag_task *task, double seconds, uint64_t seed,
                     struct bestdag_outcome *to)
{
    struct bestdag_outcome turn = {0};
    struct bestdag_run *slice = search_in_slice(task, seconds, seed, &turn);
    int status =
        slice ? bestdag_run_join(slice) : bestdag_run_status(task->run);
    if (!status)
        pass_on(task, to, &turn);
    else
        bestdag_dag_free(turn.dag);
    return status;
}

static int turn(struct bestdag_task *task, double seconds,
                struct bestdag_outcome *to)
{
    return play_turn(task, seconds, task->run->seed, to);
}

int bestdag_turn_try(struct bestdag_task *task, double seconds,
                     struct bestdag_outcome *to)
{
    struct bestdag_run *slice =
        search_in_slice(task, seconds, task->run->seed, to);
    if (slice && bestdag_run_status(slice)) {
        bestdag_dag_free(to->dag);
        to->dag = NULL;
    }
    bestdag_run_free(slice);
    return bestdag_run_status(task->run);
}

/* ---- all turns --------------------------------------------------------------
 */

/* Seconds; never 0 where there is a limit. */
static double left_of(const struct bestdag_game *g)
{
    double left = g->limit - bestdag_seconds();
    return g->limit <= 0 ? 0 : left > 1e-3 ? left : 1e-3;
}

bool bestdag_game_is_proved(const struct bestdag_game *g)
{
    return g->to->status && !strcmp(g->to->status, "optimal");
}

static bool is_enough(const struct bestdag_game *g)
{
    const struct bestdag_run *run = g->task->run;
    return bestdag_game_is_proved(g) || bestdag_run_stopped(run) ||
           (run->gap > 0 && g->to->gap <= run->gap);
}

/* Seconds of turn i; 0: no limit. The last but one may take most of what is
 * left where few variables soon have their best network, and only a proof is
 * missing; else the search for a good one must not come too short. The one
 * before it has a try, which is short if it will hardly succeed. */
static double share_of(const struct bestdag_game *g, int i)
{
    double left = left_of(g);
    if (i + 1 == g->turns)
        return left;
    if (i + 2 < g->turns)
        return fmin(0.3 * left, g->largest <= LIKELY ? left : A_TRY);
    return left * (g->largest <= FEW ? 0.85 : 0.35);
}

int bestdag_game_turns(struct bestdag_game *g)
{
    struct bestdag_task *task = g->task;
    for (int i = 0; i < g->turns; i++) {
        task->solver = bestdag_solver_find(g->turn[i]);
        task->steps = g->is_brief && i + 1 < g->turns ? BRIEF_STEPS : 0;
        if (turn(task, share_of(g, i), g->to))
            return bestdag_run_status(task->run);
        if (is_enough(g))
            break;
    }
    return BESTDAG_OK;
}

/* ---- lists that grow --------------------------------------------------------
 */

static int grow(struct bestdag_game *g, const struct bestdag_dag *dag,
                int64_t *more)
{
    *more = 0;
    if (dag)
        bestdag_supply_grow(g->supply, dag, GROWING * left_of(g), more);
    g->task->problem = g->supply->problem;
    return bestdag_run_status(g->task->run);
}

/* Each round draws other numbers. */
static uint64_t next_seed(struct bestdag_game *g)
{
    return bestdag_mix(g->task->run->seed ^ bestdag_mix(++g->round));
}

struct round {
    double seconds; /* at most */
    bool is_afresh; /* not from the best network on */
    bool is_idle;   /* no better network came of it */
    int64_t more;   /* new sets did */
};

/* From the best network on; afresh, if the lists have all around it: what is
 * around another good one may be new. */
static int play_round(struct bestdag_game *g, struct round *r)
{
    struct bestdag_task *task = g->task;
    const struct bestdag_dag *start = task->start;
    struct bestdag_outcome round = {0};
    if (r->is_afresh)
        task->start = NULL;
    bestdag_task_bound_simply(task);
    double seconds = fmin(ROUND * left_of(g), r->seconds);
    int status = play_turn(task, seconds, next_seed(g), &round);
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

int bestdag_game_rounds(struct bestdag_game *g)
{
    struct bestdag_task *task = g->task;
    double share = task->n <= FEW ? FEW_ROUNDS : ROUNDS;
    double end = bestdag_seconds() + share * left_of(g);
    struct round r = {.seconds = 1};
    if (grow(g, task->start, &r.more))
        return bestdag_run_status(task->run);
    task->solver = bestdag_solver_find("orders");
    task->steps = 0;
    int most = task->n <= FEW ? FEW_IDLE : IDLE;
    for (int idle = 0; idle < most && bestdag_seconds() < end &&
                       !bestdag_run_stopped(task->run);) {
        if (play_round(g, &r))
            break;
        bestdag_task_keep(task, g->to->dag);
        idle = r.is_idle ? idle + 1 : 0;
        r.is_afresh = !r.is_afresh && !r.more;
        r.seconds *= 2;
    }
    task->has_bounds = false;
    return bestdag_run_status(task->run);
}

/* Sets around the network, unless the last of them were of no use; or those
 * that a longer search for sets finds, if time ended the one before. */
int bestdag_game_refill(struct bestdag_game *g, bool is_stuck, bool *is_new)
{
    int64_t more = 0;
    if (!is_stuck && grow(g, g->to->dag, &more))
        return bestdag_run_status(g->task->run);
    if (!more && g->supply->sets->ending == BESTDAG_TIMED_OUT)
        bestdag_supply_find(g->supply, left_of(g) / 2, &more);
    g->task->problem = g->supply->problem;
    *is_new = more > 0;
    return bestdag_run_status(g->task->run);
}
