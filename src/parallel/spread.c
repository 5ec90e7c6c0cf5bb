/* SPDX-License-Identifier: MIT */
/* spread.c -- the items of one bestdag_parallel() on several ranks.
 *
 * Guided self-scheduling (Polychronopoulos and Kuck 1987): a rank that asks
 * gets a share of the remaining items, so that the last ones are assigned
 * singly. A rank asks when one of its workers is idle. Only the calling thread
 * sends and receives; between two polls for messages it sleeps up to LONG
 * microseconds, or until a worker is done.
 *
 * Messages: two for each share, one for the results finished between two polls,
 * and the batches. Bytes: every result once to rank 0, and once from there to
 * each other rank. */
#include "parallel/spread.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "parallel/collective.h"

enum {
    BATCH = 4 << 20, /* bytes that are passed on at once, about */
    SHARES = 2, /* a rank gets 1 / (SHARES * ranks) of the remaining items */
    SHORT = 50, /* microseconds between two polls at first, */
    LONG = 2000 /* and while nothing happens */
};

struct packed {
    char *bytes; /* owns */
    int64_t size;
};

struct bestdag_spread {
    struct bestdag_run *run;
    struct bestdag_communicator *communicator;
    int64_t items;
    struct packed *packed;   /* owns; [items]: done here, not yet sent */
    int64_t *fresh, freshes; /* owns; [items]: which items these are */
    int64_t next, end;       /* own items that are not begun */
    int64_t dealt, undealt;  /* rank 0: first unassigned item, and their end */
    int64_t done;            /* items done on all ranks; rank 0 alone */
    int working, idle;       /* workers in an item; waiting for one */
    struct bestdag_buffer out; /* owns; results to be passed on or sent */
    bool *is_asking;           /* owns; [ranks] */
    int settled;               /* number of ranks that are */
    bool is_stopping; /* rank 0 has told all ranks to stop, or this rank was
                         told */
    bool has_asked, has_told, has_settled, is_closed;
    bool moved; /* a message was sent or received since the last poll */
};

/* Assigns the items that every rank has before it asks: the first ones, in the
 * order of the ranks. */
static void assign_first(struct bestdag_spread *s, bool is_even)
{
    int64_t ranks = s->communicator->ranks, rank = s->communicator->rank;
    int64_t dealt = is_even ? s->items : s->items / SHARES;
    s->next = dealt * rank / ranks;
    s->end = dealt * (rank + 1) / ranks;
    s->dealt = dealt;
    s->undealt = s->items;
}

struct bestdag_spread *bestdag_spread_new(struct bestdag_run *run,
                                          const struct bestdag_work *w)
{
    struct bestdag_communicator *communicator = bestdag_communicator_of(run);
    if (!communicator || !w->pass || w->items < 1 || bestdag_run_status(run))
        return NULL;
    uint64_t digest = bestdag_mix(w->digest ^ (uint64_t)w->items) ^
                      bestdag_collective_hash(run->now.phase);
    struct bestdag_spread *s = bestdag_calloc(run, 1, sizeof *s);
    size_t items = (size_t)w->items;
    if (s) {
        s->packed = bestdag_calloc(run, items, sizeof *s->packed);
        s->fresh = bestdag_alloc(run, items * sizeof *s->fresh);
        s->is_asking = bestdag_calloc(run, (size_t)communicator->ranks, 1);
        s->run = s->out.run = run;
        s->communicator = communicator;
        s->items = w->items;
        assign_first(s, w->is_even);
    }
    if (!bestdag_collective_sync(run, digest) || bestdag_run_status(run)) {
        bestdag_spread_free(s); /* there is one rank, or it failed on all */
        return NULL;
    }
    return s;
}

void bestdag_spread_free(struct bestdag_spread *s)
{
    if (!s)
        return;
    for (int64_t i = 0; s->packed && i < s->items; i++)
        bestdag_free(s->packed[i].bytes);
    bestdag_free(s->packed);
    bestdag_free(s->fresh);
    bestdag_free(s->is_asking);
    bestdag_buffer_release(&s->out);
    bestdag_free(s);
}

