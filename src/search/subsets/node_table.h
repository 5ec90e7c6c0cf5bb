/* SPDX-License-Identifier: MIT */
/* node_table.h -- sets of variables and their costs: the nodes of a search.
 *
 * An open-addressing table in SEGMENTS segments, chosen by the first bits of
 * the hash. Each segment grows on its own, by a quarter when it is four fifths
 * full, so the whole is never copied: about 22 bytes per node of one word, at
 * most 24. Segments make up PARTS parts; different threads may work on
 * different parts.
 *
 *     a node:  set, `words` words | cost, with the sign bit free for its user
 *
 * `words` is a compile-time constant where it matters: callers branch on it
 * once, outside their loops, by BESTDAG_WORDS. */
#ifndef BESTDAG_SEARCH_SUBSETS_NODE_TABLE_H
#define BESTDAG_SEARCH_SUBSETS_NODE_TABLE_H

#include "base/random.h"

#include <assert.h>
#include "base/run.h"
#include "base/simd.h"

enum {
    BESTDAG_SEGMENTS = 256, /* by one byte of the hash; each grows on its own */
    BESTDAG_PARTS = 16,     /* items of work: more threads do not help */
    BESTDAG_MOST_WORDS = 4, /* of a set: 256 variables */
    BESTDAG_PART_SEGMENTS = BESTDAG_SEGMENTS / BESTDAG_PARTS
};

/* Calls f(..., words) with words as a constant. */
#define BESTDAG_WORDS(words, f, ...)                                           \
    ((words) == 1   ? f(__VA_ARGS__, 1)                                        \
     : (words) == 2 ? f(__VA_ARGS__, 2)                                        \
     : (words) == 3 ? f(__VA_ARGS__, 3)                                        \
                    : f(__VA_ARGS__, 4))

#define BESTDAG_NO_NODE INT64_MAX /* the cost of an empty slot */

struct bestdag_segment {
    uint64_t *slot; /* owns; [slots * (words + 1)] */
    uint32_t slots, used;
};

struct bestdag_node_table {
    struct bestdag_run *run;
    int words;
    int64_t bytes; /* limit for all segments; the user may change it */
    _Atomic int64_t taken;
    struct bestdag_segment segment[BESTDAG_SEGMENTS];
};

static inline int64_t *bestdag_node_cost(uint64_t *node, int words)
{
    return (int64_t *)(node + words);
}

BESTDAG_INLINE uint64_t bestdag_set_hash(const uint64_t *set, int words)
{
    uint64_t hash = set[0];
    for (int w = 1; w < words; w++)
        hash = bestdag_mix(hash) ^ set[w];
    hash *= 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
    return hash * 0xd6e8feb86659fd93u;
}

BESTDAG_INLINE bool bestdag_set_same(const uint64_t *a, const uint64_t *b,
                                     int words)
{
    uint64_t different = 0;
    for (int w = 0; w < words; w++)
        different |= a[w] ^ b[w];
    return !different;
}

static inline int bestdag_hash_segment(uint64_t hash)
{
    return (int)(hash >> 56);
}

static inline int bestdag_hash_part(uint64_t hash)
{
    return bestdag_hash_segment(hash) / BESTDAG_PART_SEGMENTS;
}

BESTDAG_INLINE uint64_t *bestdag_segment_home(const struct bestdag_segment *s,
                                              uint64_t hash, int words)
{
    uint64_t at = ((hash & 0xffffffff) * s->slots) >> 32;
    return s->slot + at * (uint64_t)(words + 1);
}

static inline void bestdag_node_table_fetch(
    const struct bestdag_node_table *nodes, uint64_t hash)
{
    const struct bestdag_segment *s =
        &nodes->segment[bestdag_hash_segment(hash)];
    if (s->slots)
        __builtin_prefetch(bestdag_segment_home(s, hash, nodes->words));
}

/* The node of a set, or the empty slot where it belongs; the segment must have
 * an empty slot. */
BESTDAG_INLINE uint64_t *bestdag_segment_find(const struct bestdag_segment *s,
                                              const uint64_t *set,
                                              uint64_t hash, int words)
{
    uint64_t *at = bestdag_segment_home(s, hash, words);
    const uint64_t *end = s->slot + (uint64_t)s->slots * (uint64_t)(words + 1);
    while (*bestdag_node_cost(at, words) != BESTDAG_NO_NODE &&
           !bestdag_set_same(at, set, words)) {
        at += words + 1;
        if (at == end)
            at = s->slot;
    }
    return at;
}

/* NULL: the set has no node. */
BESTDAG_INLINE uint64_t *bestdag_node_table_find(
    const struct bestdag_node_table *nodes, const uint64_t *set, uint64_t hash,
    int words)
{
    const struct bestdag_segment *s =
        &nodes->segment[bestdag_hash_segment(hash)];
    if (!s->slots)
        return NULL;
    uint64_t *node = bestdag_segment_find(s, set, hash, words);
    return *bestdag_node_cost(node, words) == BESTDAG_NO_NODE ? NULL : node;
}

/* Enlarges a segment. False: the limit is reached, or an error. */
bool bestdag_segment_grow(struct bestdag_node_table *nodes,
                          struct bestdag_segment *s);

/* The node of a set, created if there is none: then its cost is BESTDAG_NO_NODE
 * and the caller sets it. NULL: the limit is reached, or an error. Different
 * threads may put sets of different parts. */
BESTDAG_INLINE uint64_t *bestdag_node_table_put(
    struct bestdag_node_table *nodes, const uint64_t *set, uint64_t hash,
    int words)
{
    struct bestdag_segment *s = &nodes->segment[bestdag_hash_segment(hash)];
    if ((uint64_t)s->used * 5 >= (uint64_t)s->slots * 4 &&
        !bestdag_segment_grow(nodes, s))
        return NULL;
    assert(s->used < s->slots); /* so that probing ends */
    uint64_t *node = bestdag_segment_find(s, set, hash, words);
    if (*bestdag_node_cost(node, words) == BESTDAG_NO_NODE) {
        s->used++;
        for (int w = 0; w < words; w++)
            node[w] = set[w];
    }
    return node;
}

int64_t bestdag_node_table_count(const struct bestdag_node_table *nodes);
/* Moves the nodes of a segment to its front; it is no hash table any more. */
void bestdag_segment_pack(struct bestdag_segment *s, int words);
/* Sorts packed nodes by their sets. */
void bestdag_segment_sort(struct bestdag_segment *s, int words);
/* Frees a segment. */
void bestdag_segment_clear(struct bestdag_node_table *nodes,
                           struct bestdag_segment *s);
/* Frees the segments of a part. */
void bestdag_node_table_drop(struct bestdag_node_table *nodes, int part);
void bestdag_node_table_clear(struct bestdag_node_table *nodes);

#endif
