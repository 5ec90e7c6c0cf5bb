/* SPDX-License-Identifier: MIT */
/* test_session.c -- answers of sessions against going through all assignments.
 */
#include "nets.h"

#include "inference/engine.h"

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

enum { MOST = 10 };

/* What a session was given, as plain numbers. */
struct known {
    double weight[MOST][4];
    int doing[MOST];
};

static double weight_of(const struct bestdag_network *net,
                        const struct known *k, const int *state)
{
    double p = 1;
    for (int v = 0; v < net->dag->n; v++) {
        p *= k->weight[v][state[v]];
        p *= k->doing[v] >= 0 ? state[v] == k->doing[v]
                              : nets_factor(net, v, state);
    }
    return p;
}

/* Unnormalised joint of some variables. */
static double *enumerate(const struct bestdag_network *net,
                         const struct known *k, const int *variables, int count)
{
    double *to = calloc((size_t)nets_cells(net, variables, count), sizeof *to);
    int state[MOST] = {0};
    do {
        int64_t at = 0;
        for (int i = 0; i < count; i++)
            at = at * net->variable[variables[i]].states + state[variables[i]];
        to[at] += weight_of(net, k, state);
    } while (nets_next(net, state));
    return to;
}

static double total(const struct bestdag_network *net, const struct known *k)
{
    double *one = enumerate(net, k, NULL, 0), sum = one[0];
    free(one);
    return sum;
}

/* Random evidence on some variables, into session and `k`. */
static void draw_evidence(struct bestdag_run *run, struct bestdag_session *s,
                          const struct bestdag_network *net, struct known *k,
                          struct bestdag_random *random)
{
    bestdag_session_clear(s);
    for (int v = 0; v < net->dag->n; v++) {
        int states = net->variable[v].states, list[4], count = 0;
        int kind = (int)bestdag_random_below(random, 12);
        int state = (int)bestdag_random_below(random, (uint64_t)states);
        k->doing[v] = -1;
        for (int i = 0; i < 4; i++)
            k->weight[v][i] = 1;
        if (kind == 0 || kind == 1) {
            bestdag_session_observe(run, s, v, state);
            for (int i = 0; i < 4; i++)
                k->weight[v][i] = i == state;
        } else if (kind == 2) {
            for (int i = 0; i < states; i++) {
                k->weight[v][i] = bestdag_random_below(random, 2);
                if (k->weight[v][i] > 0)
                    list[count++] = i;
            }
            bestdag_session_allow(run, s, v, list, count);
        } else if (kind == 3) {
            for (int i = 0; i < states; i++)
                k->weight[v][i] = bestdag_random_unit(random) * 3;
            bestdag_session_weigh(run, s, v, k->weight[v], states);
        } else if (kind == 4) {
            bestdag_session_intervene(run, s, v, state);
            k->doing[v] = state;
        }
    }
    assert_int_equal(bestdag_run_status(run), BESTDAG_OK);
}

static void check_marginals(struct bestdag_run *run, struct bestdag_session *s,
                            const struct bestdag_network *net,
                            const struct known *k, uint64_t seed)
{
    double sum = total(net, k), got[4];
    double ln = bestdag_session_evidence(run, s);
    if (!(sum > 0 ? fabs(ln - log(sum)) < 1e-10 : ln == -INFINITY))
        fail_msg("seed %llu: ln P %.17g is not %.17g", (unsigned long long)seed,
                 ln, log(sum));
    for (int v = 0; v < net->dag->n; v++) {
        int states = net->variable[v].states;
        double *want = enumerate(net, k, &v, 1);
        if (!(sum > 0)) {
            bestdag_session_marginal(run, s, v, got, states);
            assert_error(run, BESTDAG_INPUT, "probability 0");
        } else {
            assert_int_equal(bestdag_session_marginal(run, s, v, got, states),
                             BESTDAG_OK);
            for (int i = 0; i < states; i++)
                if (!(fabs(got[i] - want[i] / sum) < 1e-12))
                    fail_msg("seed %llu, variable %d: %.17g is not %.17g",
                             (unsigned long long)seed, v, got[i],
                             want[i] / sum);
        }
        free(want);
    }
}

static struct bestdag_network *draw_network(struct bestdag_run *run,
                                            uint64_t seed, int most)
{
    struct bestdag_random random = bestdag_random_init(seed, 1);
    return nets_random(
        run, (struct shape){
                 .seed = seed,
                 .n = 1 + (int)bestdag_random_below(&random, (uint64_t)most),
                 .least_states = 1,
                 .most_states = 4,
                 .most_parents = 3,
                 .zeros = seed % 3 ? 0 : 0.4});
}

static void marginals_equal_enumeration(void **state)
{
    struct bestdag_run *run = *state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct bestdag_random random = bestdag_random_init(seed, 2);
        struct bestdag_network *net = draw_network(run, seed, 7);
        struct bestdag_engine *engine =
            bestdag_engine_new(run, net, NULL, 0, NULL);
        struct bestdag_session *s = bestdag_session_new(run, engine);
        for (int again = 0; again < 5; again++) {
            struct known k;
            draw_evidence(run, s, net, &k, &random);
            check_marginals(run, s, net, &k, seed);
        }
        bestdag_session_free(s);
        bestdag_engine_free(engine);
        bestdag_network_free(net);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(marginals_equal_enumeration, setup,
                                        teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
