/* SPDX-License-Identifier: MIT */
/* collective.c -- collective operations of the ranks of a run.
 *
 * A rank that arrives greets rank 0 and waits; rank 0 answers when all have
 * greeted. Cost: two messages per rank and collective. A waiting rank polls for
 * messages and, after the first polls, sleeps between them, because a wait
 * inside MPI would occupy a core. */
#include "parallel/collective.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/coroutine.h"
#include "base/random.h"

enum {
    YIELDS = 100, /* polls without a sleep: about 0.1 ms, within which ranks
                     that do the same work arrive */
    SHORT = 50,   /* microseconds between two polls after these, at first */
    LONG = 1000   /* and at most */
};

struct collective {
    struct bestdag_run *run;
    struct bestdag_communicator *communicator;
    uint64_t digest;
    bool decision; /* own, then rank 0's */
    bool is_over, met;
};

uint64_t bestdag_collective_hash(const char *text)
{
    uint64_t hash = 0;
    for (; *text; text++)
        hash = bestdag_mix(hash ^ (uint8_t)*text);
    return hash;
}

static struct bestdag_run *outermost(struct bestdag_run *run)
{
    while (run->outer)
        run = run->outer;
    return run;
}

/* ---- messages
 * ----------------------------------------------------------------
 */

void bestdag_communicator_call(struct bestdag_run *run, void (*call)(void *),
                               void *argument)
{
    if (run->inside)
        bestdag_coroutine_ask(run->inside, call, argument);
    else
        call(argument);
}

int bestdag_communicator_send(struct bestdag_run *run, int to,
                              const struct bestdag_message *message)
{
    struct bestdag_communicator *communicator = run->communicator;
    communicator->messages++;
    communicator->bytes += message->size + (int64_t)sizeof *message;
    return communicator->by->send(communicator->wire, run, to, message);
}

void bestdag_communicator_send_all(struct bestdag_run *run,
                                   const struct bestdag_message *message)
{
    for (int i = 0; i < run->communicator->ranks; i++)
        if (i != run->communicator->rank)
            bestdag_communicator_send(run, i, message);
}

bool bestdag_communicator_receive(struct bestdag_run *run,
                                  struct bestdag_message *to)
{
    struct bestdag_communicator *communicator = run->communicator;
    if (!communicator->by->receive(communicator->wire, run, to))
        return false;
    if (to->kind == BESTDAG_MESSAGE_BYE) {
        communicator->gone++;
        communicator->code = to->from ? communicator->code : (int)to->number[0];
    }
    return true;
}

void bestdag_communicator_bytes(struct bestdag_run *run, void *bytes,
                                int64_t size)
{
    struct bestdag_communicator *communicator = run->communicator;
    if (!communicator->rank) {
        communicator->messages++;
        communicator->bytes += size * (communicator->ranks - 1);
    }
    communicator->by->share(communicator->wire, bytes, size);
}

void bestdag_communicator_end(struct bestdag_run *run, int64_t ending)
{
    if (ending == BESTDAG_TIMED_OUT)
        bestdag_run_expire(run);
    else if (ending == BESTDAG_INTERRUPTED &&
             bestdag_run_ending(run) == BESTDAG_ENDED)
        bestdag_run_stop(run);
}

/* Errors that other ranks need not share are prefixed with the rank; input
 * errors are the same on every rank. */
void bestdag_communicator_fail(struct bestdag_run *run, int from,
                               int64_t status,
                               const struct bestdag_message *message)
{
    bool is_own =
        status == BESTDAG_FAILED || status == BESTDAG_MEMORY || !message->size;
    if (!is_own || run->communicator->rank)
        bestdag_fail(run, (int)status, "%.*s", (int)message->size,
                     message->size ? message->bytes : "");
    else
        bestdag_fail(run, (int)status, "rank %d: %.*s", from,
                     (int)message->size,
                     message->size ? message->bytes : "failed");
}

void bestdag_communicator_back_off(int *looks)
{
    int naps = ++*looks - YIELDS;
    int64_t microseconds = naps < LONG / SHORT ? naps * SHORT : LONG;
    struct timespec time = {.tv_nsec = (long)microseconds * 1000L};
    if (naps <= 0)
        sched_yield();
    else
        nanosleep(&time, NULL);
}

/* ---- going separate ways
 * -----------------------------------------------------
 */

