/* SPDX-License-Identifier: MIT */
/* test_closure.c -- a DAG that changes arc by arc, against plain definitions.
 */
#include "small_graphs.h"

#include "graph/closure.h"
#include "graph/reach.h"

static uint32_t row_mask(const uint64_t *row)
{
    return (uint32_t)row[0];
}

/* What is reached from v along at least one arc. */
static uint32_t below_of(const struct small *g, int v)
{
    uint32_t reached = 0, before;
    do {
        before = reached;
        for (int u = 0; u < g->n; u++)
            if (has(g->parents[u], v) || (g->parents[u] & reached))
                reached |= (uint32_t)1 << u;
    } while (reached != before);
    return reached;
}

static void expect_same(const struct bestdag_closure *c, const struct small *g)
{
    int64_t arcs = 0;
    for (int v = 0; v < g->n; v++) {
        int count = 0;
        assert_int_equal(row_mask(bestdag_closure_parents(c, v)),
                         g->parents[v]);
        assert_int_equal(row_mask(bestdag_closure_descendants(c, v)),
                         below_of(g, v));
        for (int u = 0; u < g->n; u++) {
            count += has(g->parents[v], u);
            assert_int_equal(bestdag_row_has(bestdag_closure_children(c, v), u),
                             has(g->parents[u], v));
        }
        assert_int_equal(c->count[v], count);
        arcs += count;
    }
    assert_int_equal(c->arcs, arcs);
}

/* Both questions, for every pair, by trying. */
static void expect_same_answers(const struct bestdag_closure *c,
                                const struct small *g)
{
    for (int from = 0; from < g->n; from++)
        for (int to = 0; to < g->n; to++) {
            struct small more = *g, turned = *g;
            bool arc = has(g->parents[to], from);
            more.parents[to] |= (uint32_t)1 << from;
            turned.parents[to] &= ~((uint32_t)1 << from);
            turned.parents[from] |= (uint32_t)1 << to;
            assert_int_equal(bestdag_closure_can_add(c, from, to),
                             from != to && !arc && acyclic(&more));
            assert_int_equal(bestdag_closure_can_reverse(c, from, to),
                             arc && acyclic(&turned));
        }
}

/* Exactly those with fewer descendants than before are listed. */
static void expect_freed(const struct bestdag_closure *c,
                         const struct small *before, const struct small *now)
{
    uint32_t freed = 0, listed = 0;
    for (int v = 0; v < now->n; v++)
        if (below_of(before, v) != below_of(now, v))
            freed |= (uint32_t)1 << v;
    for (int i = 0; i < c->frees; i++)
        listed |= (uint32_t)1 << c->freed[i];
    assert_int_equal(listed, freed);
}

static void a_random_walk_is_followed(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct bestdag_run *run = bestdag_run_new();
        struct bestdag_random random = bestdag_random_init(seed, 0);
        struct small g = {.n = 2 + (int)(seed % 9)};
        struct bestdag_closure *c = bestdag_closure_new(run, g.n);
        print_message("seed %d\n", (int)seed);
        for (int step = 0; step < 120; step++) {
            struct small before = g;
            int u = (int)bestdag_random_below(&random, (uint64_t)g.n);
            int v = (int)bestdag_random_below(&random, (uint64_t)g.n);
            if (has(g.parents[v], u)) {
                g.parents[v] &= ~((uint32_t)1 << u);
                bestdag_closure_drop(c, u, v);
                expect_freed(c, &before, &g);
            } else if (bestdag_closure_can_add(c, u, v)) {
                g.parents[v] |= (uint32_t)1 << u;
                bestdag_closure_add(c, u, v);
            }
            expect_same(c, &g);
            expect_same_answers(c, &g);
        }
        bestdag_closure_free(c);
        assert_int_equal(bestdag_memory_used(run), 0);
        bestdag_run_free(run);
    }
}

/* Rows of several words: against the rows made at once. */
static void large_graphs_agree_with_reach(void **state)
{
    (void)state;
    enum { N = 150 };
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_dag *dag = random_dag(run, 5, N, 260);
    struct bestdag_closure *c = bestdag_closure_new(run, N);
    for (int v = 0; v < N; v++)
        for (int i = 0; i < dag->parents[v].count; i++) {
            int u = dag->parents[v].at[i];
            assert_true(bestdag_closure_can_add(c, u, v));
            bestdag_closure_add(c, u, v);
        }
    for (int v = 0; v < N; v += 3) /* take some away */
        while (dag->parents[v].count > 0)
            bestdag_closure_drop(c, dag->parents[v].at[--dag->parents[v].count],
                                 v);
    uint64_t *rows = bestdag_reach_ancestors(run, dag);
    for (int v = 0; v < N; v++) {
        int list[N];
        for (int u = 0; u < N; u++)
            assert_int_equal(bestdag_row_has(rows + v * c->words, u),
                             bestdag_row_has(c->descendants + u * c->words, v));
        assert_int_equal(
            bestdag_closure_list(c, bestdag_closure_parents(c, v), list),
            dag->parents[v].count);
        assert_memory_equal(list, dag->parents[v].at,
                            (size_t)dag->parents[v].count * sizeof *list);
    }
    bestdag_free(rows);
    bestdag_dag_free(dag);
    bestdag_closure_free(c);
    bestdag_run_free(run);
}

static bool make_one(struct bestdag_run *run, const void *input)
{
    struct bestdag_closure *c = bestdag_closure_new(run, *(const int *)input);
    bestdag_closure_free(c);
    return c != NULL;
}

static void every_failed_allocation_is_survived(void **state)
{
    (void)state;
    for (int n = 0; n < 3; n++)
        survives_failing_allocations(make_one, &n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_random_walk_is_followed),
        cmocka_unit_test(large_graphs_agree_with_reach),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
