/* SPDX-License-Identifier: MIT */
/* bnb_open_list.h -- the open nodes of a search over arcs.
 *
 * A node that was expanded is an inner node: the facts that it was split by.
 * Its i-th child has the first i facts false and the next one true, so a child
 * is no more than an inner node and a number, and its decisions are read off on
 * the path to the root:
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
    struct bestdag_bnb_inner_node *up; /* NULL: this one split the root */
    int index;                         /* of the child of `up` that it split */
    int alive; /* children that are open, at work or forks */
    int count;
    struct bestdag_fact fact[];
};

struct bestdag_bnb_leaf {
    int64_t bound;
    int64_t number; /* in the order of their making: breaks ties */
    struct bestdag_bnb_inner_node *fork; /* NULL: the root */
    int index, depth;
};

struct bestdag_bnb_open {
    struct bestdag_run *run;
    struct bestdag_bnb_leaf *heap; /* owns; [room] */
    int64_t count, room, made;
    int64_t bytes; /* that forks take */
    bool is_deep;  /* the deepest first */
};

void bestdag_bnb_open_release(struct bestdag_bnb_open *open);
/* Bytes of forks and nodes, without what is reserved only. */
int64_t bestdag_bnb_open_bytes(const struct bestdag_bnb_open *open);
/* Its fork, if it has one, counts one more alive child. */
int bestdag_bnb_open_put(struct bestdag_bnb_open *open,
                         struct bestdag_bnb_leaf leaf);
/* The first one; it stays alive. There must be one. */
struct bestdag_bnb_leaf bestdag_bnb_open_take(struct bestdag_bnb_open *open);
/* The node is done: neither open nor a fork. */
void bestdag_bnb_open_drop(struct bestdag_bnb_open *open,
                           struct bestdag_bnb_inner_node *fork);
/* The node becomes a fork. It counts as its own child until it is dropped, when
 * its children were put. NULL: failed. */
struct bestdag_bnb_inner_node *bestdag_bnb_open_split(
    struct bestdag_bnb_open *open, const struct bestdag_bnb_leaf *leaf,
    const struct bestdag_fact *fact, int count);
/* Drops all with a bound of `limit` or more. */
void bestdag_bnb_open_prune(struct bestdag_bnb_open *open, int64_t limit);
void bestdag_bnb_open_order(struct bestdag_bnb_open *open, bool is_deep);
/* The least bound; `none`: nothing is open. Time: constant, or the number of
 * nodes if the deepest are first. */
int64_t bestdag_bnb_open_least(const struct bestdag_bnb_open *open,
                               int64_t none);

#endif
