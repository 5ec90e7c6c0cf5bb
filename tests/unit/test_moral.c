/* SPDX-License-Identifier: MIT */
/* test_moral.c -- moral graphs against their definition. */
#include "small_graphs.h"

#include "graph/moral.h"

static bool is_moral(const struct bestdag_dag *dag, int a, int b)
{
    if (bestdag_dag_has_arc(dag, a, b) || bestdag_dag_has_arc(dag, b, a))
        return true;
    for (int c = 0; c < dag->n; c++)
        if (a != b && bestdag_dag_has_arc(dag, a, c) &&
            bestdag_dag_has_arc(dag, b, c))
            return true;
    return false;
}

static bool check_moral(struct bestdag_run *run, const struct bestdag_dag *dag)
{
    int n = dag->n;
    struct bestdag_adjacency children = {0};
    int *stamp = bestdag_calloc(run, (size_t)n, sizeof *stamp);
    int *list = bestdag_alloc(run, (size_t)n * sizeof *list);
    bool done =
        stamp && list && !bestdag_adjacency_of_children(run, dag, &children);
    for (int a = 0; done && a < n; a++) {
        int count = bestdag_moral_list(dag, &children, a, stamp, list);
        for (int b = 0; b < n; b++) {
            assert_int_equal(stamp[b] == a + 1, b == a || is_moral(dag, a, b));
            count -= b != a && stamp[b] == a + 1;
        }
        assert_int_equal(count, 0);
    }
    bestdag_adjacency_release(&children);
    bestdag_free(stamp);
    bestdag_free(list);
    return done;
}

static void moral_graphs_of_random_dags(void **state)
{
    (void)state;
    uint64_t seed = 50;
    print_message("seed %llu\n", (unsigned long long)seed);
    struct bestdag_run *run = bestdag_run_new();
    for (uint64_t round = 0; round < 20; round++) {
        int n = 1 + 5 * (int)round;
        struct bestdag_dag *dag = random_dag(run, seed + round, n, 2 * n);
        assert_true(check_moral(run, dag));
        bestdag_dag_free(dag);
    }
    bestdag_run_free(run);
}

static bool moralise(struct bestdag_run *run, const void *dag)
{
    return check_moral(run, dag);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_dag *dag = random_dag(run, 51, 10, 15);
    survives_failing_allocations(moralise, dag);
    bestdag_dag_free(dag);
    bestdag_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moral_graphs_of_random_dags),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
