/* SPDX-License-Identifier: MIT */
/* reach.c -- ancestors and descendants as rows of bits.
 *
 * In topological order the ancestors of a node are its parents and theirs; in
 * the opposite order each node hands its descendants to its parents. */
#include "graph/reach.h"

#include <assert.h>
#include <string.h>

static void join_with(uint64_t *rows, size_t words, int to, int from)
{
    uint64_t *row = rows + (size_t)to * words;
    assert(to != from && !bestdag_row_has(rows + (size_t)from * words, to));
    bestdag_row_join(row, rows + (size_t)from * words, words);
    bestdag_row_add(row, from);
}

static void fill_up(const struct bestdag_dag *dag, const int *order,
                    uint64_t *rows, size_t words)
{
    for (int i = 0; i < dag->n; i++) {
        const struct bestdag_parents *p = &dag->parents[order[i]];
        for (int k = 0; k < p->count; k++)
            join_with(rows, words, order[i], p->at[k]);
    }
}

static void fill_down(const struct bestdag_dag *dag, const int *order,
                      uint64_t *rows, size_t words)
{
    for (int i = dag->n - 1; i >= 0; i--) {
        const struct bestdag_parents *p = &dag->parents[order[i]];
        for (int k = 0; k < p->count; k++)
            join_with(rows, words, p->at[k], order[i]);
    }
}

typedef void fill_fn(const struct bestdag_dag *dag, const int *order,
                     uint64_t *rows, size_t words);

static uint64_t *make_rows(struct bestdag_run *run,
                           const struct bestdag_dag *dag, fill_fn *fill)
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

uint64_t *bestdag_reach_ancestors(struct bestdag_run *run,
                                  const struct bestdag_dag *dag)
{
    return make_rows(run, dag, fill_up);
}

uint64_t *bestdag_reach_descendants(struct bestdag_run *run,
                                    const struct bestdag_dag *dag)
{
    return make_rows(run, dag, fill_down);
}

int bestdag_reach_from(struct bestdag_run *run,
                       const struct bestdag_adjacency *graph, int source,
                       uint64_t *row)
{
    int waiting = 1;
    int *stack = bestdag_alloc(run, ((size_t)graph->n + 1) * sizeof *stack);
    if (!stack)
        return bestdag_run_status(run);
    memset(row, 0, bestdag_row_words(graph->n) * sizeof *row);
    stack[0] = source;
    while (waiting) {
        int v = stack[--waiting];
        for (int64_t i = graph->start[v]; i < graph->start[v + 1]; i++)
            if (!bestdag_row_has(row, graph->to[i])) {
                bestdag_row_add(row, graph->to[i]);
                assert(waiting <= graph->n);
                stack[waiting++] = graph->to[i];
            }
    }
    bestdag_free(stack);
    return BESTDAG_OK;
}
