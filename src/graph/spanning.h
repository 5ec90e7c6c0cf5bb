/* SPDX-License-Identifier: MIT */
/* spanning.h -- the maximum spanning tree of a graph whose edges are seen once.
 *
 * A few times n edges are collected at a time; then only the maximum spanning
 * forest of those seen is kept (Kruskal 1956), and an edge lighter than all of
 * a spanning tree is dropped at once. Memory O(n), whatever the number of
 * edges; among edges of equal weight the lower numbers win, so the order of the
 * edges does not matter. */
#ifndef BESTDAG_GRAPH_SPANNING_H
#define BESTDAG_GRAPH_SPANNING_H

#include "base/run.h"

struct bestdag_edge {
    int64_t weight;
    int a, b; /* a < b */
};

struct bestdag_spanning {
    struct bestdag_run *run;
    int n;
    struct bestdag_edge *edge; /* owns; [room] */
    int64_t count, room;
    int64_t floor; /* lighter edges are dropped */
    int *leader;   /* owns; [n]: scratch */
};

int bestdag_spanning_init(struct bestdag_run *run, struct bestdag_spanning *s,
                          int n);
void bestdag_spanning_release(struct bestdag_spanning *s);
void bestdag_spanning_add(struct bestdag_spanning *s, struct bestdag_edge e);
/* Leaves the maximum spanning forest. With `gains`, only of edges above 0. */
void bestdag_spanning_finish(struct bestdag_spanning *s, bool gains);
/* Directs the edges away from a root; in other trees, from their least node.
 * parent[v] is -1 for roots. */
int bestdag_spanning_direct(struct bestdag_spanning *s, int root, int *parent);

#endif
