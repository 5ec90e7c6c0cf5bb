/* SPDX-License-Identifier: MIT */
/* bit_column.c -- 64 codes become a word of bits. */
#include "data/bit_column.h"

#include <stddef.h>

/* Bit i: does byte i of the eight equal `byte`? Compares eight bytes in one
 * word: the high bit of each difference tells whether it is 0, and a
 * multiplication gathers these bits. */
static inline uint64_t compare_eight(const uint8_t *byte, uint64_t with)
{
    const uint64_t ones = 0x0101010101010101u, low = 0x7f * ones;
    uint64_t x = 0;
    for (int i = 0; i < 8; i++)
        x |= (uint64_t)byte[i] << (8 * i);
    x ^= with * ones;
    x = ~(((x & low) + low) | x | low) >> 7;
    return x * 0x0102040810204080u >> 56;
}

void bestdag_bit_column_fill(const uint8_t *cell, int64_t rows, int state,
                             uint64_t *to)
{
    int64_t whole = rows / 64;
    for (int64_t w = 0; w < whole; w++, cell += 64) {
        uint64_t bits = 0;
        for (int i = 0; i < 8; i++)
            bits |= compare_eight(cell + (size_t)i * 8, (uint64_t)state)
                    << (8 * i);
        to[w] = bits;
    }
    for (int64_t r = 0; r < rows % 64; r++)
        to[whole] |= (uint64_t)(cell[r] == state) << r;
}
