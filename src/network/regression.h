/* SPDX-License-Identifier: MIT */
/* regression.h -- variables that are numbers: conditional Gaussians.
 *
 * A number may have parents with states and parents that are numbers; a
 * variable with states has parents with states only (Lauritzen and Wermuth
 * 1989). For every configuration j of its discrete parents (ascending, first
 * slowest) a number x has a linear regression on its k numeric parents u1 < u2
 * < ...:
 *
 *     x = intercept + c1 u1 + ... + ck uk + sd * a standard normal
 *
 * variable.regression[j * (k + 2)] is the intercept, then come c1 .. ck, then
 * sd, which may be 0: x is then a function of its parents. */
#ifndef BESTDAG_NETWORK_REGRESSION_H
#define BESTDAG_NETWORK_REGRESSION_H

#include "network/network.h"

bool bestdag_network_has_numbers(const struct bestdag_network *network);
/* Are all variables numbers? */
bool bestdag_network_is_gaussian(const struct bestdag_network *network);
/* Does every variable have its table or its regressions? */
bool bestdag_network_is_fitted(const struct bestdag_network *network);
/* Number of v's parents that are numbers; `to` (or NULL) gets them,
 * ascending. */
int bestdag_network_numeric_parents(const struct bestdag_network *network,
                                    int v, int *to);
/* Entries of the regression of one configuration: numeric parents + 2. */
int bestdag_network_terms(const struct bestdag_network *network, int v);
/* Makes zeroed regressions for v, a number. BESTDAG_MEMORY if they do not
 * fit. */
int bestdag_network_new_regression(struct bestdag_run *run,
                                   struct bestdag_network *network, int v);
/* Copies `regression` (configurations of discrete parents in the order
 * `parents`, first slowest; terms in the network's order) to that of v. */
int bestdag_network_store_regression(struct bestdag_run *run,
                                     struct bestdag_network *network, int v,
                                     const int *parents, int count,
                                     const double *regression);
/* The mean of v, a number, in configuration j of its discrete parents, given
 * the value[u] of each numeric parent u. */
double bestdag_network_mean(const struct bestdag_network *network, int v,
                            int64_t j, const double *value);

/* Fails if v has states and a parent that is a number; `file` is for
 * messages. */
int bestdag_network_check_arcs(struct bestdag_run *run,
                               const struct bestdag_network *network, int v,
                               const char *file);
/* The same for all variables; also checks that regressions are finite and sd is
 * at least 0. */
int bestdag_network_check_numbers(struct bestdag_run *run,
                                  const struct bestdag_network *network,
                                  const char *file);
/* Fails unless all variables have states: `what` cannot be done with
 * numbers.
 */
int bestdag_network_need_states(struct bestdag_run *run,
                                const struct bestdag_network *network,
                                const char *what);

#endif
