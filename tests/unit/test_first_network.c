/* SPDX-License-Identifier: MIT */
/* test_first_network.c -- climbing from an order never leads down, and ends
 * between it and the optimum. */
#include "bounds/relaxation.h"
#include "search/orders/first_network.h"
#include "solving.h"

enum { TRIALS = 300, MOST = 10 };

static uint64_t seed_of(void)
{
    const char *text = getenv("BESTDAG_TEST_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 10) : 20261117;
    print_message("seed %llu\n", (unsigned long long)seed);
    return seed;
}

/* What the network of an order costs; -1: it has none. */
static int64_t cost_of(struct world *w, const int *order)
{
    int64_t cost = -1;
    struct bestdag_dag *dag =
        bestdag_order_dag(w->run, w->problem, order, &cost);
    assert_non_null(dag);
    bestdag_dag_free(dag);
    return cost;
}

static struct random_sets shape(uint64_t seed, uint64_t trial)
{
    return (struct random_sets){.seed = seed + trial,
                                .n = 8 + (int)(trial % 3),
                                .sets = 20 + (int)(trial % 30),
                                .most_parents = 3,
                                .levels = trial % 5 ? 0 : 4};
}

static void climbing_is_never_worse(void **unused)
{
    uint64_t seed = seed_of();
    struct bestdag_random random = bestdag_random_init(seed, 1);
    int better = 0, best = 0;
    (void)unused;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        struct world w = pose_random(shape(seed, trial), "cluster");
        int order[MOST];
        int64_t steps = 0, optimum = brute_optimum(w.problem);
        random_order(&random, w.task.n, order);
        int64_t before = cost_of(&w, order);
        assert_int_equal(bestdag_first_network_climb(&w.task, 1, order, &steps),
                         BESTDAG_OK);
        int64_t after = cost_of(&w, order);
        assert_true(steps > 0);
        assert_true(after <= before && after >= optimum);
        better += after < before;
        best += after == optimum;
        clear(&w);
    }
    print_message("%d of %d better, %d at the optimum\n", better, TRIALS, best);
    assert_true(better > TRIALS / 2 && best > TRIALS / 4);
}

/* Without room for it the order stays, and nothing fails. */
static void little_memory_is_no_failure(void **unused)
{
    struct world w = pose_random(shape(1, 1), "cluster");
    int order[MOST], same[MOST];
    int64_t steps = 0;
    struct bestdag_random random = bestdag_random_init(1, 1);
    (void)unused;
    random_order(&random, w.task.n, order);
    memcpy(same, order, sizeof same);
    bestdag_budget_limit(w.run->budget, bestdag_memory_used(w.run) + 1000);
    assert_int_equal(bestdag_first_network_climb(&w.task, 1, order, &steps),
                     BESTDAG_OK);
    assert_memory_equal(order, same, (size_t)w.task.n * sizeof *order);
    assert_int_equal(steps, 0);
    clear(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(climbing_is_never_worse),
        cmocka_unit_test(little_memory_is_no_failure)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
