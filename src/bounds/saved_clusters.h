/* SPDX-License-Identifier: MIT */
/* saved_clusters.h -- clusters with their multipliers, apart from any lists.
 *
 * Multipliers give a bound over whatever lists there are. So what one search
 * has found at its root is where the next one begins: on the same lists, on
 * lists that have grown, or with arcs instead of prefixes. */
#ifndef BESTDAG_BOUNDS_SAVED_CLUSTERS_H
#define BESTDAG_BOUNDS_SAVED_CLUSTERS_H

#include "bounds/relaxation.h"

struct bestdag_saved_clusters {
    int32_t *number; /* owns; of each cluster: least, size, classes, members,
                        labels */
    int64_t *y;      /* owns; [count]: multipliers */
    int64_t count, numbers;
    int64_t bound; /* of the lists that they were taken from */
    bool is_final; /* they will hardly become better */
};

void bestdag_saved_clusters_release(struct bestdag_saved_clusters *saved);
/* Replaces what was saved by the clusters of a relaxation over all variables
 * that have a multiplier. */
int bestdag_saved_clusters_take(struct bestdag_saved_clusters *saved,
                                const struct bestdag_relaxation *from);
/* Adds them to a relaxation over all variables, with their multipliers. */
int bestdag_saved_clusters_give(const struct bestdag_saved_clusters *saved,
                                struct bestdag_relaxation *to);

/* Adds those that are within a part of the variables: number i of `to` is
 * variable[i], ascending. `n` is the number of all. */
int bestdag_saved_clusters_give_part(const struct bestdag_saved_clusters *saved,
                                     const int32_t *variable, int n,
                                     struct bestdag_relaxation *to);

#endif
