/* SPDX-License-Identifier: MIT */
/* test_solvers.c -- every row of the table of solvers that works on candidate
 * sets: never above the best by trying all orders, same answer for any number
 * of threads, a network also when stopped at once, nothing lost when memory
 * fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../unit/solving.h"

enum { TRIALS = 40 };

static uint64_t seed_of(void)
{
    const char *text = getenv("BESTDAG_TEST_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 10) : 20261116;
    print_message("seed %llu\n", (unsigned long long)seed);
    return seed;
}

static const struct bestdag_solver *next_solver(int *i)
{
    const struct bestdag_solver *s;
    while ((s = bestdag_solver_at((*i)++)))
        if (s->ground == BESTDAG_ON_SETS)
            return s;
    return NULL;
}

/* Those without end on their own, and take a time that grows with n. */
static bool has_steps(const struct bestdag_solver *s)
{
    const struct bestdag_option *o;
    for (int i = 0; (o = bestdag_option_at(i)); i++)
        if (!strcmp(o->group, s->name) && !strcmp(o->key, "steps"))
            return true;
    return false;
}

static struct world make(const struct bestdag_solver *s, uint64_t seed,
                         struct random_sets shape, const char *threads)
{
    struct bestdag_run *run = bestdag_run_new();
    shape.seed = seed;
    bestdag_run_set(run, "threads", threads);
    struct world w = pose(run, random_sets(run, shape), s);
    if (has_steps(s)) /* nodes take longer than look-ups */
        set(&w, "steps", s->proves ? 500 : 20000);
    return w;
}

static double worth(const struct bestdag_problem *p, int64_t cost)
{
    return bestdag_problem_nats(p, cost) + 1e-6;
}

static void nobody_is_above_the_best(void **state)
{
    uint64_t seed = seed_of();
    (void)state;
    const struct bestdag_solver *s;
    for (int i = 0; (s = next_solver(&i));) {
        int reached = 0, feasible = 0;
        for (uint64_t t = 0; t < TRIALS; t++) {
            struct random_sets shape = {.n = 2 + (int)(t % 5),
                                        .sets = 8,
                                        .most_parents = 3,
                                        .no_empty = t % 2};
            struct world w = make(s, seed + t, shape, "1");
            struct bestdag_outcome got;
            int64_t best = brute_optimum(w.problem);
            int status = bestdag_search(&w.task, &got);
            if (best >= w.problem->none)
                assert_int_equal(status, BESTDAG_INFEASIBLE);
            else if (!status) {
                feasible++;
                assert_true(got.score <= worth(w.problem, best));
                assert_true(got.bound >= got.score);
                assert_true(got.gap >= 0);
                reached += got.score >= worth(w.problem, best) - 2e-6;
            } else /* a heuristic may find none where sets are few */
                assert_int_equal(status, BESTDAG_INFEASIBLE);
            bestdag_dag_free(got.dag);
            clear(&w);
        }
        print_message("%s: the best in %d of %d\n", s->name, reached, feasible);
        assert_true(reached * 2 > feasible);
    }
}

static bool same_dag(const struct bestdag_dag *a, const struct bestdag_dag *b)
{
    for (int v = 0; v < a->n; v++)
        if (a->parents[v].count != b->parents[v].count ||
            memcmp(a->parents[v].at, b->parents[v].at,
                   (size_t)a->parents[v].count * sizeof(int)) != 0)
            return false;
    return true;
}

static void threads_do_not_change_the_answer(void **state)
{
    static const char *const threads[] = {"1", "2", "8"};
    uint64_t seed = seed_of();
    (void)state;
    const struct bestdag_solver *s;
    for (int i = 0; (s = next_solver(&i));) {
        struct bestdag_outcome got[3];
        for (int k = 0; k < 3; k++) {
            struct random_sets shape = {
                .n = has_steps(s) ? 22 : 16, .sets = 40, .most_parents = 4};
            struct world w = make(s, seed, shape, threads[k]);
            assert_int_equal(bestdag_search(&w.task, &got[k]), BESTDAG_OK);
            assert_true(same_dag(got[k].dag, got[0].dag));
            assert_int_equal(got[k].steps, got[0].steps);
            clear(&w);
        }
        for (int k = 0; k < 3; k++)
            bestdag_dag_free(got[k].dag);
    }
}

