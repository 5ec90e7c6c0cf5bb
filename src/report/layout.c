/* SPDX-License-Identifier: MIT */
/* layout.c -- the layered drawing of a network: calls the steps.
 *
 * The steps are layers, order within layers, coordinates. An arc that crosses
 * layers gets a bend in each, so that it avoids the nodes there; if that takes
 * too many bends for the number of nodes and arcs, the longest arcs are
 * straight. Nodes without arcs are placed in rows below. */
#include "report/layout.h"

#include <math.h>

#include "report/drawing.h"

enum {
    BENDS = 6,
    WIDEST_BEND = 14,
    MARGIN = 24,
    LEAST_GAP = 26, /* between layers; grows with the number of nodes */
    MOST_GAPS = 6,  /* at most this many times as much */
    LONELY_GAP = 18 /* between rows of nodes without arcs */
};

static const double ASPECT = 1.5;       /* of the drawing: width to height */
static const double MOST_STRETCH = 1.8; /* of a narrow drawing, to the sides */

/* ---- bends and links ----------------------------------------------------- */

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

/* Arcs that span more layers than this are straight. */
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

/* Lists the ends `to` of links by their ends `from`. */
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

/* Makes room for items and layers; counts the items of each layer. */
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

/* Bends together take at most a quarter of a layer's width. */
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
    void *owned[] = {s->layer,      s->first, s->upper, s->lower, s->up_start,
                     s->down_start, s->up,    s->down,  s->start, s->at,
                     s->place,      s->x,     s->middle};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        bestdag_free(owned[i]);
}

/* ---- the drawing
 * -------------------------------------------------------------
 */

/* Places nodes without arcs in rows, not wider than the rest, from y on. */
static void place_lonely(const struct bestdag_sketch *s, double y,
                         struct bestdag_layout *to)
{
    double right = fmax(to->wide - MARGIN, s->limit), x = MARGIN, high = 0;
    int first = 0; /* of the row */
    for (int v = 0; v <= s->dag->n; v++) {
        bool is_end = v == s->dag->n;
        if (!is_end && s->layer[v] >= 0)
            continue;
        if (is_end || (x > MARGIN && x + s->box[v].width > right)) {
            for (; first < v; first++)
                if (s->layer[first] < 0)
                    to->y[first] = y + high / 2;
            to->high = high > 0 ? y + high + MARGIN : to->high;
            y += high + LONELY_GAP;
            x = MARGIN;
            high = 0;
        }
        if (is_end)
            break;
        to->x[v] = x + s->box[v].width / 2;
        x += s->box[v].width + BESTDAG_NODE_GAP;
        to->wide = fmax(to->wide, x - BESTDAG_NODE_GAP + MARGIN);
        high = fmax(high, s->box[v].height);
    }
}

/* Chooses the distance of layers that gives the drawing the shape of a screen,
 * within limits: arcs need room, and a wide drawing should not be torn
 * apart. */
static int place_layers(struct bestdag_sketch *s, double wide)
{
    double boxes = 0, y = MARGIN;
    double *high = bestdag_calloc(s->run, (size_t)s->layers + 1, sizeof *high);
    s->middle =
        bestdag_calloc(s->run, (size_t)s->layers + 1, sizeof *s->middle);
    for (int v = 0; high && v < s->dag->n; v++)
        if (s->layer[v] >= 0)
            high[s->layer[v]] = fmax(high[s->layer[v]], s->box[v].height);
    for (int l = 0; high && l < s->layers; l++)
        boxes += high[l];
    double least = LEAST_GAP + sqrt((double)s->dag->n);
    double gap = s->layers > 1 ? (wide / ASPECT - boxes) / (s->layers - 1) : 0;
    gap = fmin(fmax(gap, least), MOST_GAPS * least);
    for (int l = 0; high && s->middle && l < s->layers; l++) {
        s->middle[l] = y + high[l] / 2;
        y += high[l] + gap;
    }
    bestdag_free(high);
    return bestdag_run_status(s->run);
}

struct extent {
    double left, right;
};

static struct extent extent_of(const struct bestdag_sketch *s)
{
    struct extent e = {INFINITY, -INFINITY};
    for (int i = 0; i < s->items; i++)
        if (s->layer[i] >= 0) {
            double half =
                bestdag_sketch_is_bend(s, i) ? 0 : s->box[i].width / 2;
            e.left = fmin(e.left, s->x[i] - half);
            e.right = fmax(e.right, s->x[i] + half);
        }
    return e;
}

/* Widens a drawing that is higher than a screen, which gives its arcs more
 * room. */
static struct extent stretch(struct bestdag_sketch *s, struct extent e)
{
    double high = s->layers ? s->middle[s->layers - 1] : 0;
    double by = fmin(ASPECT * high / (e.right - e.left), MOST_STRETCH);
    for (int i = 0; by > 1 && i < s->items; i++)
        s->x[i] *= by;
    return by > 1 ? extent_of(s) : e;
}

static int place_nodes(struct bestdag_sketch *s, struct bestdag_layout *to)
{
    struct extent e = extent_of(s);
    double low = 0;
    if (place_layers(s, e.right - e.left))
        return bestdag_run_status(s->run);
    e = stretch(s, e);
    for (int i = 0; i < s->items; i++)
        s->x[i] += MARGIN - e.left;
    for (int v = 0; v < s->dag->n; v++)
        if (s->layer[v] >= 0) {
            to->x[v] = s->x[v];
            to->y[v] = s->middle[s->layer[v]];
            low = fmax(low, to->y[v] + s->box[v].height / 2);
        }
    if (s->layers) {
        to->wide = e.right - e.left + 2 * MARGIN;
        to->high = low + MARGIN;
    }
    place_lonely(s, s->layers ? low + LEAST_GAP : MARGIN, to);
    return BESTDAG_OK;
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
        to->bend[2 * (i - n) + 1] = s->middle[s->layer[i]];
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
    if (bestdag_sketch_order(s) || bestdag_sketch_spread(s) ||
        place_nodes(s, to))
        return bestdag_run_status(s->run);
    return place_bends(s, to, arcs);
}

int bestdag_layout_make(struct bestdag_run *run, const struct bestdag_dag *dag,
                        const struct bestdag_node_box *box,
                        struct bestdag_layout *to)
{
    struct bestdag_sketch s = {.run = run, .dag = dag, .box = box};
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
