/* SPDX-License-Identifier: MIT */
/* grouping.h -- how the variables of a component are cut into the groups of a
 * static pattern database. */
#ifndef BESTDAG_BOUNDS_GROUPING_H
#define BESTDAG_BOUNDS_GROUPING_H

#include "problem/component.h"

/* Which patterns a heuristic has. */
struct bestdag_heuristic_plan {
    const char *name;     /* of the row; NULL: static */
    int k;                /* dynamic: variables of a pattern, at most 4;
                             0: 3 */
    int groups;           /* static: how many; 0: chosen */
    const char *grouping; /* static: how they are found; NULL: the best */
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

/* Groups for a plan whose heuristic is `static`; one group of all, in the order
 * that they have, for any other. There may be fewer groups than were asked for,
 * where variables belong together; or more, if tables of so few would take more
 * than a quarter of the memory limit. */
int bestdag_grouping_find(struct bestdag_run *run,
                          const struct bestdag_component *component,
                          const struct bestdag_heuristic_plan *plan,
                          struct bestdag_grouping *to);
void bestdag_grouping_release(struct bestdag_grouping *grouping);

#endif
