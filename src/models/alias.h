/* SPDX-License-Identifier: MIT */
/* alias.h -- drawing from a row of probabilities with one lookup.
 *
 * The alias method (Walker 1977; Vose 1991) in whole numbers. Probabilities
 * become whole multiples of 2^-32 that sum to one; there are 2^bits buckets,
 * the least power of two that is not below the number of states, and one entry
 * of 32 bits per bucket:
 *
 *     | threshold: 32 - bits | alias: bits |
 *
 * A random u of 32 bits has the bucket in its upper bits and a fraction in the
 * others. Below the threshold the draw is the bucket's number, else the alias.
 * A state of probability 0 is never drawn; one of probability 1 always is. */
#ifndef BESTDAG_MODELS_ALIAS_H
#define BESTDAG_MODELS_ALIAS_H

#include "base/run.h"
#include "base/simd.h"

/* At least 1, at most 16. */
int bestdag_alias_bits(int states);

struct bestdag_alias_scratch {
    uint64_t *weight;   /* owns; [2^bits] */
    int *small, *large; /* owns; [2^bits] */
};
int bestdag_alias_scratch_new(struct bestdag_run *run, int states,
                              struct bestdag_alias_scratch *to);
void bestdag_alias_scratch_release(struct bestdag_alias_scratch *scratch);
/* Fills 2^bits entries. The probabilities need not sum to 1 exactly, but some
 * must be above 0. */
void bestdag_alias_build(const double *probability, int states,
                         struct bestdag_alias_scratch *scratch,
                         uint32_t *entry);

/* The draw for random number u, whose bucket has this entry. */
BESTDAG_INLINE uint32_t bestdag_alias_draw(uint32_t entry, int bits, uint32_t u)
{
    uint32_t fraction = u & UINT32_MAX >> bits;
    uint32_t alias = entry & ((1u << bits) - 1);
    /* both sides are below 2^31: signed comparison is cheaper in vectors */
    return (int32_t)fraction < (int32_t)(entry >> bits) ? u >> (32 - bits)
                                                        : alias;
}

#endif
