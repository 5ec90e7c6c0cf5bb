/* SPDX-License-Identifier: MIT */
/* incumbent.h -- the incumbent of a search, kept at the door.
 *
 * A search that fails, as memory or the disk may, can no longer build its
 * answer. So solvers deposit their incumbent as they go, which takes no memory,
 * and the door builds the network from it when the solver has given back its
 * memory. Solvers whose incumbent is a DAG return it instead. */
#ifndef BESTDAG_SEARCH_INCUMBENT_H
#define BESTDAG_SEARCH_INCUMBENT_H

#include "search/solver.h"

struct bestdag_incumbent {
    enum { BESTDAG_NOTHING, BESTDAG_AN_ORDER, BESTDAG_SETS } kind;
    int64_t cost;
    int32_t
        *at; /* owns; [n]: variables in order, or the number of a set each */
};

/* For solvers, on the calling thread: the best order so far, or the set of each
 * variable. It is copied if it costs less than what is there. A task without
 * deposit ignores it. */
void bestdag_task_keep_incumbent_order(struct bestdag_task *task,
                                       const int *order, int64_t cost);
void bestdag_task_keep_incumbent_sets(struct bestdag_task *task,
                                      const int32_t *choice, int64_t cost);

/* For the door. The task borrows the deposit until it is closed. */
int bestdag_incumbent_open(struct bestdag_task *task,
                           struct bestdag_incumbent *deposit);
/* NULL: nothing was deposited, or it failed. */
struct bestdag_dag *bestdag_incumbent_dag(const struct bestdag_task *task);
void bestdag_incumbent_close(struct bestdag_task *task);

#endif
