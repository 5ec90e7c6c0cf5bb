/* SPDX-License-Identifier: MIT */
/* test_trees.c -- spanning trees and branchings against all choices of parents,
 * and the solver tree with every score against all trees. */
#include "climbing.h"
#include "graph/branching.h"
#include "graph/spanning.h"

static const uint64_t SEED = 20261116;

/* ---- all choices of parents ------------------------------------------------
 */

struct shape {
    int n;
    int parent[MOST_NODES]; /* -1: a root */
};

/* Number `code` in base n: digit v is the parent of v, itself for none. */
static struct shape shape_of(int n, int code)
{
    struct shape s = {.n = n};
    for (int v = 0; v < n; v++, code /= n)
        s.parent[v] = code % n == v ? -1 : code % n;
    return s;
}

static int shapes(int n)
{
    int count = 1;
    for (int v = 0; v < n; v++)
        count *= n;
    return count;
}

static bool has_cycle(const struct shape *s)
{
    for (int v = 0; v < s->n; v++) {
        int u = v;
        for (int i = 0; i <= s->n && u >= 0; i++)
            u = s->parent[u];
        if (u >= 0)
            return true;
    }
    return false;
}

static int count_roots(const struct shape *s)
{
    int roots = 0;
    for (int v = 0; v < s->n; v++)
        roots += s->parent[v] < 0;
    return roots;
}

/* BESTDAG_NO_ARC: it uses an arc that may not be. */
static int64_t total(const struct shape *s, const int64_t *gain)
{
    int64_t sum = 0;
    for (int v = 0; v < s->n; v++)
        if (s->parent[v] >= 0) {
            int64_t g = gain[s->parent[v] * s->n + v];
            if (g == BESTDAG_NO_ARC)
                return g;
            sum += g;
        }
    return sum;
}

/* Fewest roots first, unless it is a forest; then the most gain. */
static int64_t best_by_brute(int n, const int64_t *gain, bool forest,
                             int *roots)
{
    int64_t best = BESTDAG_NO_ARC;
    *roots = n + 1;
    for (int code = 0; code < shapes(n); code++) {
        struct shape s = shape_of(n, code);
        int64_t sum = has_cycle(&s) ? BESTDAG_NO_ARC : total(&s, gain);
        int own = forest ? 0 : count_roots(&s);
        if (sum != BESTDAG_NO_ARC &&
            (own < *roots || (own == *roots && sum > best))) {
            *roots = own;
            best = sum;
        }
    }
    return best;
}

static void branchings_are_the_best(void **state)
{
    struct bestdag_random r = bestdag_random_init(SEED, 1);
    struct bestdag_run *run = bestdag_run_new();
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (int trial = 0; trial < 600; trial++) {
        int n = 1 + trial % 6, roots;
        int64_t gain[36], copy[36];
        uint64_t levels = trial % 3 ? 1000 : 4; /* ties, too */
        for (int i = 0; i < n * n; i++)
            gain[i] = bestdag_random_below(&r, 8) == 0 && trial % 2
                          ? BESTDAG_NO_ARC
                          : (int64_t)bestdag_random_below(&r, levels) -
                                (int64_t)levels / 3;
        for (int forest = 0; forest < 2; forest++) {
            struct shape s = {.n = n};
            int64_t best = best_by_brute(n, gain, forest, &roots);
            memcpy(copy, gain, sizeof copy);
            assert_int_equal(
                bestdag_branching_find(run, n, copy, forest, s.parent), 0);
            assert_false(has_cycle(&s));
            assert_true(total(&s, gain) == best);
            assert_true(forest || count_roots(&s) == roots);
        }
    }
    bestdag_run_free(run);
}

/* ---- spanning trees --------------------------------------------------------
 */

/* Prim's algorithm, plainly. */
static int64_t prim(int n, const int64_t *weight)
{
    bool is_in[200] = {true};
    int64_t sum = 0;
    for (int i = 1; i < n; i++) {
        int64_t best = INT64_MIN;
        int next = -1;
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                if (is_in[a] && !is_in[b] && weight[a * n + b] > best) {
                    best = weight[a * n + b];
                    next = b;
                }
        is_in[next] = true;
        sum += best;
    }
    return sum;
}

