/* SPDX-License-Identifier: MIT */
/* parallel.c -- workers that share a counter, and a caller that watches. */
#include "parallel/parallel.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

struct crew {
    struct bestdag_run *run;
    const struct bestdag_work *work;
    pthread_mutex_t lock;
    pthread_cond_t finished; /* an item was finished: the caller may take */
    pthread_cond_t taken;    /* an item was taken: workers may go on */
    int64_t next, took;      /* next item to begin; items taken */
    int active;              /* workers that have not ended */
    int status;              /* the first that was not OK */
    bool *is_done;           /* owns; [items] */
};

struct worker {
    struct crew *crew;
    int index;
    pthread_t thread;
};

int bestdag_parallel_threads(const struct bestdag_run *run, int64_t items)
{
    int threads = bestdag_run_threads(run);
    return items < threads ? (items > 0 ? (int)items : 1) : threads;
}

static bool is_over(const struct crew *c)
{
    if (c->work->to_the_end)
        return bestdag_run_status(c->run) != BESTDAG_OK;
    return bestdag_run_stopped(c->run);
}

/* The next item for a worker; -1: there is none. Called with the lock. */
static int64_t begin(struct crew *c)
{
    const struct bestdag_work *w = c->work;
    while (w->window && c->next < w->items && c->next - c->took >= w->window &&
           !c->status && !is_over(c))
        pthread_cond_wait(&c->taken, &c->lock);
    if (c->next >= w->items || c->status || is_over(c))
        return -1;
    assert(c->took <= c->next);
    assert(!w->window || c->next - c->took < w->window);
    return c->next++;
}

/* Keeps the first status that is not OK, and wakes the threads that wait
 * for room, since none will be made. Called with the lock. */
static void give_up(struct crew *c, int status)
{
    if (!status || c->status)
        return;
    c->status = status;
    pthread_cond_broadcast(&c->taken);
}

static void *work(void *argument)
{
    struct worker *me = argument;
    struct crew *c = me->crew;
    pthread_mutex_lock(&c->lock);
    for (int64_t item; (item = begin(c)) >= 0;) {
        pthread_mutex_unlock(&c->lock);
        int status = c->work->work(c->work->job, item, me->index);
        pthread_mutex_lock(&c->lock);
        give_up(c, status);
        assert(!c->is_done[item]); /* no other thread had it */
        c->is_done[item] = !status;
        pthread_cond_signal(&c->finished);
    }
    assert(c->active > 0);
    c->active--;
    pthread_cond_signal(&c->finished);
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

static bool is_ready(const struct crew *c)
{
    return c->took < c->work->items && c->is_done[c->took] && !c->status;
}

/* Takes the next item if it is ready; called with the lock, which is free
 * meanwhile. */
static void take_next(struct crew *c)
{
    const struct bestdag_work *w = c->work;
    int status = BESTDAG_OK;
    if (!is_ready(c))
        return;
    if (w->take) {
        pthread_mutex_unlock(&c->lock);
        status = w->take(w->job, c->took);
        pthread_mutex_lock(&c->lock);
    }
    give_up(c, status);
    if (status)
        return;
    c->took++;
    assert(c->took <= c->next && c->next <= w->items);
    pthread_cond_broadcast(&c->taken);
}

static void wait_a_little(struct crew *c)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += 100 * 1000 * 1000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&c->finished, &c->lock, &until);
}

/* The caller's part: take, watch, wait until the workers have ended. */
static void watch(struct crew *c)
{
    pthread_mutex_lock(&c->lock);
    while (c->active || is_ready(c)) {
        take_next(c);
        pthread_mutex_unlock(&c->lock);
        bool stopped = bestdag_run_watch(c->run, c->work->before + c->took);
        pthread_mutex_lock(&c->lock);
        if (stopped)
            pthread_cond_broadcast(&c->taken);
        if (c->active && !is_ready(c))
            wait_a_little(c);
    }
    pthread_mutex_unlock(&c->lock);
}

static void init(struct crew *c)
{
    pthread_condattr_t clock;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->taken, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&c->finished, &clock);
    pthread_condattr_destroy(&clock);
}

static void release(struct crew *c)
{
    pthread_cond_destroy(&c->finished);
    pthread_cond_destroy(&c->taken);
    pthread_mutex_destroy(&c->lock);
    bestdag_free(c->is_done);
}

/* Starts as many as the system allows; at least one, or an error. */
static int start(struct crew *c, struct worker *workers, int threads)
{
    int started = 0;
    pthread_mutex_lock(&c->lock);
    for (; started < threads; started++) {
        workers[started] = (struct worker){.crew = c, .index = started};
        if (pthread_create(&workers[started].thread, NULL, work,
                           &workers[started]))
            break;
        c->active++;
    }
    pthread_mutex_unlock(&c->lock);
    if (!started)
        c->status = bestdag_fail(c->run, BESTDAG_FAILED,
                                 "the system cannot start a thread");
    return started;
}

int bestdag_parallel(struct bestdag_run *run, const struct bestdag_work *w,
                     int64_t *done)
{
    struct crew c = {.run = run, .work = w};
    int threads = bestdag_parallel_threads(run, w->items);
    struct worker *workers =
        bestdag_alloc(run, (size_t)threads * sizeof *workers);
    c.is_done = bestdag_calloc(run, (size_t)w->items, sizeof *c.is_done);
    init(&c);
    if (workers && c.is_done) {
        int started = start(&c, workers, threads);
        watch(&c);
        for (int i = 0; i < started; i++)
            pthread_join(workers[i].thread, NULL);
    }
    if (done)
        *done = c.took;
    release(&c);
    bestdag_free(workers);
    return c.status ? c.status : bestdag_run_status(run);
}
