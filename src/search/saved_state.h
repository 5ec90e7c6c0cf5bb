/* SPDX-License-Identifier: MIT */
/* saved_state.h -- the state of a search, so that a run that was killed can be
 * resumed.
 *
 * A solver that can be resumed saves its state at a few places and asks for it
 * at the start. A resumed search must give the same answer as one that was
 * never interrupted; a solver without a saved state starts again, which gives
 * the same answer, too. The best network of a search that starts again is kept:
 * it must not influence the search, and only counts if a limit ends it before
 * it has come as far as before. */
#ifndef BESTDAG_SEARCH_SAVED_STATE_H
#define BESTDAG_SEARCH_SAVED_STATE_H

#include "base/checkpoint.h"
#include "problem/component.h"
#include "search/solver.h"

/* Between two steps: saves what `pass` passes, if that is due. */
void bestdag_task_save(struct bestdag_task *task, bestdag_pass_fn *pass,
                       void *state);
/* At the start: fills in what was saved by the same solver on the same
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

/* Parts of states. A number; one outside this range is rejected and replaced by
 * the least one. */
void bestdag_pass_within(struct bestdag_archive *p, int64_t *value,
                         int64_t least, int64_t most);
/* How often something was done. */
static inline void bestdag_pass_count(struct bestdag_archive *p, int64_t *count)
{
    bestdag_pass_within(p, count, 0, (int64_t)1 << 53);
}
/* The order of n variables; one that is none is rejected. */
void bestdag_pass_order(struct bestdag_archive *p, int *order, int n);
/* How many components are done, and the order of the variables in each, which
 * stand behind each other in `order`. Returns how many variables those are. */
int bestdag_pass_components(struct bestdag_archive *p,
                            const struct bestdag_components *core, int *done,
                            int *order);
/* Of n variables. *dag is made, or replaced, when the archive is opened. */
void bestdag_pass_dag(struct bestdag_archive *p, struct bestdag_run *run,
                      struct bestdag_dag **dag, int n);

#endif
