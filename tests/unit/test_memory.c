/* SPDX-License-Identifier: MIT */
/* test_memory.c -- the budget holds, refunds, and outlives its run. */
#include "scratch.h"

#include <pthread.h>
#include <sys/resource.h>

static void blocks_are_aligned_and_counted(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    assert_int_equal(bestdag_memory_used(run), 0);
    for (size_t n = 0; n < 100; n++) {
        char *p = bestdag_alloc(run, n);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
        memset(p, 1, n);
        assert_true(bestdag_memory_used(run) >= (int64_t)n);
        bestdag_free(p);
        assert_int_equal(bestdag_memory_used(run), 0);
    }
    assert_true(bestdag_memory_peak(run) >= 99);
    bestdag_free(NULL);
    scratch_end(run);
}

static void calloc_gives_zeros_and_refuses_overflow(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    char *dirty = bestdag_alloc(run, 5000);
    memset(dirty, 1, 5000);
    bestdag_free(dirty);
    char *p = bestdag_calloc(run, 50, 100);
    for (int i = 0; i < 5000; i++)
        assert_int_equal(p[i], 0);
    bestdag_free(p);
    assert_null(bestdag_calloc(run, SIZE_MAX / 2, 3));
    assert_failed(run, BESTDAG_MEMORY, "out of memory");
    assert_null(bestdag_alloc(run, SIZE_MAX));
    assert_false(strchr(bestdag_run_error(run), '-'));
    assert_failed(run, BESTDAG_MEMORY, "out of memory");
    assert_null(bestdag_alloc(run, SIZE_MAX / 4));
    assert_failed(run, BESTDAG_MEMORY, "out of memory");
    scratch_end(run);
}

static void realloc_keeps_the_contents(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    char *p = NULL;
    for (int n = 1; n < 3000; n += 37) {
        p = bestdag_realloc(run, p, (size_t)n);
        for (int i = 0; i < n - 37; i++)
            assert_int_equal(p[i], (char)i);
        for (int i = 0; i < n; i++)
            p[i] = (char)i;
    }
    int64_t large = bestdag_memory_used(run);
    p = bestdag_realloc(run, p, 10);
    assert_true(bestdag_memory_used(run) < large);
    assert_int_equal(p[9], 9);
    bestdag_free(p);
    scratch_end(run);
}

static void a_failed_realloc_leaves_the_block(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    assert_int_equal(bestdag_run_set(run, "memory-limit", "1000"), BESTDAG_OK);
    char *p = bestdag_alloc(run, 500);
    strcpy(p, "here");
    int64_t used = bestdag_memory_used(run);
    assert_null(bestdag_realloc(run, p, 2000));
    assert_int_equal(bestdag_memory_used(run), used);
    assert_string_equal(p, "here");
    assert_failed(run, BESTDAG_MEMORY, "limit 1000 bytes");
    p = bestdag_realloc(run, p, 600); /* fits */
    assert_string_equal(p, "here");
    bestdag_free(p);
    scratch_end(run);
}

static void the_limit_holds(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    void *block[1000];
    int count = 0;
    assert_int_equal(bestdag_run_set(run, "memory-limit", "64K"), BESTDAG_OK);
    while (count < 1000 && (block[count] = bestdag_alloc(run, 1000)))
        count++;
    assert_in_range(count, 60, 65);
    assert_true(bestdag_memory_used(run) <= 65536);
    assert_true(bestdag_memory_peak(run) <= 65536);
    assert_failed(run, BESTDAG_MEMORY, "limit 64.0 KB");
    while (count)
        bestdag_free(block[--count]);
    void *p = bestdag_alloc(run, 60000);
    assert_non_null(p);
    bestdag_free(p);
    scratch_end(run);
}

static void many_small_blocks_are_not_free_of_charge(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    char *text[1000];
    for (int i = 0; i < 1000; i++)
        text[i] = bestdag_strdup(run, "a");
    assert_true(bestdag_memory_used(run) >= 16 * 1000);
    for (int i = 0; i < 1000; i++)
        bestdag_free(text[i]);
    scratch_end(run);
}

static void the_peak_is_the_most_in_use(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    void *a = bestdag_alloc(run, 1000), *b = bestdag_alloc(run, 2000);
    int64_t peak = bestdag_memory_used(run);
    bestdag_free(a);
    a = bestdag_alloc(run, 10);
    assert_int_equal(bestdag_memory_peak(run), peak);
    assert_int_equal(bestdag_run_set(run, "memory-limit", "5000"), BESTDAG_OK);
    assert_null(bestdag_alloc(run, 100000));
    assert_int_equal(bestdag_memory_peak(run), peak);
    bestdag_free(a);
    bestdag_free(b);
    scratch_end(run);
}

