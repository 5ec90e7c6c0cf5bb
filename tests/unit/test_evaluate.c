/* SPDX-License-Identifier: MIT */
/* test_evaluate.c -- log-likelihoods: by hand, and row by row on random
 * networks. */
#include "nets.h"

static int setup(void **state)
{
    *state = bestdag_run_new();
    return !*state;
}

static int teardown(void **state)
{
    bestdag_run_free(*state);
    return 0;
}

static double number(const struct bestdag_json *report, const char *key)
{
    return bestdag_json_number(bestdag_json_get(report, key));
}

static struct bestdag_json *evaluate(struct bestdag_run *run,
                                     const struct bestdag_network *net,
                                     const struct bestdag_table *t)
{
    struct bestdag_options *options = bestdag_options_new(run);
    bestdag_options_set(run, options, "per-row", "yes");
    char *text = bestdag_network_evaluate(run, net, t, options);
    assert_non_null(text);
    struct bestdag_json *report = bestdag_json_read(run, text);
    assert_non_null(report);
    bestdag_text_free(text);
    bestdag_options_free(options);
    return report;
}

/* A coin of 1/4 and 3/4, and another that copies it nine times of ten, but
 * never gives (1, 0). */
static struct bestdag_network *two_coins(struct bestdag_run *run)
{
    struct bestdag_network *net = bestdag_network_empty(run, 2);
    nets_name(run, net, 0, 2);
    nets_name(run, net, 1, 2);
    bestdag_dag_set_parents(run, net->dag, 1, (int[]){0}, 1);
    bestdag_network_set_table(run, net, 0, NULL, 0, (double[]){0.25, 0.75});
    bestdag_network_set_table(run, net, 1, (int[]){0}, 1,
                              (double[]){0.9, 0.1, 0, 1});
    return net;
}

static struct bestdag_table *coin_rows(struct bestdag_run *run, int rows,
                                       const int8_t *a, const int8_t *b)
{
    const char *const labels[] = {"l0", "l1"};
    struct bestdag_table *t = bestdag_table_new(run, rows);
    bestdag_table_add_codes(run, t, "v0", a, 1, 2, labels);
    bestdag_table_add_codes(run, t, "v1", b, 1, 2, labels);
    return t;
}

static void by_hand(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net = two_coins(run);
    struct bestdag_table *t =
        coin_rows(run, 3, (int8_t[]){0, 0, 1}, (int8_t[]){0, 1, 1});
    struct bestdag_json *report = evaluate(run, net, t);
    double rows[] = {log(0.25 * 0.9), log(0.25 * 0.1), log(0.75)};
    double sum = rows[0] + rows[1] + rows[2];
    const struct bestdag_json *each =
        bestdag_json_get(report, "row_log_likelihood");
    assert_true(fabs(number(report, "log_likelihood") - sum) < 1e-14);
    assert_true(fabs(number(report, "log_likelihood_per_row") - sum / 3) <
                1e-14);
    assert_true(number(report, "rows") == 3 && number(report, "weight") == 3);
    assert_true(number(report, "variables") == 2 &&
                number(report, "arcs") == 1);
    assert_true(number(report, "free_parameters") == 3);
    assert_true(number(report, "zero_probability_rows") == 0);
    assert_true(number(report, "missing_rows") == 0);
    assert_int_equal(bestdag_json_count(each), 3);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(bestdag_json_number(bestdag_json_at(each, i)) -
                         rows[i]) < 1e-14);
    bestdag_json_free(report);
    bestdag_table_free(t);
    bestdag_network_free(net);
}

