/* SPDX-License-Identifier: MIT */
/* test_bnb.c -- branch and bound over arcs: its subcases by all DAGs of four
 * variables, its bounds by brute force, its answers by dp. */
#include <math.h>

#include "plain_rules.h"
#include "small_graphs.h"
#include "solving.h"

#include "constraints/deduction/checker.h"
#include "constraints/language/rules.h"
#include "parents/ruled/rule_filter.h"
#include "search/arcs/bnb_node.h"

enum { N = 4, SETS = 40, TREES = 12, TRIALS = 24 };

static uint64_t seed_of(void)
{
    const char *text = getenv("BESTDAG_TEST_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 10) : 20090617;
    print_message("seed %llu\n", (unsigned long long)seed);
    return seed;
}

/* The last one is the search of the paper. */
static const char *const bounds[] = {"simple", "patterns", "cluster", "paper"};
enum { BOUNDS = sizeof bounds / sizeof *bounds };
static const char *const names[] = {"V1", "V2", "V3", "V4"};

/* ---- the whole tree ---------------------------------------------------------
 */

/* A search that never prunes, and all networks that it may find. */
struct tree {
    struct bestdag_run *run;
    struct bestdag_bnb_node expander;
    struct bestdag_bnb_open open;
    int count;
    struct small dag[729];
    int64_t cost[729];
    int forks, solved;
};

static bool holds(const struct bestdag_fact *f, const struct small *g)
{
    int degree = f->child < 0 ? 0 : __builtin_popcount(g->parents[f->child]);
    bool is_used = false, is_above = false, arc = false, back = false;
    for (int v = 0; f->parent >= 0 && v < g->n; v++)
        is_used |= has(g->parents[v], f->parent);
    if (f->child >= 0 && f->parent >= 0) {
        is_above = has(plain_ancestors(g, f->child), f->parent);
        arc = has(g->parents[f->child], f->parent);
        back = has(g->parents[f->parent], f->child);
    }
    switch (f->kind) {
    case BESTDAG_FACT_HAS:
        return arc;
    case BESTDAG_FACT_LACKS:
        return !arc;
    case BESTDAG_FACT_DEGREE:
        return degree >= f->low && degree <= f->high;
    case BESTDAG_FACT_LEAF:
        return !is_used;
    case BESTDAG_FACT_USED:
        return is_used;
    case BESTDAG_FACT_APART:
        return !arc && !back;
    case BESTDAG_FACT_ANCESTOR:
        return is_above;
    case BESTDAG_FACT_NOT_ANCESTOR:
        return !is_above;
    case BESTDAG_FACT_FALSE:
        break;
    }
    return false;
}

/* The child of the fork in which the network is; it is in exactly one. */
static int child_of(const struct bestdag_bnb_inner_node *fork,
                    const struct small *g)
{
    int i = 0;
    while (i < fork->count && !holds(&fork->fact[i], g))
        i++;
    assert_true(i < fork->count);
    return i;
}

static int64_t least_of(const struct tree *t, const bool *inside)
{
    int64_t least = INT64_MAX;
    for (int i = 0; i < t->count; i++)
        if (inside[i] && t->cost[i] < least)
            least = t->cost[i];
    return least;
}

/* Expands the node with the networks `inside`, and all below it. */
static void descend(struct tree *t, struct bestdag_bnb_leaf leaf,
                    const bool *inside)
{
    struct bestdag_bnb_children children = {0};
    int64_t none = t->expander.propagation.state.problem->none;
    struct bestdag_expand_limits dive = {.limit = none, .most = 1};
    bool part[729] = {false};
    children.found = malloc(N * sizeof *children.found);
    assert_int_equal(
        bestdag_bnb_node_expand(&t->expander, &leaf, dive, &children),
        BESTDAG_OK);
    if (children.cost < none) /* also one that was met before it is proved */
        assert_true(children.cost >= least_of(t, inside));
    if (!children.branchings) {
        assert_true(least_of(t, inside) ==
                    (children.cost < none ? children.cost : INT64_MAX));
        t->solved += children.cost < none;
    } else {
        const struct bestdag_bnb_child *s = &children.branching[0];
        struct bestdag_bnb_inner_node *fork =
            bestdag_bnb_open_split(&t->open, &leaf, children.fact, s->count);
        t->forks++;
        for (int c = 0; c < s->count; c++) {
            for (int i = 0; i < t->count; i++)
                part[i] = inside[i] && child_of(fork, &t->dag[i]) == c;
            assert_true(children.bound[c] >= leaf.bound);
            if (children.bound[c] < none)
                assert_true(children.bound[c] <= least_of(t, part));
            else if (children.cost < none) /* it is the limit then */
                assert_true(least_of(t, part) >= children.cost);
            else
                assert_true(least_of(t, part) == INT64_MAX);
            struct bestdag_bnb_leaf child = {
                .bound = children.bound[c], .fork = fork, .index = c};
            if (children.bound[c] < none)
                descend(t, child, part);
        }
        bestdag_free(fork);
    }
    free(children.found);
    children.found = NULL;
    bestdag_bnb_children_release(&children);
}

/* The number of the set of v that is `parents`; -1: it is not in the list. */
static int find_set(const struct bestdag_problem *p, int v, uint32_t parents)
{
    int list[N], count = 0;
    for (int u = 0; u < N; u++)
        if (has(parents, u))
            list[count++] = u;
    return bestdag_problem_find(p, v, list, count);
}

/* All DAGs over the sets that obey. */
static void list_networks(struct tree *t, const struct bestdag_problem *p,
                          const struct bestdag_rules *rules)
{
    for (int code = 0; code < codes(N, 3); code++) {
        struct small g = decode(N, 3, code);
        int64_t cost = 0;
        int broken = -1;
        bool fits = acyclic(&g);
        for (int v = 0; v < N && fits; v++) {
            int set = find_set(p, v, g.parents[v]);
            fits = set >= 0;
            cost += fits ? p->candidates[v].cost[set] : 0;
        }
        if (!fits)
            continue;
        struct bestdag_dag *dag = to_dag(t->run, &g);
        bestdag_rules_check(t->run, rules, names, dag, &broken);
        bestdag_dag_free(dag);
        if (broken >= 0)
            continue;
        t->dag[t->count] = g;
        t->cost[t->count++] = cost;
    }
}

static int grow_tree(const char *text, struct random_sets shape,
                     const char *bound)
{
    struct bestdag_run *run = bestdag_run_new();
    struct tree *t = calloc(1, sizeof *t);
    struct bestdag_rules *rules = bestdag_rules_new(run);
    if (*text)
        assert_int_equal(bestdag_rules_add(run, rules, text), BESTDAG_OK);
    struct bestdag_knowledge *k = bestdag_knowledge_new(run, rules, names, N);
    struct bestdag_sets *all = random_sets(run, shape);
    struct bestdag_sets *sets = bestdag_sets_obeying(run, all, k);
    struct bestdag_problem *p = bestdag_problem_new(run, sets);
    struct bestdag_arc_bound arc_bound;
    bool inside[729] = {false}, is_paper = !strcmp(bound, "paper");
    t->run = t->open.run = run;
    list_networks(t, p, rules);
    assert_int_equal(
        bestdag_arc_bound_init(run, is_paper ? "simple" : bound, p, &arc_bound),
        BESTDAG_OK);
    assert_int_equal(bestdag_bnb_node_prepare(run, &arc_bound, p, k, p->none),
                     BESTDAG_OK);
    assert_int_equal(bestdag_bnb_node_init(run, &t->expander, p, &arc_bound, k),
                     BESTDAG_OK);
    t->expander.brancher.is_plain = is_paper;
    for (int i = 0; i < t->count; i++)
        inside[i] = true;
    if (t->expander.propagation.possible) {
        struct bestdag_bnb_leaf root = {
            .bound = *t->expander.propagation.state.bound};
        assert_true(root.bound <= least_of(t, inside));
        descend(t, root, inside);
    } else
        assert_int_equal(t->count, 0);
    int forks = t->forks;
    bestdag_bnb_node_release(&t->expander);
    bestdag_arc_bound_release(&arc_bound);
    bestdag_problem_free(p);
    bestdag_sets_free(sets);
    bestdag_sets_free(all);
    bestdag_knowledge_free(k);
    bestdag_rules_free(rules);
    bestdag_run_free(run);
    free(t);
    return forks;
}

static struct random_sets tree_shape(uint64_t seed)
{
    return (struct random_sets){.seed = seed,
                                .n = N,
                                .sets = SETS,
                                .most_parents = N - 1,
                                .no_prune = true};
}

static void subcases_of_a_cycle_share_nothing_and_miss_nothing(void **state)
{
    uint64_t seed = seed_of();
    int forks = 0;
    (void)state;
    for (uint64_t t = 0; t < TREES; t++)
        for (int b = 0; b < BOUNDS; b++)
            forks += grow_tree("", tree_shape(seed + t), bounds[b]);
    assert_true(forks > 20 * TREES);
}

static const char *const texts[] = {
    "ancestor V1 V4",
    "not ancestor V1 V4",
    "not leaf V2",
    "adjacent V1 V3",
    "ancestor V1 V2 or ancestor V3 V4",
    "not ancestor V1 V2 or not ancestor V3 V4",
    "leaf V1 or V1 -> V2 or ancestor V4 V1",
    "root V1 or root V2 or not V3 -> V4",
    "not adjacent V1 V2 or indegree(V3) = 1",
    "if ancestor V1 V2 then not V3 -> V4",
    "order V1 < V2",
};

static void subcases_of_rules_share_nothing_and_miss_nothing(void **state)
{
    uint64_t seed = seed_of();
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (uint64_t t = 0; t < 3; t++)
            for (int b = 0; b < BOUNDS; b++)
                grow_tree(texts[i], tree_shape(seed + t), bounds[b]);
}

/* ---- the solver
 * --------------------------------------------------------------
 */

static void choose_bound(struct world *w, const char *bound)
{
    static const char *const paper[] = {"bound=simple", "cycle=first",
                                        "incumbent=none", "dives=no"};
    char text[32];
    for (int i = 0; !strcmp(bound, "paper") && i < 4; i++)
        bestdag_options_set(w->run, w->options, "set", paper[i]);
    if (!strcmp(bound, "paper"))
        return;
    snprintf(text, sizeof text, "bound=%s", bound);
    bestdag_options_set(w->run, w->options, "set", text);
}

static void a_total_order_needs_no_branch(void **state)
{
    uint64_t seed = seed_of();
    (void)state;
    for (uint64_t t = 0; t < TREES; t++) {
        struct bestdag_run *run = bestdag_run_new();
        struct bestdag_rules *rules = bestdag_rules_new(run);
        bestdag_rules_add(run, rules, "order V3 < V1 < V4 < V2");
        struct bestdag_knowledge *k =
            bestdag_knowledge_new(run, rules, names, N);
        struct bestdag_sets *all = random_sets(run, tree_shape(seed + t));
        struct bestdag_outcome got;
        struct world w = pose(run, bestdag_sets_obeying(run, all, k),
                              bestdag_solver_find("bnb"));
        bestdag_problem_free(w.problem);
        w.task.problem = w.problem = bestdag_problem_under(run, w.sets, k);
        w.task.knowledge = k;
        assert_int_equal(bestdag_search(&w.task, &got), BESTDAG_OK);
        assert_string_equal(got.status, "optimal");
        assert_true(got.steps <= 1);
        bestdag_dag_free(got.dag);
        bestdag_knowledge_free(k);
        bestdag_rules_free(rules);
        bestdag_sets_free(all);
        clear(&w);
    }
}

/* The best network over the sets that obeys; none: there is none. */
static int64_t best_obeying(struct bestdag_run *run,
                            const struct bestdag_problem *p,
                            const struct bestdag_rules *rules)
{
    struct tree *t = calloc(1, sizeof *t);
    int64_t least = p->none;
    t->run = run;
    list_networks(t, p, rules);
    for (int i = 0; i < t->count; i++)
        least = t->cost[i] < least ? t->cost[i] : least;
    free(t);
    return least;
}

static void solve_under(const char *text, uint64_t seed, const char *bound)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_rules *rules = bestdag_rules_new(run);
    bestdag_rules_add(run, rules, text);
    struct bestdag_knowledge *k = bestdag_knowledge_new(run, rules, names, N);
    struct bestdag_sets *all = random_sets(run, tree_shape(seed));
    struct bestdag_outcome got = {0};
    struct world w = pose(run, bestdag_sets_obeying(run, all, k),
                          bestdag_solver_find("bnb"));
    int64_t best = best_obeying(run, w.problem, rules);
    double score = bestdag_problem_nats(w.problem, best);
    bool exists = best < w.problem->none;
    bestdag_problem_free(w.problem);
    w.task.problem = w.problem = bestdag_problem_under(run, w.sets, k);
    w.task.knowledge = k;
    choose_bound(&w, bound);
    int status = bestdag_search(&w.task, &got);
    assert_int_equal(status == BESTDAG_OK, exists);
    if (exists) {
        assert_string_equal(got.status, "optimal");
        assert_true(fabs(got.score - score) < 1e-6);
        assert_true(got.bound >= score - 1e-6);
    }
    bestdag_dag_free(got.dag);
    bestdag_knowledge_free(k);
    bestdag_rules_free(rules);
    bestdag_sets_free(all);
    clear(&w);
}

