/* SPDX-License-Identifier: MIT */
/* Scores: worked values, and every score against libm on random tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "random_table.h"
#include "scores/score.h"
#include "scores/special.h"

/* Six rows of A, B (two states) and C (three). */
static struct bestdag_table *six_rows(struct bestdag_run *run)
{
    static const int8_t a[] = {0, 0, 0, 1, 1, 1}, b[] = {0, 0, 1, 1, 1, 0},
                        c[] = {0, 1, 2, 2, 1, 0};
    struct bestdag_table *t = bestdag_table_new(run, 6);
    bestdag_table_add_codes(run, t, "A", a, 1, 2, NULL);
    bestdag_table_add_codes(run, t, "B", b, 1, 2, NULL);
    bestdag_table_add_codes(run, t, "C", c, 1, 3, NULL);
    return t;
}

static struct bestdag_options *settings(struct bestdag_run *run,
                                        const char *text)
{
    struct bestdag_options *o = bestdag_options_new(run);
    char copy[256], *save = NULL;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *w = strtok_r(copy, " ", &save); w;
         w = strtok_r(NULL, " ", &save)) {
        char *value = strchr(w, '=');
        *value++ = 0;
        assert_int_equal(bestdag_options_set(run, o, w, value), 0);
    }
    return o;
}

static struct bestdag_scorer *scorer_with(struct bestdag_run *run,
                                          const struct bestdag_table *t,
                                          const char *text)
{
    struct bestdag_options *o = settings(run, text);
    struct bestdag_scorer *s = bestdag_scorer_new(run, t, o);
    bestdag_options_free(o);
    return s;
}

static void close_to(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance * (1 + fabs(want))))
        fail_msg("got %.12f, expected %.12f", got, want);
}

