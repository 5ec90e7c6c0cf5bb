/* SPDX-License-Identifier: MIT */
/* static_pattern_database.c -- static pattern databases (Yuan and Malone 2012).
 *
 * The variables are partitioned into groups, once. For every subset U of a
 * group a table has c(U), so a value is one look-up per group, and adding a
 * variable changes one of them. Groups are disjoint, so their costs add up.
 * Consistent: adding v changes its own group only, where c is a shortest path.
 *
 * Time of filling: size / 2 look-ups per entry; each group has its own lists,
 * which are short because all variables outside the group are available. An
 * entry needs those with one bit less; entries form blocks by their high bits,
 * and blocks with equally many high bits are independent: threads share them.
 * Memory: 8 * 2^size bytes per group. */
#include "search/subsets/heuristic.h"

#include <assert.h>
#include "parallel/parallel.h"
#include "problem/trie.h"

enum {
    BLOCK = 10,       /* bits of a block: some 0.1 ms of work */
    MOST = 40,        /* bits of a group, at most */
    SEVERAL = 1 << 14 /* entries that are worth several threads */
};

struct group {
    int from, size;
    int64_t *cost; /* owns; [2^size]: by the missing members */
};

struct tables {
    int groups;
    struct group *group; /* owns */
    int *of;             /* owns; [n]: the group of a variable */
};

/* ---- values -------------------------------------------------------------- */

/* The missing members of a group. */
static inline uint64_t missing_of(const struct group *g, const uint64_t *set)
{
    int w = g->from / 64, k = g->from % 64;
    uint64_t there = set[w] >> k;
    if (k + g->size > 64)
        there |= set[w + 1] << (64 - k);
    assert(g->size >= 1 && g->size < 64);
    return ~there & (((uint64_t)1 << g->size) - 1);
}

static int64_t value(const void *data, const uint64_t *set)
{
    const struct tables *t = data;
    int64_t sum = 0;
    for (int i = 0; i < t->groups; i++)
        sum += t->group[i].cost[missing_of(&t->group[i], set)];
    return sum;
}

static void after(const void *data, const uint64_t *set, const int *next,
                  int count, int64_t *h)
{
    const struct tables *t = data;
    int64_t now = value(data, set);
    for (int i = 0; i < count; i++) {
        const struct group *g = &t->group[t->of[next[i]]];
        uint64_t missing = missing_of(g, set);
        uint64_t bit = (uint64_t)1 << (next[i] - g->from);
        assert(missing & bit); /* it is still missing */
        h[i] = now - g->cost[missing] + g->cost[missing & ~bit];
    }
}

/* ---- filling ------------------------------------------------------------- */

struct block {
    int group;
    uint32_t high;
};

struct filling {
    struct bestdag_run *run;
    const struct bestdag_component *at;
    struct tables *tables;
    struct bestdag_trie **trie; /* owns; [groups] */
    struct block *block;        /* owns; fewest high bits first */
    int64_t blocks, first;      /* their number; where this layer begins */
};

static int high_bits(const struct group *g)
{
    return g->size > BLOCK ? g->size - BLOCK : 0;
}

static void fill_block(const struct group *g, const struct bestdag_trie *trie,
                       uint64_t high)
{
    int low = g->size - high_bits(g);
    uint64_t all = ((uint64_t)1 << g->size) - 1;
    uint64_t from = high << low, to = (high + 1) << low;
    for (uint64_t u = from; u < to; u++) {
        uint64_t others = all & ~u;
        int64_t least = u ? INT64_MAX : 0;
        for (uint64_t left = u; left; left &= left - 1) {
            int64_t sum =
                bestdag_trie_best(trie, __builtin_ctzll(left), &others) +
                g->cost[u & ~(left & -left)];
            least = sum < least ? sum : least;
        }
        assert(least >= 0);
        g->cost[u] = least;
    }
}

static int work(void *job, int64_t item, int worker)
{
    const struct filling *f = job;
    const struct block *b = &f->block[f->first + item];
    (void)worker;
    fill_block(&f->tables->group[b->group], f->trie[b->group], b->high);
    return BESTDAG_OK;
}

/* Lists the blocks of all groups, those with fewest high bits first. */
static int sort_blocks(struct filling *f)
{
    const struct tables *t = f->tables;
    int64_t at[MOST + 2] = {0};
    for (int i = 0; i < t->groups; i++)
        f->blocks += (int64_t)1 << high_bits(&t->group[i]);
    f->block = bestdag_alloc(f->run, (size_t)f->blocks * sizeof *f->block);
    if (!f->block)
        return bestdag_run_status(f->run);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < t->groups; i++)
            for (uint32_t h = 0; h >> high_bits(&t->group[i]) == 0; h++) {
                int bits = __builtin_popcount(h);
                if (pass)
                    f->block[at[bits]++] = (struct block){i, h};
                else
                    at[bits + 1]++;
            }
        for (int bits = 0; bits <= MOST && !pass; bits++)
            at[bits + 1] += at[bits];
    }
    return BESTDAG_OK;
}

