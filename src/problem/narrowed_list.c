/* SPDX-License-Identifier: MIT */
/* narrowed_list.c -- narrows sorted lists of sets. A set is compared with a
 * limited number of those kept before it: beyond that, dominated sets may
 * stay. */
#include "problem/narrowed_list.h"

#include <assert.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/random.h"
#include "base/simd.h"
#include "problem/indexed_list.h"

/* Sets that another is compared with; 512..32768: time of `astar` on insurance
 * within noise (bench/log/2026-11-17-sensitivity.csv). */
enum { COMPARED = 4096 };

int bestdag_narrowed_list_init(struct bestdag_run *run,
                               struct bestdag_narrowed_list *s, int room,
                               int words)
{
    *s = (struct bestdag_narrowed_list){.words = words};
    s->mask =
        bestdag_alloc(run, (size_t)room * (size_t)words * sizeof *s->mask);
    s->cost = bestdag_alloc(run, (size_t)room * sizeof *s->cost);
    return bestdag_run_status(run);
}

void bestdag_narrowed_list_release(struct bestdag_narrowed_list *s)
{
    bestdag_free(s->mask);
    bestdag_free(s->cost);
    *s = (struct bestdag_narrowed_list){0};
}

/* ---- dominated sets ------------------------------------------------------ */

typedef bool holds_fn(const uint64_t *set, int count, uint64_t mask);

/* Is one of `count` words a subset of `mask`? */
static inline bool holds_any(const uint64_t *set, int count, uint64_t mask)
{
    for (int i = 0; i < count; i++)
        if (!(set[i] & ~mask))
            return true;
    return false;
}

#if defined(__x86_64__)
BESTDAG_AVX2 static inline bool holds_any_avx2(const uint64_t *set, int count,
                                               uint64_t mask)
{
    const __m256i outside = _mm256_set1_epi64x((long long)~mask);
    const __m256i zero = _mm256_setzero_si256();
    int i = 0;
    for (; i + 8 <= count; i += 8) {
        __m256i a = _mm256_loadu_si256((const void *)(set + i));
        __m256i b = _mm256_loadu_si256((const void *)(set + i + 4));
        a = _mm256_cmpeq_epi64(_mm256_and_si256(a, outside), zero);
        b = _mm256_cmpeq_epi64(_mm256_and_si256(b, outside), zero);
        if (_mm256_movemask_epi8(_mm256_or_si256(a, b)))
            return true;
    }
    return holds_any(set + i, count - i, mask);
}
#else
#define holds_any_avx2 holds_any
#endif

BESTDAG_INLINE bool keep(struct bestdag_narrowed_list *to, const uint64_t *mask,
                         int64_t cost, int words, holds_fn *holds)
{
    int count = to->count < COMPARED ? to->count : COMPARED;
    uint64_t any = 0;
    assert(!to->count || to->cost[to->count - 1] <= cost); /* cheapest first */
    if (words == 1 && holds(to->mask, count, *mask))
        return false;
    for (int i = 0; i < count && words > 1; i++)
        if (bestdag_mask_inside(to->mask + (size_t)i * words, mask, words))
            return false;
    memcpy(to->mask + (size_t)to->count * words, mask,
           (size_t)words * sizeof *mask);
    to->cost[to->count++] = cost;
    for (int w = 0; w < words; w++)
        any |= mask[w];
    return !any;
}

bool bestdag_narrowed_list_keep(struct bestdag_narrowed_list *to,
                                const uint64_t *mask, int64_t cost)
{
    return keep(to, mask, cost, to->words,
                bestdag_has_avx2() ? holds_any_avx2 : holds_any);
}

/* ---- narrowing ----------------------------------------------------------- */

BESTDAG_INLINE void narrow(const struct bestdag_narrowed_list *from,
                           struct bestdag_trie_window at,
                           struct bestdag_narrowed_list *to, int words,
                           uint64_t *scratch, holds_fn *holds)
{
    uint64_t inside = (uint64_t)((1 << BESTDAG_WINDOW) - 1) << at.shift;
    uint64_t barred = inside & ~(at.there << at.shift);
    to->count = 0;
    for (int i = 0; i < from->count; i++) {
        const uint64_t *mask = from->mask + (size_t)i * words;
        if (mask[at.word] & barred)
            continue;
        memcpy(scratch, mask, (size_t)words * sizeof *mask);
        scratch[at.word] &= ~inside;
        if (keep(to, scratch, from->cost[i], words, holds))
            break;
    }
}

static void narrow_word(const struct bestdag_narrowed_list *from,
                        struct bestdag_trie_window at,
                        struct bestdag_narrowed_list *to)
{
    uint64_t scratch;
    narrow(from, at, to, 1, &scratch, holds_any);
}

BESTDAG_AVX2 static void narrow_word_avx2(
    const struct bestdag_narrowed_list *from, struct bestdag_trie_window at,
    struct bestdag_narrowed_list *to)
{
    uint64_t scratch;
    narrow(from, at, to, 1, &scratch, holds_any_avx2);
}

void bestdag_narrowed_list_narrow(const struct bestdag_narrowed_list *from,
                                  struct bestdag_trie_window at,
                                  uint64_t *scratch,
                                  struct bestdag_narrowed_list *to)
{
    if (from->words > 1)
        narrow(from, at, to, from->words, scratch, holds_any);
    else
        (bestdag_has_avx2() ? narrow_word_avx2 : narrow_word)(from, at, to);
}

bool bestdag_narrowed_list_window(const struct bestdag_narrowed_list *from,
                                  struct bestdag_trie_window *to)
{
    int words = from->words;
    int64_t most = 0;
    for (int w = 0; w < words; w++) {
        int64_t with[64 + BESTDAG_WINDOW] = {0};
        for (int i = 0; i < from->count; i++)
            for (uint64_t left = from->mask[(size_t)i * words + w]; left;
                 left &= left - 1)
                with[__builtin_ctzll(left)]++;
        for (int shift = 0; shift <= 64 - BESTDAG_WINDOW; shift++) {
            int64_t sum = 0;
            for (int k = 0; k < BESTDAG_WINDOW; k++)
                sum += with[shift + k];
            if (sum > most) {
                most = sum;
                *to = (struct bestdag_trie_window){.word = w, .shift = shift};
            }
        }
    }
    return most > 0;
}

/* ---- comparing ----------------------------------------------------------- */

uint64_t bestdag_narrowed_list_hash(const struct bestdag_narrowed_list *s)
{
    uint64_t hash = (uint64_t)s->count;
    for (int i = 0; i < s->count * s->words; i++)
        hash = bestdag_mix(hash ^ s->mask[i]);
    for (int i = 0; i < s->count; i++)
        hash = bestdag_mix(hash ^ (uint64_t)s->cost[i]);
    return hash;
}

bool bestdag_narrowed_list_equals(const struct bestdag_narrowed_list *a,
                                  const struct bestdag_narrowed_list *b)
{
    size_t count = (size_t)a->count, words = (size_t)a->words;
    return a->count == b->count &&
           !memcmp(a->mask, b->mask, count * words * sizeof *a->mask) &&
           !memcmp(a->cost, b->cost, count * sizeof *a->cost);
}
