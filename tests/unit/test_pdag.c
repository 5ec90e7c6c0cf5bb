/* SPDX-License-Identifier: MIT */
/* test_pdag.c -- equivalence classes and extensions against brute force. */
#include "small_graphs.h"

#include "graph/cpdag.h"

static bool equal(const struct bestdag_pdag *a, const struct bestdag_pdag *b)
{
    size_t bytes = (size_t)a->n * a->words * sizeof *a->parents;
    return a->n == b->n && !memcmp(a->parents, b->parents, bytes) &&
           !memcmp(a->neighbours, b->neighbours, bytes);
}

static struct bestdag_pdag *directed_as(struct bestdag_run *run,
                                        const struct bestdag_dag *dag)
{
    struct bestdag_pdag *p = bestdag_pdag_new(run, dag->n);
    for (int v = 0; p && v < dag->n; v++)
        for (int i = 0; i < dag->parents[v].count; i++)
            bestdag_pdag_add_arc(p, dag->parents[v].at[i], v);
    return p;
}

static struct small class_of(struct bestdag_run *run, const struct small *g)
{
    struct bestdag_dag *dag = to_dag(run, g);
    struct bestdag_pdag *pdag = bestdag_pdag_class(run, dag);
    assert_non_null(pdag);
    struct small class = of_pdag(pdag);
    bestdag_pdag_free(pdag);
    bestdag_dag_free(dag);
    return class;
}

/* ---- all DAGs of n nodes ------------------------------------------------- */

struct member {
    uint64_t looks; /* skeleton and v-structures, a bit each */
    int cpdag;      /* code of what the library says */
    struct small dag;
};

static uint64_t looks(const struct small *g)
{
    uint64_t bits = 0;
    for (int c = 0; c < g->n; c++)
        for (int b = 0; b < g->n; b++)
            for (int a = 0; a < b; a++) {
                if (c == 0)
                    bits = bits << 1 | adjacent(g, a, b);
                if (a != c && b != c)
                    bits = bits << 1 | is_v(g, a, c, b);
            }
    return bits;
}

static int by_looks(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    if (x->looks != y->looks)
        return x->looks < y->looks ? -1 : 1;
    return (x->cpdag > y->cpdag) - (x->cpdag < y->cpdag);
}

static struct member *all_dags(struct bestdag_run *run, int n, int *count)
{
    struct member *list = calloc((size_t)codes(n, 3), sizeof *list);
    *count = 0;
    for (int code = 0; code < codes(n, 3); code++) {
        struct small g = decode(n, 3, code);
        if (!acyclic(&g))
            continue;
        struct small class = class_of(run, &g);
        list[(*count)++] = (struct member){looks(&g), encode(&class, 4), g};
    }
    qsort(list, (size_t)*count, sizeof *list, by_looks);
    return list;
}

/* The definition: directed if all members agree on it. */
static struct small join(const struct member *from, const struct member *end)
{
    struct small joined = {.n = from->dag.n};
    for (int b = 0; b < joined.n; b++)
        for (int a = 0; a < b; a++) {
            enum relation r = relation(&from->dag, a, b);
            for (const struct member *m = from; m < end; m++)
                if (relation(&m->dag, a, b) != r)
                    r = UNDIRECTED;
            relate(&joined, a, b, r);
        }
    return joined;
}

/* An extension of a class is one of its members. */
static void check_extension(struct bestdag_run *run, const struct small *class,
                            const struct member *member)
{
    struct bestdag_pdag *pdag = to_pdag(run, class);
    struct bestdag_dag *dag = bestdag_pdag_extend(run, pdag);
    assert_non_null(dag);
    struct small g = of_dag(dag);
    assert_true(acyclic(&g));
    assert_true(looks(&g) == member->looks);
    bestdag_dag_free(dag);
    bestdag_pdag_free(pdag);
}

static void check_all(int n, int dags, int classes)
{
    int count, found = 0, distinct = 0;
    struct bestdag_run *run = bestdag_run_new();
    struct member *list = all_dags(run, n, &count);
    bool *seen = calloc((size_t)codes(n, 4), sizeof *seen);
    assert_int_equal(count, dags);
    for (int i = 0, end; i < count; i = end) {
        for (end = i; end < count && list[end].looks == list[i].looks; end++)
            assert_int_equal(list[end].cpdag, list[i].cpdag);
        struct small class = join(&list[i], &list[end]);
        assert_int_equal(list[i].cpdag, encode(&class, 4));
        check_extension(run, &class, &list[i]);
        distinct += !seen[list[i].cpdag];
        seen[list[i].cpdag] = true;
        found++;
    }
    assert_int_equal(found, classes);
    assert_int_equal(distinct, classes);
    assert_int_equal(bestdag_run_status(run), BESTDAG_OK);
    free(seen);
    free(list);
    bestdag_run_free(run);
}

