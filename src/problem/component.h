/* SPDX-License-Identifier: MIT */
/* component.h -- a problem in pieces that can be solved one by one.
 *
 * Draw an arc u -> v if some set of v holds u. Variables of different strongly
 * connected components never stand in each other's way: in an order that
 * follows the arcs, all that v may want from other components is there before
 * it. So parents outside v's own component are free, and an optimal network is
 * the optima of the components side by side (Fan, Malone and Yuan 2014).
 *
 *     lists of the problem            of the component {1, 4}, numbered 0, 1
 *     4:  {1, 7}  0                   1:  {0}  0
 *         {1}    12                       {}  40
 *         {2}    40
 *
 * Without its free parents {1, 7} is {1}, cheaper than the {1} there was: sets
 * that have a subset as cheap leave the list. */
#ifndef BESTDAG_PROBLEM_COMPONENT_H
#define BESTDAG_PROBLEM_COMPONENT_H

#include "problem/problem.h"

struct bestdag_component {
    int n;
    int words;                       /* of a mask: 1 up to 64 variables */
    const int32_t *variable;         /* [n], ascending: their numbers outside */
    struct bestdag_candidates *list; /* [n] */
};

struct bestdag_components {
    int n;
    int components;                      /* at least 1 if n is */
    int largest;                         /* variables of the largest one */
    struct bestdag_component *component; /* owns; what may be a parent first */
    int32_t *variable;                   /* owns; [n]: by component */
    struct bestdag_candidates *list;     /* owns; [n]: likewise */
};

/* NULL: failed. The problem need not outlive it. Time and memory grow with the
 * lists, whatever the number of components. */
struct bestdag_components *bestdag_components_new(
    struct bestdag_run *run, const struct bestdag_problem *problem);
void bestdag_components_free(struct bestdag_components *core);
/* Variables of the largest component alone, without making any; negative:
 * failed. */
int bestdag_components_largest(struct bestdag_run *run,
                               const struct bestdag_problem *problem);

#endif
