/* SPDX-License-Identifier: MIT */
/* test_sampling.c -- sampled answers and their standard errors, against exact
 * ones: the difference in standard errors has mean square 1. Every sample has a
 * seed of its own: answers of one seed share their random numbers, and err
 * together. */
#include "nets.h"

#include "inference/engine.h"

enum { VARIABLES = 8, STATES = 4 };

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

/* Differences in standard errors. */
struct deviations {
    double squares, count, worst;
};

static void add_deviation(struct deviations *d, double difference, double error)
{
    double z = difference / error;
    d->squares += z * z;
    d->count++;
    d->worst = fmax(d->worst, fabs(z));
}

static void check_deviations(const char *what, const struct deviations *d,
                             double least, double most)
{
    double square = d->squares / d->count;
    printf("%s: %g numbers, mean square %.3f, worst %.2f\n", what, d->count,
           square, d->worst);
    if (!(square > least && square < most))
        fail_msg("%s: mean square %g is not in %g .. %g", what, square, least,
                 most);
}

/* A sampling session and an exact one, with the same evidence. */
struct pair {
    struct bestdag_network *net;
    struct bestdag_engine *engine[2];
    struct bestdag_session *sampled, *exact;
};

static void open_pair(struct bestdag_run *run, struct pair *p, uint64_t seed,
                      const char *samples)
{
    struct bestdag_options *options = bestdag_options_new(run);
    p->net = nets_random(run, (struct shape){.seed = seed,
                                             .n = VARIABLES,
                                             .least_states = 2,
                                             .most_states = STATES,
                                             .most_parents = 3});
    bestdag_options_set(run, options, "inference", "sampling");
    bestdag_options_set(run, options, "samples", samples);
    p->engine[0] = bestdag_engine_new(run, p->net, NULL, 0, options);
    p->engine[1] = bestdag_engine_new(run, p->net, NULL, 0, NULL);
    p->sampled = bestdag_session_new(run, p->engine[0]);
    p->exact = bestdag_session_new(run, p->engine[1]);
    bestdag_options_free(options);
}

static void close_pair(struct pair *p)
{
    bestdag_session_free(p->sampled);
    bestdag_session_free(p->exact);
    bestdag_engine_free(p->engine[0]);
    bestdag_engine_free(p->engine[1]);
    bestdag_network_free(p->net);
}

/* Random evidence; a repetition with the same stream forgets the samples. */
static void observe(struct bestdag_run *run, struct pair *p,
                    struct bestdag_random random)
{
    for (int v = 0; v < VARIABLES; v++) {
        int states = p->net->variable[v].states;
        int state = (int)bestdag_random_below(&random, (uint64_t)states);
        double weight[STATES];
        int kind = (int)bestdag_random_below(&random, 8);
        for (int s = 0; s < states; s++)
            weight[s] = bestdag_random_unit(&random);
        struct bestdag_session *to[] = {p->sampled, p->exact};
        for (int i = 0; i < 2; i++) {
            if (kind < 2)
                bestdag_session_observe(run, to[i], v, state);
            if (kind == 2)
                bestdag_session_weigh(run, to[i], v, weight, states);
            if (kind == 3)
                bestdag_session_intervene(run, to[i], v, state);
        }
    }
}

static void compare_marginals(struct bestdag_run *run, struct pair *p,
                              struct deviations *d)
{
    double got[STATES], error[STATES], want[STATES];
    for (int v = 0; v < VARIABLES; v++) {
        int states = p->net->variable[v].states;
        bestdag_session_marginal(run, p->sampled, v, got, states);
        bestdag_session_errors(run, p->sampled, error, states);
        bestdag_session_marginal(run, p->exact, v, want, states);
        for (int s = 0; s < states; s++)
            if (want[s] > 0 && want[s] < 1)
                add_deviation(d, got[s] - want[s], error[s]);
            else /* it is known, or forced */
                assert_true(got[s] == want[s] && error[s] == 0);
    }
}

static void compare_joint(struct bestdag_run *run, struct pair *p,
                          struct deviations *d)
{
    int pick[] = {VARIABLES - 1, 2};
    double got[STATES * STATES], error[STATES * STATES], want[STATES * STATES];
    int64_t cells = nets_cells(p->net, pick, 2);
    bestdag_session_joint(run, p->sampled, pick, 2, got, cells);
    bestdag_session_errors(run, p->sampled, error, cells);
    bestdag_session_joint(run, p->exact, pick, 2, want, cells);
    for (int64_t i = 0; i < cells; i++)
        if (want[i] > 0 && want[i] < 1)
            add_deviation(d, got[i] - want[i], error[i]);
        else
            assert_true(got[i] == want[i] && error[i] == 0);
}

static void errors_have_their_size(struct bestdag_run *run, const char *samples,
                                   double least, double most)
{
    struct deviations marginal = {0}, joint = {0}, evidence = {0};
    for (uint64_t seed = 0; seed < 120; seed++) {
        struct pair p;
        open_pair(run, &p, seed, samples);
        for (uint64_t i = 0; i < 8; i++) {
            double error;
            run->seed = 1 + 8 * seed + i;
            observe(run, &p, bestdag_random_init(seed, 4));
            double ln = bestdag_session_evidence(run, p.sampled);
            bestdag_session_errors(run, p.sampled, &error, 1);
            ln -= bestdag_session_evidence(run, p.exact);
            if (error > 1e-9)
                add_deviation(&evidence, ln, error);
            compare_marginals(run, &p, &marginal);
            compare_joint(run, &p, &joint);
            assert_string_equal(bestdag_run_error(run), "");
        }
        close_pair(&p);
    }
    check_deviations("marginals", &marginal, least, most);
    check_deviations("joint", &joint, least, most);
    check_deviations("evidence", &evidence, least - 0.05, most + 0.05);
}

static void errors_of_many_samples(void **state)
{
    errors_have_their_size(*state, "2000", 0.93, 1.07);
}

static void errors_of_few_samples(void **state)
{
    errors_have_their_size(*state, "150", 0.88, 1.12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(errors_of_many_samples, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(errors_of_few_samples, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
