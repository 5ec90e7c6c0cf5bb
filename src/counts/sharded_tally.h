/* SPDX-License-Identifier: MIT */
/* sharded_tally.h -- a tally of rows that are spread over ranks.
 *
 * Does the same as the tally for local rows (tally.h), with tables that all
 * ranks count together (data/shards.h). Tables are requested when they are
 * needed, many at a time if it is known in advance which ones will be. */
#ifndef BESTDAG_COUNTS_SHARDED_TALLY_H
#define BESTDAG_COUNTS_SHARDED_TALLY_H

#include "counts/tally.h"

struct bestdag_sharded_tally;

struct bestdag_sharded_tally *bestdag_sharded_tally_new(
    struct bestdag_run *run, const struct bestdag_table *table);
void bestdag_sharded_tally_free(struct bestdag_sharded_tally *t);

/* As for the tally. */
int bestdag_sharded_tally_path(struct bestdag_sharded_tally *t,
                               const int *variables, int count);
int64_t bestdag_sharded_tally_groups(struct bestdag_sharded_tally *t);
const int64_t *bestdag_sharded_tally_weights(struct bestdag_sharded_tally *t);
int bestdag_sharded_tally_sum(struct bestdag_sharded_tally *t, int variable,
                              const struct bestdag_score_terms *const *terms,
                              int count, int64_t *sums, int64_t *cells);
int bestdag_sharded_tally_cells(struct bestdag_sharded_tally *t, int variable,
                                const struct bestdag_cell **cells,
                                int64_t *count);
int bestdag_sharded_tally_ahead(struct bestdag_sharded_tally *t,
                                const int *variables, int count);
int bestdag_sharded_tally_ahead_of(struct bestdag_sharded_tally *t,
                                   const struct bestdag_parents_ahead *ahead);

#endif
