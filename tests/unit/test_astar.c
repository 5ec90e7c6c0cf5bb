/* SPDX-License-Identifier: MIT */
/* test_astar.c -- A* over subsets: the optimum by brute force with groups of
 * every size, the same as dp, bounds that hold wherever it is stopped, limits
 * of memory, components that are too large. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "problem/core.h"
#include "solving.h"

enum { TRIALS = 200 };

static const uint64_t SEED = 20261116;

static void it_finds_and_proves_the_optimum(void **state)
{
    int proved = 0, impossible = 0;
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (uint64_t t = 0; t < TRIALS; t++) {
        struct world w = pose_random(shape_of(SEED, t), "astar");
        struct bestdag_outcome got;
        int64_t best = brute_optimum(w.problem);
        set(&w, "group", (int64_t)(t / 12 % 8));
        int status = bestdag_search(&w.task, &got);
        if (best >= w.problem->none) {
            assert_int_equal(status, BESTDAG_INFEASIBLE);
            impossible++;
        } else {
            double nats = bestdag_problem_nats(w.problem, best);
            assert_int_equal(status, BESTDAG_OK);
            assert_string_equal(got.status, "optimal");
            assert_true(fabs(got.score - nats) < 1e-7);
            proved++;
        }
        bestdag_dag_free(got.dag);
        clear(&w);
    }
    print_message("%d proved, %d without a network\n", proved, impossible);
    assert_true(proved > TRIALS / 2 && impossible > 0);
}

static void it_agrees_with_dp(void **state)
{
    (void)state;
    for (uint64_t t = 0; t < 8; t++) {
        struct bestdag_outcome got[2];
        for (int i = 0; i < 2; i++) {
            struct world w =
                pose_random((struct random_sets){.seed = SEED + t,
                                                 .n = 16 + (int)(t % 3),
                                                 .sets = 100,
                                                 .most_parents = 4},
                            i ? "astar" : "dp");
            if (i)
                set(&w, "group", t % 4 ? 4 + (int64_t)t : 0);
            assert_int_equal(bestdag_search(&w.task, &got[i]), BESTDAG_OK);
            assert_string_equal(got[i].status, "optimal");
            clear(&w);
        }
        assert_true(fabs(got[0].score - got[1].score) < 1e-7);
        bestdag_dag_free(got[0].dag);
        bestdag_dag_free(got[1].dag);
    }
}

/* The more steps, the tighter. */
static void bounds_hold_wherever_it_is_stopped(void **state)
{
    struct random_sets shape = {
        .seed = SEED, .n = 14, .sets = 60, .most_parents = 4};
    int stopped = 0;
    double last = INFINITY;
    (void)state;
    for (int64_t steps = 1; steps < 100000; steps += 1 + steps / 4) {
        struct world w = pose_random(shape, "astar");
        struct bestdag_outcome got;
        double best = bestdag_problem_nats(w.problem, brute_optimum(w.problem));
        set(&w, "steps", steps);
        set(&w, "group", 0);
        assert_int_equal(bestdag_search(&w.task, &got), BESTDAG_OK);
        assert_true(got.score <= best + 1e-7 && got.bound >= best - 1e-7);
        assert_true(got.bound <= last + 1e-7);
        last = got.bound;
        stopped += !strcmp(got.status, "stopped");
        if (got.bound > got.score + 1e-6)
            assert_string_equal(got.status, "stopped");
        bestdag_dag_free(got.dag);
        clear(&w);
    }
    assert_true(stopped > 3);
}

/* Ends with the incumbent and a bound where nodes do not fit any more. */
static void short_memory_still_gives_a_network_and_a_bound(void **state)
{
    struct random_sets shape = {
        .seed = SEED, .n = 18, .sets = 100, .most_parents = 5};
    int unproved = 0;
    double optimum = 0;
    (void)state;
    for (int64_t more = 0; more < 6; more++) {
        struct world w = pose_random(shape, "astar");
        struct bestdag_outcome got;
        char limit[32];
        int64_t bytes = bestdag_memory_used(w.run) * 2 + (100000 << more);
        snprintf(limit, sizeof limit, "%lldK", (long long)bytes / 1024);
        if (more)
            bestdag_run_set(w.run, "memory-limit", limit);
        set(&w, "group", 0);
        assert_int_equal(bestdag_search(&w.task, &got), BESTDAG_OK);
        if (!more)
            optimum = got.score;
        unproved += strcmp(got.status, "optimal") != 0;
        assert_true(got.score <= optimum + 1e-7);
        assert_true(got.bound >= optimum - 1e-7);
        assert_true(!more || bestdag_memory_peak(w.run) <= bytes);
        bestdag_dag_free(got.dag);
        clear(&w);
    }
    print_message("%d of 5 unproved\n", unproved);
    assert_true(unproved > 0);
}

static void too_large_components_keep_their_order(void **state)
{
    (void)state;
    struct world w = pose_random(
        (struct random_sets){
            .seed = 1, .n = 100, .sets = 20, .most_parents = 3},
        "astar");
    struct bestdag_outcome got;
    assert_true(bestdag_core_largest(w.run, w.problem) > 64);
    assert_int_equal(bestdag_search(&w.task, &got), BESTDAG_OK);
    assert_true(got.bound > got.score);
    assert_string_equal(got.status, "heuristic");
    bestdag_dag_free(got.dag);
    clear(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_finds_and_proves_the_optimum),
        cmocka_unit_test(it_agrees_with_dp),
        cmocka_unit_test(bounds_hold_wherever_it_is_stopped),
        cmocka_unit_test(short_memory_still_gives_a_network_and_a_bound),
        cmocka_unit_test(too_large_components_keep_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
