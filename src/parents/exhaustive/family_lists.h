/* SPDX-License-Identifier: MIT */
/* family_lists.h -- complete lists by a score's own enumeration of the sets
 * that may be better than their subsets (`list` in scores/score.h): one child
 * after the other, on all threads. */
#ifndef BESTDAG_PARENTS_EXHAUSTIVE_FAMILY_LISTS_H
#define BESTDAG_PARENTS_EXHAUSTIVE_FAMILY_LISTS_H

#include "parents/parents.h"

/* Does the score have such an enumeration, and does it suit this plan? */
bool bestdag_family_lists_can(const struct bestdag_plan *plan);
/* Makes the lists of all children except those with is_taken[v]. */
int bestdag_family_lists_find(struct bestdag_plan *plan, const bool *is_taken);

#endif
