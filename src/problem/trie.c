/* SPDX-License-Identifier: MIT */
/* trie.c -- builds and queries tries of sorted sets; trie.h has the idea.
 *
 * The variables of a node are consecutive, so that a shift finds them; of all
 * such windows, a node takes the one whose variables occur most often. */
#include "problem/trie.h"

#include <assert.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/invariant.h"
#include "base/simd.h"
#include "parallel/parallel.h"
#include "problem/narrowed_list.h"

enum {
    CHILDREN = 1 << BESTDAG_WINDOW,
    LEAF = 64,        /* sets that are scanned rather than split; 32..128: time
                         of `astar` within noise (2026-11-17-sensitivity.csv) */
    PER_SET = 8,      /* entries per set, beyond which no list is split; 4..16:
                         the same */
    BEYOND = 4,       /* cells that a vector may read after the last leaf */
    SEVERAL = 1 << 14 /* sets that are worth several threads */
};

/* A node of a list is a cell of 8 bytes, and so are costs and masks:
 *
 *     | root | 64 children | ...  c2 c1 c0 | m0 m1 m2 | 64 children | ...
 *                                            ^ a leaf begins here
 *
 * The cost of mask i is the (i + 1)-th cell before the first mask, so that both
 * are found without knowing the number of masks. Two masks of 32 bits share a
 * cell. */
struct node {
    int16_t word; /* of the query; -1: a leaf */
    int16_t shift;
    uint32_t first; /* index of the first child, or of the first mask */
};

union cell {
    struct node node;
    int64_t cost;
    uint64_t mask;
};

struct bestdag_trie_list {
    union cell *cell; /* owns; the first is the root */
    int64_t cells, entries;
};

/* ---- queries ------------------------------------------------------------- */

/* The first mask of the leaf. */
BESTDAG_INLINE const union cell *find_leaf(const struct bestdag_trie_list *l,
                                           const uint64_t *available,
                                           bool is_word)
{
    struct node at = l->cell->node;
    while (at.word >= 0) {
        uint64_t word = available[is_word ? 0 : at.word];
        at = l->cell[at.first + (word >> at.shift & (CHILDREN - 1))].node;
    }
    return l->cell + at.first;
}

static int64_t best_32(const void *data, int list, const uint64_t *available)
{
    const struct bestdag_trie *t = data;
    const union cell *leaf = find_leaf(&t->list[list], available, true);
    const union cell *cost = leaf - 1;
    uint64_t missing = (uint32_t) ~*available;
    for (uint64_t mask = leaf->mask;; mask = (++leaf)->mask, cost -= 2) {
        if (!(mask & missing))
            return cost->cost;
        if (!(mask >> 32 & missing))
            return cost[-1].cost;
    }
}

static int64_t best_64(const void *data, int list, const uint64_t *available)
{
    const struct bestdag_trie *t = data;
    const union cell *leaf = find_leaf(&t->list[list], available, true);
    const union cell *cost = leaf - 1;
    for (; leaf->mask & ~*available; leaf++)
        cost--;
    return cost->cost;
}

static int64_t best_wide(const void *data, int list, const uint64_t *available)
{
    const struct bestdag_trie *t = data;
    const union cell *leaf = find_leaf(&t->list[list], available, false);
    const union cell *cost = leaf - 1;
    const uint64_t *mask = &leaf->mask;
    for (; !bestdag_mask_inside(mask, available, t->words); mask += t->words)
        cost--;
    return cost->cost;
}

#if defined(__x86_64__)
BESTDAG_AVX2 static int64_t best_32_avx2(const void *data, int list,
                                         const uint64_t *available)
{
    const struct bestdag_trie *t = data;
    const union cell *leaf = find_leaf(&t->list[list], available, true);
    const union cell *cost = leaf - 1;
    __m256i missing = _mm256_set1_epi32((int)~*available);
    for (;; leaf += 4, cost -= 8) {
        __m256i mask = _mm256_loadu_si256((const void *)leaf);
        __m256i fits = _mm256_cmpeq_epi32(_mm256_and_si256(mask, missing),
                                          _mm256_setzero_si256());
        int hits = _mm256_movemask_ps(_mm256_castsi256_ps(fits));
        if (hits)
            return cost[-__builtin_ctz((unsigned)hits)].cost;
    }
}