static void stopped_at_once_there_is_a_network(void **state)
{
    (void)state;
    const struct bestdag_solver *s;
    for (int i = 0; (s = next_solver(&i));) {
        struct random_sets shape = {.n = 20, .sets = 30, .most_parents = 3};
        struct world w = make(s, 5, shape, "2");
        struct bestdag_outcome got;
        bestdag_run_stop(w.run);
        assert_int_equal(bestdag_search(&w.task, &got), BESTDAG_OK);
        assert_non_null(got.dag);
        assert_string_equal(got.status, "interrupted");
        bestdag_dag_free(got.dag);
        clear(&w);
    }
}

/* 0 -> 1 and 1 -> 0 are the only sets. */
static void sets_that_allow_no_network_are_told(void **state)
{
    (void)state;
    const struct bestdag_solver *s;
    for (int i = 0; (s = next_solver(&i));) {
        struct bestdag_run *run = bestdag_run_new();
        struct bestdag_sets *sets = bestdag_sets_new(run, 2);
        struct bestdag_collector *c = bestdag_collector_new(run);
        for (int v = 0; v < 2; v++) {
            int parent = 1 - v;
            sets->names[v] = bestdag_strdup(run, v ? "b" : "a");
            bestdag_collector_add(c, &parent, 1, -1);
            bestdag_collector_finish(c, true, &sets->list[v]);
        }
        struct bestdag_problem *problem = bestdag_problem_new(run, sets);
        struct bestdag_options *options = bestdag_options_new(run);
        if (has_steps(s))
            bestdag_options_set(run, options, "set", "steps=1000");
        struct bestdag_task task = {.run = run,
                                    .solver = s,
                                    .options = options,
                                    .problem = problem,
                                    .n = 2};
        struct bestdag_outcome got;
        assert_int_equal(bestdag_search(&task, &got), BESTDAG_INFEASIBLE);
        bestdag_collector_free(c);
        bestdag_options_free(options);
        bestdag_problem_free(problem);
        bestdag_sets_free(sets);
        bestdag_run_free(run);
    }
}

/* With an incumbent that is the answer; else an error. */
static void failing_memory_is_told(void **state)
{
    (void)state;
    const struct bestdag_solver *s;
    for (int i = 0; (s = next_solver(&i));) {
        bool failed = true;
        for (int64_t at = 1; failed && at < 2000; at++) {
            struct random_sets shape = {.n = 6, .sets = 6, .most_parents = 2};
            struct world w = make(s, 9, shape, "1");
            struct bestdag_outcome got;
            bestdag_memory_fail_at(w.run, at);
            int status = bestdag_search(&w.task, &got);
            failed = bestdag_memory_has_failed(w.run);
            assert_true(!status || (failed && status == BESTDAG_MEMORY));
            if (!status)
                assert_true(failed == (got.reason[0] != 0) && got.dag);
            bestdag_dag_free(got.dag);
            clear(&w);
        }
        assert_false(failed);
    }
}

static void unknown_settings_are_refused(void **state)
{
    (void)state;
    const struct bestdag_solver *s;
    for (int i = 0; (s = next_solver(&i));) {
        struct random_sets shape = {.n = 4, .sets = 6, .most_parents = 2};
        struct world w = make(s, 1, shape, "1");
        struct bestdag_outcome got;
        bestdag_options_set(w.run, w.options, "set", "fish=3");
        assert_int_equal(bestdag_search(&w.task, &got), BESTDAG_USAGE);
        assert_non_null(strstr(bestdag_run_error(w.run), "fish"));
        clear(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_is_above_the_best),
        cmocka_unit_test(threads_do_not_change_the_answer),
        cmocka_unit_test(stopped_at_once_there_is_a_network),
        cmocka_unit_test(sets_that_allow_no_network_are_told),
        cmocka_unit_test(failing_memory_is_told),
        cmocka_unit_test(unknown_settings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
