/* SPDX-License-Identifier: MIT */
/* test_constrained_scores.c -- scores, candidate sets and networks under rules
 * about parameters, against brute force over all parent sets. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "constraints/parameters/constrained_score.h"
#include "parents/sets.h"
#include "random_table.h"

enum { SEED = 7, MOST = 6 };

struct bench {
    struct bestdag_run *run;
    struct bestdag_table *table;
    struct bestdag_options *options;
    struct bestdag_rules *rules;
};

static void add_rules(struct bench *b, const char *text)
{
    char copy[1024], *save = NULL;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *line = strtok_r(copy, "\n", &save); line;
         line = strtok_r(NULL, "\n", &save))
        bestdag_rules_add(b->run, b->rules, line);
}

static struct bench open_bench(const char *rules)
{
    struct bench b = {.run = bestdag_run_new()};
    b.options = bestdag_options_new(b.run);
    b.rules = bestdag_rules_new(b.run);
    add_rules(&b, rules);
    return b;
}

static void close_bench(struct bench *b)
{
    bestdag_rules_free(b->rules);
    bestdag_table_free(b->table);
    bestdag_options_free(b->options);
    assert_int_equal(bestdag_memory_used(b->run), 0);
    bestdag_run_free(b->run);
}

static double score(struct bench *b, int child, const int *parents, int count)
{
    double to = NAN;
    bestdag_score(b->run, b->table, b->rules, b->options, child, parents, count,
                  &to);
    assert_string_equal(bestdag_run_error(b->run), "");
    return to;
}

/* ---- the example by which entropies mislead -------------------------------
 */

/* Columns A X Y: 50 rows 1 0 0, 50 rows 0 1 1. */
static void make_example(struct bench *b)
{
    int8_t a[100], x[100];
    for (int i = 0; i < 100; i++) {
        a[i] = i < 50;
        x[i] = i >= 50;
    }
    b->table = bestdag_table_new(b->run, 100);
    bestdag_table_add_codes(b->run, b->table, "A", a, 1, 2, NULL);
    bestdag_table_add_codes(b->run, b->table, "X", x, 1, 2, NULL);
    bestdag_table_add_codes(b->run, b->table, "Y", x, 1, 2, NULL);
}

static void entropies_would_strike_out_the_best_set(void **state)
{
    (void)state;
    struct bench b = open_bench("positive A -> X");
    static const int a[] = {0}, both[] = {0, 2}, reversed[] = {2, 0};
    make_example(&b);
    double half = log(100) / 2;
    double one = -100 * log(2) - 2 * half, two = -4 * half;
    assert_true(fabs(one + 73.9) < .05 && fabs(two + 9.2) < .05);
    assert_true(fabs(score(&b, 1, a, 1) - one) < 1e-9);
    assert_true(fabs(score(&b, 1, both, 2) - two) < 1e-9);
    assert_true(fabs(score(&b, 1, reversed, 2) - two) < 1e-9);
    assert_true(isinf(score(&b, 1, NULL, 0))); /* A must be there */
    struct bestdag_sets *sets =
        bestdag_sets_find(b.run, b.table, b.rules, b.options);
    assert_string_equal(bestdag_run_error(b.run), "");
    int parents[3];
    double best;
    assert_int_equal(bestdag_sets_count(sets, 1), 2);
    assert_int_equal(bestdag_sets_get(sets, 1, 0, &best, parents, 3), 2);
    assert_true(fabs(best - two) < 1e-6);
    assert_int_equal(bestdag_sets_get(sets, 1, 1, &best, parents, 3), 1);
    assert_true(fabs(best - one) < 1e-6);
    assert_true(isinf(bestdag_sets_ceiling(sets, 1)));
    bestdag_sets_free(sets);
    close_bench(&b);
}

static void a_learned_network_has_the_constrained_score(void **state)
{
    (void)state;
    struct bench b = open_bench("positive A -> X");
    make_example(&b);
    struct bestdag_result *result =
        bestdag_learn(b.run, b.table, b.rules, b.options);
    assert_string_equal(bestdag_run_error(b.run), "");
    /* Y and A -> X <- Y: X costs two; A and Y are one another's best parent */
    double half = log(100) / 2;
    double expected = -4 * half + (-100 * log(2) - half) - 2 * half;
    assert_true(fabs(bestdag_result_number(result, "score") - expected) < 1e-6);
    assert_string_equal(bestdag_result_text(result, "status"), "optimal");
    bestdag_result_free(result);
    close_bench(&b);
}

