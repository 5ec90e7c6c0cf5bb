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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solvers_find_the_optimum)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
