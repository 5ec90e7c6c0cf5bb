/* SPDX-License-Identifier: MIT */
/* alias.c -- alias tables in whole numbers; time and memory O(2^bits) per
 * row. */
#include "models/alias.h"

#include <assert.h>
#include <math.h>

int bestdag_alias_bits(int states)
{
    int bits = 1;
    while (1 << bits < states)
        bits++;
    return bits;
}

int bestdag_alias_scratch_new(struct bestdag_run *run, int states,
                              struct bestdag_alias_scratch *to)
{
    size_t buckets = (size_t)1 << bestdag_alias_bits(states);
    to->weight = bestdag_alloc(run, buckets * sizeof *to->weight);
    to->small = bestdag_alloc(run, buckets * sizeof *to->small);
    to->large = bestdag_alloc(run, buckets * sizeof *to->large);
    return bestdag_run_status(run);
}

void bestdag_alias_scratch_release(struct bestdag_alias_scratch *scratch)
{
    bestdag_free(scratch->weight);
    bestdag_free(scratch->small);
    bestdag_free(scratch->large);
}

/* Whole weights that sum to 2^32: differences of the rounded sums, so that each
 * is off by less than one and a 0 stays 0. */
static void round_weights(const double *probability, int states,
                          uint64_t *weight)
{
    double all = 0, sum = 0;
    uint64_t before = 0;
    for (int s = 0; s < states; s++)
        all += probability[s];
    for (int s = 0; s < states; s++) {
        sum += probability[s];
        uint64_t upto = (uint64_t)floor(sum / all * 0x1p32 + 0.5);
        assert(upto >= before);
        weight[s] = upto - before;
        before = upto;
    }
    assert(before == (uint64_t)1 << 32); /* nothing is lost by rounding */
}

void bestdag_alias_build(const double *probability, int states,
                         struct bestdag_alias_scratch *scratch, uint32_t *entry)
{
    int bits = bestdag_alias_bits(states), buckets = 1 << bits;
    int smalls = 0, larges = 0;
    uint64_t full = (uint64_t)1 << (32 - bits), *weight = scratch->weight;
    round_weights(probability, states, weight);
    for (int k = 0; k < buckets; k++) {
        if (k >= states)
            weight[k] = 0;
        if (weight[k] < full)
            scratch->small[smalls++] = k;
        else
            scratch->large[larges++] = k;
    }
    while (smalls) { /* the sum is exact, so each small one finds a large one */
        int k = scratch->small[--smalls], donor = scratch->large[larges - 1];
        assert(larges > 0 && weight[k] < full && weight[donor] >= full);
        entry[k] = (uint32_t)(weight[k] << bits) | (uint32_t)donor;
        weight[donor] -= full - weight[k];
        if (weight[donor] < full) {
            larges--;
            scratch->small[smalls++] = donor;
        }
    }
    while (larges) {
        int k = scratch->large[--larges];
        assert(weight[k] == full);
        entry[k] = (uint32_t)k;
    }
}