/* ---- workers
 * -----------------------------------------------------------------
 */

int64_t bestdag_spread_begin(struct bestdag_thread_pool *c)
{
    struct bestdag_spread *s = c->spread;
    while (!c->status && !s->is_closed && !s->is_stopping &&
           !bestdag_thread_pool_is_over(c)) {
        if (s->next < s->end) {
            s->working++;
            return s->next++;
        }
        if (!s->communicator->rank && s->dealt == s->undealt)
            return -1;
        if (!s->communicator->rank) {
            s->working++;
            return s->dealt++;
        }
        s->idle++;
        pthread_cond_signal(&c->finished); /* the caller asks for more */
        pthread_cond_wait(&c->taken, &c->lock);
        s->idle--;
    }
    return -1;
}

int bestdag_spread_pack(struct bestdag_thread_pool *c, int64_t item)
{
    struct bestdag_buffer b = {.run = c->run};
    struct bestdag_archive p = {.to = &b};
    int status = c->work->pass(c->work->job, item, &p);
    c->spread->packed[item] = (struct packed){b.at, (int64_t)b.length};
    return status ? status : bestdag_run_status(c->run);
}

void bestdag_spread_finish(struct bestdag_thread_pool *c, int64_t item,
                           int status)
{
    struct bestdag_spread *s = c->spread;
    s->working--;
    if (!status)
        s->fresh[s->freshes++] = item;
}

/* ---- results
 * -----------------------------------------------------------------
 */

/* Appends the results of this rank since the last poll to s->out. */
static void collect_fresh(struct bestdag_thread_pool *c)
{
    struct bestdag_spread *s = c->spread;
    pthread_mutex_lock(&c->lock);
    int64_t count = s->freshes;
    pthread_mutex_unlock(&c->lock);
    /* workers add others at the end while these are packed */
    for (int64_t i = 0; i < count; i++) {
        int64_t item = s->fresh[i];
        struct packed *p = &s->packed[item];
        bestdag_buffer_add(&s->out, (const char *)&item, sizeof item);
        bestdag_buffer_add(&s->out, (const char *)&p->size, sizeof p->size);
        bestdag_buffer_add(&s->out, p->bytes, (size_t)p->size);
        bestdag_free(p->bytes);
        *p = (struct packed){0};
    }
    pthread_mutex_lock(&c->lock);
    memmove(s->fresh, s->fresh + count,
            (size_t)(s->freshes - count) * sizeof *s->fresh);
    s->freshes -= count;
    pthread_mutex_unlock(&c->lock);
    s->done += count;
    s->moved |= count > 0;
}

/* Unpacks the result of an item of another rank. */
static int open_item(struct bestdag_thread_pool *c, int64_t item,
                     const char *bytes, int64_t size)
{
    struct bestdag_archive p = {.opens = true, .from = bytes, .left = size};
    int status = c->work->pass(c->work->job, item, &p);
    if (!status && (p.is_bad || p.left))
        status = bestdag_run_status(c->run)
                     ? bestdag_run_status(c->run)
                     : bestdag_fail(c->run, BESTDAG_FAILED,
                                    "what another rank sent cannot be read");
    pthread_mutex_lock(&c->lock);
    bestdag_thread_pool_give_up(c, status);
    c->is_done[item] = !status;
    pthread_mutex_unlock(&c->lock);
    return status;
}

/* Unpacks the items of a message or a batch that were not done here. Returns
 * how many there were. */
