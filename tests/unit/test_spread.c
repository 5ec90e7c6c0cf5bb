/* SPDX-License-Identifier: MIT */
/* Ranks without MPI: threads that send each other messages. Any number of ranks
 * takes the same results in the same order; errors and stops reach all; ranks
 * that go separate ways end. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/random.h"
#include "parallel/parallel.h"
#include "thread_ranks.h"

enum { ITEMS = 200 };

/* ---- ranks
 * ------------------------------------------------------------------- */

struct plan {
    int threads;
    int64_t fails_at; /* item whose work fails on whoever does it; -1: none */
    int64_t stops_at; /* item during which that rank is stopped; -1: none */
    int diverges;     /* rank that comes to another collective; -1: none */
    bool is_stopped_there; /* and is stopped before */
    bool is_even;
};

struct member {
    const struct plan *plan;
    struct office *office;
    int rank;
    pthread_t thread;
    struct bestdag_run *run;
    int64_t result[ITEMS]; /* 0: none */
    int64_t taken[ITEMS];  /* in the order of taking */
    int64_t takes, done;
    int works; /* items done here */
    int status, code;
    double number;
    bool decision;
};

static int work(void *job, int64_t item, int worker)
{
    struct member *m = job;
    struct timespec some = {.tv_nsec =
                                (long)(bestdag_mix((uint64_t)item) % 400000)};
    (void)worker;
    nanosleep(&some, NULL);
    if (item == m->plan->fails_at)
        return bestdag_fail(m->run, BESTDAG_MEMORY, "no room for %d",
                            (int)item);
    if (item == m->plan->stops_at)
        bestdag_run_stop(m->run);
    m->result[item] = (int64_t)(bestdag_mix((uint64_t)item + 1) | 1);
    __atomic_fetch_add(&m->works, 1, __ATOMIC_RELAXED);
    return BESTDAG_OK;
}

static int take(void *job, int64_t item)
{
    struct member *m = job;
    m->taken[m->takes++] = item;
    return BESTDAG_OK;
}

static int pass(void *job, int64_t item, struct bestdag_archive *p)
{
    struct member *m = job;
    char filler[3000] = "";
    BESTDAG_PASS(p, m->result[item]);
    bestdag_archive_pass(p, filler, (size_t)(item % 3) * 1000);
    return BESTDAG_OK;
}

static void *live(void *argument)
{
    struct member *m = argument;
    m->run = bestdag_run_new();
    m->run->threads = m->plan->threads;
    join_office(m->run, m->office, m->rank);
    m->number = bestdag_collective_number(m->run, 1, m->rank + 7.5);
    m->decision = bestdag_collective_decide(m->run, 2, m->rank == 0);
    if (m->rank == m->plan->diverges && m->plan->is_stopped_there)
        bestdag_run_stop(m->run);
    if (m->rank == m->plan->diverges)
        bestdag_collective_sync(m->run, 99);
    struct bestdag_work job = {.job = m,
                               .items = ITEMS,
                               .work = work,
                               .take = take,
                               .pass = pass,
                               .is_even = m->plan->is_even};
    m->status = bestdag_parallel(m->run, &job, &m->done);
    if (!m->status && m->done == ITEMS) { /* and once more */
        m->takes = 0;
        memset(m->result, 0, sizeof m->result);
        m->status = bestdag_parallel(m->run, &job, NULL);
    }
    m->code = bestdag_communicator_leave(m->run, m->rank ? 9 : 4);
    m->status = bestdag_run_status(m->run);
    return NULL;
}

static struct member member[MOST_RANKS];

static void run_all(int ranks, const struct plan *plan)
{
    static struct office office;
    open_office(&office, ranks);
    for (int i = 0; i < ranks; i++)
        member[i] = (struct member){.plan = plan, .office = &office, .rank = i};
    for (int i = 0; i < ranks; i++)
        pthread_create(&member[i].thread, NULL, live, &member[i]);
    for (int i = 0; i < ranks; i++)
        pthread_join(member[i].thread, NULL);
    close_office(&office);
}

static void end_all(int ranks)
{
    for (int i = 0; i < ranks; i++)
        bestdag_run_free(member[i].run);
}