static void disconnect(struct bestdag_run *run)
{
    const struct bestdag_message leave = {.kind = BESTDAG_MESSAGE_LEAVE};
    if (run->communicator->is_alone)
        return;
    bestdag_communicator_send_all(run, &leave);
    run->communicator->is_alone = true;
    run->communicator->has_parted =
        bestdag_run_ending(outermost(run)) == BESTDAG_ENDED;
}

/* Ends a rank other than 0 when it has nothing left to do. */
static void abandon(struct bestdag_run *run)
{
    run->communicator->is_alone = true;
    bestdag_run_stop(outermost(run));
}

void bestdag_communicator_open(struct bestdag_run *run,
                               struct bestdag_message message)
{
    struct bestdag_communicator *communicator = run->communicator;
    if (!communicator->rank && message.kind == BESTDAG_MESSAGE_HELLO) {
        bestdag_free(communicator->waiting[message.from].bytes);
        communicator->waiting[message.from] = message;
        return;
    }
    if (communicator->rank)
        abandon(run);
    else if (message.kind == BESTDAG_MESSAGE_BYE) {
        if (message.number[0] && message.size)
            bestdag_communicator_fail(run, message.from, message.number[0],
                                      &message);
        else
            bestdag_communicator_end(outermost(run), message.number[1]);
        disconnect(run);
    } else if (message.kind == BESTDAG_MESSAGE_STOPPED && communicator->serves)
        bestdag_communicator_end(outermost(run), message.number[0]);
    /* other messages belong to finished work, such as a request for more */
    bestdag_free(message.bytes);
}

/* Rank 0: receives the messages that have arrived. */
static void receive_pending(struct bestdag_run *run)
{
    struct bestdag_message message;
    while (!run->communicator->is_alone &&
           bestdag_communicator_receive(run, &message))
        bestdag_communicator_open(run, message);
}

/* Rank 0: a waiting rank may report that the whole run was stopped. */
static void heed_stops(struct bestdag_run *run)
{
    const struct bestdag_communicator *communicator = run->communicator;
    for (int i = 1; i < communicator->ranks; i++)
        if (communicator->waiting[i].kind &&
            communicator->waiting[i].number[3] < 0)
            bestdag_communicator_end(outermost(run),
                                     communicator->waiting[i].number[2]);
}

static void look(void *argument)
{
    struct bestdag_run *run = argument;
    struct bestdag_communicator *communicator = run->communicator;
    struct bestdag_message message;
    if (!communicator->rank) {
        receive_pending(run);
        heed_stops(run);
    } else if (bestdag_communicator_receive(run, &message))
        bestdag_communicator_open(run, message);
}

static void look_on_caller(struct bestdag_run *run)
{
    bestdag_communicator_call(run, look, run);
}

/* ---- rank 0
 * ------------------------------------------------------------------
 */

static bool all_have_arrived(const struct bestdag_communicator *communicator)
{
    for (int i = 1; i < communicator->ranks; i++)
        if (!communicator->waiting[i].kind)
            return false;
    return true;
}

static bool is_same(const struct collective *m,
                    const struct bestdag_message *waiting)
{
    return waiting->number[0] == m->communicator->collectives &&
           waiting->number[1] == (int64_t)m->digest;
}

/* Rank 0, when all ranks have arrived: sends the agreed values to all. */
static void begin(struct collective *m)
{
    struct bestdag_run *run = m->run;
    for (int i = 1; i < m->communicator->ranks; i++) {
        struct bestdag_message *waiting = &m->communicator->waiting[i];
        int64_t status = waiting->number[3];
        if (status > 0) /* unless rank 0 has failed, too */
            bestdag_fail(run, (int)status, "rank %d: %.*s", i,
                         (int)waiting->size,
                         waiting->size ? waiting->bytes : "");
        else
            bestdag_communicator_end(run, waiting->number[2]);
        bestdag_free(waiting->bytes);
        *waiting = (struct bestdag_message){0};
    }
    const char *error = bestdag_run_error(run);
    struct bestdag_message start = {
        .kind = BESTDAG_MESSAGE_START,
        .number = {bestdag_run_status(run) ? 0 : bestdag_run_ending(run),
                   bestdag_run_status(run), m->decision},
        .bytes = (char *)error,
        .size = (int64_t)strlen(error)};
    bestdag_communicator_send_all(run, &start);
    m->is_over = m->met = true;
}

