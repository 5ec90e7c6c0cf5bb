/* SPDX-License-Identifier: MIT */
/* incumbent.h -- a good order soon, for solvers that prove: what they have to
 * show if they are stopped. */
#ifndef BESTDAG_SEARCH_INCUMBENT_H
#define BESTDAG_SEARCH_INCUMBENT_H

#include "search/solver.h"

/* Climbs from the task's start, or from the order of the numbers. Fills
 * order[n] and adds the look-ups to *steps; tells what it found. */
int bestdag_incumbent_find(struct bestdag_task *task, int *order,
                           int64_t *steps);

#endif
