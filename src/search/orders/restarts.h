/* SPDX-License-Identifier: MIT */
/* restarts.h -- searches from one random order after the other, on all threads:
 * shared by os, obs and asobs.
 *
 * Searches are numbered: number k begins with the k-th random order of the
 * seed, the first with the order of the start network. Workers take them in
 * batches; the calling thread adds up the results by number and ends the loop
 * where a single thread would have: a batch that was searched with more steps
 * than were left is repeated with what was left. So the answer does not depend
 * on the number of threads unless the clock ended the search.
 *
 * With "reorders" a search that has ended continues from another, random order
 * of the network that it found. That order is never worse and has other
 * neighbours to swap: without it most swaps are of unrelated variables, and
 * change nothing. */
#ifndef BESTDAG_SEARCH_ORDERS_RESTARTS_H
#define BESTDAG_SEARCH_ORDERS_RESTARTS_H

#include "search/solver.h"

/* One search. */
struct bestdag_climb {
    const struct bestdag_run *run;
    const _Atomic bool *enough; /* set when the search is to end; NULL: never */
    const int *order;           /* initial order */
    int64_t limit;              /* on steps; the initial order is always
                                   evaluated */
    /* Results: */
    const int32_t *choice; /* a set for each variable; borrowed from the
                              climber */
    int64_t cost;
    int64_t steps;
};

static inline bool bestdag_climb_ends(const struct bestdag_climb *c,
                                      int64_t steps)
{
    return steps >= c->limit || bestdag_run_stopped(c->run) ||
           (c->enough && atomic_load_explicit(c->enough, memory_order_relaxed));
}

/* A solver's search; `state` belongs to one worker. */
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

/* Settings: steps and restarts; the second array also has reorders. */
extern const struct bestdag_option bestdag_restart_settings[],
    bestdag_reorder_settings[];

#endif