static void under_rules_it_finds_the_best_network_that_obeys(void **state)
{
    uint64_t seed = seed_of();
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (uint64_t t = 0; t < 6; t++)
            for (int b = 0; b < BOUNDS; b++)
                solve_under(texts[i], seed + t, bounds[b]);
}

static struct random_sets hard_shape(uint64_t seed, uint64_t t)
{
    return (struct random_sets){.seed = seed + t,
                                .n = 10 + (int)(t % 5),
                                .sets = 12 + (int)(t % 4) * 8,
                                .most_parents = 1 + (int)(t % 4),
                                .levels = t % 5 ? 0 : 3,
                                .no_prune = t % 7 == 0};
}

static void it_finds_what_dp_does(void **state)
{
    uint64_t seed = seed_of();
    int64_t steps = 0;
    (void)state;
    for (uint64_t t = 0; t < TRIALS; t++) {
        struct world d = pose_random(hard_shape(seed, t), "dp");
        struct world w = pose_random(hard_shape(seed, t), "bnb");
        struct bestdag_outcome best, got;
        choose_bound(&w, bounds[t % BOUNDS]);
        assert_int_equal(bestdag_search(&d.task, &best), BESTDAG_OK);
        assert_int_equal(bestdag_search(&w.task, &got), BESTDAG_OK);
        assert_string_equal(got.status, "optimal");
        assert_true(fabs(got.score - best.score) < 1e-6);
        steps += got.steps;
        bestdag_dag_free(best.dag);
        bestdag_dag_free(got.dag);
        clear(&d);
        clear(&w);
    }
    print_message("%lld nodes\n", (long long)steps);
    assert_true(steps > TRIALS);
}