static int64_t open_items(struct bestdag_thread_pool *c, const char *bytes,
                          int64_t size)
{
    int64_t count = 0, head[2];
    for (int64_t at = 0; at + (int64_t)sizeof head <= size; count++) {
        memcpy(head, bytes + at, sizeof head);
        at += (int64_t)sizeof head;
        if (head[0] < 0 || head[0] >= c->work->items || head[1] < 0 ||
            head[1] > size - at)
            break;
        pthread_mutex_lock(&c->lock);
        bool is_known = c->is_done[head[0]] || c->status;
        pthread_mutex_unlock(&c->lock);
        if (!is_known)
            open_item(c, head[0], bytes + at, head[1]);
        at += head[1];
    }
    return count;
}

/* ---- both
 * --------------------------------------------------------------------
 */

static void stop_here(struct bestdag_thread_pool *c, int64_t ending)
{
    bestdag_communicator_end(c->run, ending);
    pthread_mutex_lock(&c->lock);
    c->spread->is_stopping = true;
    pthread_cond_broadcast(&c->taken);
    pthread_mutex_unlock(&c->lock);
}

static void close_here(struct bestdag_thread_pool *c)
{
    pthread_mutex_lock(&c->lock);
    c->spread->is_closed = true;
    pthread_cond_broadcast(&c->taken);
    pthread_mutex_unlock(&c->lock);
}

/* Has this rank finished all items, when no more are begun? */
static bool is_idle(struct bestdag_thread_pool *c)
{
    pthread_mutex_lock(&c->lock);
    bool is_quiet = !c->spread->working && !c->spread->freshes;
    pthread_mutex_unlock(&c->lock);
    return is_quiet;
}

static int status_of(struct bestdag_thread_pool *c)
{
    pthread_mutex_lock(&c->lock);
    int status = c->status;
    pthread_mutex_unlock(&c->lock);
    return status ? status : bestdag_run_status(c->run);
}

static struct bestdag_message with_error(struct bestdag_thread_pool *c,
                                         int kind)
{
    const char *error = bestdag_run_error(c->run);
    int status = status_of(c);
    return (struct bestdag_message){
        .kind = kind,
        .number = {status ? 0 : bestdag_run_ending(c->run), status},
        .bytes = (char *)error,
        .size = (int64_t)strlen(error)};
}

static void fail_here(struct bestdag_thread_pool *c,
                      const struct bestdag_message *message)
{
    bestdag_communicator_fail(c->run, message->from, message->number[1],
                              message);
    pthread_mutex_lock(&c->lock);
    bestdag_thread_pool_give_up(c, (int)message->number[1]);
    pthread_mutex_unlock(&c->lock);
}

/* A number distinguishes the messages of one piece of work from those of the
 * next. */
static void write_to(struct bestdag_thread_pool *c, int to,
                     struct bestdag_message message)
{
    message.number[3] = c->spread->communicator->collectives;
    bestdag_communicator_send(c->run, to, &message);
}

/* ---- rank 0
 * ------------------------------------------------------------------
 */

static void handle_message(struct bestdag_thread_pool *c,
                           const struct bestdag_message *message)
{
    struct bestdag_spread *s = c->spread;
    if (message->kind != BESTDAG_MESSAGE_BYE &&
        message->number[3] != s->communicator->collectives)
        return; /* left over from earlier work */
    switch (message->kind) {
    case BESTDAG_MESSAGE_ASK:
        s->is_asking[message->from] = true;
        break;
    case BESTDAG_MESSAGE_RESULT:
        s->done += open_items(c, message->bytes, message->size);
        bestdag_buffer_add(&s->out, message->bytes, (size_t)message->size);
        break;
    case BESTDAG_MESSAGE_STOPPED:
        bestdag_communicator_end(c->run, message->number[0]);
        break;
    case BESTDAG_MESSAGE_SETTLED:
        s->settled++;
        break;
    case BESTDAG_MESSAGE_BROKEN:
        fail_here(c, message);
        break;
    default:
        bestdag_fail(c->run, BESTDAG_FAILED, "rank %d has ended too early",
                     message->from);
    }
}

