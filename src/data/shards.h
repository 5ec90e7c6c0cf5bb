/* SPDX-License-Identifier: MIT */
/* shards.h -- a table whose rows are spread over the ranks.
 *
 * Rank 0 has a table without cells: names, states, the number of all rows. It
 * works as a single process would, and whenever it needs contingency tables it
 * asks all ranks for them: each counts its own rows, and the counts are summed.
 * The other ranks do nothing else (bestdag_shards_serve), so that only rank 0
 * decides what is counted, and when. No rank has all the rows. */
#ifndef BESTDAG_DATA_SHARDS_H
#define BESTDAG_DATA_SHARDS_H

#include "base/sha256.h"
#include "data/table.h"

enum {
    /* Cells of one message, and of one table: 32 MB. */
    BESTDAG_SHARD_CELLS = 1 << 22
};

struct bestdag_shards {
    struct bestdag_run *ranks; /* the run that owns the communicator */
    struct bestdag_table *own; /* owns; the rows of this rank */
    struct bestdag_shard_bits
        *bits;         /* owns; of these rows; NULL: counted from codes */
    bool is_weighted;  /* some row of some rank has a weight other than 1 */
    int64_t most_rows; /* largest number of rows of a rank */
    int64_t total;     /* the weight of all rows of all ranks */
    int64_t *number;   /* owns; [BESTDAG_SHARD_CELLS + 1] */
};

/* Takes over `own`, also on failure. */
struct bestdag_shards *bestdag_shards_new(struct bestdag_run *run,
                                          struct bestdag_table *own,
                                          bool is_weighted, int64_t most_rows,
                                          int64_t total);
void bestdag_shards_free(struct bestdag_shards *shards);

/* Requests the tables of some variables together with each of `more`; without
 * `more`, of these variables alone. The index of a cell has the states as
 * digits: the first variable's is the most significant, that of the one of
 * `more` the least. */
struct bestdag_shard_request {
    const int *variables;
    int count;
    const int *more;
    int mores;
};
/* Cells of the table of some variables; -1: too many. */
int64_t bestdag_shard_cells(const struct bestdag_table *table,
                            const int *variables, int count);
/* On rank 0, from any thread: computes the tables, one after the other, summed
 * over all ranks. Fails if one has too many cells. */
int bestdag_shards_count(struct bestdag_run *run,
                         const struct bestdag_table *table,
                         const struct bestdag_shard_request *request,
                         int64_t *to);
/* On rank 0, from any thread: adds the codes of a column, row by row and rank
 * by rank, to a hash; column -1: the weights. */
int bestdag_shards_hash(struct bestdag_run *run,
                        const struct bestdag_table *table, int column,
                        struct bestdag_sha256 *sha);
/* On the other ranks: serves requests until rank 0's program ends. */
int bestdag_shards_serve(struct bestdag_run *run,
                         struct bestdag_shards *shards);

/* shard_counts.c: counts the rows of this rank; `to` is 0 before. */
int bestdag_shard_count_rows(struct bestdag_run *run,
                             const struct bestdag_shards *shards,
                             const struct bestdag_shard_request *request,
                             int64_t *to);
void bestdag_shard_hash_rows(const struct bestdag_table *own, int column,
                             struct bestdag_sha256 *sha);

#endif
