/* SPDX-License-Identifier: MIT */
/* shard_counts.c -- the rows of one rank: contingency tables of many sets that
 * share all variables but one.
 *
 * Tables with few cells are counted from bits (shard_bits.h). For the others
 * rows are taken in blocks: the joint state of the shared variables is computed
 * once per block and thread, then one histogram per set. A small table is
 * counted in WAYS histograms, one row in each by turns, so that neighbouring
 * rows of the same state do not wait for each other's sums. Nothing is kept by
 * row, so memory is that of the table. Time: 1 to 2 ns per row and set of a
 * request with many sets, 5 to 8 with few. */
#include <string.h>

#include "data/shard_bits.h"
#include "data/shards.h"
#include "parallel/parallel.h"

enum {
    BLOCK = 4096, /* rows */
    SMALL = 512,  /* cells of a small table: all ways stay in the L1 cache */
    WAYS = 4
};

/* Histograms of a block: [state of the last variable << shift | shared]. */
struct small {
    uint32_t count[WAYS][SMALL];
    int shift;
};

struct job {
    struct bestdag_run *run;
    const struct bestdag_table *own;
    const struct bestdag_shard_bits *bits; /* NULL: there are none */
    const struct bestdag_shard_request *request;
    int64_t shared; /* cells of the shared variables' table */
    int64_t *to;
    int items;
};

static void add_digit(const struct bestdag_column *c, int64_t from, int n,
                      uint32_t *index)
{
    uint32_t states = (uint32_t)c->states;
    if (c->bytes == 1) {
        const uint8_t *code = (const uint8_t *)c->cells + from;
        for (int i = 0; i < n; i++)
            index[i] = index[i] * states + code[i];
    } else {
        const uint16_t *code = (const uint16_t *)c->cells + from;
        for (int i = 0; i < n; i++)
            index[i] = index[i] * states + code[i];
    }
}

static void add_weights(const int32_t *weight, int n, const uint32_t *index,
                        int64_t *to)
{
    if (!weight)
        for (int i = 0; i < n; i++)
            to[index[i]]++;
    else
        for (int i = 0; i < n; i++)
            to[index[i]] += weight[i];
}

/* The shift with which a table with `states` of its last variable is small; -1:
 * it is not. */
static int small_shift(int64_t shared, const struct bestdag_column *c)
{
    int shift = 0;
    if (c->bytes != 1 || shared * c->states > SMALL)
        return -1;
    while ((int64_t)1 << shift < shared)
        shift++;
    return c->states << shift <= SMALL ? shift : -1;
}

static void count_small(struct small *s, const uint32_t *shared,
                        const uint8_t *code, int n)
{
    int i = 0;
    for (; i + WAYS <= n; i += WAYS)
        for (int way = 0; way < WAYS; way++)
            s->count[way]
                    [(uint32_t)code[i + way] << s->shift | shared[i + way]]++;
    for (; i < n; i++)
        s->count[0][(uint32_t)code[i] << s->shift | shared[i]]++;
}

/* Adds up the ways and clears them. */
static void add_small(struct small *s, int64_t shared, int states, int64_t *to)
{
    for (int k = 0; k < states; k++)
        for (int64_t g = 0; g < shared; g++)
            for (int way = 0; way < WAYS; way++) {
                uint32_t *count = &s->count[way][((int64_t)k << s->shift) | g];
                to[g * states + k] += *count;
                *count = 0;
            }
}

static void count_block(const struct job *job, int64_t row, int n, int first,
                        int end)
{
    const struct bestdag_shard_request *r = job->request;
    const struct bestdag_table *t = job->own;
    const int32_t *weight = t->weights ? t->weights + row : NULL;
    uint32_t shared[BLOCK] = {0}, index[BLOCK];
    struct small small = {0};
    for (int i = 0; i < r->count; i++)
        add_digit(&t->column[r->variables[i]], row, n, shared);
    if (!r->mores)
        add_weights(weight, n, shared, job->to);
    int64_t at = 0;
    for (int m = 0; m < end; m++) {
        const struct bestdag_column *c = &t->column[r->more[m]];
        small.shift = weight ? -1 : small_shift(job->shared, c);
        bool is_here = m >= first && !bestdag_shard_bits_can(job->bits, r, m);
        if (is_here && small.shift >= 0) {
            count_small(&small, shared, (const uint8_t *)c->cells + row, n);
            add_small(&small, job->shared, c->states, job->to + at);
        } else if (is_here) {
            memcpy(index, shared, (size_t)n * sizeof *index);
            add_digit(c, row, n, index);
            add_weights(weight, n, index, job->to + at);
        }
        at += job->shared * c->states;
    }
}

/* A work item is some of the sets, over all rows. */
static int work(void *data, int64_t item, int worker)
{
    const struct job *job = data;
    int64_t rows = job->own->rows;
    int mores = job->request->mores;
    int first = (int)(mores * item / job->items),
        end = (int)(mores * (item + 1) / job->items);
    int by_bits = 0;
    (void)worker;
    for (int m = first; m < end; m++)
        by_bits += bestdag_shard_bits_can(job->bits, job->request, m);
    if (by_bits && bestdag_shard_bits_count(job->run, job->bits, job->request,
                                            first, end, job->to))
        return BESTDAG_MEMORY;
    if (by_bits && by_bits == end - first)
        return BESTDAG_OK;
    for (int64_t row = 0; row < rows; row += BLOCK)
        count_block(job, row, rows - row < BLOCK ? (int)(rows - row) : BLOCK,
                    first, end);
    return BESTDAG_OK;
}

int bestdag_shard_count_rows(struct bestdag_run *run,
                             const struct bestdag_shards *shards,
                             const struct bestdag_shard_request *request,
                             int64_t *to)
{
    const struct bestdag_table *own = shards->own;
    struct bestdag_shard_request r = *request;
    if (!r.mores && r.count) { /* the two are the same cells */
        r.more = &r.variables[--r.count];
        r.mores = 1;
    }
    struct job job = {.run = run,
                      .own = own,
                      .bits = shards->bits,
                      .request = &r,
                      .shared = bestdag_shard_cells(own, r.variables, r.count),
                      .to = to,
                      .items = bestdag_parallel_threads(run, r.mores)};
    /* also when the run is stopped: rank 0 waits for the counts */
    struct bestdag_work w = {
        .job = &job, .items = job.items, .work = work, .to_the_end = true};
    if (job.items ==
        1) /* starting a thread would take longer than counting few rows */
        return work(&job, 0, 0);
    return bestdag_parallel(run, &w, NULL);
}

void bestdag_shard_hash_rows(const struct bestdag_table *own, int column,
                             struct bestdag_sha256 *sha)
{
    const struct bestdag_column *c = column < 0 ? NULL : &own->column[column];
    uint8_t bytes[4 * BLOCK];
    for (int64_t row = 0; row < own->rows; row += BLOCK) {
        size_t n = own->rows - row < BLOCK ? (size_t)(own->rows - row) : BLOCK;
        size_t width = c ? (size_t)c->bytes : 4;
        for (size_t i = 0; i < n; i++) {
            int64_t r = row + (int64_t)i;
            uint32_t bits = c && c->bytes == 1 ? ((const uint8_t *)c->cells)[r]
                            : c                ? ((const uint16_t *)c->cells)[r]
                            : own->weights     ? (uint32_t)own->weights[r]
                                               : 1;
            for (size_t b = 0; b < width; b++)
                bytes[i * width + b] = (uint8_t)(bits >> (8 * b));
        }
        bestdag_sha256_update(sha, bytes, n * width);
    }
}
