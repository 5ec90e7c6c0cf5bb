/* SPDX-License-Identifier: MIT */
/* components.c -- strongly connected components of a directed graph.
 *
 * Tarjan, Depth-first search and linear graph algorithms (SIAM J. Comput. 1,
 * 1972), with an explicit path instead of recursion. A component is complete
 * when the search leaves its first node; it is then on top of the stack of open
 * nodes. Components are completed sinks first, so numbers are reversed at the
 * end. */
#include "graph/components.h"

#include <assert.h>

enum { OPEN = -1 }; /* of a node without a component so far */

struct search {
    const struct bestdag_adjacency *graph;
    int *component; /* [n] */
    int *seen;      /* owns; [n]; 0: not visited, else rank of the first
                       visit */
    int *low;       /* owns; [n]; least rank of an open node known to be
                       reached */
    int *path;      /* owns; [n]; from the root of the search */
    int *open;      /* owns; [n]; visited nodes of incomplete components */
    int64_t *next;  /* owns; [n]; arc to follow next */
    int visited, steps, opened, components;
};

static void enter(struct search *s, int v)
{
    assert(!s->seen[v] && s->component[v] == OPEN);
    s->seen[v] = s->low[v] = ++s->visited;
    s->next[v] = s->graph->start[v];
    s->path[s->steps++] = v;
    s->open[s->opened++] = v;
}

static void lower(struct search *s, int v, int rank)
{
    if (rank < s->low[v])
        s->low[v] = rank;
}

/* Steps back from v, the end of the path. */
static void leave(struct search *s, int v)
{
    assert(s->low[v] <= s->seen[v]);
    if (s->low[v] == s->seen[v]) {
        int u;
        do {
            assert(s->opened > 0);
            u = s->open[--s->opened];
            s->component[u] = s->components;
        } while (u != v);
        s->components++;
    }
    if (--s->steps)
        lower(s, s->path[s->steps - 1], s->low[v]);
}

static void visit_from(struct search *s, int root)
{
    enter(s, root);
    while (s->steps) {
        int v = s->path[s->steps - 1];
        if (s->next[v] == s->graph->start[v + 1]) {
            leave(s, v);
            continue;
        }
        int u = s->graph->to[s->next[v]++];
        if (!s->seen[u])
            enter(s, u);
        else if (s->component[u] == OPEN)
            lower(s, v, s->seen[u]);
    }
}

static int visit_all(struct search *s)
{
    int n = s->graph->n;
    for (int v = 0; v < n; v++)
        s->component[v] = OPEN;
    for (int v = 0; v < n; v++)
        if (!s->seen[v])
            visit_from(s, v);
    assert(s->visited == n && !s->steps && !s->opened);
    for (int v = 0; v < n; v++)
        s->component[v] = s->components - 1 - s->component[v];
    for (int v = 0; v < n; v++) /* sources first: arcs never go back */
        for (int64_t i = s->graph->start[v]; i < s->graph->start[v + 1]; i++)
            assert(s->component[v] <= s->component[s->graph->to[i]]);
    return s->components;
}

int bestdag_components_strong(struct bestdag_run *run,
                              const struct bestdag_adjacency *graph,
                              int *component)
{
    int found = -1;
    size_t n = (size_t)graph->n;
    struct search s = {.graph = graph, .component = component};
    s.seen = bestdag_calloc(run, n, sizeof *s.seen);
    s.low = bestdag_alloc(run, n * sizeof *s.low);
    s.path = bestdag_alloc(run, n * sizeof *s.path);
    s.open = bestdag_alloc(run, n * sizeof *s.open);
    s.next = bestdag_alloc(run, n * sizeof *s.next);
    if (s.seen && s.low && s.path && s.open && s.next)
        found = visit_all(&s);
    bestdag_free(s.seen);
    bestdag_free(s.low);
    bestdag_free(s.path);
    bestdag_free(s.open);
    bestdag_free(s.next);
    return found;
}
