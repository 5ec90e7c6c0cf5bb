/* SPDX-License-Identifier: MIT */
/* portfolio.c -- `auto` over candidate lists: the table of stages, and the
 * rounds through it.
 *
 * A round runs the stages from top to bottom, each for its share of the round's
 * amount; the next round has twice as much. Amounts are counted work, even
 * under a time limit, which only ends the rounds: neither stages nor amounts
 * depend on it, so a longer run begins like a shorter one.
 *
 * Provers are coroutines that continue from round to round (learn/attempt.h),
 * so that a proof takes a small multiple, in total, of what its prover needs
 * alone. They share the incumbent, and `bnb` begins with the clusters and
 * multipliers of `cluster`. The prover that is forecast to finish first gets
 * its whole share, the others a part of theirs; so does a stage whose last
 * slice brought nothing. Once the lists are final, `orders` is a coroutine,
 * too, and gets up to as much as all provers together while it finds better
 * networks. `dp`, which cannot be interrupted, runs as soon as it is forecast
 * to cost less than the rest of the round.
 *
 * Incomplete lists hold sets that are good for each variable on its own. Which
 * sets a good network needs shows only in good networks: after each slice of
 * `orders` the lists grow around its network, and each round searches for more
 * sets, for twice as long. */
#include "learn/portfolio_state.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "bounds/root_bound.h"
#include "learn/class_search.h"
#include "learn/dp_forecast.h"
#include "learn/listed_network.h"
#include "learn/search_slice.h"
#include "problem/component.h"
#include "search/answer_check.h"
#include "search/outcome.h"
#include "search/saved_state.h"
#include "search/subsets/order_graph.h"

/* The amount of the first round, in nominal seconds: enough for small
 * problems. */
#define FIRST 0.25
/* Growth of the amount: a round costs about as much as all before it. */
#define GROWTH 2.0
/* The part of its share that a prover gets if another is forecast to finish
 * first. */
#define SECOND 0.4
/* The part of its share that a stage gets if its last slice brought nothing. */
#define STALLED 0.25
/* Growing the lists may take this many times a slice of `orders`. */
#define GROWING 1.0
/* Nominal seconds per candidate set to set up a prover. */
#define SETUP 1e-6

enum {
    PATIENCE = 2,     /* slices of `orders` without success until it counts as
                         idle */
    ALTERNATIONS = 4, /* of `orders` and growth, if parents are restricted to
                         likely ones */
    FEW_NEW = 2       /* with likely parents, fewer new sets than n / FEW_NEW
                         make the search for sets idle: growth finds those that
                         a network needs */
};
/* `dp` may take up to this many times the work of the next round, if the other
 * provers are forecast to need still more. */
#define DP_REACH 4.0

/* ---- the table ----------------------------------------------------------- */

static bool always(const struct bestdag_portfolio *p);
static bool dp_is_short(const struct bestdag_portfolio *p);
static bool lists_are_short(const struct bestdag_portfolio *p);
static bool unwritten(const struct bestdag_portfolio *p);
static bool order_graph_is_small(const struct bestdag_portfolio *p);
static int solve_at_once(struct bestdag_portfolio *p, int stage);
static int find_sets(struct bestdag_portfolio *p, int stage);
static int search_classes(struct bestdag_portfolio *p, int stage);
static int improve(struct bestdag_portfolio *p, int stage);
static int take_turn(struct bestdag_portfolio *p, int stage);
static int bound_all(struct bestdag_portfolio *p, int stage);
static double lay_out_sets(const struct bestdag_portfolio *p);
static double fill_patterns(const struct bestdag_portfolio *p);

