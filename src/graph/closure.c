/* SPDX-License-Identifier: MIT */
/* closure.c -- maintains descendants as rows of bits while arcs are added and
 * dropped.
 *
 * A new arc adds the descendants of its head to those of its tail and of all
 * ancestors of the tail. When an arc is dropped, these rows are rebuilt from
 * the rows of the children, nodes with few descendants first: a child has fewer
 * than its parents. */
#include "graph/closure.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct bestdag_closure *bestdag_closure_new(struct bestdag_run *run, int n)
{
    struct bestdag_closure *c = bestdag_calloc(run, 1, sizeof *c);
    if (!c)
        return NULL;
    size_t nodes = (size_t)n, words = bestdag_row_words(n);
    c->n = n;
    c->words = words;
    c->parents = bestdag_calloc(run, nodes * words, sizeof *c->parents);
    c->children = bestdag_calloc(run, nodes * words, sizeof *c->children);
    c->descendants = bestdag_calloc(run, nodes * words, sizeof *c->descendants);
    c->count = bestdag_calloc(run, nodes, sizeof *c->count);
    c->freed = bestdag_alloc(run, nodes * sizeof *c->freed);
    c->row = bestdag_alloc(run, words * sizeof *c->row);
    c->order = bestdag_alloc(run, nodes * sizeof *c->order);
    if (c->parents && c->children && c->descendants && c->count && c->freed &&
        c->row && c->order)
        return c;
    bestdag_closure_free(c);
    return NULL;
}

void bestdag_closure_free(struct bestdag_closure *c)
{
    if (!c)
        return;
    bestdag_free(c->parents);
    bestdag_free(c->children);
    bestdag_free(c->descendants);
    bestdag_free(c->count);
    bestdag_free(c->freed);
    bestdag_free(c->row);
    bestdag_free(c->order);
    bestdag_free(c);
}

int64_t bestdag_closure_bytes(int n)
{
    return 24 * (int64_t)n * (int64_t)bestdag_row_words(n) + 16 * (int64_t)n;
}

bool bestdag_closure_can_add(const struct bestdag_closure *c, int from, int to)
{
    return from != to &&
           !bestdag_row_has(bestdag_closure_parents(c, to), from) &&
           !bestdag_row_has(bestdag_closure_descendants(c, to), from);
}

/* Is another parent of `to` a descendant of `from`? */
static bool has_detour(const struct bestdag_closure *c, int from, int to)
{
    const uint64_t *parents = bestdag_closure_parents(c, to);
    const uint64_t *below = bestdag_closure_descendants(c, from);
    for (size_t w = 0; w < c->words; w++)
        if (parents[w] & below[w])
            return true;
    return false;
}

bool bestdag_closure_can_reverse(const struct bestdag_closure *c, int from,
                                 int to)
{
    return bestdag_row_has(bestdag_closure_parents(c, to), from) &&
           !has_detour(c, from, to);
}

static bool reaches(const struct bestdag_closure *c, int from, int to)
{
    return from == to ||
           bestdag_row_has(bestdag_closure_descendants(c, from), to);
}

void bestdag_closure_add(struct bestdag_closure *c, int from, int to)
{
    assert(bestdag_closure_can_add(c, from, to));
    bool known = reaches(c, from, to);
    bestdag_row_add(bestdag_closure_parents(c, to), from);
    bestdag_row_add(bestdag_closure_children(c, from), to);
    c->count[to]++;
    c->arcs++;
    assert(c->count[to] ==
           bestdag_row_count(bestdag_closure_parents(c, to), c->words));
    for (int v = 0; v < c->n && !known; v++)
        if (reaches(c, v, from)) {
            uint64_t *row = bestdag_closure_descendants(c, v);
            bestdag_row_join(row, bestdag_closure_descendants(c, to), c->words);
            bestdag_row_add(row, to);
        }
}

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Lists the nodes that reach `to`, including `to`, children first; returns
 * their number. */
static int list_above(struct bestdag_closure *c, int to)
{
    int count = 0;
    for (int v = 0; v < c->n; v++)
        if (reaches(c, v, to)) {
            int below =
                bestdag_row_count(bestdag_closure_descendants(c, v), c->words);
            c->order[count++] = (uint64_t)below << 32 | (uint32_t)v;
        }
    qsort(c->order, (size_t)count, sizeof *c->order, ascending);
    return count;
}

/* Recomputes the descendants of v from its children; were there more before? */
static bool shrinks(struct bestdag_closure *c, int v)
{
    uint64_t *row = bestdag_closure_descendants(c, v);
    const uint64_t *children = bestdag_closure_children(c, v);
    size_t bytes = c->words * sizeof *row;
    memcpy(c->row, children, bytes);
    for (int u = bestdag_row_next(children, c->words, 0); u >= 0;
         u = bestdag_row_next(children, c->words, u + 1))
        bestdag_row_join(c->row, bestdag_closure_descendants(c, u), c->words);
    assert(!bestdag_row_has(c->row, v)); /* no cycle */
    assert(bestdag_row_count(c->row, c->words) <=
           bestdag_row_count(row, c->words));
    if (!memcmp(row, c->row, bytes))
        return false;
    memcpy(row, c->row, bytes);
    return true;
}

void bestdag_closure_drop(struct bestdag_closure *c, int from, int to)
{
    assert(bestdag_row_has(bestdag_closure_parents(c, to), from));
    assert(bestdag_row_has(bestdag_closure_children(c, from), to));
    assert(c->count[to] > 0 && c->arcs > 0);
    bool detour = has_detour(c, from, to);
    c->frees = 0;
    bestdag_row_drop(bestdag_closure_parents(c, to), from);
    bestdag_row_drop(bestdag_closure_children(c, from), to);
    c->count[to]--;
    c->arcs--;
    assert(c->count[to] ==
           bestdag_row_count(bestdag_closure_parents(c, to), c->words));
    if (detour)
        return;
    int above = list_above(c, from);
    for (int i = 0; i < above; i++) {
        int v = (int)(uint32_t)c->order[i];
        if (shrinks(c, v))
            c->freed[c->frees++] = v;
    }
}

int bestdag_closure_list(const struct bestdag_closure *c, const uint64_t *row,
                         int *list)
{
    int count = 0;
    for (size_t w = 0; w < c->words; w++)
        for (uint64_t rest = row[w]; rest; rest &= rest - 1)
            list[count++] = (int)(64 * w) + __builtin_ctzll(rest);
    return count;
}
