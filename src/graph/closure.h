/* SPDX-License-Identifier: MIT */
/* closure.h -- a DAG that changes arc by arc and always knows the descendants
 * of each node, so that a search can ask what would close a cycle.
 *
 * Parents, children and descendants are rows of bits: 3/8 n^2 bytes, 1.5 MB for
 * 2,000 nodes. Adding an arc costs O(n) and one row for each ancestor of its
 * tail; dropping one, a row for each arc that leaves these ancestors. Neither
 * touches a row if there is another path from tail to head. */
#ifndef BESTDAG_GRAPH_CLOSURE_H
#define BESTDAG_GRAPH_CLOSURE_H

#include "base/row.h"
#include "graph/dag.h"

struct bestdag_closure {
    int n;
    size_t words;          /* of a row */
    uint64_t *parents;     /* owns; row v at parents + v * words */
    uint64_t *children;    /* owns */
    uint64_t *descendants; /* owns; along at least one arc */
    int *count;            /* owns; [n]: parents of a node */
    int64_t arcs;
    int *freed;      /* owns; [n]: nodes with fewer descendants */
    int frees;       /* since the last drop: how many */
    uint64_t *row;   /* owns; scratch */
    uint64_t *order; /* owns; [n]: scratch */
};

/* Without arcs. NULL: failed. */
struct bestdag_closure *bestdag_closure_new(struct bestdag_run *run, int n);
void bestdag_closure_free(struct bestdag_closure *closure);
/* Bytes that it takes. */
int64_t bestdag_closure_bytes(int n);

/* There is no such arc, and it closes no cycle. */
bool bestdag_closure_can_add(const struct bestdag_closure *c, int from, int to);
/* There is such an arc, and turned round it closes no cycle. */
bool bestdag_closure_can_reverse(const struct bestdag_closure *c, int from,
                                 int to);
/* Only what can be added; only what is there. Dropping lists in `freed` the
 * nodes that no longer reach all they did. */
void bestdag_closure_add(struct bestdag_closure *c, int from, int to);
void bestdag_closure_drop(struct bestdag_closure *c, int from, int to);
/* The members of a row, ascending; `list` has room for n. How many. */
int bestdag_closure_list(const struct bestdag_closure *c, const uint64_t *row,
                         int *list);

static inline uint64_t *bestdag_closure_parents(const struct bestdag_closure *c,
                                                int v)
{
    return c->parents + (size_t)v * c->words;
}

static inline uint64_t *bestdag_closure_children(
    const struct bestdag_closure *c, int v)
{
    return c->children + (size_t)v * c->words;
}

static inline uint64_t *bestdag_closure_descendants(
    const struct bestdag_closure *c, int v)
{
    return c->descendants + (size_t)v * c->words;
}

#endif
