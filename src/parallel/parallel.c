/* SPDX-License-Identifier: MIT */
/* parallel.c -- workers that share a counter, and a caller that takes their
 * results. */
#include "parallel/parallel.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "parallel/collective.h"
#include "parallel/thread_pool.h"
#include "parallel/spread.h"

struct worker {
    struct bestdag_thread_pool *pool;
    int index;
    pthread_t thread;
};

/* The pool that this thread is a worker of; NULL: of none. */
static _Thread_local struct bestdag_thread_pool *own_pool;

int bestdag_parallel_threads(const struct bestdag_run *run, int64_t items)
{
    int threads = bestdag_run_threads(run);
    return items < threads ? (items > 0 ? (int)items : 1) : threads;
}

bool bestdag_thread_pool_is_over(const struct bestdag_thread_pool *c)
{
    if (c->work->to_the_end)
        return bestdag_run_status(c->run) != BESTDAG_OK;
    return bestdag_run_stopped(c->run);
}

/* The next item for a worker; -1: there is none. Called with the lock. */
static int64_t begin(struct bestdag_thread_pool *c)
{
    const struct bestdag_work *w = c->work;
    if (c->spread)
        return bestdag_spread_begin(c);
    while (w->window && c->next < w->items && c->next - c->took >= w->window &&
           !c->status && !bestdag_thread_pool_is_over(c))
        pthread_cond_wait(&c->taken, &c->lock);
    if (c->next >= w->items || c->status || bestdag_thread_pool_is_over(c))
        return -1;
    assert(c->took <= c->next);
    assert(!w->window || c->next - c->took < w->window);
    return c->next++;
}

void bestdag_thread_pool_give_up(struct bestdag_thread_pool *c, int status)
{
    if (!status || c->status)
        return;
    c->status = status;
    pthread_cond_broadcast(&c->taken);
}

static void *work(void *argument)
{
    struct worker *me = argument;
    struct bestdag_thread_pool *c = own_pool = me->pool;
    pthread_mutex_lock(&c->lock);
    for (int64_t item; (item = begin(c)) >= 0;) {
        pthread_mutex_unlock(&c->lock);
        int status = c->work->work(c->work->job, item, me->index);
        if (c->spread && !status)
            status = bestdag_spread_pack(c, item);
        pthread_mutex_lock(&c->lock);
        bestdag_thread_pool_give_up(c, status);
        assert(!c->is_done[item]); /* no other thread worked on it */
        c->is_done[item] = !status;
        if (c->spread)
            bestdag_spread_finish(c, item, status);
        pthread_cond_signal(&c->finished);
    }
    assert(c->active > 0);
    c->active--;
    pthread_cond_signal(&c->finished);
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

static bool is_ready(const struct bestdag_thread_pool *c)
{
    return c->took < c->work->items && c->is_done[c->took] && !c->status;
}

bool bestdag_thread_pool_take_next(struct bestdag_thread_pool *c)
{
    const struct bestdag_work *w = c->work;
    int status = BESTDAG_OK;
    if (!is_ready(c))
        return false;
    if (w->take) {
        pthread_mutex_unlock(&c->lock);
        status = w->take(w->job, c->took);
        pthread_mutex_lock(&c->lock);
    }
    bestdag_thread_pool_give_up(c, status);
    if (status)
        return false;
    c->took++;
    assert(c->spread || (c->took <= c->next && c->next <= w->items));
    pthread_cond_broadcast(&c->taken);
    return true;
}

void bestdag_thread_pool_wait(struct bestdag_thread_pool *c, int microseconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += microseconds * 1000L;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&c->finished, &c->lock, &until);
}

void bestdag_parallel_ask(struct bestdag_run *run, void (*call)(void *),
                          void *argument)
{
    struct bestdag_thread_pool *c = own_pool;
    if (!c) {
        bestdag_communicator_call(run, call, argument);
        return;
    }
    struct bestdag_asked_call asked = {.call = call, .argument = argument};
    pthread_mutex_lock(&c->lock);
    asked.next = c->asked;
    c->asked = &asked;
    pthread_cond_signal(&c->finished);
    while (!asked.is_done)
        pthread_cond_wait(&c->answered, &c->lock);
    pthread_mutex_unlock(&c->lock);
}

/* Makes the calls that workers wait for; called with the lock, which is
 * released meanwhile. The caller may be a worker of another pool, or a
 * coroutine. */
static void answer(struct bestdag_thread_pool *c)
{
    while (c->asked) {
        struct bestdag_asked_call *asked = c->asked;
        c->asked = asked->next;
        pthread_mutex_unlock(&c->lock);
        bestdag_parallel_ask(c->run, asked->call, asked->argument);
        pthread_mutex_lock(&c->lock);
        asked->is_done = true;
        pthread_cond_broadcast(&c->answered);
    }
}

/* The caller's part: takes results, checks limits, and waits until the workers
 * have ended. */
static void watch(struct bestdag_thread_pool *c)
{
    pthread_mutex_lock(&c->lock);
    while (c->active || is_ready(c)) {
        answer(c);
        bestdag_thread_pool_take_next(c);
        pthread_mutex_unlock(&c->lock);
        bool stopped = bestdag_run_watch(c->run, c->work->before + c->took);
        pthread_mutex_lock(&c->lock);
        if (stopped)
            pthread_cond_broadcast(&c->taken);
        if (c->active && !is_ready(c) && !c->asked)
            bestdag_thread_pool_wait(c, 100000);
    }
    pthread_mutex_unlock(&c->lock);
}

static void init(struct bestdag_thread_pool *c)
{
    pthread_condattr_t clock;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->taken, NULL);
    pthread_cond_init(&c->answered, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&c->finished, &clock);
    pthread_condattr_destroy(&clock);
}

static void release(struct bestdag_thread_pool *c)
{
    pthread_cond_destroy(&c->finished);
    pthread_cond_destroy(&c->taken);
    pthread_cond_destroy(&c->answered);
    pthread_mutex_destroy(&c->lock);
    bestdag_spread_free(c->spread);
    bestdag_free(c->is_done);
}

/* Starts as many as the system allows; at least one, or an error. */
static int start(struct bestdag_thread_pool *c, struct worker *workers,
                 int threads)
{
    int started = 0;
    pthread_mutex_lock(&c->lock);
    for (; started < threads; started++) {
        workers[started] = (struct worker){.pool = c, .index = started};
        if (pthread_create(&workers[started].thread, NULL, work,
                           &workers[started]))
            break;
        c->active++;
    }
    pthread_mutex_unlock(&c->lock);
    c->threads = started;
    if (!started)
        c->status = bestdag_fail(c->run, BESTDAG_FAILED,
                                 "the system cannot start a thread");
    return started;
}

int bestdag_parallel(struct bestdag_run *run, const struct bestdag_work *w,
                     int64_t *done)
{
    struct bestdag_thread_pool c = {.run = run, .work = w};
    c.spread = bestdag_spread_new(run, w);
    int threads = bestdag_parallel_threads(run, w->items);
    if (w->threads > 0 && w->threads < threads)
        threads = w->threads;
    struct worker *workers =
        bestdag_alloc(run, (size_t)threads * sizeof *workers);
    c.is_done = bestdag_calloc(run, (size_t)w->items, sizeof *c.is_done);
    init(&c);
    if (workers && c.is_done) {
        int started = start(&c, workers, threads);
        if (c.spread)
            bestdag_spread_watch(&c);
        else
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
