/* SPDX-License-Identifier: MIT */
/* gain_cache.c -- caches rows of gains by child and parents.
 *
 *     place:  | child + 1 | parents, a row of bits | n numbers |
 *
 * The first word is 0 if the place is free. */
#include "search/direct/gain_cache.h"

#include <string.h>

#include "base/random.h"

enum { MOST_PLACES = 1 << 16 }; /* for small n, where more would fit */

struct bestdag_gain_cache {
    size_t n, words, size; /* of a parents' row; of a place, in words */
    uint64_t places;
    uint64_t *place; /* owns; [places * size] */
};

struct bestdag_gain_cache *bestdag_gain_cache_new(struct bestdag_run *run,
                                                  int n, int64_t bytes)
{
    struct bestdag_gain_cache *r = bestdag_calloc(run, 1, sizeof *r);
    if (!r)
        return NULL;
    r->n = (size_t)n;
    r->words = bestdag_row_words(n);
    r->size = 1 + r->words + r->n;
    r->places = bytes > 0 ? (uint64_t)bytes / (8 * r->size) : 0;
    if (r->places > MOST_PLACES)
        r->places = MOST_PLACES;
    r->place = bestdag_calloc(run, r->places * r->size, sizeof *r->place);
    if (r->place)
        return r;
    bestdag_gain_cache_free(r);
    return NULL;
}

void bestdag_gain_cache_free(struct bestdag_gain_cache *r)
{
    if (!r)
        return;
    bestdag_free(r->place);
    bestdag_free(r);
}

/* NULL: the cache has no places. */
static uint64_t *place_of(const struct bestdag_gain_cache *r, int child,
                          const uint64_t *parents)
{
    if (!r->places)
        return NULL;
    uint64_t hash = bestdag_mix((uint64_t)child);
    for (size_t w = 0; w < r->words; w++)
        hash = bestdag_mix(hash ^ parents[w]);
    return r->place + (hash % r->places) * r->size;
}

const int64_t *bestdag_gain_cache_find(const struct bestdag_gain_cache *r,
                                       int child, const uint64_t *parents)
{
    const uint64_t *at = place_of(r, child, parents);
    if (!at || at[0] != (uint64_t)child + 1 ||
        memcmp(at + 1, parents, r->words * sizeof *at) != 0)
        return NULL;
    return (const int64_t *)(at + 1 + r->words);
}

void bestdag_gain_cache_keep(struct bestdag_gain_cache *r, int child,
                             const uint64_t *parents, const int64_t *numbers)
{
    uint64_t *at = place_of(r, child, parents);
    if (!at)
        return;
    at[0] = (uint64_t)child + 1;
    memcpy(at + 1, parents, r->words * sizeof *at);
    memcpy(at + 1 + r->words, numbers, r->n * sizeof *numbers);
}
