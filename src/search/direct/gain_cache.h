/* SPDX-License-Identifier: MIT */
/* gain_cache.h -- caches n integers for each pair of child and parents.
 *
 * A search that returns to an earlier graph needs the same families again. The
 * cache is direct-mapped: every pair has one place in a table of fixed size,
 * and a later pair replaces an earlier one. The parents are stored with the
 * integers, so a hit is always right. Not thread-safe. */
#ifndef BESTDAG_SEARCH_DIRECT_GAIN_CACHE_H
#define BESTDAG_SEARCH_DIRECT_GAIN_CACHE_H

#include "base/row.h"
#include "base/run.h"

struct bestdag_gain_cache;

/* Uses at most this many bytes; with fewer than one place needs it caches
 * nothing. NULL: error. */
struct bestdag_gain_cache *bestdag_gain_cache_new(struct bestdag_run *run,
                                                  int n, int64_t bytes);
void bestdag_gain_cache_free(struct bestdag_gain_cache *recall);
/* The n integers stored for the pair; NULL: none. */
const int64_t *bestdag_gain_cache_find(const struct bestdag_gain_cache *recall,
                                       int child, const uint64_t *parents);
void bestdag_gain_cache_keep(struct bestdag_gain_cache *recall, int child,
                             const uint64_t *parents, const int64_t *numbers);

#endif
