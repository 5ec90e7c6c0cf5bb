/* SPDX-License-Identifier: MIT */
/* coroutine.c -- two threads, of which one waits. */
#include "base/coroutine.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "base/run.h"

/* Stack of the thread: as large as that of most main threads. */
enum { STACK_BYTES = 8 << 20 };

struct bestdag_coroutine {
    struct bestdag_run *run;
    void (*body)(void *argument);
    void *argument;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    enum { FRESH, RUNS, PAUSED, ASKS, RETURNED } state;
    void (*call)(void *); /* that it asks for */
    void *call_argument;
};

struct bestdag_coroutine *bestdag_coroutine_new(struct bestdag_run *run,
                                                void (*body)(void *argument),
                                                void *argument)
{
    struct bestdag_coroutine *c = bestdag_calloc(run, 1, sizeof *c);
    if (!c)
        return NULL;
    c->run = run;
    c->body = body;
    c->argument = argument;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->changed, NULL);
    return c;
}

/* Inside: passes control to the caller, and waits until it is resumed. */
static void switch_to_caller(struct bestdag_coroutine *c, int state)
{
    pthread_mutex_lock(&c->lock);
    assert(c->state == RUNS);
    c->state = state;
    pthread_cond_broadcast(&c->changed);
    while (state != RETURNED && c->state != RUNS)
        pthread_cond_wait(&c->changed, &c->lock);
    pthread_mutex_unlock(&c->lock);
}

static void *begin(void *argument)
{
    struct bestdag_coroutine *c = argument;
    c->body(c->argument);
    switch_to_caller(c, RETURNED);
    return NULL;
}

static bool start_thread(struct bestdag_coroutine *c)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    int failed = pthread_create(&c->thread, &attributes, begin, c);
    pthread_attr_destroy(&attributes);
    if (failed)
        bestdag_fail(c->run, BESTDAG_FAILED, "cannot start a thread: %s",
                     strerror(failed));
    return !failed;
}

/* Runs the body until it passes control back. */
static int switch_to_body(struct bestdag_coroutine *c)
{
    pthread_mutex_lock(&c->lock);
    bool is_fresh = c->state == FRESH;
    c->state = RUNS;
    if (is_fresh && !start_thread(c))
        c->state = FRESH;
    pthread_cond_broadcast(&c->changed);
    while (c->state == RUNS)
        pthread_cond_wait(&c->changed, &c->lock);
    int state = c->state;
    pthread_mutex_unlock(&c->lock);
    return state;
}

bool bestdag_coroutine_resume(struct bestdag_coroutine *c)
{
    int state;
    assert(c->state == FRESH || c->state == PAUSED);
    while ((state = switch_to_body(c)) == ASKS)
        c->call(c->call_argument);
    return state == PAUSED;
}

void bestdag_coroutine_pause(struct bestdag_coroutine *c)
{
    switch_to_caller(c, PAUSED);
}

void bestdag_coroutine_ask(struct bestdag_coroutine *c, void (*call)(void *),
                           void *argument)
{
    c->call = call;
    c->call_argument = argument;
    switch_to_caller(c, ASKS);
}

void bestdag_coroutine_free(struct bestdag_coroutine *c)
{
    if (!c)
        return;
    assert(c->state == FRESH || c->state == RETURNED);
    if (c->state == RETURNED)
        pthread_join(c->thread, NULL);
    pthread_cond_destroy(&c->changed);
    pthread_mutex_destroy(&c->lock);
    bestdag_free(c);
}
