/* SPDX-License-Identifier: MIT */
/* answer_check.c -- turns a solver's answer into the outcome of the search.
 *
 * No claim of a solver is trusted: its graph is checked for cycles, against the
 * rules and against the candidate lists, and scored again from the table, or
 * from the lists if there is none. The outcome is the best of this graph and
 * the other known networks: the start, the network that caps the costs, and, if
 * the run was cut short, that of the checkpoint. */
#include "search/answer_check.h"

#include <math.h>

#include "base/fault.h"
#include "search/outcome.h"
#include "search/rule_check.h"
#include "search/saved_state.h"

static int check_acyclic(struct bestdag_run *run, const struct bestdag_dag *dag)
{
    int *order = bestdag_alloc(run, (size_t)dag->n * sizeof *order);
    int placed = order ? bestdag_dag_order(run, dag, order) : -1;
    bestdag_free(order);
    if (placed < 0)
        return bestdag_run_status(run);
    if (placed < dag->n && !BESTDAG_FAULT("cycle"))
        return bestdag_fail(run, BESTDAG_FAILED,
                            "internal error: the search gave a graph with a "
                            "cycle; please report it");
    return BESTDAG_OK;
}

/* Writes the scores of the lists to nats[n], which may be NULL; the network's
 * families must be listed. */
static int look_up(const struct bestdag_task *task,
                   const struct bestdag_dag *dag, double *nats)
{
    const struct bestdag_problem *problem = task->problem;
    for (int v = 0; v < dag->n; v++) {
        const struct bestdag_parents *p = &dag->parents[v];
        int set = bestdag_problem_find(problem, v, p->at, p->count);
        if (set < 0)
            return bestdag_fail(task->run, BESTDAG_FAILED,
                                "internal error: the search gave '%s' parents "
                                "that are not in its list; please report it",
                                problem->sets->names[v]);
        if (nats)
            nats[v] = problem->sets->list[v].score[set];
    }
    return BESTDAG_OK;
}

int bestdag_task_rescore(const struct bestdag_task *task,
                         const struct bestdag_dag *dag, double *score)
{
    double total = 0, carry = 0; /* Kahan summation: 10,000 terms lose
                                    nothing */
    double *nats =
        bestdag_alloc(task->run, ((size_t)dag->n + 1) * sizeof *nats);
    if (!nats || (task->scorer ? bestdag_scorer_exact_all(
                                     task->run, task->scorer, dag, nats)
                               : look_up(task, dag, nats))) {
        bestdag_free(nats);
        return bestdag_run_status(task->run);
    }
    for (int v = 0; v < dag->n && total > -INFINITY; v++) {
        double term = nats[v] - carry, sum = total + term;
        carry = (sum - total) - term;
        total = sum;
    }
    bestdag_free(nats);
    *score = BESTDAG_FAULT("wrong-score") ? total - 0.5 : total;
    return BESTDAG_OK;
}

/* Makes a solver's answer the outcome, after checking that it has no cycle and,
 * if the solver works on lists, that it is over these; scores it again. */
static int take_answer(const struct bestdag_task *task,
                       const struct bestdag_answer *answer,
                       struct bestdag_outcome *to)
{
    to->dag = answer->dag;
    to->steps = answer->steps;
    to->restarts = answer->restarts;
    to->work = answer->work;
    to->is_limited |= answer->is_limited;
    if (bestdag_run_status(task->run) || !to->dag ||
        check_acyclic(task->run, to->dag) ||
        bestdag_task_enforce(task, to->dag) ||
        (task->problem && look_up(task, to->dag, NULL)))
        return bestdag_run_status(task->run);
    return bestdag_task_rescore(task, to->dag, &to->score);
}

/* ---- other known networks ------------------------------------------------ */

/* Takes over `dag`, which becomes the answer if it is better by more than
 * rounding. */
static int offer(const struct bestdag_task *task, struct bestdag_dag *dag,
                 struct bestdag_outcome *to)
{
    double score = (double)NAN;
    struct bestdag_dag *worse = dag;
    bestdag_task_rescore(task, dag, &score);
    bool has_none = !to->dag || !(to->score > -INFINITY);
    if (has_none || score > to->score + 1e-12 * fabs(to->score)) {
        worse = to->dag;
        to->dag = dag;
        to->score = score;
    }
    bestdag_dag_free(worse);
    return bestdag_run_status(task->run);
}

/* May v have these parents? With a table, any set within the limit; else those
 * of its list. */
static bool may_have(const struct bestdag_task *task, int v,
                     const struct bestdag_parents *p)
{
    if (task->scorer)
        return (task->max_parents < 0 || p->count <= task->max_parents) &&
               !bestdag_scorer_has_constant(task->scorer, v, p->at, p->count);
    return bestdag_problem_find(task->problem, v, p->at, p->count) >= 0;
}

