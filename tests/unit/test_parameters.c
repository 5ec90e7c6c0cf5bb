/* SPDX-License-Identifier: MIT */
/* test_parameters.c -- rules about probabilities: what they mean, checked on a
 * grid by their definition; what they need; what is reported when it is
 * lacking. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "constraints/parameters/parameters.h"

enum { SEED = 31, MOST = 64 };

static char *const two[] = {"0", "1"};
static char *const three[] = {"0", "1", "2"};
static char *const words[] = {"high", "low"};
static char *const doses[] = {"daily", "former", "never"};

/* A, B, X: A and B are parents. */
static const struct bestdag_subject binary[] = {
    {"A", 2, two, false}, {"B", 2, two, false}, {"X", 2, two, false}};
static const struct bestdag_subject ternary[] = {
    {"A", 3, three, false}, {"B", 2, two, false}, {"X", 3, three, false}};
static const struct bestdag_subject named[] = {{"smoke", 3, doses, false},
                                               {"risk", 2, words, false},
                                               {"X", 2, two, false}};

/* Rules, one per line of text. */
static struct bestdag_rules *rules_of(struct bestdag_run *run, const char *text)
{
    struct bestdag_rules *rules = bestdag_rules_new(run);
    char copy[1024], *save = NULL;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *line = strtok_r(copy, "\n", &save); rules && line;
         line = strtok_r(NULL, "\n", &save))
        if (bestdag_rules_add(run, rules, line))
            break;
    return rules;
}

struct answer {
    bool feasible;
    int named;
    double theta[MOST], loss;
};

static void solve_blocks(struct bestdag_run *run,
                         struct bestdag_block_list *blocks,
                         const double *counts, struct answer *a)
{
    double *scratch =
        bestdag_alloc(run, bestdag_block_room(blocks->block) * sizeof *scratch);
    if (scratch)
        assert_int_equal(bestdag_block_solve(blocks->block, counts, a->theta,
                                             &a->loss, scratch),
                         BESTDAG_BLOCK_SOLVED);
    bestdag_free(scratch);
}

/* The third variable, given parents. */
static struct answer ask(struct bestdag_run *run, const char *text,
                         const struct bestdag_subject *subjects,
                         const int *parents, int count, const double *counts)
{
    struct answer a = {.feasible = false};
    struct bestdag_block_list blocks = {.feasible = false};
    struct bestdag_rules *rules = rules_of(run, text);
    struct bestdag_parameters *p =
        bestdag_run_status(run)
            ? NULL
            : bestdag_parameters_new(run, rules, subjects, 3);
    if (p && !bestdag_parameters_blocks(run, p, 2, parents, count, &blocks)) {
        a.feasible = blocks.feasible;
        a.named = blocks.count;
        if (blocks.block && counts)
            solve_blocks(run, &blocks, counts, &a);
    }
    bestdag_block_list_release(&blocks);
    bestdag_parameters_free(p);
    bestdag_rules_free(rules);
    return a;
}

static struct answer solve(const char *text,
                           const struct bestdag_subject *subjects,
                           const int *parents, int count, const double *counts)
{
    struct bestdag_run *run = bestdag_run_new();
    struct answer a = ask(run, text, subjects, parents, count, counts);
    assert_string_equal(bestdag_run_error(run), "");
    assert_int_equal(bestdag_memory_used(run), 0);
    bestdag_run_free(run);
    return a;
}

static void expect_error(const char *text,
                         const struct bestdag_subject *subjects, int status,
                         const char *message)
{
    struct bestdag_run *run = bestdag_run_new();
    static const int both[] = {0, 1};
    ask(run, text, subjects, both, 2, NULL);
    assert_string_equal(bestdag_run_error(run), message);
    assert_int_equal(bestdag_run_status(run), status);
    bestdag_run_clear(run);
    assert_int_equal(bestdag_memory_used(run), 0);
    bestdag_run_free(run);
}

static const int a_only[] = {0}, both[] = {0, 1};

/* ---- what rules mean ------------------------------------------------------
 */

