/* SPDX-License-Identifier: MIT */
/* test_parallel.c -- items in, results taken in order, by any number of
 * threads. */
#include "scratch.h"

#include <sched.h>

#include "parallel/parallel.h"

enum { MOST = 5000 };

struct job {
    struct bestdag_run *run;
    uint64_t result[MOST];
    uint64_t taken; /* a hash of what was taken, in order */
    int64_t next;   /* the item that must be taken next */
    int64_t fails_at, take_fails_at, stops_at; /* -1: never */
    bool records; /* a failing worker reports to the run */
    _Atomic int64_t begun;
    int64_t window;
    bool to_the_end;
    int threads;
    bool bad;
};

static int work(void *argument, int64_t item, int worker)
{
    struct job *j = argument;
    if (worker < 0 || worker >= j->threads)
        j->bad = true;
    atomic_fetch_add(&j->begun, 1);
    for (uint64_t i = bestdag_mix((uint64_t)item) % 20; i; i--)
        sched_yield(); /* some take longer */
    j->result[item] = bestdag_mix((uint64_t)item);
    if (item == j->stops_at)
        bestdag_run_stop(j->run);
    if (item != j->fails_at)
        return BESTDAG_OK;
    if (j->records)
        bestdag_fail(j->run, BESTDAG_INPUT, "item %lld", (long long)item);
    return BESTDAG_INPUT;
}

static int take(void *argument, int64_t item)
{
    struct job *j = argument;
    if (item != j->next++ || j->result[item] != bestdag_mix((uint64_t)item))
        j->bad = true;
    /* next - 1 items are taken, this one is on its way */
    if (j->window && atomic_load(&j->begun) - (j->next - 1) > j->window)
        j->bad = true;
    j->taken = bestdag_mix(j->taken ^ j->result[item]);
    return item == j->take_fails_at
               ? bestdag_fail(j->run, BESTDAG_FAILED, "cannot take")
               : BESTDAG_OK;
}

static struct job *job_new(int threads)
{
    struct job *j = calloc(1, sizeof *j);
    char text[16];
    j->run = bestdag_run_new();
    j->fails_at = j->take_fails_at = j->stops_at = -1;
    j->threads = threads;
    snprintf(text, sizeof text, "%d", threads);
    assert_int_equal(bestdag_run_set(j->run, "threads", text), BESTDAG_OK);
    return j;
}

static int go(struct job *j, int64_t items, int64_t *done)
{
    struct bestdag_work w = {.job = j,
                             .items = items,
                             .work = work,
                             .take = take,
                             .window = j->window,
                             .to_the_end = j->to_the_end};
    int status = bestdag_parallel(j->run, &w, done);
    assert_false(j->bad);
    return status;
}

static void job_end(struct job *j)
{
    scratch_end(j->run);
    free(j);
}

static void any_number_of_threads_gives_the_same(void **state)
{
    (void)state;
    static const int64_t windows[] = {0, 1, 2, 7, 100};
    uint64_t expected = 0;
    for (uint64_t i = 0; i < 700; i++)
        expected = bestdag_mix(expected ^ bestdag_mix(i));
    for (int threads = 1; threads <= 8; threads++)
        for (int w = 0; w < COUNT(windows); w++) {
            struct job *j = job_new(threads);
            int64_t done;
            j->window = windows[w];
            assert_int_equal(go(j, 700, &done), BESTDAG_OK);
            assert_int_equal(done, 700);
            assert_true(j->taken == expected);
            job_end(j);
        }
}

static void few_items_need_few_threads(void **state)
{
    (void)state;
    struct job *j = job_new(8);
    assert_int_equal(bestdag_parallel_threads(j->run, 3), 3);
    assert_int_equal(bestdag_parallel_threads(j->run, 100), 8);
    assert_int_equal(bestdag_parallel_threads(j->run, 0), 1);
    for (int64_t items = 0; items < 10; items++) {
        int64_t done = -1;
        j->next = 0;
        assert_int_equal(go(j, items, &done), BESTDAG_OK);
        assert_int_equal(done, items);
    }
    job_end(j);
}

static void items_need_not_be_taken(void **state)
{
    (void)state;
    struct job *j = job_new(3);
    struct bestdag_work w = {.job = j, .items = 500, .work = work, .window = 4};
    int64_t done;
    assert_int_equal(bestdag_parallel(j->run, &w, &done), BESTDAG_OK);
    assert_int_equal(done, 500);
    for (uint64_t i = 0; i < 500; i++)
        assert_true(j->result[i] == bestdag_mix(i));
    assert_int_equal(bestdag_parallel(j->run, &w, NULL), BESTDAG_OK);
    job_end(j);
}

/* Once more with a worker that only returns its status: those who wait for the
 * window must wake nevertheless. */
static void an_error_in_the_work_ends_all(void **state)
{
    (void)state;
    for (int round = 0; round < 60; round++) {
        struct job *j = job_new(1 + round % 5);
        int64_t done;
        j->fails_at = round * 3;
        j->records = round % 2;
        j->window = round % 4;
        assert_int_equal(go(j, MOST, &done), BESTDAG_INPUT);
        assert_true(done <= j->fails_at);
        assert_true(j->begun < MOST);
        assert_int_equal(bestdag_run_status(j->run),
                         j->records ? BESTDAG_INPUT : BESTDAG_OK);
        job_end(j);
    }
}

