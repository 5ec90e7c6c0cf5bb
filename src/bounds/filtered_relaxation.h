/* SPDX-License-Identifier: MIT */
/* filtered_relaxation.h -- a relaxation over fewer sets: a copy, one per
 * thread, that shares the clusters of its origin, takes over some of its sets
 * and its multipliers, and ascends from there. */
#ifndef BESTDAG_BOUNDS_FILTERED_RELAXATION_H
#define BESTDAG_BOUNDS_FILTERED_RELAXATION_H

#include "bounds/relaxation.h"

/* A copy with room for its own lists, which are empty. `root` must not change.
 * NULL: error. Freed like any relaxation. */
struct bestdag_relaxation *bestdag_relaxation_scratch(
    struct bestdag_relaxation *root);
struct bestdag_set_filter {
    const void *job;
    /* Is this set of v, by its id, to stay? */
    bool (*keeps)(const void *job, int v, int number);
    int64_t limit; /* sets without a network below this cost go, too */
};
/* For a scratch: takes the sets of `from`, the root or itself, that the filter
 * keeps; from the root also the multipliers. pi_v and the bound grow by the
 * least reduced cost left. False: some variable has no set left, or the bound
 * reaches the limit. */
bool bestdag_relaxation_filter(struct bestdag_relaxation *relax,
                               const struct bestdag_relaxation *from,
                               const struct bestdag_set_filter *filter);

#endif
