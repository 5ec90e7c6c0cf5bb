/* SPDX-License-Identifier: MIT */
/* dynamic_pattern_database.c -- dynamic pattern databases (Yuan and Malone
 * 2012).
 *
 * All patterns of up to k variables are computed; delta(U) is the cost of U
 * above the sum of its members' least costs. A pattern is kept only if its
 * delta exceeds the sum of deltas of every partition into smaller ones. For a
 * set, patterns within the missing variables are chosen greedily: repeatedly
 * the one with the largest delta that still fits; ties go to the smaller
 * pattern, then to the first.
 *
 * A trie finds the first pattern that fits, so a choice is one look-up. When a
 * variable is no longer missing, the choices before its pattern stay the same.
 *
 * Consistent for k = 2: without v, greedy pairs change along a path of falling
 * deltas, so they lose at most the delta of v's pair, which v's own cost pays
 * for. For larger k it is not consistent (there are counterexamples), and nodes
 * must be reopened.
 *
 * Time: k look-ups per subset of up to k to build; a value takes one look-up
 * per chosen pattern, at most n / 2. */
#include "search/subsets/heuristic.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/row.h"
#include "parallel/parallel.h"
#include "problem/trie.h"

enum {
    LARGEST = 4,    /* variables of a pattern */
    USUAL = 3,      /* if the caller gives none; solvers give k, 3 by default */
    MOST = 1 << 22, /* subsets of one size that are computed: 68 MB */
    WORDS = 48,     /* of a set: with more variables, the pairs exceed MOST */
    SEVERAL = 1 << 12 /* subsets that are worth several threads */
};

struct dynamic {
    int words;
    uint64_t last;  /* mask of the last word of a set */
    int64_t *least; /* owns; [n]: least cost of v */
    int count;      /* patterns of two and more, largest delta first */
    uint64_t *mask; /* owns; [count * words] */
    int64_t *delta; /* owns; [count] */
    struct bestdag_trie *trie; /* owns; finds the index of the first that
                                  fits */
};

/* ---- values -------------------------------------------------------------- */

/* Chooses patterns within `left` and removes them from it; returns the sum of
 * their deltas. chosen: NULL, or their indices, ended by -1. */
static int64_t choose(const struct dynamic *d, uint64_t *left, int32_t *chosen)
{
    int64_t sum = 0;
    for (;;) {
        int64_t i = bestdag_trie_best(d->trie, 0, left);
        if (chosen)
            *chosen++ = i < d->count ? (int32_t)i : -1;
        if (i >= d->count)
            return sum;
        for (int w = 0; w < d->words; w++)
            left[w] &= ~d->mask[i * d->words + w];
        sum += d->delta[i];
    }
}

/* Fills `missing` and returns the sum of its members' least costs. */
static int64_t find_missing(const struct dynamic *d, const uint64_t *set,
                            uint64_t *missing)
{
    int64_t sum = 0;
    for (int w = 0; w < d->words; w++) {
        missing[w] = ~set[w] & (w == d->words - 1 ? d->last : ~(uint64_t)0);
        for (uint64_t left = missing[w]; left; left &= left - 1)
            sum += d->least[w * 64 + __builtin_ctzll(left)];
    }
    return sum;
}

static int64_t value(const void *data, const uint64_t *set)
{
    const struct dynamic *d = data;
    uint64_t left[WORDS];
    int64_t sum = find_missing(d, set, left);
    return sum + choose(d, left, NULL);
}

/* The sum of deltas chosen if v is no longer missing. */
static int64_t choose_without(const struct dynamic *d, const uint64_t *missing,
                              const int32_t *chosen, int v)
{
    uint64_t left[WORDS];
    int64_t sum = 0;
    memcpy(left, missing, (size_t)d->words * sizeof *left);
    for (; *chosen >= 0; chosen++) {
        const uint64_t *mask = d->mask + (int64_t)*chosen * d->words;
        if (bestdag_row_has(mask, v))
            break;
        for (int w = 0; w < d->words; w++)
            left[w] &= ~mask[w];
        sum += d->delta[*chosen];
    }
    if (*chosen < 0)
        return sum;
    bestdag_row_drop(left, v);
    return sum + choose(d, left, NULL);
}

