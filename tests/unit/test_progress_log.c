/* SPDX-License-Identifier: MIT */
/* test_progress_log.c -- best and bound over time: changes, thinned out evenly.
 */
#include "scratch.h"

#include <math.h>

#include "base/progress_log.h"

static void nobody_listens(void **state)
{
    (void)state;
    bestdag_progress_log_add(NULL, (struct bestdag_point){1, 2, 3});
}

static void only_changes_are_kept(void **state)
{
    (void)state;
    struct bestdag_progress_log c = {0};
    bestdag_progress_log_add(&c, (struct bestdag_point){0, NAN, NAN});
    assert_int_equal(c.count, 0);
    bestdag_progress_log_add(&c, (struct bestdag_point){1, -5, NAN});
    bestdag_progress_log_add(&c, (struct bestdag_point){2, -5, NAN});
    assert_int_equal(c.count, 1);
    bestdag_progress_log_add(&c, (struct bestdag_point){3, -5, -1});
    bestdag_progress_log_add(&c, (struct bestdag_point){4, -4, -1});
    bestdag_progress_log_add(&c, (struct bestdag_point){5, -4, -1});
    assert_int_equal(c.count, 3);
    assert_true(c.at[0].seconds == 1 && c.at[2].seconds == 4);
}

/* For any number of changes: first and last are there, in order, and no gap is
 * more than four times an even one. */
static void many_changes_are_thinned_out_evenly(void **state)
{
    (void)state;
    const int totals[] = {399, 400, 401, 799, 800, 801, 5000, 123457};
    for (int t = 0; t < COUNT(totals); t++) {
        struct bestdag_progress_log c = {0};
        for (int i = 0; i < totals[t]; i++) {
            bestdag_progress_log_add(&c, (struct bestdag_point){i, i, NAN});
            assert_true(c.at[c.count - 1].best == i);
        }
        assert_true(c.count <= BESTDAG_PROGRESS_LOG_MOST);
        assert_true(c.count >= BESTDAG_PROGRESS_LOG_MOST / 2 - 1);
        assert_true(c.at[0].best == 0);
        for (int i = 1; i < c.count; i++) {
            double gap = c.at[i].best - c.at[i - 1].best;
            assert_true(gap > 0);
            assert_true(gap <= 4.0 * totals[t] / BESTDAG_PROGRESS_LOG_MOST + 1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_listens),
        cmocka_unit_test(only_changes_are_kept),
        cmocka_unit_test(many_changes_are_thinned_out_evenly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
