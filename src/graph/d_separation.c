/* SPDX-License-Identifier: MIT */
/* d_separation.c -- open paths, found by breadth-first search.
 *
 * The search visits pairs of a node and the direction in which it was entered:
 * along an arc (from a parent) or against one (from a child). If it was entered
 * against an arc, or is the start, a node is no collider and leads to its
 * parents and children unless it is given; if it was entered along an arc, it
 * leads to its children unless it is given, and, as a collider, to its parents
 * if it or one of its descendants is given (Shachter 1998, Bayes-ball; Koller
 * and Friedman 2009, algorithm 3.1).
 *
 * The first walk found has least length, and is a path. Assume it passes X
 * twice. Without the part in between it would be shorter, and open unless X,
 * not given, became a collider that is no ancestor of a given node. Then the
 * walk leaves X for the first time along an arc and cannot come back without a
 * collider, of which X is an ancestor, and which is one of a given node: a
 * contradiction. If X is given, it is a collider each time, and stays one.
 *
 * Time O(n + arcs). */
#include "graph/d_separation.h"

#include <assert.h>

#include "graph/reach.h"

enum { AGAINST, ALONG };

/* The pair of v and a direction has number 2 v + direction. */
struct walk {
    const struct bestdag_d_question *q;
    bool *above;      /* owns; [n]: given, or an ancestor of a given node */
    int *queue, last; /* owns; [2 n] */
    int *from;        /* owns; [2 n]: the previous pair; -1: none, START */
    int found;        /* the pair of the node TO; -1: none */
};

enum { UNSEEN = -1, START = -2 };

static void enter(struct walk *w, int v, int direction, int from)
{
    int pair = 2 * v + direction;
    if (w->from[pair] != UNSEEN)
        return;
    w->from[pair] = from;
    w->queue[w->last++] = pair;
}

static void enter_parents(struct walk *w, int pair)
{
    const struct bestdag_parents *p = &w->q->dag->parents[pair / 2];
    for (int i = 0; i < p->count; i++)
        enter(w, p->at[i], AGAINST, pair);
}

static void enter_children(struct walk *w, int pair)
{
    const struct bestdag_adjacency *c = w->q->children;
    for (int64_t i = c->start[pair / 2]; i < c->start[pair / 2 + 1]; i++)
        enter(w, c->to[i], ALONG, pair);
}

static void search(struct walk *w)
{
    for (int v = 0; v < w->q->dag->n; v++)
        if (w->q->role[v] == BESTDAG_ROLE_FROM)
            enter(w, v, AGAINST, START);
    for (int first = 0; first < w->last; first++) {
        int pair = w->queue[first], v = pair / 2;
        bool is_given = w->q->role[v] == BESTDAG_ROLE_GIVEN;
        bool is_collider = pair % 2 == ALONG;
        if (w->q->role[v] == BESTDAG_ROLE_TO) {
            w->found = pair;
            return;
        }
        if (is_collider ? w->above[v] : !is_given)
            enter_parents(w, pair);
        if (!is_given)
            enter_children(w, pair);
    }
}

/* Lists the nodes up to the one found, in order; returns their number. */
static int trace(const struct walk *w, int *path)
{
    int count = 0;
    for (int pair = w->found; pair >= 0; pair = w->from[pair])
        path[count++] = pair / 2;
    for (int i = 0; i < count / 2; i++) {
        int other = path[i];
        path[i] = path[count - 1 - i];
        path[count - 1 - i] = other;
    }
    return count;
}

static int open_walk(struct bestdag_run *run, struct walk *w)
{
    size_t n = (size_t)w->q->dag->n;
    w->found = -1;
    w->above = bestdag_calloc(run, n + 1, sizeof *w->above);
    w->queue = bestdag_alloc(run, (2 * n + 1) * sizeof *w->queue);
    w->from = bestdag_alloc(run, (2 * n + 1) * sizeof *w->from);
    if (!w->above || !w->queue || !w->from)
        return bestdag_run_status(run);
    for (size_t pair = 0; pair < 2 * n; pair++)
        w->from[pair] = UNSEEN;
    for (size_t v = 0; v < n; v++)
        w->above[v] = w->q->role[v] == BESTDAG_ROLE_GIVEN;
    return bestdag_reach_mark_ancestors(run, w->q->dag, w->above);
}

static void close_walk(struct walk *w)
{
    bestdag_free(w->above);
    bestdag_free(w->queue);
    bestdag_free(w->from);
}

int bestdag_d_separation_path(struct bestdag_run *run,
                              const struct bestdag_d_question *question,
                              int *path)
{
    struct walk w = {.q = question};
    int count = -1;
    if (!open_walk(run, &w)) {
        search(&w);
        count = trace(&w, path);
        assert(count <= question->dag->n);
    }
    close_walk(&w);
    return count;
}

int bestdag_d_separation_reason(struct bestdag_run *run,
                                const struct bestdag_d_question *question,
                                int collider, int *path)
{
    struct walk w = {.q = question};
    int count = -1;
    if (!open_walk(run, &w)) {
        enter(&w, collider, ALONG, START);
        for (int first = 0; first < w.last && w.found < 0; first++)
            if (question->role[w.queue[first] / 2] == BESTDAG_ROLE_GIVEN)
                w.found = w.queue[first];
            else
                enter_children(&w, w.queue[first]);
        count = trace(&w, path);
    }
    close_walk(&w);
    return count;
}
