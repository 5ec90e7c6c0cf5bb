/* SPDX-License-Identifier: MIT */
/* pdag.c -- builds and compares graphs with directed and undirected edges. */
#include "graph/pdag.h"

#include <assert.h>
#include <string.h>

struct bestdag_pdag *bestdag_pdag_new(struct bestdag_run *run, int n)
{
    struct bestdag_pdag *p = bestdag_calloc(run, 1, sizeof *p);
    if (!p)
        return NULL;
    p->n = n;
    p->words = bestdag_row_words(n);
    size_t row = p->words * sizeof *p->parents;
    p->parents = bestdag_calloc(run, (size_t)n, row);
    p->children = p->parents ? bestdag_calloc(run, (size_t)n, row) : NULL;
    p->neighbours = p->children ? bestdag_calloc(run, (size_t)n, row) : NULL;
    if (p->neighbours)
        return p;
    bestdag_pdag_free(p);
    return NULL;
}

void bestdag_pdag_free(struct bestdag_pdag *pdag)
{
    if (!pdag)
        return;
    bestdag_free(pdag->parents);
    bestdag_free(pdag->children);
    bestdag_free(pdag->neighbours);
    bestdag_free(pdag);
}

static void forget(struct bestdag_pdag *p, int a, int b)
{
    size_t row = (size_t)a * p->words;
    bestdag_row_drop(p->parents + row, b);
    bestdag_row_drop(p->children + row, b);
    bestdag_row_drop(p->neighbours + row, b);
}

void bestdag_pdag_separate(struct bestdag_pdag *pdag, int a, int b)
{
    assert(a != b && a >= 0 && b >= 0 && a < pdag->n && b < pdag->n);
    forget(pdag, a, b);
    forget(pdag, b, a);
}

void bestdag_pdag_add_arc(struct bestdag_pdag *pdag, int from, int to)
{
    bestdag_pdag_separate(pdag, from, to);
    bestdag_row_add(pdag->children + (size_t)from * pdag->words, to);
    bestdag_row_add(pdag->parents + (size_t)to * pdag->words, from);
}

void bestdag_pdag_add_edge(struct bestdag_pdag *pdag, int a, int b)
{
    bestdag_pdag_separate(pdag, a, b);
    bestdag_row_add(pdag->neighbours + (size_t)a * pdag->words, b);
    bestdag_row_add(pdag->neighbours + (size_t)b * pdag->words, a);
}