/* ---- lists against all parent sets ----------------------------------------
 */

static const char *const rule_sets[] = {
    "positive V1 -> V3",
    "negative V2 -> V3\nP(V3=0 | V1=0) >= .2",
    "positive V1 -> V3 if present\nzero V2 -> V3 if present",
    "P(V3=1) <= .4\npositive V4 -> V2 if present",
    "positive synergy V1 V2 -> V3 if present\nnear(P(V4 | V1=1), .5 .5) <= .1 "
    "if present",
    "P(V3=0 | V1=0) >= .7 if present\nP(V3=0 | V1=0, V2=1) <= .6 if present",
};
enum { RULE_SETS = sizeof rule_sets / sizeof *rule_sets };

static int members(uint32_t set, int n, int *to)
{
    int count = 0;
    for (int v = 0; v < n; v++)
        if (set >> v & 1)
            to[count++] = v;
    return count;
}

/* The score of a set of child v that must be in its list: better than that of
 * every subset; NAN: it must not. */
static double listed(const double *scores, uint32_t set)
{
    if (isinf(scores[set]))
        return NAN;
    for (uint32_t sub = (set - 1) & set; set && sub != set;
         sub = sub ? (sub - 1) & set : set)
        if (scores[sub] >= scores[set])
            return NAN;
    return scores[set];
}

static void expect_list(struct bench *b, const struct bestdag_sets *sets, int v,
                        int n)
{
    double scores[1 << MOST];
    int parents[MOST], count = bestdag_sets_count(sets, v), expected = 0;
    for (uint32_t set = 0; set < (uint32_t)1 << n; set++)
        if (!(set >> v & 1))
            scores[set] = score(b, v, parents, members(set, n, parents));
    for (uint32_t set = 0; set < (uint32_t)1 << n; set++) {
        double must = set >> v & 1 ? NAN : listed(scores, set), found = NAN;
        for (int i = 0; i < count; i++) {
            double x;
            int size = bestdag_sets_get(sets, v, i, &x, parents, MOST);
            uint32_t mask = 0;
            for (int j = 0; j < size; j++)
                mask |= (uint32_t)1 << parents[j];
            if (mask == set)
                found = x;
        }
        if (!isnan(must)) { /* near ties may go either way */
            expected++;
            if (isnan(found))
                for (uint32_t sub = 0; sub < set; sub++)
                    if ((sub & set) == sub && scores[sub] >= must - 1e-6)
                        found = must;
            assert_true(fabs(found - must) < 1e-6);
        }
    }
    assert_true(count <= expected + 2 && count > 0);
    assert_true(isinf(bestdag_sets_ceiling(sets, v)) &&
                bestdag_sets_ceiling(sets, v) < 0);
}

static void lists_have_every_set_that_may_be_best(void **state)
{
    (void)state;
    static const char *const strategies[] = {"sequential", "greedy",
                                             "independence"};
    static const char *const names[] = {"bic", "aic"};
    for (int t = 0; t < 24; t++) {
        struct bench b = open_bench(rule_sets[t % RULE_SETS]);
        struct random_table how = {.seed = SEED + t,
                                   .columns = 5,
                                   .rows = 60 + 40 * (t % 5),
                                   .most = 2};
        b.table = random_table(b.run, how);
        bestdag_options_set(b.run, b.options, "score", names[t / 6 % 2]);
        bestdag_options_set(b.run, b.options, "parents", strategies[t % 3]);
        struct bestdag_sets *sets =
            bestdag_sets_find(b.run, b.table, b.rules, b.options);
        assert_string_equal(bestdag_run_error(b.run), "");
        for (int v = 0; v < 5; v++)
            if (t % 3 == 0 || v == 2) /* the others are any-time */
                expect_list(&b, sets, v, 5);
        bestdag_sets_free(sets);
        close_bench(&b);
    }
}

