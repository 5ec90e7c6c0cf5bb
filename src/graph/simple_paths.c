/* SPDX-License-Identifier: MIT */
/* simple_paths.c -- the k shortest simple paths of the skeleton of a DAG.
 *
 * Yen, Finding the k shortest loopless paths in a network (Management Science
 * 1971), with Lawler's rule (1972): the paths not yet listed are partitioned
 * into classes; the paths of a class share the beginning of a listed path and
 * then leave it. The best path of every class is a candidate, and the best
 * candidate is listed next. It splits its class at each of its later nodes.
 *
 * The best path of a class is the shortest, and among these the
 * lexicographically least: distances to the end are found by breadth-first
 * search from there, and the path continues with the least node that is nearer.
 * So the list is sorted by length, then by node numbers. */
#include "graph/simple_paths.h"

#include <assert.h>

#include "base/growing_array.h"

struct finder {
    struct bestdag_run *run;
    const struct bestdag_dag *dag;
    const struct bestdag_adjacency *children;
    int end;
    struct bestdag_simple_paths *listed, open; /* open: owns; candidates */
    bool *passed;          /* owns; [n]: on the shared beginning */
    bool *closed;          /* owns; [n]: must not follow the shared beginning */
    int *distance, *queue; /* own; [n]; distance -1: the end is unreachable */
};

static bool is_before(const struct bestdag_simple_path *a,
                      const struct bestdag_simple_path *b)
{
    if (a->count != b->count)
        return a->count < b->count;
    for (int i = 0; i < a->count; i++)
        if (a->node[i] != b->node[i])
            return a->node[i] < b->node[i];
    return false;
}

/* The i-th node adjacent to v; -1: no more. */
static int adjacent(const struct finder *f, int v, int64_t i)
{
    const struct bestdag_parents *p = &f->dag->parents[v];
    if (i < p->count)
        return p->at[i];
    i += f->children->start[v] - p->count;
    return i < f->children->start[v + 1] ? f->children->to[i] : -1;
}

static void measure(struct finder *f)
{
    int last = 1, u;
    for (int v = 0; v < f->dag->n; v++)
        f->distance[v] = -1;
    f->queue[0] = f->end;
    f->distance[f->end] = 0;
    for (int first = 0; first < last; first++) {
        int v = f->queue[first];
        for (int64_t i = 0; (u = adjacent(f, v, i)) >= 0; i++)
            if (f->distance[u] < 0 && !f->passed[u]) {
                f->distance[u] = f->distance[v] + 1;
                f->queue[last++] = u;
            }
    }
}

/* The next node of a shortest path from v; -1: none. */
static int next_from(const struct finder *f, int v, bool is_first)
{
    int best = -1, u;
    for (int64_t i = 0; (u = adjacent(f, v, i)) >= 0; i++) {
        if (f->distance[u] < 0 || (is_first && f->closed[u]))
            continue;
        if (best < 0 || f->distance[u] < f->distance[best] ||
            (f->distance[u] == f->distance[best] && u < best))
            best = u;
    }
    return best;
}

static int append(struct finder *f, struct bestdag_simple_paths *to,
                  struct bestdag_simple_path path)
{
    if (!BESTDAG_GROW(f->run, to->at, to->room, to->count + 1)) {
        bestdag_free(path.node);
        return bestdag_run_status(f->run);
    }
    to->at[to->count++] = path;
    return BESTDAG_OK;
}

/* Makes the best path that begins with node[0 .. branch] and does not continue
 * with a closed node a candidate. */
static int propose(struct finder *f, const int *node, int branch)
{
    struct bestdag_simple_path path = {.count = branch + 1, .branch = branch};
    measure(f);
    int next = next_from(f, node[branch], true);
    if (next < 0)
        return BESTDAG_OK;
    size_t count = (size_t)branch + 2 + (size_t)f->distance[next];
    path.node = bestdag_alloc(f->run, count * sizeof *path.node);
    if (!path.node)
        return bestdag_run_status(f->run);
    for (int i = 0; i <= branch; i++)
        path.node[i] = node[i];
    for (; next != f->end; next = next_from(f, next, false))
        path.node[path.count++] = next;
    path.node[path.count++] = f->end;
    assert((size_t)path.count == count);
    return append(f, &f->open, path);
}

