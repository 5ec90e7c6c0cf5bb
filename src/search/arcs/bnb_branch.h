/* SPDX-License-Identifier: MIT */
/* bnb_branch.h -- chooses what to branch on: facts of which at least one holds
 * in every network of the node, and none in the chosen sets.
 *
 * For a cycle x -> y -> z -> x of the chosen sets: one of its arcs is absent.
 * For an unsatisfied clause, or a pending fact: its literals. For a required
 * path: the arcs that leave the variables which its start reaches by required
 * arcs. For a forbidden path: its arcs, as for a cycle. The subproblems
 *
 *     f1;   not f1, f2;   not f1, not f2, f3;   ...
 *
 * partition the networks of the node. */
#ifndef BESTDAG_SEARCH_ARCS_BNB_BRANCH_H
#define BESTDAG_SEARCH_ARCS_BNB_BRANCH_H

#include "search/arcs/propagation.h"

/* An arc that could be removed, and the loss of its child. */
struct bestdag_loss {
    int parent, child;
    int64_t loss;
};

/* One per thread. */
struct bestdag_brancher {
    struct bestdag_propagation *propagation;
    bool is_plain;             /* take the first cycle, as found */
    int32_t *choice;           /* owns; [n]: the bound's sets */
    struct bestdag_fact *fact; /* owns; the result */
    int count, room;
    int *queue, *from;              /* own; [n]: for a search over arcs */
    uint64_t *cyclic, *seen, *mine; /* own; rows */
    uint64_t *child;                /* owns; rows: children by chosen sets */
    /* a cycle, and the best so far */
    struct bestdag_loss *cycle, *best; /* own; [n]: arcs to decide */
    int arcs;                          /* of `best`; 0: none yet */
    int64_t least, total;              /* of the losses of `best` */
};

int bestdag_brancher_init(struct bestdag_run *run, struct bestdag_brancher *b,
                          struct bestdag_propagation *propagation);
void bestdag_brancher_release(struct bestdag_brancher *b);

enum bestdag_branch {
    BESTDAG_BREAK_NONE,  /* the chosen sets are a network that obeys the
                            rules */
    BESTDAG_BREAK_FACTS, /* b->fact[b->count]; count 0: no network is left */
    BESTDAG_BREAK_FAILED /* out of memory */
};
/* Requires a settled propagation. */
enum bestdag_branch bestdag_brancher_find(struct bestdag_brancher *b);
/* Are the sets in b->choice a DAG that obeys all rules, including order rules,
 * and the decisions? */
bool bestdag_brancher_obeys(struct bestdag_brancher *b);

#endif
