/* SPDX-License-Identifier: MIT */
/* test_collapse.c -- collapsing and sorting rows, against counting. */
#include "small_tables.h"

#include "data/groups.h"

static bool same_row(const struct bestdag_table *a, int64_t r,
                     const struct bestdag_table *b, int64_t s)
{
    for (int c = 0; c < a->columns; c++) {
        double x = cell_number(&a->column[c], r);
        double y = cell_number(&b->column[c], s);
        if (x != y && !(isnan(x) && isnan(y)))
            return false;
    }
    return true;
}

/* Column by column, missing last. */
static int compare_rows(const struct bestdag_table *t, int64_t a, int64_t b)
{
    for (int c = 0; c < t->columns; c++) {
        double x = cell_number(&t->column[c], a);
        double y = cell_number(&t->column[c], b);
        if (isnan(x) != isnan(y))
            return isnan(x) ? 1 : -1;
        if (x != y && !isnan(x))
            return x < y ? -1 : 1;
    }
    return 0;
}

/* Every kind of row is there once, in order, with its whole weight. */
static void assert_collapsed(const struct bestdag_table *from,
                             const struct bestdag_table *to)
{
    assert_non_null(to);
    assert_int_equal(to->columns, from->columns);
    assert_int_equal(to->total, from->total);
    for (int64_t r = 1; r < to->rows; r++)
        assert_true(compare_rows(to, r - 1, r) < 0);
    for (int64_t r = 0; r < to->rows; r++) {
        int64_t weight = 0, found = 0;
        for (int64_t s = 0; s < from->rows; s++)
            if (same_row(to, r, from, s)) {
                weight += bestdag_table_weight(from, s);
                found++;
            }
        assert_true(found > 0);
        assert_int_equal(bestdag_table_weight(to, r), weight);
    }
    for (int64_t s = 0; s < from->rows; s++) {
        int found = 0;
        for (int64_t r = 0; r < to->rows; r++)
            found += same_row(to, r, from, s);
        assert_int_equal(found, 1);
    }
    for (int c = 0; c < to->columns; c++) {
        int64_t missing = 0;
        for (int64_t r = 0; r < to->rows; r++)
            missing += isnan(cell_number(&to->column[c], r)) != 0;
        assert_int_equal(to->column[c].missing, missing);
        assert_string_equal(to->column[c].name, from->column[c].name);
        assert_int_equal(to->column[c].states, from->column[c].states);
    }
}

static struct bestdag_table *random_table(struct bestdag_run *run,
                                          struct bestdag_random *random)
{
    struct bestdag_table *t = bestdag_table_new(run, below(random, 120));
    int columns = below(random, 8);
    for (int c = 0; c < columns; c++) {
        int missing = below(random, 2) * 4;
        if (below(random, 4))
            add_random_codes(run, t, random, below(random, 6) ? 2 : 400,
                             missing);
        else
            add_random_numbers(run, t, random, 1 + below(random, 4), missing);
    }
    if (below(random, 2))
        set_random_weights(run, t, random, 3);
    return t;
}

static void random_tables_collapse_as_counting_says(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        struct bestdag_random random = bestdag_random_init(seed, 1);
        struct bestdag_run *run = bestdag_run_new();
        struct bestdag_table *t = random_table(run, &random);
        struct bestdag_table *to = bestdag_table_collapse(run, t);
        print_message("seed %d\r", (int)seed);
        assert_ok(run);
        assert_collapsed(t, to);
        bestdag_table_free(to);
        bestdag_table_free(t);
        bestdag_run_free(run);
    }
}

