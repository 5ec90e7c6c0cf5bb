/* SPDX-License-Identifier: MIT */
/* test_reach.c -- ancestors against Floyd and Warshall. */
#include "small_graphs.h"

#include "graph/reach.h"

enum { NODES = 90 }; /* rows of two words */

/* closed[u][v]: a path of at least one arc from u to v. */
static void close_paths(const struct bestdag_dag *dag,
                        bool closed[NODES][NODES])
{
    memset(closed, 0, sizeof(bool[NODES][NODES]));
    for (int v = 0; v < dag->n; v++)
        for (int i = 0; i < dag->parents[v].count; i++)
            closed[dag->parents[v].at[i]][v] = true;
    for (int k = 0; k < dag->n; k++)
        for (int u = 0; u < dag->n; u++)
            for (int v = 0; v < dag->n; v++)
                closed[u][v] |= closed[u][k] && closed[k][v];
}

static void paths_of_random_dags(void **state)
{
    (void)state;
    uint64_t seed = 40;
    print_message("seed %llu\n", (unsigned long long)seed);
    static bool closed[NODES][NODES];
    struct bestdag_run *run = bestdag_run_new();
    for (uint64_t round = 0; round < 30; round++) {
        int n = NODES - 2 * (int)round;
        struct bestdag_dag *dag = random_dag(run, seed + round, n, n);
        size_t words = bestdag_row_words(n);
        uint64_t *up = bestdag_reach_ancestors(run, dag);
        close_paths(dag, closed);
        for (int u = 0; u < n; u++)
            for (int v = 0; v < n; v++)
                assert_int_equal(bestdag_row_has(up + v * words, u),
                                 closed[u][v]);
        bestdag_free(up);
        bestdag_dag_free(dag);
    }
    bestdag_run_free(run);
}

static void cycles_are_refused(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_dag *dag = random_dag(run, 41, 60, 60);
    int order[60];
    assert_int_equal(bestdag_dag_order(run, dag, order), 60);
    assert_int_equal(
        bestdag_dag_set_parents(run, dag, order[30], &order[59], 1), 0);
    assert_int_equal(
        bestdag_dag_set_parents(run, dag, order[59], &order[30], 1), 0);
    assert_null(bestdag_reach_ancestors(run, dag));
    assert_int_equal(bestdag_run_status(run), BESTDAG_INPUT);
    bestdag_dag_free(dag);
    bestdag_run_free(run);
}

static bool find_ancestors(struct bestdag_run *run, const void *dag)
{
    uint64_t *up = bestdag_reach_ancestors(run, dag);
    bestdag_free(up);
    return up != NULL;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_dag *dag = random_dag(run, 42, 10, 15);
    survives_failing_allocations(find_ancestors, dag);
    bestdag_dag_free(dag);
    bestdag_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_of_random_dags),
        cmocka_unit_test(cycles_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
