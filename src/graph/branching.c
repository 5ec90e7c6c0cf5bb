/* SPDX-License-Identifier: MIT */
/* branching.c -- Edmonds' algorithm on a dense graph (Edmonds 1967; Tarjan
 * 1977; in the form of Gabow, Galil, Spencer and Tarjan 1986).
 *
 * A virtual root has an arc to every node: expensive if there are to be few
 * roots, free in a forest. From any node a path grows backwards along cheapest
 * arcs. If it closes a cycle, the cycle is contracted to one node, and the cost
 * of an arc into it becomes its cost above that of the cycle's arc that it
 * replaces; if it meets the virtual root or a node attached to it, the path
 * ends, and another one begins. Then the cycles are expanded, from the
 * outermost in: the arc into a cycle decides which of its own arcs is removed.
 *
 * Each node, contracted or not, has a row with the cheapest arc from each
 * original node, and where it ends. Merging two rows is O(n), and there are
 * fewer than n merges. */
#include "graph/branching.h"

#include <assert.h>
#include <string.h>

struct contraction {
    int n, nodes;      /* original nodes; these and cycles, at most 2 n */
    int64_t *cost;     /* borrowed; [n * n]: row v: arcs into v, by tail */
    int32_t *end;      /* owns; [n * n]: heads of these arcs */
    int64_t *root;     /* owns; [n]: cost of the arc from the virtual root */
    int32_t *root_end; /* owns; [n] */
    int *row;          /* owns; [2 n]: row of a node or cycle */
    int *top;          /* owns; [2 n]: outermost node that contains it */
    int *around;       /* owns; [2 n]: cycle that it is a member of; -1 */
    int *from, *into;  /* own; [2 n]: the chosen arc; from -1: the root */
    int64_t *paid;     /* owns; [2 n]: cost of the chosen arc */
    int *path;         /* owns; [2 n] */
    bool *is_done;     /* owns; [2 n]: attached to the root */
};

static int find_top(struct contraction *s, int v)
{
    while (s->top[v] != v)
        v = s->top[v] = s->top[s->top[v]];
    return v;
}

/* Chooses the cheapest arc into v from outside of it. */
static void choose(struct contraction *s, int v)
{
    size_t at = (size_t)s->row[v] * (size_t)s->n;
    s->paid[v] = s->root[s->row[v]];
    s->from[v] = -1;
    s->into[v] = s->root_end[s->row[v]];
    for (int u = 0; u < s->n; u++)
        if (s->cost[at + (size_t)u] < s->paid[v] && find_top(s, u) != v) {
            s->paid[v] = s->cost[at + (size_t)u];
            s->from[v] = u;
            s->into[v] = s->end[at + (size_t)u];
        }
}

/* Merges the arcs into another node into a row where they are cheaper, each
 * less the cost of its own node's chosen arc. */
static void merge(struct contraction *s, int row, int64_t paid, int other,
                  int64_t other_paid)
{
    size_t to = (size_t)row * (size_t)s->n, from = (size_t)other * (size_t)s->n;
    for (size_t u = 0; u < (size_t)s->n; u++) {
        bool is_open = s->cost[to + u] < INT64_MAX;
        int64_t mine = is_open ? s->cost[to + u] - paid : INT64_MAX;
        is_open = s->cost[from + u] < INT64_MAX;
        int64_t its = is_open ? s->cost[from + u] - other_paid : INT64_MAX;
        s->cost[to + u] = its < mine ? its : mine;
        if (its < mine)
            s->end[to + u] = s->end[from + u];
    }
    s->root[row] -= paid;
    if (s->root[other] - other_paid < s->root[row]) {
        s->root[row] = s->root[other] - other_paid;
        s->root_end[row] = s->root_end[other];
    }
}

/* Contracts the last nodes of the path, back to `first`; returns the new
 * node. */
static int contract(struct contraction *s, int *length, int first)
{
    int cycle = s->nodes++, v = s->path[--*length];
    assert(s->nodes <= 2 * s->n && *length >= 0);
    s->top[cycle] = cycle;
    s->around[cycle] = -1;
    s->row[cycle] = s->row[v];
    int64_t paid = s->paid[v];
    s->top[v] = s->around[v] = cycle;
    while (v != first) {
        v = s->path[--*length];
        merge(s, s->row[cycle], paid, s->row[v], s->paid[v]);
        paid = 0;
        s->top[v] = s->around[v] = cycle;
    }
    return cycle;
}

/* Grows a path backwards from v until it is attached to the root. */
static void grow(struct contraction *s, int v)
{
    int length = 0;
    bool *is_on_path = s->is_done; /* done or on the path: both end it */
    for (;;) {
        assert(find_top(s, v) == v && length < 2 * s->n);
        s->path[length++] = v;
        is_on_path[v] = true;
        choose(s, v);
        int u = s->from[v] < 0 ? -1 : find_top(s, s->from[v]);
        if (u < 0)
            return;
        if (!is_on_path[u]) {
            v = u;
            continue;
        }
        int at = length - 1;
        while (at >= 0 && s->path[at] != u)
            at--;
        if (at < 0)
            return; /* it meets a node attached to the root */
        v = contract(s, &length, u);
    }
}

