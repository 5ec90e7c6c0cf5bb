/* SPDX-License-Identifier: MIT */
/* d_separator.c -- a smallest d-separating set, as a minimum vertex cut.
 *
 * A set separates two others if and only if it does so in the moral graph of
 * the ancestors of all of them, and there is a smallest one among the ancestors
 * of the nodes FROM, TO and GIVEN (van der Zander, Liskiewicz, Textor, UAI
 * 2014). It is a minimum vertex cut: every node becomes an arc of capacity 1
 * from its entry to its exit, and the flow grows by one along shortest
 * augmenting paths (Ford and Fulkerson 1956; Edmonds and Karp 1972) until none
 * is left. The nodes whose entry the source still reaches, but not their exit,
 * are the cut.
 *
 * Parents of a common child are adjacent in the moral graph. Instead of an edge
 * for each pair of them, all are joined to a hub of the child, which cannot be
 * cut: so the network has O(n + arcs) arcs, whatever the number of parents. A
 * given node is left out, but its hub is not.
 *
 * Time O((size of the cut + 1) (n + arcs)). */
#include <assert.h>

#include "graph/d_separation.h"
#include "graph/reach.h"

enum { INFINITE = 1 << 30 };

/* Vertices: entry 2 v and exit 2 v + 1 of a node, hub 2 n + v, source 3 n, sink
 * 3 n + 1. Arcs e and e ^ 1 are each other's reverse. */
struct flow {
    const struct bestdag_d_question *q;
    bool *kept;                  /* owns; [n]: ancestors of FROM, TO and
                                    GIVEN */
    int *first;                  /* owns; [vertices]: its first arc; -1: none */
    int *next, *head, *capacity; /* own; [room] of arcs */
    int64_t arcs, room;
    int *queue, *by; /* own; [vertices]: breadth-first search; the arc that
                        reached a vertex; -1: unreached */
};

static int source_of(const struct flow *f)
{
    return 3 * f->q->dag->n;
}

static int sink_of(const struct flow *f)
{
    return 3 * f->q->dag->n + 1;
}

static void add_one(struct flow *f, int from, int to, int capacity)
{
    assert(f->arcs < f->room);
    f->head[f->arcs] = to;
    f->capacity[f->arcs] = capacity;
    f->next[f->arcs] = f->first[from];
    f->first[from] = (int)f->arcs++;
}

static void add(struct flow *f, int from, int to, int capacity)
{
    add_one(f, from, to, capacity);
    add_one(f, to, from, 0);
}

/* Joins two nodes in both directions. */
static void join(struct flow *f, int u, int v)
{
    add(f, 2 * u + 1, 2 * v, INFINITE);
    add(f, 2 * v + 1, 2 * u, INFINITE);
}

static bool is_in(const struct flow *f, int v)
{
    return f->kept[v] && f->q->role[v] != BESTDAG_ROLE_GIVEN;
}

static void add_family(struct flow *f, int v)
{
    int n = f->q->dag->n, hub = 2 * n + v;
    const struct bestdag_parents *p = &f->q->dag->parents[v];
    for (int i = 0; i < p->count; i++) {
        int u = p->at[i];
        if (!is_in(f, u))
            continue;
        if (is_in(f, v))
            join(f, u, v);
        add(f, 2 * u + 1, hub, INFINITE);
        add(f, hub, 2 * u, INFINITE);
    }
}

static void add_node(struct flow *f, int v)
{
    enum bestdag_role role = f->q->role[v];
    add(f, 2 * v, 2 * v + 1, role == BESTDAG_ROLE_NONE ? 1 : INFINITE);
    if (role == BESTDAG_ROLE_FROM)
        add(f, source_of(f), 2 * v, INFINITE);
    if (role == BESTDAG_ROLE_TO)
        add(f, 2 * v + 1, sink_of(f), INFINITE);
}