static void assign(struct bestdag_thread_pool *c)
{
    struct bestdag_spread *s = c->spread;
    for (int i = 1; i < s->communicator->ranks; i++) {
        if (!s->is_asking[i])
            continue;
        pthread_mutex_lock(&c->lock);
        int64_t left = s->undealt - s->dealt, first = s->dealt;
        int64_t share = left / (SHARES * s->communicator->ranks);
        share = share < 1 && left ? 1 : share;
        s->dealt += share;
        pthread_mutex_unlock(&c->lock);
        if (!share)
            return;
        struct bestdag_message give = {.kind = BESTDAG_MESSAGE_GIVE,
                                       .number = {first, share}};
        bestdag_communicator_send(c->run, i, &give);
        s->is_asking[i] = false;
        s->moved = true;
    }
}

static void forward_results(struct bestdag_thread_pool *c)
{
    struct bestdag_spread *s = c->spread;
    int64_t size = (int64_t)s->out.length;
    struct bestdag_message batch = {.kind = BESTDAG_MESSAGE_BATCH,
                                    .number = {size}};
    if (!size)
        return;
    bestdag_communicator_send_all(c->run, &batch);
    bestdag_communicator_bytes(c->run, s->out.at, size);
    s->out.length = 0;
}

static void run_coordinator(void *argument)
{
    struct bestdag_thread_pool *c = argument;
    struct bestdag_spread *s = c->spread;
    struct bestdag_message message;
    s->moved = false;
    while (bestdag_communicator_receive(c->run, &message)) {
        handle_message(c, &message);
        bestdag_free(message.bytes);
        s->moved = true;
    }
    collect_fresh(c);
    bool is_over = status_of(c) || bestdag_thread_pool_is_over(c);
    if (is_over && !s->is_stopping) {
        struct bestdag_message stop = with_error(c, BESTDAG_MESSAGE_STOP);
        bestdag_communicator_send_all(c->run, &stop);
        stop_here(c, 0);
    }
    if (!s->is_stopping)
        assign(c);
    bool is_done = s->is_stopping
                       ? s->settled == s->communicator->ranks - 1 && is_idle(c)
                       : s->done == s->items;
    if (is_done || s->out.length >= BATCH)
        forward_results(c);
    if (!is_done)
        return;
    struct bestdag_message end = with_error(c, BESTDAG_MESSAGE_END);
    bestdag_communicator_send_all(c->run, &end);
    close_here(c);
}

/* ---- the others
 * --------------------------------------------------------------
 */

static void take_batch(struct bestdag_thread_pool *c, int64_t size)
{
    char *bytes = bestdag_alloc(c->run, (size_t)size);
    char *lent =
        bytes ? bytes
              : malloc((size_t)size); /* must receive: the other ranks wait */
    if (lent)
        bestdag_communicator_bytes(c->run, lent, size);
    if (bytes)
        open_items(c, bytes, size);
    else
        free(lent);
    bestdag_free(bytes);
}

static void execute_command(struct bestdag_thread_pool *c,
                            const struct bestdag_message *message)
{
    struct bestdag_spread *s = c->spread;
    switch (message->kind) {
    case BESTDAG_MESSAGE_GIVE:
        pthread_mutex_lock(&c->lock);
        s->next = message->number[0];
        s->end = s->next + message->number[1];
        s->has_asked = false;
        pthread_cond_broadcast(&c->taken);
        pthread_mutex_unlock(&c->lock);
        break;
    case BESTDAG_MESSAGE_STOP:
        stop_here(c, message->number[0]);
        break;
    case BESTDAG_MESSAGE_BATCH:
        take_batch(c, message->number[0]);
        break;
    default: /* BESTDAG_MESSAGE_END */
        if (message->number[1])
            fail_here(c, message);
        else
            bestdag_communicator_end(c->run, message->number[0]);
        close_here(c);
    }
}

/* Tells rank 0 that this rank was stopped or failed, that it has settled after
 * a stop, or that it needs items. */