static void spanning_trees_are_the_heaviest(void **state)
{
    struct bestdag_random r = bestdag_random_init(SEED, 2);
    struct bestdag_run *run = bestdag_run_new();
    (void)state;
    for (int trial = 0; trial < 20; trial++) {
        int n = 2 + trial * 5, parent[200], roots = 0;
        int64_t *weight = calloc((size_t)(n * n), sizeof *weight), sum = 0;
        struct bestdag_spanning s;
        assert_int_equal(bestdag_spanning_init(run, &s, n), 0);
        for (int a = 0; a < n; a++)
            for (int b = a + 1; b < n; b++) {
                int64_t w = (int64_t)bestdag_random_below(&r, 500) - 100;
                weight[a * n + b] = weight[b * n + a] = w;
                bestdag_spanning_add(&s, (struct bestdag_edge){w, a, b});
            }
        bestdag_spanning_finish(&s, false);
        assert_int_equal(bestdag_spanning_direct(&s, n / 2, parent), 0);
        for (int v = 0; v < n; v++) {
            roots += parent[v] < 0;
            sum += parent[v] < 0 ? 0 : weight[parent[v] * n + v];
        }
        assert_int_equal(roots, 1);
        assert_int_equal(parent[n / 2], -1);
        assert_true(sum == prim(n, weight));
        bestdag_spanning_release(&s);
        free(weight);
    }
    bestdag_run_free(run);
}

/* ---- the solver ------------------------------------------------------------
 */

static int64_t best_tree(const struct bench *b, bool forest)
{
    int64_t best = INT64_MIN;
    int n = b->task.n;
    for (int code = 0; code < shapes(n); code++) {
        struct shape s = shape_of(n, code);
        struct small g = {.n = n};
        if (has_cycle(&s) || (!forest && count_roots(&s) > 1))
            continue;
        for (int v = 0; v < n; v++)
            g.parents[v] = s.parent[v] < 0 ? 0 : (uint32_t)1 << s.parent[v];
        int64_t score = score_of(b, &g);
        best = score > best ? score : best;
    }
    return best;
}

static void trees_are_the_best_by_every_score(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct random_table how = {
            .seed = seed, .columns = 1 + (int)(seed % 5), .most = 3};
        bool forest = seed % 2;
        struct bestdag_outcome got;
        struct bench b;
        print_message("seed %d, %s\n", (int)seed, scores[seed / 2 % SCORES]);
        open_bench(&b, how, scores[seed / 2 % SCORES]);
        b.task.solver = bestdag_solver_find("tree");
        if (forest)
            set_options(&b, "set:forest=yes");
        score_all(&b);
        if (bestdag_search(&b.task, &got))
            fail_msg("%s", bestdag_run_error(b.run));
        struct small g = of_dag(got.dag);
        double best = bestdag_scorer_nats(b.scorer, best_tree(&b, forest));
        double is = bestdag_scorer_nats(b.scorer, score_of(&b, &g));
        assert_true(fabs(best - is) < 1e-6);
        assert_string_equal(got.status, "heuristic");
        bestdag_dag_free(got.dag);
        close_bench(&b);
    }
}

/* ---- consistent k-graphs ---------------------------------------------------
 */

static double score_by(struct bench *b, const char *solver,
                       const char *settings)
{
    struct bestdag_outcome got;
    b->task.solver = bestdag_solver_find(solver);
    bestdag_options_free(b->options);
    b->options = bestdag_options_new(b->run);
    b->task.options = b->options;
    set_options(b, settings);
    if (bestdag_search(&b->task, &got))
        fail_msg("%s", bestdag_run_error(b->run));
    struct small g = of_dag(got.dag);
    if (b->task.max_parents >= 0)
        assert_true(is_allowed(b, &g));
    bestdag_dag_free(got.dag);
    return got.score;
}

/* tree <= ckg <= ckg by layers; one root <= all roots; none above the best. */
static void ckgs_are_between_trees_and_the_best(void **state)
{
    int better = 0, roots = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct random_table how = {
            .seed = seed, .columns = 1 + (int)(seed % 5), .most = 3};
        struct bench b;
        print_message("seed %d, %s\n", (int)seed, scores[seed / 2 % SCORES]);
        open_bench(&b, how, scores[seed / 2 % SCORES]);
        b.task.max_parents = 1 + (int)(seed % 3);
        score_all(&b);
        double tree = score_by(&b, "tree", "");
        double forest = score_by(&b, "tree", "set:forest=yes");
        double one = score_by(&b, "ckg", "");
        double all = score_by(&b, "ckg", "set:roots=all");
        double wide = score_by(&b, "ckg", "set:order=bfs");
        double most = score_by(&b, "ckg", "set:order=bfs set:roots=all");
        double best = bestdag_scorer_nats(b.scorer, best_of_all(&b));
        double paper = score_by(&b, "ckg", "set:branching=tree");
        double sparse = score_by(&b, "ckg", "set:branching=forest");
        assert_true(one >= tree - 1e-6 && one >= forest - 1e-6);
        assert_true(paper >= tree - 1e-6 && sparse >= forest - 1e-6);
        assert_true(one == (paper > sparse ? paper : sparse));
        assert_true(all >= one - 1e-6 && wide >= one - 1e-6);
        assert_true(most >= all - 1e-6 && most >= wide - 1e-6);
        assert_true(most <= best + 1e-6);
        better += one > tree + 1e-6 && one > forest + 1e-6;
        roots += all > one + 1e-6;
        close_bench(&b);
    }
    print_message("%d above the tree, %d by another root\n", better, roots);
    assert_true(better > 0 && roots > 0);
}

