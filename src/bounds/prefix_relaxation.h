/* SPDX-License-Identifier: MIT */
/* prefix_relaxation.h -- what the variables that are not placed yet cost at
 * least.
 *
 * With a set S placed first, clusters that do not meet S bound the cost of the
 * others: a relaxation of them alone, whatever the order of S was. A copy of a
 * relaxation, one per thread, takes the multipliers of its origin for such a
 * cluster as they are, drops the others, and ascends again. Where that is not
 * enough, the multipliers move to where they are best for this prefix, and
 * those are where longer prefixes begin. */
#ifndef BESTDAG_BOUNDS_PREFIX_RELAXATION_H
#define BESTDAG_BOUNDS_PREFIX_RELAXATION_H

#include "bounds/saved_clusters.h"

/* Shares lists and clusters with `root`, which must stay as it is. NULL:
 * failed. Freed like any relaxation. */
struct bestdag_relaxation *bestdag_relaxation_copy(
    struct bestdag_relaxation *root);
/* Places `set` (words of n bits), with the multipliers of the root; clusters of
 * its own are forgotten. The bound is that of the others. A scratch takes of
 * each list the sets that no other dominates then. */
int bestdag_relaxation_place(struct bestdag_relaxation *relax,
                             const struct bestdag_relaxation *root,
                             const uint64_t *set);
/* Likewise, with the multipliers saved of a smaller prefix. */
int bestdag_relaxation_resume(struct bestdag_relaxation *relax,
                              const struct bestdag_relaxation *root,
                              const struct bestdag_saved_clusters *from,
                              const uint64_t *set);
/* Places what `from`, another copy of the root, has placed, and v, with its
 * lists, clusters and multipliers; `from` must stay as it is as long as it is
 * used. */
int bestdag_relaxation_place_next(struct bestdag_relaxation *relax,
                                  const struct bestdag_relaxation *from, int v);
/* Raises the bound of a copy by moving all its multipliers and new clusters, a
 * few rounds of it, as long as it seems to reach `enough`. */
int bestdag_relaxation_sharpen(struct bestdag_relaxation *relax,
                               int64_t enough);
/* A copy with room for lists of its own; they are empty. */
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
/* Scratch for the next one. NULL: failed. */
struct bestdag_after;
struct bestdag_after *bestdag_after_new(const struct bestdag_relaxation *relax);
void bestdag_after_free(struct bestdag_after *after);
/* to[v]: the bound with v placed, too, for every v that is not: clusters that
 * have v are dropped, and what they paid is gone. */
int bestdag_relaxation_after(const struct bestdag_relaxation *relax,
                             struct bestdag_after *after, int64_t *to);

#endif
