/* SPDX-License-Identifier: MIT */
/* sha256_x86.c -- SHA-256 with the instructions that most x86-64 machines have
 * for it: two rounds each, seven times as fast as plain C.
 *
 * They want the state as two halves, a b e f and c d g h, highest word first.
 * Four words of the schedule follow from the sixteen before them. */
#include "base/sha256.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

#define SHANI __attribute__((target("sha,sse4.1,ssse3")))

enum { /* bits of what cpuid says */
       SSSE3 = 1 << 9,
       SSE41 = 1 << 19,
       SHA = 1 << 29
};

static const uint32_t constant[16][4] = {
    {0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5},
    {0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5},
    {0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3},
    {0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174},
    {0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc},
    {0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da},
    {0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7},
    {0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967},
    {0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13},
    {0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85},
    {0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3},
    {0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070},
    {0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5},
    {0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3},
    {0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208},
    {0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2}};

/* Four words: their bytes are in the file's order, the highest first. */
SHANI static __m128i load_words(const uint8_t *from)
{
    const __m128i order =
        _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    return _mm_shuffle_epi8(_mm_loadu_si128((const void *)from), order);
}

/* The next four of the schedule; w has the last sixteen, the oldest at t. */
SHANI static __m128i extend(const __m128i w[4], int t)
{
    __m128i a = w[t & 3], b = w[(t + 1) & 3], c = w[(t + 2) & 3];
    __m128i d = w[(t + 3) & 3];
    a = _mm_add_epi32(_mm_sha256msg1_epu32(a, b), _mm_alignr_epi8(d, c, 4));
    return _mm_sha256msg2_epu32(a, d);
}

SHANI static void mix_block(__m128i half[2], const uint8_t *from)
{
    __m128i w[4], abef = half[0], cdgh = half[1];
    for (int t = 0; t < 4; t++)
        w[t] = load_words(from + (size_t)t * 16);
    for (int t = 0; t < 16; t++) {
        if (t >= 4)
            w[t & 3] = extend(w, t);
        __m128i k = _mm_loadu_si128((const void *)constant[t]);
        k = _mm_add_epi32(k, w[t & 3]);
        cdgh = _mm_sha256rnds2_epu32(cdgh, abef, k);
        abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(k, 0x0e));
    }
    half[0] = _mm_add_epi32(half[0], abef);
    half[1] = _mm_add_epi32(half[1], cdgh);
}

SHANI static void mix(uint32_t state[8], const uint8_t *from, size_t blocks)
{
    uint32_t s[8];
    __m128i half[2] = {_mm_set_epi32((int)state[0], (int)state[1],
                                     (int)state[4], (int)state[5]),
                       _mm_set_epi32((int)state[2], (int)state[3],
                                     (int)state[6], (int)state[7])};
    for (; blocks; blocks--, from += 64)
        mix_block(half, from);
    _mm_storeu_si128((void *)s, half[0]);
    _mm_storeu_si128((void *)(s + 4), half[1]);
    state[0] = s[3];
    state[1] = s[2];
    state[4] = s[1];
    state[5] = s[0];
    state[2] = s[7];
    state[3] = s[6];
    state[6] = s[5];
    state[7] = s[4];
}

bestdag_sha256_mix_fn *bestdag_sha256_x86_pick(void)
{
    unsigned a, b, c, d, more;
    if (!__get_cpuid(1, &a, &b, &more, &d) ||
        !__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return NULL;
    return (b & SHA) && (more & SSE41) && (more & SSSE3) ? mix : NULL;
}

#else

bestdag_sha256_mix_fn *bestdag_sha256_x86_pick(void)
{
    return NULL;
}

#endif
