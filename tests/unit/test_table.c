/* SPDX-License-Identifier: MIT */
/* test_table.c -- building tables and looking at them. */
#include "scratch.h"

#include <math.h>

#include "data/table.h"

static void codes_of_every_width_are_kept(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = bestdag_table_new(run, 4);
    int8_t one[] = {0, -1, 2, 1};
    int16_t two[] = {299, -1, 0, 1};
    int32_t four[] = {0, 1, 1, -1};
    int64_t eight[] = {3, 2, 1, 0};
    static const char *const labels[] = {"low", "mid", "high"};
    bestdag_table_add_codes(run, t, "one", one, 1, 3, labels);
    bestdag_table_add_codes(run, t, "two", two, 2, 300, NULL);
    bestdag_table_add_codes(run, t, "four", four, 4, 2, NULL);
    bestdag_table_add_codes(run, t, "eight", eight, 8, 4, NULL);
    assert_fine(run);
    assert_int_equal(bestdag_table_columns(t), 4);
    assert_int_equal(bestdag_table_rows(t), 4);
    assert_int_equal(t->column[0].bytes, 1);
    assert_int_equal(t->column[1].bytes, 2);
    int got[4];
    for (int c = 0; c < 4; c++) {
        assert_int_equal(bestdag_table_codes(t, c, 0, 4, got), 4);
        for (int r = 0; r < 4; r++) {
            int expected = c == 0   ? one[r]
                           : c == 1 ? two[r]
                           : c == 2 ? four[r]
                                    : (int)eight[r];
            assert_int_equal(got[r], expected);
        }
    }
    assert_string_equal(bestdag_table_label(t, 0, 2), "high");
    assert_string_equal(bestdag_table_label(t, 1, 299), "299");
    assert_int_equal(bestdag_table_missing(t), 3);
    assert_int_equal(t->column[0].missing, 1);
    bestdag_table_free(t);
    scratch_end(run);
}

/* 255 states are the most that one byte holds beside "missing". */
static void one_byte_is_enough_up_to_255_states(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    static const int states[] = {1, 254, 255, 256, 257, BESTDAG_MOST_STATES};
    for (int i = 0; i < COUNT(states); i++) {
        struct bestdag_table *t = bestdag_table_new(run, 3);
        int codes[] = {states[i] - 1, -1, 0}, got[3];
        bestdag_table_add_codes(run, t, "x", codes, 4, states[i], NULL);
        assert_fine(run);
        assert_int_equal(t->column[0].bytes, states[i] <= 255 ? 1 : 2);
        assert_int_equal(bestdag_table_codes(t, 0, 0, 3, got), 3);
        assert_memory_equal(got, codes, sizeof codes);
        bestdag_table_free(t);
    }
    scratch_end(run);
}

static void numbers_are_kept_and_nan_is_missing(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = bestdag_table_new(run, 3);
    double values[] = {1.5, NAN, -2}, got[5];
    assert_int_equal(bestdag_table_add_numbers(run, t, "x", values), 0);
    assert_int_equal(bestdag_table_states(t, 0), 0);
    assert_int_equal(t->column[0].missing, 1);
    assert_int_equal(bestdag_table_numbers(t, 0, 0, 5, got), 3);
    assert_true(got[0] == 1.5 && isnan(got[1]) && got[2] == -2);
    assert_int_equal(bestdag_table_numbers(t, 0, 2, 5, got), 1);
    assert_true(got[0] == -2);
    assert_int_equal(bestdag_table_codes(t, 0, 0, 3, (int[3]){0}), 0);
    bestdag_table_free(t);
    scratch_end(run);
}

