/* SPDX-License-Identifier: MIT */
/* precedence.c -- the transitive reduction of a precedence relation.
 *
 * The relation is transitively closed: a predecessor of u has fewer
 * predecessors than u. So among the predecessors of v, the one with most
 * predecessors precedes no other: it is kept, and its own predecessors are
 * implied; then the same for the rest. */
#include "problem/precedence.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/growing_array.h"
#include "base/invariant.h"

struct reducer {
    struct bestdag_run *run;
    const struct bestdag_knowledge *k;
    struct bestdag_precedence *to;
    int64_t room;
    uint64_t *row;  /* owns; scratch */
    int64_t *order; /* owns; [n]: variables by decreasing number of
                       predecessors */
};

static int descending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x < y) - (x > y);
}

static void sort(struct reducer *r)
{
    const struct bestdag_knowledge *k = r->k;
    for (int v = 0; v < k->n; v++)
        r->order[v] = (int64_t)bestdag_row_count(
                          bestdag_knowledge_row(k, k->before, v), k->words)
                          << 32 |
                      v;
    qsort(r->order, (size_t)k->n, sizeof *r->order, descending);
}

static int push(struct reducer *r, int u)
{
    struct bestdag_precedence *to = r->to;
    int64_t count = to->start[r->k->n];
    if (!BESTDAG_GROW(r->run, to->at, r->room, count + 1))
        return bestdag_run_status(r->run);
    to->at[count] = u;
    to->start[r->k->n]++;
    return BESTDAG_OK;
}

static int ascending(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static int reduce(struct reducer *r, int v)
{
    const struct bestdag_knowledge *k = r->k;
    int64_t from = r->to->start[k->n];
    memcpy(r->row, bestdag_knowledge_row(k, k->before, v),
           k->words * sizeof *r->row);
    int left = bestdag_row_count(r->row, k->words);
    for (int i = 0; i < k->n && left; i++) {
        int u = (int)(uint32_t)r->order[i];
        if (!bestdag_row_has(r->row, u))
            continue;
        assert(u != v);
        const uint64_t *before = bestdag_knowledge_row(k, k->before, u);
        if (push(r, u))
            return bestdag_run_status(r->run);
        bestdag_row_drop(r->row, u);
        for (size_t w = 0; w < k->words; w++)
            r->row[w] &= ~before[w];
        left = bestdag_row_count(r->row, k->words);
    }
    if (r->to->start[k->n] > from)
        qsort(r->to->at + from, (size_t)(r->to->start[k->n] - from),
              sizeof *r->to->at, ascending);
    assert(bestdag_is_set(r->to->at + from, r->to->start[k->n] - from, k->n));
    return BESTDAG_OK;
}

/* start[n] is the present end; start[v] is set when v begins. */
static int reduce_all(struct reducer *r)
{
    sort(r);
    for (int v = 0; v < r->k->n; v++) {
        r->to->start[v] = r->to->start[r->k->n];
        if (reduce(r, v))
            break;
    }
    return bestdag_run_status(r->run);
}

int bestdag_precedence_init(struct bestdag_run *run,
                            struct bestdag_precedence *ahead,
                            const struct bestdag_knowledge *k)
{
    *ahead = (struct bestdag_precedence){0};
    if (!k || !(k->needs & BESTDAG_NEEDS_ORDER) || !k->before)
        return BESTDAG_OK;
    struct reducer r = {.run = run, .k = k, .to = ahead};
    size_t n = (size_t)k->n;
    r.row = bestdag_alloc(run, k->words * sizeof *r.row);
    r.order = bestdag_alloc(run, n * sizeof *r.order);
    ahead->start = bestdag_calloc(run, n + 1, sizeof *ahead->start);
    int status = r.row && r.order && ahead->start ? reduce_all(&r)
                                                  : bestdag_run_status(run);
    bestdag_free(r.row);
    bestdag_free(r.order);
    if (status)
        bestdag_precedence_release(ahead);
    return status;
}

void bestdag_precedence_release(struct bestdag_precedence *ahead)
{
    bestdag_free(ahead->start);
    bestdag_free(ahead->at);
    *ahead = (struct bestdag_precedence){0};
}
