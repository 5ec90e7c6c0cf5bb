/* SPDX-License-Identifier: MIT */
/* greedy_network.h -- a first network over the candidate lists, found greedily.
 */
#ifndef BESTDAG_PROBLEM_GREEDY_NETWORK_H
#define BESTDAG_PROBLEM_GREEDY_NETWORK_H

#include "problem/problem.h"

/* Places variables one by one: of those with a set among the variables placed
 * before, the one whose best such set is least below the best of its list. The
 * set of v goes to choice[v] and the sum of the distances, in nats, to
 * *distance; INFINITY: the lists allow no network. The masks must be there, and
 * thus "order" rules hold; costs are not looked at. It finds a network whenever
 * there is one. Time: linear in the members of all sets, and n log n. */
int bestdag_greedy_network(struct bestdag_run *run,
                           const struct bestdag_problem *problem,
                           int32_t *choice, double *distance);

#endif
