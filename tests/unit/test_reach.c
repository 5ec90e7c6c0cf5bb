/* SPDX-License-Identifier: MIT */
/* test_reach.c -- ancestors and descendants against Floyd and Warshall. */
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

static void check_single(struct bestdag_run *run, const struct bestdag_dag *dag,
                         bool closed[NODES][NODES])
{
    uint64_t row[2], back[2];
    struct bestdag_adjacency down, up;
    assert_int_equal(bestdag_adjacency_of_children(run, dag, &down), 0);
    assert_int_equal(bestdag_adjacency_of_parents(run, dag, &up), 0);
    for (int u = 0; u < dag->n; u++) {
        assert_int_equal(bestdag_reach_from(run, &down, u, row), 0);
        assert_int_equal(bestdag_reach_from(run, &up, u, back), 0);
        for (int v = 0; v < dag->n; v++) {
            assert_int_equal(bestdag_row_has(row, v), closed[u][v]);
            assert_int_equal(bestdag_row_has(back, v), closed[v][u]);
        }
    }
    bestdag_adjacency_release(&down);
    bestdag_adjacency_release(&up);
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
        uint64_t *down = bestdag_reach_descendants(run, dag);
        close_paths(dag, closed);
        for (int u = 0; u < n; u++)
            for (int v = 0; v < n; v++) {
                assert_int_equal(bestdag_row_has(down + u * words, v),
                                 closed[u][v]);
                assert_int_equal(bestdag_row_has(up + v * words, u),
                                 closed[u][v]);
            }
        check_single(run, dag, closed);
        bestdag_free(up);
        bestdag_free(down);
        bestdag_dag_free(dag);
    }
    bestdag_run_free(run);
}

/* Cycles are fine for one source, and refused for a matrix. */
static void paths_of_graphs_with_cycles(void **state)
{
    (void)state;
    static bool closed[NODES][NODES];
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_dag *dag = random_dag(run, 41, 60, 60);
    int order[60];
    assert_int_equal(bestdag_dag_order(run, dag, order), 60);
    assert_int_equal(
        bestdag_dag_set_parents(run, dag, order[30], &order[59], 1), 0);
    assert_int_equal(
        bestdag_dag_set_parents(run, dag, order[59], &order[30], 1), 0);
    close_paths(dag, closed);
    assert_true(closed[order[30]][order[30]]);
    check_single(run, dag, closed);
    assert_null(bestdag_reach_ancestors(run, dag));
    assert_int_equal(bestdag_run_status(run), BESTDAG_INPUT);
    bestdag_run_clear(run);
    assert_null(bestdag_reach_descendants(run, dag));
    assert_int_equal(bestdag_run_status(run), BESTDAG_INPUT);
    bestdag_dag_free(dag);
    bestdag_run_free(run);
}

static bool reach_all_ways(struct bestdag_run *run, const void *dag)
{
    uint64_t row;
    struct bestdag_adjacency graph = {0};
    uint64_t *up = bestdag_reach_ancestors(run, dag);
    uint64_t *down = up ? bestdag_reach_descendants(run, dag) : NULL;
    bool done = down && !bestdag_adjacency_of_children(run, dag, &graph) &&
                !bestdag_reach_from(run, &graph, 0, &row);
    bestdag_adjacency_release(&graph);
    bestdag_free(up);
    bestdag_free(down);
    return done;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_dag *dag = random_dag(run, 42, 10, 15);
    survives_failing_allocations(reach_all_ways, dag);
    bestdag_dag_free(dag);
    bestdag_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_of_random_dags),
        cmocka_unit_test(paths_of_graphs_with_cycles),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
