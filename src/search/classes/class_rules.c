/* SPDX-License-Identifier: MIT */
/* class_rules.c -- the rules of a task as rows of bits, for classes. */
#include "search/classes/class_rules.h"

#include <math.h>

#include "constraints/deduction/mpdag.h"
#include "search/answer_check.h"
#include "search/rule_check.h"

/* ---- supported rules ----------------------------------------------------- */

/* Do the rules about this child say more than which arcs are required or
 * allowed? */
static bool says_more(const struct bestdag_knowledge *k, int v)
{
    int required = 0, allowed = 0;
    for (int u = 0; u < k->n; u++) {
        required += bestdag_knowledge_requires(k, v, u);
        allowed += u != v && bestdag_knowledge_allows(k, v, u);
    }
    return k->local_start[v] < k->local_start[v + 1] ||
           k->least[v] > required || k->most[v] < allowed;
}

/* Fails, naming the first rule that is not about arcs or an order. */
static int refuse(const struct bestdag_task *task)
{
    const struct bestdag_rules *rules = task->knowledge->rules;
    char place[128] = "all together";
    for (int i = rules->count - 1; i >= 0; i--)
        if (!bestdag_mpdag_considers(&rules->rule[i]))
            bestdag_rule_place(&rules->rule[i], place);
    return bestdag_fail(task->run, BESTDAG_USAGE,
                        "the solver '%s' supports only rules that require or "
                        "forbid arcs, and orders (%s)",
                        task->solver->name, place);
}

/* ---- rows ---------------------------------------------------------------- */

static int fill_rows(const struct bestdag_task *task,
                     struct bestdag_search_rules *r)
{
    const struct bestdag_knowledge *k = task->knowledge;
    size_t rows = (size_t)task->n * r->words + 1;
    bool has_order = k->needs & BESTDAG_NEEDS_ORDER && k->before;
    r->allowed = bestdag_calloc(task->run, rows, sizeof *r->allowed);
    r->required = bestdag_calloc(task->run, rows, sizeof *r->required);
    if (has_order) {
        r->before = bestdag_calloc(task->run, rows, sizeof *r->before);
        r->after = bestdag_calloc(task->run, rows, sizeof *r->after);
    }
    r->first = bestdag_dag_new(task->run, task->n);
    if (bestdag_run_status(task->run))
        return bestdag_run_status(task->run);
    for (int v = 0; v < task->n; v++)
        for (int u = 0; u < task->n; u++) {
            size_t at = (size_t)v * r->words;
            if (u != v && bestdag_knowledge_allows(k, v, u))
                bestdag_row_add(r->allowed + at, u);
            if (bestdag_knowledge_requires(k, v, u))
                bestdag_row_add(r->required + at, u);
            if (has_order &&
                bestdag_row_has(bestdag_knowledge_row(k, k->before, v), u)) {
                bestdag_row_add(r->before + at, u);
                bestdag_row_add(r->after + (size_t)u * r->words, v);
            }
        }
    r->of = (struct bestdag_class_rules){
        r->allowed, r->required, {r->before, r->after}};
    return BESTDAG_OK;
}

/* Makes the network of the required arcs, which obeys the rules if any network
 * does. */
static int make_first(const struct bestdag_task *task,
                      struct bestdag_search_rules *r)
{
    int *set = bestdag_alloc(task->run, (size_t)task->n * sizeof *set);
    for (int v = 0; set && v < task->n; v++) {
        int count = 0;
        const uint64_t *row = r->required + (size_t)v * r->words;
        for (int u = bestdag_row_next(row, r->words, 0); u >= 0;
             u = bestdag_row_next(row, r->words, u + 1))
            set[count++] = u;
        if (task->max_parents >= 0 && count > task->max_parents) {
            bestdag_fail(task->run, BESTDAG_INFEASIBLE,
                         "the rules require %d parents of '%s', max-parents is "
                         "%d",
                         count, task->scorer->table->column[v].name,
                         task->max_parents);
            break;
        }
        if (bestdag_dag_set_parents(task->run, r->first, v, set, count))
            break;
    }
    bestdag_free(set);
    return bestdag_run_status(task->run);
}

int bestdag_search_rules_new(const struct bestdag_task *task,
                             struct bestdag_search_rules **to)
{
    const struct bestdag_knowledge *k = task->knowledge;
    *to = NULL;
    if (!k || bestdag_run_status(task->run))
        return bestdag_run_status(task->run);
    for (int v = 0; v < task->n; v++)
        if (says_more(k, v))
            return refuse(task);
    struct bestdag_search_rules *r = bestdag_calloc(task->run, 1, sizeof *r);
    if (!r)
        return bestdag_run_status(task->run);
    r->words = bestdag_row_words(task->n);
    if (!fill_rows(task, r) && !make_first(task, r)) {
        *to = r;
        return BESTDAG_OK;
    }
    bestdag_search_rules_free(r);
    return bestdag_run_status(task->run);
}

void bestdag_search_rules_free(struct bestdag_search_rules *r)
{
    if (!r)
        return;
    bestdag_free(r->allowed);
    bestdag_free(r->required);
    bestdag_free(r->before);
    bestdag_free(r->after);
    bestdag_dag_free(r->first);
    bestdag_free(r);
}

/* A start needs a score for every family, and constant columns must have no
 * arcs: a search could not change that. */
static bool can_start(const struct bestdag_task *task)
{
    char place[128];
    double score = -INFINITY;
    for (int v = 0; v < task->n && task->start && task->scorer; v++) {
        const struct bestdag_parents *p = &task->start->parents[v];
        if (bestdag_scorer_has_constant(task->scorer, v, p->at, p->count))
            return false;
    }
    return task->start && bestdag_task_obeys(task, task->start, place) &&
           !bestdag_task_rescore(task, task->start, &score) &&
           score > -INFINITY;
}

const struct bestdag_dag *bestdag_search_rules_start(
    const struct bestdag_task *task, const struct bestdag_search_rules *r)
{
    return can_start(task) ? task->start : r ? r->first : NULL;
}

/* ---- operations ---------------------------------------------------------- */

bool bestdag_search_rules_bar(const struct bestdag_search_rules *r,
                              const struct bestdag_operation *o)
{
    int x = o->x, y = o->y, z = o->z;
    if (!r)
        return false;
    switch (o->operation) {
    case BESTDAG_INSERT_D: /* the arc is compelled */
        return !bestdag_search_rules_allow(r, y, x);
    case BESTDAG_DELETE_U:
    case BESTDAG_DELETE_D:
        return bestdag_search_rules_require(r, y, x) ||
               bestdag_search_rules_require(r, x, y);
    case BESTDAG_MAKE_V: /* both arcs are compelled */
        return !bestdag_search_rules_allow(r, z, x) ||
               !bestdag_search_rules_allow(r, z, y);
    default: /* the edge needs one allowed direction */
        return !bestdag_search_rules_allow(r, y, x) &&
               !bestdag_search_rules_allow(r, x, y);
    }
}
