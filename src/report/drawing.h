/* SPDX-License-Identifier: MIT */
/* drawing.h -- an unfinished drawing, shared by the steps of the layout.
 *
 * Items are the nodes, 0 to n - 1, and after them the bends: an arc that
 * crosses layers has one in each. Links join items of neighbouring layers. */
#ifndef BESTDAG_REPORT_DRAWING_H
#define BESTDAG_REPORT_DRAWING_H

#include "graph/adjacency.h"
#include "report/layout.h"

struct bestdag_sketch {
    struct bestdag_run *run;
    const struct bestdag_dag *dag;
    const struct bestdag_node_box *box; /* [n] */
    double limit;                       /* of a layer's width, where possible */
    int layers;
    double *middle; /* owns; [layers]: y of the layers */
    int *layer;     /* owns; [items]; -1: a node without arcs */
    int64_t *first; /* owns; [arcs + 1]: the first bend of an arc */
    int items;
    int64_t links;
    int *upper, *lower; /* own; [links]: the ends of a link */
    /* links of an item, to the layer above and to the one below */
    int64_t *up_start, *down_start; /* own; [items + 1] */
    int *up, *down;                 /* own; items at their other ends */
    int *start;                     /* owns; [layers + 1] */
    int *at;                        /* owns; items, layer by layer, in order */
    int *place;                     /* owns; [items]: within its layer */
    double *x;                      /* owns; [items] */
    double bend_gap;                /* room that a bend takes */
};

/* layering.c: sets limit, layers and layer[0 .. n). */
int bestdag_sketch_layer(struct bestdag_sketch *s);
/* crossing.c: sets at and place so that few links cross. */
int bestdag_sketch_order(struct bestdag_sketch *s);
/* coordinates.c: sets x. */
int bestdag_sketch_spread(struct bestdag_sketch *s);

static inline bool bestdag_sketch_is_bend(const struct bestdag_sketch *s,
                                          int item)
{
    return item >= s->dag->n;
}

#endif
