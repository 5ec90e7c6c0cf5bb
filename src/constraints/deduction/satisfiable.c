/* SPDX-License-Identifier: MIT */
/* satisfiable.c -- is there a DAG that obeys the rules?
 *
 * A complete search over arcs. What is known of the rules and the arcs decided
 * so far is compiled (compile.h draws what follows). The graph of the required
 * arcs alone breaks only literals that ask for more arcs, so either it obeys
 * everything, or one of the rules it breaks has an arc that could help: with it
 * and, if that fails, without it. If no arc can help, the last decision was
 * wrong. Every step compiles again: rules are few and the search is short, or
 * hopeless and given up. */
#include <string.h>

#include "constraints/deduction/compile.h"
#include "base/growing_array.h"
#include "constraints/deduction/conflict.h"

enum judgement { OBEYS, FAILS, BRANCHES };

struct search {
    struct bestdag_run *run;
    const struct bestdag_knowledge *k;
    int *list;                  /* owns; [n]: parents of a child */
    int *queue;                 /* owns; [n] */
    uint64_t *reach;            /* owns; a row */
    struct bestdag_fact *stack; /* owns; what is assumed, then decisions */
    int depth, assumptions;
    int64_t room;
    int parent, child; /* the arc to decide next */
};

static bool has(const struct search *s, int parent, int child)
{
    return bestdag_knowledge_requires(s->k, child, parent);
}

/* May the arc still be added? */
static bool is_open(const struct search *s, int parent, int child)
{
    return bestdag_knowledge_allows(s->k, child, parent) &&
           !has(s, parent, child);
}

static enum judgement decide(struct search *s, int parent, int child)
{
    s->parent = parent;
    s->child = child;
    return BRANCHES;
}

static int list_parents(struct search *s, int child)
{
    const struct bestdag_knowledge *k = s->k;
    const uint64_t *row = bestdag_knowledge_row(k, k->required, child);
    int count = 0;
    for (int u = row ? bestdag_row_next(row, k->words, 0) : -1; u >= 0;
         u = bestdag_row_next(row, k->words, u + 1))
        s->list[count++] = u;
    return count;
}

/* An arc that gives the child one more parent. */
static enum judgement add_parent(struct search *s, int child)
{
    for (int u = 0; u < s->k->n; u++)
        if (is_open(s, u, child))
            return decide(s, u, child);
    return FAILS;
}

static enum judgement add_child(struct search *s, int parent)
{
    for (int v = 0; v < s->k->n; v++)
        if (is_open(s, parent, v))
            return decide(s, parent, v);
    return FAILS;
}

static bool is_leaf(const struct search *s, int parent)
{
    for (int v = 0; v < s->k->n; v++)
        if (has(s, parent, v))
            return false;
    return true;
}

/* All that may be parents of a child, into s->list. */
static int list_allowed(struct search *s, int child)
{
    int count = 0;
    for (int u = 0; u < s->k->n; u++)
        if (bestdag_knowledge_allows(s->k, child, u))
            s->list[count++] = u;
    return count;
}

/* s->reach becomes the child and its ancestors, or those that `list` makes
 * ancestors; how many, in s->queue. */
static int go_back(struct search *s, int child,
                   int (*list)(struct search *s, int child))
{
    int head = 0, tail = 0;
    memset(s->reach, 0, s->k->words * sizeof *s->reach);
    bestdag_row_add(s->reach, child);
    s->queue[tail++] = child;
    while (head < tail) {
        int count = list(s, s->queue[head++]);
        for (int i = 0; i < count; i++)
            if (!bestdag_row_has(s->reach, s->list[i])) {
                bestdag_row_add(s->reach, s->list[i]);
                s->queue[tail++] = s->list[i];
            }
    }
    return tail;
}

static bool is_ancestor(struct search *s, int parent, int child)
{
    go_back(s, child, list_parents);
    return bestdag_row_has(s->reach, parent);
}

/* An arc into those from which the child is reached, if the parent may be one
 * of them with more arcs. */
static enum judgement lengthen(struct search *s, int parent, int child)
{
    go_back(s, child, list_allowed);
    if (!bestdag_row_has(s->reach, parent))
        return FAILS;
    int count = go_back(s, child, list_parents);
    for (int i = 0; i < count; i++)
        for (int u = 0; u < s->k->n; u++)
            if (!bestdag_row_has(s->reach, u) && is_open(s, u, s->queue[i]))
                return decide(s, u, s->queue[i]);
    return FAILS;
}

