/* SPDX-License-Identifier: MIT */
/* collector.c -- turns sets in any order into a sorted list without dominated
 * sets.
 *
 * A set is dominated if a proper subset scores at least as well. Going from the
 * best set down (smaller sets first among equals), all possible dominators of a
 * set have been seen, and only those kept need checking: the dominator of a
 * dominator is kept and a subset, too. For a small set, each of its 2^size
 * subsets is looked up in a hash table of the kept sets, in Gray code order, so
 * that a step changes one member; a bitmap of hashes, 16 bits per set, answers
 * most look-ups from the cache. A large set is compared with all kept sets,
 * most of which a 64-bit signature rules out. Time O(m (log m + min(2^size,
 * kept))). */
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "base/random.h"
#include "parents/sets.h"

struct bestdag_collector {
    struct bestdag_run *run;
    int64_t count, room;
    double *score;  /* owns; [room] */
    int64_t *start; /* owns; [room + 1] */
    int32_t *member;
    int64_t members, member_room;
};

struct bestdag_collector *bestdag_collector_new(struct bestdag_run *run)
{
    struct bestdag_collector *c = bestdag_calloc(run, 1, sizeof *c);
    if (c)
        c->run = run;
    return c;
}

void bestdag_collector_free(struct bestdag_collector *c)
{
    if (!c)
        return;
    bestdag_free(c->score);
    bestdag_free(c->start);
    bestdag_free(c->member);
    bestdag_free(c);
}

/* Makes room for one more set. */
static int grow_sets(struct bestdag_collector *c)
{
    if (c->count < c->room)
        return BESTDAG_OK;
    int64_t room = c->room ? 2 * c->room : 64;
    double *score =
        bestdag_realloc(c->run, c->score, (size_t)room * sizeof *score);
    if (!score)
        return BESTDAG_MEMORY;
    c->score = score;
    int64_t *start =
        bestdag_realloc(c->run, c->start, ((size_t)room + 1) * sizeof *start);
    if (!start)
        return BESTDAG_MEMORY;
    c->start = start;
    c->room = room;
    c->start[0] = 0;
    return BESTDAG_OK;
}

static int grow_members(struct bestdag_collector *c, int more)
{
    if (c->members + more <= c->member_room)
        return BESTDAG_OK;
    int64_t room = 2 * c->member_room + more + 64;
    int32_t *member =
        bestdag_realloc(c->run, c->member, (size_t)room * sizeof *member);
    if (!member)
        return BESTDAG_MEMORY;
    c->member = member;
    c->member_room = room;
    return BESTDAG_OK;
}

int bestdag_collector_add(struct bestdag_collector *c, const int *parents,
                          int count, double score)
{
    if (grow_sets(c) || grow_members(c, count + 1)) /* never NULL */
        return BESTDAG_MEMORY;
    for (int i = 0; i < count; i++)
        c->member[c->members++] = parents[i];
    assert(bestdag_is_set(parents, count, INT_MAX) && !isnan(score));
    c->score[c->count++] = score;
    c->start[c->count] = c->members;
    return BESTDAG_OK;
}

int bestdag_collector_hand_over(struct bestdag_collector *c,
                                struct bestdag_list *to)
{
    size_t count = (size_t)c->count, members = (size_t)c->members;
    assert(!to->count && !to->score && !to->start && !to->member);
    if (!count)
        return BESTDAG_OK;
    double *score = bestdag_realloc(c->run, c->score, count * sizeof *score);
    c->score = score ? score : c->score;
    int64_t *start =
        bestdag_realloc(c->run, c->start, (count + 1) * sizeof *start);
    c->start = start ? start : c->start;
    int32_t *member =
        bestdag_realloc(c->run, c->member, (members + 1) * sizeof *member);
    c->member = member ? member : c->member;
    if (!score || !start || !member)
        return BESTDAG_MEMORY;
    to->count = c->count;
    to->score = score;
    to->start = start;
    to->member = member;
    *c = (struct bestdag_collector){.run = c->run};
    return BESTDAG_OK;
}

void bestdag_collector_take_back(struct bestdag_collector *c,
                                 struct bestdag_list *from)
{
    assert(!c->count);
    if (!from->count)
        return;
    bestdag_free(c->score);
    bestdag_free(c->start);
    bestdag_free(c->member);
    *c = (struct bestdag_collector){.run = c->run,
                                    .count = from->count,
                                    .room = from->count,
                                    .score = from->score,
                                    .start = from->start,
                                    .member = from->member,
                                    .members = from->start[from->count]};
    c->member_room = c->members;
    from->score = NULL;
    from->start = NULL;
    from->member = NULL;
    from->count = 0;
}