static void run_root(void *argument)
{
    struct collective *m = argument;
    bool goes_on = bestdag_run_ending(outermost(m->run)) == BESTDAG_ENDED ||
                   bestdag_run_status(m->run);
    receive_pending(m->run);
    for (int i = 1; i < m->communicator->ranks && !m->communicator->is_alone;
         i++)
        if (m->communicator->waiting[i].kind &&
            !is_same(m, &m->communicator->waiting[i])) {
            heed_stops(m->run);
            disconnect(m->run);
        }
    if (!goes_on)
        disconnect(m->run);
    if (m->communicator->is_alone)
        m->is_over = true;
    else if (all_have_arrived(m->communicator))
        begin(m);
}

/* ---- the others
 * --------------------------------------------------------------
 */

/* status: of a failure; -1: the whole run is stopped; 0: neither. */
static void send_hello(void *argument)
{
    struct collective *m = argument;
    const char *error = bestdag_run_error(m->run);
    int64_t status = bestdag_run_status(m->run);
    int64_t ending = status ? 0 : bestdag_run_ending(m->run);
    if (!status && bestdag_run_ending(outermost(m->run)) != BESTDAG_ENDED)
        status = -1;
    struct bestdag_message waiting = {.kind = BESTDAG_MESSAGE_HELLO,
                                      .number = {m->communicator->collectives,
                                                 (int64_t)m->digest, ending,
                                                 status},
                                      .bytes = (char *)error,
                                      .size = (int64_t)strlen(error)};
    bestdag_communicator_send(m->run, 0, &waiting);
}

static void run_member(void *argument)
{
    struct collective *m = argument;
    struct bestdag_message message;
    if (!bestdag_communicator_receive(m->run, &message))
        return;
    if (message.kind == BESTDAG_MESSAGE_EXCHANGE) {
        /* another rank received the start earlier */
        m->communicator->waiting[message.from] = message;
        return;
    }
    m->is_over = true;
    if (message.kind == BESTDAG_MESSAGE_START) {
        m->met = true;
        m->decision = message.number[2];
        if (message.number[1])
            bestdag_communicator_fail(m->run, 0, message.number[1], &message);
        else
            bestdag_communicator_end(m->run, message.number[0]);
    } else
        abandon(m->run);
    bestdag_free(message.bytes);
}

/* ---- collectives
 * ----------------------------------------------------------------
 */

static bool synchronise(struct bestdag_run *run, uint64_t digest,
                        bool *decision)
{
    struct bestdag_communicator *communicator = bestdag_communicator_of(run);
    if (!communicator)
        return false;
    struct collective m = {.run = run,
                           .communicator = communicator,
                           .digest = digest,
                           .decision = *decision};
    double begun = bestdag_seconds();
    communicator->is_busy = true;
    communicator->collectives++;
    if (communicator->rank)
        bestdag_communicator_call(run, send_hello, &m);
    for (int looks = 0;; bestdag_communicator_back_off(&looks)) {
        bestdag_communicator_call(
            run, communicator->rank ? run_member : run_root, &m);
        if (m.is_over)
            break;
        bestdag_run_watch(run, run->now.done);
    }
    communicator->is_busy = false;
    communicator->waited += bestdag_seconds() - begun;
    *decision = m.met ? m.decision : *decision;
    return m.met;
}

bool bestdag_collective_sync(struct bestdag_run *run, uint64_t digest)
{
    bool nothing = false;
    return synchronise(run, digest, &nothing);
}

bool bestdag_collective_decide(struct bestdag_run *run, uint64_t digest,
                               bool own)
{
    synchronise(run, digest, &own);
    return own;
}

struct sharing {
    struct bestdag_run *run;
    struct bestdag_buffer *b;
};

static void share(void *argument)
{
    struct sharing *s = argument;
    int64_t size = (int64_t)s->b->length;
    bestdag_communicator_bytes(s->run, &size, sizeof size);
    if (s->run->communicator->rank) {
        s->b->length = 0;
        if (!bestdag_buffer_reserve(s->b, (size_t)size)) {
            /* must be received all the same: the others wait */
            char *rest = malloc((size_t)size + 1);
            if (rest)
                bestdag_communicator_bytes(s->run, rest, size);
            free(rest);
            return;
        }
        s->b->length = (size_t)size;
    }
    if (size)
        bestdag_communicator_bytes(s->run, s->b->at, size);
}

bool bestdag_collective_broadcast_bytes(struct bestdag_run *run,
                                        uint64_t digest,
                                        struct bestdag_buffer *b)
{
    struct sharing s = {run, b};
    if (!bestdag_collective_sync(run, digest) || bestdag_run_status(run))
        return false;
    bestdag_communicator_call(run, share, &s);
    return !bestdag_run_status(run);
}

