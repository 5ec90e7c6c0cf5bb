/* SPDX-License-Identifier: MIT */
/* keysort.h -- stable sorting of rows by a 64-bit key. */
#ifndef BESTDAG_DATA_KEYSORT_H
#define BESTDAG_DATA_KEYSORT_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct bestdag_keyed {
    uint64_t key;
    uint32_t row;
};

/* Sorts by key, ascending; equal keys keep their order. scratch has room for
 * n. */
void bestdag_keyed_sort(struct bestdag_keyed *at, struct bestdag_keyed *scratch,
                        size_t n);

/* Maps numbers to keys of the same order; -0 is 0, NaN comes last. */
static inline uint64_t bestdag_key_of_double(double x)
{
    uint64_t bits = 0;
    if (isnan(x))
        return UINT64_MAX;
    if (x != 0)
        memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static inline double bestdag_double_of_key(uint64_t key)
{
    uint64_t bits = key >> 63 ? key & ~((uint64_t)1 << 63) : ~key;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#endif