static void after(const void *data, const uint64_t *set, const int *next,
                  int count, int64_t *h)
{
    const struct dynamic *d = data;
    uint64_t missing[WORDS], left[WORDS];
    int32_t chosen[WORDS * 32 + 1];
    int64_t sum = find_missing(d, set, missing);
    memcpy(left, missing, (size_t)d->words * sizeof *left);
    choose(d, left, chosen);
    for (int i = 0; i < count; i++)
        h[i] = sum - d->least[next[i]] +
               choose_without(d, missing, chosen, next[i]);
}

/* ---- subsets of up to k ----------------------------------------------------
 * Those of one size are numbered by their largest member, then by the next:
 * {0,1} {0,2} {1,2} {0,3} ..., so that subsets of one largest member are
 * neighbours, and the number is a sum of binomials.
 */

struct table {
    int64_t *cost; /* owns; c(U) */
    int64_t *best; /* owns; the largest sum of deltas of a partition of U */
    bool *is_kept; /* owns; that partition is U itself */
};

struct making {
    struct bestdag_run *run;
    const struct bestdag_heuristic_request *job;
    struct dynamic *to;
    int n, k, size;  /* of the current subsets */
    int64_t *choose; /* owns; [(n + 1) * (LARGEST + 1)]: binomials */
    struct table table[LARGEST + 1];
};

/* n choose size, or MOST + 1 if it exceeds MOST. */
static int64_t binomial(int n, int size)
{
    int64_t product = 1;
    for (int i = 0; i < size; i++) {
        product = product * (n - i) / (i + 1);
        if (product > (int64_t)MOST * LARGEST)
            return (int64_t)MOST + 1;
    }
    return product;
}

static int64_t number_of(const struct making *m, const int *member, int size)
{
    int64_t number = 0;
    for (int i = 0; i < size; i++)
        number += m->choose[member[i] * (LARGEST + 1) + i + 1];
    assert(number >= 0);
    return number;
}

/* The next subset of this size with the same largest member; false: none. */
static bool advance(int *member, int size)
{
    int i = 0;
    while (i < size - 1 && member[i] + 1 == member[i + 1])
        i++;
    if (i >= size - 1)
        return false;
    member[i]++;
    for (int k = 0; k < i; k++)
        member[k] = k;
    return true;
}

/* c(U), from the costs of its subsets with one member less. */
static int64_t cost_of(const struct making *m, const int *member)
{
    uint64_t others[WORDS];
    int64_t least = INT64_MAX;
    memset(others, 0xff, sizeof others);
    others[m->to->words - 1] = m->to->last;
    for (int i = 0; i < m->size; i++)
        bestdag_row_drop(others, member[i]);
    for (int i = 0; i < m->size; i++) {
        int rest[LARGEST], count = 0;
        for (int k = 0; k < m->size; k++)
            if (k != i)
                rest[count++] = member[k];
        int64_t sum =
            bestdag_best_parents_best(m->job->lookup, member[i], others) +
            m->table[count].cost[number_of(m, rest, count)];
        least = sum < least ? sum : least;
    }
    return least;
}

/* The best partition of U into two or more patterns. */
static int64_t split_of(const struct making *m, const int *member)
{
    int64_t best = 0;
    for (int part = 0; part < (1 << (m->size - 1)) - 1; part++) {
        int side[2][LARGEST], count[2] = {0};
        for (int i = 0; i < m->size; i++) {
            int which = i && !(part >> (i - 1) & 1); /* the first member is on
                                                        side 0 */
            side[which][count[which]++] = member[i];
        }
        int64_t sum = 0;
        for (int k = 0; k < 2; k++)
            sum += m->table[count[k]].best[number_of(m, side[k], count[k])];
        best = sum > best ? sum : best;
    }
    return best;
}

