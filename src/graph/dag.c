/* SPDX-License-Identifier: MIT */
/* dag.c -- directed graphs as parent lists. */
#include "graph/dag.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "graph/adjacency.h"

struct bestdag_dag *bestdag_dag_new(struct bestdag_run *run, int n)
{
    struct bestdag_dag *dag = bestdag_calloc(run, 1, sizeof *dag);
    if (!dag)
        return NULL;
    dag->n = n;
    dag->parents = bestdag_calloc(run, (size_t)n, sizeof *dag->parents);
    if (dag->parents)
        return dag;
    bestdag_dag_free(dag);
    return NULL;
}

struct bestdag_dag *bestdag_dag_copy(struct bestdag_run *run,
                                     const struct bestdag_dag *from)
{
    struct bestdag_dag *dag = bestdag_dag_new(run, from->n);
    for (int v = 0; dag && v < from->n; v++)
        if (bestdag_dag_set_parents(run, dag, v, from->parents[v].at,
                                    from->parents[v].count)) {
            bestdag_dag_free(dag);
            return NULL;
        }
    return dag;
}

void bestdag_dag_free(struct bestdag_dag *dag)
{
    if (!dag)
        return;
    for (int v = 0; dag->parents && v < dag->n; v++)
        bestdag_free(dag->parents[v].at);
    bestdag_free(dag->parents);
    bestdag_free(dag);
}

static int ascending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int bestdag_dag_set_parents(struct bestdag_run *run, struct bestdag_dag *dag,
                            int child, const int *parents, int count)
{
    int *at = bestdag_alloc(run, (size_t)count * sizeof *at);
    if (!at)
        return BESTDAG_MEMORY;
    if (count)
        memcpy(at, parents, (size_t)count * sizeof *at);
    qsort(at, (size_t)count, sizeof *at, ascending);
    for (int i = 0; i < count; i++)
        if (at[i] < 0 || at[i] >= dag->n || at[i] == child ||
            (i && at[i] == at[i - 1])) {
            int bad = at[i];
            bestdag_free(at);
            return bestdag_fail(run, BESTDAG_USAGE,
                                "variable %d cannot have parent %d: unknown, "
                                "itself, or given twice",
                                child, bad);
        }
    assert(child >= 0 && child < dag->n);
    assert(bestdag_is_set(at, count, dag->n));
    bestdag_free(dag->parents[child].at);
    dag->parents[child] = (struct bestdag_parents){count, at};
    return BESTDAG_OK;
}

int bestdag_dag_parent_at(const struct bestdag_dag *dag, int from, int to)
{
    const struct bestdag_parents *p = &dag->parents[to];
    assert(bestdag_is_set(p->at, p->count, dag->n));
    const int *found = p->count ? bsearch(&from, p->at, (size_t)p->count,
                                          sizeof from, ascending)
                                : NULL;
    return found ? (int)(found - p->at) : -1;
}

bool bestdag_dag_has_arc(const struct bestdag_dag *dag, int from, int to)
{
    return bestdag_dag_parent_at(dag, from, to) >= 0;
}

int64_t bestdag_dag_arcs(const struct bestdag_dag *dag)
{
    int64_t arcs = 0;
    for (int v = 0; v < dag->n; v++)
        arcs += dag->parents[v].count;
    return arcs;
}

/* A min-heap of ints. */
static void heap_push(int *heap, int count, int value)
{
    int i = count;
    for (; i && heap[(i - 1) / 2] > value; i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = value;
}

static int heap_pop(int *heap, int count)
{
    assert(count > 0);
    int least = heap[0], last = heap[--count], i = 0;
    for (;;) {
        int k = 2 * i + 1;
        if (k >= count)
            break;
        if (k + 1 < count && heap[k + 1] < heap[k])
            k++;
        if (heap[k] >= last)
            break;
        heap[i] = heap[k];
        i = k;
    }
    heap[i] = last;
    assert(heap[0] >= least);
    return least;
}

static int place(const struct bestdag_dag *dag,
                 const struct bestdag_adjacency *kids, int *waiting, int *heap,
                 int *order)
{
    int ready = 0, placed = 0;
    for (int v = 0; v < dag->n; v++) {
        waiting[v] = dag->parents[v].count;
        if (!waiting[v])
            heap_push(heap, ready++, v);
    }
    while (ready) {
        int v = heap_pop(heap, ready--);
        assert(!waiting[v]); /* all its parents are placed */
        order[placed++] = v;
        for (int64_t i = kids->start[v]; i < kids->start[v + 1]; i++)
            if (!--waiting[kids->to[i]])
                heap_push(heap, ready++, kids->to[i]);
    }
    assert(placed < dag->n || bestdag_is_permutation(order, dag->n));
    return placed;
}

int bestdag_dag_order(struct bestdag_run *run, const struct bestdag_dag *dag,
                      int *order)
{
    struct bestdag_adjacency kids = {0};
    int placed = -1;
    int *waiting = bestdag_alloc(run, (size_t)dag->n * sizeof *waiting);
    int *heap = bestdag_alloc(run, (size_t)dag->n * sizeof *heap);
    if (waiting && heap && !bestdag_adjacency_of_children(run, dag, &kids))
        placed = place(dag, &kids, waiting, heap, order);
    bestdag_adjacency_release(&kids);
    bestdag_free(waiting);
    bestdag_free(heap);
    return placed;
}

/* Walks backwards from a node that was not placed: each such node has a parent
 * that was not placed either, so the walk must revisit a node. */
static int walk_back(const struct bestdag_dag *dag, int from, bool *placed,
                     int *seen_at, int *cycle)
{
    int length = 0, v = from;
    while (seen_at[v] < 0) {
        seen_at[v] = length;
        cycle[length++] = v;
        const struct bestdag_parents *p = &dag->parents[v];
        for (int i = 0; i < p->count; i++)
            if (!placed[p->at[i]]) {
                v = p->at[i];
                break;
            }
    }
    assert(length <= dag->n);
    int first = seen_at[v];
    length -= first;
    memmove(cycle, cycle + first, (size_t)length * sizeof *cycle);
    for (int i = 0, j = length - 1; i < j; i++, j--) {
        int other = cycle[i];
        cycle[i] = cycle[j];
        cycle[j] = other;
    }
    for (int i = 0; i < length; i++)
        assert(bestdag_dag_has_arc(dag, cycle[i], cycle[(i + 1) % length]));
    return length;
}

int bestdag_dag_cycle(struct bestdag_run *run, const struct bestdag_dag *dag,
                      int *cycle)
{
    int length = -1, placed = bestdag_dag_order(run, dag, cycle);
    if (placed < 0 || placed == dag->n)
        return placed < 0 ? -1 : 0;
    bool *is_placed = bestdag_calloc(run, (size_t)dag->n, sizeof *is_placed);
    int *seen_at = bestdag_alloc(run, (size_t)dag->n * sizeof *seen_at);
    if (is_placed && seen_at) {
        for (int i = 0; i < placed; i++)
            is_placed[cycle[i]] = true;
        int from = 0;
        while (is_placed[from])
            from++;
        memset(seen_at, -1, (size_t)dag->n * sizeof *seen_at);
        length = walk_back(dag, from, is_placed, seen_at, cycle);
    }
    bestdag_free(is_placed);
    bestdag_free(seen_at);
    return length;
}
