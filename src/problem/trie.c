/* SPDX-License-Identifier: MIT */
/* trie.c -- making and asking tries of sorted sets; trie.h has the idea.
 *
 * Variables of a node are neighbours by number, so that a shift finds them; of
 * all such windows it takes the one whose variables are in most sets. */
#include "problem/trie.h"

#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/simd.h"
#include "parallel/parallel.h"

enum {
    WINDOW = 6, /* variables of a node */
    CHILDREN = 1 << WINDOW,
    LEAF = 32,        /* sets that are scanned rather than split */
    COMPARED = 4096,  /* cheaper sets that a set is compared with */
    PER_SET = 8,      /* entries, beyond which nothing is split */
    ALIGNED = 8,      /* leaves begin at multiples, for the vectors */
    SEVERAL = 1 << 14 /* sets that are worth several threads */
};

struct node {
    int16_t word; /* of what is asked; -1: a leaf */
    int16_t shift;
    uint32_t first; /* child, or entry */
};

/* Node 0 is the root. Masks are uint32_t or uint64_t, by the trie's lane. */
struct bestdag_trie_list {
    struct node *node; /* owns */
    void *mask;        /* owns */
    int64_t *cost;     /* owns; of each mask */
    int64_t nodes, entries;
};

/* ---- asking ----------------------------------------------------------------
 */

BESTDAG_INLINE uint32_t find_leaf(const struct bestdag_trie_list *l,
                                  const uint64_t *available, bool is_word)
{
    const struct node *at = l->node;
    while (at->word >= 0) {
        uint64_t word = available[is_word ? 0 : at->word];
        at = l->node + at->first + (word >> at->shift & (CHILDREN - 1));
    }
    return at->first;
}

static int64_t best_32(const void *data, int list, const uint64_t *available)
{
    const struct bestdag_trie *t = data;
    const struct bestdag_trie_list *l = &t->list[list];
    uint32_t at = find_leaf(l, available, true);
    const uint32_t *mask = l->mask;
    while (mask[at] & ~(uint32_t)*available)
        at++;
    return l->cost[at];
}

static int64_t best_64(const void *data, int list, const uint64_t *available)
{
    const struct bestdag_trie *t = data;
    const struct bestdag_trie_list *l = &t->list[list];
    uint32_t at = find_leaf(l, available, true);
    const uint64_t *mask = l->mask;
    while (mask[at] & ~*available)
        at++;
    return l->cost[at];
}

static int64_t best_wide(const void *data, int list, const uint64_t *available)
{
    const struct bestdag_trie *t = data;
    const struct bestdag_trie_list *l = &t->list[list];
    uint32_t at = find_leaf(l, available, false);
    const uint64_t *mask = (const uint64_t *)l->mask + (size_t)at * t->words;
    for (; !bestdag_mask_inside(mask, available, t->words); mask += t->words)
        at++;
    return l->cost[at];
}

#if defined(__x86_64__)
BESTDAG_AVX2 static int64_t best_32_avx2(const void *data, int list,
                                         const uint64_t *available)
{
    const struct bestdag_trie *t = data;
    const struct bestdag_trie_list *l = &t->list[list];
    uint32_t at = find_leaf(l, available, true);
    const __m256i *mask = (const void *)((const uint32_t *)l->mask + at);
    __m256i missing = _mm256_set1_epi32((int)~*available);
    for (;; mask++, at += 8) {
        __m256i out = _mm256_and_si256(_mm256_loadu_si256(mask), missing);
        __m256i fits = _mm256_cmpeq_epi32(out, _mm256_setzero_si256());
        int hit = _mm256_movemask_ps(_mm256_castsi256_ps(fits));
        if (hit)
            return l->cost[at + (uint32_t)__builtin_ctz((unsigned)hit)];
    }
}