static void an_error_in_the_taking_ends_all(void **state)
{
    (void)state;
    for (int round = 0; round < 40; round++) {
        struct job *j = job_new(1 + round % 5);
        int64_t done;
        j->take_fails_at = round * 5;
        j->window = 1 + round % 7;
        assert_int_equal(go(j, MOST, &done), BESTDAG_FAILED);
        assert_int_equal(done, j->take_fails_at); /* it was not taken */
        assert_true(j->begun < MOST);
        assert_failed(j->run, BESTDAG_FAILED, "cannot take");
        job_end(j);
    }
}

static void a_stop_ends_all_without_an_error(void **state)
{
    (void)state;
    for (int round = 0; round < 40; round++) {
        struct job *j = job_new(1 + round % 5);
        int64_t done;
        j->stops_at = round * 7;
        j->window = round % 3 ? 5 : 0;
        assert_int_equal(go(j, MOST, &done), BESTDAG_OK);
        assert_int_equal(done, j->next);
        assert_true(done < MOST);
        job_end(j);
    }
}

static void what_must_be_done_is_done_by_a_stopped_run(void **state)
{
    (void)state;
    for (int round = 0; round < 20; round++) {
        struct job *j = job_new(1 + round % 5);
        int64_t done;
        j->to_the_end = true;
        j->window = round % 3 ? 5 : 0;
        j->stops_at = round * 7;
        if (round % 2)
            bestdag_run_stop(j->run);
        assert_int_equal(go(j, 500, &done), BESTDAG_OK);
        assert_int_equal(done, 500);
        bestdag_fail(j->run, BESTDAG_USAGE, "before");
        assert_int_equal(go(j, 500, &done), BESTDAG_USAGE);
        assert_int_equal(j->begun, 500);
        job_end(j);
    }
}

static int stop_later(void *user, const struct bestdag_progress *now)
{
    (void)now;
    return ++*(int *)user >= 2;
}

static int work_for_ever(void *argument, int64_t item, int worker)
{
    (void)worker;
    (void)item;
    struct job *j = argument;
    while (!bestdag_run_stopped(j->run))
        sched_yield();
    return BESTDAG_OK;
}

static void the_calling_thread_watches(void **state)
{
    (void)state;
    struct job *j = job_new(3);
    int calls = 0;
    struct bestdag_work w = {.job = j, .items = 100, .work = work_for_ever};
    bestdag_run_on_progress(j->run, stop_later, &calls);
    assert_int_equal(bestdag_parallel(j->run, &w, NULL), BESTDAG_OK);
    assert_true(calls >= 2); /* more while workers end, on a busy machine */
    assert_true(bestdag_run_stopped(j->run));
    job_end(j);
}

static int take_slowly(void *argument, int64_t item)
{
    struct job *j = argument;
    j->next = item + 1;
    if (item == 20)
        j->run->deadline = 1; /* long ago */
    return BESTDAG_OK;
}

static void a_deadline_is_seen_while_results_pile_up(void **state)
{
    (void)state;
    struct job *j = job_new(2);
    struct bestdag_work w = {.job = j,
                             .items = MOST,
                             .work = work,
                             .take = take_slowly,
                             .window = 9};
    int64_t done;
    assert_int_equal(bestdag_parallel(j->run, &w, &done), BESTDAG_OK);
    assert_in_range(done, 21, 40);
    job_end(j);
}

static void a_failed_or_stopped_run_begins_nothing(void **state)
{
    (void)state;
    struct job *j = job_new(3);
    int64_t done;
    bestdag_run_stop(j->run);
    assert_int_equal(go(j, 100, &done), BESTDAG_OK);
    assert_int_equal(done, 0);
    bestdag_fail(j->run, BESTDAG_USAGE, "before");
    assert_int_equal(go(j, 100, &done), BESTDAG_USAGE);
    assert_int_equal(j->begun, 0);
    job_end(j);
}

static void allocation_failures_are_survived(void **state)
{
    (void)state;
    for (int n = 1; n <= 3; n++) {
        struct job *j = job_new(3);
        int64_t done;
        bestdag_memory_fail_at(j->run, n);
        int status = go(j, 100, &done);
        assert_int_equal(status, n <= 2 ? BESTDAG_MEMORY : BESTDAG_OK);
        assert_int_equal(done, n <= 2 ? 0 : 100);
        job_end(j);
    }
}

static int nested_take(void *argument, int64_t item)
{
    (void)item;
    struct job *inner = job_new(2);
    int64_t done;
    int status = go(inner, 50, &done);
    *(int64_t *)argument += done;
    job_end(inner);
    return status;
}

static int no_work(void *argument, int64_t item, int worker)
{
    (void)argument;
    (void)item;
    (void)worker;
    return BESTDAG_OK;
}

static void crews_can_be_nested(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    int64_t sum = 0;
    struct bestdag_work w = {
        .job = &sum, .items = 10, .work = no_work, .take = nested_take};
    assert_int_equal(bestdag_parallel(run, &w, NULL), BESTDAG_OK);
    assert_int_equal(sum, 500);
    scratch_end(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_threads_gives_the_same),
        cmocka_unit_test(few_items_need_few_threads),
        cmocka_unit_test(items_need_not_be_taken),
        cmocka_unit_test(an_error_in_the_work_ends_all),
        cmocka_unit_test(an_error_in_the_taking_ends_all),
        cmocka_unit_test(a_stop_ends_all_without_an_error),
        cmocka_unit_test(what_must_be_done_is_done_by_a_stopped_run),
        cmocka_unit_test(the_calling_thread_watches),
        cmocka_unit_test(a_deadline_is_seen_while_results_pile_up),
        cmocka_unit_test(a_failed_or_stopped_run_begins_nothing),
        cmocka_unit_test(allocation_failures_are_survived),
        cmocka_unit_test(crews_can_be_nested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
