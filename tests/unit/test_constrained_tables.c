/* SPDX-License-Identifier: MIT */
/* test_constrained_tables.c -- fitted tables under rules about parameters: they
 * obey, and no others that obey are better. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/run.h"
#include "random_table.h"

enum { SEED = 5 };

struct scene {
    struct bestdag_run *run;
    struct bestdag_table *table;
    struct bestdag_network *net;
    struct bestdag_rules *rules;
    struct bestdag_options *options;
};

/* V3 has the parents V1, V2 and V4. */
static struct scene open_scene(const char *rule, uint64_t seed)
{
    static const int parents[] = {0, 1, 3};
    struct scene s = {.run = bestdag_run_new()};
    struct random_table how = {
        .seed = seed, .columns = 4, .rows = 120, .most = 3};
    s.table = random_table(s.run, how);
    s.net = bestdag_network_new(s.run, s.table);
    bestdag_network_set_parents(s.run, s.net, 2, parents, 3);
    s.rules = bestdag_rules_new(s.run);
    bestdag_rules_add(s.run, s.rules, rule);
    s.options = bestdag_options_new(s.run);
    bestdag_options_set(s.run, s.options, "fit.ess", "0");
    assert_string_equal(bestdag_run_error(s.run), "");
    return s;
}

static void close_scene(struct scene *s)
{
    bestdag_options_free(s->options);
    bestdag_rules_free(s->rules);
    bestdag_network_free(s->net);
    bestdag_table_free(s->table);
    assert_int_equal(bestdag_memory_used(s->run), 0);
    bestdag_run_free(s->run);
}

static struct bestdag_network *fit(struct scene *s,
                                   const struct bestdag_rules *rules)
{
    struct bestdag_network *to =
        bestdag_network_fit_under(s->run, s->net, s->table, rules, s->options);
    assert_string_equal(bestdag_run_error(s->run), "");
    return to;
}

/* P(V3 = k | V1 = a, V2 = b, V4 = d) */
static double chance(const struct bestdag_network *net, int a, int b, int d,
                     int k)
{
    int64_t q;
    int r, by_b = bestdag_network_states(net, 1),
           by_d = bestdag_network_states(net, 3);
    const double *table = bestdag_network_table(net, 2, &q, &r);
    return table[((a * by_b + b) * by_d + d) * r + k];
}

static void tables_under_rules_obey_for_every_configuration(void **state)
{
    (void)state;
    for (uint64_t seed = SEED; seed < SEED + 30; seed++) {
        struct scene s = open_scene("positive V2 -> V3", seed);
        struct bestdag_network *net = fit(&s, s.rules);
        for (int a = 0; a < bestdag_network_states(net, 0); a++)
            for (int d = 0; d < bestdag_network_states(net, 3); d++)
                for (int b = 1; b < bestdag_network_states(net, 1); b++) {
                    double low = 0, high = 0;
                    for (int k = bestdag_network_states(net, 2) - 1; k > 0;
                         k--) {
                        low += chance(net, a, b - 1, d, k);
                        high += chance(net, a, b, d, k);
                        assert_true(high >= low - 1e-9);
                    }
                }
        bestdag_network_free(net);
        close_scene(&s);
    }
}

static double likelihood(struct scene *s, const struct bestdag_network *net)
{
    double sum = 0;
    for (int64_t i = 0; i < bestdag_table_rows(s->table); i++) {
        int code[4];
        for (int v = 0; v < 4; v++)
            bestdag_table_codes(s->table, v, i, 1, &code[v]);
        sum += log(chance(net, code[0], code[1], code[3], code[2]));
    }
    return sum;
}

static void the_likelihood_is_the_score(void **state)
{
    (void)state;
    static const int parents[] = {0, 1, 3};
    for (uint64_t seed = SEED; seed < SEED + 20; seed++) {
        struct scene s = open_scene("negative V1 -> V3", seed);
        struct bestdag_network *net = fit(&s, s.rules);
        double score;
        bestdag_options_set(s.run, s.options, "score", "ll");
        bestdag_score(s.run, s.table, s.rules, s.options, 2, parents, 3,
                      &score);
        assert_true(fabs(likelihood(&s, net) - score) < 1e-6);
        bestdag_network_free(net);
        close_scene(&s);
    }
}