/* Offers the start itself, if it is admissible; else prints a note. */
static int offer_start(const struct bestdag_task *task,
                       struct bestdag_outcome *to)
{
    const char *else_used = task->problem ? "; only its order is used" : "";
    char place[128];
    int foreign = 0;
    for (int v = 0; v < task->n; v++)
        foreign += !may_have(task, v, &task->start->parents[v]);
    bool obeys = bestdag_task_obeys(task, task->start, place);
    if (bestdag_run_status(task->run))
        return bestdag_run_status(task->run);
    if (!foreign && obeys) {
        struct bestdag_dag *copy = bestdag_dag_copy(task->run, task->start);
        return copy ? offer(task, copy, to) : bestdag_run_status(task->run);
    }
    if (!obeys)
        bestdag_note(task->run, 0, "start: it breaks %s%s", place, else_used);
    else
        bestdag_note(
            task->run, 0, "start: %d of %d families %s%s%s", foreign, task->n,
            task->scorer ? "have more parents than max-parents"
                         : "are not among the candidate sets",
            task->scorer && !task->scorer->columns ? ", or constant columns"
                                                   : "",
            else_used);
    return BESTDAG_OK;
}

/* The best network over the sets whose arcs agree with an order of the start.
 */
static int offer_order(const struct bestdag_task *task,
                       struct bestdag_outcome *to)
{
    struct bestdag_dag *dag = NULL;
    int *order = bestdag_alloc(task->run, (size_t)task->n * sizeof *order);
    if (order && bestdag_dag_order(task->run, task->start, order) == task->n)
        dag = bestdag_order_dag(task->run, task->problem, order, NULL);
    bestdag_free(order);
    char place[128];
    if (dag && bestdag_task_obeys(task, dag, place))
        return offer(task, dag, to);
    bestdag_dag_free(dag);
    return bestdag_run_status(task->run);
}

/* The answer is never worse than the start, whatever the solver did with it. */
static int consider_start(const struct bestdag_task *task,
                          struct bestdag_outcome *to)
{
    if (!task->start)
        return BESTDAG_OK;
    if (task->problem && offer_order(task, to))
        return bestdag_run_status(task->run);
    return offer_start(task, to);
}

/* If this run was cut short, considers the network of the checkpoint and keeps
 * the better one there. A run that ends by itself gives the answer that it
 * would have given without being killed. */
static int consider_kept(struct bestdag_task *task, struct bestdag_outcome *to)
{
    if (!task->checkpoint || bestdag_run_ending(task->run) == BESTDAG_ENDED)
        return BESTDAG_OK;
    struct bestdag_dag *dag = bestdag_task_kept(task);
    char place[128];
    bool is_fine = dag && !check_acyclic(task->run, dag) &&
                   bestdag_task_obeys(task, dag, place);
    for (int v = 0; is_fine && v < task->n; v++)
        is_fine = may_have(task, v, &dag->parents[v]);
    if (is_fine)
        offer(task, dag, to);
    else
        bestdag_dag_free(dag);
    if (!bestdag_run_status(task->run))
        bestdag_task_keep_last(task, to->dag);
    return bestdag_run_status(task->run);
}

/* Considers the network that caps the costs: no answer is worse. */
static int consider_known(const struct bestdag_task *task,
                          struct bestdag_outcome *to)
{
    const struct bestdag_problem *p = task->problem;
    if (!p || !p->known)
        return BESTDAG_OK;
    struct bestdag_dag *dag = bestdag_problem_dag(task->run, p, p->known);
    return dag ? offer(task, dag, to) : bestdag_run_status(task->run);
}

/* Are all parents required? */
static bool is_required(const struct bestdag_knowledge *k, int v,
                        const struct bestdag_parents *p)
{
    for (int i = 0; i < p->count; i++)
        if (!k || !bestdag_knowledge_requires(k, v, p->at[i]))
            return false;
    return true;
}

/* A network with a family without a score is no answer. Larger sets have no
 * score either, so if all of that family's parents are required, there is no
 * network at all. */
static int refuse_unscored(const struct bestdag_task *task,
                           const struct bestdag_dag *dag)
{
    for (int v = 0; v < dag->n; v++) {
        const struct bestdag_parents *p = &dag->parents[v];
        const char *name = task->scorer->table->column[v].name;
        double nats;
        if (bestdag_scorer_exact(task->run, task->scorer, v, p->at, p->count,
                                 &nats))
            return bestdag_run_status(task->run);
        if (nats > -INFINITY)
            continue;
        if (is_required(task->knowledge, v, p))
            return bestdag_fail(task->run, BESTDAG_INFEASIBLE,
                                "the rules require parents of '%s' that have "
                                "no score with it: the family is singular, or "
                                "no row has it",
                                name);
        return bestdag_fail(task->run, BESTDAG_FAILED,
                            "the search ended before it found a network: the "
                            "family of '%s' has no score",
                            name);
    }
    return BESTDAG_OK;
}

int bestdag_task_conclude(struct bestdag_task *task,
                          const struct bestdag_answer *answer,
                          struct bestdag_outcome *to)
{
    if (take_answer(task, answer, to) || consider_start(task, to) ||
        consider_known(task, to) || consider_kept(task, to) || !to->dag)
        return bestdag_run_status(task->run);
    if (task->scorer && !(to->score > -INFINITY) &&
        refuse_unscored(task, to->dag))
        return bestdag_run_status(task->run);
    return bestdag_outcome_judge(task, answer->bound, to);
}
