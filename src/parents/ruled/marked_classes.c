/* SPDX-License-Identifier: MIT */
/* marked_classes.c -- enumerates the choices of marked parents; see
 * marked_classes.h. */
#include "parents/ruled/marked_classes.h"

#include <math.h>
#include <string.h>

#include "constraints/deduction/compile.h"
#include "counts/ranks.h"
#include "parents/cost.h"
#include "scores/score.h"

enum { MOST_BITS = 24 }; /* of a kind that is a mask of marked parents */

int bestdag_marked_classes_init(struct bestdag_marked_classes *m,
                                const struct bestdag_plan *plan)
{
    size_t n = (size_t)plan->n + 2;
    *m = (struct bestdag_marked_classes){.plan = plan};
    m->base = bestdag_alloc(plan->run, n * sizeof *m->base);
    m->free = bestdag_alloc(plan->run, n * sizeof *m->free);
    m->marked = bestdag_alloc(plan->run, n * sizeof *m->marked);
    m->chosen = bestdag_alloc(plan->run, n * sizeof *m->chosen);
    m->set = bestdag_alloc(plan->run, n * sizeof *m->set);
    return bestdag_run_status(plan->run);
}

void bestdag_marked_classes_release(struct bestdag_marked_classes *m)
{
    bestdag_free(m->base);
    bestdag_free(m->free);
    bestdag_free(m->marked);
    bestdag_free(m->chosen);
    bestdag_free(m->set);
}

/* ---- a child ----------------------------------------------------------- */

/* Do rules across children mention this parent? */
static bool is_across(const struct bestdag_knowledge *k, int child, int parent)
{
    for (int64_t i = k->mark_start[child]; i < k->mark_start[child + 1]; i++)
        if (k->mark[i].kind == BESTDAG_FACT_HAS && k->mark[i].parent == parent)
            return true;
    return false;
}

/* Constant columns are parents only if the number of parents or a path may need
 * them. */
static bool takes_constants(const struct bestdag_marked_classes *m)
{
    return m->settled > 0 ||
           bestdag_knowledge_on_path(m->plan->knowledge, m->child);
}

/* Is v, which is allowed, a candidate of the plan? Advances *next. */
static bool is_candidate(const struct bestdag_marked_classes *m, int v,
                         int *next)
{
    const struct bestdag_plan *plan = m->plan;
    const int *states = plan->scorer->states;
    int count = bestdag_plan_candidates(plan, m->child);
    while (*next < count && bestdag_plan_candidate(plan, m->child, *next) < v)
        ++*next;
    if (states[v] < 2 || states[m->child] < 2)
        return takes_constants(m);
    return *next < count && bestdag_plan_candidate(plan, m->child, *next) == v;
}

static void sort_out(struct bestdag_marked_classes *m)
{
    const struct bestdag_knowledge *k = m->plan->knowledge;
    int next = 0, local = 0, *later = m->chosen;
    m->marks = m->required = m->frees = 0;
    for (int v = 0; v < m->plan->n; v++) {
        if (!bestdag_knowledge_allows(k, m->child, v))
            continue;
        if (bestdag_knowledge_requires(k, m->child, v))
            m->base[m->required++] = v;
        else if (is_across(k, m->child, v))
            m->marked[m->marks++] = v;
        else if (bestdag_knowledge_marks(k, m->child, v))
            later[local++] = v;
        else if (is_candidate(m, v, &next))
            m->free[m->frees++] = v;
    }
    m->across = m->marks;
    for (int i = 0; i < local; i++)
        m->marked[m->marks++] = later[i];
}

void bestdag_marked_classes_start(struct bestdag_marked_classes *m, int child)
{
    const struct bestdag_plan *plan = m->plan;
    const struct bestdag_knowledge *k = plan->knowledge;
    m->child = child;
    m->limit = bestdag_plan_limit(plan, child);
    if (m->limit < 0)
        m->limit = plan->n - 1;
    m->settled = k->settled[child];
    m->prunes = plan->prune && !bestdag_knowledge_on_path(k, child);
    m->kind = -1;
    m->kinds = m->count = 0;
    m->started = false;
    sort_out(m);
    m->classes = bestdag_cost_sets(m->marks, m->limit - m->required);
}

/* ---- a class ----------------------------------------------------------- */

/* The kind of this class, apart from the number of parents. */
static int kind_of(struct bestdag_marked_classes *m)
{
    const struct bestdag_knowledge *k = m->plan->knowledge;
    int mask = 0;
    if (!m->prunes || !bestdag_knowledge_signature_words(k, m->child))
        return -1;
    if (m->across > MOST_BITS || m->settled > 63) {
        m->kinds += m->settled + 1;
        return m->kinds - m->settled - 1;
    }
    for (int i = 0; i < m->count; i++)
        if (m->chosen[i] < m->across)
            mask |= 1 << m->chosen[i];
    return mask * (m->settled + 1);
}

