/* SPDX-License-Identifier: MIT */
/* test_meek.c -- directions that follow, against all DAGs of the class. */
#include "graph/meek.h"
#include "scratch.h"
#include "small_graphs.h"

enum { NODES = 4 };

/* Arcs of `dag` that are fixed by hand: a bit per pair. */
static bool agrees(const struct small *g, const struct small *dag, int fixed)
{
    for (int b = 0, pair = 0; b < g->n; b++)
        for (int a = 0; a < b; a++, pair++)
            if (fixed >> pair & 1 && relation(g, a, b) != relation(dag, a, b))
                return false;
    return true;
}

/* What all DAGs of the class of `dag` with its fixed arcs have in common. */
static struct small common(const struct small *dag, int fixed)
{
    bool is_first = true;
    struct small all = {0};
    for (int code = 0; code < codes(dag->n, 3); code++) {
        struct small g = decode(dag->n, 3, code);
        if (!same_skeleton(&g, dag) || !acyclic(&g) || !same_v(&g, dag) ||
            !agrees(&g, dag, fixed))
            continue;
        if (is_first)
            all = g;
        is_first = false;
        for (int b = 0; b < g.n; b++)
            for (int a = 0; a < b; a++)
                if (relation(&all, a, b) != UNDIRECTED &&
                    relation(&all, a, b) != relation(&g, a, b)) {
                    all.parents[a] &= ~((uint32_t)1 << b);
                    all.parents[b] &= ~((uint32_t)1 << a);
                    relate(&all, a, b, UNDIRECTED);
                }
    }
    return all;
}

static void check(const struct small *dag, int fixed)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_dag *d = to_dag(run, dag);
    struct bestdag_pdag *p = bestdag_pdag_class(run, d);
    for (int b = 0, pair = 0; b < dag->n; b++)
        for (int a = 0; a < b; a++, pair++)
            if (fixed >> pair & 1 && adjacent(dag, a, b)) {
                bool forth = relation(dag, a, b) == FORTH;
                bestdag_pdag_add_arc(p, forth ? a : b, forth ? b : a);
            }
    bestdag_pdag_direct(p);
    struct small got = of_pdag(p), want = common(dag, fixed);
    assert_true(same(&got, &want));
    bestdag_pdag_free(p);
    bestdag_dag_free(d);
    scratch_end(run);
}

static void all_of_four_nodes_follow(void **state)
{
    (void)state;
    for (int code = 0; code < codes(NODES, 3); code++) {
        struct small dag = decode(NODES, 3, code);
        if (acyclic(&dag))
            for (int fixed = 0; fixed < 1 << 6; fixed++)
                check(&dag, fixed);
    }
}

static void dense_ones_of_five_nodes_follow(void **state)
{
    (void)state;
    struct bestdag_random random = bestdag_random_init(5, 0);
    for (int i = 0; i < 60; i++) {
        struct small dag = random_small(&random, 5, 0.7);
        int fixed = (int)bestdag_random_below(&random, 1 << 10) &
                    (int)bestdag_random_below(&random, 1 << 10);
        check(&dag, fixed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_four_nodes_follow),
        cmocka_unit_test(dense_ones_of_five_nodes_follow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
