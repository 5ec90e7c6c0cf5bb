/* SPDX-License-Identifier: MIT */
/* test_d_separation.c -- d-separation, separators, adjustment sets and lists of
 * paths against the enumeration of all paths and of all sets. */
#include "nets.h"
#include "small_paths.h"

#include "graph/adjustment.h"
#include "graph/d_separation.h"
#include "graph/simple_paths.h"

/* A graph with a question, in both forms. */
struct posed {
    struct small g;
    uint32_t from, to, given, barred;
    enum bestdag_role role[MOST_NODES];
    struct bestdag_dag *dag;
    struct bestdag_adjacency children;
    struct bestdag_d_question q;
};

static void pose(struct bestdag_run *run, struct posed *p)
{
    for (int v = 0; v < p->g.n; v++)
        p->role[v] = has(p->from, v)     ? BESTDAG_ROLE_FROM
                     : has(p->to, v)     ? BESTDAG_ROLE_TO
                     : has(p->given, v)  ? BESTDAG_ROLE_GIVEN
                     : has(p->barred, v) ? BESTDAG_ROLE_BARRED
                                         : BESTDAG_ROLE_NONE;
    p->dag = to_dag(run, &p->g);
    assert_int_equal(bestdag_adjacency_of_children(run, p->dag, &p->children),
                     BESTDAG_OK);
    p->q = (struct bestdag_d_question){p->dag, &p->children, p->role};
}

static void withdraw(struct posed *p)
{
    bestdag_dag_free(p->dag);
    bestdag_adjacency_release(&p->children);
}

/* Each node has a role at random; FROM and TO have one at least. */
static struct posed random_question(struct bestdag_random *random, int n)
{
    struct posed p = {
        .g = random_small(random, n, 0.15 + 0.4 * bestdag_random_unit(random))};
    int ends[MOST_NODES];
    shuffle(random, ends, n);
    p.from = bit(ends[0]);
    p.to = bit(ends[1]);
    for (int i = 2; i < n; i++) {
        uint64_t k = bestdag_random_below(random, 12);
        p.from |= k == 0 ? bit(ends[i]) : 0;
        p.to |= k == 1 ? bit(ends[i]) : 0;
        p.given |= k >= 2 && k < 5 ? bit(ends[i]) : 0;
        p.barred |= k >= 5 && k < 7 ? bit(ends[i]) : 0;
    }
    return p;
}

static void check_reasons(struct bestdag_run *run, const struct posed *p,
                          const int *path, int count)
{
    int reason[MOST_NODES];
    for (int i = 1; i + 1 < count; i++) {
        int v = path[i];
        if (!has(p->g.parents[v], path[i - 1]) ||
            !has(p->g.parents[v], path[i + 1]))
            continue;
        int nodes = bestdag_d_separation_reason(run, &p->q, v, reason);
        assert_true(nodes > 0);
        assert_int_equal(reason[0], v);
        assert_true(has(p->given, reason[nodes - 1]));
        for (int k = 1; k < nodes; k++)
            assert_true(has(p->g.parents[reason[k]], reason[k - 1]));
    }
}

static void check_path(struct bestdag_run *run, const struct posed *p)
{
    int path[MOST_NODES];
    int count = bestdag_d_separation_path(run, &p->q, path);
    assert_int_equal(count, shortest_open(&p->g, p->from, p->to, p->given));
    if (!count)
        return;
    assert_true(has(p->from, path[0]));
    assert_true(has(p->to, path[count - 1]));
    for (int i = 1; i < count; i++) {
        assert_true(adjacent(&p->g, path[i - 1], path[i]));
        for (int k = 0; k < i; k++)
            assert_int_not_equal(path[i], path[k]);
    }
    assert_true(is_open_path(&p->g, path, count, p->given));
    check_reasons(run, p, path, count);
}

/* The size of the smallest set of those allowed that passes; -1: none does. */
static int smallest(const struct posed *p, uint32_t allowed, bool is_adjustment)
{
    int best = -1;
    for (uint32_t z = 0; z < bit(p->g.n); z++) {
        int size = __builtin_popcount(z);
        if (z & ~allowed || (best >= 0 && size >= best))
            continue;
        uint32_t all = z | p->given;
        if (is_adjustment ? adjusts(&p->g, __builtin_ctz(p->from), p->to, all)
                          : !shortest_open(&p->g, p->from, p->to, all))
            best = size;
    }
    return best;
}

static uint32_t mask_of(const int *list, int count)
{
    uint32_t set = 0;
    for (int i = 0; i < count; i++) {
        assert_true(i == 0 || list[i - 1] < list[i]);
        set |= bit(list[i]);
    }
    return set;
}

static void check_separator(struct bestdag_run *run, const struct posed *p)
{
    int list[MOST_NODES], count;
    uint32_t allowed = ~(p->from | p->to | p->given | p->barred);
    assert_int_equal(bestdag_d_separator(run, &p->q, list, &count), BESTDAG_OK);
    assert_int_equal(count, smallest(p, allowed, false));
    if (count >= 0)
        assert_int_equal(shortest_open(&p->g, p->from, p->to,
                                       p->given | mask_of(list, count)),
                         0);
    assert_int_equal(mask_of(list, count) & ~allowed, 0);
}

