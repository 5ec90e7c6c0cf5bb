/* SPDX-License-Identifier: MIT */
/* open_list.c -- the buckets and their chunks. */
#include "search/subsets/open_list.h"

#include <assert.h>

int bestdag_open_list_init(struct bestdag_open_list *q, int64_t from,
                           int64_t to, int buckets)
{
    q->from = from;
    q->least = 0;
    for (q->shift = 0; (to - from) >> q->shift >= buckets;)
        q->shift++;
    q->buckets = (int)((to - from) >> q->shift) + 1;
    assert(from <= to && q->buckets >= 1 && q->buckets <= buckets);
    q->bucket = bestdag_calloc(q->run, (size_t)q->buckets, sizeof *q->bucket);
    return bestdag_run_status(q->run);
}

static void free_chain(struct bestdag_chunk *c)
{
    while (c) {
        struct bestdag_chunk *next = c->next;
        bestdag_free(c);
        c = next;
    }
}

void bestdag_open_list_clear(struct bestdag_open_list *q)
{
    for (int b = 0; q->bucket && b < q->buckets; b++) {
        free_chain(q->bucket[b]);
        q->bucket[b] = NULL;
    }
    free_chain(q->spare);
    q->spare = NULL;
    q->taken = 0;
}

void bestdag_open_list_release(struct bestdag_open_list *q)
{
    bestdag_open_list_clear(q);
    bestdag_free(q->bucket);
    *q = (struct bestdag_open_list){.run = q->run};
}

int bestdag_open_list_least(struct bestdag_open_list *q)
{
    while (q->least < q->buckets && !q->bucket[q->least])
        q->least++;
    return q->least;
}

int bestdag_open_list_extend(struct bestdag_open_list *q, int bucket)
{
    struct bestdag_chunk *c = q->spare;
    if (c)
        q->spare = c->next;
    else if (!(c = bestdag_alloc(q->run, sizeof *c)))
        return bestdag_run_status(q->run);
    else
        q->taken += (int64_t)sizeof *c;
    c->used = 0;
    c->next = q->bucket[bucket];
    q->bucket[bucket] = c;
    return BESTDAG_OK;
}
