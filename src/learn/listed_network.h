/* SPDX-License-Identifier: MIT */
/* listed_network.h -- a network whose families are on the candidate lists. */
#ifndef BESTDAG_LEARN_LISTED_NETWORK_H
#define BESTDAG_LEARN_LISTED_NETWORK_H

#include "search/solver.h"

/* Replaces each family that is not on the task's lists by the best listed one
 * with fewer of its parents, where there is one: lists drop a set when a subset
 * scores at least as well. No arc is added. *changed: number of families;
 * *score is updated. */
int bestdag_network_keep_listed(const struct bestdag_task *task,
                                struct bestdag_dag *dag, double *score,
                                int *changed);

#endif
