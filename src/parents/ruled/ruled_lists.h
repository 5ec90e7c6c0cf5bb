/* SPDX-License-Identifier: MIT */
/* ruled_lists.h -- candidate parent sets of children that rules
 * constrain. */
#ifndef BESTDAG_PARENTS_RULED_RULED_LISTS_H
#define BESTDAG_PARENTS_RULED_RULED_LISTS_H

#include "parents/parents.h"

/* Do the rules say more about this child than which parents it may have and how
 * many? If not, a set obeys whenever a superset does. */
bool bestdag_knowledge_constrains(const struct bestdag_knowledge *knowledge,
                                  int child);
/* Does bestdag_ruled_lists_find() find the sets of this child, whatever the
 * strategy? */
bool bestdag_plan_constrains(const struct bestdag_plan *plan, int child);
/* Sets plan->limit by the rules. */
int bestdag_plan_limits(struct bestdag_plan *plan);
/* The number of sets of a child that no pruning may leave out; 1: none. */
double bestdag_ruled_lists_sets(const struct bestdag_plan *plan, int child);
/* Fills the lists of those children that are not done. */
int bestdag_ruled_lists_find(struct bestdag_plan *plan);

#endif
