/* SPDX-License-Identifier: MIT */
/* layering.c -- the layers of the nodes of a drawing.
 *
 * Layers are filled from the top with nodes whose parents are in higher layers,
 * those with the longest path to a sink first (Hu 1961), up to a width that
 * gives the drawing about the aspect ratio of a screen. Then nodes move in the
 * direction of most of their arcs, as far as there is room, which keeps arcs
 * short. O((n + arcs) log n). */
#include <math.h>

#include "report/drawing.h"

enum { NARROWEST = 900, SWEEPS = 8 };

static const double ASPECT = 1.7; /* of the drawing: width to height */

struct filling {
    struct bestdag_sketch *s;
    struct bestdag_adjacency children; /* owns */
    int *order, *height, *waits;       /* own; [n] */
    int *heap, heaped;                 /* owns */
    double *used;                      /* owns; [n]: width of a layer */
};

static double room_of(const struct bestdag_sketch *s, int v)
{
    return s->box[v].width + BESTDAG_NODE_GAP;
}

/* The height of a layer is that of its boxes plus the distance to the next. */
static void choose_shape(struct bestdag_sketch *s)
{
    double sum = 0, high = 0;
    for (int v = 0; v < s->dag->n; v++)
        if (s->layer[v] >= 0) {
            sum += room_of(s, v);
            high += room_of(s, v) * s->box[v].height;
        }
    high += sum * (28 + 4 * sqrt((double)s->dag->n));
    s->limit = fmax(NARROWEST, sqrt(ASPECT * high));
}

/* ---- the heap of nodes that could come next ------------------------------ */

static bool comes_first(const struct filling *f, int a, int b)
{
    return f->height[a] != f->height[b] ? f->height[a] > f->height[b] : a < b;
}

static void push(struct filling *f, int v)
{
    int i = f->heaped++;
    for (; i > 0 && comes_first(f, v, f->heap[(i - 1) / 2]); i = (i - 1) / 2)
        f->heap[i] = f->heap[(i - 1) / 2];
    f->heap[i] = v;
}

static int pop(struct filling *f)
{
    int top = f->heap[0], last = f->heap[--f->heaped], i = 0, child;
    while ((child = 2 * i + 1) < f->heaped) {
        child += child + 1 < f->heaped &&
                 comes_first(f, f->heap[child + 1], f->heap[child]);
        if (!comes_first(f, f->heap[child], last))
            break;
        f->heap[i] = f->heap[child];
        i = child;
    }
    f->heap[i] = last;
    return top;
}

/* ---- filling ------------------------------------------------------------- */

static void measure_heights(struct filling *f)
{
    const struct bestdag_dag *dag = f->s->dag;
    for (int i = dag->n - 1; i >= 0; i--) {
        int v = f->order[i];
        for (int k = 0; k < dag->parents[v].count; k++) {
            int u = dag->parents[v].at[k];
            if (f->height[u] <= f->height[v])
                f->height[u] = f->height[v] + 1;
        }
    }
}

/* Fills one layer; afterwards its nodes no longer hold back their children. */
static int fill_layer(struct filling *f, int *done)
{
    struct bestdag_sketch *s = f->s;
    int count = 0, l = s->layers;
    while (f->heaped &&
           (!count || f->used[l] + room_of(s, f->heap[0]) <= s->limit)) {
        int v = pop(f);
        s->layer[v] = l;
        f->used[l] += room_of(s, v);
        done[count++] = v;
    }
    return count;
}

static void fill_layers(struct filling *f, int *done)
{
    struct bestdag_sketch *s = f->s;
    for (int v = 0; v < s->dag->n; v++) {
        f->waits[v] = s->dag->parents[v].count;
        if (!f->waits[v] && s->layer[v] >= 0)
            push(f, v);
    }
    for (; f->heaped; s->layers++) {
        int count = fill_layer(f, done);
        for (int i = 0; i < count; i++)
            for (int64_t k = f->children.start[done[i]];
                 k < f->children.start[done[i] + 1]; k++)
                if (!--f->waits[f->children.to[k]])
                    push(f, f->children.to[k]);
    }
}

/* ---- shortening ---------------------------------------------------------- */

