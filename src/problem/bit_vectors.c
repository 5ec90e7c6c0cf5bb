/* SPDX-License-Identifier: MIT */
/* bit_vectors.c -- best(v, available) by bit vectors (Yuan and Malone 2012).
 *
 * For a variable v and every u, a bit vector says which sets of v contain u.
 * Removing those of each missing u leaves the sets that fit, and the first bit
 * is the best one. Vectors are cut into words, and the words of all u for 64
 * sets lie together, so that the work ends with the first word that keeps a
 * bit:
 *
 *     sets 0..63:   u = 0, 1, ... n - 1    sets 64..127:   u = 0, 1, ...
 *
 * A bit that is in no vector stands for "no set fits". Memory: n / 8 bytes per
 * set. */
#include "problem/best_parents.h"

struct bits {
    const struct bestdag_component *at;
    uint64_t last;  /* mask of the last word */
    uint64_t *word; /* owns */
    int64_t *start; /* owns; [n]: offset of the words of v */
};

/* The sets of a block without those that contain missing variables. */
static inline uint64_t remove_missing(const uint64_t *word, uint64_t missing)
{
    uint64_t barred = 0;
    for (; missing; missing &= missing - 1)
        barred |= word[__builtin_ctzll(missing)];
    return barred;
}

static int64_t best_word(const void *data, int v, const uint64_t *available)
{
    const struct bits *b = data;
    const uint64_t *word = b->word + b->start[v];
    uint64_t missing = ~*available & b->last, barred;
    const int64_t *cost = b->at->list[v].cost;
    while (!~(barred = remove_missing(word, missing))) {
        word += b->at->n;
        cost += 64;
    }
    return cost[__builtin_ctzll(~barred)];
}

static int64_t best_words(const void *data, int v, const uint64_t *available)
{
    const struct bits *b = data;
    const uint64_t *word = b->word + b->start[v];
    int words = b->at->words;
    for (const int64_t *cost = b->at->list[v].cost;; cost += 64) {
        uint64_t barred = 0;
        for (int w = 0; w < words; w++) {
            uint64_t missing = ~available[w];
            if (w == words - 1)
                missing &= b->last;
            barred |= remove_missing(word + (size_t)w * 64, missing);
        }
        if (~barred)
            return cost[__builtin_ctzll(~barred)];
        word += b->at->n;
    }
}

static void fill(const struct bestdag_component *at,
                 const struct bestdag_candidates *p, uint64_t *word)
{
    for (int set = 0; set < p->count; set++) {
        const uint64_t *mask = p->mask + (int64_t)set * at->words;
        uint64_t *block = word + (int64_t)(set / 64) * at->n;
        for (int w = 0; w < at->words; w++)
            for (uint64_t left = mask[w]; left; left &= left - 1)
                block[w * 64 + __builtin_ctzll(left)] |= (uint64_t)1
                                                         << set % 64;
    }
}

static int make(struct bestdag_run *run, struct bestdag_best_parents *to)
{
    const struct bestdag_component *at = to->at;
    struct bits *b = bestdag_calloc(run, 1, sizeof *b);
    int64_t words = 0;
    to->data = b;
    if (!b)
        return bestdag_run_status(run);
    b->at = at;
    b->last = ~(uint64_t)0 >> (at->words * 64 - at->n);
    b->start = bestdag_alloc(run, (size_t)at->n * sizeof *b->start);
    for (int v = 0; v < at->n && b->start; v++) {
        b->start[v] = words;
        words += ((int64_t)at->list[v].count / 64 + 1) * at->n;
        to->entries += at->list[v].count;
    }
    b->word = bestdag_calloc(run, (size_t)words, sizeof *b->word);
    if (bestdag_run_status(run))
        return bestdag_run_status(run);
    for (int v = 0; v < at->n; v++)
        fill(at, &at->list[v], b->word + b->start[v]);
    to->best = at->words == 1 ? best_word : best_words;
    to->bytes = 8 * (words + at->n);
    return BESTDAG_OK;
}

static void drop(void *data)
{
    struct bits *b = data;
    if (!b)
        return;
    bestdag_free(b->word);
    bestdag_free(b->start);
    bestdag_free(b);
}

extern const struct bestdag_best_parents_form bestdag_best_parents_bits;
const struct bestdag_best_parents_form bestdag_best_parents_bits = {
    .name = "bits",
    .help = "bit vectors over the sorted sets: which contain each variable",
    .make = make,
    .drop = drop,
};
