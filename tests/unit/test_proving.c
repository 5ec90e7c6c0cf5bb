/* SPDX-License-Identifier: MIT */
/* test_proving.c -- the solver `cluster`, and the bounds of those that have
 * none, against brute force: proofs of problems of all kinds, scores of any
 * size, bounds wherever it is stopped, ceilings of any size, failing memory. */
#include <math.h>

#include "bounds/cutting_planes.h"
#include "bounds/root_bound.h"
#include "scratch.h"
#include "search/subsets/part_search.h"
#include "solving.h"

enum { TRIALS = 54 };

static const uint64_t SEED = 20261116;

static void clusters_prove_the_optimum(void **state)
{
    int proved = 0, impossible = 0;
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (uint64_t t = 0; t < TRIALS; t++) {
        struct world w = pose_random(shape_of(SEED, t), "cluster");
        if (proves_optimum(&w))
            proved++;
        else
            impossible++;
        clear(&w);
    }
    print_message("%d proved, %d without a network\n", proved, impossible);
    assert_true(proved > TRIALS / 2 && impossible > 0);
}

/* Without multipliers, and without an order that is known. In some of these
 * all variables can have their best set at once. */
static void the_search_alone_finds_the_optimum(void **state)
{
    int32_t all[16];
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (int v = 0; v < 16; v++)
        all[v] = v;
    for (uint64_t t = 0; t < 60; t++) {
        struct random_sets shape = {.seed = SEED + t,
                                    .n = 9 + (int)(t % 4),
                                    .sets = 10 + (int)(t % 7) * 6,
                                    .levels = t % 3 ? 0 : 6,
                                    .most_parents = 2 + (int)(t % 3)};
        struct world w = pose_random(shape, "cluster");
        int order[16];
        struct bestdag_relaxation *r =
            bestdag_relaxation_of(w.run, w.problem, false);
        struct bestdag_part_search search = {.task = &w.task,
                                             .relax = r,
                                             .variable = all,
                                             .bytes = INT64_MAX / 4,
                                             .upper = BESTDAG_UNKNOWN_COST,
                                             .order = order};
        assert_int_equal(bestdag_part_search_run(&search), BESTDAG_OK);
        assert_true(search.upper == brute_optimum(w.problem));
        assert_true(search.bound == search.upper);
        assert_true(brute_order(w.problem, order) == search.upper);
        bestdag_relaxation_free(r);
        clear(&w);
    }
}

static void bounds_hold_wherever_clusters_are_stopped(void **state)
{
    struct random_sets shape = {
        .seed = SEED, .n = 12, .sets = 60, .most_parents = 4};
    (void)state;
    for (int64_t steps = 1; steps < 100; steps *= 9) {
        struct world w = pose_random(shape, "cluster");
        struct bestdag_outcome got;
        double best = bestdag_problem_nats(w.problem, brute_optimum(w.problem));
        set(&w, "steps", steps);
        assert_int_equal(bestdag_search(&w.task, &got), BESTDAG_OK);
        assert_true(got.bound >= best - 1e-7);
        assert_true(got.score <= best + 1e-7);
        bestdag_dag_free(got.dag);
        clear(&w);
    }
}

/* From long ago to when most have ended. */
static void bounds_hold_whenever_time_is_up(void **state)
{
    static const char *const solvers[] = {"cluster", "astar", "bfbnb", "bnb",
                                          "dp"};
    (void)state;
    for (uint64_t t = 0; t < 100; t++) {
        struct random_sets shape = {.seed = SEED + t / 5 % 4,
                                    .n = 12,
                                    .sets = 60,
                                    .most_parents = 2 + (int)(t % 3)};
        struct world w = pose_random(shape, solvers[t % 5]);
        struct bestdag_outcome got;
        double best = bestdag_problem_nats(w.problem, brute_optimum(w.problem));
        w.run->deadline = bestdag_seconds() - 1 / 1024.0 + (double)t / 4096;
        assert_int_equal(bestdag_search(&w.task, &got), BESTDAG_OK);
        assert_true(got.bound >= best - 1e-7);
        assert_true(got.score <= best + 1e-7);
        bestdag_dag_free(got.dag);
        clear(&w);
    }
}

/* Every variable wants all others: all but one pay `worst`. */
static struct bestdag_sets *make_crowd(struct bestdag_run *run, int n,
                                       double worst)
{
    struct bestdag_sets *sets = bestdag_sets_new(run, n);
    for (int v = 0; v < n; v++) {
        struct bestdag_collector *c = bestdag_collector_new(run);
        int others[16], count = 0;
        char name[16];
        for (int u = 0; u < n; u++)
            if (u != v)
                others[count++] = u;
        snprintf(name, sizeof name, "V%d", v);
        sets->names[v] = bestdag_strdup(run, name);
        bestdag_collector_add(c, others, count, 0);
        bestdag_collector_add(c, NULL, 0, worst);
        bestdag_collector_finish(c, true, &sets->list[v]);
        bestdag_collector_free(c);
    }
    assert_fine(run);
    return sets;
}

