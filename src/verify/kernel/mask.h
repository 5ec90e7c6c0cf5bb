/* SPDX-License-Identifier: MIT */
/* mask.h -- sets of a part's own variables as w words. Inline, with w as an
 * argument: where it is the constant 1, the loops are gone. */
#ifndef BESTDAG_VERIFY_MASK_H
#define BESTDAG_VERIFY_MASK_H

#include <string.h>

#include "base/row.h"

#define KERNEL_INLINE static inline __attribute__((always_inline))

KERNEL_INLINE bool bestdag_mask_meets(const uint64_t *a, const uint64_t *b,
                                      size_t w)
{
    for (size_t i = 0; i < w; i++)
        if (a[i] & b[i])
            return true;
    return false;
}

/* Have they fewer than `most` in common? most >= 1. */
KERNEL_INLINE bool bestdag_mask_few(const uint64_t *a, const uint64_t *b,
                                    int most, size_t w)
{
    for (size_t i = 0; i < w; i++)
        for (uint64_t x = a[i] & b[i]; x; x &= x - 1)
            if (!--most)
                return false;
    return true;
}

/* Is a within b? */
KERNEL_INLINE bool bestdag_mask_within(const uint64_t *a, const uint64_t *b,
                                       size_t w)
{
    for (size_t i = 0; i < w; i++)
        if (a[i] & ~b[i])
            return false;
    return true;
}

KERNEL_INLINE bool bestdag_mask_same(const uint64_t *a, const uint64_t *b,
                                     size_t w)
{
    for (size_t i = 0; i < w; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

KERNEL_INLINE void bestdag_mask_copy(uint64_t *to, const uint64_t *from,
                                     size_t w)
{
    for (size_t i = 0; i < w; i++)
        to[i] = from[i];
}

#endif
