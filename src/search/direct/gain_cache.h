/* SPDX-License-Identifier: MIT */
/* gain_cache.h -- remembers what was computed for a child and its parents: n
 * whole numbers each.
 *
 * A search that returns to where it was before finds the same families again.
 * Every pair of child and parents has one place in a table of fixed size, and
 * a later pair replaces an earlier one; the parents are kept beside the
 * numbers, so what is found is always right. For the calling thread alone. */
#ifndef BESTDAG_SEARCH_DIRECT_GAIN_CACHE_H
#define BESTDAG_SEARCH_DIRECT_GAIN_CACHE_H

#include "base/row.h"
#include "base/run.h"

struct bestdag_gain_cache;

/* Of at most this many bytes; with fewer than one place takes it remembers
 * nothing. NULL: failed. */
struct bestdag_gain_cache *bestdag_gain_cache_new(struct bestdag_run *run,
                                                  int n, int64_t bytes);
void bestdag_gain_cache_free(struct bestdag_gain_cache *recall);
/* The n numbers that were kept for them; NULL: none. */
const int64_t *bestdag_gain_cache_find(const struct bestdag_gain_cache *recall,
                                       int child, const uint64_t *parents);
void bestdag_gain_cache_keep(struct bestdag_gain_cache *recall, int child,
                             const uint64_t *parents, const int64_t *numbers);

#endif
