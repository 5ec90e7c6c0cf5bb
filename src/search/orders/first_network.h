/* SPDX-License-Identifier: MIT */
/* first_network.h -- a good order, found quickly: the incumbent of solvers that
 * prove. */
#ifndef BESTDAG_SEARCH_ORDERS_FIRST_NETWORK_H
#define BESTDAG_SEARCH_ORDERS_FIRST_NETWORK_H

#include "problem/component.h"
#include "search/solver.h"

/* Look-ups of the search for the incumbent: fewer where lists are long, and
 * each look-up takes longer. */
int64_t bestdag_first_network_steps(const struct bestdag_problem *problem);
/* Runs `orders` for about `most` look-ups (0: its own limit). Fills order[n],
 * adds the look-ups to *steps, and reports the network. */
int bestdag_first_network_find(struct bestdag_task *task, int64_t most,
                               int *order, int64_t *steps);
/* Climbs from order[n] and continues for about `most` look-ups, at least 1;
 * replaces it by the best order found, which may be the same. Reports nothing.
 * Without enough memory it does nothing. */
int bestdag_first_network_climb(struct bestdag_task *task, int64_t most,
                                int *order, int64_t *steps);
/* The incumbent of a solver that proves: the start, if it is one of several
 * provers (task->turn), else by bestdag_first_network_find(). */
int bestdag_first_network_begin(struct bestdag_task *task, int64_t most,
                                int *order, int64_t *steps);
/* Sorts the variables of a component by their positions rank[v] in the order of
 * all: fills order[component->n]. */
void bestdag_first_network_part(const struct bestdag_component *component,
                                const int *rank, int *order);
/* For problems too large for a proof: runs `orders` for the time left, or,
 * without a time limit, for as many look-ups as for an incumbent. The only
 * bound is the sum of the best local scores. */
int bestdag_first_network_only(struct bestdag_task *task,
                               struct bestdag_answer *to);
/* The network of an order, and the bound from `least`, a lower bound on the
 * cost of every network. */
int bestdag_first_network_answer(struct bestdag_task *task, const int *order,
                                 int64_t least, struct bestdag_answer *to);

#endif
