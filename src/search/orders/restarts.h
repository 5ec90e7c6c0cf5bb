/* SPDX-License-Identifier: MIT */
/* restarts.h -- searches from one random order after the other, by all threads:
 * what os, obs and asobs share.
 *
 * Searches are numbered, and number k begins at the k-th random order of the
 * seed, the first one at the order of the start network. Workers take them in
 * batches; the calling thread adds them up in the order of their numbers and
 * ends the loop where one thread alone would have ended it: a search that was
 * made with more steps than were left is made again with what was left. So the
 * answer does not depend on the number of threads unless the clock cut it.
 *
 * With "reorders" a search that has ended goes on from another, random order of
 * the network that it found. That one is never worse, and has other neighbours
 * to swap: without it most swaps are of variables that have nothing to do with
 * each other, change nothing, and stand in the way. */
#ifndef BESTDAG_SEARCH_ORDERS_RESTARTS_H
#define BESTDAG_SEARCH_ORDERS_RESTARTS_H

#include "search/solver.h"

/* One search. */
struct bestdag_climb {
    const struct bestdag_run *run;
    const _Atomic bool *enough; /* others have ended it; NULL: they cannot */
    const int *order;           /* where it begins */
    int64_t limit;              /* of steps; the first order is always valued */
    /* What it found: */
    const int32_t *choice; /* a set for each variable; the climber's */
    int64_t cost;
    int64_t steps;
};

static inline bool bestdag_climb_ends(const struct bestdag_climb *c,
                                      int64_t steps)
{
    return steps >= c->limit || bestdag_run_stopped(c->run) ||
           (c->enough && atomic_load_explicit(c->enough, memory_order_relaxed));
}

/* How a solver searches; `state` belongs to one worker. */
struct bestdag_climber {
    int64_t (*bytes)(const struct bestdag_problem *problem); /* of a state */
    void *(*open)(struct bestdag_run *run,
                  const struct bestdag_problem *problem);
    void (*close)(void *state);
    void (*climb)(void *state, struct bestdag_climb *c);
};

/* Searches within the solver's settings "steps", "restarts" and
 * "reorders". */
int bestdag_restarts(struct bestdag_task *task,
                     const struct bestdag_climber *climber,
                     struct bestdag_answer *to);

/* Settings: steps, restarts; and reorders. */
extern const struct bestdag_option bestdag_restart_settings[],
    bestdag_reorder_settings[];

#endif