/* From the outermost cycle in: the arc into it stays, and the nodes around its
 * head, up to the cycle, lose their own arcs. */
static void open_cycles(struct contraction *s, int *parent)
{
    for (int v = s->nodes - 1; v >= 0; v--) {
        if (s->around[v] >= 0 && s->is_done[v])
            continue;
        int into = s->into[v], node = into;
        parent[into] = s->from[v];
        for (; node != v; node = s->around[node])
            s->is_done[node] = true;
    }
}

static int allocate(struct bestdag_run *run, struct contraction *s)
{
    size_t n = (size_t)s->n;
    s->end = bestdag_alloc(run, n * n * sizeof *s->end);
    s->root = bestdag_alloc(run, n * sizeof *s->root);
    s->root_end = bestdag_alloc(run, n * sizeof *s->root_end);
    s->row = bestdag_alloc(run, 2 * n * sizeof *s->row);
    s->top = bestdag_alloc(run, 2 * n * sizeof *s->top);
    s->around = bestdag_alloc(run, 2 * n * sizeof *s->around);
    s->from = bestdag_alloc(run, 2 * n * sizeof *s->from);
    s->into = bestdag_alloc(run, 2 * n * sizeof *s->into);
    s->paid = bestdag_alloc(run, 2 * n * sizeof *s->paid);
    s->path = bestdag_alloc(run, 2 * n * sizeof *s->path);
    s->is_done = bestdag_calloc(run, 2 * n, sizeof *s->is_done);
    return bestdag_run_status(run);
}

static void release(struct contraction *s)
{
    bestdag_free(s->end);
    bestdag_free(s->root);
    bestdag_free(s->root_end);
    bestdag_free(s->row);
    bestdag_free(s->top);
    bestdag_free(s->around);
    bestdag_free(s->from);
    bestdag_free(s->into);
    bestdag_free(s->paid);
    bestdag_free(s->path);
    bestdag_free(s->is_done);
}

/* The number of low bits to drop so that n gains and a virtual root fit into 64
 * bits. */
static int find_shift(int n, const int64_t *gain, int64_t *most)
{
    int64_t limit = ((int64_t)1 << 61) / (n + 2);
    int shift = 0;
    *most = 1;
    for (size_t i = 0; i < (size_t)n * (size_t)n; i++)
        if (gain[i] != BESTDAG_NO_ARC) {
            int64_t size = gain[i] < 0 ? -gain[i] : gain[i];
            *most = size > *most ? size : *most;
        }
    while (*most >> shift > limit)
        shift++;
    *most = (*most >> shift) + 1;
    return shift;
}

/* Turns gains of arcs out of u into costs of arcs into v. */
static void turn(struct contraction *s, int shift)
{
    int n = s->n;
    for (int u = 0; u < n; u++)
        for (int v = u; v < n; v++) {
            int64_t *out = &s->cost[(size_t)u * (size_t)n + (size_t)v];
            int64_t *in = &s->cost[(size_t)v * (size_t)n + (size_t)u];
            int64_t forth = *out, back = *in;
            *in = u == v || forth == BESTDAG_NO_ARC
                      ? INT64_MAX
                      : -(forth / ((int64_t)1 << shift));
            *out = u == v || back == BESTDAG_NO_ARC
                       ? INT64_MAX
                       : -(back / ((int64_t)1 << shift));
        }
}

int bestdag_branching_find(struct bestdag_run *run, int n, int64_t *gain,
                           bool forest, int *parent)
{
    struct contraction s = {.n = n, .nodes = n, .cost = gain};
    int64_t most;
    if (!allocate(run, &s)) {
        turn(&s, find_shift(n, gain, &most));
        for (int v = 0; v < n; v++) {
            s.root[v] = forest ? 0 : most * (n + 1);
            s.root_end[v] = s.row[v] = s.top[v] = v;
            s.around[v] = -1;
            for (int u = 0; u < n; u++)
                s.end[(size_t)v * (size_t)n + (size_t)u] = v;
        }
        for (int v = 0; v < n; v++)
            if (!s.is_done[find_top(&s, v)])
                grow(&s, find_top(&s, v));
        memset(s.is_done, 0, 2 * (size_t)n * sizeof *s.is_done);
        open_cycles(&s, parent);
    }
    for (int v = 0; !bestdag_run_status(run) && v < n; v++)
        assert(parent[v] >= -1 && parent[v] < n && parent[v] != v);
    release(&s);
    return bestdag_run_status(run);
}
