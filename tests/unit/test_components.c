/* SPDX-License-Identifier: MIT */
/* test_components.c -- strong components against reachability. */
#include "small_graphs.h"

#include "graph/components.h"
#include "base/row.h"

/* Any directed graph of n nodes; arcs may be loops or come twice. */
static struct bestdag_adjacency random_graph(struct bestdag_run *run,
                                             struct bestdag_random *random,
                                             int n, int64_t arcs)
{
    struct bestdag_adjacency g = {.n = n};
    g.start = bestdag_calloc(run, (size_t)n + 1, sizeof *g.start);
    g.to = bestdag_alloc(run, (size_t)arcs * sizeof *g.to);
    for (int64_t i = 0; i < arcs; i++) {
        g.start[1 + bestdag_random_below(random, (uint64_t)n)]++;
        g.to[i] = (int)bestdag_random_below(random, (uint64_t)n);
    }
    for (int v = 0; v < n; v++)
        g.start[v + 1] += g.start[v];
    return g;
}

/* What is reached from v along at least one arc. */
static void reach_from(const struct bestdag_adjacency *g, int v, uint64_t *row)
{
    for (int64_t i = g->start[v]; i < g->start[v + 1]; i++)
        if (!bestdag_row_has(row, g->to[i])) {
            bestdag_row_add(row, g->to[i]);
            reach_from(g, g->to[i], row);
        }
}

static void check(struct bestdag_run *run, const struct bestdag_adjacency *g)
{
    enum { NODES = 100 };
    uint64_t reach[NODES][2] = {0};
    int component[NODES], used[NODES] = {0};
    int count = bestdag_components_strong(run, g, component), distinct = 0;
    for (int v = 0; v < g->n; v++) {
        reach_from(g, v, reach[v]);
        assert_in_range(component[v], 0, count - 1);
        distinct += !used[component[v]]++;
    }
    assert_int_equal(distinct, count);
    for (int u = 0; u < g->n; u++)
        for (int v = 0; v < g->n; v++) {
            bool forth = bestdag_row_has(reach[u], v);
            bool back = bestdag_row_has(reach[v], u);
            assert_int_equal(component[u] == component[v],
                             u == v || (forth && back));
            if (forth && !back)
                assert_true(component[u] < component[v] || u == v);
        }
}

static void components_of_random_graphs(void **state)
{
    (void)state;
    uint64_t seed = 60;
    print_message("seed %llu\n", (unsigned long long)seed);
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_random random = bestdag_random_init(seed, 0);
    for (int round = 0; round < 400; round++) {
        int n = 1 + (int)bestdag_random_below(&random, 100);
        int64_t arcs = (int64_t)bestdag_random_below(&random, 3 * (uint64_t)n);
        struct bestdag_adjacency g = random_graph(run, &random, n, arcs);
        check(run, &g);
        bestdag_adjacency_release(&g);
    }
    bestdag_run_free(run);
}

/* 0 -> 1 -> ... -> n - 1, closed to a ring if asked: deep, not recursive. */
static int components_of_path(struct bestdag_run *run, int n, bool ring,
                              int *component)
{
    struct bestdag_dag *dag = bestdag_dag_new(run, n);
    for (int v = 0; v < n; v++) {
        int before = v ? v - 1 : n - 1;
        assert_int_equal(
            bestdag_dag_set_parents(run, dag, v, &before, v || ring), 0);
    }
    struct bestdag_adjacency g;
    assert_int_equal(bestdag_adjacency_of_children(run, dag, &g), 0);
    int count = bestdag_components_strong(run, &g, component);
    bestdag_adjacency_release(&g);
    bestdag_dag_free(dag);
    return count;
}

static void a_long_path_is_all_apart_and_a_ring_is_one(void **state)
{
    (void)state;
    enum { NODES = 300000 };
    struct bestdag_run *run = bestdag_run_new();
    int *component = malloc(NODES * sizeof *component);
    assert_int_equal(components_of_path(run, NODES, false, component), NODES);
    for (int v = 0; v < NODES; v++)
        assert_int_equal(component[v], v);
    assert_int_equal(components_of_path(run, NODES, true, component), 1);
    free(component);
    bestdag_run_free(run);
}

static void no_nodes_have_no_components(void **state)
{
    (void)state;
    int nothing;
    struct bestdag_run *run = bestdag_run_new();
    assert_int_equal(components_of_path(run, 0, false, &nothing), 0);
    bestdag_run_free(run);
}

static bool find_components(struct bestdag_run *run, const void *graph)
{
    int component[20];
    return bestdag_components_strong(run, graph, component) >= 0;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_random random = bestdag_random_init(61, 0);
    struct bestdag_adjacency g = random_graph(run, &random, 20, 40);
    survives_failing_allocations(find_components, &g);
    bestdag_adjacency_release(&g);
    bestdag_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_of_random_graphs),
        cmocka_unit_test(a_long_path_is_all_apart_and_a_ring_is_one),
        cmocka_unit_test(no_nodes_have_no_components),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
