/* SPDX-License-Identifier: MIT */
/* choice.c -- `auto`: a plan of at most three turns.
 *
 *     few variables depend on each other       dp
 *     not many, but long lists                 astar, cluster, orders
 *     up to some hundred                       cluster, orders
 *     more, or settings for it                 orders
 *     rules that only one solver takes         that one
 *
 * A turn begins where the one before ended: its network is the start, its bound
 * is known. The first that proves ends it all. */
#include "learn/choice.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "problem/core.h"
#include "search/dp.h"

enum {
    DP_MOST = 20,       /* variables: less than a second */
    ASTAR_MOST = 32,    /* where lists are longer than .. */
    LONG_LIST = 120,    /* .. this on average, patterns know more */
    CLUSTER_MOST = 400, /* variables: beyond, its search proves nothing */
    TURNS = 3,
    BRIEF_STEPS = 20000, /* of cluster, if nobody waits */
};

/* Without a time limit `auto` ends after ten minutes, if it did not before. */
#define PATIENCE 600.0

struct plan {
    const char *turn[TURNS];
    int turns;
    int largest;
    int64_t sets;
    bool is_auto;
};

/* ---- what the options say ---------------------------------------------------
 */

static bool is_auto(const struct bestdag_task *task)
{
    return !strcmp(bestdag_option_value(task->options, "solver").text, "auto");
}

/* Settings without a solver are meant for `orders`, whatever there is to
 * solve. */
static bool has_settings(const struct bestdag_options *options)
{
    char key[128];
    const struct bestdag_option *o;
    for (int i = 0; (o = bestdag_option_at(i)); i++) {
        snprintf(key, sizeof key, "%s.%s", o->group, o->key);
        if (!strcmp(o->group, "orders") && bestdag_option_given(options, key))
            return true;
    }
    return bestdag_option_given(options, "set");
}

static bool wants_certificate(const struct bestdag_task *task)
{
    return bestdag_option_value(task->options, "certificate").text != NULL;
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
    return bestdag_fail(task->run, BESTDAG_USAGE,
                        "the solver '%s' writes no certificate: cluster does",
                        name);
}

int bestdag_choice_first(struct bestdag_task *task)
{
    const char *name = is_auto(task)
                           ? choose_by_rules(task)
                           : bestdag_option_value(task->options, "solver").text;
    if (is_auto(task) && has_settings(task->options))
        bestdag_note(task->run, 1, "solver: %s, which the settings are for",
                     name);
    task->solver = bestdag_solver_find(name);
    if (!task->solver)
        return bestdag_fail(task->run, BESTDAG_USAGE,
                            "there is no solver '%s'; 'bestdag list solvers' "
                            "has all",
                            name);
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
                    ((int64_t)bestdag_run_threads(task->run) << 20);
    return !limit || bytes <= limit - bestdag_memory_used(task->run);
}

static void add_turn(struct plan *p, const char *name)
{
    p->turn[p->turns++] = name;
}

static void plan_turns(struct plan *p, const struct bestdag_task *task)
{
    bool proves_otherwise = wants_certificate(task);
    bool is_long = p->sets > (int64_t)LONG_LIST * p->largest;
    if (p->largest <= DP_MOST && has_room(task, p->largest) &&
        !proves_otherwise) {
        add_turn(p, "dp");
        return;
    }
    if (p->largest <= ASTAR_MOST && is_long && !proves_otherwise)
        add_turn(p, "astar");
    if (p->largest <= CLUSTER_MOST || proves_otherwise)
        add_turn(p, "cluster");
    add_turn(p, "orders");
}

static void tell_plan(const struct plan *p, const struct bestdag_task *task)
{
    char names[64] = "";
    for (int i = 0; i < p->turns; i++)
        snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s",
                 i ? ", then " : "", p->turn[i]);
    bestdag_note(task->run, 1,
                 "solver: %s, because %d variable%s on each other", names,
                 p->largest, p->largest == 1 ? " depends" : "s depend");
}

