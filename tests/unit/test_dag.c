/* SPDX-License-Identifier: MIT */
/* test_dag.c -- parent lists, orders, cycles, adjacency blocks. */
#include "small_graphs.h"

#include "graph/adjacency.h"

static void parents_are_sorted_and_found(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_dag *dag = bestdag_dag_new(run, 5);
    assert_int_equal(bestdag_dag_set_parents(run, dag, 2, (int[]){4, 0, 3}, 3),
                     0);
    assert_memory_equal(dag->parents[2].at, ((int[]){0, 3, 4}),
                        3 * sizeof(int));
    assert_int_equal(bestdag_dag_parent_at(dag, 3, 2), 1);
    assert_int_equal(bestdag_dag_parent_at(dag, 1, 2), -1);
    assert_true(bestdag_dag_has_arc(dag, 4, 2));
    assert_false(bestdag_dag_has_arc(dag, 2, 4));
    assert_int_equal(bestdag_dag_arcs(dag), 3);
    assert_int_equal(bestdag_dag_set_parents(run, dag, 2, (int[]){1}, 1), 0);
    assert_int_equal(bestdag_dag_arcs(dag), 1);
    bestdag_dag_free(dag);
    bestdag_run_free(run);
}

static void bad_parents_are_refused_and_change_nothing(void **state)
{
    (void)state;
    const int bad[][2] = {{0, 5}, {-1, 0}, {2, 0}, {3, 3}};
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_dag *dag = bestdag_dag_new(run, 5);
    assert_int_equal(bestdag_dag_set_parents(run, dag, 2, (int[]){1}, 1), 0);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(bestdag_dag_set_parents(run, dag, 2, bad[i], 2),
                         BESTDAG_USAGE);
        assert_int_equal(dag->parents[2].count, 1);
        bestdag_run_clear(run);
    }
    bestdag_dag_free(dag);
    bestdag_run_free(run);
}

static void a_copy_is_equal_and_apart(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_dag *dag = random_dag(run, 30, 20, 40);
    struct small before = of_dag(dag);
    struct bestdag_dag *copy = bestdag_dag_copy(run, dag);
    for (int v = 0; v < 20; v++)
        set_parents(run, dag, v, 0);
    struct small after = of_dag(copy);
    assert_true(same(&before, &after));
    bestdag_dag_free(copy);
    bestdag_dag_free(dag);
    bestdag_run_free(run);
}

/* The order said in the header, found by scanning. */
static int plain_order(const struct small *g, int *order)
{
    uint32_t placed = 0;
    int count = 0;
    for (int v = 0; v < g->n; v++)
        if (!has(placed, v) && !(g->parents[v] & ~placed)) {
            order[count++] = v;
            placed |= (uint32_t)1 << v;
            v = -1;
        }
    return count;
}

static void check_cycle(struct bestdag_run *run, const struct small *g,
                        const struct bestdag_dag *dag)
{
    int cycle[MOST_NODES];
    uint32_t seen = 0;
    int length = bestdag_dag_cycle(run, dag, cycle);
    assert_int_equal(length > 0, !acyclic(g));
    for (int i = 0; i < length; i++) {
        assert_true(has(g->parents[cycle[(i + 1) % length]], cycle[i]));
        assert_false(has(seen, cycle[i]));
        seen |= (uint32_t)1 << cycle[i];
    }
}

static void check_order(struct bestdag_run *run, const struct small *g)
{
    int order[MOST_NODES], expected[MOST_NODES];
    struct bestdag_dag *dag = to_dag(run, g);
    int placed = bestdag_dag_order(run, dag, order);
    assert_int_equal(placed, plain_order(g, expected));
    assert_memory_equal(order, expected, (size_t)placed * sizeof *order);
    check_cycle(run, g, dag);
    bestdag_dag_free(dag);
}

static void orders_and_cycles_of_small_graphs(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    for (int n = 0; n <= 4; n++)
        for (int code = 0; code < codes(n, 3); code++) {
            struct small g = decode(n, 3, code);
            check_order(run, &g);
        }
    bestdag_run_free(run);
}

static void orders_and_cycles_of_random_graphs(void **state)
{
    (void)state;
    uint64_t seed = 31;
    print_message("seed %llu\n", (unsigned long long)seed);
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_random random = bestdag_random_init(seed, 0);
    for (int round = 0; round < 500; round++) {
        int n = 2 + (int)bestdag_random_below(&random, 20);
        struct small g = random_small(&random, n, 0.2);
        check_order(run, &g);
        for (int i = 0; i < 3; i++) { /* close a few loops, two-cycles too */
            int a = (int)bestdag_random_below(&random, (uint64_t)n);
            int b = (int)bestdag_random_below(&random, (uint64_t)n);
            if (a != b)
                g.parents[b] |= (uint32_t)1 << a;
        }
        check_order(run, &g);
    }
    bestdag_run_free(run);
}

static void adjacency_blocks_hold_every_arc_once(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_adjacency down;
    struct bestdag_dag *dag = random_dag(run, 32, 30, 70);
    struct small g = of_dag(dag), from_down = {.n = 30};
    assert_int_equal(bestdag_adjacency_of_children(run, dag, &down), 0);
    assert_int_equal(down.start[30], bestdag_dag_arcs(dag));
    for (int v = 0; v < 30; v++)
        for (int64_t i = down.start[v]; i < down.start[v + 1]; i++) {
            from_down.parents[down.to[i]] |= (uint32_t)1 << v;
            assert_true(i == down.start[v] || down.to[i - 1] < down.to[i]);
        }
    assert_true(same(&g, &from_down));
    bestdag_adjacency_release(&down);
    bestdag_dag_free(dag);
    bestdag_run_free(run);
}

static bool copy_and_order(struct bestdag_run *run, const void *dag)
{
    int order[10];
    struct bestdag_adjacency down = {0};
    struct bestdag_dag *copy = bestdag_dag_copy(run, dag);
    bool done = copy && bestdag_dag_cycle(run, copy, order) > 0 &&
                !bestdag_adjacency_of_children(run, copy, &down);
    bestdag_adjacency_release(&down);
    bestdag_dag_free(copy);
    return done;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct small loop = {.n = 4, .parents = {1 << 3, 1 << 0, 0, 1 << 1}};
    struct bestdag_dag *dag = to_dag(run, &loop);
    survives_failing_allocations(copy_and_order, dag);
    bestdag_dag_free(dag);
    bestdag_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parents_are_sorted_and_found),
        cmocka_unit_test(bad_parents_are_refused_and_change_nothing),
        cmocka_unit_test(a_copy_is_equal_and_apart),
        cmocka_unit_test(orders_and_cycles_of_small_graphs),
        cmocka_unit_test(orders_and_cycles_of_random_graphs),
        cmocka_unit_test(adjacency_blocks_hold_every_arc_once),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
