/* SPDX-License-Identifier: MIT */
/* popcount.h -- bits that a mask shares with each of many columns. */
#ifndef BESTDAG_BASE_POPCOUNT_H
#define BESTDAG_BASE_POPCOUNT_H

#include <stdint.h>

/* to[i] = number of bits in mask & columns[i * words ...]. words is a multiple
 * of 8, everything 64-byte aligned; fewer than 2^31 bits. */
typedef void bestdag_popcount_fn(const uint64_t *mask, const uint64_t *columns,
                                 int64_t words, int count, int32_t *to);

/* The fastest of those that are used (base/simd.h). */
bestdag_popcount_fn *bestdag_popcount_pick(void);
/* The i-th that this processor can run, and its name; NULL after the last. */
bestdag_popcount_fn *bestdag_popcount_at(int i, const char **name);

#endif
