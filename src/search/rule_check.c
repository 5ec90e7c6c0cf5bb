/* SPDX-License-Identifier: MIT */
/* rule_check.c -- checks answers against the rules as parsed, not as
 * compiled. */
#include "search/rule_check.h"

#include "base/fault.h"
#include "constraints/deduction/checker.h"
#include "constraints/deduction/conflict.h"

/* Names of the variables, from the table or the sets; the caller frees the
 * array. */
static const char **names_of(const struct bestdag_task *task)
{
    const char **names =
        bestdag_alloc(task->run, ((size_t)task->n + 1) * sizeof *names);
    for (int v = 0; names && v < task->n; v++)
        names[v] = task->problem ? task->problem->sets->names[v]
                                 : task->scorer->table->column[v].name;
    return names;
}

/* The first rule that the graph breaks; -1: none, or an error. */
static int find_broken(const struct bestdag_task *task,
                       const struct bestdag_dag *dag)
{
    int broken = -1;
    const char **names = names_of(task);
    if (names)
        bestdag_rules_check(task->run, task->knowledge->rules, names, dag,
                            &broken);
    bestdag_free(names);
    return broken;
}

bool bestdag_task_obeys(const struct bestdag_task *task,
                        const struct bestdag_dag *dag, char place[128])
{
    int broken = task->knowledge && !BESTDAG_FAULT("broken-rule")
                     ? find_broken(task, dag)
                     : -1;
    if (broken >= 0)
        bestdag_rule_place(&task->knowledge->rules->rule[broken], place);
    return broken < 0 && !bestdag_run_status(task->run);
}

int bestdag_task_enforce(const struct bestdag_task *task,
                         const struct bestdag_dag *dag)
{
    char place[128];
    if (bestdag_task_obeys(task, dag, place) || bestdag_run_status(task->run))
        return bestdag_run_status(task->run);
    return bestdag_fail(task->run, BESTDAG_FAILED,
                        "internal error: the search gave a graph that breaks "
                        "%s; please report it",
                        place);
}

/* Can the rules alone be satisfied? If not, fails and names the lines that
 * contradict each other. */
static enum bestdag_satisfiability ask_rules(const struct bestdag_task *task)
{
    const char **names = names_of(task);
    enum bestdag_satisfiability verdict = BESTDAG_UNKNOWN;
    struct bestdag_knowledge_query question = {
        .rules = task->knowledge->rules, .names = names, .n = task->n};
    if (names)
        verdict = bestdag_rules_satisfiable(task->run, &question);
    if (verdict == BESTDAG_NO)
        bestdag_rules_need_network(task->run, &question, NULL);
    bestdag_free(names);
    return verdict;
}

int bestdag_task_possible(const struct bestdag_task *task)
{
    if (!task->knowledge || !task->knowledge->impossible)
        return BESTDAG_OK;
    ask_rules(task);
    return bestdag_fail(task->run, BESTDAG_INFEASIBLE,
                        "no network satisfies the rules");
}

int bestdag_task_report_conflict(const struct bestdag_task *task, bool gave_up)
{
    const char *scope = task->problem ? "candidate sets" : "limits";
    enum bestdag_satisfiability verdict = BESTDAG_UNKNOWN;
    if (task->knowledge && !bestdag_run_stopped(task->run))
        verdict = ask_rules(task);
    if (bestdag_run_status(task->run))
        return bestdag_run_status(task->run);
    if (task->problem && task->problem->sets->ending != BESTDAG_ENDED)
        gave_up = true; /* other lists may allow a network */
    if (gave_up)
        return bestdag_fail(task->run, BESTDAG_FAILED,
                            "the search ended before it found a network that "
                            "satisfies the rules");
    if (!task->knowledge)
        return bestdag_fail(task->run, BESTDAG_INFEASIBLE,
                            "found no network that the candidate sets allow");
    return bestdag_fail(task->run, BESTDAG_INFEASIBLE,
                        "no network within the %s satisfies the rules%s", scope,
                        verdict == BESTDAG_YES ? ", though others do" : "");
}
