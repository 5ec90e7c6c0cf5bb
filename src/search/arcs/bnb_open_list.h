/* SPDX-License-Identifier: MIT */
/* bnb_open_list.h -- the open nodes of a search over arcs.
 *
 * An expanded node becomes an inner node, which has the facts that split it.
 * Its i-th child has the first i facts false and the next one true, so a child
 * is only an inner node and an index, and its decisions are read off the path
 * to the root:
 *
 *     inner node: not a -> b | not b -> c | not c -> a        (a cycle)
 *      child 0: no a -> b   child 1: a -> b, no b -> c   child 2: ...
 *
 * An inner node is freed with its last child. The children are in a heap: the
 * best bound first or, to save memory, the deepest first. Memory: 32 bytes per
 * open node, 20 per fact, 80 per inner node. */
#ifndef BESTDAG_SEARCH_ARCS_BNB_OPEN_LIST_H
#define BESTDAG_SEARCH_ARCS_BNB_OPEN_LIST_H

#include "base/run.h"
#include "constraints/deduction/compile.h"

struct bestdag_bnb_inner_node {
    struct bestdag_bnb_inner_node *up; /* NULL: it split the root */
    int index;                         /* of the child of `up` that it split */
    int alive; /* children that are open, being expanded, or inner nodes */
    int count;
    struct bestdag_fact fact[];
};

struct bestdag_bnb_leaf {
    int64_t bound;
    int64_t number;                      /* order of creation: breaks ties */
    struct bestdag_bnb_inner_node *fork; /* parent; NULL: the root */
    int index, depth;
};

struct bestdag_bnb_open {
    struct bestdag_run *run;
    struct bestdag_bnb_leaf *heap; /* owns; [room] */
    int64_t count, room, made;
    int64_t bytes; /* of inner nodes */
    bool is_deep;  /* deepest first */
};

void bestdag_bnb_open_release(struct bestdag_bnb_open *open);
/* Bytes of inner nodes and open nodes, without unused room. */
int64_t bestdag_bnb_open_bytes(const struct bestdag_bnb_open *open);
/* Adds a node; its inner node, if any, has one more alive child. */
int bestdag_bnb_open_put(struct bestdag_bnb_open *open,
                         struct bestdag_bnb_leaf leaf);
/* Takes the first node, which stays alive. There must be one. */
struct bestdag_bnb_leaf bestdag_bnb_open_take(struct bestdag_bnb_open *open);
/* The node is done: it is neither open nor an inner node. */
void bestdag_bnb_open_drop(struct bestdag_bnb_open *open,
                           struct bestdag_bnb_inner_node *fork);
/* Turns the node into an inner node, which counts as its own child until it is
 * dropped after its children were put. NULL: error. */
struct bestdag_bnb_inner_node *bestdag_bnb_open_split(
    struct bestdag_bnb_open *open, const struct bestdag_bnb_leaf *leaf,
    const struct bestdag_fact *fact, int count);
/* Drops all nodes with a bound of `limit` or more. */
void bestdag_bnb_open_prune(struct bestdag_bnb_open *open, int64_t limit);
void bestdag_bnb_open_order(struct bestdag_bnb_open *open, bool is_deep);
/* The least bound; `none`: no node is open. Time: constant, or linear if the
 * deepest come first. */
int64_t bestdag_bnb_open_least(const struct bestdag_bnb_open *open,
                               int64_t none);

#endif
