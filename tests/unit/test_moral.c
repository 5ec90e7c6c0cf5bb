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

static void moral_graphs_of_random_dags(void **state)
{
    (void)state;
    uint64_t seed = 50;
    print_message("seed %llu\n", (unsigned long long)seed);
    struct bestdag_run *run = bestdag_run_new();
    for (uint64_t round = 0; round < 20; round++) {
        int n = 1 + 5 * (int)round;
        struct bestdag_dag *dag = random_dag(run, seed + round, n, 2 * n);
        size_t words = bestdag_row_words(n);
        uint64_t *rows = bestdag_moral_rows(run, dag);
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                assert_int_equal(bestdag_row_has(rows + a * words, b),
                                 is_moral(dag, a, b));
        bestdag_free(rows);
        bestdag_dag_free(dag);
    }
    bestdag_run_free(run);
}

static bool moralise(struct bestdag_run *run, const void *dag)
{
    uint64_t *rows = bestdag_moral_rows(run, dag);
    bestdag_free(rows);
    return rows != NULL;
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