static enum judgement judge_fact(struct search *s, const struct bestdag_fact *f)
{
    bool holds = false;
    switch (f->kind) {
    case BESTDAG_FACT_HAS:
        return is_open(s, f->parent, f->child) ? decide(s, f->parent, f->child)
                                               : FAILS;
    case BESTDAG_FACT_DEGREE: {
        int count = list_parents(s, f->child);
        if (count < f->low)
            return add_parent(s, f->child);
        holds = count <= f->high;
        break;
    }
    case BESTDAG_FACT_LACKS:
        holds = !has(s, f->parent, f->child);
        break;
    case BESTDAG_FACT_LEAF:
        holds = is_leaf(s, f->parent);
        break;
    case BESTDAG_FACT_USED:
        return is_leaf(s, f->parent) ? add_child(s, f->parent) : OBEYS;
    case BESTDAG_FACT_APART:
        holds = !has(s, f->parent, f->child) && !has(s, f->child, f->parent);
        break;
    case BESTDAG_FACT_ANCESTOR:
        return is_ancestor(s, f->parent, f->child)
                   ? OBEYS
                   : lengthen(s, f->parent, f->child);
    case BESTDAG_FACT_NOT_ANCESTOR:
        holds = !is_ancestor(s, f->parent, f->child);
        break;
    case BESTDAG_FACT_FALSE:
        break;
    }
    return holds ? OBEYS : FAILS;
}

static enum judgement judge_clauses(struct search *s,
                                    const struct bestdag_clauses *c)
{
    for (int64_t i = 0; i < c->count; i++) {
        enum judgement found = FAILS;
        for (int64_t j = c->clause[i].from; j < c->clause[i].to; j++) {
            int parent = s->parent, child = s->child;
            enum judgement now = judge_fact(s, &c->fact[j]);
            if (found == BRANCHES && now == BRANCHES) {
                s->parent = parent; /* the first arc will do */
                s->child = child;
            }
            if (now == OBEYS || (now == BRANCHES && found == FAILS))
                found = now;
            if (found == OBEYS)
                break;
        }
        if (found != OBEYS)
            return found;
    }
    return OBEYS;
}

static enum judgement judge(struct search *s)
{
    const struct bestdag_knowledge *k = s->k;
    if (k->impossible)
        return FAILS;
    for (int v = 0; v < k->n; v++)
        if (k->least[v] > list_parents(s, v))
            return add_parent(s, v);
    enum judgement found = judge_clauses(s, &k->local);
    return found == OBEYS ? judge_clauses(s, &k->cross) : found;
}

/* ---- decisions
 * ------------------------------------------------------------------ */

static bool push(struct search *s)
{
    if (!BESTDAG_GROW(s->run, s->stack, s->room, s->depth + 1))
        return false;
    s->stack[s->depth++] = (struct bestdag_fact){
        .kind = BESTDAG_FACT_HAS, .parent = s->parent, .child = s->child};
    return true;
}

/* Backtracks: leaves out the last arc that was added; false: there is none. */
static bool go_on(struct search *s)
{
    while (s->depth > s->assumptions &&
           s->stack[s->depth - 1].kind == BESTDAG_FACT_LACKS)
        s->depth--;
    if (s->depth == s->assumptions)
        return false;
    s->stack[s->depth - 1].kind = BESTDAG_FACT_LACKS;
    return true;
}

static bool assume(struct search *s, const struct bestdag_knowledge_query *q)
{
    if (!BESTDAG_GROW(s->run, s->stack, s->room, q->assumptions))
        return false;
    for (int i = 0; i < q->assumptions; i++)
        s->stack[i] = q->assumed[i];
    s->depth = s->assumptions = q->assumptions;
    return true;
}

static int most_steps(int n)
{
    double steps = 1e9 / ((double)n * n + 100);
    return steps > 20000 ? 20000 : steps < 100 ? 100 : (int)steps;
}

static enum bestdag_satisfiability search(struct search *s,
                                          struct bestdag_knowledge_query *q)
{
    for (int step = most_steps(q->n); step > 0; step--) {
        q->assumed = s->stack;
        q->assumptions = s->depth;
        struct bestdag_knowledge *k = bestdag_knowledge_ask(s->run, q);
        if (!k)
            return BESTDAG_UNKNOWN;
        s->k = k;
        enum judgement found = judge(s);
        bestdag_knowledge_free(k);
        if (found == OBEYS)
            return BESTDAG_YES;
        if (found == FAILS && !go_on(s))
            return BESTDAG_NO;
        if ((found == BRANCHES && !push(s)) || bestdag_run_stopped(s->run))
            return BESTDAG_UNKNOWN;
    }
    return BESTDAG_UNKNOWN;
}

enum bestdag_satisfiability bestdag_rules_satisfiable(
    struct bestdag_run *run, const struct bestdag_knowledge_query *question)
{
    struct bestdag_knowledge_query q = *question;
    struct search s = {.run = run};
    size_t n = (size_t)q.n + 1;
    enum bestdag_satisfiability answer = BESTDAG_UNKNOWN;
    s.list = bestdag_alloc(run, n * sizeof *s.list);
    s.queue = bestdag_alloc(run, n * sizeof *s.queue);
    s.reach =
        bestdag_alloc(run, (bestdag_row_words(q.n) + 1) * sizeof *s.reach);
    if (s.list && s.queue && s.reach && assume(&s, question))
        answer = search(&s, &q);
    bestdag_free(s.list);
    bestdag_free(s.queue);
    bestdag_free(s.reach);
    bestdag_free(s.stack);
    return answer;
}
