/* SPDX-License-Identifier: MIT */
/* test_resample.c -- rows drawn with replacement. */
#include "data/resample.h"

#include <math.h>

#include "random_table.h"
#include "scratch.h"

static struct bestdag_table *draw(struct bestdag_run *run,
                                  const struct bestdag_table *t, uint64_t seed)
{
    struct bestdag_resampler r;
    struct bestdag_random random = bestdag_random_init(seed, 0);
    struct bestdag_table *to = NULL;
    if (!bestdag_resampler_init(run, &r, t))
        to = bestdag_resampler_draw(run, &r, &random);
    bestdag_resampler_release(&r);
    return to;
}

/* A table whose only column numbers its rows. */
static struct bestdag_table *numbered(struct bestdag_run *run, int rows)
{
    struct bestdag_table *t = bestdag_table_new(run, rows);
    int32_t *code = malloc((size_t)rows * sizeof *code);
    for (int r = 0; r < rows; r++)
        code[r] = r;
    bestdag_table_add_codes(run, t, "row", code, 4, rows, NULL);
    free(code);
    assert_fine(run);
    return t;
}

static void states_and_the_total_stay(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct bestdag_run *run = bestdag_run_new();
        struct random_table how = {.seed = seed,
                                   .columns = 4,
                                   .most = 300,
                                   .weights = seed % 2 ? 5 : 0};
        print_message("seed %llu\n", (unsigned long long)seed);
        struct bestdag_table *t = random_table(run, how);
        if (t->total) {
            struct bestdag_table *to = draw(run, t, seed);
            assert_fine(run);
            assert_int_equal(to->total, t->total);
            assert_int_equal(!to->weights, !t->weights);
            int64_t sum = 0;
            for (int64_t r = 0; r < to->rows; r++)
                sum += bestdag_table_weight(to, r);
            assert_int_equal(sum, t->total);
            for (int c = 0; c < t->columns; c++) {
                assert_int_equal(to->column[c].states, t->column[c].states);
                assert_string_equal(to->column[c].name, t->column[c].name);
                assert_string_equal(to->column[c].labels[1],
                                    t->column[c].labels[1]);
            }
            bestdag_table_free(to);
        }
        bestdag_table_free(t);
        scratch_end(run);
    }
}

/* Poisson with mean 1: a row is missing in e^-1 of the resamples; on average
 * it comes once. Bounds of six standard errors. */
static void each_row_comes_as_often_as_any_other(void **state)
{
    (void)state;
    enum { ROWS = 400, DRAWS = 500 };
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = numbered(run, ROWS);
    int times[ROWS] = {0}, absent = 0;
    for (uint64_t i = 0; i < DRAWS; i++) {
        int here[ROWS] = {0};
        struct bestdag_table *to = draw(run, t, i);
        assert_int_equal(to->rows, ROWS);
        for (int r = 0; r < ROWS; r++)
            here[bestdag_column_code(&to->column[0], r)]++;
        for (int r = 0; r < ROWS; r++) {
            times[r] += here[r];
            absent += !here[r];
        }
        bestdag_table_free(to);
    }
    for (int r = 0; r < ROWS; r++)
        assert_in_range(times[r], DRAWS - 135, DRAWS + 135);
    assert_in_range(absent, (int)(0.36 * ROWS * DRAWS),
                    (int)(0.376 * ROWS * DRAWS));
    bestdag_table_free(t);
    scratch_end(run);
}

static void weights_are_chances(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = numbered(run, 4);
    static const int32_t weights[] = {0, 300, 100, 0};
    int64_t second = 0;
    t->weights = bestdag_alloc(run, sizeof weights);
    memcpy(t->weights, weights, sizeof weights);
    t->total = 400;
    for (uint64_t i = 0; i < 100; i++) {
        struct bestdag_table *to = draw(run, t, i);
        assert_int_equal(to->rows, 2);
        assert_int_equal(bestdag_column_code(&to->column[0], 0), 1);
        assert_int_equal(bestdag_column_code(&to->column[0], 1), 2);
        second += to->weights[0];
        bestdag_table_free(to);
    }
    /* of 40,000 draws three quarters; the standard error is 87 */
    assert_in_range(second, 30000 - 520, 30000 + 520);
    bestdag_table_free(t);
    scratch_end(run);
}

static void what_cannot_be_drawn_from_is_refused(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = bestdag_table_new(run, 0);
    assert_null(draw(run, t, 1));
    assert_failed(run, BESTDAG_INPUT, "expected 1 to 2147483647");
    bestdag_table_free(t);
    scratch_end(run);
}

static void numbers_go_with_their_rows(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = numbered(run, 50);
    double x[50];
    for (int r = 0; r < 50; r++)
        x[r] = r % 10 ? r / 4.0 : (double)NAN;
    bestdag_table_add_numbers(run, t, "x", x);
    struct bestdag_table *to = draw(run, t, 3);
    int64_t missing = 0;
    assert_non_null(to);
    for (int64_t r = 0; r < to->rows; r++) {
        int row = bestdag_column_code(&to->column[0], r);
        double got = ((const double *)to->column[1].cells)[r];
        assert_true(row % 10 ? got == row / 4.0 : isnan(got) != 0);
        missing += row % 10 == 0;
    }
    assert_int_equal(to->column[1].missing, missing);
    bestdag_table_free(to);
    bestdag_table_free(t);
    scratch_end(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_and_the_total_stay),
        cmocka_unit_test(each_row_comes_as_often_as_any_other),
        cmocka_unit_test(weights_are_chances),
        cmocka_unit_test(what_cannot_be_drawn_from_is_refused),
        cmocka_unit_test(numbers_go_with_their_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