static void worked_values_come_out(void **state)
{
    (void)state;
    static const char *const scores[] = {"score=ll",
                                         "score=bic",
                                         "score=aic",
                                         "score=k2",
                                         "score=bdeu",
                                         "score=bdeu ess=10",
                                         "score=mit alpha=.95",
                                         "score=mit alpha=.999"};
    static const struct {
        int child, parents[2], count;
        double value[8];
    } rows[] = {
        {0,
         {0},
         0,
         {-4.1588830834, -5.0547628180, -5.1588830834, -4.9416424226,
          -5.3220338932, -4.4032288423, 0, 0}},
        {0,
         {1},
         1,
         {-3.8190850098, -5.6108444790, -5.8190850098, -4.9698132996,
          -6.3561076607, -4.5235261969, -3.1618626735, -10.1479700235}},
        {0,
         {2},
         1,
         {-4.1588830834, -6.8465222872, -7.1588830834, -5.3752784077,
          -8.3177661667, -4.9459758768, -5.9914645471, -13.8155105580}},
        {0,
         {1, 2},
         2,
         {-2.7725887222, -8.1478671299, -8.7725887222, -4.9698132996,
          -8.0507033815, -5.0988903419, -11.0336037281, -27.3091580320}},
        {1,
         {2},
         1,
         {-1.3862943611, -4.0739335650, -4.3862943611, -3.9889840466,
          -4.4259458686, -4.0059686183, -0.4462871026, -8.2703331135}},
        {1,
         {0, 2},
         2,
         {0, -5.3752784077, -6, -4.1588830834, -4.1588830834, -4.1588830834,
          -5.4884262836, -21.7639805875}},
        {2,
         {0},
         0,
         {-6.5916737320, -8.3834332012, -8.5916737320, -7.8320141805,
          -9.0120418607, -7.0865142844, 0, 0}},
        {2,
         {0, 1},
         2,
         {-2.7725887222, -9.9396265992, -10.7725887222, -7.1670378769,
          -9.8105495569, -7.2646182053, -7.8410235644, -24.6441674913}},
    };
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = six_rows(run);
    for (int k = 0; k < 8; k++) {
        struct bestdag_scorer *s = scorer_with(run, t, scores[k]);
        struct bestdag_scorer_scratch *scratch =
            bestdag_scorer_scratch_new(run, s);
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            struct bestdag_family f;
            double exact;
            bestdag_scorer_family(s, scratch, rows[i].child, rows[i].parents,
                                  rows[i].count, &f);
            bestdag_scorer_exact(run, s, rows[i].child, rows[i].parents,
                                 rows[i].count, &exact);
            close_to(bestdag_scorer_nats(s, f.score), rows[i].value[k], 1e-9);
            close_to(exact, rows[i].value[k], 1e-10);
        }
        bestdag_scorer_scratch_free(scratch);
        bestdag_scorer_free(s);
    }
    assert_string_equal(bestdag_run_error(run), "");
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void chi_square_quantiles_are_right(void **state)
{
    (void)state;
    static const double known[][3] = {
        {.95, 1, 3.8414588207},   {.95, 2, 5.9914645471},
        {.95, 4, 9.4877290368},   {.95, 6, 12.5915872437},
        {.999, 1, 10.8275661707}, {.999, 2, 13.8155105580},
        {.999, 4, 18.4668269529}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        close_to(bestdag_chi2_quantile(known[i][0], known[i][1]), known[i][2],
                 1e-10);
    for (double f = 1; f < 1e5; f *= 1.7)
        for (double p = 1e-6; p < 1; p += .0373) {
            double x = bestdag_chi2_quantile(p, floor(f));
            close_to(bestdag_chi2(x, floor(f)), p, 1e-10);
        }
    for (double x = .1; x < 40; x *= 1.3) /* two degrees: 1 - exp(-x / 2) */
        close_to(bestdag_chi2(x, 2), -expm1(-x / 2), 1e-12);
}

static void rises_agree_with_lgamma(void **state)
{
    (void)state;
    for (double a = 1e-9; a < 1e6; a *= 1.9)
        for (double n = 0; n < 1e6; n = floor(n * 1.37) + 1) {
            long double want = lgammal((long double)a + n) - lgammal(a);
            double got = bestdag_log_rising_factorial(a, n);
            if (fabsl(got - want) > 1e-12L * (1 + fabsl(want)))
                fail_msg("a %g n %g: %.17g, expected %.17Lg", a, n, got, want);
        }
}

/* The same score by another way: counts by brute force, formulas with lgamma
 * over all cells, also those that do not occur. */
static double reference(const struct bestdag_table *t, const char *score,
                        double parameter, int child, const int *parents,
                        int count)
{
    int r = t->column[child].states, q = 1;
    for (int i = 0; i < count; i++)
        q *= t->column[parents[i]].states;
    double *n = calloc((size_t)q * r, sizeof *n), sum = 0, all = 0;
    for (int64_t row = 0; row < t->rows; row++) {
        int j = 0;
        for (int i = 0; i < count; i++)
            j = j * t->column[parents[i]].states +
                bestdag_column_code(&t->column[parents[i]], row);
        double w = t->weights ? t->weights[row] : 1;
        n[j * r + bestdag_column_code(&t->column[child], row)] += w;
        all += w;
    }
    double a = !strcmp(score, "bdeu") ? parameter / q / r : parameter;
    bool likelihood = *score == 'l' || *score == 'a' || !strcmp(score, "bic");
    for (int j = 0; j < q; j++) {
        double nj = 0;
        for (int k = 0; k < r; k++)
            nj += n[j * r + k];
        for (int k = 0; k < r; k++) {
            double x = n[j * r + k];
            if (likelihood)
                sum += x > 0 ? x * log(x / nj) : 0;
            else
                sum += lgamma(x + a) - lgamma(a);
        }
        if (!likelihood)
            sum += lgamma(r * a) - lgamma(r * a + nj);
    }
    free(n);
    if (!strcmp(score, "bic"))
        sum -= log(all) / 2 * (r - 1) * q;
    if (!strcmp(score, "aic"))
        sum -= (r - 1) * q;
    return sum;
}

static void scores_agree_with_libm_on_random_tables(void **state)
{
    (void)state;
    static const struct {
        const char *name, *options;
        double parameter;
    } cases[] = {{"ll", "score=ll", 0},
                 {"aic", "score=aic", 0},
                 {"bic", "score=mdl structure-prior=arcs:1.25", 0},
                 {"k2", "score=k2", 1},
                 {"bd", "score=bd pseudo=0.3", 0.3},
                 {"bdeu", "score=bdeu", 1},
                 {"bdeu", "score=bdeu ess=12.5", 12.5},
                 {"bdeu", "score=bdeu ess=0.001", 0.001}};
    struct bestdag_run *run = bestdag_run_new();
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct random_table how = {.seed = seed, .columns = 5, .most = 4};
        struct bestdag_table *t = random_table(run, how);
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            struct bestdag_scorer *s = scorer_with(run, t, cases[k].options);
            struct bestdag_scorer_scratch *scratch =
                bestdag_scorer_scratch_new(run, s);
            for (int child = 0; child < 5; child++)
                for (int set = 0; set < 32; set++) {
                    int parents[5], count = 0;
                    struct bestdag_family f;
                    double exact;
                    if (set >> child & 1)
                        continue;
                    for (int p = 0; p < 5; p++)
                        if (set >> p & 1)
                            parents[count++] = p;
                    bestdag_scorer_family(s, scratch, child, parents, count,
                                          &f);
                    bestdag_scorer_exact(run, s, child, parents, count, &exact);
                    double want =
                        reference(t, cases[k].name, cases[k].parameter, child,
                                  parents, count) -
                        s->arc_cost * count;
                    close_to(bestdag_scorer_nats(s, f.score), want, 4e-9);
                    close_to(exact, want, 1e-9);
                }
            bestdag_scorer_scratch_free(scratch);
            bestdag_scorer_free(s);
        }
        bestdag_table_free(t);
    }
    assert_string_equal(bestdag_run_error(run), "");
    bestdag_run_free(run);
}

