/* SPDX-License-Identifier: MIT */
/* test_holes.c -- patterns of missing values, and the tests of whether being
 * missing depends on other columns: counts by hand, p-values of a known table,
 * no more false alarms than the level allows, dependences that are there. */
#include "nets.h"

#include "data/hole_patterns.h"
#include "models/holes/hole_tests.h"

static int setup(void **state)
{
    *state = bestdag_run_new();
    return !*state;
}

static int teardown(void **state)
{
    bestdag_run_free(*state);
    return 0;
}

static const char *const two[] = {"0", "1"};

static struct bestdag_table *table_of(struct bestdag_run *run,
                                      const int8_t *const *column, int columns,
                                      int64_t rows)
{
    static const char *const names[] = {"a", "b", "c", "d"};
    struct bestdag_table *t = bestdag_table_new(run, rows);
    for (int c = 0; c < columns; c++)
        bestdag_table_add_codes(run, t, names[c], column[c], 1, 2, two);
    assert_int_equal(bestdag_run_status(run), BESTDAG_OK);
    return t;
}

static void patterns_are_counted(void **state)
{
    struct bestdag_run *run = *state;
    const int8_t a[] = {0, -1, -1, 1, -1, 0, -1}, b[] = {0, 1, -1, 1, 0, 0, 1},
                 c[] = {-1, 1, -1, 1, 0, 0, 1};
    struct bestdag_table *t =
        table_of(run, (const int8_t *const[]){a, b, c}, 3, 7);
    struct bestdag_hole_patterns *p = bestdag_hole_patterns_new(run, t);
    assert_int_equal(p->incomplete, 5);
    assert_int_equal(p->different, 3);
    assert_int_equal(p->count, 3);
    assert_int_equal(p->size[0], 3); /* a alone */
    assert_memory_equal(p->lacks, ((uint8_t[]){1, 0, 0}), 3);
    assert_int_equal(p->size[1], 1); /* the first of them is row 0: c */
    assert_memory_equal(p->lacks + 3, ((uint8_t[]){0, 0, 1}), 3);
    assert_memory_equal(p->lacks + 6, ((uint8_t[]){1, 1, 1}), 3);
    bestdag_hole_patterns_free(p);
    bestdag_table_free(t);
}

/* a is missing in 40 of 100 rows with b = 1, in 20 of 100 with b = 0:
 * chi-square is 200 (40 80 - 20 60)^2 / (60 140 100 100) = 9.5238, p =
 * 0.002028. */
static void a_known_table_has_its_p_value(void **state)
{
    struct bestdag_run *run = *state;
    int8_t a[200], b[200];
    for (int r = 0; r < 200; r++) {
        b[r] = r >= 100;
        a[r] = (r < 20 || (r >= 100 && r < 140)) ? -1 : (int8_t)(r & 1);
    }
    struct bestdag_table *t =
        table_of(run, (const int8_t *const[]){a, b}, 2, 200);
    struct bestdag_hole_tests tests;
    assert_int_equal(bestdag_hole_tests_run(run, t, &tests), BESTDAG_OK);
    assert_int_equal(tests.count, 1);
    assert_int_equal(tests.dependent, 1);
    assert_true(tests.is_complete);
    assert_true(fabs(tests.at[0].statistic - 9.523809523809524) < 1e-12);
    assert_true(fabs(tests.at[0].p - 0.002028231) < 1e-8);
    assert_true(fabs(tests.at[0].there - 0.4) < 1e-15);
    assert_true(fabs(tests.at[0].elsewhere - 0.2) < 1e-15);
    assert_int_equal(tests.at[0].state, 1);
    bestdag_hole_tests_release(&tests);
    bestdag_table_free(t);
}

/* Missing completely at random: of 200 tables at most 5 % have an alarm; the
 * limit is three standard errors above. */
static void there_are_few_false_alarms(void **state)
{
    struct bestdag_run *run = *state;
    int alarms = 0;
    struct bestdag_network *net =
        nets_random(run, (struct shape){.seed = 1,
                                        .n = 6,
                                        .least_states = 2,
                                        .most_states = 4,
                                        .most_parents = 2});
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct bestdag_table *t = nets_table(run, net, 400, 0.15, seed);
        struct bestdag_hole_tests tests;
        assert_int_equal(bestdag_hole_tests_run(run, t, &tests), BESTDAG_OK);
        assert_in_range(tests.count, 40, 30 + 15);
        alarms += tests.dependent + tests.pairs > 0;
        bestdag_hole_tests_release(&tests);
        bestdag_table_free(t);
    }
    bestdag_network_free(net);
    if (alarms > 19)
        fail_msg("%d false alarms in 200 tables", alarms);
}

/* b and c are missing together; a is missing where d, numbers, is high. */
static void what_depends_is_found(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_random random = bestdag_random_init(7, 7);
    enum { ROWS = 1000 };
    static int8_t a[ROWS], b[ROWS], c[ROWS];
    static double d[ROWS];
    for (int r = 0; r < ROWS; r++) {
        d[r] = bestdag_random_unit(&random);
        bool gone = bestdag_random_unit(&random) < 0.1;
        a[r] =
            bestdag_random_unit(&random) < (d[r] > 0.75 ? 0.5 : 0.1) ? -1 : 1;
        b[r] = gone ? -1 : (int8_t)(r & 1);
        c[r] = gone ? -1 : (int8_t)(r >> 1 & 1);
    }
    a[0] = 0;
    struct bestdag_table *t =
        table_of(run, (const int8_t *const[]){a, b, c}, 3, ROWS);
    bestdag_table_add_numbers(run, t, "d", d);
    struct bestdag_hole_tests tests;
    assert_int_equal(bestdag_hole_tests_run(run, t, &tests), BESTDAG_OK);
    bool depends = false, together = false;
    for (int64_t i = 0; i < tests.count; i++) {
        const struct bestdag_hole_test *k = &tests.at[i];
        bool is_it = bestdag_hole_test_is_significant(k);
        depends = depends || (is_it && !k->is_pair && k->column == 0 &&
                              k->on == 3 && k->state == 3);
        together =
            together || (is_it && k->is_pair && k->column == 1 && k->on == 2);
        assert_false(is_it && k->column == 1 && !k->is_pair);
        assert_true(!i || k->p >= tests.at[i - 1].p);
        assert_true(k->adjusted >= k->p && k->adjusted <= 1);
    }
    assert_true(depends && together);
    bestdag_hole_tests_release(&tests);
    bestdag_table_free(t);
}

static void failing_allocations_are_survived(void **state)
{
    struct bestdag_run *run = *state;
    const int8_t a[] = {0, -1, -1, 1}, b[] = {0, 1, -1, 1};
    struct bestdag_table *t =
        table_of(run, (const int8_t *const[]){a, b}, 2, 4);
    bool has_failed = true;
    for (int64_t n = 1; has_failed; n++) {
        bestdag_memory_fail_at(run, n);
        char *json = bestdag_table_check(run, t);
        has_failed = bestdag_memory_has_failed(run);
        bestdag_memory_fail_at(run, 0);
        assert_true(has_failed || json);
        bestdag_text_free(json);
        bestdag_run_clear(run);
    }
    bestdag_table_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_are_counted),
        cmocka_unit_test(a_known_table_has_its_p_value),
        cmocka_unit_test(there_are_few_false_alarms),
        cmocka_unit_test(what_depends_is_found),
        cmocka_unit_test(failing_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
