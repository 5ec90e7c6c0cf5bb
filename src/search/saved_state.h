/* SPDX-License-Identifier: MIT */
/* saved_state.h -- the state of a search, so that a run that was killed goes
 * on.
 *
 * A solver that can go on says at few places "this is my state" and asks for it
 * when it begins. What it is given back must lead to the same answer as if it
 * had never ended; a solver for which that is too much says nothing and begins
 * again, which also gives the same answer. The best network of a search that
 * begins again can be kept: it must not steer the search, and only counts if a
 * limit ends it before it is as far as it was. */
#ifndef BESTDAG_SEARCH_SAVED_STATE_H
#define BESTDAG_SEARCH_SAVED_STATE_H

#include "base/checkpoint.h"
#include "problem/component.h"
#include "search/solver.h"

/* Between two steps: saves what `pass` passes, if that is due. */
void bestdag_task_save(struct bestdag_task *task, bestdag_pass_fn *pass,
                       void *state);
/* In the beginning: fills in what was saved by the same solver on the same
 * problem. False: there is none, or the run failed. Then `state` is as it was,
 * or the run failed. */
bool bestdag_task_resume(struct bestdag_task *task, bestdag_pass_fn *pass,
                         void *state);
/* Keeps the best network so far, if that is due. */
void bestdag_task_keep(struct bestdag_task *task,
                       const struct bestdag_dag *dag);
/* For the door: keeps the network that a search was cut short with. */
void bestdag_task_keep_last(struct bestdag_task *task,
                            const struct bestdag_dag *dag);
/* For the door: what was kept, the caller's. NULL with status OK: nothing. */
struct bestdag_dag *bestdag_task_kept(struct bestdag_task *task);

/* Parts of states. A number; one that is not in this range is rejected, and is
 * the least one then. */
void bestdag_pass_within(struct bestdag_parcel *p, int64_t *value,
                         int64_t least, int64_t most);
/* How often something was done. */
static inline void bestdag_pass_count(struct bestdag_parcel *p, int64_t *count)
{
    bestdag_pass_within(p, count, 0, (int64_t)1 << 53);
}
/* The order of n variables; one that is none is rejected. */
void bestdag_pass_order(struct bestdag_parcel *p, int *order, int n);
/* How many components are done, and the order of the variables in each, which
 * stand behind each other in `order`. Returns how many variables those are. */
int bestdag_pass_components(struct bestdag_parcel *p,
                            const struct bestdag_components *core, int *done,
                            int *order);
/* Of n variables. *dag is made, or replaced, when the parcel is opened. */
void bestdag_pass_dag(struct bestdag_parcel *p, struct bestdag_run *run,
                      struct bestdag_dag **dag, int n);

#endif
