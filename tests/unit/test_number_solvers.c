/* SPDX-License-Identifier: MIT */
/* Every solver on tables of numbers and mixed tables, against dynamic
 * programming over all subsets with scores by plain least squares. */
#include "scratch.h"

#include <math.h>

#include "plain_regression.h"
#include "random_numbers.h"
#include "search/solver.h"

/* The best score of a network: best parents within each subset, then orders. */
static double optimum(const struct bestdag_scorer *s)
{
    static double best[MOST][1 << MOST], whole[1 << MOST];
    int n = s->n;
    for (int v = 0; v < n; v++)
        for (unsigned mask = 0; mask < 1u << n; mask++) {
            int set[MOST], count = 0;
            best[v][mask] = -INFINITY;
            if (mask >> v & 1)
                continue;
            for (int u = 0; u < n; u++)
                if (mask >> u & 1) {
                    set[count++] = u;
                    best[v][mask] =
                        fmax(best[v][mask], best[v][mask ^ 1u << u]);
                }
            best[v][mask] = fmax(best[v][mask], plain(s, v, set, count));
        }
    for (unsigned mask = 1; mask < 1u << n; mask++) {
        whole[mask] = -INFINITY;
        for (int v = 0; v < n; v++)
            if (mask >> v & 1)
                whole[mask] = fmax(whole[mask], whole[mask ^ 1u << v] +
                                                    best[v][mask ^ 1u << v]);
    }
    return whole[(1u << n) - 1];
}

/* Scored by plain least squares, too. */
static double plain_score(const struct bestdag_scorer *s,
                          const struct bestdag_network *net)
{
    double sum = 0;
    for (int v = 0; v < s->n; v++) {
        int set[MOST], count = bestdag_network_parents(net, v, set, MOST);
        sum += plain(s, v, set, count);
    }
    return sum;
}

static void try_solver(const struct bestdag_scorer *s, const char *solver,
                       double best)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_options *o = bestdag_options_new(run);
    bestdag_options_set(run, o, "score", s->type->name);
    if (solver)
        bestdag_options_set(run, o, "solver", solver);
    struct bestdag_result *r = bestdag_learn(run, s->table, NULL, o);
    if (!r) { /* classes need scores that are the same in a class */
        assert_false(s->type->equivalent);
        assert_failed(run, BESTDAG_USAGE, "equivalence classes");
    } else {
        double score = bestdag_result_number(r, "score");
        double bound = bestdag_result_number(r, "bound");
        const char *status = bestdag_result_text(r, "status");
        assert_fine(run);
        assert_true(score <= best + 1e-6);
        assert_true(isnan(bound) || bound >= best - 1e-6);
        if (!strcmp(status, "optimal"))
            assert_true(score >= best - 1e-6);
        else if (!solver)
            fail_msg("auto did not prove it");
        assert_true(fabs(plain_score(s, bestdag_result_network(r)) - score) <
                    1e-5);
    }
    bestdag_result_free(r);
    bestdag_options_free(o);
    bestdag_run_free(run);
}

static void solvers_find_the_optimum(void **state)
{
    (void)state;
    static const struct random_numbers tables[] = {
        {.numbers = 8, .rows = 120, .parts = .4},
        {.numbers = 8, .rows = 7, .parts = .4},
        {.numbers = 6, .rows = 40, .parts = .4, .twice = true},
        {.numbers = 4, .states = 4, .rows = 200, .parts = .5},
        {.numbers = 3, .states = 3, .rows = 40, .parts = .5}};
    static const char *const scores[] = {"bic-g", "aic-g", "bic-cg", "aic-cg"};
    struct bestdag_run *run = bestdag_run_new();
    for (uint64_t seed = 1; seed <= 1; seed++)
        for (int i = 0; i < COUNT(tables); i++) {
            struct random_numbers how = tables[i];
            how.seed = 1000 * seed + (uint64_t)i;
            print_message("seed %d\n", (int)how.seed);
            struct bestdag_table *t = random_numbers(run, how);
            for (int k = 0; k < COUNT(scores); k++) {
                const struct bestdag_score_type *type =
                    bestdag_score_find(scores[k]);
                if (!bestdag_score_takes(type, t))
                    continue;
                struct bestdag_scorer *s =
                    bestdag_scorer_of(run, t, type, NULL);
                double best = optimum(s);
                const struct bestdag_solver *solver;
                try_solver(s, NULL, best);
                for (int j = 0; (solver = bestdag_solver_at(j)); j++)
                    try_solver(s, solver->name, best);
                bestdag_scorer_free(s);
            }
            bestdag_table_free(t);
        }
    assert_fine(run);
    bestdag_run_free(run);
}

