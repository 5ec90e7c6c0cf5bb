/* SPDX-License-Identifier: MIT */
/* spanning.c -- Kruskal's algorithm on a stream of edges. */
#include "graph/spanning.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "graph/adjacency.h"

enum { ROOM = 8 }; /* edges that are collected, times n */

int bestdag_spanning_init(struct bestdag_run *run, struct bestdag_spanning *s,
                          int n)
{
    *s = (struct bestdag_spanning){.run = run, .n = n, .floor = INT64_MIN};
    s->room = ROOM * (int64_t)n + 64;
    s->edge = bestdag_alloc(run, (size_t)s->room * sizeof *s->edge);
    s->leader = bestdag_alloc(run, (size_t)n * sizeof *s->leader);
    return bestdag_run_status(run);
}

void bestdag_spanning_release(struct bestdag_spanning *s)
{
    bestdag_free(s->edge);
    bestdag_free(s->leader);
    *s = (struct bestdag_spanning){0};
}

static int by_weight(const void *a, const void *b)
{
    const struct bestdag_edge *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->a != y->a ? x->a - y->a : x->b - y->b;
}

static int find(struct bestdag_spanning *s, int v)
{
    while (s->leader[v] != v)
        v = s->leader[v] = s->leader[s->leader[v]];
    return v;
}

static void thin(struct bestdag_spanning *s)
{
    int64_t kept = 0;
    for (int v = 0; v < s->n; v++)
        s->leader[v] = v;
    qsort(s->edge, (size_t)s->count, sizeof *s->edge, by_weight);
    for (int64_t i = 0; i < s->count; i++) {
        struct bestdag_edge e = s->edge[i];
        int a = find(s, e.a), b = find(s, e.b);
        if (a == b)
            continue;
        s->leader[a] = b;
        s->edge[kept++] = e;
    }
    s->count = kept;
    assert(kept < s->n || !s->n); /* a forest */
    if (kept == s->n - 1 && kept > 0)
        s->floor = s->edge[kept - 1].weight;
}

void bestdag_spanning_add(struct bestdag_spanning *s, struct bestdag_edge e)
{
    if (e.weight < s->floor)
        return;
    if (s->count == s->room)
        thin(s);
    assert(s->count < s->room);
    assert(e.a != e.b && e.a >= 0 && e.b >= 0 && e.a < s->n && e.b < s->n);
    s->edge[s->count++] = e;
}

void bestdag_spanning_finish(struct bestdag_spanning *s, bool gains)
{
    thin(s);
    while (gains && s->count && s->edge[s->count - 1].weight <= 0)
        s->count--;
}

/* Makes both directions of every edge. */
static int make_adjacency(const struct bestdag_spanning *s,
                          struct bestdag_adjacency *to)
{
    size_t n = (size_t)s->n;
    to->n = s->n;
    to->start = bestdag_calloc(s->run, n + 2, sizeof *to->start);
    to->to = bestdag_alloc(s->run, (size_t)(2 * s->count + 1) * sizeof *to->to);
    if (!to->start || !to->to)
        return bestdag_run_status(s->run);
    for (int64_t i = 0; i < s->count; i++) {
        to->start[s->edge[i].a + 2]++;
        to->start[s->edge[i].b + 2]++;
    }
    for (int v = 0; v < s->n; v++)
        to->start[v + 2] += to->start[v + 1];
    for (int64_t i = 0; i < s->count; i++) {
        to->to[to->start[s->edge[i].a + 1]++] = s->edge[i].b;
        to->to[to->start[s->edge[i].b + 1]++] = s->edge[i].a;
    }
    return BESTDAG_OK;
}

static void spread(const struct bestdag_adjacency *g, int root, int *parent,
                   int *queue)
{
    int first = 0, last = 0;
    queue[last++] = root;
    parent[root] = -1;
    while (first < last) {
        assert(last <= g->n);
        int v = queue[first++];
        for (int64_t i = g->start[v]; i < g->start[v + 1]; i++) {
            int u = g->to[i];
            if (parent[u] != -2)
                continue;
            parent[u] = v;
            queue[last++] = u;
        }
    }
}

int bestdag_spanning_direct(struct bestdag_spanning *s, int root, int *parent)
{
    struct bestdag_adjacency g = {0};
    if (!make_adjacency(s, &g)) {
        for (int v = 0; v < s->n; v++)
            parent[v] = -2; /* not reached */
        if (s->n)
            spread(&g, root, parent, s->leader);
        for (int v = 0; v < s->n; v++)
            if (parent[v] == -2)
                spread(&g, v, parent, s->leader);
    }
    bestdag_adjacency_release(&g);
    return bestdag_run_status(s->run);
}
