/* SPDX-License-Identifier: MIT */
/* list_sort.c -- sorts scored sets into a list.
 *
 * Scores are integers and are sorted by radix, lowest digit first (three digits
 * of 11 bits: the highest 33 bits of the score differences): about 10 ns per
 * set, however many there are. Sets that are equal in these bits are then
 * sorted by score, size and members. */
#include "parents/exhaustive/list_sort.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/growing_array.h"
#include "base/invariant.h"
#include "base/archive.h"

enum { DIGIT = 11, DIGITS = 3, RADIX = 1 << DIGIT, POOL_BITS = 42 };

struct item {
    uint64_t order; /* best score minus this one */
    uint64_t key;   /* for pooled sets with their worker above POOL_BITS */
};

struct bestdag_keys bestdag_keys_of(int places, int from, const int *order,
                                    double scale)
{
    struct bestdag_keys k = {
        .places = places, .from = from, .order = order, .scale = scale};
    if (places > 64)
        for (k.width = 7; (1 << k.width) < places;)
            k.width++;
    return k;
}

int bestdag_keys_most(const struct bestdag_keys *keys)
{
    return keys->width ? BESTDAG_KEY_BITS / keys->width : 64;
}

int bestdag_scored_sets_reserve(struct bestdag_run *run,
                                struct bestdag_scored_sets *s, int64_t more)
{
    if (s->count + more <= s->room)
        return BESTDAG_OK;
    int64_t room = s->room + s->room / 2 + 64;
    room = room < s->count + more ? s->count + more : room;
    void *found =
        bestdag_realloc(run, s->found, (size_t)room * sizeof *s->found);
    if (!found)
        return BESTDAG_MEMORY;
    s->found = found;
    s->room = room;
    return BESTDAG_OK;
}

static int add_to_pool(struct bestdag_run *run, struct bestdag_scored_sets *s,
                       const int *places, int count)
{
    if (!BESTDAG_GROW(run, s->pool, s->pool_room, s->pool_count + count + 1))
        return BESTDAG_MEMORY;
    s->pool[s->pool_count++] = count;
    for (int i = 0; i < count; i++)
        s->pool[s->pool_count++] = places[i];
    return BESTDAG_OK;
}

int bestdag_scored_sets_add(struct bestdag_run *run,
                            struct bestdag_scored_sets *s,
                            const struct bestdag_keys *keys, const int *places,
                            int count, int64_t score)
{
    struct bestdag_scored_set found = {.score = score};
    if (bestdag_scored_sets_reserve(run, s, 1))
        return BESTDAG_MEMORY;
    if (count <= bestdag_keys_most(keys)) {
        for (int i = 0; i < count; i++)
            found.key = bestdag_key_add(keys, found.key, i, places[i]);
        found.key |= bestdag_key_end(keys, count);
    } else {
        found.key = (uint64_t)s->pool_count | (uint64_t)BESTDAG_KEY_POOL
                                                  << BESTDAG_KEY_BITS;
        if (add_to_pool(run, s, places, count))
            return BESTDAG_MEMORY;
    }
    s->found[s->count++] = found;
    return BESTDAG_OK;
}

int bestdag_scored_sets_pass(struct bestdag_run *run,
                             struct bestdag_scored_sets *s, int64_t from,
                             struct bestdag_archive *p)
{
    int64_t more = s->count - from, pooled = s->pool_count;
    void *pool = s->pool;
    BESTDAG_PASS(p, more);
    BESTDAG_PASS(p, pooled);
    if (bestdag_archive_opens(p)) {
        if (more < 0 || more > p->left / (int64_t)sizeof *s->found ||
            (pooled && s->pool_count))
            bestdag_archive_reject(p);
        if (p->is_bad || bestdag_scored_sets_reserve(run, s, more))
            return bestdag_run_status(run);
        from = s->count;
        s->count += more;
    }
    if (more)
        bestdag_archive_pass(p, s->found + from,
                             (size_t)more * sizeof *s->found);
    if (!pooled)
        return BESTDAG_OK;
    bestdag_archive_array(p, run, &pool, pooled, sizeof *s->pool);
    s->pool = pool;
    s->pool_count = s->pool_room = pool ? pooled : 0;
    return bestdag_run_status(run);
}

void bestdag_scored_sets_release(struct bestdag_scored_sets *s)
{
    bestdag_free(s->found);
    bestdag_free(s->pool);
    *s = (struct bestdag_scored_sets){0};
}

/* ---- decoding -------------------------------------------------------- */

