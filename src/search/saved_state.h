/* SPDX-License-Identifier: MIT */
/* saved_state.h -- the state of a search, so that a run that was killed can be
 * resumed.
 *
 * A solver that can be resumed saves its state at a few places and asks for it
 * at the start. A resumed search must give the same answer as one that was
 * never interrupted; a solver without a saved state starts again, which gives
 * the same answer, too. The best network of a search that starts again is kept,
 * but must not influence the search: it counts only if a limit ends the search
 * before it has come as far as before. */
#ifndef BESTDAG_SEARCH_SAVED_STATE_H
#define BESTDAG_SEARCH_SAVED_STATE_H

#include "base/checkpoint.h"
#include "problem/component.h"
#include "search/solver.h"

/* Between two steps: saves what `pass` passes, if a save is due. */
void bestdag_task_save(struct bestdag_task *task, bestdag_pass_fn *pass,
                       void *state);
/* At the start: restores what the same solver saved on the same problem. False:
 * no such state (`state` is unchanged), or an error. */
bool bestdag_task_resume(struct bestdag_task *task, bestdag_pass_fn *pass,
                         void *state);
/* Keeps the best network so far, if a save is due. */
void bestdag_task_keep(struct bestdag_task *task,
                       const struct bestdag_dag *dag);
/* For solver.c: keeps the network of a search that was cut short. */
void bestdag_task_keep_last(struct bestdag_task *task,
                            const struct bestdag_dag *dag);
/* For solver.c: the network kept, owned by the caller. NULL with status OK:
 * none. */
struct bestdag_dag *bestdag_task_kept(struct bestdag_task *task);

/* Parts of states. A number; if it is outside the range, the state is rejected
 * and the number set to `least`. */
void bestdag_pass_within(struct bestdag_archive *p, int64_t *value,
                         int64_t least, int64_t most);
/* A counter. */
static inline void bestdag_pass_count(struct bestdag_archive *p, int64_t *count)
{
    bestdag_pass_within(p, count, 0, (int64_t)1 << 53);
}
/* An order of n variables; anything else is rejected. */
void bestdag_pass_order(struct bestdag_archive *p, int *order, int n);
/* How many components are done, and the orders of their variables, one after
 * the other in `order`. Returns the number of these variables. */
int bestdag_pass_components(struct bestdag_archive *p,
                            const struct bestdag_components *core, int *done,
                            int *order);
/* A DAG of n variables. *dag is made, or replaced, when the state is read. */
void bestdag_pass_dag(struct bestdag_archive *p, struct bestdag_run *run,
                      struct bestdag_dag **dag, int n);

#endif
