/* SPDX-License-Identifier: MIT */
/* turn.h -- provers, and searches on the table, that take turns.
 *
 * `auto` runs several of them, none of which it lets finish before the others
 * have had their chance. Each is a coroutine: when its turn is over it pauses
 * between two steps with all that it has, and goes on from there in its next
 * turn. While it waits, the task's start may become a better network, found by
 * another. A task without a turn is alone and never pauses. */
#ifndef BESTDAG_SEARCH_TURN_H
#define BESTDAG_SEARCH_TURN_H

#include "search/solver.h"

struct bestdag_turn {
    struct bestdag_coroutine *coroutine; /* borrowed */
    double work;                         /* nominal seconds: counted so far */
    double most;                         /* so many until the turn is over */
    bool is_better; /* the start was replaced while it waited */
    /* What a search on the table has found, which has no incumbent over lists;
     * borrowed, NULL: nothing yet; and how many such there were. */
    const struct bestdag_dag *found;
    int64_t finds;
};

/* For solvers, between two steps: it has counted so many nominal seconds since
 * it began. Is its turn over? */
bool bestdag_turn_is_over(struct bestdag_task *task, double work);
/* If so: others have theirs. True: the task has a better start than before. */
bool bestdag_turn_pass(struct bestdag_task *task);

/* For those that begin with the clusters of another prover: others have their
 * turns until these are final. */
void bestdag_turn_await_clusters(struct bestdag_task *task);

/* Nominal seconds until its turn is over, at least 0; infinite if it is alone.
 */
double bestdag_turn_left(const struct bestdag_task *task, double work);

#endif
