/* SPDX-License-Identifier: MIT */
/* greedy_network.h -- a first network over the candidate lists, found greedily.
 */
#ifndef BESTDAG_PROBLEM_GREEDY_NETWORK_H
#define BESTDAG_PROBLEM_GREEDY_NETWORK_H

#include "problem/problem.h"

/* Places variables one by one: of those with a set among the variables placed
 * before, the one whose best such set is least below the best of its list.
 * choice[v] gets the set of v, *distance the sum of the distances in nats;
 * INFINITY: the lists allow no network. Requires the masks, through which
 * "order" rules hold, but no costs. It finds a network whenever there is one.
 * Time: linear in the members of all sets, and n log n. */
int bestdag_greedy_network(struct bestdag_run *run,
                           const struct bestdag_problem *problem,
                           int32_t *choice, double *distance);

#endif
