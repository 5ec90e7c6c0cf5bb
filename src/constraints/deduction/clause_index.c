/* SPDX-License-Identifier: MIT */
/* clause_index.c -- sorts clauses by child; finds the literals that a smaller
 * parent set may falsify, which pruning must respect, and where ancestor paths
 * may run. */
#include "constraints/deduction/compiler.h"
#include "base/growing_array.h"

#include <stdlib.h>
#include <string.h>

/* ---- clauses by child ---------------------------------------------------- */

static bool is_local_kind(const struct bestdag_fact *f)
{
    return f->kind == BESTDAG_FACT_HAS || f->kind == BESTDAG_FACT_LACKS ||
           f->kind == BESTDAG_FACT_DEGREE;
}

/* The only child that a clause is about; -1: several, or paths. */
static int child_of(const struct bestdag_clauses *all,
                    const struct bestdag_disjunction *c)
{
    int child = -1;
    for (int64_t i = c->from; i < c->to; i++) {
        const struct bestdag_fact *f = &all->fact[i];
        if (!is_local_kind(f) || (child >= 0 && f->child != child))
            return -1;
        child = f->child;
    }
    return child;
}

static int make_room(struct bestdag_run *run, struct bestdag_clauses *to)
{
    to->clause =
        bestdag_alloc(run, ((size_t)to->count + 1) * sizeof *to->clause);
    to->fact = bestdag_alloc(run, ((size_t)to->facts + 1) * sizeof *to->fact);
    if (!to->clause || !to->fact)
        return bestdag_run_status(run);
    to->room = to->count;
    to->fact_room = to->facts;
    return BESTDAG_OK;
}

static void put(const struct bestdag_clauses *all,
                const struct bestdag_disjunction *c, struct bestdag_clauses *to,
                int64_t at, int64_t *facts)
{
    int64_t count = c->to - c->from;
    memcpy(to->fact + *facts, all->fact + c->from,
           (size_t)count * sizeof *to->fact);
    to->clause[at] =
        (struct bestdag_disjunction){*facts, *facts + count, c->rule};
    *facts += count;
}

static int sort_clauses(struct bestdag_compiler *m)
{
    struct bestdag_knowledge *k = m->k;
    const struct bestdag_clauses *all = &m->all;
    k->local_start =
        bestdag_calloc(m->run, (size_t)k->n + 2, sizeof *k->local_start);
    if (!k->local_start)
        return bestdag_run_status(m->run);
    int64_t *start = k->local_start;
    for (int64_t i = 0; i < all->count; i++) {
        int v = child_of(all, &all->clause[i]);
        struct bestdag_clauses *to = v < 0 ? &k->cross : &k->local;
        to->count++;
        to->facts += all->clause[i].to - all->clause[i].from;
        if (v >= 0)
            start[v + 2]++;
    }
    int status = make_room(m->run, &k->local);
    if (!status)
        status = make_room(m->run, &k->cross);
    if (status)
        return status;
    for (int v = 0; v < k->n; v++)
        start[v + 2] += start[v + 1];
    int64_t local_facts = 0, cross_facts = 0, cross = 0;
    for (int64_t i = 0; i < all->count; i++) {
        int v = child_of(all, &all->clause[i]);
        if (v >= 0)
            put(all, &all->clause[i], &k->local, start[v + 1]++, &local_facts);
        else
            put(all, &all->clause[i], &k->cross, cross++, &cross_facts);
    }
    return BESTDAG_OK;
}

/* ---- needs --------------------------------------------------------------- */

static void note_needs(struct bestdag_compiler *m)
{
    struct bestdag_knowledge *k = m->k;
    for (int64_t i = 0; i < k->local.count; i++) {
        m->rule = k->local.clause[i].rule;
        bestdag_compiler_need(m, BESTDAG_NEEDS_LOCAL);
    }
    for (int64_t i = 0; i < k->cross.count; i++) {
        const struct bestdag_disjunction *c = &k->cross.clause[i];
        unsigned needs = c->to - c->from > 1 ? BESTDAG_NEEDS_CROSS : 0;
        for (int64_t j = c->from; j < c->to; j++) {
            enum bestdag_fact_kind kind = k->cross.fact[j].kind;
            needs |= kind == BESTDAG_FACT_ANCESTOR ? BESTDAG_NEEDS_ANCESTOR
                     : kind == BESTDAG_FACT_NOT_ANCESTOR
                         ? BESTDAG_NEEDS_NOT_ANCESTOR
                         : BESTDAG_NEEDS_CROSS;
        }
        m->rule = c->rule;
        bestdag_compiler_need(m, needs);
    }
}

/* ---- marks --------------------------------------------------------------- */

struct list {
    struct bestdag_fact *at; /* owns */
    int64_t count, room;
};

static bool add_mark(struct bestdag_compiler *m, struct list *list,
                     const struct bestdag_fact *fact)
{
    if (!BESTDAG_GROW(m->run, list->at, list->room, list->count + 1))
        return false;
    list->at[list->count++] = *fact;
    return true;
}

static bool mark_users(struct bestdag_compiler *m, struct list *list,
                       int parent)
{
    for (int v = 0; v < m->k->n; v++) {
        struct bestdag_fact has = {BESTDAG_FACT_HAS, v, parent, 0, 0};
        if (bestdag_knowledge_allows(m->k, v, parent) &&
            !add_mark(m, list, &has))
            return false;
    }
    return true;
}

/* Can the fact become false when a parent is removed? */
static bool is_mark(const struct bestdag_fact *f)
{
    return f->kind == BESTDAG_FACT_HAS ||
           (f->kind == BESTDAG_FACT_DEGREE && f->low > 0);
}