/* Computes all subsets of this size whose largest member is size - 1 + item. */
static int weigh(void *job, int64_t item, int worker)
{
    const struct making *m = job;
    const struct table *t = &m->table[m->size];
    int member[LARGEST] = {0, 1, 2, 3};
    (void)worker;
    member[m->size - 1] += (int)item;
    int64_t number = number_of(m, member, m->size);
    do {
        int64_t delta = t->cost[number] = cost_of(m, member);
        for (int i = 0; i < m->size; i++)
            delta -= m->to->least[member[i]];
        int64_t split = m->size > 1 ? split_of(m, member) : 0;
        /* a pattern costs at least the sum of its members; a stop leaves
         * gaps */
        assert((delta >= 0 && split >= 0) || bestdag_run_stopped(m->run));
        t->is_kept[number] = delta > split;
        t->best[number++] = delta > split ? delta : split;
    } while (advance(member, m->size) && !bestdag_run_stopped(m->run));
    return BESTDAG_OK;
}

static int weigh_size(struct making *m, int size)
{
    struct table *t = &m->table[size];
    int64_t count = binomial(m->n, size), done = 0;
    m->size = size;
    t->cost = bestdag_alloc(m->run, (size_t)count * sizeof *t->cost);
    t->best = bestdag_alloc(m->run, (size_t)count * sizeof *t->best);
    t->is_kept = bestdag_calloc(m->run, (size_t)count, sizeof *t->is_kept);
    if (bestdag_run_status(m->run))
        return bestdag_run_status(m->run);
    if (!size) {
        t->cost[0] = t->best[0] = 0;
        return BESTDAG_OK;
    }
    struct bestdag_work all = {
        .job = m, .items = m->n - size + 1, .work = weigh};
    if (count >= SEVERAL)
        return bestdag_parallel(m->run, &all, &done);
    for (int64_t i = 0; i < all.items; i++)
        weigh(m, i, 0);
    return BESTDAG_OK;
}

/* ---- patterns ------------------------------------------------------------ */

struct pattern {
    int64_t delta;
    int size;
    int member[LARGEST];
};

static int compare(const void *a, const void *b)
{
    const struct pattern *p = a, *q = b;
    if (p->delta != q->delta)
        return p->delta > q->delta ? -1 : 1;
    if (p->size != q->size)
        return p->size - q->size;
    int i = 0;
    while (i < p->size - 1 && p->member[i] == q->member[i])
        i++;
    return p->member[i] - q->member[i];
}

/* Lists the patterns that are kept; to NULL: counts them. */
static int64_t list_kept(const struct making *m, struct pattern *to)
{
    int64_t count = 0;
    for (int size = 2; size <= m->k; size++) {
        const struct table *t = &m->table[size];
        int64_t number = 0;
        for (int most = size - 1; most < m->n; most++) {
            struct pattern p = {.size = size, .member = {0, 1, 2, 3}};
            p.member[size - 1] = most;
            do {
                p.delta = t->best[number];
                if (t->is_kept[number++] && count++ >= 0 && to)
                    to[count - 1] = p;
            } while (advance(p.member, size));
        }
    }
    return count;
}

/* A list whose costs are the pattern indices, and its trie. */
static int make_trie(struct making *m)
{
    struct dynamic *d = m->to;
    int64_t *number =
        bestdag_alloc(m->run, ((size_t)d->count + 1) * sizeof *number);
    struct bestdag_candidates list = {
        .count = d->count, .mask = d->mask, .cost = number};
    struct bestdag_trie_job job = {
        .list = &list, .lists = 1, .n = m->n, .words = d->words, .size = m->n};
    for (int i = 0; i <= d->count && number; i++)
        number[i] = i;
    d->trie = number ? bestdag_trie_new(m->run, &job) : NULL;
    bestdag_free(number);
    return bestdag_run_status(m->run);
}

