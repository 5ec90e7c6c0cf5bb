/* SPDX-License-Identifier: MIT */
/* component.h -- decomposition of a problem into strongly connected components
 * that are solved independently (Fan, Malone and Yuan 2014).
 *
 * Draw an arc u -> v if some set of v contains u. In an order that follows the
 * arcs, all possible parents of v in other components precede it. So parents
 * outside v's own component cost nothing, and an optimal network is the union
 * of optimal networks of the components.
 *
 *     lists of the problem            of the component {1, 4}, numbered 0, 1
 *     4:  {1, 7}  0                   1:  {0}  0
 *         {1}    12                       {}  40
 *         {2}    40
 *
 * Without the parent outside, {1, 7} becomes {1}, cheaper than the old {1}:
 * sets with a subset that is as cheap are pruned. */
#ifndef BESTDAG_PROBLEM_COMPONENT_H
#define BESTDAG_PROBLEM_COMPONENT_H

#include "problem/problem.h"

struct bestdag_component {
    int n;
    int words;                       /* of a mask: 1 up to 64 variables */
    const int32_t *variable;         /* [n], ascending: numbers in the
                                        problem */
    struct bestdag_candidates *list; /* [n] */
};

struct bestdag_components {
    int n;
    int components;                      /* at least 1 if n > 0 */
    int largest;                         /* variables of the largest one */
    struct bestdag_component *component; /* owns; possible parents first */
    int32_t *variable;                   /* owns; [n]: by component */
    struct bestdag_candidates *list;     /* owns; [n]: by component */
};

/* NULL: error. The problem need not outlive it. Time and memory grow with the
 * lists, whatever the number of components. */
struct bestdag_components *bestdag_components_new(
    struct bestdag_run *run, const struct bestdag_problem *problem);
void bestdag_components_free(struct bestdag_components *components);
/* The size of the largest component, computed without making any; negative:
 * error. */
int bestdag_components_largest(struct bestdag_run *run,
                               const struct bestdag_problem *problem);

#endif
