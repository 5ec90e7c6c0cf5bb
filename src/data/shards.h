/* SPDX-License-Identifier: MIT */
/* shards.h -- a table whose rows are spread over the ranks.
 *
 * Rank 0 has a table without cells: names, states, the number of all rows. It
 * works as one machine would, and whenever it needs contingency tables it asks
 * all ranks for them: each counts its own rows, and the counts are summed. The
 * other ranks do nothing else (bestdag_shards_serve), so that only rank 0
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
    struct bestdag_run *ranks;       /* the run that has them: for messages */
    struct bestdag_table *own;       /* owns; the rows of this rank */
    struct bestdag_shard_bits *bits; /* owns; of them; NULL: there are none */
    bool is_weighted;  /* some row of some rank does not count once */
    int64_t most_rows; /* of a rank */
    int64_t total;     /* the weight of all rows of all ranks */
    int64_t *number;   /* owns; [BESTDAG_SHARD_CELLS + 1] */
};

/* Takes over `own`, also on failure. */
struct bestdag_shards *bestdag_shards_new(struct bestdag_run *run,
                                          struct bestdag_table *own,
                                          bool is_weighted, int64_t most_rows,
                                          int64_t total);
void bestdag_shards_free(struct bestdag_shards *shards);

/* The tables of some variables with each of `more`; without any, of these
 * variables alone. A cell is a number whose digits are the states, that of the
 * first variable first, and that of the one of `more` last. */
struct bestdag_shard_request {
    const int *variables;
    int count;
    const int *more;
    int mores;
};
/* Cells of the table of some variables; -1: more than one may have. */
int64_t bestdag_shard_cells(const struct bestdag_table *table,
                            const int *variables, int count);
/* On rank 0, from any thread: the tables, one behind the other, summed over all
 * ranks. Fails if one has too many cells. */
int bestdag_shards_count(struct bestdag_run *run,
                         const struct bestdag_table *table,
                         const struct bestdag_shard_request *request,
                         int64_t *to);
/* On rank 0, from any thread: adds the codes of a column, row by row and rank
 * by rank, to a hash; column -1: the weights. */
int bestdag_shards_hash(struct bestdag_run *run,
                        const struct bestdag_table *table, int column,
                        struct bestdag_sha256 *sha);
/* On the other ranks: does what rank 0 asks for until its program ends. */
int bestdag_shards_serve(struct bestdag_run *run,
                         struct bestdag_shards *shards);

/* shard_counts.c: the same of the rows of this rank; `to` is 0 before. */
int bestdag_shard_count_rows(struct bestdag_run *run,
                             const struct bestdag_shards *shards,
                             const struct bestdag_shard_request *request,
                             int64_t *to);
void bestdag_shard_hash_rows(const struct bestdag_table *own, int column,
                             struct bestdag_sha256 *sha);

#endif
