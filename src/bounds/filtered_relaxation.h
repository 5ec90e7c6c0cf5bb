/* SPDX-License-Identifier: MIT */
/* filtered_relaxation.h -- a relaxation over fewer sets: a copy that shares the
 * clusters of its origin, one per thread, takes the sets and the multipliers
 * that it is given, and ascends from there. */
#ifndef BESTDAG_BOUNDS_FILTERED_RELAXATION_H
#define BESTDAG_BOUNDS_FILTERED_RELAXATION_H

#include "bounds/relaxation.h"

/* A copy with room for lists of its own; they are empty. `root` must stay as it
 * is. NULL: failed. Freed like any relaxation. */
struct bestdag_relaxation *bestdag_relaxation_scratch(
    struct bestdag_relaxation *root);
struct bestdag_set_filter {
    const void *job;
    /* Is this set of v, by its number outside, to stay? */
    bool (*keeps)(const void *job, int v, int number);
    int64_t limit; /* nor do sets with which nothing costs less */
};
/* For a scratch: the sets of `from`, the root or itself, that the filter keeps;
 * of the root also the multipliers. pi_v and the bound grow by the least
 * reduced cost that is left. False: some variable has no set, or the limit is
 * reached.
 */
bool bestdag_relaxation_filter(struct bestdag_relaxation *relax,
                               const struct bestdag_relaxation *from,
                               const struct bestdag_set_filter *filter);

#endif