static void slices_charge_the_outer_budgets(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    assert_int_equal(bestdag_run_set(run, "memory-limit", "10000"), BESTDAG_OK);
    struct bestdag_run *slice =
        bestdag_run_slice(run, (struct bestdag_slice_limits){.bytes = 8000});
    struct bestdag_run *inner =
        bestdag_run_slice(slice, (struct bestdag_slice_limits){0});
    void *p = bestdag_alloc(inner, 5000);
    int64_t used = bestdag_memory_used(inner);
    assert_true(used >= 5000);
    assert_int_equal(bestdag_memory_used(slice), used);
    assert_int_equal(bestdag_memory_used(run), used);
    assert_int_equal(bestdag_memory_limit(inner), 8000);

    assert_null(bestdag_alloc(inner, 4000)); /* more than the slice may */
    assert_failed(inner, BESTDAG_MEMORY, "limit 7.8 KB");
    assert_int_equal(bestdag_memory_used(inner), used);
    assert_int_equal(bestdag_memory_used(run), used);

    void *q = bestdag_alloc(run, 4000);
    assert_non_null(q);
    int64_t both = bestdag_memory_used(run);
    assert_null(bestdag_alloc(inner, 2000)); /* more than the whole may */
    assert_failed(inner, BESTDAG_MEMORY, "limit 9.8 KB");
    assert_int_equal(bestdag_memory_used(inner), used);
    assert_int_equal(bestdag_memory_used(run), both);
    bestdag_free(p);
    bestdag_free(q);
    assert_int_equal(bestdag_run_join(inner), BESTDAG_OK);
    assert_int_equal(bestdag_run_join(slice), BESTDAG_OK);
    scratch_end(run);
}

static void blocks_outlive_slice_and_run(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_run *slice =
        bestdag_run_slice(run, (struct bestdag_slice_limits){0});
    char *a = bestdag_strdup(slice, "of the slice");
    char *b = bestdag_strdup(run, "of the run");
    assert_int_equal(bestdag_run_join(slice), BESTDAG_OK);
    assert_true(bestdag_memory_used(run) > 0);
    bestdag_run_free(run);
    assert_string_equal(a, "of the slice");
    assert_string_equal(b, "of the run");
    struct bestdag_run *other = bestdag_run_new();
    a = bestdag_realloc(other, a, 1000); /* still the old budget's */
    assert_string_equal(a, "of the slice");
    assert_int_equal(bestdag_memory_used(other), 0);
    bestdag_free(a);
    bestdag_free(b);
    scratch_end(other);
}

static void the_nth_allocation_fails(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    for (int n = 1; n <= 5; n++) {
        void *block[6];
        bestdag_memory_fail_at(run, n);
        for (int i = 1; i <= 5; i++) {
            block[i] = bestdag_alloc(run, 8);
            assert_int_equal(block[i] == NULL, i == n);
        }
        assert_failed(run, BESTDAG_MEMORY, "out of memory");
        for (int i = 1; i <= 5; i++)
            bestdag_free(block[i]);
    }
    bestdag_memory_fail_at(run, 0);
    void *p = bestdag_alloc(run, 1);
    bestdag_memory_fail_at(run, 2);
    p = bestdag_realloc(run, p, 2);
    assert_null(bestdag_realloc(run, p, 3));
    assert_failed(run, BESTDAG_MEMORY, "out of memory");
    bestdag_free(p);
    scratch_end(run);
}

static void allocations_in_slices_count_down_too(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_run *slice =
        bestdag_run_slice(run, (struct bestdag_slice_limits){0});
    bestdag_memory_fail_at(run, 2);
    void *p = bestdag_alloc(slice, 1);
    assert_non_null(p);
    assert_null(bestdag_alloc(slice, 1));
    assert_int_equal(bestdag_run_join(slice), BESTDAG_MEMORY);
    assert_failed(run, BESTDAG_MEMORY, "out of memory");
    bestdag_free(p);
    scratch_end(run);
}

static void reserve_tells_before_it_is_too_late(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    int64_t physical = bestdag_memory_physical(); /* there is no limit */
    assert_int_equal(bestdag_reserve(run, physical, "a table"), BESTDAG_OK);
    if (physical) {
        assert_int_equal(bestdag_reserve(run, physical + 1, "a table"),
                         BESTDAG_MEMORY);
        assert_failed(run, BESTDAG_MEMORY, "; the machine has ");
        bestdag_run_set(run, "memory-limit", "8000000G");
        assert_int_equal(bestdag_reserve(run, physical + 1, "a table"),
                         BESTDAG_OK);
    }
    assert_int_equal(bestdag_reserve(run, -1, "a table"), BESTDAG_MEMORY);
    assert_failed(run, BESTDAG_MEMORY, "a table needs more than any machine");
    assert_int_equal(bestdag_run_set(run, "memory-limit", "1M"), BESTDAG_OK);
    assert_int_equal(bestdag_reserve(run, 1 << 20, "a table"), BESTDAG_OK);
    assert_int_equal(bestdag_reserve(run, (1 << 20) + 1, "a table"),
                     BESTDAG_MEMORY);
    assert_failed(run, BESTDAG_MEMORY,
                  "a table needs 1.0 MB; 0 bytes in use, "
                  "limit 1.0 MB");
    struct bestdag_run *slice =
        bestdag_run_slice(run, (struct bestdag_slice_limits){.bytes = 1000});
    assert_int_equal(bestdag_reserve(slice, 2000, "x"), BESTDAG_MEMORY);
    assert_int_equal(bestdag_run_join(slice), BESTDAG_MEMORY);
    scratch_end(run);
}