/* ---- order --------------------------------------------------------------- */

struct entry {
    double score;
    const int32_t *at;
    int32_t count;
};

static int compare_members(const struct entry *x, const struct entry *y)
{
    for (int i = 0; i < x->count; i++)
        if (x->at[i] != y->at[i])
            return x->at[i] < y->at[i] ? -1 : 1;
    return 0;
}

static int best_first(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    if (x->count != y->count)
        return x->count < y->count ? -1 : 1;
    return compare_members(x, y);
}

static bool is_sorted(const struct entry *entry, int64_t count)
{
    for (int64_t i = 1; i < count; i++)
        if (best_first(&entry[i - 1], &entry[i]) > 0)
            return false;
    return true;
}

/* ---- the kept sets ------------------------------------------------------- */

struct kept {
    struct entry *entry; /* borrowed; the first `count` are kept */
    uint64_t *hash;      /* owns; [most] */
    uint64_t *bits;      /* owns; [most]: a signature of the members; NULL: only
                            duplicates are looked for */
    int64_t count;
    int64_t *bucket; /* owns; open addressing; index + 1, 0 is free */
    uint64_t mask;   /* buckets - 1 */
    uint64_t *marks; /* owns; bitmap of the first bits of hashes; NULL if `bits`
                        is */
    int unmarked;    /* bits of a hash that are not in its mark */
};

enum { MARKS = 16 }; /* bits per set: one absent subset in 16 is looked up */

static uint64_t hash_member(int32_t member)
{
    return bestdag_mix((uint64_t)(uint32_t)member + 1);
}

static uint64_t hash_of(const struct entry *e)
{
    uint64_t hash = 0;
    for (int i = 0; i < e->count; i++)
        hash ^= hash_member(e->at[i]);
    return hash;
}

static uint64_t bits_of(const struct entry *e)
{
    uint64_t bits = 0;
    for (int i = 0; i < e->count; i++)
        bits |= (uint64_t)1 << (hash_member(e->at[i]) >> 58);
    return bits;
}

static bool is_subset(const struct entry *small, const struct entry *large)
{
    int j = 0;
    for (int i = 0; i < small->count; i++, j++) {
        while (j < large->count && large->at[j] < small->at[i])
            j++;
        if (j == large->count || large->at[j] != small->at[i])
            return false;
    }
    return true;
}

/* Is there a kept set with this hash that is a subset of e? */
static bool has_subset(const struct kept *k, uint64_t hash,
                       const struct entry *e)
{
    for (uint64_t b = hash & k->mask; k->bucket[b]; b = (b + 1) & k->mask) {
        int64_t i = k->bucket[b] - 1;
        if (k->hash[i] == hash && is_subset(&k->entry[i], e))
            return true;
    }
    return false;
}

/* Subsets are looked up by hash if they are few compared with the kept sets.
 * 1..16 for 4, and 1..256 for 16: the same time on 60 variables
 * (bench/log/2026-11-17-sensitivity.csv). */
enum {
    MOST_HASHED = 20,   /* parents */
    SCANS_PER_HASH = 4, /* look-ups that a comparison is worth */
    FEW_SUBSETS = 16    /* so many are always looked up */
};

static bool is_marked(const struct kept *k, uint64_t hash)
{
    uint64_t mark = hash >> k->unmarked;
    return k->marks[mark / 64] >> (mark % 64) & 1;
}

static void set_mark(struct kept *k, uint64_t hash)
{
    uint64_t mark = hash >> k->unmarked;
    k->marks[mark / 64] |= (uint64_t)1 << (mark % 64);
}

static bool is_dominated_by_hash(const struct kept *k, const struct entry *e)
{
    uint64_t hash = 0, member[MOST_HASHED] = {0};
    uint64_t subsets = (uint64_t)1 << e->count;
    for (int i = 0; i < e->count; i++)
        member[i] = hash_member(e->at[i]);
    for (uint64_t s = 0; s < subsets; s++) {
        if (s)
            hash ^= member[__builtin_ctzll(s)];
        if (is_marked(k, hash) && has_subset(k, hash, e))
            return true;
    }
    return false;
}

static bool is_dominated_by_scan(const struct kept *k, const struct entry *e)
{
    uint64_t lacks = ~bits_of(e);
    for (int64_t i = 0; i < k->count; i++)
        if (!(k->bits[i] & lacks) && is_subset(&k->entry[i], e))
            return true;
    return false;
}

/* Is e dominated by a kept set, or equal to one? */
static bool is_dominated(const struct kept *k, const struct entry *e)
{
    if (e->count < MOST_HASHED &&
        (int64_t)1 << e->count <= SCANS_PER_HASH * k->count + FEW_SUBSETS)
        return is_dominated_by_hash(k, e);
    return is_dominated_by_scan(k, e);
}