BESTDAG_AVX2 static int64_t best_64_avx2(const void *data, int list,
                                         const uint64_t *available)
{
    const struct bestdag_trie *t = data;
    const struct bestdag_trie_list *l = &t->list[list];
    uint32_t at = find_leaf(l, available, true);
    const __m256i *mask = (const void *)((const uint64_t *)l->mask + at);
    __m256i missing = _mm256_set1_epi64x((long long)~*available);
    for (;; mask++, at += 4) {
        __m256i out = _mm256_and_si256(_mm256_loadu_si256(mask), missing);
        __m256i fits = _mm256_cmpeq_epi64(out, _mm256_setzero_si256());
        int hit = _mm256_movemask_pd(_mm256_castsi256_pd(fits));
        if (hit)
            return l->cost[at + (uint32_t)__builtin_ctz((unsigned)hit)];
    }
}
#else
#define best_32_avx2 best_32
#define best_64_avx2 best_64
#endif

static bestdag_best_fn *choose_best(int lane, int words)
{
    bool has_avx2 = bestdag_has_avx2();
    if (words > 1)
        return best_wide;
    if (lane == 32)
        return has_avx2 ? best_32_avx2 : best_32;
    return has_avx2 ? best_64_avx2 : best_64;
}

/* ---- making: lists of sets -------------------------------------------------
 */

/* Sets on their way down, cheapest first. */
struct sets {
    int count;
    uint64_t *mask; /* owns; [count * words] */
    int64_t *cost;  /* owns; [count] */
};

struct maker {
    struct bestdag_run *run;
    struct bestdag_trie *trie;
    const struct bestdag_trie_job *job;
    struct bestdag_trie_list *to;
    int64_t nodes, node_room, entries, room;
    int64_t left;      /* entries that may still be made by splitting */
    uint64_t *scratch; /* owns; a mask */
    uint64_t *nothing; /* owns; the empty mask */
    bool has_avx2;
};

static int init_sets(struct bestdag_run *run, struct sets *s, int count,
                     int words)
{
    s->count = 0;
    s->mask =
        bestdag_alloc(run, (size_t)count * (size_t)words * sizeof *s->mask);
    s->cost = bestdag_alloc(run, (size_t)count * sizeof *s->cost);
    return bestdag_run_status(run);
}

static void release_sets(struct sets *s)
{
    bestdag_free(s->mask);
    bestdag_free(s->cost);
}

/* Is one of `count` words inside `mask`? */
BESTDAG_INLINE bool holds_any(const uint64_t *set, int count, uint64_t mask)
{
    int i = 0;
    for (; i + 16 <= count; i += 16) {
        uint64_t hits = 0;
        for (int k = 0; k < 16; k++)
            hits |= (uint64_t) !(set[i + k] & ~mask);
        if (hits)
            return true;
    }
    for (; i < count; i++)
        if (!(set[i] & ~mask))
            return true;
    return false;
}

BESTDAG_AVX2 static bool holds_any_avx2(const uint64_t *set, int count,
                                        uint64_t mask)
{
    return holds_any(set, count, mask);
}

static bool is_dominated(const struct maker *m, const struct sets *kept,
                         const uint64_t *mask)
{
    int words = m->trie->words;
    int count = kept->count < COMPARED ? kept->count : COMPARED;
    if (words == 1)
        return (m->has_avx2 ? holds_any_avx2 : holds_any)(kept->mask, count,
                                                          *mask);
    for (int i = 0; i < count; i++)
        if (bestdag_mask_inside(kept->mask + (size_t)i * words, mask, words))
            return true;
    return false;
}

/* Takes a set over unless a cheaper one makes it useless. Was it the last that
 * can be of use? */
static bool keep(const struct maker *m, struct sets *to, const uint64_t *mask,
                 int64_t cost)
{
    int words = m->trie->words;
    if (is_dominated(m, to, mask))
        return false;
    memcpy(to->mask + (size_t)to->count * words, mask,
           (size_t)words * sizeof *mask);
    to->cost[to->count++] = cost;
    uint64_t any = 0;
    for (int w = 0; w < words; w++)
        any |= mask[w];
    return !any;
}

/* Six variables that one node asks for. */
struct window {
    int word, shift;
};

