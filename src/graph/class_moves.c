/* SPDX-License-Identifier: MIT */
/* class_moves.c -- moving from class to class: extend, complete, compare. */
#include "graph/class_moves.h"

#include <assert.h>
#include <string.h>

#include "base/random.h"

static uint64_t hash_row(const uint64_t *row, size_t words)
{
    uint64_t hash = 0;
    for (size_t w = 0; w < words; w++)
        if (row[w])
            hash ^= bestdag_mix(row[w] + bestdag_mix(w + 1));
    return hash;
}

static void hash_parents(struct bestdag_equivalence_class *e)
{
    for (int v = 0; v < e->n; v++)
        if (bestdag_row_has(e->changed, v))
            e->hash[v] =
                hash_row(bestdag_equivalence_class_row(e, e->pdag->parents, v),
                         e->words);
}

static void mark_all(struct bestdag_equivalence_class *e)
{
    for (int v = 0; v < e->n; v++)
        bestdag_row_add(e->changed, v);
}

struct bestdag_equivalence_class *bestdag_equivalence_class_new(
    struct bestdag_run *run, int n, const struct bestdag_dag *dag)
{
    struct bestdag_equivalence_class *e = bestdag_calloc(run, 1, sizeof *e);
    if (!e)
        return NULL;
    e->n = n;
    e->words = bestdag_row_words(n);
    e->changed = bestdag_calloc(run, e->words + 1, sizeof *e->changed);
    e->hash = bestdag_calloc(run, (size_t)n, sizeof *e->hash);
    e->dag = dag ? bestdag_dag_copy(run, dag) : bestdag_dag_new(run, n);
    if (e->dag)
        e->pdag = bestdag_pdag_class(run, e->dag);
    if (!e->changed || !e->hash || !e->pdag) {
        bestdag_equivalence_class_free(e);
        return NULL;
    }
    mark_all(e);
    hash_parents(e);
    return e;
}

void bestdag_equivalence_class_free(struct bestdag_equivalence_class *e)
{
    if (!e)
        return;
    bestdag_pdag_free(e->pdag);
    bestdag_pdag_free(e->before);
    bestdag_dag_free(e->dag);
    bestdag_free(e->changed);
    bestdag_free(e->hash);
    bestdag_free(e);
}

struct bestdag_pdag *bestdag_equivalence_class_draft(
    struct bestdag_run *run, const struct bestdag_equivalence_class *e)
{
    struct bestdag_pdag *draft = bestdag_pdag_new(run, e->n);
    size_t bytes = (size_t)e->n * e->words * sizeof *e->pdag->parents;
    if (!draft)
        return NULL;
    memcpy(draft->parents, e->pdag->parents, bytes);
    memcpy(draft->children, e->pdag->children, bytes);
    memcpy(draft->neighbours, e->pdag->neighbours, bytes);
    return draft;
}

static bool is_within(const struct bestdag_dag *dag, int most)
{
    for (int v = 0; v < dag->n; v++)
        if (dag->parents[v].count > most)
            return false;
    return true;
}

static void compare(struct bestdag_equivalence_class *e)
{
    size_t bytes = e->words * sizeof *e->changed;
    memset(e->changed, 0, bytes);
    for (int v = 0; v < e->n; v++) {
        size_t at = (size_t)v * e->words;
        if (memcmp(e->pdag->parents + at, e->before->parents + at, bytes) ||
            memcmp(e->pdag->children + at, e->before->children + at, bytes) ||
            memcmp(e->pdag->neighbours + at, e->before->neighbours + at, bytes))
            bestdag_row_add(e->changed, v);
    }
}

bool bestdag_class_move(struct bestdag_run *run,
                        struct bestdag_equivalence_class *e,
                        struct bestdag_pdag *draft, int most)
{
    struct bestdag_dag *dag = draft ? bestdag_pdag_extend(run, draft) : NULL;
    struct bestdag_pdag *pdag = NULL;
    bestdag_pdag_free(draft);
    if (dag && is_within(dag, most))
        pdag = bestdag_pdag_class(run, dag);
    if (!pdag) {
        bestdag_dag_free(dag);
        return false;
    }
    bestdag_pdag_free(e->before);
    bestdag_dag_free(e->dag);
    e->before = e->pdag;
    e->pdag = pdag;
    e->dag = dag;
    assert(e->dag->n == e->n && is_within(e->dag, most));
    compare(e);
    hash_parents(e);
    return true;
}