/* The layer nearest to `goal`, from l on, with room for v. */
static int nearest_room(const struct filling *f, int v, int goal)
{
    const struct bestdag_sketch *s = f->s;
    int l = s->layer[v], step = goal < l ? 1 : -1;
    for (; goal != l; goal += step)
        if (f->used[goal] + room_of(s, v) <= 1.2 * s->limit)
            return goal;
    return l;
}

/* Up if more arcs come in than go out, else down. */
static void shorten(struct filling *f, int v)
{
    struct bestdag_sketch *s = f->s;
    const struct bestdag_parents *p = &s->dag->parents[v];
    int64_t from = f->children.start[v], to = f->children.start[v + 1];
    int low = -1, high = s->layers, l = s->layer[v];
    for (int k = 0; k < p->count; k++)
        low = s->layer[p->at[k]] > low ? s->layer[p->at[k]] : low;
    for (int64_t k = from; k < to; k++)
        if (s->layer[f->children.to[k]] < high)
            high = s->layer[f->children.to[k]];
    if (to - from > p->count)
        s->layer[v] = nearest_room(f, v, high - 1);
    else if (to - from < p->count)
        s->layer[v] = nearest_room(f, v, low + 1);
    f->used[l] -= room_of(s, v);
    f->used[s->layer[v]] += room_of(s, v);
}

static void shorten_all(struct filling *f)
{
    int n = f->s->dag->n;
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int i = 0; i < n; i++) {
            int v = f->order[sweep % 2 ? i : n - 1 - i];
            if (f->s->layer[v] >= 0)
                shorten(f, v);
        }
}

/* Removes layers that have become empty. */
static void close_up(struct filling *f, int *number)
{
    struct bestdag_sketch *s = f->s;
    for (int l = 0; l < s->layers; l++)
        number[l] = 0;
    for (int v = 0; v < s->dag->n; v++)
        if (s->layer[v] >= 0)
            number[s->layer[v]] = 1;
    int count = 0;
    for (int l = 0; l < s->layers; l++)
        number[l] = number[l] ? count++ : -1;
    for (int v = 0; v < s->dag->n; v++)
        if (s->layer[v] >= 0)
            s->layer[v] = number[s->layer[v]];
    s->layers = count;
}

/* ---- the whole
 * ---------------------------------------------------------------
 */

static int prepare(struct filling *f)
{
    struct bestdag_sketch *s = f->s;
    size_t n = (size_t)s->dag->n;
    if (bestdag_adjacency_of_children(s->run, s->dag, &f->children))
        return bestdag_run_status(s->run);
    f->order = bestdag_alloc(s->run, n * sizeof *f->order);
    f->height = bestdag_calloc(s->run, n, sizeof *f->height);
    f->waits = bestdag_calloc(s->run, n + 1, sizeof *f->waits);
    f->heap = bestdag_alloc(s->run, n * sizeof *f->heap);
    f->used = bestdag_calloc(s->run, n + 1, sizeof *f->used);
    if (!f->order || !f->height || !f->waits || !f->heap || !f->used)
        return bestdag_run_status(s->run);
    bestdag_dag_order(s->run, s->dag, f->order);
    for (int v = 0; v < s->dag->n; v++)
        if (!s->dag->parents[v].count &&
            f->children.start[v] == f->children.start[v + 1])
            s->layer[v] = -1;
    return bestdag_run_status(s->run);
}

int bestdag_sketch_layer(struct bestdag_sketch *s)
{
    struct filling f = {.s = s};
    int *scratch =
        bestdag_alloc(s->run, ((size_t)s->dag->n + 1) * sizeof *scratch);
    if (scratch && !prepare(&f)) {
        choose_shape(s);
        measure_heights(&f);
        fill_layers(&f, scratch);
        shorten_all(&f);
        close_up(&f, scratch);
    }
    bestdag_adjacency_release(&f.children);
    bestdag_free(f.order);
    bestdag_free(f.height);
    bestdag_free(f.waits);
    bestdag_free(f.heap);
    bestdag_free(f.used);
    bestdag_free(scratch);
    return bestdag_run_status(s->run);
}