static void tell(struct bestdag_thread_pool *c)
{
    struct bestdag_spread *s = c->spread;
    bool has_failed = status_of(c);
    if (!s->has_told && (has_failed || bestdag_thread_pool_is_over(c))) {
        struct bestdag_message word = with_error(
            c, has_failed ? BESTDAG_MESSAGE_BROKEN : BESTDAG_MESSAGE_STOPPED);
        write_to(c, 0, word);
        s->has_told = true;
    }
    if (s->is_stopping && !s->has_settled && is_idle(c)) {
        struct bestdag_message word = {.kind = BESTDAG_MESSAGE_SETTLED};
        write_to(c, 0, word);
        s->has_settled = true;
    }
    pthread_mutex_lock(&c->lock);
    bool is_short = s->idle && s->next == s->end && !s->has_asked;
    pthread_mutex_unlock(&c->lock);
    if (is_short && !s->is_stopping && !s->has_told) {
        struct bestdag_message word = {.kind = BESTDAG_MESSAGE_ASK};
        s->has_asked = true;
        write_to(c, 0, word);
        s->moved = true;
    }
}

static void run_worker(void *argument)
{
    struct bestdag_thread_pool *c = argument;
    struct bestdag_spread *s = c->spread;
    struct bestdag_message message;
    s->moved = false;
    while (!s->is_closed && bestdag_communicator_receive(c->run, &message)) {
        execute_command(c, &message);
        bestdag_free(message.bytes);
        s->moved = true;
    }
    if (s->is_closed)
        return;
    collect_fresh(c);
    if (s->out.length) {
        struct bestdag_message result = {.kind = BESTDAG_MESSAGE_RESULT,
                                         .bytes = s->out.at,
                                         .size = (int64_t)s->out.length};
        write_to(c, 0, result);
        s->out.length = 0;
    }
    tell(c);
}

/* ---- the whole
 * ---------------------------------------------------------------
 */

/* Is there nothing to do but wait for other ranks? */
static bool is_waiting(const struct bestdag_thread_pool *c)
{
    const struct bestdag_spread *s = c->spread;
    return !s->working && s->next == s->end &&
           (s->communicator->rank || s->dealt == s->undealt);
}

/* Are all workers busy? Then no one waits for messages. */
static bool is_at_work(const struct bestdag_thread_pool *c)
{
    const struct bestdag_spread *s = c->spread;
    return !c->status && !s->is_stopping && !s->idle && s->working &&
           (s->next < s->end || s->dealt < s->undealt);
}

void bestdag_spread_watch(struct bestdag_thread_pool *c)
{
    struct bestdag_spread *s = c->spread;
    struct bestdag_communicator *communicator = s->communicator;
    int wait = SHORT;
    communicator->is_busy = true;
    pthread_mutex_lock(&c->lock);
    while (!s->is_closed) {
        while (bestdag_thread_pool_take_next(c))
            ;
        pthread_mutex_unlock(&c->lock);
        bestdag_communicator_call(
            c->run, communicator->rank ? run_worker : run_coordinator, c);
        bestdag_run_watch(c->run, c->work->before + c->took);
        pthread_mutex_lock(&c->lock);
        if (s->moved || s->is_closed) {
            wait = SHORT;
            continue;
        }
        double begun = bestdag_seconds();
        bool is_unused = is_waiting(c);
        do /* items may be short: do not poll after each */
            bestdag_thread_pool_wait(c, is_at_work(c) ? LONG : wait);
        while (is_at_work(c) && bestdag_seconds() - begun < 1e-6 * LONG);
        wait = wait < LONG ? wait + wait / 4 : LONG;
        communicator->waited += is_unused ? bestdag_seconds() - begun : 0;
    }
    while (bestdag_thread_pool_take_next(c))
        ;
    pthread_cond_broadcast(&c->taken);
    while (c->active)
        bestdag_thread_pool_wait(c, LONG);
    pthread_mutex_unlock(&c->lock);
    communicator->is_busy = false;
}