static void paths_and_separators(void **state)
{
    (void)state;
    uint64_t seed = 2100;
    int open = 0, none = 0, rounds = 4000;
    print_message("seed %llu\n", (unsigned long long)seed);
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_random random = bestdag_random_init(seed, 0);
    for (int round = 0; round < rounds; round++) {
        struct posed p = random_question(&random, 2 + round % 7);
        int list[MOST_NODES], count;
        pose(run, &p);
        check_path(run, &p);
        check_separator(run, &p);
        open += bestdag_d_separation_path(run, &p.q, list) > 0;
        bestdag_d_separator(run, &p.q, list, &count);
        none += count < 0;
        withdraw(&p);
    }
    assert_true(open > rounds / 10 && open < rounds * 9 / 10);
    assert_true(none > rounds / 20 && none < rounds * 9 / 10);
    bestdag_run_free(run);
}

/* One cause; effects; given are some that do not descend from the cause. */
static void adjustment_sets(void **state)
{
    (void)state;
    uint64_t seed = 2101;
    int found[3] = {0}; /* none, empty, not empty */
    print_message("seed %llu\n", (unsigned long long)seed);
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_random random = bestdag_random_init(seed, 0);
    for (int round = 0; round < 8000; round++) {
        struct posed p = random_question(&random, 2 + round % 7);
        int list[MOST_NODES], count;
        p.from &= ~p.from + 1;
        p.barred = 0;
        p.given &= ~descendants(&p.g, p.from);
        if (round % 14 < 7) { /* one effect, nothing else */
            p.to &= ~p.to + 1;
            p.given = 0;
        }
        pose(run, &p);
        bestdag_adjustment_find(run, &p.q, list, &count);
        uint32_t allowed = ~(p.from | p.to | p.given);
        assert_int_equal(count, smallest(&p, allowed, true));
        if (count >= 0)
            assert_true(adjusts(&p.g, __builtin_ctz(p.from), p.to,
                                p.given | mask_of(list, count)));
        assert_int_equal(mask_of(list, count) & descendants(&p.g, p.from), 0);
        found[count < 0 ? 0 : count ? 2 : 1]++;
        withdraw(&p);
    }
    assert_true(found[0] > 200 && found[1] > 200 && found[2] > 200);
    bestdag_run_free(run);
}

/* ---- independence in numbers ------------------------------------------------
 */

/* The largest |P(a,b,c) P(c) - P(a,c) P(b,c)| over all states. */
static double dependence(const struct bestdag_network *net, int a, int b,
                         const int *given, int count)
{
    int list[MOST_NODES] = {a, b};
    memcpy(list + 2, given, (size_t)count * sizeof *given);
    double *abc = nets_enumerate(net, list, count + 2), most = 0;
    int ra = net->variable[a].states, rb = net->variable[b].states;
    int64_t rest = nets_cells(net, given, count);
    for (int64_t c = 0; c < rest; c++)
        for (int i = 0; i < ra; i++)
            for (int j = 0; j < rb; j++) {
                double pc = 0, ac = 0, bc = 0;
                for (int k = 0; k < ra * rb; k++) {
                    double x = abc[k * rest + c];
                    pc += x;
                    ac += k / rb == i ? x : 0;
                    bc += k % rb == j ? x : 0;
                }
                double gap = fabs(abc[(i * rb + j) * rest + c] * pc - ac * bc);
                most = gap > most ? gap : most;
            }
    free(abc);
    return most;
}

static void separation_is_independence(void **state)
{
    (void)state;
    int separated = 0, rounds = 400;
    struct bestdag_run *run = bestdag_run_new();
    for (int round = 0; round < rounds; round++) {
        struct bestdag_network *net =
            nets_random(run, (struct shape){.seed = (uint64_t)round,
                                            .n = 3 + round % 6,
                                            .least_states = 2,
                                            .most_states = 3,
                                            .most_parents = 2});
        struct bestdag_random random =
            bestdag_random_init((uint64_t)round, 2102);
        struct posed p = {.g = of_dag(net->dag)};
        int list[MOST_NODES], path[MOST_NODES];
        shuffle(&random, list, p.g.n);
        int count = (int)bestdag_random_below(&random, (uint64_t)p.g.n - 1);
        p.from = bit(list[0]);
        p.to = bit(list[1]);
        for (int i = 0; i < count; i++)
            p.given |= bit(list[i + 2]);
        pose(run, &p);
        bool open = bestdag_d_separation_path(run, &p.q, path) > 0;
        double gap = dependence(net, list[0], list[1], list + 2, count);
        if (open ? gap < 1e-12 : gap > 1e-15)
            fail_msg("network %d: %s, but differs by %g", round,
                     open ? "connected" : "separated", gap);
        separated += !open;
        withdraw(&p);
        bestdag_network_free(net);
    }
    assert_true(separated > rounds / 8 && separated < rounds * 7 / 8);
    bestdag_run_free(run);
}

