/* SPDX-License-Identifier: MIT */
/* spread.h -- the items of one bestdag_parallel() on several ranks.
 *
 * Rank 0 assigns: it gives items, in their order, to the ranks that ask for
 * some, many at first and single ones at the end, and its own workers take from
 * the same items. Results go to rank 0, which passes them on to all in batches,
 * so that every rank has all of them, as if it had done them itself. A rank
 * that is stopped tells rank 0, which stops all, so that the same items are
 * done on all ranks. */
#ifndef BESTDAG_PARALLEL_SPREAD_H
#define BESTDAG_PARALLEL_SPREAD_H

#include "parallel/thread_pool.h"

/* NULL: the work cannot be spread, or there is only one rank. */
struct bestdag_spread *bestdag_spread_new(struct bestdag_run *run,
                                          const struct bestdag_work *work);
void bestdag_spread_free(struct bestdag_spread *spread);
/* On a worker, with the lock: its next item; -1: there are no more. */
int64_t bestdag_spread_begin(struct bestdag_thread_pool *c);
/* On a worker, without the lock: packs the result of an item. */
int bestdag_spread_pack(struct bestdag_thread_pool *c, int64_t item);
/* On a worker, with the lock. */
void bestdag_spread_finish(struct bestdag_thread_pool *c, int64_t item,
                           int status);
/* The caller's part: assigns items, or asks for them, and takes results until
 * all ranks are done. */
void bestdag_spread_watch(struct bestdag_thread_pool *c);

#endif
