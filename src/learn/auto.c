/* SPDX-License-Identifier: MIT */
/* auto.c -- `auto`: a first network by hill climbing on the table, then a
 * plan of at most three turns.
 *
 *     few variables depend on each other       dp
 *     not many, but long lists                 astar, cluster, orders
 *     up to some hundred                       cluster, orders
 *     more, or settings for it                 orders
 *     rules that only one solver takes         that one
 *
 * How turns are played, and how lists that are not complete grow between them,
 * is in solver_turns.c. */
#include "learn/auto.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/work.h"
#include "learn/solver_turns.h"
#include "problem/component.h"
#include "search/direct/arc_gains.h"
#include "search/subsets/dp.h"

enum {
    THREADS = 8,        /* memory is allowed for, however many there are */
    DP_MOST = 20,       /* variables: less than a second */
    ASTAR_MOST = 48,    /* where lists are longer than .. */
    LONG_LIST = 120,    /* .. this on average, patterns know more */
    CLUSTER_MOST = 400, /* variables: beyond, its search proves nothing */
};

/* What the first network may keep without a memory limit. */
#define OPENING_BYTES ((int64_t)1 << 29)

/* ---- what the options say ---------------------------------------------------
 */

static bool is_auto(const struct bestdag_task *task)
{
    return !strcmp(
        bestdag_option_value(task->options, &bestdag_solve_options, "solver")
            .text,
        "auto");
}

/* Settings without a solver are meant for `orders`, whatever there is to
 * solve. */
static bool has_settings(const struct bestdag_options *options)
{
    const struct bestdag_option_group group =
        bestdag_solver_settings(bestdag_solver_find("orders"));
    for (const struct bestdag_option *o = group.row; o->key; o++)
        if (bestdag_option_given(options, &group, o->key))
            return true;
    return bestdag_option_given(options, &bestdag_solve_options, "set");
}

static bool wants_certificate(const struct bestdag_task *task)
{
    return bestdag_option_value(task->options, &bestdag_solve_options,
                                "certificate")
               .text != NULL;
}

/* Does this solver take the rules of the task? */
static bool takes_rules(const struct bestdag_task *task, const char *name)
{
    const struct bestdag_solver *s = bestdag_solver_find(name);
    return !task->knowledge || !(task->knowledge->needs & ~s->takes);
}

/* The first one that takes the rules, if `orders` does not. */
static const char *choose_by_rules(const struct bestdag_task *task)
{
    const struct bestdag_solver *s = bestdag_solver_find("orders");
    for (int i = 0; s && !takes_rules(task, s->name); i++)
        s = bestdag_solver_at(i);
    return s ? s->name : "orders";
}

static int check_certificate(const struct bestdag_task *task, const char *name)
{
    if (!wants_certificate(task) || is_auto(task) || !strcmp(name, "cluster"))
        return BESTDAG_OK;
    return bestdag_fail(
        task->run, BESTDAG_USAGE,
        "the solver '%s' cannot write a certificate: use cluster", name);
}

int bestdag_auto_first(struct bestdag_task *task)
{
    const char *name =
        is_auto(task) ? choose_by_rules(task)
                      : bestdag_option_value(task->options,
                                             &bestdag_solve_options, "solver")
                            .text;
    if (is_auto(task) && has_settings(task->options))
        bestdag_note(task->run, 1, "solver: %s, to which the settings belong",
                     name);
    task->solver = bestdag_solver_find(name);
    if (!task->solver)
        return bestdag_fail(
            task->run, BESTDAG_USAGE,
            "there is no solver '%s'; 'bestdag list solvers' shows all", name);
    return check_certificate(task, name) ? bestdag_run_status(task->run)
                                         : bestdag_task_check(task);
}

/* ---- the plan ---------------------------------------------------------------
 */

/* Is there room for all subsets, beside a copy of the lists, and for what each
 * thread needs? */
static bool has_room(const struct bestdag_task *task, int variables)
{
    int64_t limit = bestdag_memory_limit(task->run);
    int64_t bytes = bestdag_dp_bytes(variables) +
                    2 * bestdag_problem_bytes(task->problem->sets) +
                    ((int64_t)THREADS << 20);
    return !limit || bytes <= limit - bestdag_memory_used(task->run);
}

static void add_turn(struct bestdag_solver_turns *g, const char *name)
{
    g->turn[g->turns++] = name;
}

static void plan_turns(struct bestdag_solver_turns *g)
{
    bool proves_otherwise = wants_certificate(g->task);
    int64_t sets = bestdag_sets_total(g->task->problem->sets);
    bool is_long = sets > (int64_t)LONG_LIST * g->largest;
    g->turns = 0;
    if (g->largest <= DP_MOST && has_room(g->task, g->largest) &&
        !proves_otherwise) {
        add_turn(g, "dp");
        return;
    }
    if (g->largest <= ASTAR_MOST && is_long && !proves_otherwise)
        add_turn(g, "astar");
    if (g->largest <= CLUSTER_MOST || proves_otherwise)
        add_turn(g, "cluster");
    add_turn(g, "orders");
}

/* One line at any verbosity; what follows later from longer lists is shown
 * with -v only. */