BESTDAG_AVX2 static int64_t best_64_avx2(const void *data, int list,
                                         const uint64_t *available)
{
    const struct bestdag_trie *t = data;
    const union cell *leaf = find_leaf(&t->list[list], available, true);
    const union cell *cost = leaf - 1;
    __m256i missing = _mm256_set1_epi64x((long long)~*available);
    for (;; leaf += 4, cost -= 4) {
        __m256i mask = _mm256_loadu_si256((const void *)leaf);
        __m256i fits = _mm256_cmpeq_epi64(_mm256_and_si256(mask, missing),
                                          _mm256_setzero_si256());
        int hits = _mm256_movemask_pd(_mm256_castsi256_pd(fits));
        if (hits)
            return cost[-__builtin_ctz((unsigned)hits)].cost;
    }
}
#else
#define best_32_avx2 best_32
#define best_64_avx2 best_64
#endif

bestdag_best_fn *bestdag_trie_kernel(const struct bestdag_trie *t,
                                     bool is_plain)
{
    bool has_avx2 = !is_plain && bestdag_has_avx2();
    if (t->words > 1)
        return best_wide;
    if (t->lane == 32)
        return has_avx2 ? best_32_avx2 : best_32;
    return has_avx2 ? best_64_avx2 : best_64;
}

/* ---- building nodes ------------------------------------------------------ */

struct maker {
    struct bestdag_run *run;
    struct bestdag_trie *trie;
    const struct bestdag_trie_job *job;
    struct bestdag_trie_list *to;
    int64_t cells, room;
    int64_t left;      /* entries that splitting may still add */
    uint64_t *scratch; /* owns; a mask */
    uint64_t *nothing; /* owns; the empty mask */
};

/* Makes room for `count` cells, and those that a vector may read beyond. */
static int make_cells(struct maker *m, int64_t count, int64_t *first)
{
    *first = m->cells;
    m->cells += count;
    if (m->cells + BEYOND <= m->room)
        return BESTDAG_OK;
    int64_t room = (m->cells + BEYOND) * 3 / 2;
    if (room > UINT32_MAX)
        return bestdag_fail(m->run, BESTDAG_MEMORY, "too many candidate sets");
    union cell *cell =
        bestdag_realloc(m->run, m->to->cell, (size_t)room * sizeof *cell);
    if (!cell)
        return bestdag_run_status(m->run);
    memset(cell + m->room, 0, (size_t)(room - m->room) * sizeof *cell);
    m->to->cell = cell;
    m->room = room;
    return BESTDAG_OK;
}

static void put_mask(const struct maker *m, union cell *leaf, int i,
                     const uint64_t *mask)
{
    int words = m->trie->words;
    if (m->trie->lane == 32)
        leaf[i / 2].mask |= *mask << i % 2 * 32;
    else
        memcpy(leaf + (int64_t)i * words, mask, (size_t)words * sizeof *mask);
}

/* Makes a leaf of the sets, and the empty set at the cost of none: nothing is
 * read after it. */
static int make_leaf(struct maker *m, const struct bestdag_narrowed_list *s,
                     int64_t none, int64_t node)
{
    int words = m->trie->words, count = s->count + 1;
    int64_t first,
        masks = m->trie->lane == 32 ? (count + 1) / 2 : (int64_t)count * words;
    if (make_cells(m, count + masks, &first))
        return bestdag_run_status(m->run);
    union cell *leaf = m->to->cell + first + count;
    for (int i = 0; i < count; i++) {
        bool is_set = i < s->count;
        put_mask(m, leaf, i, is_set ? s->mask + (size_t)i * words : m->nothing);
        leaf[-1 - i].cost = is_set ? s->cost[i] : none;
    }
    assert(bestdag_is_ascending(s->cost, s->count));
    assert(!s->count || s->cost[s->count - 1] <= none);
    m->to->cell[node].node =
        (struct node){.word = -1, .first = (uint32_t)(first + count)};
    m->to->entries += count;
    return BESTDAG_OK;
}

