/* SPDX-License-Identifier: MIT */
/* portfolio.c -- `auto` over candidate lists: the table of stages, and the walk
 * through it.
 *
 * A round runs the stages from top to bottom, each for its share of the round's
 * amount; the next round has three times as much. So whatever a solver needs
 * alone, it has after a few times as much in total. Over complete lists neither
 * the stages nor their slices depend on the limit: a longer run begins as a
 * shorter one does. Over others they do: see network_comes_first().
 *
 * A slice begins where others ended. The best network is the start of all, the
 * bound is known to all, and `cluster` and `bnb` hand each other the clusters
 * and multipliers of the root. A prover whose last slice did not improve the
 * bound, or `orders` if it finds nothing better, has a quarter of its share.
 *
 * Lists that are not complete hold what is good for each variable on its own.
 * What a good network needs shows when one is there: after each slice of
 * `orders` they grow around its network. */
#include "learn/portfolio.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "problem/component.h"
#include "search/saved_state.h"
#include "search/subsets/dp.h"

/* The amount of the first round: what small problems need. */
#define FIRST 0.25
/* From round to round. 2 left soybean open when its work was spent; 4 proved
 * it, but took link 1.3 and hailfinder 2 times as long
 * (bench/log/2026-11-17.md).
 */
#define GROWTH 3.0
/* Of its share a stage has that brought nothing. Not measured. */
#define STALLED 0.25
/* Less is not worth a slice. */
#define LEAST 1e-3
/* Of a slice of `orders`: the lists may grow for as long. 0.25 and smaller
 * slices cost about 0.1 % of the score on baudio and tmovie in 10 s, in one run
 * each. */
#define GROWING 0.5

/* Lists that are not complete: the share of the whole before the first proof,
 * and of what is left for one slice, so that they grow several times. Few
 * variables soon have a good network, and only the proof is missing. (As before
 * there were stages; not measured again.) */
#define FIRST_OF_FEW 0.2
#define FIRST_OF_MANY 0.6
#define ROUND 0.15

enum {
    FEW = 64,        /* variables */
    IDLE_OF_FEW = 3, /* idle slices of `orders` before the first proof */
    IDLE_OF_MANY = 6,
    PATIENCE = 2, /* idle slices of `orders` until it is behind */
    THREADS = 8   /* memory is allowed for, however many there are */
};

/* What `dp` may take without a memory limit. */
#define DP_BYTES ((int64_t)1 << 31)
/* Nominal seconds of `dp`: of a variable and a subset, and of a set in a pass
 * over the lists, one for each 2^PASS subsets (26 variables: 4 s). */
#define DP_SUBSET 4.6e-9
#define DP_SET 1.0e-9
enum { PASS = 16 };
/* `astar` stores a small part of the subsets: it has a chance where `dp` would
 * take this many times the round's amount. */
#define ASTAR_REACH 1e4

/* ---- when a stage applies ---------------------------------------------------
 */

static bool is_open(const struct bestdag_portfolio *p)
{
    return p->supply && bestdag_supply_is_open(p->supply);
}

static bool always(const struct bestdag_portfolio *p)
{
    (void)p;
    return true;
}

/* Lists that are not complete: a proof over them is worth little before there
 * is a good network for them to have grown around. */
static bool network_comes_first(const struct bestdag_portfolio *p)
{
    bool is_few = p->task->n <= FEW;
    double share = is_few ? FIRST_OF_FEW : FIRST_OF_MANY;
    return is_open(p) && p->idle < (is_few ? IDLE_OF_FEW : IDLE_OF_MANY) &&
           bestdag_work_budget_left(&p->whole) > (1 - share) * p->begun;
}

static bool proofs_are_due(const struct bestdag_portfolio *p)
{
    return !network_comes_first(p);
}

/* Only `cluster` proves in writing. */
static bool unwritten(const struct bestdag_portfolio *p)
{
    return !p->needs_certificate && proofs_are_due(p);
}

static double dp_amount(const struct bestdag_portfolio *p)
{
    int m = p->largest;
    double sets = (double)bestdag_sets_total(p->task->problem->sets);
    return ldexp(DP_SUBSET * m, m - 1) +
           DP_SET * sets * (m > PASS ? ldexp(1, m - PASS) : 1);
}

/* Is there room for all subsets, beside a copy of the lists, and for what each
 * thread needs? */
static bool has_room(const struct bestdag_portfolio *p)
{
    const struct bestdag_task *task = p->task;
    int64_t limit = bestdag_memory_limit(task->run);
    int64_t most = limit ? limit - bestdag_memory_used(task->run) : DP_BYTES;
    int64_t bytes = bestdag_dp_bytes(p->largest) +
                    2 * bestdag_problem_bytes(task->problem->sets) +
                    ((int64_t)THREADS << 20);
    return bytes <= most;
}

