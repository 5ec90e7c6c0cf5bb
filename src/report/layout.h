/* SPDX-License-Identifier: MIT */
/* layout.h -- coordinates of the nodes and arcs of a layered drawing, in which
 * every arc points downwards. */
#ifndef BESTDAG_REPORT_LAYOUT_H
#define BESTDAG_REPORT_LAYOUT_H

#include "graph/dag.h"

enum { BESTDAG_NODE_GAP = 26 };

struct bestdag_layout {
    int n;
    double *x, *y; /* own; [n]: the middle of a node */
    double wide, high;
    /* Arc a, numbered by child and among those by parent, bends at
     * bend[2 * i], bend[2 * i + 1] (x, y) for i from bend_start[a] on. */
    int64_t *bend_start; /* owns; [arcs + 1] */
    double *bend;        /* owns */
};

/* The box of a node. */
struct bestdag_node_box {
    double width, height;
};

/* box[v] is the box of node v; no two will overlap. The same network and boxes
 * give the same drawing. `to` is overwritten and must be released, also on
 * failure. The graph must be acyclic. Time O((n + arcs) log n) per sweep, of
 * which there are a few dozen.
 */
int bestdag_layout_make(struct bestdag_run *run, const struct bestdag_dag *dag,
                        const struct bestdag_node_box *box,
                        struct bestdag_layout *to);
void bestdag_layout_release(struct bestdag_layout *layout);

#endif