/* In the order of a round: sets, a network, then proofs. */
static const struct stage {
    const char *solver; /* NULL: not a search by a solver */
    bool (*applies)(const struct bestdag_portfolio *p);
    int (*run)(struct bestdag_portfolio *p, int stage);
    /* Shares of the amount of a round; open_share: while lists may grow. With
     * open shares 1.5, 1, 0.3 (GROWING 0.5, and 4 times the amount per
     * variable) 2,000 variables took twice the time, and dna and baudio were
     * within 0.02 % either way; with 0.3, 0.3, 1 dna was 0.02 % worse. */
    double share, open_share;
    /* Work that a prover needs before it can improve a bound. */
    double (*setup)(const struct bestdag_portfolio *p);
} stages[BESTDAG_STAGES] = {
    {"dp", dp_is_short, solve_at_once, 0, 0, NULL},
    {NULL, lists_are_short, find_sets, 0, 1.5, NULL},
    {"orders", always, improve, 0.25, 0.6, NULL},
    {NULL, bestdag_class_search_applies, search_classes, 0, 0.6, NULL},
    {"cluster", always, take_turn, 1, 0.6, lay_out_sets},
    {"bnb", unwritten, take_turn, 0.5, 0.1, lay_out_sets},
    {"astar", order_graph_is_small, take_turn, 1, 0.1, fill_patterns},
    {NULL, lists_are_short, bound_all, 0, 0.2, NULL},
};

static bool takes_turns(int stage)
{
    return stages[stage].run == take_turn;
}

/* ---- forecasts ----------------------------------------------------------- */

/* The least work that a prover is forecast to need still, and its stage; 0 and
 * -1: there is no forecast. */
static double soonest(const struct bestdag_portfolio *p, int *stage)
{
    double least = 0;
    *stage = -1;
    for (int i = 0; i < BESTDAG_STAGES; i++) {
        const struct bestdag_attempt *a = &p->attempt[i];
        if (!takes_turns(i) || !a->is_begun || a->is_over ||
            !bestdag_attempt_is_known(a))
            continue;
        double need = bestdag_attempt_forecast(a, p->to->score);
        if (*stage < 0 || need < least) {
            least = need;
            *stage = i;
        }
    }
    return least;
}

static double share_of(const struct bestdag_portfolio *p, int stage)
{
    int first;
    double share = bestdag_portfolio_is_open(p) ? stages[stage].open_share
                                                : stages[stage].share;
    if (!takes_turns(stage))
        return share * (p->idle[stage] ? STALLED : 1);
    soonest(p, &first);
    return first >= 0 && first != stage ? share * SECOND : share;
}

/* A stage gets its full amount even if less is left, so that a longer run is
 * never worse. */
static double amount_of(const struct bestdag_portfolio *p, int stage)
{
    return p->amount * share_of(p, stage);
}

/* ---- when a stage applies ------------------------------------------------ */

static bool always(const struct bestdag_portfolio *p)
{
    (void)p;
    return true;
}

/* The first round uses the lists that the run began with. */
static bool lists_are_short(const struct bestdag_portfolio *p)
{
    return bestdag_portfolio_is_open(p) && p->to->dag;
}

/* Only `cluster` can write a certificate. */
static bool unwritten(const struct bestdag_portfolio *p)
{
    return !p->needs_certificate;
}

/* `dp` keeps nothing if interrupted. Is it forecast to need less than the other
 * stages will spend next, or, within DP_REACH times that, less than they are
 * forecast to need? */
static bool dp_is_short(const struct bestdag_portfolio *p)
{
    int first;
    double others = soonest(p, &first), next = 0;
    if (!unwritten(p) || !bestdag_dp_fits(p->task, p->largest))
        return false;
    for (int i = 0; i < BESTDAG_STAGES; i++)
        if (i == first || stages[i].run != solve_at_once)
            next += p->amount * share_of(p, i);
    double need = bestdag_dp_forecast(p->task, p->largest);
    return need <= fmax(next, fmin(others, DP_REACH * next)) &&
           need <= bestdag_work_budget_left(&p->whole);
}

static bool order_graph_is_small(const struct bestdag_portfolio *p)
{
    return unwritten(p) && p->largest <= BESTDAG_MOST_VARIABLES;
}

static double lay_out_sets(const struct bestdag_portfolio *p)
{
    return SETUP * (double)bestdag_sets_total(p->task->problem->sets);
}

static double fill_patterns(const struct bestdag_portfolio *p)
{
    return bestdag_order_graph_setup(p->task->problem, p->largest);
}

/* ---- slices -------------------------------------------------------------- */