static void threads_do_not_change_lists(void **state)
{
    (void)state;
    double first[64];
    for (int threads = 1; threads <= 3; threads += 2) {
        struct bench b = open_bench("for all X except V1: positive V1 -> X");
        char text[8];
        struct random_table how = {
            .seed = SEED, .columns = 6, .rows = 200, .most = 3};
        snprintf(text, sizeof text, "%d", threads);
        bestdag_run_set(b.run, "threads", text);
        b.table = random_table(b.run, how);
        struct bestdag_sets *sets =
            bestdag_sets_find(b.run, b.table, b.rules, b.options);
        assert_string_equal(bestdag_run_error(b.run), "");
        for (int v = 0, at = 0; v < 6; v++)
            for (int i = 0; i < bestdag_sets_count(sets, v) && at < 64; i++) {
                double x;
                bestdag_sets_get(sets, v, i, &x, NULL, 0);
                if (threads == 1)
                    first[at++] = x;
                else
                    assert_true(first[at++] == x);
            }
        bestdag_sets_free(sets);
        close_bench(&b);
    }
}

/* ---- refusals -------------------------------------------------------------
 */

static void other_scores_are_refused_by_name(void **state)
{
    (void)state;
    struct bench b = open_bench("positive A -> X");
    make_example(&b);
    bestdag_options_set(b.run, b.options, "score", "bdeu");
    assert_null(bestdag_sets_find(b.run, b.table, b.rules, b.options));
    assert_string_equal(bestdag_run_error(b.run),
                        "score bdeu does not support parameter rules (rule "
                        "'positive A -> X'): use bic, aic or ll");
    bestdag_run_clear(b.run);
    close_bench(&b);
}

static void what_the_table_contradicts_is_told(void **state)
{
    (void)state;
    struct bench b = open_bench("P(X=1) <= 0");
    make_example(&b);
    assert_true(isinf(score(&b, 1, NULL, 0)));
    assert_null(bestdag_sets_find(b.run, b.table, b.rules, b.options));
    assert_int_equal(bestdag_run_status(b.run), BESTDAG_INFEASIBLE);
    assert_string_equal(bestdag_run_error(b.run),
                        "no parameters of 'X' that satisfy rule 'P(X=1) <= 0' "
                        "give the rows of the table a probability above 0");
    bestdag_run_clear(b.run);
    close_bench(&b);
}

static void too_few_parents_are_refused(void **state)
{
    (void)state;
    struct bench b = open_bench("positive A -> X\nnegative Y -> X");
    make_example(&b);
    bestdag_options_set(b.run, b.options, "max-parents", "1");
    assert_null(bestdag_sets_find(b.run, b.table, b.rules, b.options));
    assert_string_equal(bestdag_run_error(b.run),
                        "no parent set of 'X' with at most 1 parents "
                        "(max-parents) satisfies the rules");
    bestdag_run_clear(b.run);
    close_bench(&b);
}

static void every_failed_allocation_is_survived(void **state)
{
    (void)state;
    int failed = 0;
    for (int at = 1; at < 5000; at++) {
        struct bench b = open_bench("positive A -> X\nzero Y -> X if present");
        make_example(&b);
        bestdag_run_set(b.run, "threads", "1");
        bestdag_memory_fail_at(b.run, at);
        struct bestdag_sets *sets =
            bestdag_sets_find(b.run, b.table, b.rules, b.options);
        bool has_failed = bestdag_memory_has_failed(b.run);
        bestdag_memory_fail_at(b.run, 0);
        if (bestdag_run_status(b.run)) {
            assert_int_equal(bestdag_run_status(b.run), BESTDAG_MEMORY);
            assert_null(sets);
        }
        bestdag_sets_free(sets);
        bestdag_run_clear(b.run);
        close_bench(&b);
        failed += has_failed;
        if (!has_failed)
            break;
    }
    assert_true(failed > 100 && failed < 4999);
}

int main(void)
{
    printf("seed %d\n", SEED);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entropies_would_strike_out_the_best_set),
        cmocka_unit_test(a_learned_network_has_the_constrained_score),
        cmocka_unit_test(lists_have_every_set_that_may_be_best),
        cmocka_unit_test(threads_do_not_change_lists),
        cmocka_unit_test(other_scores_are_refused_by_name),
        cmocka_unit_test(what_the_table_contradicts_is_told),
        cmocka_unit_test(too_few_parents_are_refused),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
