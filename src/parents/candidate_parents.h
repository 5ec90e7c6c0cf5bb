/* SPDX-License-Identifier: MIT */
/* candidate_parents.h -- which variables may be parents of each. */
#ifndef BESTDAG_PARENTS_CANDIDATE_PARENTS_H
#define BESTDAG_PARENTS_CANDIDATE_PARENTS_H

#include "parents/parents.h"

/* Fills plan->candidate if not all may be: only the K variables of highest
 * mutual information (option "candidates"), and no constant columns. */
int bestdag_candidate_parents_restrict(struct bestdag_plan *plan,
                                       const struct bestdag_options *options);

/* What a set with a variable that was left out can score at most, in nats;
 * -INFINITY: none was left out but constant ones. */
double bestdag_candidate_parents_ceiling(const struct bestdag_plan *plan,
                                         int child);

#endif
