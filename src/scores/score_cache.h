/* SPDX-License-Identifier: MIT */
/* score_cache.h -- caches numbers by child and parent set, for all threads.
 *
 * Entries stay in place until the cache is freed, so that readers need no lock
 * once they have found one. When its memory is used up, nothing more is
 * added. */
#ifndef BESTDAG_SCORES_SCORE_CACHE_H
#define BESTDAG_SCORES_SCORE_CACHE_H

#include "base/row.h"
#include "base/run.h"

struct bestdag_score_cache;

/* `count` numbers each, for sets of `words` words. NULL: failed. */
struct bestdag_score_cache *bestdag_score_cache_new(struct bestdag_run *run,
                                                    size_t words, int count,
                                                    int64_t bytes);
/* Adds this many bytes to the budget, whatever the limit was; while no other
 * thread uses the cache. */
void bestdag_score_cache_limit(struct bestdag_score_cache *m, int64_t bytes);
void bestdag_score_cache_free(struct bestdag_score_cache *memo);
/* NULL: not in the cache. */
const int64_t *bestdag_score_cache_find(struct bestdag_score_cache *memo,
                                        int child, const uint64_t *parents);
/* Copies the numbers and returns the copy, or NULL: no room, or an error. */
const int64_t *bestdag_score_cache_keep(struct bestdag_score_cache *memo,
                                        int child, const uint64_t *parents,
                                        const int64_t *numbers);

#endif