static int by_child(const void *a, const void *b)
{
    const struct bestdag_fact *x = a, *y = b;
    int p[] = {x->child, (int)x->kind, x->parent, x->low, x->high};
    int q[] = {y->child, (int)y->kind, y->parent, y->low, y->high};
    for (int i = 0; i < 5; i++)
        if (p[i] != q[i])
            return p[i] < q[i] ? -1 : 1;
    return 0;
}

static int list_marks(struct bestdag_compiler *m, struct list *list)
{
    const struct bestdag_clauses *cross = &m->k->cross;
    bool good = true;
    for (int64_t i = 0; i < cross->facts && good; i++) {
        const struct bestdag_fact *f = &cross->fact[i];
        if (f->kind == BESTDAG_FACT_USED)
            good = mark_users(m, list, f->parent);
        else if (is_mark(f))
            good = add_mark(m, list, f);
    }
    if (!good)
        return bestdag_run_status(m->run);
    if (list->count)
        qsort(list->at, (size_t)list->count, sizeof *list->at, by_child);
    int64_t left = 0;
    for (int64_t i = 0; i < list->count; i++)
        if (!left || by_child(&list->at[left - 1], &list->at[i]) != 0)
            list->at[left++] = list->at[i];
    list->count = left;
    return BESTDAG_OK;
}

static int mark_parent(struct bestdag_compiler *m, const struct bestdag_fact *f)
{
    struct bestdag_knowledge *k = m->k;
    if (f->kind == BESTDAG_FACT_DEGREE) {
        if (f->low > k->settled[f->child])
            k->settled[f->child] = f->low;
        return BESTDAG_OK;
    }
    if (!k->marked)
        k->marked = bestdag_compiler_rows(m);
    if (!k->marked)
        return bestdag_run_status(m->run);
    bestdag_row_add(bestdag_knowledge_row(k, k->marked, f->child), f->parent);
    return BESTDAG_OK;
}

static int make_marks(struct bestdag_compiler *m)
{
    struct bestdag_knowledge *k = m->k;
    struct list list = {.at = NULL};
    int status = list_marks(m, &list);
    k->mark = list.at ? list.at : bestdag_calloc(m->run, 1, sizeof *k->mark);
    if (status || !k->mark)
        return bestdag_run_status(m->run);
    k->mark_start =
        bestdag_calloc(m->run, (size_t)k->n + 1, sizeof *k->mark_start);
    if (!k->mark_start)
        return bestdag_run_status(m->run);
    for (int64_t i = 0; i < list.count && !status; i++) {
        k->mark_start[list.at[i].child + 1]++;
        status = mark_parent(m, &list.at[i]);
    }
    for (int v = 0; v < k->n; v++) {
        k->mark_start[v + 1] += k->mark_start[v];
        if (k->least[v] > k->settled[v])
            k->settled[v] = k->least[v];
    }
    for (int64_t i = 0; i < k->local.facts && !status; i++)
        if (is_mark(&k->local.fact[i]))
            status = mark_parent(m, &k->local.fact[i]);
    return status;
}

/* ---- paths --------------------------------------------------------------- */

/* Limit of the work for finding children that are on no path. */
#define MOST_WORK 1e9

/* Finds all variables that reach v, or that v reaches, through allowed arcs. */
static void reach(const struct bestdag_knowledge *k, int from, bool back,
                  int *queue, uint64_t *row)
{
    int head = 0, tail = 0;
    memset(row, 0, k->words * sizeof *row);
    bestdag_row_add(row, from);
    queue[tail++] = from;
    while (head < tail) {
        int u = queue[head++];
        for (int v = 0; v < k->n; v++)
            if (!bestdag_row_has(row, v) &&
                (back ? bestdag_knowledge_allows(k, u, v)
                      : bestdag_knowledge_allows(k, v, u))) {
                bestdag_row_add(row, v);
                queue[tail++] = v;
            }
    }
}

/* Adds the children on paths from f->parent to f->child. No arc enters the
 * first variable of a path. */
static void add_path(struct bestdag_knowledge *k, const struct bestdag_fact *f,
                     int *queue, uint64_t *rows)
{
    uint64_t *from = rows, *to = rows + k->words;
    reach(k, f->parent, false, queue, from);
    reach(k, f->child, true, queue, to);
    bestdag_row_drop(from, f->parent);
    for (size_t w = 0; w < k->words; w++)
        k->path[w] |= from[w] & to[w];
}

static int make_paths(struct bestdag_compiler *m)
{
    struct bestdag_knowledge *k = m->k;
    double paths = 0;
    for (int64_t i = 0; i < k->cross.facts; i++)
        paths += k->cross.fact[i].kind == BESTDAG_FACT_ANCESTOR;
    if (paths == 0)
        return BESTDAG_OK;
    k->path = bestdag_calloc(m->run, k->words, sizeof *k->path);
    int *queue = bestdag_alloc(m->run, (size_t)k->n * sizeof *queue);
    uint64_t *rows = bestdag_alloc(m->run, 2 * k->words * sizeof *rows);
    bool all = !k->allowed || paths * k->n * k->n > MOST_WORK;
    if (k->path && all)
        memset(k->path, 0xff, k->words * sizeof *k->path);
    for (int64_t i = 0; i < k->cross.facts && !all && queue && rows; i++)
        if (k->cross.fact[i].kind == BESTDAG_FACT_ANCESTOR && k->path)
            add_path(k, &k->cross.fact[i], queue, rows);
    bestdag_free(rows);
    bestdag_free(queue);
    return bestdag_run_status(m->run);
}

int bestdag_compiler_sort(struct bestdag_compiler *m)
{
    int status = sort_clauses(m);
    if (status)
        return status;
    note_needs(m);
    status = make_marks(m);
    return status ? status : make_paths(m);
}