static bool is_pooled(const struct bestdag_keys *k, uint64_t key)
{
    return k->width && key >> BESTDAG_KEY_BITS == BESTDAG_KEY_POOL;
}

/* Size and members of a set in a pool. */
static const int32_t *in_pool(const struct bestdag_sort_job *c, uint64_t key)
{
    key &= ((uint64_t)1 << BESTDAG_KEY_BITS) - 1;
    return c->scored_sets[(int64_t)(key >> POOL_BITS) * c->stride].pool +
           (key & (((uint64_t)1 << POOL_BITS) - 1));
}

static int size_of(const struct bestdag_sort_job *c, uint64_t key)
{
    if (!c->keys->width)
        return __builtin_popcountll(key);
    return is_pooled(c->keys, key) ? *in_pool(c, key)
                                   : (int)(key >> BESTDAG_KEY_BITS);
}

/* The variables of a set, ascending; returns their number. */
static int decode(const struct bestdag_sort_job *c, uint64_t key, int32_t *to)
{
    const struct bestdag_keys *k = c->keys;
    const int *order = k->order + k->from;
    int size = size_of(c, key);
    if (is_pooled(k, key))
        for (int i = 0; i < size; i++)
            to[i] = order[in_pool(c, key)[i + 1]];
    else if (k->width)
        for (int i = 0; i < size; i++, key >>= k->width)
            to[i] = order[key & (((uint64_t)1 << k->width) - 1)];
    else
        for (int i = 0; i < size; i++, key &= key - 1)
            to[i] = order[__builtin_ctzll(key)];
    assert(size >= 0);
    bestdag_members_sort(to, size);
    assert(bestdag_is_set(to, size, INT32_MAX)); /* no member occurs twice */
    return size;
}

/* ---- sorting ---------------------------------------------------------- */

/* Best score, number of sets, and low bits to ignore when sorting. */
static int64_t look_over(const struct bestdag_sort_job *c, int64_t *total,
                         int *shift)
{
    int64_t best = INT64_MIN, worst = INT64_MAX;
    *total = 0;
    for (int s = 0; s < c->count; s++) {
        const struct bestdag_scored_sets *from = &c->scored_sets[s * c->stride];
        for (int64_t i = 0; i < from->count; i++) {
            int64_t score = from->found[i].score;
            best = score > best ? score : best;
            worst = score < worst ? score : worst;
        }
        *total += from->count;
    }
    uint64_t range = (uint64_t)best - (uint64_t)worst;
    for (*shift = 0; *total && range >> *shift >> (DIGITS * DIGIT);)
        ++*shift;
    return best;
}

/* Copies all sets; returns the sum of their sizes. */
static int64_t gather(const struct bestdag_sort_job *c, int64_t best,
                      struct item *to)
{
    int64_t members = 0;
    for (int s = 0; s < c->count; s++) {
        const struct bestdag_scored_sets *from = &c->scored_sets[s * c->stride];
        for (int64_t i = 0; i < from->count; i++, to++) {
            to->order = (uint64_t)best - (uint64_t)from->found[i].score;
            to->key = from->found[i].key;
            if (is_pooled(c->keys, to->key))
                to->key |= (uint64_t)s << POOL_BITS;
            members += size_of(c, to->key);
        }
    }
    return members;
}

static inline uint64_t digit(const struct item *item, int shift, int d)
{
    return item->order >> (shift + d * DIGIT) & (RADIX - 1);
}

/* Sorts by order >> shift; returns `a` or `b`, which has the result. */
static struct item *sort(struct item *a, struct item *b, int64_t count,
                         int shift)
{
    uint32_t start[DIGITS][RADIX];
    memset(start, 0, sizeof start);
    for (int64_t i = 0; i < count; i++)
        for (int d = 0; d < DIGITS; d++)
            start[d][digit(&a[i], shift, d)]++;
    for (int d = 0; d < DIGITS; d++) {
        uint32_t sum = 0;
        if (!count || start[d][digit(a, shift, d)] == count)
            continue;
        for (int i = 0; i < RADIX; i++) {
            uint32_t here = start[d][i];
            start[d][i] = sum;
            sum += here;
        }
        for (int64_t i = 0; i < count; i++)
            b[start[d][digit(&a[i], shift, d)]++] = a[i];
        struct item *swap = a;
        a = b;
        b = swap;
    }
    return a;
}

