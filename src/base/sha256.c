/* SPDX-License-Identifier: MIT */
/* sha256.c -- SHA-256, after FIPS 180-4, sections 5 and 6.2.
 *
 * Blocks of 64 bytes are mixed into eight words of state; the message ends in a
 * bit 1, zeros, and its length in bits. Bytes are put together by shifts, so
 * the order of bytes of the machine does not matter. Where the machine has
 * instructions for it (sha256_x86.c), they are taken. */
#include "base/sha256.h"

#include <string.h>

static const uint32_t constant[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

void bestdag_sha256_init(struct bestdag_sha256 *s)
{
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372,
                                      0xa54ff53a, 0x510e527f, 0x9b05688c,
                                      0x1f83d9ab, 0x5be0cd19};
    memcpy(s->state, start, sizeof start);
    s->length = 0;
    s->mix = bestdag_sha256_x86_pick();
    if (!s->mix)
        s->mix = bestdag_sha256_mix;
}

static inline uint32_t rotate(uint32_t x, int n)
{
    return x >> n | x << (32 - n);
}

static void make_schedule(const uint8_t block[64], uint32_t w[64])
{
    for (int t = 0; t < 16; t++) {
        const uint8_t *b = block + (size_t)t * 4;
        w[t] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 |
               (uint32_t)b[2] << 8 | b[3];
    }
    for (int t = 16; t < 64; t++) {
        uint32_t x = w[t - 15], y = w[t - 2];
        w[t] = w[t - 16] + (rotate(x, 7) ^ rotate(x, 18) ^ x >> 3) + w[t - 7] +
               (rotate(y, 17) ^ rotate(y, 19) ^ y >> 10);
    }
}

static void mix_block(uint32_t state[8], const uint8_t block[64])
{
    uint32_t w[64], a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    make_schedule(block, w);
    for (int t = 0; t < 64; t++) {
        uint32_t one = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
                       ((e & f) ^ (~e & g)) + constant[t] + w[t];
        uint32_t two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) +
                       ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + one;
        d = c;
        c = b;
        b = a;
        a = one + two;
    }
    uint32_t add[8] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; i++)
        state[i] += add[i];
}

void bestdag_sha256_mix(uint32_t state[8], const uint8_t *from, size_t blocks)
{
    for (; blocks; blocks--, from += 64)
        mix_block(state, from);
}

void bestdag_sha256_update(struct bestdag_sha256 *s, const void *bytes,
                           size_t n)
{
    const uint8_t *from = bytes;
    size_t have = (size_t)(s->length % 64);
    s->length += n;
    if (have) {
        size_t more = n < 64 - have ? n : 64 - have;
        if (more)
            memcpy(s->block + have, from, more);
        if (have + more < 64)
            return;
        s->mix(s->state, s->block, 1);
        from += more;
        n -= more;
    }
    s->mix(s->state, from, n / 64);
    if (n % 64)
        memcpy(s->block, from + n / 64 * 64, n % 64);
}

void bestdag_sha256_final(struct bestdag_sha256 *s,
                          uint8_t hash[BESTDAG_SHA256_BYTES])
{
    static const uint8_t end[64] = {0x80};
    uint64_t bits = s->length * 8;
    size_t have = (size_t)(s->length % 64);
    uint8_t length[8];
    for (int i = 0; i < 8; i++)
        length[i] = (uint8_t)(bits >> (56 - 8 * i));
    bestdag_sha256_update(s, end, have < 56 ? 56 - have : 120 - have);
    bestdag_sha256_update(s, length, sizeof length);
    for (int i = 0; i < BESTDAG_SHA256_BYTES; i++)
        hash[i] = (uint8_t)(s->state[i / 4] >> (24 - i % 4 * 8));
}

void bestdag_sha256_hex(struct bestdag_sha256 *s, char hex[BESTDAG_SHA256_HEX])
{
    static const char digits[] = "0123456789abcdef";
    uint8_t hash[BESTDAG_SHA256_BYTES];
    bestdag_sha256_final(s, hash);
    for (size_t i = 0; i < sizeof hash; i++) {
        hex[2 * i] = digits[hash[i] >> 4];
        hex[2 * i + 1] = digits[hash[i] & 15];
    }
    hex[2 * sizeof hash] = 0;
}