static bool is_double(const struct kept *k, const struct entry *e,
                      uint64_t hash)
{
    for (uint64_t b = hash & k->mask; k->bucket[b]; b = (b + 1) & k->mask) {
        const struct entry *other = &k->entry[k->bucket[b] - 1];
        if (k->hash[k->bucket[b] - 1] == hash && other->count == e->count &&
            !compare_members(other, e))
            return true;
    }
    return false;
}

static void keep(struct kept *k, struct entry e, uint64_t hash)
{
    int64_t i = k->count++;
    assert(!i || best_first(&k->entry[i - 1], &e) < 0);
    assert((uint64_t)k->count <= k->mask); /* a bucket is free */
    k->entry[i] = e;
    k->hash[i] = hash;
    if (k->bits)
        k->bits[i] = bits_of(&e);
    if (k->marks)
        set_mark(k, hash);
    uint64_t b = k->hash[i] & k->mask;
    while (k->bucket[b])
        b = (b + 1) & k->mask;
    k->bucket[b] = i + 1;
}

static bool make_marks(struct bestdag_run *run, struct kept *k, size_t n)
{
    int bits = 6;
    while ((size_t)1 << bits < MARKS * n)
        bits++;
    k->unmarked = 64 - bits;
    k->marks = bestdag_calloc(run, (size_t)1 << (bits - 6), sizeof *k->marks);
    return k->marks != NULL;
}

/* Moves the sets to be kept to the front. */
static int sift(struct bestdag_collector *c, struct entry *entry, bool prune,
                int64_t *count)
{
    struct kept k = {.entry = entry, .mask = 15};
    size_t n = (size_t)c->count;
    while (k.mask < 2 * n)
        k.mask = 2 * k.mask + 1;
    k.hash = bestdag_alloc(c->run, n * sizeof *k.hash);
    if (prune)
        k.bits = bestdag_alloc(c->run, n * sizeof *k.bits);
    k.bucket = bestdag_calloc(c->run, k.mask + 1, sizeof *k.bucket);
    bool fits =
        k.hash && k.bucket && (!prune || (k.bits && make_marks(c->run, &k, n)));
    for (size_t i = 0; fits && i < n; i++) {
        uint64_t hash = hash_of(&entry[i]);
        if (prune ? !is_dominated(&k, &entry[i])
                  : !is_double(&k, &entry[i], hash))
            keep(&k, entry[i], hash);
    }
    *count = k.count;
    bestdag_free(k.hash);
    bestdag_free(k.bits);
    bestdag_free(k.bucket);
    bestdag_free(k.marks);
    return fits ? BESTDAG_OK : BESTDAG_MEMORY;
}

/* ---- the list ------------------------------------------------------------ */

static int make_list(struct bestdag_collector *c, const struct entry *entry,
                     int64_t count, struct bestdag_list *to)
{
    int64_t members = 0;
    for (int64_t i = 0; i < count; i++)
        members += entry[i].count;
    bestdag_list_release(to);
    to->score = bestdag_alloc(c->run, (size_t)count * sizeof *to->score);
    to->start = bestdag_alloc(c->run, ((size_t)count + 1) * sizeof *to->start);
    to->member = bestdag_alloc(c->run, (size_t)members * sizeof *to->member);
    if (!to->score || !to->start || !to->member)
        return BESTDAG_MEMORY;
    to->start[0] = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t from = to->start[i];
        to->score[i] = entry[i].score;
        memcpy(to->member + from, entry[i].at,
               (size_t)entry[i].count * sizeof *to->member);
        to->start[i + 1] = from + entry[i].count;
    }
    to->count = count;
    assert(to->start[count] == members);
    assert(bestdag_is_descending(to->score, count));
    return BESTDAG_OK;
}

int bestdag_collector_finish(struct bestdag_collector *c, bool prune,
                             struct bestdag_list *to)
{
    int64_t count = c->count;
    struct entry *entry = bestdag_alloc(c->run, (size_t)count * sizeof *entry);
    if (!entry)
        return BESTDAG_MEMORY;
    for (int64_t i = 0; i < count; i++)
        entry[i] = (struct entry){c->score[i], c->member + c->start[i],
                                  (int32_t)(c->start[i + 1] - c->start[i])};
    if (!is_sorted(entry, count)) /* most files are sorted */
        qsort(entry, (size_t)count, sizeof *entry, best_first);
    int status = count ? sift(c, entry, prune, &count) : BESTDAG_OK;
    if (!status)
        status = make_list(c, entry, count, to);
    bestdag_free(entry);
    c->count = c->members = 0;
    return status;
}
