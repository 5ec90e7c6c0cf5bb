/* SPDX-License-Identifier: MIT */
/* score_cache.c -- chained entries in shards, each with its own lock. */
#include "scores/score_cache.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/random.h"

enum { SHARDS = 64, FIRST = 64 };

struct entry {
    struct entry *next;
    uint64_t hash;
    int64_t child;
    uint64_t word[]; /* the set, then the numbers */
};

struct shard {
    pthread_mutex_t lock;
    struct entry **bucket; /* owns */
    size_t buckets, entries;
};

struct bestdag_score_cache {
    struct bestdag_run *run;
    size_t words, count;
    _Atomic int64_t left; /* bytes */
    struct shard shard[SHARDS];
};

struct bestdag_score_cache *bestdag_score_cache_new(struct bestdag_run *run,
                                                    size_t words, int count,
                                                    int64_t bytes)
{
    struct bestdag_score_cache *m = bestdag_calloc(run, 1, sizeof *m);
    if (!m)
        return NULL;
    m->run = run;
    m->words = words;
    m->count = (size_t)count;
    m->left = bytes;
    for (int i = 0; i < SHARDS; i++)
        pthread_mutex_init(&m->shard[i].lock, NULL);
    return m;
}

void bestdag_score_cache_limit(struct bestdag_score_cache *m, int64_t bytes)
{
    m->left = bytes;
}

void bestdag_score_cache_free(struct bestdag_score_cache *m)
{
    if (!m)
        return;
    for (int i = 0; i < SHARDS; i++) {
        struct shard *s = &m->shard[i];
        for (size_t b = 0; b < s->buckets; b++)
            for (struct entry *e = s->bucket[b]; e;) {
                struct entry *next = e->next;
                bestdag_free(e);
                e = next;
            }
        bestdag_free(s->bucket);
        pthread_mutex_destroy(&s->lock);
    }
    bestdag_free(m);
}

static uint64_t hash_of(const struct bestdag_score_cache *m, int child,
                        const uint64_t *parents)
{
    uint64_t hash = bestdag_mix((uint64_t)child);
    for (size_t w = 0; w < m->words; w++)
        if (parents[w])
            hash ^= bestdag_mix(parents[w] ^ bestdag_mix(w + 77) ^ hash);
    return hash;
}

/* Requires the lock. */
static struct entry *find(const struct bestdag_score_cache *m,
                          const struct shard *s, uint64_t hash, int child,
                          const uint64_t *parents)
{
    struct entry *e = s->buckets ? s->bucket[hash & (s->buckets - 1)] : NULL;
    while (e && (e->hash != hash || e->child != child ||
                 memcmp(e->word, parents, m->words * sizeof *parents)))
        e = e->next;
    return e;
}

const int64_t *bestdag_score_cache_find(struct bestdag_score_cache *m,
                                        int child, const uint64_t *parents)
{
    uint64_t hash = hash_of(m, child, parents);
    struct shard *s = &m->shard[hash >> 58];
    pthread_mutex_lock(&s->lock);
    const struct entry *e = find(m, s, hash, child, parents);
    pthread_mutex_unlock(&s->lock);
    return e ? (const int64_t *)(e->word + m->words) : NULL;
}

/* Adds buckets if there are as many entries; requires the lock. */
static bool widen(struct bestdag_score_cache *m, struct shard *s)
{
    if (s->entries < s->buckets)
        return true;
    size_t buckets = s->buckets ? 2 * s->buckets : FIRST;
    struct entry **to = bestdag_calloc(m->run, buckets, sizeof(struct entry *));
    if (!to)
        return false;
    for (size_t b = 0; b < s->buckets; b++)
        for (struct entry *e = s->bucket[b]; e;) {
            struct entry *next = e->next;
            e->next = to[e->hash & (buckets - 1)];
            to[e->hash & (buckets - 1)] = e;
            e = next;
        }
    bestdag_free(s->bucket);
    s->bucket = to;
    s->buckets = buckets;
    return true;
}

static struct entry *make(struct bestdag_score_cache *m, int child,
                          const uint64_t *parents, const int64_t *numbers)
{
    size_t bytes = (m->words + m->count) * sizeof(uint64_t);
    int64_t all = (int64_t)(bytes + sizeof(struct entry) + 24);
    if (atomic_fetch_sub(&m->left, all) < all) {
        atomic_fetch_add(&m->left, all);
        return NULL;
    }
    struct entry *e = bestdag_alloc(m->run, sizeof *e + bytes);
    if (!e)
        return NULL;
    e->hash = hash_of(m, child, parents);
    e->child = child;
    memcpy(e->word, parents, m->words * sizeof *parents);
    memcpy(e->word + m->words, numbers, m->count * sizeof *numbers);
    return e;
}

const int64_t *bestdag_score_cache_keep(struct bestdag_score_cache *m,
                                        int child, const uint64_t *parents,
                                        const int64_t *numbers)
{
    struct entry *e = make(m, child, parents, numbers);
    if (!e)
        return NULL;
    struct shard *s = &m->shard[e->hash >> 58];
    pthread_mutex_lock(&s->lock);
    struct entry *there = find(m, s, e->hash, child, parents);
    if (there) { /* another thread was faster */
        bestdag_free(e);
        e = there;
    } else if (widen(m, s)) {
        struct entry **bucket = &s->bucket[e->hash & (s->buckets - 1)];
        e->next = *bucket;
        *bucket = e;
        s->entries++;
    } else {
        bestdag_free(e);
        e = NULL;
    }
    pthread_mutex_unlock(&s->lock);
    return e ? (const int64_t *)(e->word + m->words) : NULL;
}
