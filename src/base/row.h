/* SPDX-License-Identifier: MIT */
/* row.h -- a set of variables as a row of n bits: ancestors, adjacencies. */
#ifndef BESTDAG_BASE_ROW_H
#define BESTDAG_BASE_ROW_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/simd.h"

/* Words that a row of n bits takes. */
static inline size_t bestdag_row_words(int n)
{
    return ((size_t)n + 63) / 64;
}

static inline bool bestdag_row_has(const uint64_t *row, int i)
{
    assert(i >= 0);
    return row[i / 64] >> (i % 64) & 1;
}

static inline void bestdag_row_add(uint64_t *row, int i)
{
    assert(i >= 0);
    row[i / 64] |= (uint64_t)1 << (i % 64);
}

static inline void bestdag_row_drop(uint64_t *row, int i)
{
    assert(i >= 0);
    row[i / 64] &= ~((uint64_t)1 << (i % 64));
}

static inline void bestdag_row_join(uint64_t *row, const uint64_t *other,
                                    size_t words)
{
    for (size_t w = 0; w < words; w++)
        row[w] |= other[w];
}

static inline int bestdag_row_count(const uint64_t *row, size_t words)
{
    int count = 0;
    for (size_t w = 0; w < words; w++)
        count += __builtin_popcountll(row[w]);
    return count;
}

/* The least member >= from, or -1. */
static inline int bestdag_row_next(const uint64_t *row, size_t words, int from)
{
    size_t w = (size_t)from / 64;
    assert(from >= 0);
    if (w >= words)
        return -1;
    uint64_t rest = row[w] & (~(uint64_t)0 << (from % 64));
    while (!rest) {
        if (++w == words)
            return -1;
        rest = row[w];
    }
    return (int)(w * 64) + __builtin_ctzll(rest);
}

/* Operations on rows of the same number of words; where that is a constant, the
 * loops are gone. */
BESTDAG_INLINE bool bestdag_row_meets(const uint64_t *a, const uint64_t *b,
                                      size_t words)
{
    for (size_t w = 0; w < words; w++)
        if (a[w] & b[w])
            return true;
    return false;
}

/* Is a within b? */
BESTDAG_INLINE bool bestdag_row_within(const uint64_t *a, const uint64_t *b,
                                       size_t words)
{
    for (size_t w = 0; w < words; w++)
        if (a[w] & ~b[w])
            return false;
    return true;
}

BESTDAG_INLINE bool bestdag_row_same(const uint64_t *a, const uint64_t *b,
                                     size_t words)
{
    for (size_t w = 0; w < words; w++)
        if (a[w] != b[w])
            return false;
    return true;
}

BESTDAG_INLINE void bestdag_row_copy(uint64_t *to, const uint64_t *from,
                                     size_t words)
{
    for (size_t w = 0; w < words; w++)
        to[w] = from[w];
}

#endif
