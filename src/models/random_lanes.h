/* SPDX-License-Identifier: MIT */
/* random_lanes.h -- many random numbers at once: sixteen generators side by
 * side.
 *
 * Each lane is xoshiro128++ (Blackman and Vigna 2019) with a state of its own,
 * drawn from a stream of random.h; number i comes from lane i mod 16. The state
 * lives in vector registers: about half a cycle per number with AVX2. */
#ifndef BESTDAG_MODELS_RANDOM_LANES_H
#define BESTDAG_MODELS_RANDOM_LANES_H

#include <string.h>

#include "base/random.h"
#include "base/simd.h"

enum { BESTDAG_LANES = 16 };

typedef uint32_t bestdag_lane_vector __attribute__((vector_size(32)));

struct bestdag_random_lanes {
    bestdag_lane_vector s[4]
                         [2]; /* word 0 to 3 of the state, lanes 0-7 and 8-15 */
};

static inline void bestdag_random_lanes_init(struct bestdag_random_lanes *lanes,
                                             uint64_t seed, uint64_t stream)
{
    uint32_t word[4 * BESTDAG_LANES];
    struct bestdag_random r = bestdag_random_init(seed, stream);
    for (int i = 0; i < 4 * BESTDAG_LANES; i += 2) {
        uint64_t bits = bestdag_random_bits(&r);
        word[i] = (uint32_t)bits;
        word[i + 1] = (uint32_t)(bits >> 32);
    }
    memcpy(lanes->s, word, sizeof lanes->s);
}

/* Eight numbers from the lanes of half h. */
BESTDAG_INLINE void bestdag_random_lanes_step(
    struct bestdag_random_lanes *lanes, int h, uint32_t *to)
{
    bestdag_lane_vector a = lanes->s[0][h], b = lanes->s[1][h];
    bestdag_lane_vector c = lanes->s[2][h], d = lanes->s[3][h];
    bestdag_lane_vector sum = a + d, result = (sum << 7 | sum >> 25) + a;
    memcpy(to, &result, sizeof result);
    c ^= a;
    d ^= b;
    lanes->s[0][h] = a ^ d;
    lanes->s[2][h] = c ^ b << 9;
    lanes->s[1][h] = b ^ c;
    lanes->s[3][h] = d << 11 | d >> 21;
}

/* n numbers, rounded up to whole steps: `to` has room for n + 15. */
BESTDAG_INLINE void bestdag_random_lanes_fill(
    struct bestdag_random_lanes *lanes, uint32_t *to, int n)
{
    struct bestdag_random_lanes local = *lanes;
    for (int i = 0; i < n; i += BESTDAG_LANES) {
        bestdag_random_lanes_step(&local, 0, to + i);
        bestdag_random_lanes_step(&local, 1, to + i + 8);
    }
    *lanes = local;
}

#endif
