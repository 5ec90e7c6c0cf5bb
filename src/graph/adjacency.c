/* SPDX-License-Identifier: MIT */
/* adjacency.c -- a directed graph as one block of arc heads. */
#include "graph/adjacency.h"

#include <assert.h>
#include <string.h>

#include "base/invariant.h"

/* Allocates one more element than the starts need: see `next` below. */
static int make_room(struct bestdag_run *run, const struct bestdag_dag *dag,
                     struct bestdag_adjacency *to)
{
    *to = (struct bestdag_adjacency){.n = dag->n};
    to->start = bestdag_calloc(run, (size_t)dag->n + 2, sizeof *to->start);
    to->to = bestdag_alloc(run, (size_t)bestdag_dag_arcs(dag) * sizeof *to->to);
    return to->start && to->to ? BESTDAG_OK : bestdag_run_status(run);
}

int bestdag_adjacency_of_children(struct bestdag_run *run,
                                  const struct bestdag_dag *dag,
                                  struct bestdag_adjacency *to)
{
    int n = dag->n;
    if (make_room(run, dag, to))
        return bestdag_run_status(run);
    int64_t *next = to->start + 1; /* becomes the true start, shifted by one */
    for (int v = 0; v < n; v++)
        for (int i = 0; i < dag->parents[v].count; i++)
            next[dag->parents[v].at[i] + 1]++;
    for (int v = 0; v < n; v++)
        next[v + 1] += next[v];
    for (int v = 0; v < n; v++)
        for (int i = 0; i < dag->parents[v].count; i++)
            to->to[next[dag->parents[v].at[i]]++] = v;
    assert(to->start[0] == 0 && to->start[n] == bestdag_dag_arcs(dag));
    assert(bestdag_is_ascending(to->start, n + 1));
    return BESTDAG_OK;
}

void bestdag_adjacency_release(struct bestdag_adjacency *adjacency)
{
    bestdag_free(adjacency->start);
    bestdag_free(adjacency->to);
    *adjacency = (struct bestdag_adjacency){0};
}