static void impossible_and_missing_rows_are_counted(void **state)
{
    struct bestdag_run *run = *state;
    struct notes notes = {""};
    struct bestdag_network *net = two_coins(run);
    struct bestdag_table *t =
        coin_rows(run, 4, (int8_t[]){0, 1, -1, 1}, (int8_t[]){0, 0, 0, -1});
    bestdag_run_on_progress(run, notes_add, &notes);
    struct bestdag_json *report = evaluate(run, net, t);
    const struct bestdag_json *each =
        bestdag_json_get(report, "row_log_likelihood");
    assert_true(isnan(number(report, "log_likelihood")));
    assert_true(isnan(number(report, "log_likelihood_per_row")));
    assert_true(number(report, "zero_probability_rows") == 1);
    assert_true(number(report, "missing_rows") == 2);
    assert_true(number(report, "rows") == 4);
    assert_true(isnan(bestdag_json_number(bestdag_json_at(each, 1))));
    static const double want[] = {0.25 * 0.9, 0, 0.25 * 0.9, 0.75};
    for (int i = 0; i < 4; i++)
        if (i != 1)
            assert_true(fabs(bestdag_json_number(bestdag_json_at(each, i)) -
                             log(want[i])) < 1e-14);
    assert_string_equal(
        notes.text, "2 of 4 rows have a missing value, which is summed out\n");
    bestdag_json_free(report);
    bestdag_table_free(t);
    bestdag_network_free(net);
}

static void no_rows_have_likelihood_one(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net = two_coins(run);
    struct bestdag_table *t = coin_rows(run, 0, (int8_t[]){0}, (int8_t[]){0});
    struct bestdag_json *report = evaluate(run, net, t);
    assert_true(number(report, "log_likelihood") == 0);
    assert_true(isnan(number(report, "log_likelihood_per_row")));
    bestdag_json_free(report);
    bestdag_table_free(t);
    bestdag_network_free(net);
}

static void equals_the_sum_over_rows(void **state)
{
    struct bestdag_run *run = *state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        struct bestdag_network *net =
            nets_random(run, (struct shape){.seed = seed,
                                            .n = 3 + (int)seed,
                                            .least_states = 1,
                                            .most_states = seed % 4 ? 4 : 280,
                                            .most_parents = seed % 4 ? 3 : 1});
        struct bestdag_table *t = nets_table(run, net, 3000, 0, seed);
        int *codes = malloc((size_t)net->dag->n * sizeof *codes);
        long double sum = 0;
        if (seed % 2) {
            t->weights = bestdag_alloc(run, (size_t)t->rows * 4);
            t->total = 0;
            for (int64_t r = 0; r < t->rows; r++) {
                t->weights[r] = (int32_t)(r % 5);
                t->total += t->weights[r];
            }
        }
        for (int64_t r = 0; r < t->rows; r++) {
            for (int v = 0; v < net->dag->n; v++)
                codes[v] = bestdag_column_code(&t->column[v], r);
            for (int v = 0; v < net->dag->n; v++)
                sum += (long double)bestdag_table_weight(t, r) *
                       log(nets_factor(net, v, codes));
        }
        struct bestdag_json *report = evaluate(run, net, t);
        assert_true(fabs(number(report, "log_likelihood") - (double)sum) <
                    1e-12 * fabs((double)sum));
        assert_true(number(report, "weight") == (double)t->total);
        bestdag_json_free(report);
        bestdag_table_free(t);
        bestdag_network_free(net);
        free(codes);
    }
}

/* Missing values against going through all assignments. */
static void missing_values_are_summed_out(void **state)
{
    struct bestdag_run *run = *state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct bestdag_network *net =
            nets_random(run, (struct shape){.seed = seed,
                                            .n = 6,
                                            .least_states = 1,
                                            .most_states = 4,
                                            .most_parents = 3});
        struct bestdag_table *t = nets_table(run, net, 60, 0.3, seed);
        struct bestdag_json *report = evaluate(run, net, t);
        const struct bestdag_json *each =
            bestdag_json_get(report, "row_log_likelihood");
        double sum = 0;
        for (int64_t r = 0; r < t->rows; r++) {
            int codes[6] = {0};
            double p = 0;
            do {
                double one = 1;
                for (int v = 0; v < 6; v++) {
                    int code = bestdag_column_code(&t->column[v], r);
                    one *= nets_factor(net, v, codes) *
                           (code < 0 || code == codes[v]);
                }
                p += one;
            } while (nets_next(net, codes));
            sum += log(p);
            if (!(fabs(bestdag_json_number(bestdag_json_at(each, r)) - log(p)) <
                  1e-11))
                fail_msg("seed %d, row %d", (int)seed, (int)r);
        }
        assert_true(fabs(number(report, "log_likelihood") - sum) < 1e-9);
        bestdag_json_free(report);
        bestdag_table_free(t);
        bestdag_network_free(net);
    }
}

