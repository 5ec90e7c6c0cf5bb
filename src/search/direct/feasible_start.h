/* SPDX-License-Identifier: MIT */
/* feasible_start.h -- a DAG that obeys the rules about single children and
 * orders, as a start for searches on the table.
 *
 * Variables are placed one after the other: a variable may be placed once all
 * that must precede it are, and some set of placed variables obeys its rules.
 * More placed variables allow more sets, so a variable that can be placed stays
 * so, and if not all can be placed, there is no such DAG.
 *
 * A set is found by adding parents to the required ones: an unsatisfied clause
 * names parents that may be added. Once a parent was tried, the later ones are
 * tried without it, so no set is tried twice. Clauses can make this long; it
 * gives up after a fixed number of sets. */
#ifndef BESTDAG_SEARCH_DIRECT_FEASIBLE_START_H
#define BESTDAG_SEARCH_DIRECT_FEASIBLE_START_H

#include "constraints/deduction/compile.h"
#include "graph/dag.h"

/* Finds a DAG with at most max_parents (-1: any number) per variable. NULL: an
 * error, or none was found; then *gave_up says whether one may exist. */
struct bestdag_dag *bestdag_feasible_start_find(
    struct bestdag_run *run, const struct bestdag_knowledge *k, int max_parents,
    bool *gave_up);

#endif
