/* SPDX-License-Identifier: MIT */
/* shard_bits.h -- the rows of one rank as bits, for counting.
 *
 * One bit column for each state of a variable but its last, whose count follows
 * by subtraction. They are cut into blocks of rows, so that the part of a block
 * that a request needs stays in a cache:
 *
 *     block 0: | X1 = 0 | X2 = 0 | X2 = 1 | ...   block 1: | X1 = 0 | ...
 *
 * Memory: sum of (states - 1) * rows / 8 bytes. */
#ifndef BESTDAG_DATA_SHARD_BITS_H
#define BESTDAG_DATA_SHARD_BITS_H

#include "data/table.h"

struct bestdag_shard_bits;
struct bestdag_shard_request;

/* NULL, without an error: rows have weights, or there is no room for bits. */
struct bestdag_shard_bits *bestdag_shard_bits_new(
    struct bestdag_run *run, const struct bestdag_table *own);
void bestdag_shard_bits_free(struct bestdag_shard_bits *bits);

/* Can the table of the shared variables and the m-th of `more` be counted from
 * bits? It can if it has few cells. `bits` may be NULL. */
bool bestdag_shard_bits_can(const struct bestdag_shard_bits *bits,
                            const struct bestdag_shard_request *request, int m);
/* Counts those tables of first .. end - 1 that can be. */
int bestdag_shard_bits_count(struct bestdag_run *run,
                             const struct bestdag_shard_bits *bits,
                             const struct bestdag_shard_request *request,
                             int first, int end, int64_t *to);

#endif