bool bestdag_collective_broadcast(struct bestdag_run *run, uint64_t digest,
                                  bestdag_pass_fn *pass, void *state)
{
    struct bestdag_buffer b = {.run = run};
    struct bestdag_communicator *communicator = bestdag_communicator_of(run);
    if (!communicator)
        return false;
    if (!communicator->rank) {
        struct bestdag_archive out = {.to = &b};
        pass(state, &out);
    }
    bool is_here = bestdag_collective_broadcast_bytes(run, digest, &b);
    if (is_here && communicator->rank) {
        struct bestdag_archive in = {
            .opens = true, .from = b.at, .left = (int64_t)b.length};
        pass(state, &in);
        if (in.is_bad && !bestdag_run_status(run))
            bestdag_fail(run, BESTDAG_FAILED,
                         "what rank 0 sent cannot be read");
    }
    bestdag_buffer_release(&b);
    return is_here && !bestdag_run_status(run);
}

static void pass_number(void *state, struct bestdag_archive *p)
{
    double *number = state;
    BESTDAG_PASS(p, *number);
}

double bestdag_collective_number(struct bestdag_run *run, uint64_t digest,
                                 double own)
{
    double number = own;
    return bestdag_collective_broadcast(run, digest, pass_number, &number)
               ? number
               : own;
}

static void pass_mark(void *state, struct bestdag_archive *p)
{
    uint64_t *mark = state;
    BESTDAG_PASS(p, *mark);
}

int bestdag_collective_agree(struct bestdag_run *run, uint64_t mark,
                             const char *what)
{
    const uint64_t kind = bestdag_collective_hash("agree");
    uint64_t leading = mark;
    if (!bestdag_communicator_of(run))
        return bestdag_run_status(run);
    if (bestdag_collective_broadcast(run, kind, pass_mark, &leading) &&
        leading != mark)
        bestdag_fail(run, BESTDAG_INPUT,
                     "%s: this is another than that of rank 0", what);
    bestdag_collective_sync(run, kind + 1);
    return bestdag_run_status(run);
}

/* ---- joining and leaving
 * -----------------------------------------------------
 */

bool bestdag_communicator_join(struct bestdag_run *run,
                               struct bestdag_communicator draft)
{
    struct bestdag_communicator *communicator =
        bestdag_calloc(run, 1, sizeof *communicator);
    struct bestdag_message *waiting =
        bestdag_calloc(run, (size_t)draft.ranks, sizeof *waiting);
    if (!communicator || !waiting || run->communicator || run->outer) {
        bestdag_free(communicator);
        bestdag_free(waiting);
        draft.by->close(draft.wire);
        bestdag_fail(run, BESTDAG_USAGE, "the run has ranks already");
        return false;
    }
    *communicator = draft;
    communicator->waiting = waiting;
    communicator->look = look_on_caller;
    communicator->share = bestdag_collective_broadcast_bytes;
    run->communicator = communicator;
    return true;
}

/* Rank 0 waits for the last message of every other rank, and these for rank
 * 0's. */
int bestdag_communicator_leave(struct bestdag_run *run, int code)
{
    struct bestdag_communicator *communicator = run->communicator;
    if (!communicator || communicator->ranks < 2)
        return code;
    const char *error = bestdag_run_error(run);
    int64_t ending =
        communicator->is_alone ? BESTDAG_ENDED : bestdag_run_ending(run);
    if (communicator->has_parted && !bestdag_run_status(run))
        bestdag_note(run, 1,
                     "ranks: the clock has parted them; rank 0 has "
                     "worked alone since");
    bestdag_note(run, 1,
                 "ranks: %d; rank 0 has sent %lld messages, %lld bytes, and "
                 "has waited %.3f s",
                 communicator->ranks, (long long)communicator->messages,
                 (long long)communicator->bytes, communicator->waited);
    struct bestdag_message message, bye = {.kind = BESTDAG_MESSAGE_BYE,
                                           .number = {code, ending},
                                           .bytes = (char *)error,
                                           .size = (int64_t)strlen(error)};
    if (communicator->rank)
        bestdag_communicator_send(run, 0, &bye);
    else
        bestdag_communicator_send_all(run, &bye);
    communicator->is_alone = true;
    int looks = 0;
    for (int all = communicator->rank ? 1 : communicator->ranks - 1;
         communicator->gone < all; bestdag_communicator_back_off(&looks))
        while (bestdag_communicator_receive(run, &message))
            bestdag_free(message.bytes);
    return communicator->rank ? communicator->code : code;
}