static void what_is_wrong_is_refused_and_leaves_the_table(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = bestdag_table_new(run, 2);
    int codes[] = {0, 1}, low[] = {0, -2}, high[] = {0, 2};
    double infinite[] = {0, -INFINITY};
    static const char *const twice[] = {"a", "a"};
    static const char *const gap[] = {"a", NULL};
    bestdag_table_add_codes(run, t, "x", codes, 4, 2, NULL);
    assert_fine(run);
    const struct {
        const char *name;
        const void *codes;
        int bytes, states;
        const char *const *labels;
        const char *part;
    } bad[] = {
        {"x", codes, 4, 2, NULL, "there is a column 'x' already"},
        {"", codes, 4, 2, NULL, "a column has no name"},
        {NULL, codes, 4, 2, NULL, "a column has no name"},
        {"y", NULL, 4, 2, NULL, "no array of cells was given"},
        {"y", codes, 3, 2, NULL, "1, 2, 4 or 8 bytes"},
        {"y", codes, 4, 0, NULL, "0 states in codes of 4 bytes"},
        {"y", codes, 4, -5, NULL, "expected 1 to 65534 states"},
        {"y", codes, 4, 65535, NULL, "65535 states"},
        {"y", low, 4, 2, NULL, "column 'y', row 1: code -2 is not in -1 .. 1"},
        {"y", high, 4, 2, NULL, "row 1: code 2 is not in -1 .. 1"},
        {"y", codes, 4, 2, twice, "column 'y': two states are called 'a'"},
        {"y", codes, 4, 2, gap, "column 'y': state 1 has no label"}};
    for (int i = 0; i < COUNT(bad); i++) {
        assert_int_equal(bestdag_table_add_codes(run, t, bad[i].name,
                                                 bad[i].codes, bad[i].bytes,
                                                 bad[i].states, bad[i].labels),
                         BESTDAG_USAGE);
        assert_failed(run, BESTDAG_USAGE, bad[i].part);
        assert_int_equal(bestdag_table_columns(t), 1);
    }
    bestdag_table_add_numbers(run, t, "z", infinite);
    assert_failed(run, BESTDAG_USAGE, "column 'z', row 1: infinite");
    bestdag_table_add_numbers(run, t, "z", NULL);
    assert_failed(run, BESTDAG_USAGE, "no array of cells");
    assert_int_equal(bestdag_table_columns(t), 1);
    bestdag_table_add_codes(run, NULL, "z", codes, 4, 2, NULL);
    assert_failed(run, BESTDAG_USAGE, "no table was given");
    bestdag_table_free(t);
    scratch_end(run);
}

static void sizes_that_cannot_be_are_refused(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    assert_null(bestdag_table_new(run, -1));
    assert_failed(run, BESTDAG_USAGE, "a table cannot have -1 rows");
    assert_null(bestdag_table_new(run, (int64_t)1 << 61));
    assert_failed(run, BESTDAG_USAGE, "a table cannot have");
    struct bestdag_table *t = bestdag_table_new(run, (int64_t)1 << 48);
    double x = 0;
    bestdag_table_add_numbers(run, t, "x", &x); /* 2 PB */
    assert_failed(run, BESTDAG_MEMORY, "out of memory");
    bestdag_table_free(t);
    scratch_end(run);
}

static void an_empty_table_is_a_table(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = bestdag_table_new(run, 0);
    assert_int_equal(bestdag_table_add_codes(run, t, "x", NULL, 1, 2, NULL), 0);
    assert_int_equal(bestdag_table_add_numbers(run, t, "y", NULL), 0);
    assert_int_equal(bestdag_table_rows(t), 0);
    assert_int_equal(bestdag_table_columns(t), 2);
    assert_int_equal(bestdag_table_codes(t, 0, 0, 1, (int[1]){0}), 0);
    bestdag_table_free(t);
    scratch_end(run);
}

static void looking_outside_finds_nothing(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = bestdag_table_new(run, 3);
    int codes[] = {0, 1, 0}, got[9];
    bestdag_table_add_codes(run, t, "x", codes, 4, 2, NULL);
    assert_null(bestdag_table_name(t, 1));
    assert_null(bestdag_table_name(t, -1));
    assert_null(bestdag_table_label(t, 0, 2));
    assert_null(bestdag_table_label(t, 0, -1));
    assert_int_equal(bestdag_table_states(t, 7), 0);
    assert_int_equal(bestdag_table_codes(t, 0, 2, 9, got), 1);
    assert_int_equal(bestdag_table_codes(t, 0, 3, 9, got), 0);
    assert_int_equal(bestdag_table_codes(t, 0, -1, 9, got), 0);
    assert_int_equal(bestdag_table_codes(t, 0, 0, -1, got), 0);
    assert_int_equal(bestdag_table_codes(t, 1, 0, 1, got), 0);
    assert_int_equal(bestdag_table_numbers(t, 0, 0, 1, (double[1]){0}), 0);
    assert_int_equal(bestdag_table_weight(t, 2), 1);
    assert_int_equal(bestdag_table_weight(t, 3), 0);
    assert_int_equal(bestdag_table_weight(t, -1), 0);
    assert_int_equal(bestdag_table_rows(NULL), 0);
    assert_int_equal(bestdag_table_columns(NULL), 0);
    assert_null(bestdag_table_name(NULL, 0));
    assert_null(bestdag_table_label(NULL, 0, 0));
    assert_int_equal(bestdag_table_codes(NULL, 0, 0, 1, got), 0);
    assert_int_equal(bestdag_table_weight(NULL, 0), 0);
    bestdag_table_free(NULL);
    bestdag_table_free(t);
    scratch_end(run);
}