static int make_patterns(struct making *m)
{
    struct dynamic *d = m->to;
    size_t count = (size_t)list_kept(m, NULL);
    struct pattern *p = bestdag_alloc(m->run, count * sizeof *p);
    d->mask = bestdag_calloc(m->run, count * (size_t)d->words, sizeof *d->mask);
    d->delta = bestdag_alloc(m->run, count * sizeof *d->delta);
    if (p && d->mask && d->delta) {
        d->count = (int)list_kept(m, p);
        qsort(p, count, sizeof *p, compare);
        for (size_t i = 0; i < count; i++) {
            d->delta[i] = p[i].delta;
            for (int k = 0; k < p[i].size; k++)
                bestdag_row_add(d->mask + i * (size_t)d->words, p[i].member[k]);
        }
        make_trie(m);
    }
    bestdag_free(p);
    return bestdag_run_status(m->run);
}

/* ---- building ------------------------------------------------------------ */

/* The largest k, at most `wanted`, whose subsets fit into an eighth of the
 * memory. */
static int choose_k(struct bestdag_run *run, int wanted, int n)
{
    int64_t limit = bestdag_memory_limit(run) / 8 / (2 * 8 + 1);
    int most = wanted < 1 ? USUAL : wanted < LARGEST ? wanted : LARGEST, k = 1;
    most = most < n ? most : n;
    while (k < most && binomial(n, k + 1) <= MOST &&
           (!limit || binomial(n, k + 1) <= limit))
        k++;
    if (k < most)
        bestdag_note(run, 1,
                     "patterns of %d of %d variables are too many: using "
                     "patterns of up to %d",
                     most, n, k);
    return k;
}

static int weigh_all(struct making *m)
{
    struct dynamic *d = m->to;
    const struct bestdag_component *at = m->job->component;
    d->words = at->words;
    d->last = ~(uint64_t)0 >> (at->words * 64 - at->n);
    d->least = bestdag_alloc(m->run, (size_t)at->n * sizeof *d->least);
    m->choose = bestdag_alloc(m->run, ((size_t)at->n + 1) * (LARGEST + 1) *
                                          sizeof *m->choose);
    if (!d->least || !m->choose)
        return bestdag_run_status(m->run);
    for (int v = 0; v < at->n; v++)
        d->least[v] = at->list[v].cost[0];
    for (int i = 0; i < (at->n + 1) * (LARGEST + 1); i++)
        m->choose[i] = binomial(i / (LARGEST + 1), i % (LARGEST + 1));
    for (int size = 0; size <= m->k && !bestdag_run_status(m->run); size++)
        if (weigh_size(m, size))
            break;
    return bestdag_run_status(m->run);
}

static int make(struct bestdag_run *run,
                const struct bestdag_heuristic_request *job,
                struct bestdag_heuristic *to)
{
    struct making m = {.run = run, .job = job, .n = job->component->n};
    m.to = bestdag_calloc(run, 1, sizeof *m.to);
    to->data = m.to;
    if (!m.to || job->component->words > WORDS)
        return bestdag_run_status(run);
    m.k = choose_k(run, job->plan.k, m.n);
    if (!weigh_all(&m) && !bestdag_run_stopped(run))
        make_patterns(&m);
    for (int size = 0; size <= m.k; size++) {
        bestdag_free(m.table[size].cost);
        bestdag_free(m.table[size].best);
        bestdag_free(m.table[size].is_kept);
    }
    bestdag_free(m.choose);
    if (bestdag_run_status(run) || !m.to->trie)
        return bestdag_run_status(run);
    to->value = value;
    to->after = after;
    to->is_consistent = m.k <= 2;
    to->patterns = m.n + m.to->count;
    to->bytes = m.to->trie->bytes + 8 * m.n +
                (int64_t)m.to->count * 8 * (m.to->words + 1);
    return BESTDAG_OK;
}

static void drop(void *data)
{
    struct dynamic *d = data;
    if (!d)
        return;
    bestdag_trie_free(d->trie);
    bestdag_free(d->least);
    bestdag_free(d->mask);
    bestdag_free(d->delta);
    bestdag_free(d);
}

extern const struct bestdag_heuristic_row bestdag_heuristic_dynamic;
const struct bestdag_heuristic_row bestdag_heuristic_dynamic = {
    .name = "dynamic",
    .help = "patterns of up to k variables without cycles inside, selected for "
            "each set",
    .make = make,
    .drop = drop,
};
