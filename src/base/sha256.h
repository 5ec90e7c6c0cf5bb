/* SPDX-License-Identifier: MIT */
/* sha256.h -- the hash SHA-256 (FIPS 180-4).
 *
 * Start with init, add bytes in pieces of any size, finish with final. */
#ifndef BESTDAG_BASE_SHA256_H
#define BESTDAG_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { BESTDAG_SHA256_BYTES = 32, BESTDAG_SHA256_HEX = 65 };

/* Mixes blocks of 64 bytes into a state. */
typedef void bestdag_sha256_mix_fn(uint32_t state[8], const uint8_t *from,
                                   size_t blocks);
bestdag_sha256_mix_fn bestdag_sha256_mix; /* in plain C */
/* sha256_x86.c: with the machine's own instructions; NULL: it has none. */
bestdag_sha256_mix_fn *bestdag_sha256_x86_pick(void);

struct bestdag_sha256 {
    bestdag_sha256_mix_fn *mix; /* init takes the fastest */
    uint32_t state[8];
    uint64_t length;   /* bytes added so far */
    uint8_t block[64]; /* the first length % 64 bytes are not yet mixed in */
};

void bestdag_sha256_init(struct bestdag_sha256 *s);
void bestdag_sha256_update(struct bestdag_sha256 *s, const void *bytes,
                           size_t n);
/* The hash; s must be initialised again before it is used again. */
void bestdag_sha256_final(struct bestdag_sha256 *s,
                          uint8_t hash[BESTDAG_SHA256_BYTES]);
/* The same as 64 lower-case hexadecimal digits and a 0. */
void bestdag_sha256_hex(struct bestdag_sha256 *s, char hex[BESTDAG_SHA256_HEX]);

#endif