static void a_positive_influence_pools_what_is_against_it(void **state)
{
    (void)state;
    double counts[] = {0, 50, 50, 0};
    struct answer a = solve("positive A -> X", binary, a_only, 1, counts);
    assert_true(fabs(a.theta[1] - .5) < 1e-12);
    assert_true(fabs(a.loss - 100 * log(2)) < 1e-9);
    a = solve("negative A -> X", binary, a_only, 1, counts);
    assert_true(a.loss == 0);
    a = solve("zero A -> X", binary, a_only, 1, counts);
    assert_true(fabs(a.loss - 100 * log(2)) < 1e-9);
}

static void a_rule_holds_for_every_configuration_of_other_named_parents(
    void **state)
{
    (void)state;
    /* rows: a b = 00 01 10 11 */
    double counts[] = {0, 50, 9, 1, 50, 0, 1, 9};
    struct answer a =
        solve("positive A -> X\nP(X=1 | B=0) >= .1", binary, both, 2, counts);
    assert_int_equal(a.named, 2);
    assert_true(fabs(a.theta[1] - .5) < 1e-9); /* b = 0: pooled */
    assert_true(fabs(a.theta[5] - .5) < 1e-9);
    assert_true(fabs(a.theta[3] - .1) < 1e-9); /* b = 1: as it is */
    assert_true(fabs(a.theta[7] - .9) < 1e-9);
}

static void only_named_parents_are_in_the_block(void **state)
{
    (void)state;
    double counts[] = {1, 1, 1, 1};
    struct answer a = solve("positive A -> X", binary, both, 2, counts);
    assert_int_equal(a.named, 1);
    assert_false(solve("positive A -> X", binary, both, 0, NULL).feasible);
    a = solve("positive A -> X if present", binary, both, 0, counts);
    assert_true(a.feasible && a.named == 0 && a.loss == 0);
}

static void states_rules_give_the_order(void **state)
{
    (void)state;
    /* daily former never; more smoking, more X */
    double counts[] = {9, 1, 5, 5, 1, 9};
    const char *text = "states smoke: never < former < daily\n"
                       "positive smoke -> X";
    struct answer a = solve(text, named, a_only, 1, counts);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(a.theta[2 * i] - .5) < 1e-9);
    a = solve("states smoke: daily < former < never\npositive smoke -> X",
              named, a_only, 1, counts);
    assert_true(a.loss == 0);
}

static void conditions_with_order_stand_for_each_state(void **state)
{
    (void)state;
    double counts[] = {1, 1, 8, 5, 1, 4, 2, 2, 6};
    struct answer a =
        solve("P(X=2 | A<=1) <= P(X=2 | A>=2)", ternary, a_only, 1, counts);
    assert_true(a.theta[2] <= a.theta[8] + 1e-9);
    assert_true(a.theta[5] <= a.theta[8] + 1e-9);
    assert_true(a.loss > 0);
    a = solve(".2 <= P(X>=1 | A=0) <= .3", ternary, a_only, 1, counts);
    assert_true(fabs(a.theta[1] + a.theta[2] - .3) < 1e-9);
}

static void near_keeps_the_distance(void **state)
{
    (void)state;
    double counts[] = {0, 0, 10, 3, 3, 3, 1, 1, 1}, sum = 0;
    double centre[] = {.5, .3, .2};
    struct answer a =
        solve("near(P(X | A=0), .5 .3 .2) <= .01", ternary, a_only, 1, counts);
    for (int k = 0; k < 3; k++)
        sum += pow(a.theta[k] - centre[k], 2);
    assert_true(fabs(sum - .01) < 1e-8);
    assert_true(fabs(a.theta[3] - 1. / 3) < 1e-12);
}

/* ---- a grid of all parameters ---------------------------------------------
 */

/* Does x = P(X=1 | a b), at x[2 a + b], satisfy rule number `rule`? */
static const char *const grid_rules[] = {
    "positive A -> X",
    "negative B -> X",
    "positive synergy A B -> X",
    "negative synergy A B -> X",
    "P(X=1 | A=0, B=1) <= .5 * P(X=1 | A=1, B=0)",
    ".2 <= P(X=0 | A=1) <= .6",
    "P(X=1) >= .3",
    "P(X=1 | A=0, B=0) + P(X=1 | B=1, A=1) = 1",
    "near(P(X | B=1), .5 .5) <= .02",
    "zero A -> X",
};
enum { RULES = sizeof grid_rules / sizeof *grid_rules };