/* It cannot be stopped half-way and keep anything: is it less than a slice? */
static bool dp_is_short(const struct bestdag_portfolio *p)
{
    return unwritten(p) && p->largest < 40 && dp_amount(p) <= p->amount &&
           has_room(p) && dp_amount(p) <= bestdag_work_budget_left(&p->whole);
}

static bool order_graph_is_small(const struct bestdag_portfolio *p)
{
    return unwritten(p) && p->largest < 64 &&
           dp_amount(p) <= ASTAR_REACH * p->amount;
}

/* ---- the table --------------------------------------------------------------
 */

/* From top to bottom: a network, then proofs. */
static const struct stage {
    const char *solver;
    bool (*applies)(const struct bestdag_portfolio *p);
    double share, open_share; /* of the amount of a round; of open lists */
} stages[BESTDAG_STAGES] = {
    {"dp", dp_is_short, 1, 1},
    {"orders", always, 0.25, 3},
    {"cluster", proofs_are_due, 1, 1},
    {"bnb", unwritten, 0.5, 0.25},
    {"astar", order_graph_is_small, 0.25, 0.25},
};

/* ---- a slice ----------------------------------------------------------------
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

/* `slice` is what there is now. */
static void pass_on(struct bestdag_portfolio *p, struct bestdag_outcome *slice)
{
    struct bestdag_outcome *to = p->to;
    slice->found += to->seconds;
    add_up(to, slice);
    bestdag_dag_free(to->dag);
    *to = *slice;
    p->task->start = to->dag;
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

static int run_slice(struct bestdag_portfolio *p, double amount, uint64_t seed,
                     struct bestdag_outcome *to)
{
    struct bestdag_run *slice = search_in_slice(p->task, amount, seed, to);
    int status =
        slice ? bestdag_run_join(slice) : bestdag_run_status(p->task->run);
    bestdag_work_budget_spend(&p->whole, fmax(to->work, LEAST));
    return status;
}

int bestdag_portfolio_try(struct bestdag_task *task, double amount,
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

/* ---- lists that grow --------------------------------------------------------
 */

/* What is known of the lists is of those that were. */
static int change_lists(struct bestdag_portfolio *p)
{
    struct bestdag_run *run = p->task->run;
    p->task->problem = p->supply->problem;
    p->task->has_bounds = false;
    p->is_certified = false;
    for (int i = 0; i < BESTDAG_STAGES; i++)
        p->stalls[i] = false;
    if (!bestdag_run_status(run))
        p->largest = bestdag_components_largest(run, p->task->problem);
    return bestdag_run_status(run);
}

static int grow(struct bestdag_portfolio *p, const struct bestdag_dag *dag,
                double amount, int64_t *more)
{
    *more = 0;
    if (!is_open(p) || !dag)
        return BESTDAG_OK;
    bestdag_supply_grow(p->supply, dag, amount, more);
    bestdag_work_budget_spend(&p->whole, p->supply->work);
    p->supply->work = 0;
    return *more ? change_lists(p) : bestdag_run_status(p->task->run);
}

/* After a proof over lists that are not complete: sets around its network, or
 * those that a longer search for sets finds, if time ended the one before. */
static int refill(struct bestdag_portfolio *p, int64_t *more)
{
    if (grow(p, p->to->dag, p->amount, more) || *more)
        return bestdag_run_status(p->task->run);
    if (p->supply->sets->ending == BESTDAG_TIMED_OUT &&
        !bestdag_supply_find(p->supply, p->amount, more))
        change_lists(p);
    return bestdag_run_status(p->task->run);
}

/* ---- stages -----------------------------------------------------------------
 */

static bool is_proved(const struct bestdag_portfolio *p)
{
    return p->to->status && !strcmp(p->to->status, "optimal");
}

static bool is_over(const struct bestdag_portfolio *p)
{
    const struct bestdag_run *run = p->task->run;
    return is_proved(p) || bestdag_run_stopped(run) ||
           bestdag_work_budget_left(&p->whole) <= LEAST ||
           (run->gap > 0 && p->to->dag && p->to->gap <= run->gap);
}

static double amount_of(const struct bestdag_portfolio *p, int stage)
{
    const struct stage *s = &stages[stage];
    bool proves = bestdag_solver_find(s->solver)->proves;
    bool stalls = proves ? p->stalls[stage] : p->idle >= PATIENCE;
    double share = is_open(p) ? s->open_share : s->share;
    double amount = p->amount * share * (stalls ? STALLED : 1);
    double left = bestdag_work_budget_left(&p->whole);
    return fmin(amount, network_comes_first(p) ? ROUND * left : left);
}

static int prove(struct bestdag_portfolio *p, int stage)
{
    struct bestdag_task *task = p->task;
    struct bestdag_outcome slice = {0};
    double amount = amount_of(p, stage);
    double before = task->has_bounds ? task->bound : INFINITY;
    if (run_slice(p, amount, task->run->seed, &slice)) {
        bestdag_dag_free(slice.dag);
        return bestdag_run_status(task->run);
    }
    pass_on(p, &slice);
    task->has_bounds = true;
    p->stalls[stage] = !(slice.bound < before);
    p->is_certified |= !strcmp(task->solver->name, "cluster");
    return BESTDAG_OK;
}

/* Each slice draws other numbers; every other one of those that bring nothing
 * begins afresh: what is around another good network may be new. */
static int improve(struct bestdag_portfolio *p, int stage)
{
    struct bestdag_task *task = p->task;
    struct bestdag_outcome slice = {0};
    int64_t more = 0;
    double amount = amount_of(p, stage);
    uint64_t seed = bestdag_mix(task->run->seed ^ bestdag_mix(++p->seeds));
    if (!task->has_bounds)
        bestdag_task_bound_simply(task);
    task->start = p->is_afresh ? NULL : task->start;
    int status = run_slice(p, amount, seed, &slice);
    task->start = p->to->dag ? p->to->dag : task->start;
    if (!status)
        status = grow(p, slice.dag, GROWING * amount, &more);
    bool is_better = !p->to->dag || slice.score > p->to->score;
    if (!status && is_better) {
        pass_on(p, &slice);
        bestdag_task_keep(task, p->to->dag);
    } else {
        add_up(&slice, p->to);
        bestdag_dag_free(slice.dag);
    }
    p->idle = is_better || more ? 0 : p->idle + 1;
    p->is_afresh = !p->is_afresh && p->idle > 0;
    return status;
}

static int run_stage(struct bestdag_portfolio *p, int stage)
{
    struct bestdag_task *task = p->task;
    task->solver = bestdag_solver_find(stages[stage].solver);
    task->clusters = &p->clusters;
    int status = task->solver->proves ? prove(p, stage) : improve(p, stage);
    task->clusters = NULL;
    return status;
}

/* There is a network after the first stage, even if nothing was left for it. */
static int run_round(struct bestdag_portfolio *p)
{
    for (int i = 0; i < BESTDAG_STAGES && (!p->to->dag || !is_over(p)); i++)
        if (stages[i].applies(p) && run_stage(p, i))
            break;
    return bestdag_run_status(p->task->run);
}

/* ---- the walk ---------------------------------------------------------------
 */

/* One line for everyone. */
static void announce(const struct bestdag_portfolio *p)
{
    struct bestdag_run *run = p->task->run;
    if (is_open(p))
        bestdag_note(run, 0,
                     "searching orders; extending candidate lists as it goes");
    else if (p->largest < 2)
        bestdag_note(run, 0,
                     "search by dp: every variable can have its best parent "
                     "set");
    else if (dp_is_short(p))
        bestdag_note(run, 0,
                     "search by dp: the largest component has %d variables",
                     p->largest);
    else
        bestdag_note(run, 0,
                     "search by %s in turn: the largest component has %d "
                     "variables",
                     p->needs_certificate ? "orders and cluster"
                     : order_graph_is_small(p)
                         ? "orders, cluster, bnb and astar"
                         : "orders, cluster and bnb",
                     p->largest);
}

/* A certificate of the lists as they are, whatever has ended the walk. */
static int certify(struct bestdag_portfolio *p)
{
    enum { CLUSTER = 2 };
    assert(!strcmp(stages[CLUSTER].solver, "cluster"));
    if (!p->needs_certificate || p->is_certified)
        return BESTDAG_OK;
    p->whole.work = fmax(p->whole.work, LEAST);
    return run_stage(p, CLUSTER);
}

static int walk(struct bestdag_portfolio *p)
{
    int64_t more = 0;
    if (grow(p, p->task->start, p->amount, &more))
        return bestdag_run_status(p->task->run);
    announce(p);
    for (;; p->amount *= GROWTH) {
        if (run_round(p))
            return bestdag_run_status(p->task->run);
        bool goes_on = !is_over(p);
        if (is_proved(p) && is_open(p) &&
            bestdag_work_budget_left(&p->whole) > LEAST &&
            !bestdag_run_stopped(p->task->run)) {
            if (refill(p, &more))
                return bestdag_run_status(p->task->run);
            goes_on = more > 0;
            p->to->status = goes_on ? "heuristic" : p->to->status;
        }
        if (!goes_on)
            return certify(p);
    }
}

int bestdag_portfolio_run(struct bestdag_portfolio *p)
{
    struct bestdag_run *run = p->task->run;
    p->amount = FIRST;
    p->begun = bestdag_work_budget_left(&p->whole);
    p->largest = bestdag_components_largest(run, p->task->problem);
    if (p->largest >= 0)
        walk(p);
    bestdag_saved_clusters_release(&p->clusters);
    return bestdag_run_status(run);
}