/* No turns: what the task has is right. */
static int make_plan(struct plan *p, const struct bestdag_task *task)
{
    p->is_auto = is_auto(task) && task->problem &&
                 !has_settings(task->options) && takes_rules(task, "cluster");
    if (!p->is_auto)
        return BESTDAG_OK;
    p->largest = bestdag_core_largest(task->run, task->problem);
    p->sets = bestdag_sets_total(task->problem->sets);
    if (p->largest < 0)
        return bestdag_run_status(task->run);
    plan_turns(p, task);
    tell_plan(p, task);
    return BESTDAG_OK;
}

/* ---- turns ------------------------------------------------------------------
 */

/* Seconds of turn i; 0: no limit. One that proves small problems may take most
 * of what is left, the search for a good network must not come too short. */
static double share_of(const struct plan *p, int i, double left, bool is_brief)
{
    bool is_last = i + 1 == p->turns;
    if (is_last || (is_brief && left <= 0))
        return left > 0 ? left : 0;
    return left * (p->largest <= 64 ? 0.6 : 0.35);
}

/* What is known is passed on; what was spent is added up. */
static void pass_on(struct bestdag_task *task, struct bestdag_outcome *to,
                    struct bestdag_outcome *turn)
{
    double before = to->seconds;
    turn->steps += to->steps;
    turn->restarts += to->restarts;
    turn->seconds += before;
    turn->found += before;
    bestdag_dag_free(to->dag);
    *to = *turn;
    task->start = to->dag;
    task->has_bounds = true;
}

static int play_turn(struct bestdag_task *task, double seconds,
                     struct bestdag_outcome *to)
{
    struct bestdag_run *run = task->run;
    struct bestdag_outcome turn = {0};
    struct bestdag_share share = {.seconds = seconds, .reports = true};
    struct bestdag_run *slice = bestdag_run_slice(run, share);
    if (!slice)
        return bestdag_run_status(run);
    slice->seed = run->seed;
    task->run = slice;
    int status = bestdag_search(task, &turn);
    task->run = run;
    if (bestdag_run_join(slice))
        status = bestdag_run_status(run);
    if (!status)
        pass_on(task, to, &turn);
    else
        bestdag_dag_free(turn.dag);
    return status;
}

static bool is_enough(const struct bestdag_task *task,
                      const struct bestdag_outcome *to)
{
    return !strcmp(to->status, "optimal") || bestdag_run_stopped(task->run) ||
           (task->run->gap > 0 && to->gap <= task->run->gap);
}

static int play(struct bestdag_task *task, const struct plan *p, bool is_brief,
                struct bestdag_outcome *to)
{
    double begun = bestdag_seconds(), limit = task->run->deadline;
    if (limit <= 0 && !is_brief)
        limit = begun + PATIENCE;
    for (int i = 0; i < p->turns; i++) {
        double left = limit > 0 ? limit - bestdag_seconds() : 0;
        if (limit > 0 && left <= 0)
            left = 1e-3;
        task->solver = bestdag_solver_find(p->turn[i]);
        task->steps = is_brief && i + 1 < p->turns ? BRIEF_STEPS : 0;
        if (play_turn(task, share_of(p, i, left, is_brief), to))
            return bestdag_run_status(task->run);
        if (is_enough(task, to))
            break;
    }
    return BESTDAG_OK;
}

int bestdag_choice_search(struct bestdag_task *task, bool is_brief,
                          struct bestdag_outcome *to)
{
    struct plan plan = {0};
    const struct bestdag_dag *start = task->start;
    *to = (struct bestdag_outcome){0};
    if (make_plan(&plan, task))
        return bestdag_run_status(task->run);
    if (!plan.turns)
        return bestdag_search(task, to);
    int status = play(task, &plan, is_brief, to);
    task->start = start;
    if (status) {
        bestdag_dag_free(to->dag);
        to->dag = NULL;
    }
    return status;
}
