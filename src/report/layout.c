/* SPDX-License-Identifier: MIT */
/* layout.c -- the drawing of a network in layers: the door of the steps.
 *
 * Layers, then the order within them, then distances. An arc that passes layers
 * gets a bend in each, so that it goes round the nodes there; where that would
 * be more bends than some for every node and arc, the longest arcs go straight.
 * Nodes without arcs stand in rows below. */
#include "report/layout.h"

#include <math.h>

#include "report/drawing.h"

enum { BENDS = 6, WIDEST_BEND = 14, MARGIN = 24 };

/* ---- bends and links -------------------------------------------------------
 */

static int64_t bends_up_to(const struct bestdag_sketch *s, int span)
{
    int64_t bends = 0;
    for (int v = 0; v < s->dag->n; v++)
        for (int i = 0; i < s->dag->parents[v].count; i++) {
            int length = s->layer[v] - s->layer[s->dag->parents[v].at[i]];
            bends += length <= span ? length - 1 : 0;
        }
    return bends;
}

/* Arcs over more layers than this go straight. */
static int longest_bent(const struct bestdag_sketch *s, int64_t arcs)
{
    int64_t most = BENDS * (s->dag->n + arcs);
    int low = 1, high = s->layers;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (bends_up_to(s, middle) <= most)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static void add_link(struct bestdag_sketch *s, int upper, int lower)
{
    s->upper[s->links] = upper;
    s->lower[s->links++] = lower;
}

static void link_arc(struct bestdag_sketch *s, int from, int to)
{
    int last = from;
    for (int l = s->layer[from] + 1; l < s->layer[to]; l++) {
        s->layer[s->items] = l;
        add_link(s, last, s->items);
        last = s->items++;
    }
    add_link(s, last, to);
}

static int link_all(struct bestdag_sketch *s, int64_t arcs)
{
    int longest = longest_bent(s, arcs);
    int64_t bends = bends_up_to(s, longest), arc = 0;
    size_t items = (size_t)s->dag->n + (size_t)bends;
    int *layer = bestdag_realloc(s->run, s->layer, (items + 1) * sizeof *layer);
    if (layer)
        s->layer = layer;
    s->upper = bestdag_alloc(s->run, (size_t)(arcs + bends) * sizeof(int));
    s->lower = bestdag_alloc(s->run, (size_t)(arcs + bends) * sizeof(int));
    if (!layer || !s->upper || !s->lower)
        return bestdag_run_status(s->run);
    s->items = s->dag->n;
    for (int v = 0; v < s->dag->n; v++)
        for (int i = 0; i < s->dag->parents[v].count; i++, arc++) {
            int u = s->dag->parents[v].at[i];
            s->first[arc] = s->items;
            if (s->layer[v] - s->layer[u] <= longest)
                link_arc(s, u, v);
        }
    s->first[arc] = s->items;
    return BESTDAG_OK;
}

/* The ends `to` of links, by their ends `from`. */
static void sort_links(const struct bestdag_sketch *s, const int *from,
                       const int *to, int64_t *start, int *sorted)
{
    for (int i = 0; i <= s->items; i++)
        start[i] = 0;
    for (int64_t k = 0; k < s->links; k++)
        start[from[k] + 1]++;
    for (int i = 0; i < s->items; i++)
        start[i + 1] += start[i];
    for (int64_t k = 0; k < s->links; k++)
        sorted[start[from[k]]++] = to[k];
    for (int i = s->items; i > 0; i--)
        start[i] = start[i - 1];
    start[0] = 0;
}

/* Room for items and layers; counts the items of the layers. */
static int make_room(struct bestdag_sketch *s)
{
    size_t items = (size_t)s->items + 1, links = (size_t)s->links;
    s->up_start = bestdag_alloc(s->run, items * sizeof *s->up_start);
    s->down_start = bestdag_alloc(s->run, items * sizeof *s->down_start);
    s->up = bestdag_alloc(s->run, links * sizeof *s->up);
    s->down = bestdag_alloc(s->run, links * sizeof *s->down);
    s->start = bestdag_calloc(s->run, (size_t)s->layers + 2, sizeof *s->start);
    s->at = bestdag_alloc(s->run, items * sizeof *s->at);
    s->place = bestdag_alloc(s->run, items * sizeof *s->place);
    s->x = bestdag_calloc(s->run, items, sizeof *s->x);
    if (!s->up_start || !s->down_start || !s->up || !s->down || !s->start ||
        !s->at || !s->place || !s->x)
        return bestdag_run_status(s->run);
    sort_links(s, s->lower, s->upper, s->up_start, s->up);
    sort_links(s, s->upper, s->lower, s->down_start, s->down);
    for (int i = 0; i < s->items; i++)
        if (s->layer[i] >= 0)
            s->start[s->layer[i] + 1]++;
    return BESTDAG_OK;
}

/* Bends share a quarter of a layer's width where they are many. */
static void measure_bends(struct bestdag_sketch *s)
{
    int most = 1;
    for (int l = 0; l < s->layers; l++) {
        most = s->start[l + 1] > most ? s->start[l + 1] : most;
        s->start[l + 1] += s->start[l];
    }
    s->bend_gap = fmin(WIDEST_BEND, s->limit / 4 / most);
    if (s->dag->n <= 60)
        s->bend_gap = WIDEST_BEND;
}

static void release(struct bestdag_sketch *s)
{
    void *owned[] = {s->layer,    s->first,      s->upper, s->lower,
                     s->up_start, s->down_start, s->up,    s->down,
                     s->start,    s->at,         s->place, s->x};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        bestdag_free(owned[i]);
}

/* ---- the drawing
 * -------------------------------------------------------------
 */

/* Where a row of nodes without arcs breaks: no narrower than the rest. */
static void place_lonely(const struct bestdag_sketch *s,
                         struct bestdag_layout *to)
{
    double right = fmax(to->wide - MARGIN, s->limit);
    double x = MARGIN, y = MARGIN + BESTDAG_NODE_HEIGHT / 2.0;
    if (s->layers)
        y += (s->layers - 1) * s->row + 2.2 * BESTDAG_NODE_HEIGHT;
    bool any = false;
    for (int v = 0; v < s->dag->n; v++) {
        if (s->layer[v] >= 0)
            continue;
        if (x > MARGIN && x + s->width[v] > right) {
            x = MARGIN;
            y += 1.6 * BESTDAG_NODE_HEIGHT;
        }
        to->x[v] = x + s->width[v] / 2;
        to->y[v] = y;
        x += s->width[v] + BESTDAG_NODE_GAP;
        to->wide = fmax(to->wide, x - BESTDAG_NODE_GAP + MARGIN);
        any = true;
    }
    if (any)
        to->high = y + BESTDAG_NODE_HEIGHT / 2.0 + MARGIN;
}

static void place_nodes(struct bestdag_sketch *s, struct bestdag_layout *to)
{
    double left = INFINITY, right = -INFINITY;
    double top = MARGIN + BESTDAG_NODE_HEIGHT / 2.0;
    for (int i = 0; i < s->items; i++)
        if (s->layer[i] >= 0) {
            double half = bestdag_sketch_is_bend(s, i) ? 0 : s->width[i] / 2;
            left = fmin(left, s->x[i] - half);
            right = fmax(right, s->x[i] + half);
        }
    for (int i = 0; i < s->items; i++)
        s->x[i] += MARGIN - left;
    for (int v = 0; v < s->dag->n; v++) {
        to->x[v] = s->x[v];
        to->y[v] = top + s->layer[v] * s->row;
    }
    if (s->layers) {
        to->wide = right - left + 2 * MARGIN;
        to->high = (s->layers - 1) * s->row + BESTDAG_NODE_HEIGHT + 2 * MARGIN;
    }
    place_lonely(s, to);
}

static int place_bends(const struct bestdag_sketch *s,
                       struct bestdag_layout *to, int64_t arcs)
{
    int n = s->dag->n;
    to->bend_start =
        bestdag_alloc(s->run, ((size_t)arcs + 1) * sizeof *to->bend_start);
    to->bend = bestdag_alloc(s->run,
                             2 * (size_t)(s->items - n + 1) * sizeof *to->bend);
    if (!to->bend_start || !to->bend)
        return bestdag_run_status(s->run);
    for (int64_t a = 0; a <= arcs; a++)
        to->bend_start[a] = s->first[a] - n;
    for (int i = n; i < s->items; i++) {
        to->bend[2 * (i - n)] = s->x[i];
        to->bend[2 * (i - n) + 1] =
            MARGIN + BESTDAG_NODE_HEIGHT / 2.0 + s->layer[i] * s->row;
    }
    return BESTDAG_OK;
}

static int draw(struct bestdag_sketch *s, struct bestdag_layout *to)
{
    int64_t arcs = bestdag_dag_arcs(s->dag);
    size_t n = (size_t)s->dag->n;
    to->x = bestdag_calloc(s->run, n, sizeof *to->x);
    to->y = bestdag_calloc(s->run, n, sizeof *to->y);
    s->layer = bestdag_calloc(s->run, n + 1, sizeof *s->layer);
    s->first = bestdag_alloc(s->run, ((size_t)arcs + 1) * sizeof *s->first);
    if (!to->x || !to->y || !s->layer || !s->first || bestdag_sketch_layer(s) ||
        link_all(s, arcs) || make_room(s))
        return bestdag_run_status(s->run);
    measure_bends(s);
    if (bestdag_sketch_order(s) || bestdag_sketch_spread(s))
        return bestdag_run_status(s->run);
    place_nodes(s, to);
    return place_bends(s, to, arcs);
}

int bestdag_layout_make(struct bestdag_run *run, const struct bestdag_dag *dag,
                        const double *width, struct bestdag_layout *to)
{
    struct bestdag_sketch s = {.run = run, .dag = dag, .width = width};
    *to = (struct bestdag_layout){.n = dag->n};
    int status = draw(&s, to);
    release(&s);
    return status;
}

void bestdag_layout_release(struct bestdag_layout *layout)
{
    bestdag_free(layout->x);
    bestdag_free(layout->y);
    bestdag_free(layout->bend_start);
    bestdag_free(layout->bend);
}
