/* SPDX-License-Identifier: MIT */
/* keysort.c -- stable sorting of rows by a 64-bit key.
 *
 * Least significant byte first; bytes that are the same everywhere are skipped.
 * Short arrays are sorted by insertion. Time O(n) for each byte that
 * differs.
 */
#include "data/keysort.h"

#include <assert.h>

enum { FEW = 24 };

static void insert_each(struct bestdag_keyed *at, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        struct bestdag_keyed x = at[i];
        size_t j = i;
        for (; j > 0 && at[j - 1].key > x.key; j--)
            at[j] = at[j - 1];
        at[j] = x;
    }
}

/* Bits in which the keys differ from one another. */
static uint64_t differing(const struct bestdag_keyed *at, size_t n)
{
    uint64_t all = 0;
    for (size_t i = 1; i < n; i++)
        all |= at[i].key ^ at[0].key;
    return all;
}

static void sort_by_byte(const struct bestdag_keyed *from,
                         struct bestdag_keyed *to, size_t n, int shift)
{
    size_t start[256] = {0}, sum = 0;
    for (size_t i = 0; i < n; i++)
        start[from[i].key >> shift & 255]++;
    for (int b = 0; b < 256; b++) {
        size_t count = start[b];
        start[b] = sum;
        sum += count;
    }
    assert(sum == n);
    for (size_t i = 0; i < n; i++)
        to[start[from[i].key >> shift & 255]++] = from[i];
}

void bestdag_keyed_sort(struct bestdag_keyed *at, struct bestdag_keyed *scratch,
                        size_t n)
{
    if (n <= FEW) {
        insert_each(at, n);
        return;
    }
    uint64_t bits = differing(at, n);
    struct bestdag_keyed *from = at, *to = scratch;
    for (int shift = 0; shift < 64; shift += 8) {
        if (!(bits >> shift & 255))
            continue;
        sort_by_byte(from, to, n, shift);
        struct bestdag_keyed *other = from;
        from = to;
        to = other;
    }
    if (from != at)
        memcpy(at, from, n * sizeof *at);
    for (size_t i = 1; i < n; i++)
        assert(at[i - 1].key <= at[i].key);
}
