/* SPDX-License-Identifier: MIT */
/* score_cache.h -- remembers numbers for a child and a set of parents, for all
 * threads.
 *
 * What is kept stays where it is until the memo ends, so that readers need no
 * lock once they have found it. When its memory is used up it keeps no more. */
#ifndef BESTDAG_SCORES_SCORE_CACHE_H
#define BESTDAG_SCORES_SCORE_CACHE_H

#include "base/row.h"
#include "base/run.h"

struct bestdag_score_cache;

/* `count` numbers each, for sets of `words` words. NULL: failed. */
struct bestdag_score_cache *bestdag_score_cache_new(struct bestdag_run *run,
                                                    size_t words, int count,
                                                    int64_t bytes);
/* This many bytes more, whatever the limit was; while no other thread uses it.
 */
void bestdag_score_cache_limit(struct bestdag_score_cache *m, int64_t bytes);
void bestdag_score_cache_free(struct bestdag_score_cache *memo);
/* NULL: nothing was kept for them. */
const int64_t *bestdag_score_cache_find(struct bestdag_score_cache *memo,
                                        int child, const uint64_t *parents);
/* Copies the numbers. Where they are then, or NULL: there is no more room, or
 * the run failed. */
const int64_t *bestdag_score_cache_keep(struct bestdag_score_cache *memo,
                                        int child, const uint64_t *parents,
                                        const int64_t *numbers);

#endif
