/* SPDX-License-Identifier: MIT */
/* test_coroutine.c -- functions that pause and go on. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/coroutine.h"
#include "base/run.h"

struct counter {
    struct bestdag_coroutine *coroutine;
    int from, to, now;
    pthread_t asked; /* the thread on which its request was done */
    int requests;
};

static void note_thread(void *argument)
{
    struct counter *c = argument;
    c->asked = pthread_self();
    c->requests++;
}

/* Pauses in the depth of its calls. */
static void count(struct counter *c, int depth)
{
    if (depth > 0) {
        count(c, depth - 1);
        return;
    }
    bestdag_coroutine_ask(c->coroutine, note_thread, c);
    bestdag_coroutine_pause(c->coroutine);
}

static void body(void *argument)
{
    struct counter *c = argument;
    for (c->now = c->from; c->now < c->to; c->now++)
        count(c, 5);
}

static void several_take_turns(void **state)
{
    struct bestdag_run *run = bestdag_run_new();
    struct counter c[3] = {{.to = 4}, {.from = 10, .to = 12}, {.to = 0}};
    (void)state;
    for (int i = 0; i < 3; i++) {
        c[i].coroutine = bestdag_coroutine_new(run, body, &c[i]);
        assert_non_null(c[i].coroutine);
    }
    assert_int_equal(c[0].now, 0);
    for (int turn = 0; turn < 2; turn++)
        for (int i = 0; i < 2; i++) {
            assert_true(bestdag_coroutine_resume(c[i].coroutine));
            assert_int_equal(c[i].now, c[i].from + turn);
            assert_int_equal(c[i].requests, turn + 1);
            assert_true(pthread_equal(c[i].asked, pthread_self()));
        }
    assert_false(bestdag_coroutine_resume(c[1].coroutine));
    assert_false(bestdag_coroutine_resume(c[2].coroutine));
    while (bestdag_coroutine_resume(c[0].coroutine))
        ;
    assert_int_equal(c[0].now, 4);
    assert_int_equal(c[0].requests, 4);
    for (int i = 0; i < 3; i++)
        bestdag_coroutine_free(c[i].coroutine);
    bestdag_run_free(run);
}

static void one_that_was_never_resumed_is_freed(void **state)
{
    struct bestdag_run *run = bestdag_run_new();
    struct counter c = {.to = 1, .now = -1};
    (void)state;
    bestdag_coroutine_free(bestdag_coroutine_new(run, body, &c));
    bestdag_coroutine_free(NULL);
    assert_int_equal(c.now, -1);
    bestdag_memory_fail_at(run, 1);
    assert_null(bestdag_coroutine_new(run, body, &c));
    assert_int_equal(bestdag_run_status(run), BESTDAG_MEMORY);
    bestdag_run_free(run);
}

/* A callback, and a request to stop in it. */
static int stop_at_note(void *user, const struct bestdag_progress *now)
{
    struct counter *c = user;
    note_thread(c);
    return now->note && !strcmp(now->note, "stop");
}

static void notes(void *argument)
{
    struct bestdag_run *slice = argument;
    bestdag_note(slice, 0, "go on");
    bestdag_coroutine_pause(slice->inside);
    bestdag_note(slice, 0, "stop");
}

static void callbacks_come_on_the_calling_thread(void **state)
{
    struct bestdag_run *run = bestdag_run_new();
    struct counter c = {0};
    (void)state;
    bestdag_run_on_progress(run, stop_at_note, &c);
    struct bestdag_run *slice =
        bestdag_run_slice(run, (struct bestdag_slice_limits){.reports = true});
    slice->inside = bestdag_coroutine_new(run, notes, slice);
    assert_true(bestdag_coroutine_resume(slice->inside));
    assert_int_equal(c.requests, 1);
    assert_true(pthread_equal(c.asked, pthread_self()));
    assert_false(bestdag_run_stopped(run));
    assert_false(bestdag_coroutine_resume(slice->inside));
    assert_int_equal(c.requests, 2);
    assert_true(pthread_equal(c.asked, pthread_self()));
    assert_true(bestdag_run_stopped(run));
    bestdag_coroutine_free(slice->inside);
    bestdag_run_join(slice);
    bestdag_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_take_turns),
        cmocka_unit_test(one_that_was_never_resumed_is_freed),
        cmocka_unit_test(callbacks_come_on_the_calling_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
