/* SPDX-License-Identifier: MIT */
/* auto.c -- chooses the solver: the one that the options name; or, for `auto`,
 * a first network by hill climbing on the table, then the stages of
 * portfolio.c; or, where the rules suit one solver only, that one. */
#include "learn/auto.h"

#include <string.h>

#include "base/work.h"
#include "learn/portfolio.h"
#include "learn/search_slice.h"
#include "search/direct/arc_gains.h"

enum {
    FEW = 20,    /* variables: up to this many dp proves at once, without hill
                    climbing */
    LIKELY = 64, /* parents considered for each variable .. */
    MANY = 256   /* .. of tables with more variables than this */
};
/* The part of the time or work that hill climbing may take. */
#define FIRST_SHARE 0.6

/* Memory of the first network if there is no limit. */
#define FIRST_BYTES ((int64_t)1 << 29)

/* ---- options ------------------------------------------------------------- */

static bool is_auto(const struct bestdag_task *task)
{
    return !strcmp(
        bestdag_option_value(task->options, &bestdag_solve_options, "solver")
            .text,
        "auto");
}

/* Settings without a solver belong to `orders`. */
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

bool bestdag_auto_takes_rules(const struct bestdag_task *task, const char *name)
{
    const struct bestdag_solver *s = bestdag_solver_find(name);
    return !task->knowledge || !(task->knowledge->needs & ~s->takes);
}

/* `orders`, or the first solver in the table that takes the rules. */
static const char *choose_by_rules(const struct bestdag_task *task)
{
    const struct bestdag_solver *s = bestdag_solver_find("orders");
    for (int i = 0; s && !bestdag_auto_takes_rules(task, s->name); i++)
        s = bestdag_solver_at(i);
    return s ? s->name : "orders";
}

bool bestdag_auto_is_free(const struct bestdag_task *task)
{
    return is_auto(task) && !has_settings(task->options) &&
           bestdag_auto_takes_rules(task, "cluster");
}

/* `auto` writes a certificate by `cluster`, unless it runs one other solver. */
static int check_certificate(const struct bestdag_task *task, const char *name)
{
    if (!wants_certificate(task) || !strcmp(name, "cluster") ||
        bestdag_auto_is_free(task))
        return BESTDAG_OK;
    if (is_auto(task) && !has_settings(task->options))
        return bestdag_fail(task->run, BESTDAG_USAGE,
                            "under these rules there is no certificate: they "
                            "need the solver '%s', which cannot write one",
                            name);
    return bestdag_fail(
        task->run, BESTDAG_USAGE,
        "the solver '%s' cannot write a certificate: use auto or cluster",
        name);
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

/* ---- the first network --------------------------------------------------- */

/* The time or work that the first network may take. */
static double first_network_amount(const struct bestdag_task *task)
{
    struct bestdag_work_budget whole =
        bestdag_work_budget_begin(task->run, task->n, false);
    return FIRST_SHARE * bestdag_work_budget_left(&whole);
}

/* The work before the first arc: all pairs are scored. */
static double pairs_amount(const struct bestdag_task *task)
{
    double work = bestdag_supply_pairs_work(task->scorer->table);
    return task->run->deadline > 0 ? work / bestdag_run_threads(task->run)
                                   : work;
}

/* Bytes of gains and graph. */
static int64_t first_network_bytes(const struct bestdag_task *task)
{
    int64_t n = task->n, row = n > MANY ? 2 * LIKELY : n;
    return 2 * n * row * (int64_t)sizeof(int64_t) +
           bestdag_closure_bytes(task->n);
}

/* Is a first network worth while, and can it be found in time? Tables that dp
 * solves need none. */
static bool needs_first_network(const struct bestdag_task *task)
{
    int64_t limit = bestdag_memory_limit(task->run);
    int64_t bytes = first_network_bytes(task);
    return bestdag_auto_is_free(task) && task->n > FEW &&
           bestdag_auto_takes_rules(task, "hc") &&
           pairs_amount(task) < first_network_amount(task) &&
           bytes < (limit ? (limit - bestdag_memory_used(task->run)) / 4
                          : FIRST_BYTES);
}

struct bestdag_likely_parents *bestdag_auto_likely(
    const struct bestdag_task *task)
{
    double begun = bestdag_seconds();
    if (task->n <= MANY || !needs_first_network(task))
        return NULL;
    struct bestdag_likely_parents *likely = bestdag_likely_parents_new(
        task->run, task->scorer, task->knowledge, LIKELY);
    bestdag_note(task->run, 1, "all pairs: %.3f s, %.3f s of counted work",
                 bestdag_seconds() - begun, pairs_amount(task));
    return likely;
}

int bestdag_auto_first_network(struct bestdag_task *task,
                               struct bestdag_outcome *to)
{
    const struct bestdag_solver *solver = task->solver;
    *to = (struct bestdag_outcome){0};
    if (!needs_first_network(task))
        return BESTDAG_OK;
    task->solver = bestdag_solver_find("hc");
    task->is_once = true;
    int status = bestdag_search_try(task, first_network_amount(task), to);
    task->is_once = false;
    task->has_bounds = false;
    task->solver = solver;
    return status;
}

/* ---- search -------------------------------------------------------------- */

/* Runs one solver to its end. Chosen by `auto` because of the rules, it has the
 * work of all stages, or the time limit. */
static int search_once(struct bestdag_task *task, struct bestdag_outcome *to)
{
    struct bestdag_work_budget whole =
        bestdag_work_budget_begin(task->run, task->n, false);
    if (is_auto(task) && !has_settings(task->options) &&
        task->run->deadline <= 0)
        task->work = bestdag_work_budget_left(&whole);
    int status = bestdag_search(task, to);
    task->work = 0;
    return status;
}

int bestdag_auto_search(struct bestdag_task *task,
                        struct bestdag_supply *supply, bool is_brief,
                        struct bestdag_outcome *to)
{
    struct bestdag_portfolio all = {
        .task = task,
        .supply = is_brief ? NULL : supply,
        .to = to,
        .needs_certificate = wants_certificate(task),
        .whole = bestdag_work_budget_begin(task->run, task->n, is_brief)};
    const struct bestdag_dag *start = task->start;
    *to = (struct bestdag_outcome){0};
    if (!bestdag_auto_is_free(task) || !task->problem)
        return search_once(task, to);
    int status = bestdag_portfolio_run(&all);
    task->start = start;
    if (status) {
        bestdag_dag_free(to->dag);
        to->dag = NULL;
    }
    return status;
}
