/* SPDX-License-Identifier: MIT */
/* adjustment.c -- smallest adjustment sets by the adjustment criterion.
 *
 * A set adjusts for confounding if and only if it has no descendant of a node
 * other than x on a directed path from x to y, and separates x from y in the
 * proper back-door graph, which lacks the first arcs of these paths (Shpitser,
 * VanderWeele, Robins 2010; van der Zander, Liskiewicz, Textor 2014). A
 * smallest one is a smallest separator there. It has only ancestors of x, y and
 * g; those that descend from x are on a directed path to y, hence excluded: it
 * is a back-door set (Pearl 1993).
 *
 * Time: that of the separator. */
#include "graph/adjustment.h"

#include <assert.h>

#include "graph/reach.h"

struct back_door {
    const struct bestdag_d_question *q;
    int x;
    bool *below, *above;     /* own; [n]: descendants of x; y and its
                                ancestors */
    enum bestdag_role *role; /* owns; [n] */
    struct bestdag_dag *dag; /* owns; the proper back-door graph */
};

/* Is v, other than x, on a directed path from x to y? */
static bool is_on_path(const struct back_door *b, int v)
{
    return v != b->x && b->below[v] && b->above[v];
}

static int find_paths(struct bestdag_run *run, struct back_door *b)
{
    for (int v = 0; v < b->q->dag->n; v++) {
        b->below[v] = v == b->x;
        b->above[v] = b->q->role[v] == BESTDAG_ROLE_TO;
    }
    bestdag_reach_mark_descendants(run, b->q->children, b->below);
    return bestdag_reach_mark_ancestors(run, b->q->dag, b->above);
}

/* Removes the arcs from x to nodes on the paths. */
static int cut_paths(struct bestdag_run *run, struct back_door *b)
{
    const struct bestdag_adjacency *c = b->q->children;
    b->dag = bestdag_dag_copy(run, b->q->dag);
    for (int64_t i = c->start[b->x]; b->dag && i < c->start[b->x + 1]; i++) {
        struct bestdag_parents *p = &b->dag->parents[c->to[i]];
        int kept = 0;
        if (!is_on_path(b, c->to[i]))
            continue;
        for (int k = 0; k < p->count; k++)
            if (p->at[k] != b->x)
                p->at[kept++] = p->at[k];
        p->count = kept;
    }
    return bestdag_run_status(run);
}

static int bar(struct bestdag_run *run, struct back_door *b)
{
    int n = b->q->dag->n;
    bool *barred = bestdag_alloc(run, (size_t)n + 1);
    for (int v = 0; barred && v < n; v++)
        barred[v] = is_on_path(b, v);
    if (barred)
        bestdag_reach_mark_descendants(run, b->q->children, barred);
    for (int v = 0; barred && v < n; v++) {
        b->role[v] = b->q->role[v];
        assert(!barred[v] || b->role[v] != BESTDAG_ROLE_GIVEN);
        if (barred[v] && b->role[v] == BESTDAG_ROLE_NONE)
            b->role[v] = BESTDAG_ROLE_BARRED;
    }
    bestdag_free(barred);
    return bestdag_run_status(run);
}

static int prepare(struct bestdag_run *run, struct back_door *b)
{
    size_t n = (size_t)b->q->dag->n;
    while (b->q->role[b->x] != BESTDAG_ROLE_FROM)
        b->x++;
    b->below = bestdag_alloc(run, n);
    b->above = bestdag_alloc(run, n);
    b->role = bestdag_alloc(run, n * sizeof *b->role);
    if (!b->below || !b->above || !b->role || find_paths(run, b) ||
        cut_paths(run, b))
        return bestdag_run_status(run);
    return bar(run, b);
}

int bestdag_adjustment_find(struct bestdag_run *run,
                            const struct bestdag_d_question *question, int *to,
                            int *count)
{
    struct back_door b = {.q = question};
    *count = -1;
    if (!prepare(run, &b)) {
        struct bestdag_d_question q = {.dag = b.dag, .role = b.role};
        bestdag_d_separator(run, &q, to, count);
    }
    bestdag_free(b.below);
    bestdag_free(b.above);
    bestdag_free(b.role);
    bestdag_dag_free(b.dag);
    return bestdag_run_status(run);
}
