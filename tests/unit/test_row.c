/* SPDX-License-Identifier: MIT */
/* test_row.c -- rows of bits against arrays of bool. */
#include "scratch.h"

#include "base/row.h"

static void rows_take_whole_words(void **state)
{
    (void)state;
    assert_int_equal(bestdag_row_words(0), 0);
    assert_int_equal(bestdag_row_words(1), 1);
    assert_int_equal(bestdag_row_words(64), 1);
    assert_int_equal(bestdag_row_words(65), 2);
    assert_int_equal(bestdag_row_words(10000), 157);
}

static void check_equal(const uint64_t *row, const bool *set, int n)
{
    size_t words = bestdag_row_words(n);
    int count = 0, next = -1;
    for (int i = n - 1; i >= 0; i--) {
        assert_int_equal(bestdag_row_has(row, i), set[i]);
        count += set[i];
        if (set[i])
            next = i;
        assert_int_equal(bestdag_row_next(row, words, i), next);
    }
    assert_int_equal(bestdag_row_count(row, words), count);
    assert_int_equal(bestdag_row_next(row, words, (int)words * 64), -1);
}

static void rows_behave_as_arrays_of_bool(void **state)
{
    (void)state;
    struct bestdag_random r = bestdag_random_init(8, 0);
    print_message("seed 8\n");
    for (int round = 0; round < 200; round++) {
        int n = 1 + (int)bestdag_random_below(&r, 200);
        uint64_t row[4] = {0}, other[4] = {0};
        bool set[200] = {false};
        int steps = (int)bestdag_random_below(&r, 300);
        for (int i = 0; i < steps; i++) {
            int k = (int)bestdag_random_below(&r, (uint64_t)n);
            bool add = bestdag_random_below(&r, 3) > 0;
            if (add)
                bestdag_row_add(row, k);
            else
                bestdag_row_drop(row, k);
            set[k] = add;
        }
        check_equal(row, set, n);
        for (int i = 0; i < n / 3; i++) {
            int k = (int)bestdag_random_below(&r, (uint64_t)n);
            bestdag_row_add(other, k);
            set[k] = true;
        }
        bestdag_row_join(row, other, bestdag_row_words(n));
        check_equal(row, set, n);
    }
}

static void an_empty_row_has_no_members(void **state)
{
    (void)state;
    uint64_t row[2] = {0, 0};
    assert_int_equal(bestdag_row_next(row, 2, 0), -1);
    assert_int_equal(bestdag_row_next(row, 0, 0), -1);
    assert_int_equal(bestdag_row_count(row, 2), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_take_whole_words),
        cmocka_unit_test(rows_behave_as_arrays_of_bool),
        cmocka_unit_test(an_empty_row_has_no_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