static int run_slice(struct bestdag_portfolio *p, double amount, uint64_t seed,
                     struct bestdag_outcome *slice)
{
    struct bestdag_run *run =
        bestdag_search_in_slice(p->task, amount, seed, slice);
    if (run)
        bestdag_run_join(run);
    p->to->steps += slice->steps;
    p->to->restarts += slice->restarts;
    bestdag_portfolio_spend(p, slice->work);
    return bestdag_run_status(p->task->run);
}

/* ---- growing lists ------------------------------------------------------- */

static int find_sets(struct bestdag_portfolio *p, int stage)
{
    int64_t more = 0;
    if (bestdag_portfolio_stop_provers(p))
        return bestdag_run_status(p->task->run);
    p->supply->spent = p->to->work;
    bestdag_supply_find(p->supply, amount_of(p, stage), &more);
    p->idle[stage] = more < (p->supply->likely ? p->task->n / FEW_NEW : 1);
    return bestdag_portfolio_lists_grow(p, more);
}

/* ---- searches ------------------------------------------------------------ */

static int solve_at_once(struct bestdag_portfolio *p, int stage)
{
    struct bestdag_outcome slice = {0};
    double amount = bestdag_work_budget_left(&p->whole);
    (void)stage;
    if (run_slice(p, amount, p->task->run->seed, &slice)) {
        bestdag_dag_free(slice.dag);
        return bestdag_run_status(p->task->run);
    }
    bestdag_portfolio_take_network(p, slice.dag, slice.score);
    p->task->has_bounds = true;
    return bestdag_portfolio_judge(p);
}

static int search_classes(struct bestdag_portfolio *p, int stage)
{
    return bestdag_class_search_turn(p, amount_of(p, stage), &p->idle[stage]);
}

/* Each slice has its own seed. After a slice without success, every other one
 * does not start from the incumbent: another good network may have new families
 * around it. */
static int improve_once(struct bestdag_portfolio *p, int stage, double amount)
{
    struct bestdag_task *task = p->task;
    struct bestdag_outcome slice = {0};
    int64_t more = 0;
    uint64_t seed = bestdag_mix(task->run->seed ^ bestdag_mix(++p->seeds));
    bestdag_portfolio_begin_bounds(p);
    task->start = p->is_afresh ? NULL : task->start;
    int status = run_slice(p, amount, seed, &slice);
    task->start = p->to->dag ? p->to->dag : task->start;
    if (!status)
        status = bestdag_portfolio_grow(p, slice.dag, GROWING * amount, &more);
    if (!status)
        status = bestdag_portfolio_follow_lists(p, slice.dag, &slice.score);
    if (status) {
        bestdag_dag_free(slice.dag);
        return status;
    }
    bool is_better = bestdag_portfolio_take_network(p, slice.dag, slice.score);
    p->tries = is_better || more ? 0 : p->tries + 1;
    p->idle[stage] = p->tries >= PATIENCE;
    p->is_afresh = !p->is_afresh && p->tries > 0;
    return bestdag_portfolio_judge(p);
}

/* Runs one slice; or, if lists of likely parents may grow, several shorter
 * ones, since the lists grow after each. */
static int improve_in_slices(struct bestdag_portfolio *p, int stage)
{
    int times =
        bestdag_portfolio_is_open(p) && p->supply->likely ? ALTERNATIONS : 1;
    double amount = amount_of(p, stage) / times;
    int status = BESTDAG_OK;
    for (int i = 0;
         !status && i < times && (!i || !bestdag_portfolio_is_over(p)); i++)
        status = improve_once(p, stage, amount);
    return status;
}

/* Takes over the new incumbent of an attempt. */
static int take_incumbent(struct bestdag_portfolio *p,
                          struct bestdag_attempt *a)
{
    double score = (double)NAN;
    struct bestdag_dag *dag = bestdag_attempt_network(a);
    if (dag && !bestdag_task_rescore(p->task, dag, &score))
        bestdag_portfolio_take_network(p, dag, score);
    else
        bestdag_dag_free(dag);
    return bestdag_run_status(p->task->run);
}

/* Begins the prover if its amounts so far pay for its setup; else saves
 * them. */
static int begin(struct bestdag_portfolio *p, int stage)
{
    struct bestdag_attempt *a = &p->attempt[stage];
    double saved = a->given + amount_of(p, stage);
    if (!stages[stage].setup || saved >= stages[stage].setup(p))
        return bestdag_attempt_begin(a, p->task);
    a->given = saved;
    return BESTDAG_OK;
}