static void many_columns_take_several_words(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_random random = bestdag_random_init(7, 2);
    struct bestdag_table *t = bestdag_table_new(run, 200);
    for (int c = 0; c < 150; c++) { /* long equal beginnings */
        int codes[200];
        char name[16];
        snprintf(name, sizeof name, "c%d", c);
        for (int r = 0; r < 200; r++)
            codes[r] = c < 140 ? 1 : below(&random, 2);
        bestdag_table_add_codes(run, t, name, codes, sizeof *codes, 3, NULL);
    }
    struct bestdag_table *to = bestdag_table_collapse(run, t);
    assert_ok(run);
    assert_collapsed(t, to);
    bestdag_table_free(to);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void a_long_table_collapses_to_its_kinds(void **state)
{
    (void)state;
    enum { ROWS = 50000 };
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_random random = bestdag_random_init(3, 3);
    struct bestdag_table *t = bestdag_table_new(run, ROWS);
    add_random_codes(run, t, &random, 10, 0);
    add_random_numbers(run, t, &random, 10, 50);
    int64_t count[10][11] = {0};
    for (int64_t r = 0; r < ROWS; r++) {
        double x = cell_number(&t->column[1], r);
        count[(int)cell_number(&t->column[0], r)]
             [isnan(x) ? 10 : (int)(x * 4) + 5]++;
    }
    struct bestdag_table *to = bestdag_table_collapse(run, t);
    assert_ok(run);
    assert_int_equal(to->rows, 110);
    for (int64_t r = 0; r < to->rows; r++)
        assert_int_equal(bestdag_table_weight(to, r), count[r / 11][r % 11]);
    bestdag_table_free(to);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void minus_zero_is_zero(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = bestdag_table_new(run, 4);
    bestdag_table_add_numbers(run, t, "x", (const double[]){0.0, -0.0, 1, -1});
    struct bestdag_table *to = bestdag_table_collapse(run, t);
    assert_int_equal(bestdag_table_rows(to), 3);
    assert_int_equal(bestdag_table_weight(to, 1), 2);
    bestdag_table_free(to);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void weights_beyond_32_bits_take_several_rows(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = bestdag_table_new(run, 4);
    bestdag_table_add_codes(run, t, "x", (const int8_t[]){0, 1, 0, 0}, 1, 2,
                            NULL);
    set_weights(run, t, (const int32_t[]){INT32_MAX, 5, INT32_MAX, 3});
    struct bestdag_table *to = bestdag_table_collapse(run, t);
    assert_ok(run);
    assert_int_equal(to->rows, 4);
    assert_int_equal(to->total, t->total);
    assert_int_equal(to->weights[0], INT32_MAX);
    assert_int_equal(to->weights[1], INT32_MAX);
    assert_int_equal(to->weights[2], 3);
    assert_int_equal(to->weights[3], 5);
    bestdag_table_free(to);
    to = NULL;
    t->weights[3] = 0; /* exactly twice the highest */
    t->total -= 3;
    to = bestdag_table_collapse(run, t);
    assert_int_equal(to->rows, 3);
    assert_int_equal(to->weights[1], INT32_MAX);
    bestdag_table_free(to);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void opaque_columns_are_refused_by_name(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = bestdag_table_new(run, 2);
    add_opaque(run, t, "remarks", 70000);
    assert_null(bestdag_table_collapse(run, t));
    assert_int_equal(bestdag_run_status(run), BESTDAG_INPUT);
    assert_non_null(strstr(bestdag_run_error(run), "'remarks'"));
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void a_stop_is_told(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = bestdag_table_new(run, 2);
    bestdag_table_add_numbers(run, t, "x", (const double[]){1, 1});
    bestdag_run_stop(run);
    assert_null(bestdag_table_collapse(run, t));
    assert_non_null(strstr(bestdag_run_error(run), "stopped"));
    bestdag_run_clear(run);
    assert_null(bestdag_table_collapse(run, NULL));
    assert_int_equal(bestdag_run_status(run), BESTDAG_USAGE);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_random random = bestdag_random_init(5, 5);
    struct bestdag_table *t = bestdag_table_new(run, 40), *to = NULL;
    add_random_codes(run, t, &random, 2, 5);
    add_random_numbers(run, t, &random, 3, 5);
    set_random_weights(run, t, &random, 2);
    int64_t used = bestdag_memory_used(run), n = 1;
    for (; !to; n++) {
        bestdag_memory_fail_at(run, n);
        to = bestdag_table_collapse(run, t);
        assert_true(to || bestdag_run_status(run) == BESTDAG_MEMORY);
        assert_true(to || bestdag_memory_used(run) == used);
        bestdag_run_clear(run);
    }
    assert_true(n > 5);
    bestdag_table_free(to);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static int compare_keys(const void *a, const void *b)
{
    const struct bestdag_keyed *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

static void keys_are_sorted_and_equal_ones_keep_their_order(void **state)
{
    (void)state;
    enum { MOST = 3000 };
    struct bestdag_keyed *at = calloc(3 * MOST, sizeof *at);
    struct bestdag_keyed *scratch = at + MOST, *expected = scratch + MOST;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct bestdag_random random = bestdag_random_init(seed, 6);
        size_t n = (size_t)below(&random, seed % 2 ? 60 : MOST);
        uint64_t mask = bestdag_random_bits(&random) &
                        bestdag_random_bits(&random) &
                        bestdag_random_bits(&random);
        for (size_t i = 0; i < n; i++) {
            at[i].key = bestdag_random_bits(&random) & mask;
            at[i].row = (uint32_t)i;
            expected[i] = at[i];
        }
        qsort(expected, n, sizeof *expected, compare_keys);
        bestdag_keyed_sort(at, scratch, n);
        for (size_t i = 0; i < n; i++) {
            assert_true(at[i].key == expected[i].key);
            assert_int_equal(at[i].row, expected[i].row);
        }
    }
    free(at);
}

static void keys_of_numbers_are_in_their_order(void **state)
{
    (void)state;
    const double x[] = {-INFINITY, -1e308, -2.5, -1e-310, 0,
                        5e-324,    1e-3,   1.5,  1e308,   INFINITY};
    for (size_t i = 0; i < sizeof x / sizeof *x; i++) {
        assert_true(bestdag_double_of_key(bestdag_key_of_double(x[i])) == x[i]);
        assert_true(!i || bestdag_key_of_double(x[i - 1]) <
                              bestdag_key_of_double(x[i]));
        assert_true(bestdag_key_of_double(x[i]) <
                    bestdag_key_of_double((double)NAN));
    }
    assert_true(bestdag_key_of_double(-0.0) == bestdag_key_of_double(0.0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_tables_collapse_as_counting_says),
        cmocka_unit_test(many_columns_take_several_words),
        cmocka_unit_test(a_long_table_collapses_to_its_kinds),
        cmocka_unit_test(minus_zero_is_zero),
        cmocka_unit_test(weights_beyond_32_bits_take_several_rows),
        cmocka_unit_test(opaque_columns_are_refused_by_name),
        cmocka_unit_test(a_stop_is_told),
        cmocka_unit_test(every_failing_allocation_is_survived),
        cmocka_unit_test(keys_are_sorted_and_equal_ones_keep_their_order),
        cmocka_unit_test(keys_of_numbers_are_in_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
