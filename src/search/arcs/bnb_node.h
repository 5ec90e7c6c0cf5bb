/* SPDX-License-Identifier: MIT */
/* bnb_node.h -- rebuilds, bounds and splits a node of a search over arcs; a
 * dive continues with the best child. */
#ifndef BESTDAG_SEARCH_ARCS_BNB_NODE_H
#define BESTDAG_SEARCH_ARCS_BNB_NODE_H

#include "base/archive.h"
#include "search/arcs/bnb_branch.h"
#include "search/arcs/bnb_open_list.h"

/* A node that was split, by fact[from .. from + count) of the children. */
struct bestdag_bnb_child {
    int from, count;
    int next; /* the child that was split itself; -1: none */
};

/* The children of one node, and of a dive from it. */
struct bestdag_bnb_children {
    struct bestdag_bnb_child
        *branching; /* owns; the node, then the dive downwards */
    int branchings;
    int64_t branching_room;
    struct bestdag_fact *fact; /* owns */
    int64_t *bound; /* owns; of the child of each fact; `none`: no network */
    int facts, room;
    int32_t *found; /* owns; [n]: sets of the best network found */
    int64_t cost;   /* its cost; problem->none: none found */
    int64_t expanded;
    int64_t work; /* sets examined */
};

/* One per thread. */
struct bestdag_bnb_node {
    struct bestdag_run *run;
    struct bestdag_propagation propagation; /* owns */
    struct bestdag_brancher brancher;       /* owns */
    const struct bestdag_bnb_inner_node *
        *path; /* owns; scratch: path to the root */
    int64_t path_room;
};

int bestdag_bnb_node_init(struct bestdag_run *run, struct bestdag_bnb_node *e,
                          const struct bestdag_problem *problem,
                          const struct bestdag_arc_bound *arc_bound,
                          const struct bestdag_knowledge *knowledge);
void bestdag_bnb_node_release(struct bestdag_bnb_node *e);
/* Strengthens the bound under the rules alone, before threads use it. Networks
 * that cost `limit` or more are ignored. */
int bestdag_bnb_node_prepare(struct bestdag_run *run,
                             const struct bestdag_arc_bound *arc_bound,
                             const struct bestdag_problem *problem,
                             const struct bestdag_knowledge *knowledge,
                             int64_t limit);

struct bestdag_expand_limits {
    int64_t limit; /* networks that cost this or more are ignored */
    int64_t most;  /* nodes to expand; more than 1: dives */
};
/* Expands the node. `to` gets its children with a bound below the limit, and
 * the best network found below the limit. */
int bestdag_bnb_node_expand(struct bestdag_bnb_node *e,
                            const struct bestdag_bnb_leaf *leaf,
                            struct bestdag_expand_limits dive,
                            struct bestdag_bnb_children *to);
/* Passes the children to another rank. */
void bestdag_bnb_children_pass(struct bestdag_run *run,
                               const struct bestdag_problem *problem,
                               struct bestdag_bnb_children *children,
                               struct bestdag_archive *p);
void bestdag_bnb_children_release(struct bestdag_bnb_children *children);

#endif