static void scoring_in_a_hurry_ends_with_the_run(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct random_table how = {.seed = 5, .columns = 9, .most = 5};
    struct bestdag_table *t = random_table(run, how);
    struct bestdag_scorer *s = scorer_with(run, t, "score=bdeu");
    struct bestdag_dag *dag = bestdag_dag_new(run, t->columns);
    double nats[9];
    assert_int_equal(bestdag_scorer_exact_until_stopped(run, s, dag, nats), 0);
    bestdag_run_stop(run);
    assert_int_equal(bestdag_scorer_exact_all(run, s, dag, nats), 0);
    assert_int_equal(bestdag_scorer_exact_until_stopped(run, s, dag, nats),
                     BESTDAG_FAILED);
    assert_string_equal(bestdag_run_error(run),
                        "stopped before the network was scored");
    bestdag_dag_free(dag);
    bestdag_scorer_free(s);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

/* To the last bit, whatever the threads have counted before, and also when
 * no thread may work any more. */
static void families_of_a_network_score_alike_together_and_alone(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct random_table how = {.seed = 5, .columns = 9, .most = 5};
    struct bestdag_table *t = random_table(run, how);
    struct bestdag_random r = bestdag_random_init(5, 1);
    struct bestdag_scorer *s = scorer_with(run, t, "score=bdeu");
    for (int round = 0; round < 50; round++) {
        struct bestdag_dag *dag = bestdag_dag_new(run, t->columns);
        double all[9], one;
        for (int v = 0; v < t->columns; v++) {
            int parents[9], count = 0;
            for (int u = 0; u < v; u++)
                if (bestdag_random_below(&r, 3) == 0)
                    parents[count++] = u;
            bestdag_dag_set_parents(run, dag, v, parents, count);
        }
        if (round == 25)
            bestdag_run_stop(run);
        run->threads = 1 + round % 4;
        assert_int_equal(bestdag_scorer_exact_all(run, s, dag, all), 0);
        for (int v = 0; v < t->columns; v++) {
            bestdag_scorer_exact(run, s, v, dag->parents[v].at,
                                 dag->parents[v].count, &one);
            assert_memory_equal(&all[v], &one, sizeof one);
        }
        bestdag_dag_free(dag);
    }
    bestdag_scorer_free(s);
    bestdag_table_free(t);
    assert_string_equal(bestdag_run_error(run), "");
    bestdag_run_free(run);
}

static int64_t score_of(const struct bestdag_scorer *s,
                        struct bestdag_scorer_scratch *scratch, int child,
                        const int *parents, int count)
{
    struct bestdag_family f;
    assert_int_equal(
        bestdag_scorer_family(s, scratch, child, parents, count, &f), 0);
    return f.score;
}

/* The covered arc between 0 and 1 with parents {2, 3} turned around. */
static void equivalent_scores_do_not_see_the_direction(void **state)
{
    (void)state;
    const struct bestdag_score_type *type;
    struct bestdag_run *run = bestdag_run_new();
    for (int i = 0; (type = bestdag_score_at(i)); i++) {
        int differ = 0;
        if (type->columns != BESTDAG_SCORE_STATES)
            continue; /* test_gaussian.c */
        for (uint64_t seed = 1; seed <= 20; seed++) {
            char text[64];
            struct random_table how = {.seed = seed, .columns = 4, .most = 4};
            struct bestdag_table *t = random_table(run, how);
            if (!strcmp(type->name, "bde")) /* needs a network: below */
                snprintf(text, sizeof text, "score=bdeu");
            else
                snprintf(text, sizeof text, "score=%s", type->name);
            struct bestdag_scorer *s = scorer_with(run, t, text);
            struct bestdag_scorer_scratch *d =
                bestdag_scorer_scratch_new(run, s);
            int both[] = {2, 3}, with0[] = {0, 2, 3}, with1[] = {1, 2, 3};
            int64_t there =
                score_of(s, d, 0, both, 2) + score_of(s, d, 1, with0, 3);
            int64_t back =
                score_of(s, d, 1, both, 2) + score_of(s, d, 0, with1, 3);
            /* penalties are rounded one by one */
            differ += llabs(there - back) > 4;
            bestdag_scorer_scratch_free(d);
            bestdag_scorer_free(s);
            bestdag_table_free(t);
        }
        if (type->equivalent)
            assert_int_equal(differ, 0);
    }
    bestdag_run_free(run);
}

/* A prior of independent uniform variables is bdeu. */
static void bde_with_a_uniform_prior_is_bdeu(void **state)
{
    (void)state;
    char path[] = "/tmp/bestdag-prior-XXXXXX";
    int fd = mkstemp(path);
    FILE *f = fdopen(fd, "w");
    fputs("network p {}\n", f);
    for (int v = 0; v < 3; v++) {
        static const char *const states[] = {"0, 1", "0, 1", "2, 0, 1"};
        static const int count[] = {2, 2, 3};
        fprintf(f, "variable %c { type discrete [ %d ] { %s }; }\n", 'A' + v,
                count[v], states[v]);
        fprintf(f, "probability ( %c ) { table ", 'A' + v);
        for (int k = 0; k < count[v]; k++)
            fprintf(f, "%s%.17g", k ? ", " : "", 1.0 / count[v]);
        fputs("; }\n", f);
    }
    fclose(f);
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = six_rows(run);
    struct bestdag_options *o = settings(run, "score=bde ess=10");
    bestdag_options_set(run, o, "prior", path);
    struct bestdag_scorer *bde = bestdag_scorer_new(run, t, o);
    assert_string_equal(bestdag_run_error(run), "");
    struct bestdag_scorer *bdeu = scorer_with(run, t, "score=bdeu ess=10");
    struct bestdag_scorer_scratch *a = bestdag_scorer_scratch_new(run, bde);
    struct bestdag_scorer_scratch *b = bestdag_scorer_scratch_new(run, bdeu);
    for (int child = 0; child < 3; child++)
        for (int set = 0; set < 8; set++) {
            int parents[3], count = 0;
            struct bestdag_family x, y;
            double exact;
            if (set >> child & 1)
                continue;
            for (int p = 0; p < 3; p++)
                if (set >> p & 1)
                    parents[count++] = p;
            bestdag_scorer_family(bde, a, child, parents, count, &x);
            bestdag_scorer_family(bdeu, b, child, parents, count, &y);
            bestdag_scorer_exact(run, bde, child, parents, count, &exact);
            close_to(bestdag_scorer_nats(bde, x.score),
                     bestdag_scorer_nats(bdeu, y.score), 4e-9);
            close_to(exact, bestdag_scorer_nats(bdeu, y.score), 4e-9);
            assert_int_equal(x.cells, y.cells);
            assert_int_equal(x.likelihood, y.likelihood);
        }
    remove(path);
    bestdag_scorer_scratch_free(a);
    bestdag_scorer_scratch_free(b);
    bestdag_scorer_free(bde);
    bestdag_scorer_free(bdeu);
    bestdag_options_free(o);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void bic_is_bic_star_and_interaction(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct random_table how = {.seed = seed, .columns = 5, .most = 3};
        struct bestdag_table *t = random_table(run, how);
        struct bestdag_scorer *s = scorer_with(run, t, "score=bic");
        struct bestdag_scorer_scratch *d = bestdag_scorer_scratch_new(run, s);
        struct bestdag_family none, a, b, ab;
        int p1[] = {1, 2}, p2[] = {3, 4}, all[] = {1, 2, 3, 4};
        bestdag_scorer_family(s, d, 0, p1, 0, &none);
        bestdag_scorer_family(s, d, 0, p1, 2, &a);
        bestdag_scorer_family(s, d, 0, p2, 2, &b);
        bestdag_scorer_family(s, d, 0, all, 4, &ab);
        /* BIC* = LL(P1) + LL(P2) - LL(0) - penalty(P1 + P2); N ii from the
         * joint entropies of the parents: I(P1; P2 | X) - I(P1; P2) */
        double star = bestdag_scorer_nats(
            s, a.likelihood + b.likelihood - none.likelihood -
                   bestdag_scorer_penalty(s, 0, all, 4));
        int64_t total = bestdag_score_terms_at(s->xlogx, s->total);
        int64_t alone = none.likelihood + total;
        int64_t given = ab.likelihood + ab.parents_joint -
                        (a.likelihood + a.parents_joint) -
                        (b.likelihood + b.parents_joint) + alone;
        int64_t free_ =
            ab.parents_joint - a.parents_joint - b.parents_joint + total;
        double ii = bestdag_scorer_nats(s, given - free_);
        double bic = bestdag_scorer_nats(s, ab.score);
        close_to(bic, star + ii, 1e-9);
        /* |BIC - BIC*| <= N min{H(X), H(P1), H(P2)} */
        double least = -bestdag_scorer_nats(s, none.likelihood);
        double h1 = bestdag_scorer_nats(s, total - a.parents_joint);
        double h2 = bestdag_scorer_nats(s, total - b.parents_joint);
        least = fmin(least, fmin(h1, h2));
        assert_true(fabs(bic - star) <= least + 1e-6);
        bestdag_scorer_scratch_free(d);
        bestdag_scorer_free(s);
        bestdag_table_free(t);
    }
    bestdag_run_free(run);
}

static void settings_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "score=bic ess=3",
        "score=k2 pseudo=2",
        "score=bdeu alpha=0.9",
        "score=bdeu ess=0",
        "structure-prior=arcs:-1",
        "structure-prior=arcs:x",
        "structure-prior=nonsense",
        "score=bd pseudo=0",
        "score=bde",
        "score=bd pseudo-file=/nowhere/at/all.json"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct bestdag_run *run = bestdag_run_new();
        struct bestdag_table *t = six_rows(run);
        assert_null(scorer_with(run, t, wrong[i]));
        assert_string_not_equal(bestdag_run_error(run), "");
        bestdag_table_free(t);
        bestdag_run_free(run);
    }
}

