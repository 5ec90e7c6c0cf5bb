/* SPDX-License-Identifier: MIT */
/* turn.h -- provers, and searches on the table, that take turns.
 *
 * `auto` runs several of them, and none may finish before the others have had
 * their chance. Each is a coroutine: when its turn is over it pauses between
 * two steps, and continues from there in its next turn. Meanwhile another one
 * may find a better network, which becomes the task's start. A task without a
 * turn runs alone and never pauses. */
#ifndef BESTDAG_SEARCH_TURN_H
#define BESTDAG_SEARCH_TURN_H

#include "search/solver.h"

struct bestdag_turn {
    struct bestdag_coroutine *coroutine; /* borrowed */
    double work;                         /* nominal seconds counted so far */
    double most;                         /* the turn is over when `work` reaches
                                            this */
    bool is_better; /* the start was replaced during the pause */
    /* The last network found by a search on the table, which has no incumbent
     * over lists; borrowed, NULL: none yet; and the number of these
     * networks. */
    const struct bestdag_dag *found;
    int64_t finds;
};

/* For solvers, between two steps: is the turn over? `work`: nominal seconds
 * counted since the search began. */
bool bestdag_turn_is_over(struct bestdag_task *task, double work);
/* Pauses while others have their turns. True: the task has a better start. */
bool bestdag_turn_pass(struct bestdag_task *task);

/* For provers that begin with another's clusters: pauses until these are
 * final. */
void bestdag_turn_await_clusters(struct bestdag_task *task);

/* Nominal seconds until the turn is over, at least 0; infinite without
 * turns. */
double bestdag_turn_left(const struct bestdag_task *task, double work);

#endif