static bool holds(int rule, const double *x)
{
    double slack = 1e-12, synergy = x[3] + x[0] - x[1] - x[2];
    switch (rule) {
    case 0:
        return x[2] >= x[0] - slack && x[3] >= x[1] - slack;
    case 1:
        return x[1] <= x[0] + slack && x[3] <= x[2] + slack;
    case 2:
        return synergy >= -slack;
    case 3:
        return synergy <= slack;
    case 4:
        return x[1] <= .5 * x[2] + slack;
    case 5:
        for (int i = 2; i < 4; i++)
            if (1 - x[i] < .2 - slack || 1 - x[i] > .6 + slack)
                return false;
        return true;
    case 6:
        for (int i = 0; i < 4; i++)
            if (x[i] < .3 - slack)
                return false;
        return true;
    case 7:
        return fabs(x[0] + x[3] - 1) < slack;
    case 8:
        return 2 * pow(x[1] - .5, 2) <= .02 + slack &&
               2 * pow(x[3] - .5, 2) <= .02 + slack;
    default:
        return fabs(x[0] - x[2]) < slack && fabs(x[1] - x[3]) < slack;
    }
}

static double likelihood(const double *counts, const double *x)
{
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        double p[] = {1 - x[i], x[i]};
        for (int k = 0; k < 2; k++)
            if (counts[2 * i + k] > 0)
                sum += p[k] > 0 ? counts[2 * i + k] * log(p[k]) : -INFINITY;
    }
    return sum;
}

static double search_grid(const int *chosen, int count, const double *counts)
{
    enum { STEPS = 20 };
    double best = -INFINITY;
    int at[4];
    for (int code = 0; code < 21 * 21 * 21 * 21; code++) {
        double x[4];
        bool fine = true;
        for (int i = 0, rest = code; i < 4; i++, rest /= STEPS + 1) {
            at[i] = rest % (STEPS + 1);
            x[i] = at[i] / (double)STEPS;
        }
        for (int i = 0; i < count && fine; i++)
            fine = holds(chosen[i], x);
        if (fine)
            best = fmax(best, likelihood(counts, x));
    }
    return best;
}

static void random_rules_are_as_good_as_the_best_of_a_grid(void **state)
{
    (void)state;
    struct bestdag_random r = bestdag_random_init(SEED, 1);
    int solved = 0;
    for (int t = 0; t < 60; t++) {
        char text[512] = "";
        int chosen[3], count = 1 + (int)bestdag_random_below(&r, 3);
        double counts[8], x[4];
        for (int i = 0; i < count; i++) {
            chosen[i] = (int)bestdag_random_below(&r, RULES);
            strcat(strcat(text, grid_rules[chosen[i]]), "\n");
        }
        /* so that both parents are named */
        strcat(text, "0 <= P(X=1 | A=0, B=0)\n");
        for (int i = 0; i < 8; i++)
            counts[i] = (double)bestdag_random_below(&r, 20);
        double best = search_grid(chosen, count, counts);
        struct answer a = {.feasible = false};
        struct bestdag_run *run = bestdag_run_new();
        a = ask(run, text, binary, both, 2, counts);
        bestdag_run_free(run);
        if (!isinf(best))
            assert_true(a.feasible);
        if (!a.feasible)
            continue;
        for (int i = 0; i < 4; i++)
            x[i] = a.theta[2 * i + 1];
        for (int i = 0; i < count; i++) { /* holds() is stricter than 1e-9 */
            double y[4];
            memcpy(y, x, sizeof y);
            bool fine = holds(chosen[i], x);
            for (int j = 0; j < 16 && !fine; j++) {
                for (int k = 0; k < 4; k++)
                    y[k] = x[k] + (j >> k & 1 ? 1e-9 : -1e-9);
                fine = holds(chosen[i], y);
            }
            assert_true(fine || chosen[i] >= 7);
        }
        assert_true(likelihood(counts, x) >= best - 1e-8);
        solved++;
    }
    assert_true(solved > 40);
}

/* ---- convex functions -----------------------------------------------------
 */

/* Of P(X | B, A): sum over a, b of (x_ba - target)^2 - most. */
static double distance(void *data, const double *theta, double *gradient)
{
    const double *target = data;
    double sum = -target[4];
    for (int i = 0; i < 4; i++) {
        gradient[2 * i] = 0;
        gradient[2 * i + 1] = 2 * (theta[2 * i + 1] - target[i]);
        sum += pow(theta[2 * i + 1] - target[i], 2);
    }
    return sum;
}

