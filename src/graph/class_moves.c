/* SPDX-License-Identifier: MIT */
/* class_moves.c -- moves between equivalence classes: extend, complete,
 * compare. */
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

static struct bestdag_pdag *copy(struct bestdag_run *run,
                                 const struct bestdag_pdag *from)
{
    struct bestdag_pdag *to = bestdag_pdag_new(run, from->n);
    size_t bytes = (size_t)from->n * from->words * sizeof *from->parents;
    if (!to)
        return NULL;
    memcpy(to->parents, from->parents, bytes);
    memcpy(to->children, from->children, bytes);
    memcpy(to->neighbours, from->neighbours, bytes);
    return to;
}

struct bestdag_pdag *bestdag_equivalence_class_draft(
    struct bestdag_run *run, const struct bestdag_equivalence_class *e)
{
    return copy(run, e->pdag);
}

/* ---- rules --------------------------------------------------------------- */

static bool is_in(const struct bestdag_pdag *p, const uint64_t *rows, int v,
                  int u)
{
    return bestdag_row_has(rows + (size_t)v * p->words, u);
}

/* Are the compelled arcs into v allowed, and are its required arcs possible? */
static bool may_obey(const struct bestdag_pdag *p,
                     const struct bestdag_class_rules *rules, int v)
{
    for (size_t w = 0; w < p->words; w++) {
        size_t at = (size_t)v * p->words + w;
        if (p->parents[at] & ~rules->allowed[at] ||
            rules->required[at] & ~(p->parents[at] | p->neighbours[at]))
            return false;
    }
    return true;
}

/* Gives the edge u - v the direction that the rules demand, if any. False: they
 * forbid both, or the arc would make a v-structure. */
static bool direct(struct bestdag_pdag *p,
                   const struct bestdag_class_rules *rules, int u, int v)
{
    bool there = is_in(p, rules->allowed, v, u);
    bool back = is_in(p, rules->allowed, u, v);
    bool must =
        is_in(p, rules->required, v, u) || is_in(p, rules->required, u, v);
    if (!there && !back)
        return false;
    if (there && back && !must)
        return true;
    bool is_there = must ? is_in(p, rules->required, v, u) : there;
    int from = is_there ? u : v, to = is_there ? v : u;
    const uint64_t *parents = p->parents + (size_t)to * p->words;
    for (int c = bestdag_row_next(parents, p->words, 0); c >= 0;
         c = bestdag_row_next(parents, p->words, c + 1))
        if (!is_in(p, p->parents, c, from) && !is_in(p, p->children, c, from) &&
            !is_in(p, p->neighbours, c, from))
            return false;
    bestdag_pdag_add_arc(p, from, to);
    return true;
}

/* Directs the edges whose direction the rules fix; a consistent extension of
 * the result that agrees with the order is in the class, as no new v-structure
 * was made. */
struct bestdag_dag *bestdag_class_obeying(
    struct bestdag_run *run, const struct bestdag_pdag *pdag,
    const struct bestdag_class_rules *rules)
{
    bool obeys = true;
    for (int v = 0; v < pdag->n && obeys; v++)
        obeys = may_obey(pdag, rules, v);
    struct bestdag_pdag *draft = obeys ? copy(run, pdag) : NULL;
    obeys = draft != NULL;
    for (int v = 0; v < pdag->n && obeys; v++) {
        const uint64_t *near = pdag->neighbours + (size_t)v * pdag->words;
        for (int u = bestdag_row_next(near, pdag->words, v + 1);
             u >= 0 && obeys; u = bestdag_row_next(near, pdag->words, u + 1))
            obeys = direct(draft, rules, u, v);
    }
    struct bestdag_dag *dag =
        obeys ? bestdag_pdag_extend_under(
                    run, draft, rules->order.before ? &rules->order : NULL)
              : NULL;
    bestdag_pdag_free(draft);
    return dag;
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
    if (dag && (e->rules || is_within(dag, most)))
        pdag = bestdag_pdag_class(run, dag);
    if (pdag && e->rules) {
        bestdag_dag_free(dag);
        dag = bestdag_class_obeying(run, pdag, e->rules);
    }
    if (!dag || !pdag || !is_within(dag, most)) {
        bestdag_pdag_free(pdag);
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