/* What is left if, of the window, those of `there` are available. */
static void narrow(const struct maker *m, const struct sets *from,
                   struct window at, uint64_t there, struct sets *to)
{
    int words = m->trie->words;
    uint64_t inside = (uint64_t)(CHILDREN - 1) << at.shift;
    uint64_t barred = inside & ~(there << at.shift);
    to->count = 0;
    for (int i = 0; i < from->count; i++) {
        const uint64_t *mask = from->mask + (size_t)i * words;
        if (mask[at.word] & barred)
            continue;
        memcpy(m->scratch, mask, (size_t)words * sizeof *mask);
        m->scratch[at.word] &= ~inside;
        if (keep(m, to, m->scratch, from->cost[i]))
            break;
    }
}

/* Whose six are in most sets? None: no set has members. */
static bool choose_window(const struct maker *m, const struct sets *from,
                          struct window *to)
{
    int words = m->trie->words;
    int64_t most = 0;
    for (int w = 0; w < words; w++) {
        int64_t with[64 + WINDOW] = {0};
        for (int i = 0; i < from->count; i++)
            for (uint64_t left = from->mask[(size_t)i * words + w]; left;
                 left &= left - 1)
                with[__builtin_ctzll(left)]++;
        for (int shift = 0; shift <= 64 - WINDOW; shift++) {
            int64_t sum = 0;
            for (int k = 0; k < WINDOW; k++)
                sum += with[shift + k];
            if (sum > most) {
                most = sum;
                *to = (struct window){w, shift};
            }
        }
    }
    return most > 0;
}

/* ---- making: nodes ---------------------------------------------------------
 */

static int make_nodes(struct maker *m, int count, int64_t *first)
{
    *first = m->nodes;
    m->nodes += count;
    if (m->nodes <= m->node_room)
        return BESTDAG_OK;
    int64_t room = 2 * m->nodes;
    struct node *node =
        bestdag_realloc(m->run, m->to->node, (size_t)room * sizeof *node);
    if (!node)
        return bestdag_run_status(m->run);
    m->to->node = node;
    m->node_room = room;
    return BESTDAG_OK;
}

static size_t mask_bytes(const struct bestdag_trie *t)
{
    return t->lane == 32 ? sizeof(uint32_t)
                         : (size_t)t->words * sizeof(uint64_t);
}

static int make_entries(struct maker *m, int64_t count)
{
    if (m->entries + count <= m->room)
        return BESTDAG_OK;
    int64_t room = (m->entries + count) * 3 / 2;
    if (room > UINT32_MAX)
        return bestdag_fail(m->run, BESTDAG_MEMORY, "too many candidate sets");
    void *mask = bestdag_realloc(m->run, m->to->mask,
                                 (size_t)room * mask_bytes(m->trie));
    m->to->mask = mask ? mask : m->to->mask;
    int64_t *cost =
        bestdag_realloc(m->run, m->to->cost, (size_t)room * sizeof *cost);
    m->to->cost = cost ? cost : m->to->cost;
    if (!mask || !cost)
        return bestdag_run_status(m->run);
    m->room = room;
    return BESTDAG_OK;
}

static void put_mask(struct maker *m, int64_t at, const uint64_t *mask)
{
    if (m->trie->lane == 32)
        ((uint32_t *)m->to->mask)[at] = (uint32_t)*mask;
    else
        memcpy((uint64_t *)m->to->mask + at * m->trie->words, mask,
               (size_t)m->trie->words * sizeof *mask);
}

/* The sets, then what none costs, to the end of a vector. */
static int make_leaf(struct maker *m, const struct sets *s, int64_t none,
                     int64_t node)
{
    int words = m->trie->words;
    int64_t end = ((int64_t)s->count / ALIGNED + 1) * ALIGNED;
    if (make_entries(m, end))
        return bestdag_run_status(m->run);
    for (int i = 0; i < end; i++) {
        bool is_set = i < s->count;
        put_mask(m, m->entries + i,
                 is_set ? s->mask + (size_t)i * words : m->nothing);
        m->to->cost[m->entries + i] = is_set ? s->cost[i] : none;
    }
    m->to->node[node] =
        (struct node){.word = -1, .first = (uint32_t)m->entries};
    m->entries += end;
    return BESTDAG_OK;
}

