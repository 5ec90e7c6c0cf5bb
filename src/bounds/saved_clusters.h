/* SPDX-License-Identifier: MIT */
/* saved_clusters.h -- clusters and multipliers, independent of lists.
 *
 * Multipliers give a bound over any lists. So a search can begin with what
 * another one has found at its root: on the same lists, on lists that have
 * grown, or with arcs instead of prefixes. */
#ifndef BESTDAG_BOUNDS_SAVED_CLUSTERS_H
#define BESTDAG_BOUNDS_SAVED_CLUSTERS_H

#include "bounds/relaxation.h"

struct bestdag_saved_clusters {
    int32_t *number; /* owns; for each cluster: least, size, classes, members,
                        labels */
    int64_t *y;      /* owns; [count]: multipliers */
    int64_t count, numbers;
    int64_t bound; /* over the lists that they come from */
    bool is_final; /* little improvement is to be expected */
};

void bestdag_saved_clusters_release(struct bestdag_saved_clusters *saved);
/* Replaces the contents by the clusters, with multipliers other than 0, of a
 * relaxation over all variables. */
int bestdag_saved_clusters_take(struct bestdag_saved_clusters *saved,
                                const struct bestdag_relaxation *from);
/* Adds them to a relaxation over all variables, with their multipliers. */
int bestdag_saved_clusters_give(const struct bestdag_saved_clusters *saved,
                                struct bestdag_relaxation *to);

/* Adds the clusters inside a part of the variables: number i of `to` is
 * variable[i], ascending. n: number of all variables. */
int bestdag_saved_clusters_give_part(const struct bestdag_saved_clusters *saved,
                                     const int32_t *variable, int n,
                                     struct bestdag_relaxation *to);

#endif
