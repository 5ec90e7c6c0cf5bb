/* SPDX-License-Identifier: MIT */
/* thread_ranks.h -- ranks without MPI, for tests: threads that send each other
 * messages. */
#ifndef BESTDAG_TESTS_THREAD_RANKS_H
#define BESTDAG_TESTS_THREAD_RANKS_H

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "parallel/collective.h"

enum { MOST_RANKS = 5 };

struct mail {
    struct bestdag_message message; /* its bytes are malloc'd */
    struct mail *next;
};

struct office {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct mail *first[MOST_RANKS], **last[MOST_RANKS];
    int ranks, arrived, round;
    void *shared;
    int64_t *sums; /* owns */
};

struct wire {
    struct office *office;
    int rank;
};

static inline int post(void *wire, struct bestdag_run *run, int to,
                       const struct bestdag_message *message)
{
    struct wire *w = wire;
    struct mail *m = calloc(1, sizeof *m);
    (void)run;
    m->message = *message;
    m->message.from = w->rank;
    m->message.bytes = malloc((size_t)message->size + 1);
    if (message->size)
        memcpy(m->message.bytes, message->bytes, (size_t)message->size);
    pthread_mutex_lock(&w->office->lock);
    *w->office->last[to] = m;
    w->office->last[to] = &m->next;
    pthread_mutex_unlock(&w->office->lock);
    return BESTDAG_OK;
}

static inline bool fetch(void *wire, struct bestdag_run *run,
                         struct bestdag_message *to)
{
    struct wire *w = wire;
    struct office *o = w->office;
    pthread_mutex_lock(&o->lock);
    struct mail *m = o->first[w->rank];
    if (m) {
        o->first[w->rank] = m->next;
        if (!m->next)
            o->last[w->rank] = &o->first[w->rank];
    }
    pthread_mutex_unlock(&o->lock);
    if (!m)
        return false;
    *to = m->message;
    to->bytes = bestdag_alloc(run, (size_t)to->size);
    if (to->bytes && to->size)
        memcpy(to->bytes, m->message.bytes, (size_t)to->size);
    free(m->message.bytes);
    free(m);
    return true;
}

/* All wait until all are here. Called with the lock. */
static inline void wait_for_all(struct office *o)
{
    int round = o->round;
    if (++o->arrived == o->ranks) {
        o->arrived = 0;
        o->round++;
        pthread_cond_broadcast(&o->changed);
    }
    while (round == o->round)
        pthread_cond_wait(&o->changed, &o->lock);
}

static inline void share(void *wire, void *bytes, int64_t size)
{
    struct wire *w = wire;
    struct office *o = w->office;
    pthread_mutex_lock(&o->lock);
    if (!w->rank)
        o->shared = bytes;
    wait_for_all(o);
    if (w->rank)
        memcpy(bytes, o->shared, (size_t)size);
    wait_for_all(o);
    pthread_mutex_unlock(&o->lock);
}

static inline int64_t number_at(const void *number, int64_t i, int bytes)
{
    return bytes == 4 ? ((const int32_t *)number)[i]
                      : ((const int64_t *)number)[i];
}

static inline void sum(void *wire, void *number, int64_t count, int bytes)
{
    struct wire *w = wire;
    struct office *o = w->office;
    pthread_mutex_lock(&o->lock);
    if (!o->arrived) { /* the first one here */
        free(o->sums);
        o->sums = calloc((size_t)count, sizeof *o->sums);
    }
    for (int64_t i = 0; i < count; i++)
        o->sums[i] += number_at(number, i, bytes);
    wait_for_all(o);
    for (int64_t i = 0; i < count; i++)
        if (bytes == 4)
            ((int32_t *)number)[i] = (int32_t)o->sums[i];
        else
            ((int64_t *)number)[i] = o->sums[i];
    wait_for_all(o);
    pthread_mutex_unlock(&o->lock);
}

static inline void close_wire(void *wire)
{
    free(wire);
}

static const struct bestdag_transport by_threads = {.send = post,
                                                    .receive = fetch,
                                                    .share = share,
                                                    .sum = sum,
                                                    .close = close_wire};

static inline void open_office(struct office *o, int ranks)
{
    *o = (struct office){.ranks = ranks};
    pthread_mutex_init(&o->lock, NULL);
    pthread_cond_init(&o->changed, NULL);
    for (int i = 0; i < ranks; i++)
        o->last[i] = &o->first[i];
}

/* When all ranks have ended: drops what nobody has read. */
static inline void close_office(struct office *o)
{
    for (int i = 0; i < o->ranks; i++)
        for (struct mail *m = o->first[i], *next; m; m = next) {
            next = m->next;
            free(m->message.bytes);
            free(m);
        }
    free(o->sums);
    pthread_cond_destroy(&o->changed);
    pthread_mutex_destroy(&o->lock);
}

/* The run becomes that of a rank. */
static inline void join_office(struct bestdag_run *run, struct office *o,
                               int rank)
{
    struct wire *w = calloc(1, sizeof *w);
    *w = (struct wire){o, rank};
    bestdag_communicator_join(
        run,
        (struct bestdag_communicator){
            .by = &by_threads, .wire = w, .rank = rank, .ranks = o->ranks});
}

#endif
