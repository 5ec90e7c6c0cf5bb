/* SPDX-License-Identifier: MIT */
/* gather.c -- the bytes of all ranks at rank 0. */
#include "parallel/collective.h"

void bestdag_communicator_wait(struct bestdag_run *run,
                               struct bestdag_message *to)
{
    double begun = bestdag_seconds();
    for (int looks = 0; !bestdag_communicator_receive(run, to);)
        bestdag_communicator_back_off(&looks);
    run->communicator->waited += bestdag_seconds() - begun;
}

struct gathering {
    struct bestdag_run *run;
    const struct bestdag_buffer *own;
    struct bestdag_buffer *to;
};

/* A rank whose part has arrived may be at the next collective already. */
static void collect(struct gathering *g)
{
    struct bestdag_communicator *all = g->run->communicator;
    for (int left = all->ranks - 1; left > 0;) {
        struct bestdag_message message;
        bestdag_communicator_wait(g->run, &message);
        if (message.kind == BESTDAG_MESSAGE_HELLO) {
            all->waiting[message.from] = message;
            continue;
        }
        if (message.kind == BESTDAG_MESSAGE_PART) {
            bestdag_buffer_add(&g->to[message.from], message.bytes,
                               (size_t)message.size);
            left--;
        } else if (message.kind == BESTDAG_MESSAGE_BYE) {
            bestdag_communicator_fail(g->run, message.from, BESTDAG_FAILED,
                                      &message);
            left = 0;
        }
        bestdag_free(message.bytes);
    }
}

static void gather(void *argument)
{
    struct gathering *g = argument;
    struct bestdag_message part = {.kind = BESTDAG_MESSAGE_PART,
                                   .bytes = g->own->at,
                                   .size = (int64_t)g->own->length};
    if (g->run->communicator->rank) {
        bestdag_communicator_send(g->run, 0, &part);
        return;
    }
    if (g->own->length)
        bestdag_buffer_add(&g->to[0], g->own->at, g->own->length);
    collect(g);
}

bool bestdag_collective_gather(struct bestdag_run *run, uint64_t digest,
                               const struct bestdag_buffer *own,
                               struct bestdag_buffer *to)
{
    struct gathering g = {run, own, to};
    for (int i = 0; i < run->communicator->ranks; i++)
        to[i] = (struct bestdag_buffer){.run = run};
    if (!bestdag_collective_sync(run, digest) || bestdag_run_status(run))
        return false;
    bestdag_communicator_call(run, gather, &g);
    return !bestdag_run_status(run);
}
