/* SPDX-License-Identifier: MIT */
/* shard_columns.h -- makes ranks that have read different rows agree on
 * columns. */
#ifndef BESTDAG_DATA_TEXT_SHARD_COLUMNS_H
#define BESTDAG_DATA_TEXT_SHARD_COLUMNS_H

#include "data/text/reading.h"

/* Called on all ranks when each has its rows in its builder. Rank 0 gets the
 * table without cells; the others, and a rank that fails, get NULL; *shards is
 * then what the rank serves, or NULL. */
struct bestdag_table *bestdag_shard_columns_finish(
    struct bestdag_table_reader *r, struct bestdag_shards **shards);

#endif