static bool shares(const struct bestdag_simple_path *path, const int *node,
                   int branch)
{
    for (int i = 0; i <= branch; i++)
        if (i >= path->count || path->node[i] != node[i])
            return false;
    return true;
}

static void set_closed(struct finder *f, const int *node, int branch,
                       bool closed)
{
    for (int64_t i = 0; i < f->listed->count; i++)
        if (shares(&f->listed->at[i], node, branch))
            f->closed[f->listed->at[i].node[branch + 1]] = closed;
}

/* Splits the class of the last listed path, without that path. */
static int split(struct finder *f)
{
    struct bestdag_simple_path path = f->listed->at[f->listed->count - 1];
    for (int i = 0; i < path.branch; i++)
        f->passed[path.node[i]] = true;
    for (int i = path.branch; i < path.count - 1; i++) {
        f->passed[path.node[i]] = true;
        set_closed(f, path.node, i, true);
        if (bestdag_run_watch(f->run, f->listed->count))
            bestdag_fail(f->run, BESTDAG_FAILED,
                         "stopped while looking for paths");
        if (bestdag_run_status(f->run) || propose(f, path.node, i))
            return bestdag_run_status(f->run);
        set_closed(f, path.node, i, false);
    }
    for (int i = 0; i < path.count; i++)
        f->passed[path.node[i]] = false;
    return BESTDAG_OK;
}

/* Moves the best candidate to the list. */
static int take_best(struct finder *f)
{
    struct bestdag_simple_paths *open = &f->open;
    int64_t best = 0;
    for (int64_t i = 1; i < open->count; i++)
        if (is_before(&open->at[i], &open->at[best]))
            best = i;
    struct bestdag_simple_path path = open->at[best];
    open->at[best] = open->at[--open->count];
    return append(f, f->listed, path);
}

static int list_paths(struct finder *f, int start, int64_t most)
{
    f->passed[start] = true;
    propose(f, &start, 0);
    f->passed[start] = false;
    while (!bestdag_run_status(f->run) && f->open.count &&
           f->listed->count < most)
        if (!take_best(f))
            split(f);
    f->listed->complete = !f->open.count;
    return bestdag_run_status(f->run);
}

int bestdag_simple_paths_find(struct bestdag_run *run,
                              const struct bestdag_dag *dag,
                              const struct bestdag_adjacency *children,
                              const int ends[2], int64_t most,
                              struct bestdag_simple_paths *to)
{
    size_t n = (size_t)dag->n;
    struct finder f = {.run = run,
                       .dag = dag,
                       .children = children,
                       .end = ends[1],
                       .listed = to};
    assert(ends[0] != ends[1]);
    *to = (struct bestdag_simple_paths){0};
    f.passed = bestdag_calloc(run, n, sizeof *f.passed);
    f.closed = bestdag_calloc(run, n, sizeof *f.closed);
    f.distance = bestdag_alloc(run, n * sizeof *f.distance);
    f.queue = bestdag_alloc(run, n * sizeof *f.queue);
    if (!bestdag_run_status(run))
        list_paths(&f, ends[0], most);
    bestdag_free(f.passed);
    bestdag_free(f.closed);
    bestdag_free(f.distance);
    bestdag_free(f.queue);
    bestdag_simple_paths_release(&f.open);
    return bestdag_run_status(run);
}

void bestdag_simple_paths_release(struct bestdag_simple_paths *paths)
{
    for (int64_t i = 0; i < paths->count; i++)
        bestdag_free(paths->at[i].node);
    bestdag_free(paths->at);
    *paths = (struct bestdag_simple_paths){0};
}
