/* SPDX-License-Identifier: MIT */
/* bnb_branch.h -- what to branch on: facts of which at least one holds in every
 * network that is left, and none in the sets as they are chosen.
 *
 * A cycle x -> y -> z -> x of the chosen sets is broken: one of its arcs is
 * missing. A clause that is not satisfied, or something that is owed, gives its
 * literals; a path that must be: the arcs that leave what its beginning reaches
 * by musts; a path that may not be: its arcs, as a cycle. The subcases
 *
 *     f1;   not f1, f2;   not f1, not f2, f3;   ...
 *
 * share no network and leave none out. */
#ifndef BESTDAG_SEARCH_ARCS_BNB_BRANCH_H
#define BESTDAG_SEARCH_ARCS_BNB_BRANCH_H

#include "search/arcs/propagation.h"

/* An arc that could be taken away, and what its child loses by that. */
struct bestdag_loss {
    int parent, child;
    int64_t loss;
};

/* One a thread. */
struct bestdag_brancher {
    struct bestdag_propagation *decider;
    int32_t *choice;           /* owns; [n]: the bound's sets */
    struct bestdag_fact *fact; /* owns; what was found */
    int count, room;
    int *queue, *from;            /* own; [n]: of a search over arcs */
    uint64_t *core, *seen, *mine; /* own; rows */
    uint64_t *child;              /* owns; rows: children as chosen */
    /* a cycle, and the best one until now */
    struct bestdag_loss *cycle, *best; /* own; [n]: arcs to decide */
    int arcs;                          /* of the best one; 0: none yet */
    int64_t least, total;              /* of its losses */
};

int bestdag_brancher_init(struct bestdag_run *run, struct bestdag_brancher *b,
                          struct bestdag_propagation *decider);
void bestdag_brancher_release(struct bestdag_brancher *b);

enum bestdag_branch {
    BESTDAG_BREAK_NONE,  /* the chosen sets are a network that obeys */
    BESTDAG_BREAK_FACTS, /* b->fact[b->count]; none: nothing is left */
    BESTDAG_BREAK_FAILED /* memory */
};
/* The decider is settled. */
enum bestdag_branch bestdag_brancher_find(struct bestdag_brancher *b);
/* Are the sets in b->choice a DAG that obeys all rules, order rules included,
 * and the decisions? */
bool bestdag_brancher_obeys(struct bestdag_brancher *b);

#endif
