/* SPDX-License-Identifier: MIT */
/* pairs.h -- the tables of one variable with each of many, from bit columns.
 *
 * For code that needs all n - 1 partners of a variable at once: its bit columns
 * stay in the first cache while the others pass by. Variables are called by
 * their places (columns.h). */
#ifndef BESTDAG_COUNTS_PAIRS_H
#define BESTDAG_COUNTS_PAIRS_H

#include "counts/columns.h"
#include "counts/score_terms.h"

struct bestdag_pair {
    int64_t sum[2]; /* of the terms, over the joint cells */
    int64_t cells;  /* that occur */
};

/* One thread's scratch. */
struct bestdag_pairs;
struct bestdag_pairs *bestdag_pairs_new(struct bestdag_run *run,
                                        const struct bestdag_columns *columns);
void bestdag_pairs_free(struct bestdag_pairs *pairs);

/* Are the bit columns of both there, and cheaper than their codes? */
bool bestdag_pairs_can(const struct bestdag_pairs *pairs, int place, int other);
/* to[0 ..] of `place` with each place from .. end - 1, end being no more than
 * bestdag_pairs_end(). terms[f] into sum[f], f < count <= 2. */
void bestdag_pairs_sum(struct bestdag_pairs *pairs, int place, int from,
                       int end, const struct bestdag_score_terms *const *terms,
                       int count, struct bestdag_pair *to);
/* Where a block that begins at a place and stays in a cache ends. */
int bestdag_pairs_end(const struct bestdag_pairs *pairs, int from);
/* Rows in each state of a place that has bit columns. */
const int32_t *bestdag_pairs_margin(const struct bestdag_pairs *pairs,
                                    int place);

#endif