/* For each root, the best sets among ancestors one by one. */
static double best_root_by_brute(struct bench *b, const struct small *tree)
{
    int64_t best = INT64_MIN;
    for (int root = 0; root < tree->n; root++) {
        int64_t sum = 0;
        int parent[MOST_NODES], stack[MOST_NODES], count = 0;
        for (int v = 0; v < tree->n; v++)
            parent[v] = -2;
        parent[root] = -1;
        stack[count++] = root;
        while (count) {
            int v = stack[--count];
            for (int u = 0; u < tree->n; u++)
                if (adjacent(tree, u, v) && parent[u] == -2) {
                    parent[u] = v;
                    stack[count++] = u;
                }
        }
        for (int v = 0; v < tree->n; v++) {
            uint32_t above = 0;
            for (int u = parent[v]; u >= 0; u = parent[u])
                above |= (uint32_t)1 << u;
            int64_t most = INT64_MIN;
            for (uint32_t set = 0; set <= above; set++)
                if (!(set & ~above) && count_bits(set) <= b->task.max_parents &&
                    b->family[v][set] > most)
                    most = b->family[v][set];
            sum += most;
        }
        best = sum > best ? sum : best;
    }
    return bestdag_scorer_nats(b->scorer, best);
}

static void all_roots_are_tried(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct random_table how = {.seed = seed,
                                   .columns = 2 + (int)(seed % 4),
                                   .most = 3,
                                   .rows = 60};
        struct bestdag_outcome tree;
        struct bench b;
        open_bench(&b, how, seed % 2 ? "score=aic" : "score=bdeu ess=4");
        b.task.max_parents = 1 + (int)(seed / 2 % 3);
        b.task.solver = bestdag_solver_find("tree");
        score_all(&b);
        assert_int_equal(bestdag_search(&b.task, &tree), BESTDAG_OK);
        struct small g = of_dag(tree.dag);
        double brute = best_root_by_brute(&b, &g);
        bestdag_dag_free(tree.dag);
        assert_true(score_by(&b, "ckg", "set:roots=all") >= brute - 1e-6);
        double paper = score_by(&b, "ckg", "set:roots=all set:branching=tree");
        assert_true(fabs(paper - brute) < 1e-6);
        close_bench(&b);
    }
}

static void threads_do_not_show_and_failures_are_survived(void **state)
{
    (void)state;
    for (int score = 0; score < 4; score += 3) { /* bic, k2 */
        double first = 0;
        for (int threads = 1; threads <= 3; threads++) {
            struct random_table how = {
                .seed = 9, .columns = 40, .most = 3, .rows = 100};
            struct bestdag_outcome got;
            struct bench b;
            open_bench(&b, how, scores[score]);
            b.task.solver = bestdag_solver_find("tree");
            bestdag_run_set(b.run, "threads", threads == 1 ? "1" : "3");
            assert_int_equal(bestdag_search(&b.task, &got), BESTDAG_OK);
            assert_true(threads == 1 || got.score == first);
            first = got.score;
            bestdag_dag_free(got.dag);
            close_bench(&b);
        }
        bool has_failed = true;
        for (int64_t k = 1; has_failed; k++) {
            struct random_table how = {
                .seed = 2, .columns = 4, .most = 3, .rows = 20};
            struct bestdag_outcome got;
            struct bench b;
            open_bench(&b, how, scores[score]);
            b.task.solver = bestdag_solver_find("tree");
            bestdag_memory_fail_at(b.run, k);
            bestdag_search(&b.task, &got);
            has_failed = bestdag_memory_has_failed(b.run);
            bestdag_dag_free(got.dag);
            close_bench(&b);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(branchings_are_the_best),
        cmocka_unit_test(spanning_trees_are_the_heaviest),
        cmocka_unit_test(trees_are_the_best_by_every_score),
        cmocka_unit_test(ckgs_are_between_trees_and_the_best),
        cmocka_unit_test(all_roots_are_tried),
        cmocka_unit_test(threads_do_not_show_and_failures_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