/* ---- columns that nearly determine each other -----------------------------
 */

/* A family has one score: in units, in nats and, but for bge, by plain least
 * squares. */
static void check_families(struct bestdag_run *run,
                           const struct bestdag_scorer *s)
{
    struct bestdag_scorer_scratch *scratch = bestdag_scorer_scratch_new(run, s);
    for (unsigned mask = 0; mask < 1u << s->n; mask++)
        for (int v = 0; v < s->n; v++) {
            int set[MOST], count = 0;
            struct bestdag_family f;
            double exact;
            for (int u = 0; u < s->n; u++)
                if (mask >> u & 1)
                    set[count++] = u;
            if (mask >> v & 1)
                continue;
            bestdag_scorer_family(s, scratch, v, set, count, &f);
            bestdag_scorer_exact(run, s, v, set, count, &exact);
            double nats = f.score < BESTDAG_NO_PARAMETERS
                              ? -INFINITY
                              : bestdag_scorer_nats(s, f.score);
            if (!(nats == exact || fabs(nats - exact) < 1e-8))
                fail_msg("%d given set %x: %.12f, exactly %.12f", v, mask, nats,
                         exact);
            double other =
                strcmp(s->type->name, "bge") ? plain(s, v, set, count) : exact;
            if (!(nats == other || fabs(nats - other) < 1e-6))
                fail_msg("%d given set %x: %.12f, plainly %.12f", v, mask, nats,
                         other);
        }
    bestdag_scorer_scratch_free(scratch);
}

/* All agree on the optimum, and bound and score are one. */
static void check_proofs(const struct bestdag_scorer *s)
{
    static const char *const solvers[] = {"dp", "astar", "cluster", "bnb"};
    static const char *const parents[] = {"sequential", "greedy",
                                          "independence"};
    double first = (double)NAN;
    for (int i = 0; i < COUNT(solvers) * COUNT(parents); i++) {
        struct bestdag_run *run = bestdag_run_new();
        struct bestdag_options *o = bestdag_options_new(run);
        bestdag_options_set(run, o, "score", s->type->name);
        bestdag_options_set(run, o, "solver", solvers[i % COUNT(solvers)]);
        bestdag_options_set(run, o, "parents", parents[i / COUNT(solvers)]);
        struct bestdag_result *r = bestdag_learn(run, s->table, NULL, o);
        assert_fine(run);
        double score = bestdag_result_number(r, "score");
        double bound = bestdag_result_number(r, "bound");
        first = i ? first : score;
        if (!strcmp(bestdag_result_text(r, "status"), "optimal")) {
            assert_true(fabs(bound - score) < 1e-8);
            if (!strcmp(bestdag_result_text(r, "proved_over"),
                        "all parent sets"))
                assert_true(fabs(score - first) < 1e-8);
        }
        assert_true(score <= first + 1e-8);
        bestdag_result_free(r);
        bestdag_options_free(o);
        bestdag_run_free(run);
    }
    if (strcmp(s->type->name, "bge"))
        assert_true(fabs(first - optimum(s)) < 1e-6);
}

static void ill_conditioned_families_have_one_score(void **state)
{
    (void)state;
    static const double nears[] = {3e-2, 1e-3, 1e-4, 1e-5, 3e-6, 1e-6};
    static const char *const scores[] = {"bic-g", "bge", "bic-cg"};
    struct bestdag_run *run = bestdag_run_new();
    for (int i = 0; i < COUNT(nears) * COUNT(scores); i++) {
        bool is_mixed = i % COUNT(scores) == 2;
        struct random_numbers how = {.seed = 70 + (uint64_t)i,
                                     .numbers = is_mixed ? 6 : 8,
                                     .states = is_mixed ? 2 : 0,
                                     .rows = i % 3 ? 150 : 1000,
                                     .parts = .4,
                                     .weights = i % 4 ? 0 : 3,
                                     .near = nears[i / COUNT(scores)]};
        print_message("seed %d\n", (int)how.seed);
        struct bestdag_table *t = random_numbers(run, how);
        struct bestdag_scorer *s = bestdag_scorer_of(
            run, t, bestdag_score_find(scores[i % COUNT(scores)]), NULL);
        check_families(run, s);
        check_proofs(s);
        bestdag_scorer_free(s);
        bestdag_table_free(t);
    }
    assert_fine(run);
    bestdag_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solvers_find_the_optimum),
        cmocka_unit_test(ill_conditioned_families_have_one_score)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
