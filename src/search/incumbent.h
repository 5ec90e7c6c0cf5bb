/* SPDX-License-Identifier: MIT */
/* incumbent.h -- the incumbent of a search, kept outside the solver.
 *
 * A search that runs out of memory or disk can no longer build its answer. So
 * solvers record their incumbent as they go, which allocates nothing, and
 * solver.c builds the network from it after the solver has released its memory.
 * Solvers whose incumbent is a DAG return that instead. */
#ifndef BESTDAG_SEARCH_INCUMBENT_H
#define BESTDAG_SEARCH_INCUMBENT_H

#include "search/solver.h"

struct bestdag_incumbent {
    enum { BESTDAG_NOTHING, BESTDAG_AN_ORDER, BESTDAG_SETS } kind;
    int64_t cost;
    int32_t *at; /* owns; [n]: variables in order, or the index of each
                    variable's set */
};

/* For solvers, on the calling thread: the best order so far, or the set of each
 * variable. It is copied if it costs less than the recorded one; ignored if the
 * task keeps none. */
void bestdag_task_keep_incumbent_order(struct bestdag_task *task,
                                       const int *order, int64_t cost);
void bestdag_task_keep_incumbent_sets(struct bestdag_task *task,
                                      const int32_t *choice, int64_t cost);

/* For solver.c. The task borrows `incumbent` until it is closed. */
int bestdag_incumbent_open(struct bestdag_task *task,
                           struct bestdag_incumbent *incumbent);
/* NULL: nothing was recorded, or an error. */
struct bestdag_dag *bestdag_incumbent_dag(const struct bestdag_task *task);
void bestdag_incumbent_close(struct bestdag_task *task);

#endif
