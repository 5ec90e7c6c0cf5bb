/* SPDX-License-Identifier: MIT */
/* test_layout.c -- the drawing of a network: no nodes overlap, every arc goes
 * down, the same network is drawn the same. */
#include "scratch.h"

#include <math.h>

#include "report/layout.h"

/* Arcs go along a random order; at most `most` into a node. */
static struct bestdag_dag *random_dag(struct bestdag_run *run,
                                      struct bestdag_random *r, int n, int most)
{
    struct bestdag_dag *dag = bestdag_dag_new(run, n);
    int *order = malloc((size_t)n * sizeof *order);
    for (int i = 0; i < n; i++) {
        int j = (int)bestdag_random_below(r, (uint64_t)i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (int i = 1; i < n; i++) {
        int parents[8], count = 0;
        int want = (int)bestdag_random_below(r, (uint64_t)most + 1);
        while (count < want && count < i) {
            int u = order[bestdag_random_below(r, (uint64_t)i)], k = 0;
            for (; k < count && parents[k] != u; k++)
                ;
            if (k == count)
                parents[count++] = u;
        }
        bestdag_dag_set_parents(run, dag, order[i], parents, count);
    }
    free(order);
    assert_fine(run);
    return dag;
}

static struct bestdag_node_box *random_boxes(struct bestdag_random *r, int n)
{
    struct bestdag_node_box *box = malloc((size_t)n * sizeof *box);
    for (int v = 0; v < n; v++) {
        box[v].width = 50 + (double)bestdag_random_below(r, 160);
        box[v].height = 30 + (double)bestdag_random_below(r, 100);
    }
    return box;
}

static void check_nodes(const struct bestdag_layout *l,
                        const struct bestdag_node_box *box)
{
    const double slack = 1e-6;
    for (int v = 0; v < l->n; v++) {
        assert_true(l->x[v] - box[v].width / 2 >= -slack);
        assert_true(l->x[v] + box[v].width / 2 <= l->wide + slack);
        assert_true(l->y[v] - box[v].height / 2 >= -slack);
        assert_true(l->y[v] + box[v].height / 2 <= l->high + slack);
        for (int u = 0; u < v; u++)
            if (fabs(l->y[u] - l->y[v]) < (box[u].height + box[v].height) / 2)
                assert_true(fabs(l->x[u] - l->x[v]) >=
                            (box[u].width + box[v].width) / 2 +
                                BESTDAG_NODE_GAP - slack);
    }
}

/* Parent, bends and child come one below the other. */
static void check_arcs(const struct bestdag_layout *l,
                       const struct bestdag_dag *dag)
{
    int64_t arc = 0, bends = 0;
    for (int v = 0; v < dag->n; v++)
        for (int i = 0; i < dag->parents[v].count; i++, arc++) {
            double y = l->y[dag->parents[v].at[i]];
            assert_true(l->bend_start[arc] == bends);
            for (; bends < l->bend_start[arc + 1]; bends++) {
                assert_true(l->bend[2 * bends + 1] > y);
                y = l->bend[2 * bends + 1];
                assert_true(l->bend[2 * bends] >= 0);
                assert_true(l->bend[2 * bends] <= l->wide);
            }
            assert_true(l->y[v] > y);
        }
}

static void check_drawing(struct bestdag_run *run,
                          const struct bestdag_dag *dag,
                          const struct bestdag_node_box *box)
{
    struct bestdag_layout one, two;
    assert_int_equal(bestdag_layout_make(run, dag, box, &one), 0);
    assert_int_equal(bestdag_layout_make(run, dag, box, &two), 0);
    check_nodes(&one, box);
    check_arcs(&one, dag);
    size_t bytes = (size_t)dag->n * sizeof *one.x;
    assert_memory_equal(one.x, two.x, bytes);
    assert_memory_equal(one.y, two.y, bytes);
    int64_t bends = one.bend_start[bestdag_dag_arcs(dag)];
    assert_true(bends == two.bend_start[bestdag_dag_arcs(dag)]);
    if (bends)
        assert_memory_equal(one.bend, two.bend,
                            2 * (size_t)bends * sizeof *one.bend);
    bestdag_layout_release(&one);
    bestdag_layout_release(&two);
}

static void drawings_have_no_overlaps_and_stay_the_same(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    for (int round = 0; round < 120; round++) {
        struct bestdag_random r = bestdag_random_init(round, 5);
        int n = 1 + (int)bestdag_random_below(&r, round < 110 ? 60 : 700);
        struct bestdag_dag *dag = random_dag(run, &r, n, round % 5);
        struct bestdag_node_box *box = random_boxes(&r, n);
        check_drawing(run, dag, box);
        free(box);
        bestdag_dag_free(dag);
    }
    assert_int_equal(bestdag_memory_used(run), 0);
    scratch_end(run);
}

/* Every node a child of the one before and of the first: as many layers as
 * nodes, and arcs that pass nearly all of them. */
static void long_arcs_do_not_make_bends_without_end(void **state)
{
    (void)state;
    enum { N = 3000 };
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_dag *dag = bestdag_dag_new(run, N);
    struct bestdag_node_box *box = malloc(N * sizeof *box);
    struct bestdag_layout l;
    for (int v = 0; v < N; v++) {
        box[v] = (struct bestdag_node_box){60, 30};
        if (v)
            bestdag_dag_set_parents(run, dag, v, (int[]){0, v - 1},
                                    v > 1 ? 2 : 1);
    }
    assert_int_equal(bestdag_layout_make(run, dag, box, &l), 0);
    int64_t arcs = bestdag_dag_arcs(dag);
    assert_true(l.bend_start[arcs] <= 6 * (N + arcs));
    check_nodes(&l, box);
    check_arcs(&l, dag);
    bestdag_layout_release(&l);
    free(box);
    bestdag_dag_free(dag);
    scratch_end(run);
}

/* Where an order without crossings exists and is easy, it is found: a tree's
 * children stand side by side. */
static void a_tree_is_drawn_without_crossings(void **state)
{
    (void)state;
    enum { N = 31 };
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_dag *dag = bestdag_dag_new(run, N);
    struct bestdag_node_box box[N];
    struct bestdag_layout l;
    for (int v = 0; v < N; v++) {
        box[v] = (struct bestdag_node_box){50, 30};
        if (v)
            bestdag_dag_set_parents(run, dag, v, (int[]){(v - 1) / 2}, 1);
    }
    assert_int_equal(bestdag_layout_make(run, dag, box, &l), 0);
    for (int v = 1; v < N; v++)
        for (int u = 1; u < v; u++) {
            int a = (u - 1) / 2, b = (v - 1) / 2;
            if (a != b && l.y[u] == l.y[v] && l.y[a] == l.y[b])
                assert_true((l.x[u] < l.x[v]) == (l.x[a] < l.x[b]));
        }
    bestdag_layout_release(&l);
    bestdag_dag_free(dag);
    scratch_end(run);
}

/* A chain of boxes of different widths, with arcs past some of them: at
 * least half of these go straight down. */
static void long_arcs_are_straight(void **state)
{
    (void)state;
    enum { N = 12 };
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_dag *dag = bestdag_dag_new(run, N);
    struct bestdag_node_box box[N];
    struct bestdag_layout l;
    for (int v = 0; v < N; v++) {
        box[v] = (struct bestdag_node_box){v % 3 ? 50 : 120, 30};
        if (v)
            bestdag_dag_set_parents(run, dag, v, (int[]){v / 3, v - 1},
                                    v > 1 ? 2 : 1);
    }
    assert_int_equal(bestdag_layout_make(run, dag, box, &l), 0);
    int64_t straight = 0, long_arcs = 0;
    for (int64_t a = 0; a < bestdag_dag_arcs(dag); a++) {
        int64_t from = l.bend_start[a], to = l.bend_start[a + 1], same = 1;
        for (int64_t b = from + 1; b < to; b++)
            same = same && l.bend[2 * b] == l.bend[2 * from];
        long_arcs += to - from > 1;
        straight += to - from > 1 && same;
    }
    assert_true(long_arcs > 6);
    assert_true(2 * straight >= long_arcs);
    bestdag_layout_release(&l);
    bestdag_dag_free(dag);
    scratch_end(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawings_have_no_overlaps_and_stay_the_same),
        cmocka_unit_test(long_arcs_do_not_make_bends_without_end),
        cmocka_unit_test(a_tree_is_drawn_without_crossings),
        cmocka_unit_test(long_arcs_are_straight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
