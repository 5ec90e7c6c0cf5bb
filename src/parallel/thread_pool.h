/* SPDX-License-Identifier: MIT */
/* thread_pool.h -- the workers of one bestdag_parallel(): for parallel.c and
 * spread.c.
 */
#ifndef BESTDAG_PARALLEL_THREAD_POOL_H
#define BESTDAG_PARALLEL_THREAD_POOL_H

#include <pthread.h>

#include "parallel/parallel.h"

struct bestdag_spread;

/* A call that a worker asks the caller for; it lies on the worker's stack. */
struct bestdag_asked_call {
    void (*call)(void *);
    void *argument;
    bool is_done;
    struct bestdag_asked_call *next;
};

struct bestdag_thread_pool {
    struct bestdag_run *run;
    const struct bestdag_work *work;
    pthread_mutex_t lock;
    pthread_cond_t finished; /* an item was finished: the caller may take */
    pthread_cond_t taken;    /* an item was taken: workers may go on */
    pthread_cond_t answered; /* a call that a worker asked for was made */
    struct bestdag_asked_call *asked; /* borrowed; the newest first */
    int64_t next, took;               /* next item to begin; items taken */
    int threads;                      /* workers that were started */
    int active;                       /* workers that have not ended */
    int status;                       /* the first that was not OK */
    bool *is_done;                    /* owns; [items] */
    struct bestdag_spread *spread;    /* owns; NULL: all items are done here */
};

/* Are no more items to be begun? */
bool bestdag_thread_pool_is_over(const struct bestdag_thread_pool *c);
/* Keeps the first status that is not OK, and wakes the threads that wait for
 * room, as there will be none. Called with the lock. */
void bestdag_thread_pool_give_up(struct bestdag_thread_pool *c, int status);
/* Takes the next item if it is ready; returns whether it was. Called with the
 * lock, which is released meanwhile. */
bool bestdag_thread_pool_take_next(struct bestdag_thread_pool *c);
/* Waits until an item is finished, or for this many microseconds. Called with
 * the lock. */
void bestdag_thread_pool_wait(struct bestdag_thread_pool *c, int microseconds);

#endif