static int take_turn(struct bestdag_portfolio *p, int stage)
{
    struct bestdag_attempt *a = &p->attempt[stage];
    if (!a->is_begun && begin(p, stage))
        return bestdag_run_status(p->task->run);
    if (!a->is_begun || a->is_over)
        return BESTDAG_OK;
    bool is_better = p->seen[stage] != p->better;
    int status = BESTDAG_OK;
    bestdag_portfolio_spend(p,
                            bestdag_attempt_take_turn(a, amount_of(p, stage),
                                                      p->to->dag, is_better));
    if (bestdag_run_status(p->task->run))
        return bestdag_run_status(p->task->run);
    if (a->is_over)
        status = bestdag_portfolio_take_outcome(p, stage);
    else if (!take_incumbent(p, a))
        status = bestdag_portfolio_take_bound(p, a->task.bound);
    p->seen[stage] = p->better; /* it knows its own network */
    return status ? status : bestdag_run_status(p->task->run);
}

/* The number of turns of `orders` that cost as much as one of each prover. */
static int turns_of_provers(const struct bestdag_portfolio *p, int stage)
{
    double sum = 0;
    for (int i = 0; i < BESTDAG_STAGES; i++)
        if (takes_turns(i) && stages[i].applies(p))
            sum += stages[i].share;
    return (int)(sum / stages[stage].share);
}

/* Repeats turns while they find better networks, at most until they have cost
 * as much as all provers: no proof is possible until the optimum is found. */
static int improve_in_turns(struct bestdag_portfolio *p, int stage)
{
    int most = turns_of_provers(p, stage), status = BESTDAG_OK;
    bestdag_portfolio_begin_bounds(p);
    p->attempt[stage].is_optional = true;
    for (int64_t before = -1; !status && p->better != before && most-- > 0 &&
                              !bestdag_portfolio_is_over(p);) {
        before = p->better;
        status = take_turn(p, stage);
        p->tries = p->better != before ? 0 : p->tries + 1;
    }
    p->idle[stage] = p->tries >= PATIENCE;
    return status;
}

/* If the lists are final and there is a network, one search continues from turn
 * to turn, unless it has ended, for lack of memory for instance. */
static int improve(struct bestdag_portfolio *p, int stage)
{
    bool goes_on = !bestdag_portfolio_is_open(p) && p->to->dag &&
                   !p->attempt[stage].is_over;
    return goes_on ? improve_in_turns(p, stage) : improve_in_slices(p, stage);
}

/* Bounds the score of all networks, not only of those that the lists allow. */
static int bound_all(struct bestdag_portfolio *p, int stage)
{
    double amount = amount_of(p, stage);
    if (!bestdag_root_opens(p->task->problem))
        return BESTDAG_OK; /* nothing is known of sets not listed */
    if (bestdag_task_bound_all(p->task, amount))
        return bestdag_run_status(p->task->run);
    bestdag_portfolio_spend(p, amount);
    return bestdag_portfolio_judge(p);
}

/* ---- rounds -------------------------------------------------------------- */

static int run_stage(struct bestdag_portfolio *p, int stage)
{
    if (stages[stage].solver)
        p->task->solver = bestdag_solver_find(stages[stage].solver);
    p->task->clusters = &p->clusters;
    int status = stages[stage].run(p, stage);
    p->task->clusters = NULL;
    return status;
}

/* Goes on until there is a network, even if nothing is left. */
static int run_round(struct bestdag_portfolio *p)
{
    for (int i = 0;
         i < BESTDAG_STAGES && (!p->to->dag || !bestdag_portfolio_is_over(p));
         i++)
        if (stages[i].applies(p) && run_stage(p, i))
            break;
    return bestdag_run_status(p->task->run);
}