static void a_convex_function_sees_the_parents_as_it_named_them(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_rules *rules = bestdag_rules_new(run);
    static const char *const parents[] = {"B", "A"};
    double data[] = {.1, .2, .3, .4, .001}; /* b a = 00 01 10 11 */
    assert_int_equal(bestdag_rules_add_convex(run, rules, "X", parents, 2, 0,
                                              distance, data),
                     0);
    struct bestdag_parameters *p =
        bestdag_parameters_new(run, rules, binary, 3);
    struct bestdag_block_list blocks;
    assert_int_equal(bestdag_parameters_blocks(run, p, 2, both, 2, &blocks), 0);
    double counts[] = {1, 9, 9, 1, 9, 1, 1, 9};
    struct answer a = {.loss = 0};
    solve_blocks(run, &blocks, counts, &a);
    double x[] = {a.theta[1], a.theta[5], a.theta[3], a.theta[7]}, sum = 0;
    for (int i = 0; i < 4; i++)
        sum += pow(x[i] - data[i], 2);
    assert_true(fabs(sum - .001) < 1e-7);
    assert_true(x[0] > .1 && x[3] > .4 && x[1] < .2 && x[2] < .3);
    bestdag_block_list_release(&blocks);
    bestdag_parameters_free(p);
    assert_int_equal(
        bestdag_rules_add_convex(run, rules, "X", parents, 2, 0, NULL, data),
        BESTDAG_USAGE);
    assert_string_equal(bestdag_run_error(run), "no convex function was given");
    bestdag_rules_free(rules);
    bestdag_run_clear(run);
    assert_int_equal(bestdag_memory_used(run), 0);
    bestdag_run_free(run);
}

/* ---- messages -------------------------------------------------------------
 */

static void orders_that_are_not_known_are_asked_for(void **state)
{
    (void)state;
    expect_error(
        "positive smoke -> X", named, BESTDAG_USAGE,
        "rule 'positive smoke -> X': 'positive' needs the order of the "
        "states of 'smoke': add  states smoke: ... < ... < ...");
    expect_error(
        "P(risk>=low) <= .5", named, BESTDAG_USAGE,
        "rule 'P(risk>=low) <= .5': '>=' needs the order of the states "
        "of 'risk': add  states risk: ... < ... < ...");
    double counts[] = {1, 1, 1, 1, 1, 1};
    solve("zero smoke -> X", named, a_only, 1, counts);
    struct bestdag_subject declared[3];
    memcpy(declared, named, sizeof declared);
    declared[0].ordered = true;
    solve("positive smoke -> X", declared, a_only, 1, counts);
}

static void labels_of_intervals_are_ordered_by_their_number(void **state)
{
    (void)state;
    static char *const cut[] = {"s1_below_2", "s10_from_9", "s2_2_to_3"};
    struct bestdag_subject subjects[3];
    double counts[] = {5, 1, 1, 9, 3, 3}; /* rising: 1/6, 1/2, 9/10 */
    memcpy(subjects, named, sizeof subjects);
    subjects[0].labels = cut;
    struct answer a = solve("positive smoke -> X", subjects, a_only, 1, counts);
    assert_true(a.feasible && a.loss == 0);
}

static void wrong_labels_are_told(void **state)
{
    (void)state;
    expect_error("P(X=1 | smoke=dayly) <= .5", named, BESTDAG_USAGE,
                 "rule 'P(X=1 | smoke=dayly) <= .5': 'smoke' has no state "
                 "'dayly', did you mean 'daily'?");
    expect_error("states smoke: never < daily", named, BESTDAG_USAGE,
                 "rule 'states smoke: never < daily': 'smoke' also has the "
                 "state 'former', which is not in this order");
    expect_error("states risk: low < high\nstates risk: high < low", named,
                 BESTDAG_USAGE,
                 "rule 'states risk: high < low': the order of the states of "
                 "'risk' is already given by rule 'states risk: low < high'");
    expect_error(
        "near(P(X | A=0), .5 .5) <= .1", ternary, BESTDAG_USAGE,
        "rule 'near(P(X | A=0), .5 .5) <= .1': 2 probabilities for the "
        "3 states of 'X'");
    expect_error("near(P(X | A=0), .5 .4) <= .1", binary, BESTDAG_USAGE,
                 "rule 'near(P(X | A=0), .5 .4) <= .1': the probabilities sum "
                 "to 0.9, expected 1");
}

