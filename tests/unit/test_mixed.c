/* SPDX-License-Identifier: MIT */
/* test_mixed.c -- inference with numbers against enumeration of all states
 * times normals by plain matrix algebra. */
#include "mixed_slow.h"

#include "inference/gaussian.h"

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

/* ---- comparing ------------------------------------------------------------
 */

struct room {
    double value[64], error[64], covariance[N * N];
    struct bestdag_mixed_answer answer;
};

static void ask(struct bestdag_run *run, const struct bestdag_network *net,
                const struct question *q, const char *how, struct room *room)
{
    struct bestdag_mixed_question question = view(net, q);
    struct bestdag_options *options = bestdag_options_new(run);
    bestdag_options_set(run, options, "inference", how);
    room->answer =
        (struct bestdag_mixed_answer){.value = room->value,
                                      .error = room->error,
                                      .covariance = room->covariance};
    assert_int_equal(bestdag_mixed_ask(run, &question, options, &room->answer),
                     BESTDAG_OK);
    bestdag_options_free(options);
}

static void near(double got, double want, double error, uint64_t seed,
                 const char *what, int v)
{
    if (!(fabs(got - want) <= 1e-6 * (1 + fabs(want)) + 6 * error))
        fail_msg("seed %llu, %s of %d: %.12g is not %.12g (error %.3g)",
                 (unsigned long long)seed, what, v, got, want, error);
}

static void compare(const struct bestdag_network *net, const struct question *q,
                    const struct slow *want, const struct room *got,
                    uint64_t seed)
{
    int at = 0, row = 0, numbers = 0, n = net->dag->n;
    for (int v = 0; v < n; v++)
        numbers += net->variable[v].is_number;
    near(got->answer.ln_evidence, log(want->all), got->answer.ln_error, seed,
         "evidence", 0);
    for (int v = 0; v < n; v++) {
        if (!net->variable[v].is_number) {
            for (int s = 0; s < net->variable[v].states; s++, at++)
                near(got->value[at], want->p[v][s] / want->all, got->error[at],
                     seed, "P", v);
            continue;
        }
        double mean = want->mean[v] / want->all;
        double var = want->square[v][v] / want->all - mean * mean;
        near(got->value[at], mean, got->error[at], seed, "mean", v);
        near(got->value[at + 1] * got->value[at + 1], var,
             2 * sqrt(fabs(var)) * got->error[at + 1], seed, "variance", v);
        at += 2;
        for (int u = 0, column = 0; u < n; u++) {
            if (!net->variable[u].is_number)
                continue;
            double cov = want->square[v][u] / want->all -
                         mean * want->mean[u] / want->all;
            if (got->answer.sample_size == 0)
                near(got->covariance[row * numbers + column], cov, 0, seed,
                     "covariance", v);
            column++;
        }
        row++;
    }
    (void)q;
}

static void exact_answers_are_those_of_enumeration(void **state)
{
    struct bestdag_run *run = *state;
    int asked = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        struct mixed_shape shape = {seed, 3 + (int)(seed % 6), 3,
                                    seed % 4 ? 0.5 : 1, 0};
        struct bestdag_random random = bestdag_random_init(seed, 9);
        struct bestdag_network *net = mixed_random(run, shape);
        struct question q;
        struct slow want;
        struct room got;
        random_question(net, &random, &q);
        answer_slowly(net, &q, &want);
        if (want.all > 1e-60) {
            ask(run, net, &q, "exact", &got);
            compare(net, &q, &want, &got, seed);
            assert_true(got.answer.sample_size == 0);
            asked++;
        }
        bestdag_network_free(net);
    }
    assert_true(asked > 300);
}

/* Within six standard errors, which are small where nothing is known. */
static void samples_agree_with_enumeration(void **state)
{
    struct bestdag_run *run = *state;
    int asked = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct mixed_shape shape = {seed, 5, 2, 0.5, 0};
        struct bestdag_random random = bestdag_random_init(seed, 10);
        struct bestdag_network *net = mixed_random(run, shape);
        struct question q;
        struct slow want;
        struct room got;
        random_question(net, &random, &q);
        answer_slowly(net, &q, &want);
        ask(run, net, &q, "sampling", &got);
        if (got.answer.sample_size > 1000) {
            compare(net, &q, &want, &got, seed);
            asked++;
        }
        bestdag_network_free(net);
    }
    assert_true(asked > 15);
}