static void note_plan(const struct bestdag_solver_turns *g)
{
    char names[64] = "";
    for (int i = 0; i < g->turns; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s",
                 i ? ", then " : "", g->turn[i]);
    if (g->largest < 2)
        bestdag_note(
            g->task->run, g->round > 0,
            "search by %s: every variable can have its best parent set", names);
    else
        bestdag_note(g->task->run, g->round > 0,
                     "search by %s: the largest component has %d variables",
                     names, g->largest);
}

static int plan(struct bestdag_solver_turns *g)
{
    g->largest = bestdag_components_largest(g->task->run, g->task->problem);
    if (g->largest < 0)
        return bestdag_run_status(g->task->run);
    plan_turns(g);
    note_plan(g);
    return BESTDAG_OK;
}

bool bestdag_auto_is_free(const struct bestdag_task *task)
{
    return is_auto(task) && !has_settings(task->options) &&
           takes_rules(task, "cluster");
}

/* ---- the first network ------------------------------------------------------
 */

/* The amount of time or work that it may have. */
static double opening_amount(const struct bestdag_task *task)
{
    struct bestdag_budget_share whole =
        bestdag_budget_share_begin(task->run, task->n);
    return bestdag_budget_share_of_stage(&whole, BESTDAG_STAGE_OPENING, false);
}

/* What it needs before the first arc: all pairs are scored. */
static double pairs_amount(const struct bestdag_task *task)
{
    double rows = (double)task->scorer->table->rows + 100, n = task->n;
    double work = n * n * rows * BESTDAG_WORK_PAIR;
    return task->run->deadline > 0 ? work / bestdag_run_threads(task->run)
                                   : work;
}

/* Is it worth while, and will it be through in time? A table that dp proves
 * needs none. */
static bool has_opening(const struct bestdag_task *task)
{
    int64_t limit = bestdag_memory_limit(task->run);
    int64_t bytes = 2 * bestdag_arc_gains_bytes(task->n);
    return bestdag_auto_is_free(task) && task->n > DP_MOST &&
           takes_rules(task, "hc") &&
           pairs_amount(task) < opening_amount(task) &&
           bytes < (limit ? (limit - bestdag_memory_used(task->run)) / 4
                          : OPENING_BYTES);
}

int bestdag_auto_open(struct bestdag_task *task, struct bestdag_outcome *to)
{
    const struct bestdag_solver *solver = task->solver;
    *to = (struct bestdag_outcome){0};
    if (!has_opening(task))
        return BESTDAG_OK;
    task->solver = bestdag_solver_find("hc");
    task->is_once = true;
    int status = bestdag_solver_turns_try(task, opening_amount(task), to);
    task->is_once = false;
    task->has_bounds = false;
    task->solver = solver;
    return status;
}

/* ---- all of it --------------------------------------------------------------
 */

/* Is there time, or work, left for another proof, and some to spare? */
static bool has_more(const struct bestdag_solver_turns *g, double proving)
{
    return bestdag_budget_share_left(&g->whole) > 5 * proving + 0.1 &&
           !bestdag_run_stopped(g->task->run);
}

/* Lists that are not complete grow, before the turns and after a proof. */
static int explore(struct bestdag_solver_turns *g)
{
    double before = -INFINITY;
    bool is_new = true;
    bestdag_note(g->task->run, 0,
                 "searching orders; extending candidate lists as it goes");
    while (is_new) {
        if (bestdag_solver_turns_rounds(g) || plan(g))
            break;
        double before_it = bestdag_budget_share_left(&g->whole);
        if (bestdag_solver_turns_run(g) || !bestdag_solver_turns_is_proved(g) ||
            !has_more(g, before_it - bestdag_budget_share_left(&g->whole)) ||
            bestdag_solver_turns_refill(g, g->to->score <= before, &is_new))
            break;
        before = g->to->score;
    }
    return bestdag_run_status(g->task->run);
}

static int play(struct bestdag_solver_turns *g)
{
    bool grows = g->supply && !g->is_brief && bestdag_supply_is_open(g->supply);
    g->whole = bestdag_budget_share_begin(g->task->run, g->task->n);
    g->whole.has_no_limits = g->is_brief;
    if (grows)
        return explore(g);
    return plan(g) ? bestdag_run_status(g->task->run)
                   : bestdag_solver_turns_run(g);
}

/* One solver: until it ends on its own. The one that `auto` takes for the rules
 * has as much work as all stages together, and the same of time. */
static int search_once(struct bestdag_task *task, struct bestdag_outcome *to)
{
    struct bestdag_budget_share whole =
        bestdag_budget_share_begin(task->run, task->n);
    if (is_auto(task) && !has_settings(task->options) &&
        task->run->deadline <= 0)
        task->work = bestdag_budget_share_left(&whole);
    int status = bestdag_search(task, to);
    task->work = 0;
    return status;
}

int bestdag_auto_search(struct bestdag_task *task,
                        struct bestdag_supply *supply, bool is_brief,
                        struct bestdag_outcome *to)
{
    struct bestdag_solver_turns game = {
        .task = task, .supply = supply, .to = to, .is_brief = is_brief};
    const struct bestdag_dag *start = task->start;
    *to = (struct bestdag_outcome){0};
    if (!bestdag_auto_is_free(task) || !task->problem)
        return search_once(task, to);
    int status = play(&game);
    task->start = start;
    if (status) {
        bestdag_dag_free(to->dag);
        to->dag = NULL;
    }
    return status;
}