/* ---- tests
 * --------------------------------------------------------------------- */

static void expect_all(int ranks)
{
    int works = 0;
    for (int r = 0; r < ranks; r++) {
        struct member *m = &member[r];
        assert_string_equal(bestdag_run_error(m->run), "");
        assert_int_equal(m->code, 4);
        assert_true(m->decision);
        assert_true(m->number == 7.5);
        assert_int_equal(m->done, ITEMS);
        for (int64_t i = 0; i < ITEMS; i++) {
            assert_int_equal(m->taken[i], i);
            assert_true(m->result[i] ==
                        (int64_t)(bestdag_mix((uint64_t)i + 1) | 1));
        }
        works += m->works;
    }
    assert_int_equal(works, 2 * ITEMS); /* each item once in each round */
}

static void any_number_of_ranks_takes_the_same(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= MOST_RANKS; ranks++)
        for (int way = 0; way < 4; way++) {
            struct plan plan = {.threads = 1 + way % 2,
                                .is_even = way > 1,
                                .fails_at = -1,
                                .stops_at = -1,
                                .diverges = -1};
            run_all(ranks, &plan);
            expect_all(ranks);
            for (int r = 0; ranks <= 2 && r < ranks; r++)
                assert_true(member[r].works > 0);
            end_all(ranks);
        }
}

static void an_error_anywhere_ends_all(void **state)
{
    (void)state;
    for (int64_t item = 0; item < ITEMS; item += 67) {
        struct plan plan = {
            .threads = 2, .fails_at = item, .stops_at = -1, .diverges = -1};
        run_all(3, &plan);
        for (int r = 0; r < 3; r++) {
            assert_int_equal(member[r].status, BESTDAG_MEMORY);
            assert_non_null(
                strstr(bestdag_run_error(member[r].run), "no room for"));
        }
        end_all(3);
    }
}

static void a_stop_anywhere_stops_all_alike(void **state)
{
    (void)state;
    for (int64_t item = 3; item < ITEMS; item += 67) {
        struct plan plan = {
            .threads = 1, .fails_at = -1, .stops_at = item, .diverges = -1};
        run_all(3, &plan);
        for (int r = 0; r < 3; r++) {
            assert_int_equal(member[r].status, BESTDAG_OK);
            assert_true(bestdag_run_stopped(member[r].run));
            assert_int_equal(member[r].done, member[0].done);
            for (int64_t i = 0; i < ITEMS; i++)
                assert_true(member[r].result[i] == member[0].result[i]);
        }
        assert_true(member[0].done < ITEMS);
        end_all(3);
    }
}

static void who_goes_another_way_is_left(void **state)
{
    (void)state;
    for (int rank = 0; rank < 3; rank++) {
        struct plan plan = {
            .threads = 1, .fails_at = -1, .stops_at = -1, .diverges = rank};
        run_all(3, &plan);
        struct member *m = &member[0];
        assert_int_equal(m->status, BESTDAG_OK);
        assert_int_equal(m->done, ITEMS); /* alone */
        assert_int_equal(m->works, 2 * ITEMS);
        assert_true(m->run->communicator->is_alone);
        for (int r = 1; r < 3; r++)
            assert_true(bestdag_run_stopped(member[r].run));
        end_all(3);
    }
}

/* A rank that a signal has led another way: rank 0 must not go on for ever. */
static void a_stop_on_another_way_reaches_rank_0(void **state)
{
    (void)state;
    for (int rank = 1; rank < 3; rank++) {
        struct plan plan = {.threads = 1,
                            .fails_at = -1,
                            .stops_at = -1,
                            .diverges = rank,
                            .is_stopped_there = true};
        run_all(3, &plan);
        assert_int_equal(member[0].status, BESTDAG_OK);
        for (int r = 0; r < 3; r++)
            assert_true(bestdag_run_stopped(member[r].run));
        end_all(3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_ranks_takes_the_same),
        cmocka_unit_test(an_error_anywhere_ends_all),
        cmocka_unit_test(a_stop_anywhere_stops_all_alike),
        cmocka_unit_test(who_goes_another_way_is_left),
        cmocka_unit_test(a_stop_on_another_way_reaches_rank_0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
