/* SPDX-License-Identifier: MIT */
/* learn.c -- from a table, or from candidate sets, to a network.
 *
 * learn: candidate sets (at most half of a time limit), search, parameters.
 * solve: search alone. Both end with the same report. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/table.h"
#include "learn/result.h"
#include "scores/score.h"

/* ---- what both do ----------------------------------------------------------
 */

static const struct bestdag_solver *choose_solver(
    struct bestdag_run *run, const struct bestdag_options *options)
{
    const char *name = bestdag_option_value(options, "solver").text;
    if (strcmp(name, "auto") != 0)
        return bestdag_solver_find(name);
    bestdag_note(run, 1, "solver: orders");
    return bestdag_solver_find("orders");
}

/* The graph of a network whose variables are those of `names`, in any order. */
static struct bestdag_dag *renumber(struct bestdag_run *run, const char *path,
                                    const struct bestdag_network *net,
                                    char *const *names, int n)
{
    struct bestdag_dag *dag = bestdag_dag_new(run, n);
    int *number = bestdag_alloc(run, (size_t)net->dag->n * sizeof *number);
    int *parents = bestdag_alloc(run, (size_t)n * sizeof *parents);
    bool fine = dag && number && parents;
    for (int v = 0; fine && v < net->dag->n; v++)
        number[v] = -1;
    for (int v = 0; fine && v < n; v++) {
        int i = bestdag_network_search(net, names[v]);
        if (i >= 0)
            number[i] = v;
    }
    for (int i = 0; fine && i < net->dag->n; i++) {
        const struct bestdag_parents *p = &net->dag->parents[i];
        if (number[i] < 0) {
            bestdag_fail(run, BESTDAG_INPUT,
                         "%s: there is no variable '%s' to start from", path,
                         net->variable[i].name);
            fine = false;
            break;
        }
        for (int k = 0; k < p->count; k++)
            parents[k] = number[p->at[k]];
        /* A parent that is not known ends the loop when its turn comes. */
        bool known = true;
        for (int k = 0; k < p->count; k++)
            known &= parents[k] >= 0;
        if (known)
            fine = !bestdag_dag_set_parents(run, dag, number[i], parents,
                                            p->count);
    }
    bestdag_free(number);
    bestdag_free(parents);
    if (fine)
        return dag;
    bestdag_dag_free(dag);
    return NULL;
}

/* NULL with status OK: no start was asked for. */
static struct bestdag_dag *read_start(struct bestdag_run *run,
                                      const struct bestdag_options *options,
                                      char *const *names, int n)
{
    const char *path = bestdag_option_value(options, "start").text;
    struct bestdag_network *net = path ? bestdag_network_read(run, path) : NULL;
    struct bestdag_dag *dag = net ? renumber(run, path, net, names, n) : NULL;
    bestdag_network_free(net);
    return dag;
}

static int check_rules(struct bestdag_run *run,
                       const struct bestdag_rules *rules)
{
    return rules ? bestdag_fail(run, BESTDAG_USAGE, "rules are not known yet")
                 : BESTDAG_OK;
}

static struct bestdag_problem *pose(struct bestdag_run *run,
                                    const struct bestdag_sets *sets)
{
    if (bestdag_reserve(run, bestdag_problem_bytes(sets),
                        "the search over the candidate sets"))
        return NULL;
    return bestdag_problem_new(run, sets);
}

/* ---- solve -----------------------------------------------------------------
 */

static struct bestdag_network *bare_network(struct bestdag_run *run,
                                            const struct bestdag_sets *sets,
                                            const struct bestdag_dag *dag)
{
    struct bestdag_network *net = bestdag_network_empty(run, sets->n);
    for (int v = 0; net && v < sets->n; v++)
        if (bestdag_network_set_variable(
                run, net, v, bestdag_strdup(run, sets->names[v]), NULL, 0) ||
            bestdag_dag_set_parents(run, net->dag, v, dag->parents[v].at,
                                    dag->parents[v].count)) {
            bestdag_network_free(net);
            return NULL;
        }
    return net;
}

static struct bestdag_result *solve(struct bestdag_task *task,
                                    const struct bestdag_sets *sets)
{
    struct bestdag_outcome outcome;
    struct bestdag_result *result = NULL;
    double before = bestdag_seconds() - task->run->start;
    if (!bestdag_search(task, &outcome)) {
        const char *rows = bestdag_sets_noted(sets, "rows");
        struct bestdag_tale tale = {
            .task = task,
            .outcome = &outcome,
            .sets = sets,
            .score_name = bestdag_sets_noted(sets, "score"),
            .rows = rows ? strtoll(rows, NULL, 10) : -1,
            .read = before,
            .score = (double)NAN,
            .fit = (double)NAN,
            .names = sets->names,
        };
        struct bestdag_network *net =
            bare_network(task->run, sets, outcome.dag);
        result = net ? bestdag_result_new(task->run, &tale, net) : NULL;
    }
    bestdag_dag_free(outcome.dag);
    return result;
}

struct bestdag_result *bestdag_solve(struct bestdag_run *run,
                                     const struct bestdag_sets *sets,
                                     const struct bestdag_rules *rules,
                                     const struct bestdag_options *options)
{
    if (bestdag_lacks(run, sets, "set of candidate sets") ||
        check_rules(run, rules))
        return NULL;
    struct bestdag_task task = {.run = run,
                                .solver = choose_solver(run, options),
                                .options = options,
                                .n = sets->n,
                                .max_parents = -1};
    if (task.solver->ground == BESTDAG_ON_TABLE) {
        bestdag_fail(run, BESTDAG_USAGE,
                     "the solver '%s' scores families itself and needs the "
                     "table: use learn",
                     task.solver->name);
        return NULL;
    }
    struct bestdag_dag *start = read_start(run, options, sets->names, sets->n);
    struct bestdag_problem *problem =
        bestdag_run_status(run) ? NULL : pose(run, sets);
    task.start = start;
    task.problem = problem;
    struct bestdag_result *result = problem ? solve(&task, sets) : NULL;
    bestdag_problem_free(problem);
    bestdag_dag_free(start);
    return result;
}