static int find_kept(struct bestdag_run *run, struct flow *f)
{
    int n = f->q->dag->n;
    for (int v = 0; v < n; v++) {
        enum bestdag_role role = f->q->role[v];
        f->kept[v] = role == BESTDAG_ROLE_FROM || role == BESTDAG_ROLE_TO ||
                     role == BESTDAG_ROLE_GIVEN;
    }
    return bestdag_reach_mark_ancestors(run, f->q->dag, f->kept);
}

static int build(struct bestdag_run *run, struct flow *f)
{
    size_t n = (size_t)f->q->dag->n, vertices = 3 * n + 2;
    f->room = 4 * (int64_t)n + 8 * bestdag_dag_arcs(f->q->dag);
    if (f->room > INFINITE)
        return bestdag_fail(run, BESTDAG_MEMORY,
                            "the graph has too many arcs for a separator");
    f->kept = bestdag_alloc(run, n + 1);
    f->first = bestdag_alloc(run, vertices * sizeof *f->first);
    f->next = bestdag_alloc(run, (size_t)f->room * sizeof *f->next);
    f->head = bestdag_alloc(run, (size_t)f->room * sizeof *f->head);
    f->capacity = bestdag_alloc(run, (size_t)f->room * sizeof *f->capacity);
    f->queue = bestdag_alloc(run, vertices * sizeof *f->queue);
    f->by = bestdag_alloc(run, vertices * sizeof *f->by);
    if (bestdag_run_status(run) || find_kept(run, f))
        return bestdag_run_status(run);
    for (size_t i = 0; i < vertices; i++)
        f->first[i] = -1;
    for (int v = 0; v < (int)n; v++) {
        if (is_in(f, v))
            add_node(f, v);
        if (f->kept[v])
            add_family(f, v);
    }
    return BESTDAG_OK;
}

static void release(struct flow *f)
{
    bestdag_free(f->kept);
    bestdag_free(f->first);
    bestdag_free(f->next);
    bestdag_free(f->head);
    bestdag_free(f->capacity);
    bestdag_free(f->queue);
    bestdag_free(f->by);
}

/* Is the sink reached along arcs with at least this residual capacity? */
static bool reach(struct flow *f, int least)
{
    int last = 1;
    for (int i = 0; i < sink_of(f) + 1; i++)
        f->by[i] = -1;
    f->queue[0] = source_of(f);
    f->by[source_of(f)] = 0; /* any arc: it is never followed */
    for (int i = 0; i < last; i++)
        for (int e = f->first[f->queue[i]]; e >= 0; e = f->next[e]) {
            int to = f->head[e];
            if (f->capacity[e] < least || f->by[to] >= 0)
                continue;
            f->by[to] = e;
            f->queue[last++] = to;
            if (to == sink_of(f))
                return true;
        }
    return false;
}

static void push(struct flow *f)
{
    for (int at = sink_of(f); at != source_of(f);) {
        int e = f->by[at];
        f->capacity[e]--;
        f->capacity[e ^ 1]++;
        at = f->head[e ^ 1];
    }
}

static int cut(struct bestdag_run *run, struct flow *f, int *to)
{
    int flow = 0, count = 0;
    if (reach(f, INFINITE))
        return -1;
    for (; reach(f, 1); flow++) {
        if (bestdag_run_watch(run, 0))
            return bestdag_fail(run, BESTDAG_FAILED,
                                "stopped while looking for a separator");
        push(f);
    }
    for (int v = 0; v < f->q->dag->n; v++)
        if (is_in(f, v) && f->by[2 * v] >= 0 && f->by[2 * v + 1] < 0)
            to[count++] = v;
    assert(count == flow);
    return count;
}

int bestdag_d_separator(struct bestdag_run *run,
                        const struct bestdag_d_question *question, int *to,
                        int *count)
{
    struct flow f = {.q = question};
    *count = -1;
    if (!build(run, &f))
        *count = cut(run, &f, to);
    release(&f);
    return bestdag_run_status(run);
}
