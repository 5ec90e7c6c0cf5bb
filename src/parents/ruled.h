/* SPDX-License-Identifier: MIT */
/* ruled.h -- candidate parent sets of the children that rules speak of. */
#ifndef BESTDAG_PARENTS_RULED_H
#define BESTDAG_PARENTS_RULED_H

#include "parents/parents.h"

/* Is there more to mind for this child than who may be its parent and how many
 * there may be? */
bool bestdag_plan_is_ruled(const struct bestdag_plan *plan, int child);
/* plan->limit and, for strategies, what else the rules say of all children. */
int bestdag_plan_limits(struct bestdag_plan *plan);
/* Sets that no pruning may leave out, for a child of the plan; 1: none. */
double bestdag_ruled_sets(const struct bestdag_plan *plan, int child);
/* Fills the lists of all children that are ruled and not done. */
int bestdag_ruled_find(struct bestdag_plan *plan);

#endif