/* Of a row in which everything is known. */
static void the_evidence_of_all_is_the_density(void **state)
{
    struct bestdag_run *run = *state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        struct bestdag_random random = bestdag_random_init(seed, 11);
        struct bestdag_network *net =
            mixed_random(run, (struct mixed_shape){seed, 8, 3, 0.6, 0});
        struct question q;
        struct room got;
        int order[N], code[N] = {0};
        double value[N] = {0};
        nothing(&q, 8);
        bestdag_dag_order(run, net->dag, order);
        mixed_draw(net, order, &random, code, value);
        for (int v = 0; v < 8; v++)
            if (net->variable[v].is_number)
                q.value[v] = value[v];
            else {
                q.weight[v] = q.likelihood[v];
                q.likelihood[v][code[v]] = 1;
            }
        ask(run, net, &q, "exact", &got);
        near(got.answer.ln_evidence, mixed_log_density(net, code, value), 0,
             seed, "density", 0);
        bestdag_network_free(net);
    }
}

/* y = 2 x + 1 exactly, z = x + noise. */
static struct bestdag_network *with_equation(struct bestdag_run *run)
{
    const char *const names[] = {"x", "y", "z"};
    struct bestdag_network *net = bestdag_network_build(run, 3, names);
    for (int v = 0; v < 3; v++)
        bestdag_network_set_number(run, net, v);
    bestdag_network_set_parents(run, net, 1, (int[]){0}, 1);
    bestdag_network_set_parents(run, net, 2, (int[]){0}, 1);
    bestdag_network_set_regression(run, net, 0, (double[]){0, 1}, 2);
    bestdag_network_set_regression(run, net, 1, (double[]){1, 2, 0}, 3);
    bestdag_network_set_regression(run, net, 2, (double[]){0, 1, 1}, 3);
    assert_int_equal(bestdag_run_status(run), BESTDAG_OK);
    return net;
}

static void numbers_that_follow_are_certain_or_impossible(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net = with_equation(run);
    struct question q;
    struct room got;
    nothing(&q, 3);
    q.value[1] = 5;
    ask(run, net, &q, "exact", &got); /* then x is 2 */
    near(got.value[0], 2, 0, 0, "x", 0);
    assert_true(got.value[1] == 0);
    near(got.value[4], 2, 0, 0, "z", 0);
    near(got.value[5], 1, 0, 0, "sd of z", 0);
    q.value[0] = 2; /* agrees, and adds nothing to the density of y */
    ask(run, net, &q, "exact", &got);
    assert_true(got.answer.ln_evidence > -INFINITY);
    near(got.answer.ln_evidence, -0.5 * 4 - 0.5 * log(2 * 3.14159265358979), 0,
         0, "density", 0);
    q.value[0] = 2.5; /* does not */
    ask(run, net, &q, "exact", &got);
    assert_true(got.answer.ln_evidence == -INFINITY);
    bestdag_network_free(net);
}

static void numbers_that_overflow_are_refused(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net = with_equation(run);
    struct question q;
    nothing(&q, 3);
    bestdag_network_set_regression(run, net, 0, (double[]){1e308, 1}, 2);
    bestdag_network_set_regression(run, net, 1, (double[]){1, 1e308, 0}, 3);
    struct bestdag_mixed_question question = view(net, &q);
    struct room room;
    room.answer = (struct bestdag_mixed_answer){.value = room.value,
                                                .error = room.error,
                                                .covariance = room.covariance};
    assert_int_not_equal(bestdag_mixed_ask(run, &question, NULL, &room.answer),
                         BESTDAG_OK);
    assert_non_null(strstr(bestdag_run_error(run), "too large"));
    bestdag_run_clear(run);
    bestdag_network_free(net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(exact_answers_are_those_of_enumeration,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(samples_agree_with_enumeration, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(the_evidence_of_all_is_the_density,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(
            numbers_that_follow_are_certain_or_impossible, setup, teardown),
        cmocka_unit_test_setup_teardown(numbers_that_overflow_are_refused,
                                        setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