static void threads_do_not_change_a_digit(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net =
        nets_random(run, (struct shape){.seed = 4,
                                        .n = 100,
                                        .least_states = 2,
                                        .most_states = 4,
                                        .most_parents = 2});
    struct bestdag_table *t = bestdag_network_sample(run, net, 50000);
    char *text[3];
    for (int i = 0; i < 3; i++) {
        static const char *const threads[] = {"1", "2", "8"};
        bestdag_run_set(run, "threads", threads[i]);
        text[i] = bestdag_network_evaluate(run, net, t, NULL);
        assert_non_null(text[i]);
        assert_string_equal(text[i], text[0]);
        assert_null(strstr(text[i], "row_log_likelihood"));
    }
    for (int i = 0; i < 3; i++)
        bestdag_text_free(text[i]);
    bestdag_table_free(t);
    bestdag_network_free(net);
}

static void wrong_questions_are_refused(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net = two_coins(run);
    const char *const labels[] = {"l0", "l2"};
    struct bestdag_table *t = bestdag_table_new(run, 2);
    bestdag_table_add_codes(run, t, "v0", (int8_t[]){0, 1}, 1, 2, labels);
    assert_null(bestdag_network_evaluate(run, net, t, NULL));
    assert_error(run, BESTDAG_INPUT, "no column for variable 'v1'");
    bestdag_table_add_codes(run, t, "v1", (int8_t[]){0, 1}, 1, 2, labels);
    char *text = bestdag_network_evaluate(run, net, t, NULL); /* no state */
    assert_non_null(strstr(text, "\"unknown_values\": 2"));
    assert_non_null(strstr(text, "\"missing_rows\": 1"));
    bestdag_text_free(text);
    bestdag_free(net->variable[0].table);
    net->variable[0].table = NULL;
    assert_null(bestdag_network_evaluate(run, net, t, NULL));
    assert_error(run, BESTDAG_USAGE, "fit it first");
    bestdag_table_free(t);
    bestdag_network_free(net);
}

static void a_stop_ends_it(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net = two_coins(run);
    struct bestdag_table *t = coin_rows(run, 1, (int8_t[]){0}, (int8_t[]){0});
    bestdag_run_stop(run);
    assert_null(bestdag_network_evaluate(run, net, t, NULL));
    assert_error(run, BESTDAG_FAILED, "stopped before");
    bestdag_table_free(t);
    bestdag_network_free(net);
}

static void every_allocation_may_fail(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net = two_coins(run);
    struct bestdag_table *t =
        coin_rows(run, 3, (int8_t[]){0, 0, 1}, (int8_t[]){0, -1, 1});
    struct bestdag_options *options = bestdag_options_new(run);
    bestdag_options_set(run, options, "per-row", "yes");
    bestdag_run_set(run, "threads", "2");
    for (int64_t n = 1;; n++) {
        bestdag_memory_fail_at(run, n);
        char *text = bestdag_network_evaluate(run, net, t, options);
        bestdag_memory_fail_at(run, 0);
        assert_true(n < 1000);
        if (text) {
            assert_true(n > 15);
            bestdag_text_free(text);
            break;
        }
        assert_error(run, BESTDAG_MEMORY, "");
    }
    bestdag_options_free(options);
    bestdag_table_free(t);
    bestdag_network_free(net);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(by_hand),
        TEST(impossible_and_missing_rows_are_counted),
        TEST(missing_values_are_summed_out),
        TEST(no_rows_have_likelihood_one),
        TEST(equals_the_sum_over_rows),
        TEST(threads_do_not_change_a_digit),
        TEST(wrong_questions_are_refused),
        TEST(a_stop_ends_it),
        TEST(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
