/* SPDX-License-Identifier: MIT */
/* open_list.h -- open sets by f, in buckets of equal width.
 *
 * The f of open nodes lies between that of the root and the incumbent's cost,
 * so a bucket is found by a shift, and putting and taking are O(1). A bucket is
 * a stack: the search tolerates its disorder, and goes deep first. It is a
 * chain of chunks; empty chunks are reused.
 *
 * Memory: `words` words per open set, and a part of a chunk per bucket. */
#ifndef BESTDAG_SEARCH_SUBSETS_OPEN_LIST_H
#define BESTDAG_SEARCH_SUBSETS_OPEN_LIST_H

#include "base/run.h"

#include <assert.h>

enum { BESTDAG_CHUNK = 126 }; /* words of a chunk's sets */

struct bestdag_chunk {
    struct bestdag_chunk *next; /* chunk with earlier sets */
    int64_t used;               /* words */
    uint64_t word[BESTDAG_CHUNK];
};

struct bestdag_open_list {
    struct bestdag_run *run;
    struct bestdag_chunk **bucket; /* owns; [buckets]: the latest chunk of
                                      each */
    struct bestdag_chunk *spare;   /* owns */
    int buckets, least;            /* buckets below `least` are empty */
    int64_t from;                  /* least f of the first bucket */
    int shift;                     /* a bucket is 2^shift wide */
    int64_t taken;                 /* bytes of all chunks */
};

/* For f in [from, to), with at most `buckets` buckets. */
int bestdag_open_list_init(struct bestdag_open_list *q, int64_t from,
                           int64_t to, int buckets);
/* Removes all sets. */
void bestdag_open_list_clear(struct bestdag_open_list *q);
void bestdag_open_list_release(struct bestdag_open_list *q);
/* The first bucket that is not empty; `buckets`: all are. */
int bestdag_open_list_least(struct bestdag_open_list *q);
/* Adds a chunk to a bucket whose last one is full. */
int bestdag_open_list_extend(struct bestdag_open_list *q, int bucket);

static inline int64_t bestdag_open_list_edge(const struct bestdag_open_list *q,
                                             int bucket)
{
    return q->from + ((int64_t)bucket << q->shift);
}

static inline int bestdag_open_list_bucket(const struct bestdag_open_list *q,
                                           int64_t f)
{
    return f < q->from ? 0 : (int)((f - q->from) >> q->shift);
}

static inline int bestdag_open_list_put(struct bestdag_open_list *q, int64_t f,
                                        const uint64_t *set, int words)
{
    int b = bestdag_open_list_bucket(q, f);
    assert(b >= 0 && b < q->buckets);
    struct bestdag_chunk *c = q->bucket[b];
    if (!c || c->used + words > BESTDAG_CHUNK) {
        if (bestdag_open_list_extend(q, b))
            return bestdag_run_status(q->run);
        c = q->bucket[b];
    }
    for (int w = 0; w < words; w++)
        c->word[c->used + w] = set[w];
    c->used += words;
    if (b < q->least)
        q->least = b;
    return BESTDAG_OK;
}

/* Takes the latest set of a bucket; false: the bucket is empty. */
static inline bool bestdag_open_list_take(struct bestdag_open_list *q,
                                          int bucket, uint64_t *set, int words)
{
    struct bestdag_chunk *c = q->bucket[bucket];
    if (!c)
        return false;
    c->used -= words;
    assert(c->used >= 0 && bucket >= q->least);
    for (int w = 0; w < words; w++)
        set[w] = c->word[c->used + w];
    if (!c->used) {
        q->bucket[bucket] = c->next;
        c->next = q->spare;
        q->spare = c;
    }
    return true;
}

#endif
