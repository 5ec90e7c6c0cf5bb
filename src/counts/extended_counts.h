/* SPDX-License-Identifier: MIT */
/* extended_counts.h -- counts of a known set of parents, one more and a child,
 * in one pass over the rows.
 *
 * A search that jumps from set to set spends its time on regrouping the rows.
 * Here the group numbers of the last few hundred sets are cached by a hash of
 * the set; those of an evicted set are recomputed from its members. Grouping by
 * a variable and counting each cost a pass of 1 to 2 ns per row. For sets with
 * few joint states bit columns are faster: see
 * bestdag_extended_counts_pays(). */
#ifndef BESTDAG_COUNTS_EXTENDED_COUNTS_H
#define BESTDAG_COUNTS_EXTENDED_COUNTS_H

#include "counts/columns.h"
#include "counts/distinct.h"
#include "counts/score_terms.h"

/* Data of one thread. */
struct bestdag_extended_counts;
/* Borrows `rows`, those of the columns. Caches at most about this many bytes of
 * group numbers, but at least four sets. */
struct bestdag_extended_counts *bestdag_extended_counts_new(
    struct bestdag_run *run, const struct bestdag_columns *columns,
    const struct bestdag_distinct *rows, int64_t bytes);
void bestdag_extended_counts_free(struct bestdag_extended_counts *extension);

/* base + added are the parents, without duplicates. */
struct bestdag_extended {
    const int *base;
    int count;
    uint64_t hash; /* of base; different sets have different ones */
    int added, child;
};

/* Is this the fastest way for this many joint states of the parents? */
bool bestdag_extended_counts_pays(
    const struct bestdag_extended_counts *extension, double states);

struct bestdag_extended_sums {
    int64_t top[2], bottom[2]; /* sums over all cells, and over the parents'
                                  cells */
    int64_t cells, configurations;
};
struct bestdag_extended_terms {
    const struct bestdag_score_terms *top[2], *bottom[2];
    int count; /* <= 2 */
};
/* False: not done, because there are far more cells than rows. */
bool bestdag_extended_counts_sum(struct bestdag_extended_counts *extension,
                                 const struct bestdag_extended *set,
                                 const struct bestdag_extended_terms *terms,
                                 struct bestdag_extended_sums *to);

#endif