static void classes_of_up_to_5_nodes_are_same_skeleton_and_v(void **state)
{
    (void)state;
    check_all(1, 1, 1);
    check_all(2, 3, 2);
    check_all(3, 25, 11);
    check_all(4, 543, 185);
    check_all(5, 29281, 8782);
}

/* ---- larger graphs ------------------------------------------------------- */

static void classes_of_random_dags_obey_meek(void **state)
{
    (void)state;
    uint64_t seed = 20;
    print_message("seed %llu\n", (unsigned long long)seed);
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_random random = bestdag_random_init(seed, 0);
    for (int round = 0; round < 1500; round++) {
        int n = 1 + (int)bestdag_random_below(&random, 20);
        struct small g = random_small(&random, n, bestdag_random_unit(&random));
        struct small class = class_of(run, &g), expected = meek(&g);
        assert_true(same(&class, &expected));
    }
    bestdag_run_free(run);
}

static void a_large_class_extends_to_itself(void **state)
{
    (void)state;
    uint64_t seed = 21;
    print_message("seed %llu\n", (unsigned long long)seed);
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_dag *dag = random_dag(run, seed, 10000, 30000);
    assert_true(bestdag_dag_arcs(dag) > 25000);
    struct bestdag_pdag *class = bestdag_pdag_class(run, dag);
    struct bestdag_dag *member = bestdag_pdag_extend(run, class);
    assert_non_null(member);
    struct bestdag_pdag *again = bestdag_pdag_class(run, member);
    assert_true(equal(class, again));
    struct bestdag_pdag *directed = directed_as(run, dag);
    assert_false(equal(class, directed));
    bestdag_pdag_free(directed);
    bestdag_pdag_free(again);
    bestdag_dag_free(member);
    bestdag_pdag_free(class);
    bestdag_dag_free(dag);
    bestdag_run_free(run);
}

/* Long chains of obstacles: a tree gives way from its leaves only. */
static void a_path_and_a_star_extend(void **state)
{
    (void)state;
    int n = 3000;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_pdag *path = bestdag_pdag_new(run, n);
    struct bestdag_pdag *star = bestdag_pdag_new(run, n);
    for (int v = 1; v < n; v++) {
        bestdag_pdag_add_edge(path, v - 1, v);
        bestdag_pdag_add_edge(star, n / 2, v == n / 2 ? 0 : v);
    }
    struct bestdag_pdag *graph[] = {path, star};
    for (int i = 0; i < 2; i++) {
        struct bestdag_dag *dag = bestdag_pdag_extend(run, graph[i]);
        assert_non_null(dag);
        struct bestdag_pdag *class = bestdag_pdag_class(run, dag);
        assert_true(equal(class, graph[i]));
        bestdag_pdag_free(class);
        bestdag_dag_free(dag);
        bestdag_pdag_free(graph[i]);
    }
    bestdag_run_free(run);
}

/* ---- extensions ---------------------------------------------------------- */

static bool is_extension(const struct small *g, const struct small *pdag)
{
    for (int v = 0; v < g->n; v++)
        if (g->neighbours[v] || (pdag->parents[v] & ~g->parents[v]))
            return false;
    return acyclic(g) && same_skeleton(g, pdag) && same_v(g, pdag);
}

/* Tries both directions of every undirected edge. */
static bool can_extend(const struct small *pdag)
{
    int edges = 0;
    for (int v = 0; v < pdag->n; v++)
        edges += __builtin_popcount(pdag->neighbours[v]);
    for (uint32_t choice = 0; choice < (uint32_t)1 << edges / 2; choice++) {
        uint32_t left = choice;
        struct small g = {.n = pdag->n};
        for (int b = 0; b < g.n; b++)
            for (int a = 0; a < b; a++) {
                enum relation r = relation(pdag, a, b);
                if (r == UNDIRECTED) {
                    r = left & 1 ? FORTH : BACK;
                    left >>= 1;
                }
                relate(&g, a, b, r);
            }
        if (is_extension(&g, pdag))
            return true;
    }
    return false;
}

/* Returns whether there is one. */
static bool check_extend(struct bestdag_run *run, const struct small *g)
{
    struct bestdag_pdag *pdag = to_pdag(run, g);
    struct bestdag_dag *dag = bestdag_pdag_extend(run, pdag);
    bool found = dag != NULL;
    assert_int_equal(bestdag_run_status(run), BESTDAG_OK);
    assert_int_equal(found, can_extend(g));
    if (dag) {
        struct small extension = of_dag(dag);
        assert_true(is_extension(&extension, g));
    }
    bestdag_dag_free(dag);
    bestdag_pdag_free(pdag);
    return found;
}

