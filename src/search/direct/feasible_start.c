/* SPDX-License-Identifier: MIT */
/* feasible_start.c -- finds a DAG that obeys local and order rules. */
#include "search/direct/feasible_start.h"

#include <string.h>

enum { MOST_SETS = 100000 }; /* tried for one variable */

struct start {
    const struct bestdag_knowledge *k;
    int max_parents;
    uint64_t *placed; /* owns; a row */
    uint64_t *may;    /* owns; a row: parents that may still be added */
    int *set;         /* owns; [n]: ascending */
    int count;
    int *tried; /* owns; [n]: stack of those taken out of `may` */
    int tries;
    int64_t looked; /* sets tried for this variable */
    bool gave_up;
    struct bestdag_dag *dag; /* owns */
};

/* ---- a set for one variable ---------------------------------------------- */

static void insert(struct start *f, int u)
{
    int i = f->count++;
    for (; i > 0 && f->set[i - 1] > u; i--)
        f->set[i] = f->set[i - 1];
    f->set[i] = u;
}

static void remove_from(struct start *f, int u)
{
    int i = 0;
    while (f->set[i] != u)
        i++;
    for (f->count--; i < f->count; i++)
        f->set[i] = f->set[i + 1];
}

/* The first clause of v that the set does not satisfy; -1: none. */
static int64_t find_failed(const struct start *f, int v)
{
    const struct bestdag_knowledge *k = f->k;
    for (int64_t i = k->local_start[v]; i < k->local_start[v + 1]; i++) {
        bool holds = false;
        for (int64_t j = k->local.clause[i].from;
             j < k->local.clause[i].to && !holds; j++)
            holds = bestdag_fact_holds(&k->local.fact[j], f->set, f->count);
        if (!holds)
            return i;
    }
    return -1;
}

/* Could adding u help to make this literal true? */
static bool can_help(const struct start *f, const struct bestdag_fact *fact,
                     int u)
{
    return fact->kind == BESTDAG_FACT_HAS
               ? fact->parent == u
               : fact->kind == BESTDAG_FACT_DEGREE && fact->low > f->count;
}

static bool can_help_any(const struct start *f, int64_t clause, int u)
{
    const struct bestdag_clauses *c = &f->k->local;
    if (clause < 0) /* all clauses hold: there are too few parents */
        return true;
    for (int64_t j = c->clause[clause].from; j < c->clause[clause].to; j++)
        if (can_help(f, &c->fact[j], u))
            return true;
    return false;
}

/* Adds parents until the set obeys the rules; on failure restores the set and
 * `may`. Recursion depth: one per parent. */
static bool complete(struct start *f, int v)
{
    const struct bestdag_knowledge *k = f->k;
    int most = k->most[v] < f->max_parents ? k->most[v] : f->max_parents;
    if (f->count > most)
        return false;
    if (f->looked++ > MOST_SETS) {
        f->gave_up = true;
        return false;
    }
    int64_t failed = find_failed(f, v);
    if (failed < 0 && f->count >= k->least[v])
        return true;
    bool found = false;
    int before = f->tries;
    for (int u = bestdag_row_next(f->may, k->words, 0); u >= 0 && !found;
         u = bestdag_row_next(f->may, k->words, u + 1)) {
        if (!can_help_any(f, failed, u))
            continue;
        bestdag_row_drop(f->may, u);
        f->tried[f->tries++] = u;
        insert(f, u);
        found = complete(f, v);
        if (!found)
            remove_from(f, u);
    }
    while (!found && f->tries > before)
        bestdag_row_add(f->may, f->tried[--f->tries]);
    return found;
}

/* Finds a set for v among the placed variables. */
static bool find_set(struct start *f, int v)
{
    const struct bestdag_knowledge *k = f->k;
    const uint64_t *allowed = bestdag_knowledge_row(k, k->allowed, v);
    const uint64_t *required = bestdag_knowledge_row(k, k->required, v);
    const uint64_t *before = bestdag_knowledge_row(k, k->before, v);
    f->count = f->tries = 0;
    f->looked = 0;
    for (size_t w = 0; w < k->words; w++) {
        uint64_t must = required ? required[w] : 0;
        if ((must | (before ? before[w] : 0)) & ~f->placed[w])
            return false;
        f->may[w] = f->placed[w] & (allowed ? allowed[w] : ~must) & ~must;
    }
    for (int u = required ? bestdag_row_next(required, k->words, 0) : -1;
         u >= 0; u = bestdag_row_next(required, k->words, u + 1))
        f->set[f->count++] = u;
    return complete(f, v);
}

/* ---- all variables ------------------------------------------------------- */

/* Places all variables that can be placed; returns their number, -1 on
 * error. */
static int place(struct bestdag_run *run, struct start *f)
{
    int n = f->k->n, placed = 0;
    for (int before = -1; before < placed;) {
        before = placed;
        for (int v = 0; v < n; v++) {
            if (bestdag_row_has(f->placed, v) || !find_set(f, v))
                continue;
            if (bestdag_dag_set_parents(run, f->dag, v, f->set, f->count))
                return -1;
            bestdag_row_add(f->placed, v);
            placed++;
        }
    }
    return placed;
}

struct bestdag_dag *bestdag_feasible_start_find(
    struct bestdag_run *run, const struct bestdag_knowledge *k, int max_parents,
    bool *gave_up)
{
    size_t n = (size_t)k->n + 1, words = k->words + 1;
    struct start f = {.k = k,
                      .max_parents = max_parents < 0 ? k->n : max_parents};
    f.placed = bestdag_calloc(run, words, sizeof *f.placed);
    f.may = bestdag_calloc(run, words, sizeof *f.may);
    f.set = bestdag_alloc(run, n * sizeof *f.set);
    f.tried = bestdag_alloc(run, n * sizeof *f.tried);
    f.dag = bestdag_dag_new(run, k->n);
    bool made = f.placed && f.may && f.set && f.tried && f.dag;
    if (!made || k->impossible || place(run, &f) < k->n) {
        bestdag_dag_free(f.dag);
        f.dag = NULL;
    }
    bestdag_free(f.placed);
    bestdag_free(f.may);
    bestdag_free(f.set);
    bestdag_free(f.tried);
    *gave_up = f.gave_up;
    return f.dag;
}
