/* SPDX-License-Identifier: MIT */
/* test_progress.c -- best, bound and gap while a search runs: every solver over
 * candidate sets reports them all the time, neither gets worse, both are true
 * by brute force, and they end up in the course. */
#include <math.h>
#include <string.h>

#include "base/progress_log.h"
#include "../unit/solving.h"

enum { SEED = 4711, TRIALS = 6 };

struct watch {
    struct bestdag_run *run;
    const char *solver;
    double best, bound, optimum; /* NaN: not yet */
    int reports, whole, lost, worse, untrue;
};

/* Reports come ten times per second at most: here every look at the clock gives
 * one, so that what is counted does not depend on the machine. */
static int look(void *user, const struct bestdag_progress *now)
{
    struct watch *w = user;
    const double slack = 1e-6;
    w->run->reported = 0;
    if (strcmp(now->phase, w->solver))
        return 0;
    w->reports++;
    w->whole += !isnan(now->best) && !isnan(now->bound);
    w->lost += (isnan(now->best) && !isnan(w->best)) ||
               (isnan(now->bound) && !isnan(w->bound));
    w->worse += now->best < w->best || now->bound > w->bound;
    w->untrue += now->best > w->optimum + slack ||
                 now->bound < w->optimum - slack || now->bound < now->best ||
                 now->grown;
    w->best = now->best;
    w->bound = now->bound;
    return 0;
}

/* Many reports, so that a search is seen at work and not only at its end. */
static void search_watched(const struct bestdag_solver *solver, uint64_t trial,
                           struct watch *sum)
{
    struct random_sets shape = {
        .seed = SEED + trial, .n = 12, .sets = 60, .most_parents = 3};
    struct world w = pose_random(shape, solver->name);
    struct bestdag_progress_log course = {0};
    struct bestdag_outcome got;
    struct watch watch = {.run = w.run,
                          .solver = solver->name,
                          .best = (double)NAN,
                          .bound = (double)NAN};
    watch.optimum = bestdag_problem_nats(w.problem, brute_optimum(w.problem));
    bestdag_run_set(w.run, "threads", "1");
    bestdag_run_on_progress(w.run, look, &watch);
    w.run->progress_log = &course;
    if (!solver->proves)
        bestdag_options_set(w.run, w.options, "set", "steps=20000");
    if (!strcmp(solver->name, "bnb"))
        bestdag_options_set(w.run, w.options, "set", "bound=simple");
    assert_int_equal(bestdag_search(&w.task, &got), 0);
    assert_true(watch.best <= got.score + 1e-6 || isnan(watch.best));
    assert_true(watch.bound >= got.bound - 1e-6 || isnan(watch.bound));
    assert_true(course.count > 0);
    struct bestdag_point last = course.at[course.count - 1];
    assert_true(fabs(last.best - got.score) < 1e-6);
    assert_true(fabs(last.bound - got.bound) < 1e-6);
    for (int i = 1; i < course.count; i++)
        assert_false(course.at[i].best < course.at[i - 1].best ||
                     course.at[i].bound > course.at[i - 1].bound);
    bestdag_dag_free(got.dag);
    clear(&w);
    sum->reports += watch.reports;
    sum->whole += watch.whole;
    sum->lost += watch.lost;
    sum->worse += watch.worse;
    sum->untrue += watch.untrue;
}

static void every_solver_reports_best_and_bound_all_the_time(void **state)
{
    const struct bestdag_solver *solver;
    (void)state;
    print_message("seed %d\n", SEED);
    for (int i = 0; (solver = bestdag_solver_at(i)); i++) {
        struct watch sum = {0};
        if (solver->ground != BESTDAG_ON_SETS)
            continue;
        for (uint64_t trial = 0; trial < TRIALS; trial++)
            search_watched(solver, trial, &sum);
        print_message("%s: %d reports, %d with best and bound\n", solver->name,
                      sum.reports, sum.whole);
        assert_int_equal(sum.lost, 0);
        assert_int_equal(sum.worse, 0);
        assert_int_equal(sum.untrue, 0);
        if (solver->proves)
            assert_true(sum.whole > 0 && 2 * sum.whole > sum.reports);
    }
}

/* ---- the rules of best and bound -------------------------------------------
 */

static struct bestdag_progress now(const struct bestdag_run *run)
{
    struct bestdag_progress p = {0};
    bestdag_attained_fill(run, &p);
    return p;
}

static void neither_gets_worse_unless_lists_grow(void **state)
{
    struct bestdag_run *run = bestdag_run_new();
    (void)state;
    assert_true(isnan(now(run).best) && isnan(now(run).bound));
    bestdag_attained_lists(run, 100, -10);
    bestdag_attained_best(run, -30);
    bestdag_attained_best(run, -40);
    bestdag_attained_best(run, (double)NAN);
    bestdag_attained_bound(run, -20);
    bestdag_attained_bound(run, -15);
    bestdag_attained_bound(run, (double)NAN);
    assert_true(now(run).best == -30 && now(run).bound == -20);
    assert_int_equal(now(run).grown, 0);
    bestdag_run_phase(run, "another", 0);
    assert_true(now(run).best == -30 && now(run).bound == -20);
    bestdag_attained_lists(run, 150, -12);
    assert_true(now(run).best == -30 && now(run).bound == -12);
    assert_int_equal(now(run).grown, 1);
    assert_int_equal(now(run).sets, 150);
    bestdag_attained_best(run, -11); /* of a network outside the lists */
    assert_true(isnan(now(run).bound));
    bestdag_attained_clear(run);
    assert_true(isnan(now(run).best) && isnan(now(run).bound));
    bestdag_run_free(run);
}

static void a_slice_that_reports_shares_them(void **state)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_slice_limits share = {.reports = true};
    struct bestdag_slice_limits silent = {0};
    (void)state;
    bestdag_attained_best(run, -30);
    struct bestdag_run *slice = bestdag_run_slice(run, share);
    struct bestdag_run *other = bestdag_run_slice(run, silent);
    assert_true(now(slice).best == -30);
    assert_true(isnan(now(other).best));
    bestdag_attained_best(slice, -20);
    bestdag_attained_best(other, -1);
    assert_true(now(run).best == -20);
    bestdag_run_join(slice);
    bestdag_run_join(other);
    bestdag_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_solver_reports_best_and_bound_all_the_time),
        cmocka_unit_test(neither_gets_worse_unless_lists_grow),
        cmocka_unit_test(a_slice_that_reports_shares_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