static void extensions_of_all_pdags_of_4_nodes_agree_with_search(void **state)
{
    (void)state;
    int found = 0;
    struct bestdag_run *run = bestdag_run_new();
    for (int n = 1; n <= 4; n++)
        for (int code = 0; code < codes(n, 4); code++) {
            struct small g = decode(n, 4, code);
            found += check_extend(run, &g);
        }
    assert_true(found > 543 && found < 4096);
    bestdag_run_free(run);
}

static void extensions_of_random_pdags_agree_with_search(void **state)
{
    (void)state;
    uint64_t seed = 22;
    print_message("seed %llu\n", (unsigned long long)seed);
    int found = 0, rounds = 3000;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_random random = bestdag_random_init(seed, 0);
    for (int round = 0; round < rounds; round++) {
        int n = 5 + (int)bestdag_random_below(&random, 2);
        struct small dag =
            random_small(&random, n, bestdag_random_unit(&random));
        struct small g = {.n = n};
        for (int b = 0; b < n; b++) /* forget some directions */
            for (int a = 0; a < b; a++) {
                bool forget = bestdag_random_below(&random, 2);
                enum relation r = relation(&dag, a, b);
                relate(&g, a, b, r && forget ? UNDIRECTED : r);
            }
        found += check_extend(run, &g);
    }
    assert_in_range(found, rounds / 10, rounds - rounds / 10);
    bestdag_run_free(run);
}

/* ---- the rest ------------------------------------------------------------ */

static void an_edge_replaces_what_was_there(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_pdag *a = bestdag_pdag_new(run, 70);
    struct bestdag_pdag *b = bestdag_pdag_new(run, 70);
    assert_true(equal(a, b));
    bestdag_pdag_add_arc(a, 3, 69);
    assert_false(equal(a, b));
    bestdag_pdag_add_arc(b, 69, 3);
    assert_false(equal(a, b));
    bestdag_pdag_add_edge(a, 3, 69);
    assert_false(equal(a, b));
    bestdag_pdag_add_edge(b, 69, 3);
    assert_true(equal(a, b));
    bestdag_pdag_add_arc(a, 69, 3);
    bestdag_pdag_add_arc(b, 69, 3);
    assert_true(equal(a, b));
    assert_int_equal(bestdag_row_count(b->neighbours, 70 * b->words), 0);
    assert_int_equal(bestdag_row_count(b->children, 70 * b->words), 1);
    bestdag_pdag_free(a);
    bestdag_pdag_free(b);
    bestdag_run_free(run);
}

static void a_cycle_has_no_class(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct small cycle = {.n = 3, .parents = {1 << 2, 1 << 0, 1 << 1}};
    struct bestdag_dag *dag = to_dag(run, &cycle);
    assert_null(bestdag_pdag_class(run, dag));
    assert_int_equal(bestdag_run_status(run), BESTDAG_INPUT);
    bestdag_dag_free(dag);
    bestdag_run_free(run);
}

static void v_structures_are_counted_by_definition(void **state)
{
    (void)state;
    uint64_t seed = 23;
    print_message("seed %llu\n", (unsigned long long)seed);
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_random random = bestdag_random_init(seed, 0);
    for (int round = 0; round < 300; round++) {
        struct small g =
            random_small(&random, (int)bestdag_random_below(&random, 12),
                         bestdag_random_unit(&random));
        int64_t expected = 0;
        for (int c = 0; c < g.n; c++)
            for (int b = 0; b < g.n; b++)
                for (int a = 0; a < b; a++)
                    expected += is_v(&g, a, c, b);
        struct bestdag_dag *dag = to_dag(run, &g);
        assert_int_equal(bestdag_cpdag_v_structures(run, dag), expected);
        bestdag_dag_free(dag);
    }
    bestdag_run_free(run);
}

static bool extend_class(struct bestdag_run *run, const void *dag)
{
    struct bestdag_pdag *class = bestdag_pdag_class(run, dag);
    struct bestdag_dag *member = class ? bestdag_pdag_extend(run, class) : NULL;
    bool done = member && bestdag_cpdag_v_structures(run, member) >= 0;
    bestdag_dag_free(member);
    bestdag_pdag_free(class);
    return done;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_dag *dag = random_dag(run, 24, 10, 15);
    survives_failing_allocations(extend_class, dag);
    bestdag_dag_free(dag);
    bestdag_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_of_up_to_5_nodes_are_same_skeleton_and_v),
        cmocka_unit_test(classes_of_random_dags_obey_meek),
        cmocka_unit_test(a_large_class_extends_to_itself),
        cmocka_unit_test(a_path_and_a_star_extend),
        cmocka_unit_test(extensions_of_all_pdags_of_4_nodes_agree_with_search),
        cmocka_unit_test(extensions_of_random_pdags_agree_with_search),
        cmocka_unit_test(an_edge_replaces_what_was_there),
        cmocka_unit_test(a_cycle_has_no_class),
        cmocka_unit_test(v_structures_are_counted_by_definition),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
