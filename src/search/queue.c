/* SPDX-License-Identifier: MIT */
/* queue.c -- the buckets and their chunks. */
#include "search/queue.h"

#include <assert.h>

int bestdag_queue_init(struct bestdag_queue *q, int64_t from, int64_t to,
                       int buckets)
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

void bestdag_queue_release(struct bestdag_queue *q)
{
    for (int b = 0; q->bucket && b < q->buckets; b++)
        free_chain(q->bucket[b]);
    free_chain(q->spare);
    bestdag_free(q->bucket);
    *q = (struct bestdag_queue){.run = q->run};
}

int bestdag_queue_least(struct bestdag_queue *q)
{
    while (q->least < q->buckets && !q->bucket[q->least])
        q->least++;
    return q->least;
}

int bestdag_queue_extend(struct bestdag_queue *q, int bucket)
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
