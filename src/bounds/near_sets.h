/* SPDX-License-Identifier: MIT */
/* near_sets.h -- the working set of the smooth bound: of each list the sets of
 * small reduced cost, with the clusters that they meet.
 *
 * A set that is far from the cheapest has no fraction, and most are far. The
 * few that are near are copied, and of each is written down which clusters it
 * does not miss. With base_C = least_C - the number of members of C,
 *
 *     B(y) = sum of base_C y_C + sum over v of the least of
 *            cost(v, P) + sum of y_C: v in C, P does not miss C,
 *
 * so that a step costs the entries of that table. It holds for any y as far as
 * the sets left out stay far. */
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
    struct bestdag_near_view *view; /* owns; view[view_start[v] ..): of v */
    double *base;   /* owns; [clusters]; -1: meets what is placed, stays 0 */
    int64_t *start; /* owns; [n + 1] */
    int32_t *set;   /* owns; set[start[v] ..): ascending numbers in v's list
                     */
    int64_t room;   /* of set */
    int64_t *last_start; /* owns; the choice before, likewise */
    int32_t *last;
    int64_t last_room;
    int64_t *hit_start; /* owns; [sets + 1] */
    int32_t *hit;       /* owns; clusters that the set meets, ascending */
    int64_t hits;       /* room of hit */
    uint64_t *mask;     /* owns; scratch: masks of the near sets of a list */
    uint64_t *meets;    /* owns; scratch: a row of bits per view, which of them
                           meet the cluster */
    size_t masks, rows; /* words in both */
    bool is_whole;      /* no set is left out */
    int64_t most_hits;  /* by the memory limit */
};

/* The views of all clusters of the pool; no sets yet. */
int bestdag_near_sets_init(struct bestdag_near_sets *near,
                           struct bestdag_relaxation *relax);
void bestdag_near_sets_release(struct bestdag_near_sets *near);
/* Takes the sets whose reduced cost is at most `far`: the nearest `most` of a
 * list, those that it had before, and always empty ones. Fewer, if the table
 * would take too much of the memory limit. */
int bestdag_near_sets_choose(struct bestdag_near_sets *near, double far,
                             int most);

#endif