/* ---- lists of paths ---------------------------------------------------------
 */

enum { MOST_PATHS = 4000 };

struct listed {
    int count, nodes[MOST_PATHS], path[MOST_PATHS][8];
};

static void keep(void *user, const struct small *g, const int *path, int count)
{
    struct listed *l = user;
    (void)g;
    assert_true(l->count < MOST_PATHS && count <= 8);
    l->nodes[l->count] = count;
    memcpy(l->path[l->count++], path, (size_t)count * sizeof *path);
}

/* Enumeration goes by node numbers; by length it is stable. */
static void check_list(struct bestdag_run *run, const struct posed *p,
                       int64_t most)
{
    static struct listed all;
    struct bestdag_simple_paths paths;
    int ends[2] = {__builtin_ctz(p->from), __builtin_ctz(p->to)};
    int64_t at = 0;
    all.count = 0;
    all_paths(&p->g, ends[0], ends[1], keep, &all);
    assert_int_equal(bestdag_simple_paths_find(run, p->dag, &p->children, ends,
                                               most, &paths),
                     BESTDAG_OK);
    assert_int_equal(paths.count, all.count < most ? all.count : most);
    assert_int_equal(paths.complete, all.count <= most);
    for (int nodes = 2; nodes <= p->g.n; nodes++)
        for (int i = 0; i < all.count && at < paths.count; i++)
            if (all.nodes[i] == nodes) {
                assert_int_equal(paths.at[at].count, nodes);
                assert_memory_equal(paths.at[at++].node, all.path[i],
                                    (size_t)nodes * sizeof(int));
            }
    bestdag_simple_paths_release(&paths);
}

static void lists_of_paths(void **state)
{
    (void)state;
    uint64_t seed = 2103;
    print_message("seed %llu\n", (unsigned long long)seed);
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_random random = bestdag_random_init(seed, 0);
    for (int round = 0; round < 1000; round++) {
        struct posed p = random_question(&random, 2 + round % 7);
        pose(run, &p);
        check_list(run, &p, 1 + (int64_t)bestdag_random_below(&random, 12));
        check_list(run, &p, MOST_PATHS);
        withdraw(&p);
    }
    bestdag_run_free(run);
}

/* ---- large graphs, failing memory -------------------------------------------
 */

/* In a graph of 10,000 nodes whatever is found separates, or is open. */
static void large_graphs(void **state)
{
    (void)state;
    enum { N = 10000 };
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_dag *dag = random_dag(run, 2104, N, 2 * N);
    struct bestdag_adjacency children;
    bestdag_adjacency_of_children(run, dag, &children);
    enum bestdag_role *role = calloc(N, sizeof *role);
    int *list = malloc(N * sizeof *list), *path = malloc(N * sizeof *path);
    struct bestdag_d_question q = {dag, &children, role};
    int separators = 0;
    for (int k = 0; k < 50; k++) {
        int a = 100 * k, b = 100 * k + 57, count;
        memset(role, 0, N * sizeof *role);
        role[a] = BESTDAG_ROLE_FROM;
        role[b] = BESTDAG_ROLE_TO;
        bestdag_d_separator(run, &q, list, &count);
        if (count < 0) {
            assert_true(bestdag_dag_has_arc(dag, a, b) ||
                        bestdag_dag_has_arc(dag, b, a));
            continue;
        }
        separators += count > 0;
        for (int i = 0; i < count; i++)
            role[list[i]] = BESTDAG_ROLE_GIVEN;
        assert_int_equal(bestdag_d_separation_path(run, &q, path), 0);
        for (int i = 0; i < count; i++) { /* none can be left out */
            role[list[i]] = BESTDAG_ROLE_NONE;
            assert_true(bestdag_d_separation_path(run, &q, path) > 1);
            role[list[i]] = BESTDAG_ROLE_GIVEN;
        }
    }
    assert_true(separators > 10);
    free(role);
    free(list);
    free(path);
    bestdag_adjacency_release(&children);
    bestdag_dag_free(dag);
    bestdag_run_free(run);
}

static bool ask_all(struct bestdag_run *run, const void *input)
{
    const struct posed *p = input;
    struct bestdag_simple_paths paths = {0};
    int list[MOST_NODES], count, ends[2] = {0, 1};
    bool done =
        bestdag_d_separation_path(run, &p->q, list) >= 0 &&
        !bestdag_d_separator(run, &p->q, list, &count) &&
        !bestdag_adjustment_find(run, &p->q, list, &count) &&
        !bestdag_simple_paths_find(run, p->dag, &p->children, ends, 9, &paths);
    bestdag_simple_paths_release(&paths);
    return done;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_random random = bestdag_random_init(2105, 0);
    struct posed p = {
        .g = random_small(&random, 9, 0.4), .from = bit(0), .to = bit(1)};
    pose(run, &p);
    survives_failing_allocations(ask_all, &p);
    withdraw(&p);
    bestdag_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_and_separators),
        cmocka_unit_test(adjustment_sets),
        cmocka_unit_test(separation_is_independence),
        cmocka_unit_test(lists_of_paths),
        cmocka_unit_test(large_graphs),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