static void stopped_anywhere_its_bound_holds(void **state)
{
    uint64_t seed = seed_of();
    int ended = 0;
    (void)state;
    for (int64_t steps = 1; steps <= 60; steps += steps / 8 + 1)
        for (int b = 0; b < BOUNDS; b++) {
            struct world w = pose_random(hard_shape(seed, 3), "bnb");
            struct bestdag_outcome got;
            double best =
                bestdag_problem_nats(w.problem, brute_optimum(w.problem));
            choose_bound(&w, bounds[b]);
            set(&w, "steps", steps);
            assert_int_equal(bestdag_search(&w.task, &got), BESTDAG_OK);
            assert_true(got.steps <= steps);
            assert_true(got.bound >= best - 1e-6);
            assert_true(got.score <= best + 1e-6);
            ended += !strcmp(got.status, "stopped");
            bestdag_dag_free(got.dag);
            clear(&w);
        }
    assert_true(ended > 0);
}

static void threads_change_nothing(void **state)
{
    static const char *const threads[] = {"1", "2", "4"};
    uint64_t seed = seed_of();
    (void)state;
    for (uint64_t t = 0; t < 6 * BOUNDS; t++) {
        struct bestdag_outcome got[3];
        for (int k = 0; k < 3; k++) {
            struct world w = pose_random(hard_shape(seed, t / BOUNDS), "bnb");
            choose_bound(&w, bounds[t % BOUNDS]);
            bestdag_run_set(w.run, "threads", threads[k]);
            set(&w, "steps", 200);
            assert_int_equal(bestdag_search(&w.task, &got[k]), BESTDAG_OK);
            clear(&w);
        }
        struct small one = of_dag(got[0].dag);
        for (int k = 1; k < 3; k++) {
            struct small other = of_dag(got[k].dag);
            assert_true(same(&one, &other));
            assert_int_equal(got[0].steps, got[k].steps);
            assert_true(got[0].bound == got[k].bound);
        }
        for (int k = 0; k < 3; k++)
            bestdag_dag_free(got[k].dag);
    }
}

