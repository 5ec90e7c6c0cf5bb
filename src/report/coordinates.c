/* SPDX-License-Identifier: MIT */
/* coordinates.c -- the x coordinates of the items of a drawing.
 *
 * Their order within a layer is fixed. Sweeps down and up place each layer so
 * that the weighted sum of squared distances along its links is least while the
 * gaps are kept: a regression under order constraints, solved exactly by
 * pooling neighbours that would overlap (Ayer and others 1955). Links of two
 * bends weigh most, so that long arcs are straight; at the end the bends of an
 * arc are aligned vertically where their neighbours leave room. O(items +
 * links) per sweep. */
#include <math.h>

#include "report/drawing.h"

enum { SWEEPS = 48, STRAIGHTENINGS = 3 };

/* Adjacent items at their minimal distances, which move together. */
struct pool {
    double sum, weight; /* of desired places less offsets */
    int end;            /* one past its last item */
};

struct spread {
    struct bestdag_sketch *s;
    struct pool *pool; /* owns; [items] */
    double *offset;    /* owns; [items]: from the first of its layer */
};

static double half(const struct bestdag_sketch *s, int item)
{
    return bestdag_sketch_is_bend(s, item)
               ? s->bend_gap / 2
               : (s->box[item].width + BESTDAG_NODE_GAP) / 2;
}

static double weight_of(const struct bestdag_sketch *s, int a, int b)
{
    int bends = bestdag_sketch_is_bend(s, a) + bestdag_sketch_is_bend(s, b);
    return bends == 2 ? 8 : bends == 1 ? 2 : 1;
}

/* Adds the places of the items linked to v on one side. */
static void add_side(const struct bestdag_sketch *s, int v, bool above,
                     double *sum, double *weight)
{
    const int64_t *start = above ? s->up_start : s->down_start;
    const int *to = above ? s->up : s->down;
    for (int64_t k = start[v]; k < start[v + 1]; k++) {
        double w = weight_of(s, v, to[k]);
        *sum += w * s->x[to[k]];
        *weight += w;
    }
}

/* sides: 1 above, 2 below, 3 both. */
static struct pool wish(const struct spread *d, int i, int sides)
{
    const struct bestdag_sketch *s = d->s;
    int v = s->at[i];
    double sum = 0, weight = 0;
    if (sides & 1)
        add_side(s, v, true, &sum, &weight);
    if (sides & 2)
        add_side(s, v, false, &sum, &weight);
    weight += 0.02; /* pulls each node a little to the middle, 0 */
    return (struct pool){sum - weight * d->offset[i], weight, i + 1};
}

static void settle_layer(struct spread *d, int l, int sides)
{
    struct bestdag_sketch *s = d->s;
    int pools = 0, from = s->start[l];
    for (int i = from; i < s->start[l + 1]; i++) {
        struct pool p = wish(d, i, sides);
        while (pools && d->pool[pools - 1].sum * p.weight >
                            p.sum * d->pool[pools - 1].weight) {
            pools--;
            p.sum += d->pool[pools].sum;
            p.weight += d->pool[pools].weight;
        }
        d->pool[pools++] = p;
    }
    for (int k = 0, i = from; k < pools; k++)
        for (; i < d->pool[k].end; i++)
            s->x[s->at[i]] = d->pool[k].sum / d->pool[k].weight + d->offset[i];
}

/* Places items side by side, every layer centred. */
static void begin(struct spread *d)
{
    struct bestdag_sketch *s = d->s;
    for (int l = 0; l < s->layers; l++) {
        int from = s->start[l], to = s->start[l + 1];
        for (int i = from; i < to; i++)
            d->offset[i] = i == from
                               ? 0
                               : d->offset[i - 1] + half(s, s->at[i - 1]) +
                                     half(s, s->at[i]);
        for (int i = from; i < to; i++)
            s->x[s->at[i]] = d->offset[i] - d->offset[to - 1] / 2;
    }
}

/* The range in which an item can be placed without moving its neighbours. */
struct room {
    double low, high;
};

static struct room room_of(const struct bestdag_sketch *s, int item)
{
    int at = s->start[s->layer[item]] + s->place[item];
    struct room r = {-INFINITY, INFINITY};
    if (at > s->start[s->layer[item]])
        r.low = s->x[s->at[at - 1]] + half(s, s->at[at - 1]) + half(s, item);
    if (at + 1 < s->start[s->layer[item] + 1])
        r.high = s->x[s->at[at + 1]] - half(s, s->at[at + 1]) - half(s, item);
    return r;
}

/* Aligns the bends from..to-1 of an arc vertically, or else as many as possible
 * from the first on; then the others. */
static void straighten(struct bestdag_sketch *s, int from, int to)
{
    while (from < to) {
        struct room all = {-INFINITY, INFINITY};
        double sum = 0;
        int end = from;
        for (; end < to; end++) {
            struct room r = room_of(s, end);
            double low = fmax(all.low, r.low), high = fmin(all.high, r.high);
            if (low > high && end > from)
                break;
            all = (struct room){low, high};
            sum += s->x[end];
        }
        for (int i = from; end - from > 1 && i < end; i++)
            s->x[i] = fmin(fmax(sum / (end - from), all.low), all.high);
        from = end;
    }
}

int bestdag_sketch_spread(struct bestdag_sketch *s)
{
    struct spread d = {.s = s};
    size_t items = (size_t)s->items + 1;
    d.pool = bestdag_alloc(s->run, items * sizeof *d.pool);
    d.offset = bestdag_alloc(s->run, items * sizeof *d.offset);
    if (d.pool && d.offset) {
        begin(&d);
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            int sides = sweep + 6 >= SWEEPS ? 3 : sweep % 2 ? 2 : 1;
            for (int i = 0; i < s->layers; i++)
                settle_layer(&d, sweep % 2 ? s->layers - 1 - i : i, sides);
        }
        for (int k = 0; k < STRAIGHTENINGS; k++)
            for (int64_t a = 0; a < bestdag_dag_arcs(s->dag); a++)
                straighten(s, (int)s->first[a], (int)s->first[a + 1]);
    }
    bestdag_free(d.pool);
    bestdag_free(d.offset);
    return bestdag_run_status(s->run);
}
