/* SPDX-License-Identifier: MIT */
/* pairs.h -- the contingency tables of one variable with each of many, from bit
 * columns.
 *
 * For code that needs all n - 1 partners of a variable at once: its bit columns
 * stay in the L1 cache while the others are read. Variables are given by their
 * places (columns.h). */
#ifndef BESTDAG_COUNTS_PAIRS_H
#define BESTDAG_COUNTS_PAIRS_H

#include "counts/columns.h"
#include "counts/score_terms.h"

struct bestdag_pair {
    int64_t sum[2]; /* of the terms, over the joint cells */
    int64_t cells;  /* that occur */
};

/* Scratch of one thread. */
struct bestdag_pairs;
struct bestdag_pairs *bestdag_pairs_new(struct bestdag_run *run,
                                        const struct bestdag_columns *columns);
void bestdag_pairs_free(struct bestdag_pairs *pairs);

/* Do both have bit columns, and are these cheaper than codes? */
bool bestdag_pairs_can(const struct bestdag_pairs *pairs, int place, int other);
/* Fills to[0 ..] for `place` with each place from .. end - 1; end is at most
 * bestdag_pairs_end(). sum[f] is that of terms[f], f < count <= 2. */
void bestdag_pairs_sum(struct bestdag_pairs *pairs, int place, int from,
                       int end, const struct bestdag_score_terms *const *terms,
                       int count, struct bestdag_pair *to);
/* The end of a block that begins at a place and stays in the cache. */
int bestdag_pairs_end(const struct bestdag_pairs *pairs, int from);
/* The number of rows in each state of a place that has bit columns. */
const int32_t *bestdag_pairs_margin(const struct bestdag_pairs *pairs,
                                    int place);

#endif
