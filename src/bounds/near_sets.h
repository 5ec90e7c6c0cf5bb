/* SPDX-License-Identifier: MIT */
/* near_sets.h -- the working set of the smooth bound: the sets of small reduced
 * cost of each list, with the clusters that they meet.
 *
 * Sets of large reduced cost, which are most, have no fraction. The few near
 * ones are copied, each with the clusters that it does not miss. With base_C =
 * least_C - the number of members of C,
 *
 *     B(y) = sum of base_C y_C + sum over v of the least of
 *            cost(v, P) + sum of y_C: v in C, P does not miss C,
 *
 * so that a step costs the entries of that table. This holds for any y as long
 * as the sets left out stay far. */
#ifndef BESTDAG_BOUNDS_NEAR_SETS_H
#define BESTDAG_BOUNDS_NEAR_SETS_H

#include "bounds/relaxation.h"

/* A cluster as one of its members sees it. */
struct bestdag_near_view {
    int32_t cluster;
    struct bestdag_cluster_view seen;
};

struct bestdag_near_sets {
    struct bestdag_relaxation *r;
    int64_t *view_start;            /* owns; [n + 1] */
    struct bestdag_near_view *view; /* owns; views of v: view[view_start[v]
                                       ..) */
    double *base;   /* owns; [clusters]: least less the number of members */
    int64_t *start; /* owns; [n + 1] */
    int32_t *set;   /* owns; ascending numbers in v's list: set[start[v] ..) */
    int64_t room;   /* of set */
    int64_t *last_start; /* owns; the previous choice, in the same form */
    int32_t *last;
    int64_t last_room;
    int64_t *hit_start; /* owns; [sets + 1]: offsets in `hit` */
    int32_t *hit;       /* owns; clusters that each set meets, ascending */
    int64_t hits;       /* room of hit */
    uint64_t *mask;     /* owns; scratch: masks of the near sets of a list */
    uint64_t *meets;    /* owns; scratch: a row of bits per view, the sets that
                           meet its cluster */
    size_t masks, rows; /* words in `mask` and `meets` */
    bool is_whole;      /* no set is left out */
    int64_t most_hits;  /* limit by memory */
};

/* Makes the views of all clusters of the pool; no sets yet. */
int bestdag_near_sets_init(struct bestdag_near_sets *near,
                           struct bestdag_relaxation *relax);
void bestdag_near_sets_release(struct bestdag_near_sets *near);
/* Chooses the sets of reduced cost at most `far`: the nearest `most` of each
 * list, those of the last choice, and always the empty set; fewer if the table
 * would take too much of the memory limit. */
int bestdag_near_sets_choose(struct bestdag_near_sets *near, double far,
                             int most);

#endif