static int listen(void *user, const struct bestdag_progress *now)
{
    *(bool *)user |= now->note && strstr(now->note, "the deepest nodes first");
    return 0;
}

/* The more memory, the further it comes: it fails, ends early, goes deep, and
 * proves. */
static void with_little_memory_its_bound_holds(void **state)
{
    int proved = 0, ended = 0, deep = 0;
    (void)state;
    for (int64_t spare = 256; spare <= 2048; spare += spare / 32) {
        struct world w = pose_random(hard_shape(20090617, 3), "bnb");
        struct bestdag_outcome got;
        bool is_deep = false;
        char limit[32];
        double best = bestdag_problem_nats(w.problem, brute_optimum(w.problem));
        snprintf(limit, sizeof limit, "%lldK",
                 (long long)(bestdag_memory_used(w.run) / 1024 + spare));
        bestdag_run_on_progress(w.run, listen, &is_deep);
        choose_bound(&w, "simple");
        bestdag_run_set(w.run, "threads", "1");
        bestdag_run_set(w.run, "memory-limit", limit);
        int status = bestdag_search(&w.task, &got);
        if (status) {
            assert_int_equal(status, BESTDAG_MEMORY);
            assert_false(proved); /* there was less memory */
        } else {
            assert_true(got.bound >= best - 1e-6);
            assert_true(got.score <= best + 1e-6);
            proved += !strcmp(got.status, "optimal");
            ended += !strcmp(got.status, "stopped");
            deep += is_deep;
        }
        bestdag_dag_free(got.dag);
        clear(&w);
    }
    print_message("%d proved, %d ended, %d deep\n", proved, ended, deep);
    assert_true(proved > 0 && ended > 0 && deep > ended);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(subcases_of_a_cycle_share_nothing_and_miss_nothing),
        cmocka_unit_test(subcases_of_rules_share_nothing_and_miss_nothing),
        cmocka_unit_test(a_total_order_needs_no_branch),
        cmocka_unit_test(under_rules_it_finds_the_best_network_that_obeys),
        cmocka_unit_test(it_finds_what_dp_does),
        cmocka_unit_test(stopped_anywhere_its_bound_holds),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(with_little_memory_its_bound_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
