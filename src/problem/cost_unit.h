/* SPDX-License-Identifier: MIT */
/* cost_unit.h -- the unit of costs, and the cap on the cost of a set.
 *
 * A unit is 2^-32 nat if the costs of any network then fit into 59 bits. If
 * they do not, costs are capped. The cap is above the cost of a known network,
 * so no network with a capped set is optimal, and a search over capped costs
 * finds the optimum; a capped set stays in its list, as it may be the only one
 * that an order allows. Only if even the cost of the known network is too
 * large, the unit is coarser, down to 2^-20 nat; beyond that, the lists are
 * refused.
 *
 * A capped cost is never more than the true one: lower bounds on capped costs
 * are lower bounds on costs, whatever the cap. */
#ifndef BESTDAG_PROBLEM_COST_UNIT_H
#define BESTDAG_PROBLEM_COST_UNIT_H

#include "problem/problem.h"

/* Sets shift, none, cap and known of a problem with masks. BESTDAG_INPUT: the
 * scores are too large, or too far apart. knowledge may be NULL. */
int bestdag_cost_unit_choose(struct bestdag_run *run,
                             struct bestdag_problem *problem,
                             const struct bestdag_knowledge *knowledge);
/* The cost of a set that is this many nats below the best of its list. */
int64_t bestdag_cost_units(const struct bestdag_problem *problem,
                           double distance);

#endif