static void columns_are_found_by_name(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = bestdag_table_new(run, 1);
    int code = 0;
    for (int c = 0; c < 100; c++) {
        char name[32];
        snprintf(name, sizeof name, "column%d", c);
        bestdag_table_add_codes(run, t, name, &code, 4, 1, NULL);
    }
    assert_int_equal(bestdag_table_find(t, "column57"), 57);
    assert_int_equal(bestdag_table_find(t, "Column57"), -1);
    assert_int_equal(bestdag_table_find_or_fail(run, t, "column99"), 99);
    assert_int_equal(bestdag_table_find_or_fail(run, t, "colum99"), -1);
    assert_failed(run, BESTDAG_USAGE,
                  "the table has no column 'colum99', did "
                  "you mean 'column9");
    bestdag_table_free(t);
    scratch_end(run);
}

static void numbers_are_no_states(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = bestdag_table_new(run, 1);
    int code = 0;
    double x = 1;
    bestdag_table_add_codes(run, t, "a", &code, 4, 1, NULL);
    assert_int_equal(bestdag_table_need_codes(run, t), BESTDAG_OK);
    bestdag_table_add_numbers(run, t, "b", &x);
    assert_int_equal(bestdag_table_need_codes(run, t), BESTDAG_INPUT);
    assert_non_null(strstr(bestdag_run_error(run), "bestdag discretize"));
    assert_failed(run, BESTDAG_INPUT, "column 'b' holds numbers");
    t->column[1].kind = BESTDAG_OPAQUE;
    assert_int_equal(bestdag_table_need_codes(run, t), BESTDAG_INPUT);
    assert_failed(run, BESTDAG_INPUT, "--ignore 'b'");
    bestdag_table_free(t);
    scratch_end(run);
}

static void a_head_is_copied_without_cells(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = bestdag_table_new(run, 2);
    int codes[] = {1, -1};
    static const char *const labels[] = {"no", "yes"};
    struct bestdag_column copy;
    bestdag_table_add_codes(run, t, "a", codes, 4, 2, labels);
    for (int n = 1; n < 10; n++) { /* with every allocation failing once */
        bestdag_memory_fail_at(run, n);
        int status = bestdag_column_copy_head(run, &t->column[0], &copy);
        if (!status)
            break;
        assert_int_equal(status, BESTDAG_MEMORY);
        bestdag_column_release(&copy);
        bestdag_run_clear(run);
    }
    bestdag_memory_fail_at(run, 0);
    assert_string_equal(copy.name, "a");
    assert_int_equal(copy.states, 2);
    assert_string_equal(copy.labels[1], "yes");
    assert_null(copy.cells);
    assert_int_equal(copy.missing, 0);
    bestdag_column_release(&copy);
    bestdag_table_free(t);
    scratch_end(run);
}

static void a_failed_run_builds_nothing(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = bestdag_table_new(run, 1);
    int code = 0;
    double x = 0;
    bestdag_fail(run, BESTDAG_INPUT, "before");
    assert_null(bestdag_table_new(run, 1));
    assert_int_equal(bestdag_table_add_codes(run, t, "a", &code, 4, 1, NULL),
                     BESTDAG_INPUT);
    assert_int_equal(bestdag_table_add_numbers(run, t, "a", &x), BESTDAG_INPUT);
    assert_int_equal(bestdag_table_columns(t), 0);
    bestdag_table_free(t);
    scratch_end(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_of_every_width_are_kept),
        cmocka_unit_test(one_byte_is_enough_up_to_255_states),
        cmocka_unit_test(numbers_are_kept_and_nan_is_missing),
        cmocka_unit_test(what_is_wrong_is_refused_and_leaves_the_table),
        cmocka_unit_test(sizes_that_cannot_be_are_refused),
        cmocka_unit_test(an_empty_table_is_a_table),
        cmocka_unit_test(looking_outside_finds_nothing),
        cmocka_unit_test(columns_are_found_by_name),
        cmocka_unit_test(numbers_are_no_states),
        cmocka_unit_test(a_head_is_copied_without_cells),
        cmocka_unit_test(a_failed_run_builds_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