/* A node whose children are being made. */
struct family {
    const struct bestdag_narrowed_list *from;
    struct bestdag_trie_window at;
    int64_t first;           /* index of its first child */
    uint64_t hash[CHILDREN]; /* of the children's sets */
    struct bestdag_narrowed_list child, other;
};

/* An earlier child with one variable less and the same sets, for which that
 * variable does not matter. -1: none. */
static int find_same(const struct maker *m, struct family *f, int i)
{
    for (int left = i; left; left &= left - 1) {
        int k = i & ~(left & -left);
        if (f->hash[k] != f->hash[i])
            continue;
        f->at.there = (uint64_t)k;
        bestdag_narrowed_list_narrow(f->from, f->at, m->scratch, &f->other);
        if (bestdag_narrowed_list_equals(&f->child, &f->other))
            return k;
    }
    return -1;
}

static int make_node(struct maker *m, const struct bestdag_narrowed_list *s,
                     int64_t none, int64_t node);

static int make_child(struct maker *m, struct family *f, int64_t none, int i)
{
    f->at.there = (uint64_t)i;
    bestdag_narrowed_list_narrow(f->from, f->at, m->scratch, &f->child);
    f->hash[i] = bestdag_narrowed_list_hash(&f->child);
    int same = find_same(m, f, i);
    if (same >= 0) {
        m->to->cell[f->first + i] = m->to->cell[f->first + same];
        return BESTDAG_OK;
    }
    m->left -= f->child.count;
    return make_node(m, &f->child, none, f->first + i);
}

/* Each level decides variables that are in some set, so the depth is at most
 * the number of variables. */
static int make_node(struct maker *m, const struct bestdag_narrowed_list *s,
                     int64_t none, int64_t node)
{
    struct family f = {.from = s};
    int words = m->trie->words;
    if (s->count <= LEAF || m->left < s->count || bestdag_run_stopped(m->run) ||
        !bestdag_narrowed_list_window(s, &f.at))
        return make_leaf(m, s, none, node);
    if (make_cells(m, CHILDREN, &f.first))
        return bestdag_run_status(m->run);
    m->to->cell[node].node = (struct node){.word = (int16_t)f.at.word,
                                           .shift = (int16_t)f.at.shift,
                                           .first = (uint32_t)f.first};
    m->left -= CHILDREN;
    int status = bestdag_narrowed_list_init(m->run, &f.child, s->count, words);
    if (!status)
        status = bestdag_narrowed_list_init(m->run, &f.other, s->count, words);
    bool is_stopped = false;
    for (int i = 0; i < CHILDREN && !status && !is_stopped; i++) {
        status = make_child(m, &f, none, i);
        is_stopped = bestdag_run_stopped(m->run);
    }
    bestdag_narrowed_list_release(&f.child);
    bestdag_narrowed_list_release(&f.other);
    if (is_stopped && !status) /* the children stay unused */
        return make_leaf(m, s, none, node);
    return status;
}

/* ---- building the trie --------------------------------------------------- */

/* Bits [from, from + size) of a mask. */
static void cut_out(const struct bestdag_trie_job *job, const uint64_t *mask,
                    uint64_t *to)
{
    int words = (job->size + 63) / 64, w = job->from / 64, k = job->from % 64;
    memcpy(to, mask + w, (size_t)words * sizeof *to);
    if (k) { /* then the result is one word */
        *to >>= k;
        if (w + 1 < job->words)
            *to |= mask[w + 1] << (64 - k);
    }
    if (job->size % 64)
        to[words - 1] &= ~(uint64_t)0 >> (64 - job->size % 64);
}

/* The list over the variables that may be missing. If these are all variables,
 * no set is dominated. */
static int make_sets(struct maker *m, const struct bestdag_candidates *p,
                     struct bestdag_narrowed_list *to)
{
    const struct bestdag_trie_job *job = m->job;
    size_t words = (size_t)m->trie->words;
    if (bestdag_narrowed_list_init(m->run, to, p->count, (int)words) ||
        !p->count)
        return bestdag_run_status(m->run);
    if (job->size == job->n) {
        memcpy(to->mask, p->mask, (size_t)p->count * words * sizeof *p->mask);
        memcpy(to->cost, p->cost, (size_t)p->count * sizeof *p->cost);
        to->count = p->count;
        return BESTDAG_OK;
    }
    for (int i = 0; i < p->count; i++) {
        cut_out(job, p->mask + (int64_t)i * job->words, m->scratch);
        if (bestdag_narrowed_list_keep(to, m->scratch, p->cost[i]))
            break;
    }
    return BESTDAG_OK;
}