static void every_failed_allocation_is_survived(void **state)
{
    (void)state;
    static const char *const all[] = {"score=bic", "score=bdeu", "score=k2",
                                      "score=mit"};
    for (int k = 0; k < 4; k++)
        for (int64_t n = 1; n < 1000; n++) {
            struct bestdag_run *run = bestdag_run_new();
            struct bestdag_table *t = six_rows(run);
            struct bestdag_options *o = settings(run, all[k]);
            struct bestdag_family f;
            int p[] = {0, 1};
            bestdag_memory_fail_at(run, n);
            struct bestdag_scorer *s = bestdag_scorer_new(run, t, o);
            struct bestdag_scorer_scratch *d =
                s ? bestdag_scorer_scratch_new(run, s) : NULL;
            bool ok = d && !bestdag_scorer_family(s, d, 2, p, 2, &f);
            assert_int_equal(!ok, bestdag_run_status(run) != 0);
            bestdag_scorer_scratch_free(d);
            bestdag_scorer_free(s);
            bestdag_options_free(o);
            bestdag_table_free(t);
            bestdag_run_free(run);
            if (ok)
                break;
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_values_come_out),
        cmocka_unit_test(chi_square_quantiles_are_right),
        cmocka_unit_test(rises_agree_with_lgamma),
        cmocka_unit_test(scores_agree_with_libm_on_random_tables),
        cmocka_unit_test(families_of_a_network_score_alike_together_and_alone),
        cmocka_unit_test(scoring_in_a_hurry_ends_with_the_run),
        cmocka_unit_test(equivalent_scores_do_not_see_the_direction),
        cmocka_unit_test(bde_with_a_uniform_prior_is_bdeu),
        cmocka_unit_test(bic_is_bic_star_and_interaction),
        cmocka_unit_test(settings_that_do_not_fit_are_refused),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