/* Depth is at most one level a window. */
static int make_node(struct maker *m, const struct sets *s, int64_t none,
                     int64_t node)
{
    int64_t first;
    struct sets child;
    struct window at;
    if (s->count <= LEAF || m->left <= 0 || bestdag_run_stopped(m->run) ||
        !choose_window(m, s, &at))
        return make_leaf(m, s, none, node);
    if (make_nodes(m, CHILDREN, &first))
        return bestdag_run_status(m->run);
    m->to->node[node] = (struct node){.word = (int16_t)at.word,
                                      .shift = (int16_t)at.shift,
                                      .first = (uint32_t)first};
    m->left -= CHILDREN;
    int status = init_sets(m->run, &child, s->count, m->trie->words);
    for (int i = 0; i < CHILDREN && !status; i++) {
        narrow(m, s, at, (uint64_t)i, &child);
        m->left -= child.count;
        status = make_node(m, &child, none, first + i);
    }
    release_sets(&child);
    return status;
}

/* ---- making: the trie ------------------------------------------------------
 */

/* Bits from .. from + size of a mask. */
static void cut_out(const struct bestdag_trie_job *job, const uint64_t *mask,
                    uint64_t *to)
{
    int words = (job->size + 63) / 64, w = job->from / 64, k = job->from % 64;
    memcpy(to, mask + w, (size_t)words * sizeof *to);
    if (k) { /* one word */
        *to >>= k;
        if (w + 1 < job->words)
            *to |= mask[w + 1] << (64 - k);
    }
    if (job->size % 64)
        to[words - 1] &= ~(uint64_t)0 >> (64 - job->size % 64);
}

/* The list as it is asked for. If nobody is always there, no set is useless. */
static int make_sets(struct maker *m, const struct bestdag_piece *p,
                     struct sets *to)
{
    const struct bestdag_trie_job *job = m->job;
    size_t words = (size_t)m->trie->words;
    if (init_sets(m->run, to, p->count, (int)words) || !p->count)
        return bestdag_run_status(m->run);
    if (job->size == job->n) {
        memcpy(to->mask, p->mask, (size_t)p->count * words * sizeof *p->mask);
        memcpy(to->cost, p->cost, (size_t)p->count * sizeof *p->cost);
        to->count = p->count;
        return BESTDAG_OK;
    }
    for (int i = 0; i < p->count; i++) {
        cut_out(job, p->mask + (int64_t)i * job->words, m->scratch);
        if (keep(m, to, m->scratch, p->cost[i]))
            break;
    }
    return BESTDAG_OK;
}

/* Gives back what was too much. */
static void shrink(struct maker *m)
{
    struct bestdag_trie_list *l = m->to;
    void *p =
        bestdag_realloc(m->run, l->node, (size_t)m->nodes * sizeof *l->node);
    l->node = p ? p : l->node;
    p = bestdag_realloc(m->run, l->mask,
                        (size_t)m->entries * mask_bytes(m->trie));
    l->mask = p ? p : l->mask;
    p = bestdag_realloc(m->run, l->cost, (size_t)m->entries * sizeof *l->cost);
    l->cost = p ? p : l->cost;
}

/* Entries that splitting may make of a list: some a set, as far as they are an
 * eighth of the memory that was given. */
static int64_t find_room(const struct maker *m, const struct bestdag_piece *p)
{
    int64_t room = PER_SET * (int64_t)p->count + 4 * CHILDREN;
    int64_t limit = bestdag_memory_limit(m->run) / 8 / m->trie->lists /
                    (int64_t)(mask_bytes(m->trie) + sizeof(int64_t));
    return limit && limit < room ? limit : room;
}

