/* SPDX-License-Identifier: MIT */
/* candidate_parents.h -- which variables may be parents of each variable. */
#ifndef BESTDAG_PARENTS_CANDIDATE_PARENTS_H
#define BESTDAG_PARENTS_CANDIDATE_PARENTS_H

#include "parents/parents.h"

/* Fills plan->candidate if not all variables may be: only the K of highest
 * mutual information (option "candidates"), and no constant columns. */
int bestdag_candidate_parents_restrict(struct bestdag_plan *plan,
                                       const struct bestdag_options *options);

/* An upper bound, in nats, on the score of sets with an excluded variable;
 * -INFINITY: only constant ones are excluded. */
double bestdag_candidate_parents_ceiling(const struct bestdag_plan *plan,
                                         int child);

#endif