static void rules_that_hold_anyway_change_nothing(void **state)
{
    (void)state;
    for (int smooth = 0; smooth < 3; smooth++) {
        struct scene s = open_scene("0 <= P(V3=1 | V2=0) <= 1", SEED);
        int64_t q;
        int r;
        if (smooth)
            bestdag_options_set(s.run, s.options,
                                smooth == 1 ? "fit.pseudo" : "fit.ess", "2");
        struct bestdag_network *free = fit(&s, NULL), *ruled = fit(&s, s.rules);
        const double *a = bestdag_network_table(free, 2, &q, &r);
        const double *b = bestdag_network_table(ruled, 2, &q, &r);
        for (int64_t i = 0; i < q * r; i++)
            if (smooth) /* else unseen rows may differ */
                assert_true(fabs(a[i] - b[i]) < 1e-9);
        bestdag_network_free(free);
        bestdag_network_free(ruled);
        close_scene(&s);
    }
}

static void smoothing_keeps_to_what_rules_make_zero(void **state)
{
    (void)state;
    struct scene s = open_scene("P(V3=1 | V2=0) = 0", SEED);
    /* no row may have it */
    for (int64_t i = 0; i < s.table->rows; i++) {
        uint8_t *x = s.table->column[2].cells, *b = s.table->column[1].cells;
        if (b[i] == 0 && x[i] == 1)
            x[i] = 0;
    }
    bestdag_options_set(s.run, s.options, "fit.pseudo", "1");
    struct bestdag_network *net = fit(&s, s.rules);
    for (int a = 0; a < bestdag_network_states(net, 0); a++)
        for (int d = 0; d < bestdag_network_states(net, 3); d++) {
            assert_true(chance(net, a, 0, d, 1) == 0);
            assert_true(chance(net, a, 0, d, 0) > 0);
            assert_true(chance(net, a, 1, d, 1) > 0);
        }
    bestdag_network_free(net);
    close_scene(&s);
}

static void what_is_missing_or_excluded_is_told(void **state)
{
    (void)state;
    struct scene s = open_scene("positive V1 -> V4", SEED);
    assert_null(
        bestdag_network_fit_under(s.run, s.net, s.table, s.rules, s.options));
    assert_string_equal(bestdag_run_error(s.run),
                        "rule 'positive V1 -> V4': 'V1' is not a parent of "
                        "'V4' in this network");
    bestdag_run_clear(s.run);
    close_scene(&s);
    s = open_scene("P(V3=0) = 0", SEED);
    assert_null(
        bestdag_network_fit_under(s.run, s.net, s.table, s.rules, s.options));
    assert_int_equal(bestdag_run_status(s.run), BESTDAG_INFEASIBLE);
    assert_string_equal(bestdag_run_error(s.run),
                        "no parameters of 'V3' that satisfy rule 'P(V3=0) = 0' "
                        "give the rows of the table a probability above 0");
    bestdag_run_clear(s.run);
    close_scene(&s);
}

static void every_failed_allocation_is_survived(void **state)
{
    (void)state;
    int failed = 0;
    for (int at = 1; at < 3000; at++) {
        struct scene s = open_scene("positive V2 -> V3", SEED);
        bestdag_run_set(s.run, "threads", "1");
        bestdag_memory_fail_at(s.run, at);
        struct bestdag_network *net = bestdag_network_fit_under(
            s.run, s.net, s.table, s.rules, s.options);
        bool has_failed = bestdag_memory_has_failed(s.run);
        assert_true(has_failed ? !net : net != NULL);
        bestdag_memory_fail_at(s.run, 0);
        bestdag_network_free(net);
        bestdag_run_clear(s.run);
        close_scene(&s);
        failed += has_failed;
        if (!has_failed)
            break;
    }
    assert_true(failed > 50 && failed < 2999);
}

int main(void)
{
    printf("seed %d\n", SEED);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_under_rules_obey_for_every_configuration),
        cmocka_unit_test(the_likelihood_is_the_score),
        cmocka_unit_test(rules_that_hold_anyway_change_nothing),
        cmocka_unit_test(smoothing_keeps_to_what_rules_make_zero),
        cmocka_unit_test(what_is_missing_or_excluded_is_told),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
