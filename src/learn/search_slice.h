/* SPDX-License-Identifier: MIT */
/* search_slice.h -- a search in a slice of the run. */
#ifndef BESTDAG_LEARN_SEARCH_SLICE_H
#define BESTDAG_LEARN_SEARCH_SLICE_H

#include "search/solver.h"

/* Runs the task's solver for this much counted work (base/work.h), with this
 * seed. Returns the slice, which the caller joins or frees and whose status
 * says how the search ended; NULL: error. */
struct bestdag_run *bestdag_search_in_slice(struct bestdag_task *task,
                                            double work, uint64_t seed,
                                            struct bestdag_outcome *to);
/* The same for an optional search: failure is no error, and leaves no graph.
 * The amount is time or work (work_budget.h). */
int bestdag_search_try(struct bestdag_task *task, double amount,
                       struct bestdag_outcome *to);

#endif