static int fill_layers(struct filling *f, bool is_parallel)
{
    while (f->first < f->blocks && !bestdag_run_stopped(f->run)) {
        int bits = __builtin_popcount(f->block[f->first].high);
        int64_t end = f->first, done = 0;
        while (end < f->blocks &&
               __builtin_popcount(f->block[end].high) == bits)
            end++;
        struct bestdag_work layer = {.job = f,
                                     .items = end - f->first,
                                     .work = work,
                                     .before = f->first};
        if (is_parallel && bestdag_parallel(f->run, &layer, &done))
            break;
        for (int64_t i = 0; i < layer.items && !is_parallel; i++)
            work(f, i, 0);
        f->first = end;
    }
    return bestdag_run_status(f->run);
}

static int make_tries(struct filling *f)
{
    const struct tables *t = f->tables;
    f->trie = bestdag_calloc(f->run, (size_t)t->groups, sizeof *f->trie);
    for (int i = 0; i < t->groups && f->trie; i++) {
        const struct group *g = &t->group[i];
        struct bestdag_trie_job job = {.list = f->at->list + g->from,
                                       .lists = g->size,
                                       .n = f->at->n,
                                       .words = f->at->words,
                                       .from = g->from,
                                       .size = g->size};
        if (!(f->trie[i] = bestdag_trie_new(f->run, &job)))
            break;
    }
    return bestdag_run_status(f->run);
}

static int fill(struct filling *f, int64_t entries)
{
    if (!make_tries(f) && !sort_blocks(f))
        fill_layers(f, entries >= SEVERAL);
    for (int i = 0; i < f->tables->groups && f->trie; i++)
        bestdag_trie_free(f->trie[i]);
    bestdag_free(f->trie);
    bestdag_free(f->block);
    return bestdag_run_status(f->run);
}

/* ---- building ------------------------------------------------------------ */

static int make_groups(struct bestdag_run *run,
                       const struct bestdag_heuristic_request *job,
                       struct tables *t)
{
    int from = 0, n = job->component->n;
    t->group = bestdag_calloc(run, (size_t)job->groups, sizeof *t->group);
    t->of = bestdag_alloc(run, (size_t)n * sizeof *t->of);
    if (!t->group || !t->of)
        return bestdag_run_status(run);
    t->groups = job->groups;
    for (int i = 0; i < t->groups; i++) {
        struct group *g = &t->group[i];
        *g = (struct group){.from = from, .size = job->size[i]};
        for (int k = 0; k < g->size; k++)
            t->of[from++] = i;
        if (g->size > MOST)
            return bestdag_fail(run, BESTDAG_MEMORY,
                                "a group of %d variables is too large",
                                g->size);
        g->cost = bestdag_alloc(run, sizeof *g->cost << g->size);
        if (!g->cost)
            return bestdag_run_status(run);
    }
    assert(from == n); /* every variable is in one group */
    return BESTDAG_OK;
}

static int make(struct bestdag_run *run,
                const struct bestdag_heuristic_request *job,
                struct bestdag_heuristic *to)
{
    struct tables *t = bestdag_calloc(run, 1, sizeof *t);
    to->data = t;
    if (!t || make_groups(run, job, t))
        return bestdag_run_status(run);
    for (int i = 0; i < t->groups; i++)
        to->patterns += (int64_t)1 << t->group[i].size;
    to->bytes = (int64_t)sizeof(int64_t) * to->patterns;
    struct filling f = {.run = run, .at = job->component, .tables = t};
    if (fill(&f, to->patterns) || bestdag_run_stopped(run))
        return bestdag_run_status(run);
    to->value = value;
    to->after = after;
    to->is_consistent = true;
    return BESTDAG_OK;
}

static void drop(void *data)
{
    struct tables *t = data;
    if (!t)
        return;
    for (int i = 0; i < t->groups; i++)
        bestdag_free(t->group[i].cost);
    bestdag_free(t->group);
    bestdag_free(t->of);
    bestdag_free(t);
}

extern const struct bestdag_heuristic_row bestdag_heuristic_static;
const struct bestdag_heuristic_row bestdag_heuristic_static = {
    .name = "static",
    .help = "groups without cycles inside, the same for all sets",
    .make = make,
    .drop = drop,
};
