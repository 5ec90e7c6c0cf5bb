/* SPDX-License-Identifier: MIT */
/* What becomes of missing values, on tables built by hand. */
#include <math.h>

#include "data/missing.h"
#include "data/states.h"
#include "unit/tables.h"

/* a: 3 states, b: numbers, c: complete. */
static struct bestdag_table *make_table(struct bestdag_run *run)
{
    struct bestdag_table *t = bestdag_table_new(run, 5);
    bestdag_table_add_codes(run, t, "a", (int8_t[]){0, -1, 2, 0, 1}, 1, 3,
                            (const char *[]){"x", "y", "missing"});
    bestdag_table_add_numbers(run, t, "b", (double[]){0.5, 1.5, NAN, 2.5, 3.5});
    bestdag_table_add_codes(run, t, "c", (int32_t[]){1, 0, 1, 0, 1}, 4, 2,
                            NULL);
    assert_int_equal(bestdag_run_status(run), BESTDAG_OK);
    return t;
}

static void rows_with_missing_values_are_dropped(void **state)
{
    (void)state;
    struct bestdag_run *run = new_run();
    struct bestdag_table *t = make_table(run);
    assert_int_equal(bestdag_table_complete(run, t, "drop"), BESTDAG_OK);
    assert_string_equal(rows_of(t), "x 0.5 1|x 2.5 0|y 3.5 1");
    assert_string_equal(head_of(t), "a(x,y,missing) b() c(0,1)");
    assert_int_equal(bestdag_table_missing(t), 0);
    assert_int_equal(t->total, 3);
    assert_string_equal(heard.notes[0],
                        "warning: 2 of 5 rows have missing values and were "
                        "dropped ('a' lacks 1, 'b' 1); --missing em and "
                        "--missing available use what such rows have if "
                        "--discretize makes the numbers states, "
                        "--missing state makes 'missing' a state, --ignore "
                        "leaves columns out; see 'bestdag check'\n");
    assert_int_equal(bestdag_table_prune(run, t), BESTDAG_OK);
    assert_string_equal(head_of(t), "a(x,y) b() c(0,1)");
    assert_string_equal(rows_of(t), "x 0.5 1|x 2.5 0|y 3.5 1");
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void weights_go_with_their_rows(void **state)
{
    (void)state;
    struct bestdag_run *run = new_run();
    struct bestdag_table *t = make_table(run);
    t->weights = bestdag_alloc(run, 5 * sizeof *t->weights);
    for (int r = 0; r < 5; r++)
        t->weights[r] = 10 * r + 1;
    t->total = 105;
    struct bestdag_table *copy = bestdag_table_copy(run, t);
    assert_same_tables(t, copy);
    bestdag_table_complete(run, t, "drop");
    assert_int_equal(t->total, 1 + 31 + 41);
    assert_int_equal(t->weights[1], 31);
    assert_int_equal(copy->rows, 5);
    assert_int_equal(copy->total, 105);
    bestdag_table_free(copy);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void missing_becomes_the_last_state(void **state)
{
    (void)state;
    struct bestdag_run *run = new_run();
    struct bestdag_table *t = make_table(run);
    assert_int_equal(bestdag_table_complete(run, t, "state"), BESTDAG_OK);
    assert_string_equal(head_of(t), "a(x,y,missing,missing_2) b() c(0,1)");
    assert_string_equal(rows_of(t),
                        "x 0.5 1|missing_2 1.5 0|missing - 1|x 2.5 0|y 3.5 1");
    assert_int_equal(t->column[0].missing, 0);
    assert_int_equal(t->column[1].missing, 1);
    expect_note(0, "columns of numbers keep their 1 missing values");
    bestdag_table_free(t);
    bestdag_run_free(run);
}

/* 254 and 255 states have one byte; one more state may need two. */
static void a_new_state_may_need_wider_cells(void **state)
{
    (void)state;
    for (int states = 253; states <= 257; states++) {
        struct bestdag_run *run = new_run();
        struct bestdag_table *t = bestdag_table_new(run, 300);
        int16_t codes[300];
        for (int r = 0; r < 300; r++)
            codes[r] = (int16_t)(r < states ? r : -1);
        bestdag_table_add_codes(run, t, "a", codes, 2, states, NULL);
        assert_int_equal(t->column[0].missing, 300 - states);
        bestdag_table_complete(run, t, "state");
        assert_string_equal(bestdag_run_error(run), "");
        assert_int_equal(t->column[0].states, states + 1);
        assert_int_equal(t->column[0].bytes, states + 1 > 255 ? 2 : 1);
        for (int r = 0; r < 300; r++)
            assert_int_equal(bestdag_column_code(&t->column[0], r),
                             r < states ? r : states);
        bestdag_table_free(t);
        bestdag_run_free(run);
    }
}

static void pruning_may_make_cells_narrower(void **state)
{
    (void)state;
    struct bestdag_run *run = new_run();
    struct bestdag_table *t = bestdag_table_new(run, 4);
    bestdag_table_add_codes(run, t, "a", (int16_t[]){999, -1, 5, 999}, 2, 1000,
                            NULL);
    assert_int_equal(t->column[0].bytes, 2);
    assert_int_equal(bestdag_table_prune(run, t), BESTDAG_OK);
    assert_int_equal(t->column[0].bytes, 1);
    assert_string_equal(head_of(t), "a(5,999)");
    assert_string_equal(rows_of(t), "999|-|5|999");
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void the_first_missing_value_is_an_error(void **state)
{
    (void)state;
    struct bestdag_run *run = new_run();
    struct bestdag_table *t = make_table(run);
    assert_int_equal(bestdag_table_complete(run, t, "error"), BESTDAG_INPUT);
    assert_string_equal(bestdag_run_error(run),
                        "column 'a', row 1: a missing value");
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void keeping_changes_nothing(void **state)
{
    (void)state;
    struct bestdag_run *run = new_run();
    struct bestdag_table *t = make_table(run), *old = make_table(run);
    assert_int_equal(bestdag_table_complete(run, t, "keep"), BESTDAG_OK);
    assert_same_tables(t, old);
    assert_int_equal(bestdag_table_complete(run, t, "burn"), BESTDAG_USAGE);
    assert_string_equal(
        bestdag_run_error(run),
        "missing: 'burn' is not one of drop|state|error|keep|available|em");
    bestdag_table_free(t);
    bestdag_table_free(old);
    bestdag_run_free(run);
}

static void dropping_all_rows_is_an_error(void **state)
{
    (void)state;
    struct bestdag_run *run = new_run();
    struct bestdag_table *t = bestdag_table_new(run, 2);
    bestdag_table_add_codes(run, t, "a", (int8_t[]){-1, -1}, 1, 2, NULL);
    assert_int_equal(bestdag_table_complete(run, t, "drop"), BESTDAG_INPUT);
    assert_string_equal(
        bestdag_run_error(run),
        "every row has a missing value (column 'a' lacks 2 of 2); use the "
        "values that are there (--missing em, --missing available), make "
        "missing a state (--missing state) or leave columns out (--ignore)");
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void failed_allocations_are_survived(void **state)
{
    (void)state;
    static const char *const policies[] = {"drop", "state"};
    for (size_t k = 0; k < 2; k++)
        for (int64_t n = 1, done = 0; !done; n++) {
            struct bestdag_run *run = new_run();
            struct bestdag_table *t = make_table(run), *copy;
            bestdag_memory_fail_at(run, n);
            copy = bestdag_table_copy(run, t);
            if (copy)
                bestdag_table_complete(run, copy, policies[k]);
            if (!bestdag_run_status(run))
                bestdag_table_prune(run, copy);
            done = !bestdag_run_status(run);
            bestdag_table_free(copy);
            bestdag_table_free(t);
            assert_int_equal(bestdag_memory_used(run), 0);
            bestdag_run_free(run);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_with_missing_values_are_dropped),
        cmocka_unit_test(weights_go_with_their_rows),
        cmocka_unit_test(missing_becomes_the_last_state),
        cmocka_unit_test(a_new_state_may_need_wider_cells),
        cmocka_unit_test(pruning_may_make_cells_narrower),
        cmocka_unit_test(the_first_missing_value_is_an_error),
        cmocka_unit_test(keeping_changes_nothing),
        cmocka_unit_test(dropping_all_rows_is_an_error),
        cmocka_unit_test(failed_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
