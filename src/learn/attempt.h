/* SPDX-License-Identifier: MIT */
/* attempt.h -- a solver at work in turns (search/turn.h), and how soon it will
 * be through.
 *
 * It is a search of its own: a copy of the task, in a slice of the run. What it
 * has proved and found so far can be looked at between its turns. */
#ifndef BESTDAG_LEARN_ATTEMPT_H
#define BESTDAG_LEARN_ATTEMPT_H

#include "search/turn.h"

struct bestdag_attempt {
    struct bestdag_task task;
    struct bestdag_turn turn;
    struct bestdag_coroutine *coroutine; /* owns, while it is at work */
    struct bestdag_run *outer;           /* that its task's run is a slice of */
    struct bestdag_outcome outcome;      /* once it is over; owns its graph */
    bool is_begun, is_over;
    bool is_optional; /* that it lacks memory is no error */
    bool is_detached; /* the run does not stop it: whoever gives it turns looks
                         at the run between them */
    double given;     /* the sum of what its turns were to be */
    double spent;     /* in them: seconds, or counted work */
    double bound[2];  /* proved after the last turn but one, and the last */
    double after[2];  /* when so much was spent */
    int64_t cost;     /* of the incumbent that was looked at last */
    int64_t finds;    /* of a search on the table that were looked at */
};

/* Nothing runs yet; what was given before counts, and how it is. `task` has its
 * solver, and all that it points to lives until the end. */
int bestdag_attempt_begin(struct bestdag_attempt *a,
                          const struct bestdag_task *task);
/* Its next turn takes this much more, less what the turns before took too much.
 * `start` is the best network, which must live until the next turn; is_better:
 * another one than in the last. Returns what was spent. */
double bestdag_attempt_take_turn(struct bestdag_attempt *a, double amount,
                                 const struct bestdag_dag *start,
                                 bool is_better);
/* A network that it has found since it was asked last, the caller's; NULL: none
 * that costs less, or it failed. */
struct bestdag_dag *bestdag_attempt_network(struct bestdag_attempt *a);
/* Had it two turns to tell from? */
static inline bool bestdag_attempt_is_known(const struct bestdag_attempt *a)
{
    return a->after[0] > 0;
}
/* What it will still take until its bound is down to `score`, as its last turn
 * went: bounds of searches grow with the logarithm of the work. Infinite if it
 * brought nothing. It must be known. */
double bestdag_attempt_forecast(const struct bestdag_attempt *a, double score);
/* Has it end now with what it has, unless it has ended. */
void bestdag_attempt_stop(struct bestdag_attempt *a,
                          const struct bestdag_dag *start);
/* Of one that is over, or was never begun. */
void bestdag_attempt_release(struct bestdag_attempt *a);

#endif
