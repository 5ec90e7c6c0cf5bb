/* SPDX-License-Identifier: MIT */
/* feasible_start.h -- a DAG that obeys the rules about single children and
 * orders, where a search that works on the table starts.
 *
 * Variables are placed one after the other: a variable may be placed once all
 * that must precede it are, and a set of the placed ones obeys its rules. The
 * more are placed the more sets there are, so a variable that can be placed
 * stays so, and if not all can be placed there is no such DAG.
 *
 * A set is found by adding parents to the required ones: a clause that is not
 * satisfied names what may be added. Of two that may be added the second is
 * tried without the first, so no set is looked at twice. Clauses can make that
 * long; it ends after a number of sets. */
#ifndef BESTDAG_SEARCH_DIRECT_FEASIBLE_START_H
#define BESTDAG_SEARCH_DIRECT_FEASIBLE_START_H

#include "constraints/deduction/compile.h"
#include "graph/dag.h"

/* With at most max_parents (-1: any number). NULL: failed, or none was found;
 * then *gave_up says whether there may be one. */
struct bestdag_dag *bestdag_feasible_start_find(
    struct bestdag_run *run, const struct bestdag_knowledge *k, int max_parents,
    bool *gave_up);

#endif
