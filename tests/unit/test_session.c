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

static int pick(struct bestdag_random *random, int n, int *to)
{
    int all[MOST], count = (int)bestdag_random_below(random, (uint64_t)n + 1);
    for (int i = 0; i < n; i++) {
        int k = (int)bestdag_random_below(random, (uint64_t)i + 1);
        all[i] = all[k];
        all[k] = i;
    }
    memcpy(to, all, (size_t)count * sizeof *to);
    return count;
}

static void check_joint(struct bestdag_run *run, struct bestdag_session *s,
                        const struct bestdag_network *net,
                        const struct known *k, struct bestdag_random *random,
                        uint64_t seed)
{
    int variables[MOST], count = pick(random, net->dag->n, variables);
    int64_t cells = nets_cells(net, variables, count);
    double sum = total(net, k), *got = malloc((size_t)cells * sizeof *got);
    double *want = enumerate(net, k, variables, count);
    if (sum > 0)
        assert_int_equal(
            bestdag_session_joint(run, s, variables, count, got, cells),
            BESTDAG_OK);
    for (int64_t i = 0; sum > 0 && i < cells; i++)
        if (!(fabs(got[i] - want[i] / sum) < 1e-12))
            fail_msg("seed %llu, cell %lld: %.17g is not %.17g",
                     (unsigned long long)seed, (long long)i, got[i],
                     want[i] / sum);
    free(got);
    free(want);
}

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* The K best assignments of some variables (all: NULL): different ones, with
 * their own probabilities, which are the K largest. */
static void check_explanations(struct bestdag_run *run,
                               struct bestdag_session *s,
                               const struct bestdag_network *net,
                               const struct known *k, const int *variables,
                               int count, int best, uint64_t seed)
{
    int all[MOST],
        *states = malloc((size_t)(best * count + 1) * sizeof *states);
    double *ln = malloc((size_t)best * sizeof *ln);
    for (int i = 0; i < count; i++)
        all[i] = variables ? variables[i] : i;
    int64_t cells = nets_cells(net, all, count), positive = 0;
    double *want = enumerate(net, k, all, count);
    double *sorted = malloc((size_t)cells * sizeof *sorted);
    memcpy(sorted, want, (size_t)cells * sizeof *sorted);
    qsort(sorted, (size_t)cells, sizeof *sorted, descending);
    while (positive < cells && sorted[positive] > 0)
        positive++;
    int found =
        bestdag_session_explain(run, s, variables, count, best, states, ln);
    if (found != (positive < best ? positive : best))
        fail_msg("seed %llu: %d of %lld (%s)", (unsigned long long)seed, found,
                 (long long)positive, bestdag_run_error(run));
    for (int i = 0; i < found; i++) {
        int64_t at = 0;
        for (int v = 0; v < count; v++)
            at = at * net->variable[all[v]].states + states[i * count + v];
        if (!(fabs(ln[i] - log(sorted[i])) < 1e-9) ||
            !(fabs(ln[i] - log(want[at])) < 1e-9))
            fail_msg("seed %llu, %d: %.17g, %.17g, %.17g",
                     (unsigned long long)seed, i, ln[i], log(sorted[i]),
                     log(want[at]));
        want[at] = 0; /* once only */
    }
    free(states);
    free(ln);
    free(want);
    free(sorted);
}

static double without(const struct bestdag_network *net, struct known k,
                      const int *kept, int count, int but)
{
    for (int v = 0; v < net->dag->n; v++) {
        bool is_kept = false;
        for (int i = 0; i < count; i++)
            is_kept |= kept[i] == v && i != but;
        for (int i = 0; !is_kept && i < 4; i++)
            k.weight[v][i] = 1;
    }
    return total(net, &k);
}

static void check_conflict(struct bestdag_run *run, struct bestdag_session *s,
                           const struct bestdag_network *net,
                           const struct known *k, uint64_t seed)
{
    int variables[MOST];
    double before = bestdag_session_evidence(run, s);
    int count = bestdag_session_conflict(run, s, variables, MOST);
    double after = bestdag_session_evidence(run, s);
    if (before != after || (count > 0) != (total(net, k) == 0))
        fail_msg("seed %llu: %d, %g, %g", (unsigned long long)seed, count,
                 before, after);
    if (count > 0)
        assert_true(without(net, *k, variables, count, -1) == 0);
    for (int i = 0; i < count; i++)
        assert_true(without(net, *k, variables, count, i) > 0);
}

static void answers_equal_enumeration(void **state)
{
    struct bestdag_run *run = *state;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        struct bestdag_random random = bestdag_random_init(seed, 2);
        struct bestdag_network *net = draw_network(run, seed, 7);
        struct bestdag_engine *engine =
            bestdag_engine_new(run, net, NULL, 0, NULL);
        struct bestdag_session *s = bestdag_session_new(run, engine);
        for (int again = 0; again < 5; again++) {
            struct known k;
            draw_evidence(run, s, net, &k, &random);
            check_marginals(run, s, net, &k, seed);
            check_joint(run, s, net, &k, &random, seed);
            check_conflict(run, s, net, &k, seed);
            check_explanations(run, s, net, &k, NULL, net->dag->n,
                               1 + (int)bestdag_random_below(&random, 20),
                               seed);
            int some[MOST], count = pick(&random, net->dag->n, some);
            check_explanations(run, s, net, &k, some, count,
                               1 + (int)bestdag_random_below(&random, 9), seed);
        }
        bestdag_session_free(s);
        bestdag_engine_free(engine);
        bestdag_network_free(net);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(answers_equal_enumeration, setup,
                                        teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
