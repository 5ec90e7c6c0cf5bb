/* SPDX-License-Identifier: MIT */
/* bnb_branch.h -- what to branch on: facts of which at least one holds in every
 * network of the node, and none in the sets as they are chosen.
 *
 * A cycle x -> y -> z -> x of the chosen sets: one of its arcs is absent. A
 * clause that is not satisfied, or a pending fact: its literals. A required
 * path: the arcs that leave what its start reaches by required arcs. A
 * forbidden path: its arcs, as for a cycle. The subproblems
 *
 *     f1;   not f1, f2;   not f1, not f2, f3;   ...
 *
 * partition the networks of the node. */
#ifndef BESTDAG_SEARCH_ARCS_BNB_BRANCH_H
#define BESTDAG_SEARCH_ARCS_BNB_BRANCH_H

#include "search/arcs/propagation.h"

/* An arc that could be removed, and what its child loses by that. */
struct bestdag_loss {
    int parent, child;
    int64_t loss;
};

/* One per thread. */
struct bestdag_brancher {
    struct bestdag_propagation *propagation;
    bool is_plain;             /* the first cycle, as it is */
    int32_t *choice;           /* owns; [n]: the bound's sets */
    struct bestdag_fact *fact; /* owns; what was found */
    int count, room;
    int *queue, *from;              /* own; [n]: of a search over arcs */
    uint64_t *cyclic, *seen, *mine; /* own; rows */
    uint64_t *child;                /* owns; rows: children as chosen */
    /* a cycle, and the best one so far */
    struct bestdag_loss *cycle, *best; /* own; [n]: arcs to decide */
    int arcs;                          /* of the best one; 0: none yet */
    int64_t least, total;              /* of its losses */
};

int bestdag_brancher_init(struct bestdag_run *run, struct bestdag_brancher *b,
                          struct bestdag_propagation *propagation);
void bestdag_brancher_release(struct bestdag_brancher *b);

enum bestdag_branch {
    BESTDAG_BREAK_NONE,  /* the chosen sets are a network that obeys */
    BESTDAG_BREAK_FACTS, /* b->fact[b->count]; none: nothing is left */
    BESTDAG_BREAK_FAILED /* memory */
};
/* The propagation is settled. */
enum bestdag_branch bestdag_brancher_find(struct bestdag_brancher *b);
/* Are the sets in b->choice a DAG that obeys all rules, order rules included,
 * and the decisions? */
bool bestdag_brancher_obeys(struct bestdag_brancher *b);

#endif