static int make_list(struct maker *m, int list)
{
    const struct bestdag_piece *p = &m->job->piece[list];
    size_t words = (size_t)m->trie->words;
    struct sets s = {0};
    int64_t root;
    m->to = &m->trie->list[list];
    m->left = find_room(m, p);
    m->scratch = bestdag_calloc(m->run, 2 * words, sizeof *m->scratch);
    if (!m->scratch)
        return bestdag_run_status(m->run);
    m->nothing = m->scratch + words;
    int status = make_sets(m, p, &s);
    if (!status)
        status = make_nodes(m, 1, &root);
    if (!status)
        status = make_node(m, &s, p->cost[p->count], root);
    if (!status)
        shrink(m);
    m->to->entries = m->entries;
    m->to->nodes = m->nodes;
    release_sets(&s);
    bestdag_free(m->scratch);
    return bestdag_run_status(m->run);
}

struct crew {
    struct bestdag_run *run;
    struct bestdag_trie *trie;
    const struct bestdag_trie_job *job;
};

static int work(void *job, int64_t item, int worker)
{
    const struct crew *c = job;
    struct maker m = {.run = c->run,
                      .trie = c->trie,
                      .job = c->job,
                      .has_avx2 = bestdag_has_avx2()};
    (void)worker;
    return make_list(&m, (int)item);
}

/* All lists, stopped or not: what is stopped is not split. */
static int make_lists(struct crew *c)
{
    int64_t sets = 0, done = 0;
    for (int i = 0; i < c->job->lists; i++)
        sets += c->job->piece[i].count;
    struct bestdag_work all = {.job = c, .items = c->job->lists, .work = work};
    if (sets >= SEVERAL && bestdag_parallel(c->run, &all, &done))
        return bestdag_run_status(c->run);
    for (int i = 0; i < c->job->lists; i++)
        if (!c->trie->list[i].node && work(c, i, 0))
            break;
    return bestdag_run_status(c->run);
}

struct bestdag_trie *bestdag_trie_new(struct bestdag_run *run,
                                      const struct bestdag_trie_job *job)
{
    struct bestdag_trie *t = bestdag_calloc(run, 1, sizeof *t);
    if (!t)
        return NULL;
    t->list = bestdag_calloc(run, (size_t)job->lists, sizeof *t->list);
    t->lists = job->lists;
    t->words = (job->size + 63) / 64;
    t->lane = job->size <= 32 ? 32 : 64;
    t->best = choose_best(t->lane, t->words);
    struct crew c = {run, t, job};
    if (!t->list || make_lists(&c)) {
        bestdag_trie_free(t);
        return NULL;
    }
    for (int i = 0; i < t->lists; i++) {
        t->entries += t->list[i].entries;
        t->bytes +=
            t->list[i].nodes * (int64_t)sizeof(struct node) +
            t->list[i].entries * (int64_t)(mask_bytes(t) + sizeof(int64_t));
    }
    return t;
}

void bestdag_trie_free(struct bestdag_trie *t)
{
    if (!t)
        return;
    for (int i = 0; t->list && i < t->lists; i++) {
        bestdag_free(t->list[i].node);
        bestdag_free(t->list[i].mask);
        bestdag_free(t->list[i].cost);
    }
    bestdag_free(t->list);
    bestdag_free(t);
}

/* ---- the form --------------------------------------------------------------
 */

static int make(struct bestdag_run *run, struct bestdag_lookup *to)
{
    const struct bestdag_component *at = to->at;
    struct bestdag_trie_job job = {.piece = at->piece,
                                   .lists = at->n,
                                   .n = at->n,
                                   .words = at->words,
                                   .size = at->n};
    struct bestdag_trie *t = bestdag_trie_new(run, &job);
    to->data = t;
    if (!t)
        return bestdag_run_status(run);
    to->best = t->best;
    to->entries = t->entries;
    to->bytes = t->bytes;
    return BESTDAG_OK;
}

static void drop(void *data)
{
    bestdag_trie_free(data);
}

extern const struct bestdag_lookup_form bestdag_lookup_trie;
const struct bestdag_lookup_form bestdag_lookup_trie = {
    .name = "trie",
    .help = "sorted sets, split by six variables at a time, then scanned eight "
            "a step",
    .make = make,
    .drop = drop,
};