static void rules_without_a_solution_are_named(void **state)
{
    (void)state;
    expect_error("P(X=1 | A=0) >= .6\nP(X=0 | B=1) >= .1\nnegative A -> X\n"
                 "positive B -> X\nP(X=1 | A=1) >= .7\nP(X=1 | A=0) <= .65",
                 binary, BESTDAG_INFEASIBLE,
                 "no network satisfies rule 'negative A -> X', rule 'P(X=1 | "
                 "A=1) >= .7' and rule 'P(X=1 | A=0) <= .65' together (any two "
                 "of them can be satisfied)");
}

static void too_many_configurations_are_refused(void **state)
{
    (void)state;
    enum { STATES = 600 };
    char *labels[STATES], text[STATES][8];
    for (int i = 0; i < STATES; i++) {
        snprintf(text[i], sizeof text[i], "%d", i);
        labels[i] = text[i];
    }
    struct bestdag_subject subjects[3];
    memcpy(subjects, binary, sizeof subjects);
    subjects[0].states = STATES;
    subjects[0].labels = labels;
    expect_error("positive A -> X", subjects, BESTDAG_USAGE,
                 "rule 'positive A -> X': the parents have more than 512 "
                 "configurations, the limit of parameter rules");
}

static void for_all_speaks_of_every_child(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_rules *rules =
        rules_of(run, "for all Y except A: positive A -> Y");
    struct bestdag_parameters *p =
        bestdag_parameters_new(run, rules, binary, 3);
    assert_non_null(p);
    assert_false(bestdag_parameters_about(p, 0));
    assert_true(bestdag_parameters_about(p, 1));
    assert_true(bestdag_parameters_about(p, 2));
    bestdag_parameters_free(p);
    bestdag_rules_free(rules);
    bestdag_run_free(run);
}

static void every_failed_allocation_is_survived(void **state)
{
    (void)state;
    const char *text = "states X: 0 < 1 < 2\npositive A -> X\n"
                       "positive synergy A B -> X if present\n"
                       "near(P(X | B=0), .2 .3 .5) <= .5\n"
                       "P(X>=1 | A<=1, B=0) >= .1";
    double counts[18] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    int failed = 0;
    for (int at = 1; at < 2000; at++) {
        struct bestdag_run *run = bestdag_run_new();
        bestdag_memory_fail_at(run, at);
        ask(run, text, ternary, both, 2, counts);
        bool has_failed = bestdag_memory_has_failed(run);
        assert_int_equal(bestdag_run_status(run),
                         has_failed ? BESTDAG_MEMORY : BESTDAG_OK);
        bestdag_memory_fail_at(run, 0);
        assert_int_equal(bestdag_memory_used(run), 0);
        bestdag_run_free(run);
        failed += has_failed;
        if (!has_failed)
            break;
    }
    assert_true(failed > 50 && failed < 1999);
}

int main(void)
{
    printf("seed %d\n", SEED);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_positive_influence_pools_what_is_against_it),
        cmocka_unit_test(
            a_rule_holds_for_every_configuration_of_other_named_parents),
        cmocka_unit_test(only_named_parents_are_in_the_block),
        cmocka_unit_test(states_rules_give_the_order),
        cmocka_unit_test(conditions_with_order_stand_for_each_state),
        cmocka_unit_test(near_keeps_the_distance),
        cmocka_unit_test(random_rules_are_as_good_as_the_best_of_a_grid),
        cmocka_unit_test(a_convex_function_sees_the_parents_as_it_named_them),
        cmocka_unit_test(orders_that_are_not_known_are_asked_for),
        cmocka_unit_test(labels_of_intervals_are_ordered_by_their_number),
        cmocka_unit_test(wrong_labels_are_told),
        cmocka_unit_test(rules_without_a_solution_are_named),
        cmocka_unit_test(too_many_configurations_are_refused),
        cmocka_unit_test(for_all_speaks_of_every_child),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
