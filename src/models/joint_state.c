/* SPDX-License-Identifier: MIT */
/* joint_state.c -- joint states in mixed radix: one pass over the rows per
 * digit.
 *
 * A pass is one multiplication and one addition per cell, without branches, so
 * that the compiler vectorises it: about a third of a cycle per cell. */
#include "models/joint_state.h"

#include <string.h>

#include "base/simd.h"

BESTDAG_INLINE void push_bytes(uint32_t *restrict index,
                               const uint8_t *restrict cells, uint32_t states,
                               int n)
{
    for (int i = 0; i < n; i++)
        index[i] = index[i] * states + cells[i];
}

BESTDAG_INLINE void push_pairs(uint32_t *restrict index,
                               const uint16_t *restrict cells, uint32_t states,
                               int n)
{
    for (int i = 0; i < n; i++)
        index[i] = index[i] * states + cells[i];
}

BESTDAG_INLINE void first_bytes(uint32_t *restrict index,
                                const uint8_t *restrict cells, int n)
{
    for (int i = 0; i < n; i++)
        index[i] = cells[i];
}

BESTDAG_INLINE void all_digits(const struct bestdag_digit *digit, int count,
                               int64_t from, int n, uint32_t *index)
{
    int first = 0;
    if (count && digit[0].bytes == 1)
        first_bytes(index, (const uint8_t *)digit[first++].cells + from, n);
    else
        memset(index, 0, (size_t)n * sizeof *index);
    for (int d = first; d < count; d++)
        if (digit[d].bytes == 1)
            push_bytes(index, (const uint8_t *)digit[d].cells + from,
                       (uint32_t)digit[d].states, n);
        else
            push_pairs(index, (const uint16_t *)digit[d].cells + from,
                       (uint32_t)digit[d].states, n);
}

BESTDAG_AVX2 static void index_avx2(const struct bestdag_digit *digit,
                                    int count, int64_t from, int n,
                                    uint32_t *index)
{
    all_digits(digit, count, from, n, index);
}

void bestdag_digits_index(const struct bestdag_digit *digit, int count,
                          int64_t from, int n, uint32_t *index)
{
    if (bestdag_has_avx2())
        index_avx2(digit, count, from, n, index);
    else
        all_digits(digit, count, from, n, index);
}