/* Larger ones are refused: test_proofs.c. */
static void scores_may_be_of_any_size(void **state)
{
    static const char *const solvers[] = {"cluster", "orders", "obs"};
    (void)state;
    for (int i = 0; i < COUNT(solvers); i++)
        for (double worst = -1e-6; worst > -1e14; worst *= 1e4) {
            struct bestdag_run *run = bestdag_run_new();
            struct world w = pose(run, make_crowd(run, 8, worst),
                                  bestdag_solver_find(solvers[i]));
            struct bestdag_outcome got;
            if (i)
                set(&w, "steps", 100);
            assert_int_equal(bestdag_search(&w.task, &got), BESTDAG_OK);
            assert_true(fabs(got.score / (7 * worst) - 1) < 1e-9);
            assert_true(got.bound >= got.score);
            assert_true(got.bound <= 0.4 * got.score);
            if (!i)
                assert_string_equal(got.status, "optimal");
            bestdag_dag_free(got.dag);
            clear(&w);
        }
}

/* A file may claim anything. */
static void ceilings_may_be_of_any_size(void **state)
{
    static const double sizes[] = {0, 1, 1e3, 1e6, 1e9, 1e18, 1e19, 1e300};
    int bounded = 0;
    (void)state;
    for (int i = 0; i < 2 * COUNT(sizes); i++) {
        double ceiling = i % 2 ? sizes[i / 2] : -sizes[i / 2];
        struct random_sets shape = {
            .seed = SEED, .n = 6, .sets = 12, .most_parents = 3};
        struct world w = pose_random(shape, "orders");
        struct bestdag_outcome got;
        double best = bestdag_problem_nats(w.problem, brute_optimum(w.problem));
        for (int v = 0; v < shape.n; v++)
            w.sets->list[v].ceiling = ceiling;
        assert_int_equal(bestdag_search(&w.task, &got), BESTDAG_OK);
        if (!isnan(got.global_bound)) {
            assert_true(got.global_bound >= best - 1e-7);
            assert_true(got.global_bound >= shape.n * ceiling);
            bounded++;
        } else
            assert_true(ceiling > 1e3);
        bestdag_dag_free(got.dag);
        clear(&w);
    }
    assert_true(bounded > COUNT(sizes));
}

/* What is not known is no bound, and what is complete needs no other. */
static void there_is_a_bound_of_all_only_where_it_is_known(void **state)
{
    static const double ceilings[] = {-INFINITY, INFINITY, -1};
    (void)state;
    for (int i = 0; i < COUNT(ceilings); i++) {
        struct random_sets shape = {
            .seed = SEED, .n = 6, .sets = 12, .most_parents = 3};
        struct world w = pose_random(shape, "orders");
        for (int v = 0; v < shape.n; v++)
            w.sets->list[v].ceiling = v ? -1 : ceilings[i];
        assert_int_equal(bestdag_root_opens(w.problem), i != 1);
        for (int v = 0; v < shape.n; v++)
            w.sets->list[v].ceiling = -INFINITY;
        assert_false(bestdag_root_opens(w.problem));
        clear(&w);
    }
}

static void every_allocation_of_a_proof_may_fail(void **state)
{
    (void)state;
    const char *folder = scratch_make();
    const char *path = scratch_path(folder, "proof.cert");
    struct random_sets shape = {
        .seed = 12, .n = 7, .sets = 20, .most_parents = 3};
    bool failed = true;
    for (int64_t n = 1; failed; n++) {
        struct world w = pose_random(shape, "cluster");
        struct bestdag_outcome got;
        bestdag_options_set(w.run, w.options, "certificate", path);
        bestdag_options_set(w.run, w.options, "orders.steps", "1");
        bestdag_memory_fail_at(w.run, n);
        int status = bestdag_search(&w.task, &got);
        failed = bestdag_memory_has_failed(w.run);
        bestdag_memory_fail_at(w.run, 0);
        assert_true(!status || (failed && status == BESTDAG_MEMORY));
        bestdag_dag_free(got.dag);
        clear(&w);
    }
    scratch_files(folder, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clusters_prove_the_optimum),
        cmocka_unit_test(the_search_alone_finds_the_optimum),
        cmocka_unit_test(bounds_hold_wherever_clusters_are_stopped),
        cmocka_unit_test(bounds_hold_whenever_time_is_up),
        cmocka_unit_test(scores_may_be_of_any_size),
        cmocka_unit_test(ceilings_may_be_of_any_size),
        cmocka_unit_test(there_is_a_bound_of_all_only_where_it_is_known),
        cmocka_unit_test(every_allocation_of_a_proof_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
