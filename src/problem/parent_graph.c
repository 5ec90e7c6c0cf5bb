/* SPDX-License-Identifier: MIT */
/* parent_graph.c -- best(v, available) for every subset: the full parent
 * graphs.
 *
 * Each variable has a table over all subsets of the others with the index of
 * the best set inside, propagated from subset to superset. A look-up is one
 * cache miss; memory is 4 bytes times n 2^(n - 1). It is the baseline for the
 * sparse forms. Variables are filled in parallel. */
#include <stdio.h>

#include "base/simd.h"
#include "base/text.h"
#include "parallel/parallel.h"
#include "problem/best_parents.h"

enum { MOST = 40 }; /* so that the size of a refused table can be reported */

struct full {
    const struct bestdag_component *at;
    struct bestdag_run *run;
    int32_t **table; /* owns; [n][2^(n - 1)] */
    bool has_avx2;
};

/* A mask without the bit of v, which must be 0. */
static inline uint64_t index_of(uint64_t mask, int v)
{
    uint64_t below = ((uint64_t)1 << v) - 1;
    return (mask & below) | (mask >> 1 & ~below);
}

static int64_t best(const void *data, int v, const uint64_t *available)
{
    const struct full *f = data;
    uint64_t all = ~(uint64_t)0 >> (64 - f->at->n);
    return f->at->list[v].cost[f->table[v][index_of(*available & all, v)]];
}

/* For tables that were not completed. */
static int64_t best_scanned(const void *data, int v, const uint64_t *available)
{
    const struct full *f = data;
    return bestdag_candidates_best(&f->at->list[v], *available);
}

BESTDAG_INLINE void pass_on(int32_t *table, size_t size, size_t bit)
{
    for (size_t i = 0; i < size; i += 2 * bit) {
        const int32_t *restrict from = table + i;
        int32_t *restrict to = table + i + bit;
        for (size_t k = 0; k < bit; k++)
            to[k] = from[k] < to[k] ? from[k] : to[k];
    }
}

static void pass_on_plain(int32_t *table, size_t size, size_t bit)
{
    pass_on(table, size, bit);
}

BESTDAG_AVX2 static void pass_on_avx2(int32_t *table, size_t size, size_t bit)
{
    pass_on(table, size, bit);
}

static int fill(void *job, int64_t item, int worker)
{
    const struct full *f = job;
    const struct bestdag_candidates *p = &f->at->list[item];
    int32_t *table = f->table[item];
    size_t size = (size_t)1 << (f->at->n - 1);
    (void)worker;
    for (size_t i = 0; i < size; i++)
        table[i] = p->count;
    for (int set = p->count - 1; set >= 0; set--)
        table[index_of(p->mask[set], (int)item)] = set;
    for (size_t bit = 1; bit < size && !bestdag_run_stopped(f->run); bit *= 2)
        (f->has_avx2 ? pass_on_avx2 : pass_on_plain)(table, size, bit);
    return BESTDAG_OK;
}

static int refuse(struct bestdag_run *run, int n, int64_t most)
{
    int64_t bytes = n > MOST ? -1 : ((int64_t)n * 4) << (n - 1);
    char need[32], there[32], what[80];
    snprintf(what, sizeof what,
             "holding the full parent graphs of %d variables", n);
    if (bestdag_reserve(run, bytes, what))
        return bestdag_run_status(run);
    if (!most || bytes <= most)
        return BESTDAG_OK;
    bestdag_size_format(bytes, need);
    bestdag_size_format(most, there);
    return bestdag_fail(run, BESTDAG_MEMORY, "%s needs %s; this machine has %s",
                        what, need, there);
}

static int make(struct bestdag_run *run, struct bestdag_best_parents *to)
{
    int n = to->at->n;
    int64_t done = 0;
    if (refuse(run, n, bestdag_memory_physical() / 10 * 9))
        return bestdag_run_status(run);
    struct full *f = bestdag_calloc(run, 1, sizeof *f);
    to->data = f;
    if (!f)
        return bestdag_run_status(run);
    f->at = to->at;
    f->run = run;
    f->has_avx2 = bestdag_has_avx2();
    f->table = bestdag_calloc(run, (size_t)n, sizeof *f->table);
    size_t bytes = sizeof **f->table << (n - 1);
    for (int v = 0; v < n && !bestdag_run_status(run); v++)
        f->table[v] = bestdag_alloc(run, bytes);
    struct bestdag_work work = {.job = f, .items = n, .work = fill};
    if (bestdag_run_status(run) || bestdag_parallel(run, &work, &done))
        return bestdag_run_status(run);
    to->best = bestdag_run_stopped(run) ? best_scanned : best;
    to->entries = (int64_t)n << (n - 1);
    to->bytes = (int64_t)sizeof(int32_t) * to->entries;
    return BESTDAG_OK;
}

static void drop(void *data)
{
    struct full *f = data;
    if (!f)
        return;
    for (int v = 0; f->table && v < f->at->n; v++)
        bestdag_free(f->table[v]);
    bestdag_free(f->table);
    bestdag_free(f);
}

extern const struct bestdag_best_parents_form bestdag_best_parents_full;
const struct bestdag_best_parents_form bestdag_best_parents_full = {
    .name = "full",
    .help = "the best set of every subset: full parent graphs",
    .make = make,
    .drop = drop,
};
