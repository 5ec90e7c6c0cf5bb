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
/* What a relaxation has, as a block of its own; NULL: failed. */
struct bestdag_saved_clusters *bestdag_saved_clusters_new(
    const struct bestdag_relaxation *from);
void bestdag_saved_clusters_free(struct bestdag_saved_clusters *saved);
/* Replaces what was saved by the clusters of a relaxation over all variables
 * that have a multiplier. */
int bestdag_saved_clusters_take(struct bestdag_saved_clusters *saved,
                                const struct bestdag_relaxation *from);
/* Likewise, by those whose multiplier is larger than in `before`, and how much
 * larger; the first clusters of `from` are those of `before`. */
int bestdag_saved_clusters_take_raised(struct bestdag_saved_clusters *saved,
                                       const struct bestdag_relaxation *from,
                                       const struct bestdag_relaxation *before);
/* About this many bytes. */
int64_t bestdag_saved_clusters_bytes(
    const struct bestdag_saved_clusters *saved);
/* Adds them to a relaxation over all variables, with their multipliers; without
 * those that have a variable placed. */
int bestdag_saved_clusters_give(const struct bestdag_saved_clusters *saved,
                                struct bestdag_relaxation *to);

/* The cluster that begins at *at, a place in `number`, which steps on. */
struct bestdag_shape bestdag_saved_clusters_next(const int32_t **at);

/* Adds those that are within a part of the variables: number i of `to` is
 * variable[i], ascending. `n` is the number of all. */
int bestdag_saved_clusters_give_part(const struct bestdag_saved_clusters *saved,
                                     const int32_t *variable, int n,
                                     struct bestdag_relaxation *to);

#endif
