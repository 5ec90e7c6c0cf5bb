/* SPDX-License-Identifier: MIT */
/* solver_turns.h -- several solvers take turns; lists grow between them. */
#ifndef BESTDAG_LEARN_SOLVER_TURNS_H
#define BESTDAG_LEARN_SOLVER_TURNS_H

#include "learn/candidate_supply.h"
#include "learn/stages.h"
#include "search/solver.h"

enum { BESTDAG_TURNS = 3 };

struct bestdag_solver_turns {
    struct bestdag_task *task;
    struct bestdag_supply *supply; /* of the task's problem, if it may grow */
    struct bestdag_outcome *to;    /* best network and bound so far */
    struct bestdag_budget_share whole; /* time or work that is left */
    bool is_brief; /* one of many runs: without a time limit a number of steps
                      ends each turn */
    const char *turn[BESTDAG_TURNS]; /* solvers */
    int turns;
    int largest;    /* variables that depend on each other */
    uint64_t round; /* this many were played */
};

/* The task's solver for at most this amount of time or work (stages.h; 0: no
 * limit), for what is good to have: that it failed is no error, and leaves no
 * graph. */
int bestdag_solver_turns_try(struct bestdag_task *task, double amount,
                             struct bestdag_outcome *to);
/* All turns, until one proves. */
int bestdag_solver_turns_run(struct bestdag_solver_turns *g);
/* Some of the whole: orders searches, and the lists grow around what it finds.
 * A bound is not known after it. */
int bestdag_solver_turns_rounds(struct bestdag_solver_turns *g);
/* After a proof over the lists as they are: is there more to put on them?
 * is_stuck: what was put there last brought no better network. */
int bestdag_solver_turns_refill(struct bestdag_solver_turns *g, bool is_stuck,
                                bool *is_new);
/* Is this network the best over the lists? */
bool bestdag_solver_turns_is_proved(const struct bestdag_solver_turns *g);

#endif
