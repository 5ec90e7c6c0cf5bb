/* SPDX-License-Identifier: MIT */
/* closure.h -- a DAG that changes arc by arc and maintains the descendants of
 * each node, so that a search can test which arcs would close a cycle.
 *
 * Parents, children and descendants are rows of bits: 3/8 n^2 bytes, 1.5 MB for
 * 2,000 nodes. Adding an arc costs O(n) and one row operation for each ancestor
 * of its tail; dropping one, a row operation for each arc out of these
 * ancestors. Neither changes a row if there is another path from tail to
 * head. */
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
    int *freed;      /* owns; [n]: nodes with fewer descendants .. */
    int frees;       /* .. since the last drop; their number */
    uint64_t *row;   /* owns; scratch */
    uint64_t *order; /* owns; [n]: scratch */
};

/* A graph without arcs. NULL: error. */
struct bestdag_closure *bestdag_closure_new(struct bestdag_run *run, int n);
void bestdag_closure_free(struct bestdag_closure *closure);
/* Bytes needed. */
int64_t bestdag_closure_bytes(int n);

/* Is there no such arc, and would it close no cycle? */
bool bestdag_closure_can_add(const struct bestdag_closure *c, int from, int to);
/* Is there such an arc, and would its reverse close no cycle? */
bool bestdag_closure_can_reverse(const struct bestdag_closure *c, int from,
                                 int to);
/* Require that the arc can be added, or exists. Dropping lists in `freed` the
 * nodes that lose descendants. */
void bestdag_closure_add(struct bestdag_closure *c, int from, int to);
void bestdag_closure_drop(struct bestdag_closure *c, int from, int to);
/* Lists the members of a row, ascending, in `list`, which has room for n;
 * returns their number. */
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
