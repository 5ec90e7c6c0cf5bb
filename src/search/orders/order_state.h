/* SPDX-License-Identifier: MIT */
/* order_state.h -- an order of the variables, represented so that the cost of a
 * move depends on what it affects, not on n.
 *
 * Every variable has a key; the order is that of the keys. Only keys of
 * neighbours are ever compared, variables of which one is in the other's list.
 * A variable is moved by changing its key, and the cost of a move depends on
 * the length of its candidate list and the number of lists it is in. Every
 * variable takes its cheapest set among its predecessors: `available` has these
 * for each list.
 *
 * insert_all() looks for the best position of one variable after another
 * (insertion neighbourhood). A variable is considered again only after a change
 * that may have made moving it profitable: such variables wait in a queue.
 *
 * block_move() is a move that insertion lacks: a variable gets a given set, and
 * its descendants or its new parents' ancestors move along, so that no other
 * variable loses a parent without need.
 *
 * Moves are logged: undo() reverts them, last first. */
#ifndef BESTDAG_SEARCH_ORDERS_ORDER_STATE_H
#define BESTDAG_SEARCH_ORDERS_ORDER_STATE_H

#include "base/checkpoint.h"
#include "base/random.h"
#include "problem/problem.h"

struct bestdag_logged_move {
    int32_t v;
    double key; /* previous key */
};

/* A variable that a moving variable passes, and the change of cost. */
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
    int64_t steps;                         /* look-ups so far */
    int64_t looks; /* variables whose positions were all evaluated */
    struct bestdag_random random;
    bool is_crowded;                 /* keys are too close: see spread() */
    struct bestdag_logged_move *log; /* owns */
    int64_t logged, log_room;
    int32_t *queue;  /* owns; [n]: ring of variables to consider */
    bool *is_queued; /* owns; [n] */
    int queue_from, queued;
    struct bestdag_passed *passed; /* owns; [largest number of lists of a
                                      variable] */
    uint64_t *scratch;      /* owns; words of the widest candidate list */
    int *order;             /* owns; [n]: for spread() and gather() */
    int32_t *stack, *block; /* own; [n]: for block_move() and gather() */
    uint32_t *is_above, *is_below; /* own; [n]: == stamp: true */
    uint32_t stamp;
    int status; /* not OK: out of memory for the log */
    struct bestdag_run *run;
};

struct bestdag_order_state *bestdag_order_state_new(
    struct bestdag_run *run, const struct bestdag_problem *problem);
void bestdag_order_state_free(struct bestdag_order_state *p);
/* Bytes of a state. */
int64_t bestdag_order_state_bytes(const struct bestdag_problem *problem);

/* Sets the order and queues all variables. */
void bestdag_order_state_set(struct bestdag_order_state *p, const int *order);
/* The present order. */
int bestdag_order_state_get(struct bestdag_order_state *p, int *order);
/* Moves single variables until no queued one can improve. */
void bestdag_order_state_insert_all(struct bestdag_order_state *p);
/* v gets set `set`, better than its choice, if possible. forward: v moves
 * behind the parents it lacks, together with its descendants except ancestors
 * of these parents. Otherwise the parents move before v, together with their
 * ancestors except descendants of v. */
void bestdag_order_state_block_move(struct bestdag_order_state *p, int v,
                                    int set, bool forward);
/* Moves v next to a random neighbour. */
void bestdag_order_state_perturb(struct bestdag_order_state *p, int v);
/* A kick: a random variable without its best set gets a better one, then a
 * neighbour of it, and so on; 2, 4, 8 or 16 links on average. */
void bestdag_order_state_kick(struct bestdag_order_state *p);
/* Gives variables better sets while these close no cycle: what acyclic
 * selection adds to an order. */
void bestdag_order_state_select_acyclic(struct bestdag_order_state *p);
/* Copies the order of `from`, a state of the same problem; random numbers and
 * steps stay. */
void bestdag_order_state_copy(struct bestdag_order_state *p,
                              const struct bestdag_order_state *from);
/* Moves the variables `moved` to their keys in `from`, whose keys come from the
 * same order, then climbs. Reverted if that does not pay. */
void bestdag_order_state_adopt(struct bestdag_order_state *p,
                               const struct bestdag_order_state *from,
                               const int32_t *moved, int count);
/* Passes the state, which must have an empty log. */
void bestdag_order_state_pass(struct bestdag_order_state *p,
                              struct bestdag_archive *archive);
/* Reverts all moves since keep(). */
void bestdag_order_state_undo(struct bestdag_order_state *p);
/* Clears the log: the moves are final. */
void bestdag_order_state_keep(struct bestdag_order_state *p);
/* Spaces the keys evenly if they are crowded; the order stays. Requires an
 * empty log. */
void bestdag_order_state_spread(struct bestdag_order_state *p);
/* Another order of the same choices, in which every variable follows its
 * parents closely, so that block moves pass few variables. Some variables may
 * find a better set in it. */
void bestdag_order_state_gather(struct bestdag_order_state *p);

static inline int64_t bestdag_order_state_regret(
    const struct bestdag_order_state *p, int v)
{
    return p->problem->candidates[v].cost[p->choice[v]];
}

#endif
