/* SPDX-License-Identifier: MIT */
/* attempt.h -- a solver that runs in turns (search/turn.h), and a forecast of
 * what it still needs.
 *
 * It searches a copy of the task in a slice of the run. Its bound and its
 * incumbent can be read between turns. */
#ifndef BESTDAG_LEARN_ATTEMPT_H
#define BESTDAG_LEARN_ATTEMPT_H

#include "search/turn.h"

struct bestdag_attempt {
    struct bestdag_task task;
    struct bestdag_turn turn;
    struct bestdag_coroutine *coroutine; /* owns, until the search ends */
    struct bestdag_run *outer;           /* the run that the task's run is a
                                            slice of */
    struct bestdag_outcome outcome;      /* when the search has ended; owns its
                                            graph */
    bool is_begun, is_over;
    bool is_optional; /* lack of memory is no error */
    bool is_detached; /* the run does not stop the search: the caller checks the
                         run between turns */
    double given;     /* sum of the amounts of its turns */
    double spent;     /* in its turns: seconds, or counted work */
    double bound[2];  /* proved after the last turn but one, and after the
                         last */
    double after[2];  /* `spent` at these two times */
    int64_t cost;     /* of the last incumbent that was returned */
    int64_t finds;    /* networks returned, in a search on the table */
};

/* Sets up the search, which begins with its first turn; keeps `given` and the
 * two flags of *a. `task` names the solver; everything that it points to must
 * outlive the attempt. */
int bestdag_attempt_begin(struct bestdag_attempt *a,
                          const struct bestdag_task *task);
/* Lets the search go on for `amount` more, less what it overspent in earlier
 * turns. `start` is the incumbent, which must live until the next turn;
 * is_better: it has changed since the last turn. Returns what was spent. */
double bestdag_attempt_take_turn(struct bestdag_attempt *a, double amount,
                                 const struct bestdag_dag *start,
                                 bool is_better);
/* A network found since the last call, owned by the caller; NULL: none of lower
 * cost, or an error. */
struct bestdag_dag *bestdag_attempt_network(struct bestdag_attempt *a);
/* Were there two turns, so that a forecast is possible? */
static inline bool bestdag_attempt_is_known(const struct bestdag_attempt *a)
{
    return a->after[0] > 0;
}
/* What the search will still need until its bound is down to `score`,
 * extrapolated from its last turn: bounds improve with the logarithm of the
 * work. Infinite if the last turn brought nothing. Requires
 * bestdag_attempt_is_known(). */
double bestdag_attempt_forecast(const struct bestdag_attempt *a, double score);
/* Ends the search, if it is not over, with what it has. */
void bestdag_attempt_stop(struct bestdag_attempt *a,
                          const struct bestdag_dag *start);
/* Requires that the attempt is over or was never begun. */
void bestdag_attempt_release(struct bestdag_attempt *a);

#endif
