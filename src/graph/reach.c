/* SPDX-License-Identifier: MIT */
/* reach.c -- ancestors as rows of bits; ancestors and descendants as flags.
 *
 * In topological order, the ancestors of a node are its parents and theirs.
 * Flags are propagated with a stack that every node enters once. */
#include "graph/reach.h"

#include <assert.h>

static void join_with(uint64_t *rows, size_t words, int to, int from)
{
    uint64_t *row = rows + (size_t)to * words;
    assert(to != from && !bestdag_row_has(rows + (size_t)from * words, to));
    bestdag_row_join(row, rows + (size_t)from * words, words);
    bestdag_row_add(row, from);
}

static void fill(const struct bestdag_dag *dag, const int *order,
                 uint64_t *rows, size_t words)
{
    for (int i = 0; i < dag->n; i++) {
        const struct bestdag_parents *p = &dag->parents[order[i]];
        for (int k = 0; k < p->count; k++)
            join_with(rows, words, order[i], p->at[k]);
    }
}

uint64_t *bestdag_reach_ancestors(struct bestdag_run *run,
                                  const struct bestdag_dag *dag)
{
    size_t n = (size_t)dag->n, words = bestdag_row_words(dag->n);
    uint64_t *rows = NULL;
    int *order = bestdag_alloc(run, n * sizeof *order);
    int placed = order ? bestdag_dag_order(run, dag, order) : -1;
    if (placed == dag->n)
        rows = bestdag_calloc(run, n, words * sizeof *rows);
    else if (placed >= 0)
        bestdag_fail(run, BESTDAG_INPUT, "the graph has a cycle");
    if (rows)
        fill(dag, order, rows, words);
    bestdag_free(order);
    return rows;
}

/* A stack of all marked nodes; NULL: error. */
static int *start_marking(struct bestdag_run *run, int n, const bool *marked,
                          int *count)
{
    int *stack = bestdag_alloc(run, ((size_t)n + 1) * sizeof *stack);
    *count = 0;
    for (int v = 0; stack && v < n; v++)
        if (marked[v])
            stack[(*count)++] = v;
    return stack;
}

static void mark(bool *marked, int *stack, int *count, int v)
{
    if (!marked[v])
        stack[(*count)++] = v;
    marked[v] = true;
}

int bestdag_reach_mark_ancestors(struct bestdag_run *run,
                                 const struct bestdag_dag *dag, bool *marked)
{
    int count, *stack = start_marking(run, dag->n, marked, &count);
    while (stack && count) {
        const struct bestdag_parents *p = &dag->parents[stack[--count]];
        for (int i = 0; i < p->count; i++)
            mark(marked, stack, &count, p->at[i]);
    }
    bestdag_free(stack);
    return bestdag_run_status(run);
}

int bestdag_reach_mark_descendants(struct bestdag_run *run,
                                   const struct bestdag_adjacency *children,
                                   bool *marked)
{
    int count, *stack = start_marking(run, children->n, marked, &count);
    while (stack && count) {
        int v = stack[--count];
        for (int64_t i = children->start[v]; i < children->start[v + 1]; i++)
            mark(marked, stack, &count, children->to[i]);
    }
    bestdag_free(stack);
    return bestdag_run_status(run);
}
