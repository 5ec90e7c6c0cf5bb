/* SPDX-License-Identifier: MIT */
/* Amounts of counted work, and the shares of stages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/run.h"
#include "base/work.h"
#include "learn/work_budget.h"

static void amounts_are_at_least_one_and_do_not_overflow(void **state)
{
    (void)state;
    assert_int_equal(bestdag_work_units(1, 0.25), 4);
    assert_int_equal(bestdag_work_units(0, 1e-9), 1);
    assert_int_equal(bestdag_effort_times(0.1, 5), 1);
    assert_int_equal(bestdag_effort_times(10, 5), 50);
    assert_true(bestdag_work_units(1e300, 1e-9) > 0);
    assert_true(bestdag_effort_times(10, INT64_MAX) > 0);
}

static void a_slice_has_the_effort_of_its_run(void **state)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_slice_limits share = {0};
    (void)state;
    assert_true(run->effort == 1);
    assert_int_equal(bestdag_run_set(run, "effort", "high"), BESTDAG_OK);
    struct bestdag_run *slice = bestdag_run_slice(run, share);
    assert_true(slice->effort == 10);
    bestdag_run_free(slice);
    assert_int_equal(bestdag_run_set(run, "effort", "much"), BESTDAG_USAGE);
    bestdag_run_free(run);
}

/* Nothing but what is spent makes the rest less. */
static void without_a_deadline_shares_are_of_work(void **state)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_work_budget w = bestdag_work_budget_begin(run, 100, false);
    double all = bestdag_work_budget_left(&w);
    (void)state;
    assert_true(bestdag_work_budget_left(&w) == all);
    bestdag_work_budget_spend(&w, all / 4);
    assert_true(bestdag_work_budget_left(&w) == all - all / 4);
    bestdag_work_budget_spend(&w, all);
    assert_true(bestdag_work_budget_left(&w) == 0);
    bestdag_run_set(run, "effort", "low");
    w = bestdag_work_budget_begin(run, 100, false);
    assert_true(bestdag_work_budget_left(&w) < all / 9);
    w = bestdag_work_budget_begin(run, 100, true); /* one of many */
    assert_true(bestdag_work_budget_left(&w) < all / 900);
    bestdag_run_free(run);
}

static void with_a_deadline_shares_are_of_time(void **state)
{
    struct bestdag_run *run = bestdag_run_new();
    (void)state;
    bestdag_run_set(run, "time-limit", "1000h");
    struct bestdag_work_budget w = bestdag_work_budget_begin(run, 100, false);
    bestdag_work_budget_spend(&w, 1e9); /* counts for nothing */
    assert_true(bestdag_work_budget_left(&w) > 3e6);
    bestdag_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(amounts_are_at_least_one_and_do_not_overflow),
        cmocka_unit_test(a_slice_has_the_effort_of_its_run),
        cmocka_unit_test(without_a_deadline_shares_are_of_work),
        cmocka_unit_test(with_a_deadline_shares_are_of_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
