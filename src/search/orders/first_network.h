/* SPDX-License-Identifier: MIT */
/* first_network.h -- a good order soon, for solvers that prove: what they have
 * to show if they are stopped. */
#ifndef BESTDAG_SEARCH_ORDERS_FIRST_NETWORK_H
#define BESTDAG_SEARCH_ORDERS_FIRST_NETWORK_H

#include "problem/component.h"
#include "search/solver.h"

/* Look-ups of the search that finds the incumbent: fewer where lists are long,
 * and each takes longer. */
int64_t bestdag_first_network_steps(const struct bestdag_problem *problem);
/* What `orders` finds in about `most` look-ups (0: as many as it would make).
 * Fills order[n] and adds the look-ups to *steps; reports what it found. */
int bestdag_first_network_find(struct bestdag_task *task, int64_t most,
                               int *order, int64_t *steps);
/* Climbs from order[n] and searches on from there for about `most` look-ups, at
 * least 1; the best order found, which may be the same, replaces it. Nothing is
 * reported. Without enough memory it does nothing. */
int bestdag_first_network_climb(struct bestdag_task *task, int64_t most,
                                int *order, int64_t *steps);
/* The incumbent of a solver that proves: the start, if it is one of several
 * provers (task->turn), else the same as above. */
int bestdag_first_network_begin(struct bestdag_task *task, int64_t most,
                                int *order, int64_t *steps);
/* The variables of a component by their places rank[v] in the order of all:
 * fills order[component->n]. */
void bestdag_first_network_part(const struct bestdag_component *component,
                                const int *rank, int *order);
/* Where a proof does not fit: what `orders` finds in the time that is left, or
 * without a limit of time in as many look-ups as for an incumbent. No bound but
 * the sum of the best sets. */
int bestdag_first_network_only(struct bestdag_task *task,
                               struct bestdag_answer *to);
/* The network of an order and the bound that `least`, a cost that no network
 * is below, gives. */
int bestdag_first_network_answer(struct bestdag_task *task, const int *order,
                                 int64_t least, struct bestdag_answer *to);

#endif
