/* SPDX-License-Identifier: MIT */
/* grouping.h -- partitions the variables of a component into the groups of a
 * static pattern database. */
#ifndef BESTDAG_BOUNDS_GROUPING_H
#define BESTDAG_BOUNDS_GROUPING_H

#include "problem/component.h"

/* Which patterns a heuristic has. */
struct bestdag_heuristic_plan {
    const char *name;     /* of the row; NULL: static */
    int k;                /* dynamic: variables of a pattern, at most 4;
                             0: 3 */
    int groups;           /* static: number of groups; 0: automatic */
    const char *grouping; /* static: name of the grouping; NULL: default */
};

struct bestdag_grouping {
    int groups;
    int *size;  /* owns; [groups], each at least 1 */
    int *order; /* owns; [n]: variables by group; see renumber.h */
};

struct bestdag_grouping_row {
    const char *name, *help;
};

/* The i-th row; NULL after the last. */
const struct bestdag_grouping_row *bestdag_grouping_at(int i);

/* Groups for a plan whose heuristic is `static`; for any other, one group in
 * the present order. There may be fewer groups than wanted, if variables belong
 * together, or more, if the tables would take more than a quarter of the memory
 * limit. */
int bestdag_grouping_find(struct bestdag_run *run,
                          const struct bestdag_component *component,
                          const struct bestdag_heuristic_plan *plan,
                          struct bestdag_grouping *to);
void bestdag_grouping_release(struct bestdag_grouping *grouping);

#endif