static void announce(const struct bestdag_portfolio *p)
{
    struct bestdag_run *run = p->task->run;
    const char *by = p->needs_certificate ? "orders and cluster"
                     : order_graph_is_small(p)
                         ? "orders, cluster, bnb and astar"
                         : "orders, cluster and bnb";
    const char *says = "the largest component has";
    if (bestdag_portfolio_is_open(p))
        bestdag_note(run, 0,
                     "searching orders; extending candidate lists as it goes");
    else if (p->largest < 2)
        bestdag_note(run, 0,
                     "search by dp: every variable can have its best "
                     "parent set");
    else if (dp_is_short(p))
        bestdag_note(run, 0, "search by dp: %s %d variables", says, p->largest);
    else
        bestdag_note(run, 0, "search by %s in turn: %s %d variables", by, says,
                     p->largest);
}

/* Makes sure that a certificate of the present lists is written. */
static int certify(struct bestdag_portfolio *p)
{
    assert(!strcmp(stages[BESTDAG_STAGE_CLUSTER].solver, "cluster"));
    if (!p->needs_certificate || p->is_certified ||
        p->attempt[BESTDAG_STAGE_CLUSTER].is_begun)
        return BESTDAG_OK;
    p->whole.work = fmax(p->whole.work, BESTDAG_LEAST_AMOUNT);
    p->task->solver = bestdag_solver_find(stages[BESTDAG_STAGE_CLUSTER].solver);
    p->task->clusters = &p->clusters;
    bestdag_attempt_begin(&p->attempt[BESTDAG_STAGE_CLUSTER], p->task);
    p->task->clusters = NULL;
    return bestdag_run_status(p->task->run); /* it is written when the attempt
                                                ends */
}

/* Bounds lists that have grown since `cluster` worked on them: its multipliers
 * are still valid. */
static int bound_grown(struct bestdag_portfolio *p)
{
    const struct bestdag_task *t = p->task;
    int64_t least = 0;
    if (p->is_certified || bestdag_portfolio_is_proved(p) ||
        !p->clusters.count ||
        !bestdag_relaxation_fits(t->run, t->problem, INFINITY) ||
        bestdag_root_bound(t->run, t->problem, false, &p->clusters, 0, &least))
        return bestdag_run_status(t->run);
    return bestdag_portfolio_take_bound(
        p, bestdag_problem_bound(t->problem, least));
}

/* After a proof over incomplete lists: adds sets around the network, or else
 * searches longer for sets. Are there new ones? */
static bool goes_on(struct bestdag_portfolio *p)
{
    int64_t more = 0;
    if (!bestdag_portfolio_is_proved(p))
        return !bestdag_portfolio_is_over(p);
    if (!bestdag_portfolio_is_open(p) ||
        bestdag_work_budget_is_stopped(&p->whole) ||
        bestdag_work_budget_left(&p->whole) <= BESTDAG_LEAST_AMOUNT)
        return false;
    if (bestdag_portfolio_grow(p, p->to->dag, p->amount, &more) || more)
        return more > 0;
    p->supply->spent = INFINITY; /* so that all sets are scored, if possible */
    return !bestdag_supply_find(p->supply, p->amount, &more) &&
           !bestdag_portfolio_lists_grow(p, more) && more > 0;
}

static int walk(struct bestdag_portfolio *p)
{
    int64_t more = 0;
    if (bestdag_portfolio_grow(p, p->task->start, p->amount, &more))
        return bestdag_run_status(p->task->run);
    announce(p);
    while (!run_round(p) && goes_on(p)) {
        p->to->status = "heuristic";
        p->amount *= GROWTH;
    }
    return bestdag_run_status(p->task->run) ? bestdag_run_status(p->task->run)
                                            : certify(p);
}

int bestdag_portfolio_run(struct bestdag_portfolio *p)
{
    struct bestdag_run *run = p->task->run;
    p->amount = bestdag_portfolio_is_open(p)
                    ? bestdag_supply_first_amount(p->supply)
                    : FIRST;
    p->started = bestdag_seconds();
    p->task->global_bound = (double)NAN;
    p->largest = bestdag_components_largest(run, p->task->problem);
    if (p->largest >= 0)
        walk(p);
    if (!bestdag_portfolio_stop_provers(p) && !bound_grown(p))
        bestdag_portfolio_judge(p); /* whatever ended the search */
    bestdag_class_search_release(p);
    bestdag_saved_clusters_release(&p->clusters);
    return bestdag_run_status(run);
}
