/* SPDX-License-Identifier: MIT */
/* cuts.h -- variables whose states are intervals of numbers.
 *
 * A variable that was cut from numbers has the property "cuts = 1.5 2.5", one
 * cut less than it has states; a cut c separates x < c from x >= c. BIF, XMLBIF
 * and JSON files keep properties. */
#ifndef BESTDAG_NETWORK_CUTS_H
#define BESTDAG_NETWORK_CUTS_H

#include "data/discretize/discretize.h"
#include "network/network.h"

bool bestdag_variable_is_cut(const struct bestdag_variable *x);
/* Reads the cuts of a variable, if it has any (*is_cut). The caller frees
 * to->at.
 */
int bestdag_variable_cuts(struct bestdag_run *run,
                          const struct bestdag_variable *x,
                          struct bestdag_cuts *to, bool *is_cut);
int bestdag_variable_mark_cuts(struct bestdag_run *run,
                               struct bestdag_variable *x,
                               const struct bestdag_cuts *cuts);

#endif