static int compare(const void *x, const void *y)
{
    const struct bestdag_tie *a = x, *b = y;
    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    if (a->size != b->size)
        return a->size < b->size ? -1 : 1;
    for (int i = 0; i < a->size; i++)
        if (a->member[i] != b->member[i])
            return a->member[i] < b->member[i] ? -1 : 1;
    return 0;
}

void bestdag_ties_sort(struct bestdag_tie *ties, int64_t count)
{
    if (count)
        qsort(ties, (size_t)count, sizeof *ties, compare);
}

/* Sorts items of nearly equal score by score, size and members. */
static int order_ties(struct bestdag_run *run, const struct bestdag_sort_job *c,
                      struct item *item, int64_t count)
{
    size_t members = 0;
    for (int64_t i = 0; i < count; i++)
        members += (size_t)size_of(c, item[i].key);
    struct bestdag_tie *tie = bestdag_alloc(run, (size_t)count * sizeof *tie);
    int32_t *member = bestdag_alloc(run, members * sizeof *member), *at;
    if (tie && (at = member)) {
        for (int64_t i = 0; i < count; at += tie[i++].size)
            tie[i] = (struct bestdag_tie){.order = item[i].order,
                                          .key = item[i].key,
                                          .member = at,
                                          .size = decode(c, item[i].key, at)};
        bestdag_ties_sort(tie, count);
        for (int64_t i = 0; i < count; i++)
            item[i] = (struct item){.order = tie[i].order, .key = tie[i].key};
    }
    bestdag_free(tie);
    bestdag_free(member);
    return bestdag_run_status(run);
}

static int order_all_ties(struct bestdag_run *run,
                          const struct bestdag_sort_job *c, struct item *item,
                          int64_t count, int shift)
{
    for (int64_t i = 0, j; i < count; i = j) {
        for (j = i + 1;
             j < count && item[j].order >> shift == item[i].order >> shift;)
            j++;
        if (j > i + 1 && order_ties(run, c, item + i, j - i))
            return bestdag_run_status(run);
    }
    return BESTDAG_OK;
}

static void write_list(const struct bestdag_sort_job *c,
                       const struct item *item, int64_t best,
                       struct bestdag_list *to)
{
    double unit = 1 / c->keys->scale; /* a power of two */
    to->start[0] = 0;
    for (int64_t i = 0; i < to->count; i++) {
        to->score[i] = (double)(best - (int64_t)item[i].order) * unit;
        to->start[i + 1] =
            to->start[i] + decode(c, item[i].key, to->member + to->start[i]);
    }
    assert(bestdag_is_descending(to->score, to->count));
}

/* a and b have room for `total` items. */
static int fill_list(struct bestdag_run *run, const struct bestdag_sort_job *c,
                     struct item *a, struct item *b, struct bestdag_list *to)
{
    int shift;
    int64_t total, best = look_over(c, &total, &shift);
    int64_t members = gather(c, best, a);
    a = sort(a, b, total, shift);
    to->score = bestdag_alloc(run, (size_t)total * sizeof *to->score);
    to->start = bestdag_alloc(run, ((size_t)total + 1) * sizeof *to->start);
    to->member = bestdag_alloc(run, (size_t)members * sizeof *to->member);
    if (!to->score || !to->start || !to->member ||
        order_all_ties(run, c, a, total, shift))
        return BESTDAG_MEMORY; /* the list's owner frees it */
    to->count = total;
    write_list(c, a, best, to);
    assert(to->start[total] == members);
    return BESTDAG_OK;
}

static void *space(struct bestdag_run *run, struct bestdag_sorted_lists *barn,
                   size_t bytes)
{
    if (bytes > barn->bytes || !barn->at) {
        bestdag_free(barn->at);
        barn->at = bestdag_alloc(run, bytes);
        barn->bytes = barn->at ? bytes : 0;
    }
    return barn->at;
}

int bestdag_list_sort(struct bestdag_run *run,
                      const struct bestdag_sort_job *crop,
                      struct bestdag_sorted_lists *barn,
                      struct bestdag_list *to)
{
    int64_t total = 0;
    for (int s = 0; s < crop->count; s++)
        total += crop->scored_sets[s * crop->stride].count;
    if (total >= UINT32_MAX)
        return bestdag_fail(run, BESTDAG_MEMORY,
                            "%lld parent sets of one variable are more than "
                            "can be kept",
                            (long long)total);
    struct item *a = space(run, barn, 2 * (size_t)total * sizeof *a);
    return a ? fill_list(run, crop, a, a + total, to) : BESTDAG_MEMORY;
}
