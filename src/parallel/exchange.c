/* SPDX-License-Identifier: MIT */
/* exchange.c -- numbers of all ranks added up or compared, and bytes from each
 * rank to each other.
 *
 * All ranks synchronise first, so that none waits for a rank that will not
 * come. */
#include <string.h>

#include "parallel/collective.h"

/* ---- numbers
 * -----------------------------------------------------------------
 */

struct summing {
    struct bestdag_run *run;
    int64_t *number, count;
};

static void sum(void *argument)
{
    struct summing *s = argument;
    struct bestdag_communicator *communicator = s->run->communicator;
    communicator->messages++;
    communicator->bytes += 2 * s->count * (int64_t)sizeof *s->number;
    communicator->by->sum(communicator->wire, s->number, s->count,
                          sizeof *s->number);
}

bool bestdag_collective_sum(struct bestdag_run *run, uint64_t digest,
                            int64_t *number, int64_t count)
{
    struct summing s = {run, number, count};
    if (!bestdag_collective_sync(run, digest) || bestdag_run_status(run))
        return false;
    bestdag_communicator_call(run, sum, &s);
    return true;
}

bool bestdag_collective_least(struct bestdag_run *run, uint64_t digest,
                              int64_t *number, int64_t count)
{
    const struct bestdag_communicator *communicator =
        bestdag_communicator_of(run);
    if (!communicator)
        return false;
    int64_t ranks = communicator->ranks;
    int64_t *all = bestdag_calloc(run, (size_t)(ranks * count), sizeof *all);
    if (all) /* each rank has its own place: a sum with zeros */
        memcpy(all + communicator->rank * count, number,
               (size_t)count * sizeof *all);
    bool is_here = bestdag_collective_sum(run, digest, all, ranks * count);
    for (int64_t i = 0; is_here && i < ranks * count; i++)
        if (all[i] < number[i % count])
            number[i % count] = all[i];
    bestdag_free(all);
    return is_here;
}

/* ---- each to each
 * ------------------------------------------------------------
 */

struct exchange {
    struct bestdag_run *run;
    const struct bestdag_buffer *to;
    struct bestdag_buffer *from; /* without a run: not yet received */
    int missing;                 /* messages */
};

static void send_each(void *argument)
{
    struct exchange *x = argument;
    struct bestdag_communicator *communicator = x->run->communicator;
    for (int i = 0; i < communicator->ranks; i++) {
        struct bestdag_message message = {.kind = BESTDAG_MESSAGE_EXCHANGE,
                                          .number = {communicator->collectives},
                                          .bytes = x->to[i].at,
                                          .size = (int64_t)x->to[i].length};
        if (i != communicator->rank)
            bestdag_communicator_send(x->run, i, &message);
    }
    for (int i = 0; i < communicator->ranks; i++)
        x->from[i] = (struct bestdag_buffer){0};
    x->missing = communicator->ranks - 1;
}

/* Takes the message's bytes. */
static void take_message(struct exchange *x, struct bestdag_message message)
{
    struct bestdag_buffer *from = &x->from[message.from];
    if (message.kind == BESTDAG_MESSAGE_EXCHANGE) {
        bestdag_buffer_release(from);
        *from = (struct bestdag_buffer){
            .run = x->run, .at = message.bytes, .length = (size_t)message.size};
        x->missing--;
    } else { /* a rank that is done arrives at the next collective, or ends */
        if (!from->run) /* before it has sent: it never will */
            x->missing = 0;
        bestdag_communicator_open(x->run, message);
    }
}

static void receive_each(void *argument)
{
    struct exchange *x = argument;
    struct bestdag_communicator *communicator = x->run->communicator;
    struct bestdag_message message;
    for (int i = 0; i < communicator->ranks; i++)
        if (communicator->waiting[i].kind == BESTDAG_MESSAGE_EXCHANGE) {
            take_message(x, communicator->waiting[i]);
            communicator->waiting[i] = (struct bestdag_message){0};
        }
    while (x->missing && bestdag_communicator_receive(x->run, &message))
        take_message(x, message);
}

bool bestdag_collective_exchange(struct bestdag_run *run, uint64_t digest,
                                 const struct bestdag_buffer *to,
                                 struct bestdag_buffer *from)
{
    struct exchange x = {.run = run, .to = to, .from = from};
    if (!bestdag_collective_sync(run, digest) || bestdag_run_status(run))
        return false;
    double begun = bestdag_seconds();
    run->communicator->is_busy = true;
    bestdag_communicator_call(run, send_each, &x);
    bestdag_communicator_call(run, receive_each, &x);
    for (int looks = 0; x.missing;) {
        bestdag_communicator_back_off(&looks);
        bestdag_communicator_call(run, receive_each, &x);
    }
    run->communicator->is_busy = false;
    run->communicator->waited += bestdag_seconds() - begun;
    return !run->communicator->is_alone && !bestdag_run_status(run);
}
