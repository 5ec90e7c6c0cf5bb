/* SPDX-License-Identifier: MIT */
/* order_state.h -- an order of the variables, kept so that a move costs what it
 * touches and not what there is.
 *
 * Every variable has a key; the order is that of the keys. Only keys of
 * variables that stand on each other's lists are ever compared, so a variable
 * is moved by giving it another key, and the price of a move depends on the
 * length of its candidate list and the number of lists it stands on, not on n.
 * Every variable takes its cheapest set of those before it: `available` has
 * these for each candidate list.
 *
 * climb() looks for the best place of one variable after another (insertion
 * neighbourhood). A variable is looked at again only when something happened
 * that may have made a move of it pay: those wait in a queue.
 *
 * pull() is the move that orders alone lack: a variable gets a set that it
 * wants, and all that hangs on it and is not in the way moves along, so that
 * no other variable loses a parent without need.
 *
 * Moves are logged: undo() takes them back, last first. */
#ifndef BESTDAG_SEARCH_ORDERS_ORDER_STATE_H
#define BESTDAG_SEARCH_ORDERS_ORDER_STATE_H

#include "base/checkpoint.h"
#include "base/random.h"
#include "problem/problem.h"

struct bestdag_logged_move {
    int32_t v;
    double key; /* where it was */
};

/* A variable that a pivot passes on its way: what that changes. */
struct bestdag_passed {
    double key;
    int64_t change;
};

struct bestdag_order_state {
    const struct bestdag_problem *problem; /* borrowed */
    double *key;                           /* owns; [n] */
    uint64_t *available;                   /* owns; [problem->words] */
    int32_t *choice;                       /* owns; [n] */
    int64_t cost;                          /* of all choices */
    int64_t steps; /* look-ups of a cheapest set so far */
    int64_t looks; /* variables all of whose places were weighed */
    struct bestdag_random random;
    bool is_crowded;                 /* keys have come too near: see spread() */
    struct bestdag_logged_move *log; /* owns */
    int64_t logged, log_room;
    int32_t *queue;  /* owns; [n]: a ring of variables to look at */
    bool *is_queued; /* owns; [n] */
    int queue_from, queued;
    struct bestdag_passed *passed; /* owns; [most users of one] */
    uint64_t *scratch;      /* owns; words of the widest candidate list */
    int *order;             /* owns; [n]: of spread() and gather() */
    int32_t *stack, *block; /* own; [n]: of pull() and gather() */
    uint32_t *is_above, *is_below; /* own; [n]: == stamp says yes */
    uint32_t stamp;
    int status; /* not OK: memory for the log failed */
    struct bestdag_run *run;
};

struct bestdag_order_state *bestdag_order_state_new(
    struct bestdag_run *run, const struct bestdag_problem *problem);
void bestdag_order_state_free(struct bestdag_order_state *p);
/* Bytes that one takes. */
int64_t bestdag_order_state_bytes(const struct bestdag_problem *problem);

/* Takes this order; all variables are queued. */
void bestdag_order_state_set(struct bestdag_order_state *p, const int *order);
/* The order as it is. */
int bestdag_order_state_get(struct bestdag_order_state *p, int *order);
/* Moves one at a time until none in the queue pays. */
void bestdag_order_state_insert_all(struct bestdag_order_state *p);
/* v gets set number `set`, better than its choice, if it can. forward: v moves
 * behind the parents it lacks, and its descendants with it, but for those that
 * are ancestors of these parents. Else the parents move before v, and their
 * ancestors with them, but for those that are descendants of v. */
void bestdag_order_state_block_move(struct bestdag_order_state *p, int v,
                                    int set, bool forward);
/* v goes to a place next to a random one of those that matter to it. */
void bestdag_order_state_perturb(struct bestdag_order_state *p, int v);
/* Gives a variable that lacks its best set a better one, and goes on with its
 * neighbours: from two to sixteen links long on average. */
void bestdag_order_state_kick(struct bestdag_order_state *p);
/* Every variable that can have a better set without a cycle gets it, until
 * there is none: what acyclic selection adds to an order. */
void bestdag_order_state_select_acyclic(struct bestdag_order_state *p);
/* Becomes what `from` is, a placing of the same problem; random numbers and
 * steps stay its own. */
void bestdag_order_state_copy(struct bestdag_order_state *p,
                              const struct bestdag_order_state *from);
/* The variables `moved` go where they are in `from`, whose keys come from the
 * same order; then climbs. Taken back if that does not pay. */
void bestdag_order_state_adopt(struct bestdag_order_state *p,
                               const struct bestdag_order_state *from,
                               const int32_t *moved, int count);
/* Passes all that matters where nothing is logged. */
void bestdag_order_state_pass(struct bestdag_order_state *p,
                              struct bestdag_archive *archive);
/* Takes back all moves since keep(). */
void bestdag_order_state_undo(struct bestdag_order_state *p);
/* Forgets the log: this is how it stays. */
void bestdag_order_state_keep(struct bestdag_order_state *p);
/* Gives the keys room again if they are crowded; the order stays. Only when
 * nothing is logged. */
void bestdag_order_state_spread(struct bestdag_order_state *p);
/* Another order of the same choices, in which every variable follows its
 * parents closely, so that what is pulled has little to pass. Some may find a
 * better set in it. */
void bestdag_order_state_gather(struct bestdag_order_state *p);

static inline int64_t bestdag_order_state_regret(
    const struct bestdag_order_state *p, int v)
{
    return p->problem->candidates[v].cost[p->choice[v]];
}

#endif