static void copies_of_text_end_in_zero(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    char *a = bestdag_strdup(run, ""), *b = bestdag_strndup(run, "abcdef", 3);
    assert_string_equal(a, "");
    assert_string_equal(b, "abc");
    bestdag_free(a);
    bestdag_free(b);
    scratch_end(run);
}

/* ---- threads ------------------------------------------------------------- */

static void *churn(void *argument)
{
    struct bestdag_run *run = argument;
    void *block[16] = {0};
    for (int i = 0; i < 20000; i++) {
        bestdag_free(block[i % 16]);
        block[i % 16] = bestdag_alloc(run, (size_t)(i * 31 % 200));
    }
    for (int i = 0; i < 16; i++)
        bestdag_free(block[i]);
    return NULL;
}

static void threads_leave_the_books_balanced(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_run *slice =
        bestdag_run_slice(run, (struct bestdag_slice_limits){0});
    pthread_t thread[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&thread[i], NULL, churn, i % 2 ? run : slice);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    assert_int_equal(bestdag_memory_used(slice), 0);
    assert_true(bestdag_memory_peak(run) > 0);
    assert_int_equal(bestdag_run_join(slice), BESTDAG_OK);
    scratch_end(run);
}

static void *ask_for_too_much(void *argument)
{
    for (int i = 0; i < 20000; i++) {
        void *p = bestdag_alloc(argument, 1 << 20);
        if (p)
            return p;
        bestdag_run_clear(argument);
    }
    return NULL;
}

static void a_refused_request_hurts_nobody_else(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    assert_int_equal(bestdag_run_set(run, "memory-limit", "64K"), BESTDAG_OK);
    struct bestdag_run *greedy =
        bestdag_run_slice(run, (struct bestdag_slice_limits){0});
    struct bestdag_run *modest =
        bestdag_run_slice(run, (struct bestdag_slice_limits){0});
    pthread_t thread;
    void *given;
    pthread_create(&thread, NULL, ask_for_too_much, greedy);
    churn(modest);
    pthread_join(thread, &given);
    assert_null(given);
    assert_fine(modest);
    assert_int_equal(bestdag_run_join(greedy), BESTDAG_OK);
    assert_int_equal(bestdag_run_join(modest), BESTDAG_OK);
    scratch_end(run);
}

/* In 64 MB no more than 58 are for blocks, and blocks that are freed in between
 * others do not raise what the process has above the limit. */
static void a_process_keeps_to_its_limit(void **state)
{
    (void)state;
    enum { BLOCKS = 1 << 20, LIMIT = 64 << 20 };
    struct rusage usage;
    struct bestdag_run *run = bestdag_run_new();
    void **block = calloc(BLOCKS, sizeof *block);
    bestdag_run_own_process(run);
    assert_int_equal(bestdag_run_set(run, "memory-limit", "64M"), BESTDAG_OK);
    assert_int_equal(bestdag_memory_used(run), 4 << 20);
    for (int i = 0; i < BLOCKS && !bestdag_run_status(run); i++) {
        block[i] = bestdag_calloc(run, 1, 100);
        if (block[i])
            memset(block[i], 1, 100);
    }
    assert_int_equal(bestdag_run_status(run), BESTDAG_MEMORY);
    assert_true(bestdag_memory_used(run) <= LIMIT);
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    assert_true(bestdag_memory_peak(run) >= usage.ru_maxrss * (int64_t)1024);
    for (int i = 0; i < BLOCKS; i++)
        bestdag_free(block[i]);
    free(block);
    assert_int_equal(bestdag_memory_used(run), 4 << 20); /* what is kept */
    bestdag_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_aligned_and_counted),
        cmocka_unit_test(calloc_gives_zeros_and_refuses_overflow),
        cmocka_unit_test(realloc_keeps_the_contents),
        cmocka_unit_test(a_failed_realloc_leaves_the_block),
        cmocka_unit_test(the_limit_holds),
        cmocka_unit_test(many_small_blocks_are_not_free_of_charge),
        cmocka_unit_test(the_peak_is_the_most_in_use),
        cmocka_unit_test(slices_charge_the_outer_budgets),
        cmocka_unit_test(blocks_outlive_slice_and_run),
        cmocka_unit_test(the_nth_allocation_fails),
        cmocka_unit_test(allocations_in_slices_count_down_too),
        cmocka_unit_test(reserve_tells_before_it_is_too_late),
        cmocka_unit_test(copies_of_text_end_in_zero),
        cmocka_unit_test(threads_leave_the_books_balanced),
        cmocka_unit_test(a_refused_request_hurts_nobody_else),
        cmocka_unit_test(a_process_keeps_to_its_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