/* ---- learn -----------------------------------------------------------------
 */

struct lesson {
    struct bestdag_run *run;
    const struct bestdag_table *table;
    const struct bestdag_options *options;
    struct bestdag_sets *sets;       /* owns; NULL: not needed */
    struct bestdag_problem *problem; /* owns; NULL: not needed */
    struct bestdag_scorer *scorer;   /* owns */
    struct bestdag_dag *start;       /* owns */
    char **names;                    /* owns the array alone */
    struct bestdag_task task;
    double read, score; /* seconds */
};

/* Candidate sets may take half of the time that is left. */
static int find_sets(struct lesson *l)
{
    double left = l->run->deadline - bestdag_seconds();
    struct bestdag_share share = {
        .seconds = l->run->deadline > 0 ? (left > 0 ? left / 2 : 1e-9) : 0,
        .reports = true};
    struct bestdag_run *slice = bestdag_run_slice(l->run, share);
    if (!slice)
        return bestdag_run_status(l->run);
    slice->seed = l->run->seed;
    l->sets = bestdag_sets_find(slice, l->table, NULL, l->options);
    if (bestdag_run_join(slice))
        return bestdag_run_status(l->run);
    const char *path = bestdag_option_value(l->options, "save-scores").text;
    if (path && bestdag_sets_write(l->run, l->sets, path, l->options))
        return bestdag_run_status(l->run);
    l->problem = pose(l->run, l->sets);
    return bestdag_run_status(l->run);
}

static int prepare(struct lesson *l)
{
    struct bestdag_task *task = &l->task;
    struct bestdag_value limit =
        bestdag_option_value(l->options, "parents.max-parents");
    int n = l->table->columns;
    l->names = bestdag_alloc(l->run, (size_t)n * sizeof *l->names);
    if (!l->names)
        return bestdag_run_status(l->run);
    for (int v = 0; v < n; v++)
        l->names[v] = l->table->column[v].name;
    l->scorer = bestdag_scorer_new(l->run, l->table, l->options);
    if (!l->scorer)
        return bestdag_run_status(l->run);
    l->start = read_start(l->run, l->options, l->names, n);
    double before = bestdag_seconds();
    if (!bestdag_run_status(l->run) &&
        task->solver->ground == BESTDAG_ON_SETS && find_sets(l))
        return bestdag_run_status(l->run);
    l->score = l->sets ? bestdag_seconds() - before : (double)NAN;
    task->problem = l->problem;
    task->scorer = l->scorer;
    task->start = l->start;
    task->n = n;
    task->max_parents = limit.text ? (int)limit.integer : -1;
    return bestdag_run_status(l->run);
}

/* A learned network comes with its tables, also when the search was ended by a
 * limit or a signal: fitting then has the time that it needs. */
static struct bestdag_network *fit(struct lesson *l,
                                   const struct bestdag_dag *dag)
{
    struct bestdag_network *net = bestdag_network_new(l->run, l->table);
    for (int v = 0; net && v < dag->n; v++)
        if (bestdag_dag_set_parents(l->run, net->dag, v, dag->parents[v].at,
                                    dag->parents[v].count)) {
            bestdag_network_free(net);
            return NULL;
        }
    if (!net)
        return NULL;
    int stop = atomic_exchange(&l->run->stop, 0);
    double deadline = l->run->deadline;
    l->run->deadline = 0;
    struct bestdag_network *fitted =
        bestdag_network_fit(l->run, net, l->table, l->options);
    l->run->deadline = deadline;
    if (stop)
        atomic_store(&l->run->stop, stop);
    bestdag_network_free(net);
    return fitted;
}

static struct bestdag_result *study(struct lesson *l)
{
    struct bestdag_outcome outcome = {0};
    struct bestdag_result *result = NULL;
    if (!prepare(l) && !bestdag_search(&l->task, &outcome)) {
        double before = bestdag_seconds();
        struct bestdag_network *net = fit(l, outcome.dag);
        struct bestdag_tale tale = {
            .task = &l->task,
            .outcome = &outcome,
            .sets = l->sets,
            .score_name = l->scorer->type->name,
            .rows = l->scorer->total,
            .read = l->read,
            .score = l->score,
            .fit = bestdag_seconds() - before,
            .names = l->names,
        };
        result = net ? bestdag_result_new(l->run, &tale, net) : NULL;
    }
    bestdag_dag_free(outcome.dag);
    return result;
}

struct bestdag_result *bestdag_learn(struct bestdag_run *run,
                                     const struct bestdag_table *table,
                                     const struct bestdag_rules *rules,
                                     const struct bestdag_options *options)
{
    if (bestdag_lacks(run, table, "table") || check_rules(run, rules))
        return NULL;
    struct lesson l = {
        .run = run,
        .table = table,
        .options = options,
        .read = bestdag_seconds() - run->start,
        .task = {.run = run,
                 .solver = choose_solver(run, options),
                 .options = options},
    };
    struct bestdag_result *result = study(&l);
    bestdag_problem_free(l.problem);
    bestdag_sets_free(l.sets);
    bestdag_scorer_free(l.scorer);
    bestdag_dag_free(l.start);
    bestdag_free(l.names);
    return result;
}
