/* SPDX-License-Identifier: MIT */
/* random.h -- random numbers that are the same on every machine.
 *
 * splitmix64 turns any 64 bits into well-mixed ones (seeds, hashes);
 * xoshiro256++ (Blackman and Vigna 2019) is the stream. */
#ifndef BESTDAG_BASE_RANDOM_H
#define BESTDAG_BASE_RANDOM_H

#include <assert.h>
#include <stdint.h>

static inline uint64_t bestdag_mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

struct bestdag_random {
    uint64_t s[4];
};

/* Stream number `stream` of a seed; different streams are independent. */
static inline struct bestdag_random bestdag_random_init(uint64_t seed,
                                                        uint64_t stream)
{
    struct bestdag_random r;
    uint64_t x = bestdag_mix(seed ^ bestdag_mix(stream));
    for (int i = 0; i < 4; i++)
        r.s[i] = x = bestdag_mix(x);
    return r;
}

static inline uint64_t bestdag_random_bits(struct bestdag_random *r)
{
    uint64_t *s = r->s, sum = s[0] + s[3], t = s[1] << 17;
    uint64_t result = ((sum << 23) | (sum >> 41)) + s[0];
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = (s[3] << 45) | (s[3] >> 19);
    return result;
}

/* In [0, 1), multiples of 2^-53. */
static inline double bestdag_random_unit(struct bestdag_random *r)
{
    return (double)(bestdag_random_bits(r) >> 11) * 0x1p-53;
}

/* In 0 .. n - 1, without bias; n >= 1. */
static inline uint64_t bestdag_random_below(struct bestdag_random *r,
                                            uint64_t n)
{
    assert(n >= 1);
    uint64_t least = (0 - n) % n, x; /* 2^64 mod n */
    do
        x = bestdag_random_bits(r);
    while (x < least);
    return x % n;
}

#endif