/* Frees unused cells. */
static void shrink(struct maker *m)
{
    int64_t cells = m->cells + BEYOND;
    union cell *cell =
        bestdag_realloc(m->run, m->to->cell, (size_t)cells * sizeof *cell);
    m->to->cell = cell ? cell : m->to->cell;
    m->to->cells = cells;
}

/* Entries that splitting may add to a list: PER_SET per set, but at most an
 * eighth of the memory limit in total. */
static int64_t find_room(const struct maker *m,
                         const struct bestdag_candidates *p)
{
    int64_t room = PER_SET * (int64_t)p->count + 4 * CHILDREN;
    int64_t limit = bestdag_memory_limit(m->run) / 8 / m->trie->lists /
                    (int64_t)sizeof(union cell) / (1 + m->trie->words);
    return limit && limit < room ? limit : room;
}

static int make_list(struct maker *m, int list)
{
    const struct bestdag_candidates *p = &m->job->list[list];
    size_t words = (size_t)m->trie->words;
    struct bestdag_narrowed_list s = {0};
    int64_t root;
    m->to = &m->trie->list[list];
    m->left = find_room(m, p);
    m->scratch = bestdag_calloc(m->run, 2 * words, sizeof *m->scratch);
    if (!m->scratch)
        return bestdag_run_status(m->run);
    m->nothing = m->scratch + words;
    int status = make_sets(m, p, &s);
    if (!status)
        status = make_cells(m, 1, &root);
    if (!status)
        status = make_node(m, &s, p->cost[p->count], root);
    if (!status)
        shrink(m);
    bestdag_narrowed_list_release(&s);
    bestdag_free(m->scratch);
    return bestdag_run_status(m->run);
}

struct build {
    struct bestdag_run *run;
    struct bestdag_trie *trie;
    const struct bestdag_trie_job *job;
};

static int work(void *job, int64_t item, int worker)
{
    const struct build *c = job;
    struct maker m = {.run = c->run, .trie = c->trie, .job = c->job};
    (void)worker;
    return make_list(&m, (int)item);
}

/* Makes all lists, even if stopped: then they are not split. */
static int make_lists(struct build *c)
{
    int64_t sets = 0, done = 0;
    for (int i = 0; i < c->job->lists; i++)
        sets += c->job->list[i].count;
    struct bestdag_work all = {.job = c, .items = c->job->lists, .work = work};
    if (sets >= SEVERAL && bestdag_parallel(c->run, &all, &done))
        return bestdag_run_status(c->run);
    for (int i = 0; i < c->job->lists; i++)
        if (!c->trie->list[i].cell && work(c, i, 0))
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
    t->best = bestdag_trie_kernel(t, false);
    struct build c = {run, t, job};
    if (!t->list || make_lists(&c)) {
        bestdag_trie_free(t);
        return NULL;
    }
    for (int i = 0; i < t->lists; i++) {
        t->entries += t->list[i].entries;
        t->bytes += t->list[i].cells * (int64_t)sizeof(union cell);
    }
    return t;
}

void bestdag_trie_free(struct bestdag_trie *t)
{
    if (!t)
        return;
    for (int i = 0; t->list && i < t->lists; i++)
        bestdag_free(t->list[i].cell);
    bestdag_free(t->list);
    bestdag_free(t);
}

/* ---- the form ------------------------------------------------------------ */

static int make(struct bestdag_run *run, struct bestdag_best_parents *to)
{
    const struct bestdag_component *at = to->at;
    struct bestdag_trie_job job = {.list = at->list,
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

extern const struct bestdag_best_parents_form bestdag_best_parents_trie;
const struct bestdag_best_parents_form bestdag_best_parents_trie = {
    .name = "trie",
    .help = "sorted sets, split by six variables at a time, then scanned eight "
            "per step",
    .make = make,
    .drop = drop,
};