static bool choose(struct bestdag_marked_classes *m)
{
    bool first = !m->started;
    m->started = true;
    if (!first && m->count && bestdag_rank_next(m->marks, m->chosen, m->count))
        return true;
    m->count += !first;
    for (int i = 0; i < m->count; i++)
        m->chosen[i] = i;
    return m->count <= m->marks && m->required + m->count <= m->limit;
}

bool bestdag_marked_classes_next(struct bestdag_marked_classes *m)
{
    bool across = false;
    if (!choose(m))
        return false;
    for (int i = 0; i < m->count; i++) {
        m->base[m->required + i] = m->marked[m->chosen[i]];
        across |= m->chosen[i] < m->across;
    }
    m->bases = m->required + m->count;
    m->floors = m->prunes && !across && m->required >= m->settled;
    m->kind = kind_of(m);
    return true;
}

/* ---- the list ---------------------------------------------------------- */

int bestdag_marked_classes_add(const struct bestdag_marked_classes *m,
                               struct bestdag_collector *c, const int *set,
                               int count, double score)
{
    if (m->kind < 0)
        return bestdag_collector_add(c, set, count, score);
    memcpy(m->set, set, (size_t)count * sizeof *set);
    m->set[count] =
        m->plan->n + m->kind + (count < m->settled ? count : m->settled);
    return bestdag_collector_add(c, m->set, count + 1, score);
}

/* Removes the member that encodes the kind from each set. */
static void remove_kinds(struct bestdag_list *list)
{
    for (int64_t i = 0, from = 0; i < list->count; i++) {
        int64_t next = list->start[i + 1], count = next - from - 1;
        memmove(list->member + list->start[i], list->member + from,
                (size_t)count * sizeof *list->member);
        list->start[i + 1] = list->start[i] + count;
        from = next;
    }
}

int bestdag_marked_classes_finish(const struct bestdag_marked_classes *m,
                                  struct bestdag_collector *c,
                                  struct bestdag_list *to)
{
    int status = bestdag_collector_finish(c, m->prunes, to);
    if (!status && m->kind >= 0)
        remove_kinds(to);
    return status;
}

double bestdag_marked_classes_bound(const struct bestdag_marked_classes *m)
{
    const struct bestdag_scorer *s = m->plan->scorer;
    double slack = ((double)s->total + 16) / s->scale;
    if (s->arc_cost < 0 || s->pruning == BESTDAG_PRUNE_DOMINATED)
        return INFINITY;
    if (s->pruning == BESTDAG_PRUNE_URN)
        return slack - log(s->states[m->child]) * (s->total > 0) -
               s->arc_cost * m->required;
    int64_t penalty = bestdag_scorer_penalty(s, m->child, m->base, m->required);
    return slack - bestdag_scorer_nats(s, penalty);
}

int bestdag_marked_classes_refuse(const struct bestdag_marked_classes *m)
{
    const struct bestdag_plan *plan = m->plan;
    const struct bestdag_column *child = &plan->scorer->table->column[m->child];
    const char *name = child->name;
    if (plan->restricted)
        return bestdag_fail(plan->run, BESTDAG_INFEASIBLE,
                            "no parent set of '%s' among its %d candidate "
                            "parents (candidates) satisfies the rules",
                            name, bestdag_plan_candidates(plan, m->child));
    if (plan->max_parents >= 0)
        return bestdag_fail(plan->run, BESTDAG_INFEASIBLE,
                            "no parent set of '%s' with at most %d parents "
                            "(max-parents) satisfies the rules",
                            name, plan->max_parents);
    if (child->kind == BESTDAG_NUMBERS)
        return bestdag_fail(plan->run, BESTDAG_INFEASIBLE,
                            "every parent set of '%s' that satisfies the rules "
                            "is singular: it has too few rows, or columns that "
                            "determine each other",
                            name);
    if (!plan->scorer->columns)
        return bestdag_fail(plan->run, BESTDAG_INFEASIBLE,
                            "no parent set of '%s' that satisfies the rules "
                            "can be scored: a number is no parent of a state, "
                            "and constant columns are none either",
                            name);
    return bestdag_fail(plan->run, BESTDAG_INPUT,
                        "every parent set of '%s' that satisfies the rules has "
                        "more combinations of states than can be scored",
                        name);
}
