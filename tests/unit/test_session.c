/* SPDX-License-Identifier: MIT */
/* test_session.c -- answers of sessions against going through all assignments.
 */
#include "nets.h"

#include <pthread.h>

#include "inference/engine.h"
#include "inference/joint.h"

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
    assert_string_equal(bestdag_run_error(run), "");
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
            int status = bestdag_session_marginal(run, s, v, got, states);
            if (status || !strstr(bestdag_session_method(s), "elimination"))
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

static void check_joint(struct bestdag_run *run, struct bestdag_session *s,
                        const struct bestdag_network *net,
                        const struct known *k, struct bestdag_random *random,
                        uint64_t seed)
{
    int variables[MOST], count = nets_pick(random, net->dag->n, variables);
    int64_t cells = nets_cells(net, variables, count);
    double sum = total(net, k), *got = malloc((size_t)cells * sizeof *got);
    double *want = enumerate(net, k, variables, count);
    if (sum > 0)
        assert_int_equal(
            bestdag_session_joint(run, s, variables, count, got, cells),
            BESTDAG_OK);
    double *error = calloc((size_t)cells, sizeof *error);
    bestdag_session_errors(run, s, error, cells); /* exact, if it is not said */
    for (int64_t i = 0; sum > 0 && i < cells; i++)
        if (!(fabs(got[i] - want[i] / sum) < 1e-12 + 6 * error[i]))
            fail_msg("seed %llu, cell %lld: %.17g is not %.17g",
                     (unsigned long long)seed, (long long)i, got[i],
                     want[i] / sum);
    assert_true(!sum || bestdag_session_sample_size(s) > 0 || !error[0]);
    free(error);
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
    int all[MOST] = {0},
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
    const struct bestdag_evidence *e = bestdag_session_known(s);
    bool known[MOST];
    int seen[MOST];
    memcpy(known, e->known, (size_t)e->n * sizeof *known);
    memcpy(seen, e->seen, (size_t)e->n * sizeof *seen);
    int count = bestdag_session_conflict(run, s, variables, MOST);
    double after = bestdag_session_evidence(run, s);
    assert_memory_equal(known, e->known, (size_t)e->n * sizeof *known);
    assert_memory_equal(seen, e->seen, (size_t)e->n * sizeof *seen);
    if (before != after || (count > 0) != (total(net, k) == 0))
        fail_msg("seed %llu: %d, %g, %g", (unsigned long long)seed, count,
                 before, after);
    if (count > 0)
        assert_true(without(net, *k, variables, count, -1) == 0);
    for (int i = 0; i < count; i++)
        assert_true(without(net, *k, variables, count, i) > 0);
}

static void check_all(struct bestdag_run *run, struct bestdag_session *s,
                      const struct bestdag_network *net, const struct known *k,
                      struct bestdag_random *random, uint64_t seed)
{
    int some[MOST], count;
    check_marginals(run, s, net, k, seed);
    check_joint(run, s, net, k, random, seed);
    check_conflict(run, s, net, k, seed);
    check_explanations(run, s, net, k, NULL, net->dag->n,
                       1 + (int)bestdag_random_below(random, 20), seed);
    count = nets_pick(random, net->dag->n, some);
    check_explanations(run, s, net, k, some, count,
                       1 + (int)bestdag_random_below(random, 9), seed);
}

static struct bestdag_engine *engine_with(struct bestdag_run *run,
                                          const struct bestdag_network *net,
                                          const char *key, const char *value)
{
    struct bestdag_options *options = bestdag_options_new(run);
    if (key)
        bestdag_options_set(run, options, key, value);
    struct bestdag_engine *engine =
        bestdag_engine_new(run, net, NULL, 0, options);
    bestdag_options_free(options);
    assert_non_null(engine);
    return engine;
}

/* One session for all evidences, so that messages are reused. */
static void compare_with_enumeration(struct bestdag_run *run, uint64_t seeds,
                                     const char *key, const char *value)
{
    for (uint64_t seed = 0; seed < seeds; seed++) {
        struct bestdag_random random = bestdag_random_init(seed, 2);
        struct bestdag_network *net = draw_network(run, seed, 7);
        struct bestdag_engine *engine = engine_with(run, net, key, value);
        struct bestdag_session *s = bestdag_session_new(run, engine);
        for (int again = 0; again < 5; again++) {
            struct known k;
            draw_evidence(run, s, net, &k, &random);
            check_all(run, s, net, &k, &random, seed);
        }
        bestdag_session_free(s);
        bestdag_engine_free(engine);
        bestdag_network_free(net);
    }
}

static void the_tree_equals_enumeration(void **state)
{
    compare_with_enumeration(*state, 2000, NULL, NULL);
}

/* Tables of 12 numbers in all: most variables are conditioned on. */
static void conditioning_equals_enumeration(void **state)
{
    compare_with_enumeration(*state, 500, "table-size", "12");
}

/* Elimination with and without what is d-separated. */
static void elimination_equals_enumeration(void **state)
{
    struct bestdag_run *run = *state;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        struct bestdag_random random = bestdag_random_init(seed, 7);
        struct bestdag_network *net = draw_network(run, seed, 8);
        struct bestdag_engine *engine =
            bestdag_engine_new(run, net, NULL, 0, NULL);
        struct bestdag_session *s = bestdag_session_new(run, engine);
        struct bestdag_joint *joint = bestdag_joint_new(run, net, false);
        struct known k;
        draw_evidence(run, s, net, &k, &random);
        int some[MOST], count = nets_pick(&random, net->dag->n, some);
        int64_t cells = nets_cells(net, some, count);
        double sum = total(net, &k), ln;
        double *got = malloc((size_t)cells * sizeof *got);
        double *want = enumerate(net, &k, some, count);
        for (int pruned = 0; sum > 0 && pruned < 2; pruned++) {
            struct bestdag_reduction r;
            bestdag_joint_plan(run, joint, bestdag_session_known(s), pruned,
                               some, count, &r);
            bestdag_joint_finish(run, &r, got, cells, &ln);
            bestdag_reduction_release(&r);
            assert_string_equal(bestdag_run_error(run), "");
            for (int64_t i = 0; i < cells; i++)
                if (!(fabs(got[i] - want[i] / sum) < 1e-12))
                    fail_msg("seed %llu, pruned %d: %.12g is not %.12g",
                             (unsigned long long)seed, pruned, got[i],
                             want[i] / sum);
        }
        free(got);
        free(want);
        bestdag_joint_free(joint);
        bestdag_session_free(s);
        bestdag_engine_free(engine);
        bestdag_network_free(net);
    }
}

/* An engine for some variables only answers as one for all. */
static void an_engine_for_some_variables(void **state)
{
    struct bestdag_run *run = *state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct bestdag_random random = bestdag_random_init(seed, 3);
        struct bestdag_network *net = draw_network(run, seed, 9);
        int n = net->dag->n, v = (int)bestdag_random_below(&random, n);
        int seen = (int)bestdag_random_below(&random, n);
        int asked[] = {v, seen};
        struct bestdag_engine *engine =
            bestdag_engine_new(run, net, asked, 2, NULL);
        struct bestdag_session *s = bestdag_session_new(run, engine);
        double got[4], *want = nets_enumerate(net, asked, 2), sum = 0;
        int states = net->variable[v].states, all = net->variable[seen].states;
        bestdag_session_observe(run, s, seen, 0);
        for (int i = 0; v != seen && i < states; i++)
            sum += want[i * all];
        if (v != seen && sum > 0) {
            assert_int_equal(bestdag_session_marginal(run, s, v, got, states),
                             BESTDAG_OK);
            for (int i = 0; i < states; i++)
                if (!(fabs(got[i] - want[i * all] / sum) < 1e-12))
                    fail_msg("seed %llu", (unsigned long long)seed);
        }
        free(want);
        bestdag_session_free(s);
        bestdag_engine_free(engine);
        bestdag_network_free(net);
    }
}

/* A class with 400 children that all have been seen, half of which speak
 * against each class: nothing is left of the product as a double. */
static void what_underflows_is_computed_with_logarithms(void **state)
{
    struct bestdag_run *run = *state;
    enum { N = 401 };
    struct bestdag_network *net = bestdag_network_empty(run, N);
    double p[2], ln_want = log(0.5) + 200 * (log(1e-9) + log1p(-1e-9));
    for (int v = 0; v < N; v++) {
        nets_name(run, net, v, 2);
        if (v)
            bestdag_dag_set_parents(run, net->dag, v, (int[]){0}, 1);
        bestdag_network_new_table(run, net, v);
        for (int i = 0; i < (v ? 4 : 2); i++)
            net->variable[v].table[i] =
                !v ? 0.5 : (i == 0 || i == 3 ? 1e-9 : 1 - 1e-9);
    }
    struct bestdag_engine *engine = bestdag_engine_new(run, net, NULL, 0, NULL);
    struct bestdag_session *s = bestdag_session_new(run, engine);
    for (int v = 1; v < N; v++)
        bestdag_session_observe(run, s, v, v % 2);
    double ln = bestdag_session_evidence(run, s);
    assert_true(fabs(ln - (ln_want + log(2))) < 1e-8 * fabs(ln_want));
    assert_int_equal(bestdag_session_marginal(run, s, 0, p, 2), BESTDAG_OK);
    assert_true(fabs(p[0] - 0.5) < 1e-9);
    bestdag_session_observe(run, s, 1, -1); /* one less: 1e9 to 1 */
    assert_int_equal(bestdag_session_marginal(run, s, 0, p, 2), BESTDAG_OK);
    assert_true(fabs(p[0] / 1e-9 - 1) < 1e-6 || fabs(p[1] / 1e-9 - 1) < 1e-6);
    bestdag_session_free(s);
    bestdag_engine_free(engine);
    bestdag_network_free(net);
}

/* A row of five copies of a class; at one of them 120 findings speak against
 * its first state and 84 against its second, at another one 50 against the
 * second. As a double nothing is left of the first where the many meet, and all
 * that matters of the second is: 1e-252. But the first wins. */
static struct bestdag_network *row_of_copies(struct bestdag_run *run, int many,
                                             int few)
{
    enum { COPIES = 5, AGAINST = 120, FOR = 84, FEW = 50 };
    int n = COPIES + AGAINST + FOR + FEW;
    struct bestdag_network *net = bestdag_network_empty(run, n);
    for (int v = 0; v < n; v++) {
        int parent = v < COPIES ? v - 1 : v < n - FEW ? many : few;
        bool against = v >= COPIES && v < COPIES + AGAINST;
        nets_name(run, net, v, 2);
        if (v)
            bestdag_dag_set_parents(run, net->dag, v, &parent, 1);
        bestdag_network_new_table(run, net, v);
        for (int i = 0; i < (v ? 4 : 2); i++) {
            double unlikely = v < COPIES ? 0 : 1e-3;
            bool is_unlikely = (i == 1 || i == 2) == (v < COPIES || against);
            net->variable[v].table[i] = !v            ? 0.5
                                        : is_unlikely ? unlikely
                                                      : 1 - unlikely;
        }
    }
    return net;
}

static void what_underflows_in_part_is_noticed(void **state)
{
    struct bestdag_run *run = *state;
    static const int places[][2] = {{0, 4}, {4, 0}, {2, 0}, {2, 4}, {1, 3}};
    double want = log(0.5) + 120 * log(1e-3) + 134 * log1p(-1e-3), p[2];
    for (int i = 0; i < 5; i++) {
        struct bestdag_network *net =
            row_of_copies(run, places[i][0], places[i][1]);
        struct bestdag_engine *engine =
            bestdag_engine_new(run, net, NULL, 0, NULL);
        struct bestdag_session *s = bestdag_session_new(run, engine);
        for (int v = 5; v < net->dag->n; v++)
            bestdag_session_observe(run, s, v, 1);
        double ln = bestdag_session_evidence(run, s);
        if (!(fabs(ln - want) < 1e-8))
            fail_msg("place %d: ln P is %.17g, not %.17g", i, ln, want);
        for (int v = 0; v < 5; v++) {
            assert_int_equal(bestdag_session_marginal(run, s, v, p, 2),
                             BESTDAG_OK);
            assert_true(fabs(p[0] - 1) < 1e-12);
        }
        bestdag_session_free(s);
        bestdag_engine_free(engine);
        bestdag_network_free(net);
    }
}

static void every_allocation_may_fail(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net = draw_network(run, 12, 9);
    int n = net->dag->n, states[3 * MOST];
    double p[64], ln[3];
    for (int64_t k = 1;; k++) {
        bestdag_memory_fail_at(run, k);
        struct bestdag_engine *engine =
            bestdag_engine_new(run, net, NULL, 0, NULL);
        struct bestdag_session *s = bestdag_session_new(run, engine);
        bestdag_session_marginal(run, s, 0, p, net->variable[0].states);
        bestdag_session_explain(run, s, NULL, n, 3, states, ln);
        bestdag_session_explain(run, s, (int[]){0, n - 1}, 2, 1, states, ln);
        bestdag_session_free(s);
        bestdag_engine_free(engine);
        bestdag_memory_fail_at(run, 0);
        assert_true(k < 5000);
        if (!bestdag_run_status(run)) {
            assert_true(k > 50);
            break;
        }
        assert_error(run, BESTDAG_MEMORY, "");
    }
    bestdag_network_free(net);
}

/* The joint of each two variables, whether a clique has it or not. */
static void ask_pairs(struct bestdag_run *run, struct bestdag_session *s,
                      const struct bestdag_network *net)
{
    double p[16];
    for (int v = 0; v < net->dag->n; v++)
        for (int u = 0; u < v; u++) {
            int pair[] = {v, u};
            bestdag_session_joint(run, s, pair, 2, p, nets_cells(net, pair, 2));
        }
}

/* After the session is made, the tree allocates nothing. */
static void queries_allocate_nothing(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net = draw_network(run, 14, 10);
    struct bestdag_engine *engine = bestdag_engine_new(run, net, NULL, 0, NULL);
    struct bestdag_session *s = bestdag_session_new(run, engine);
    struct bestdag_random random = bestdag_random_init(1, 1);
    int states[MOST];
    double p[4];
    for (int again = 0; again < 50; again++) {
        struct known k;
        bestdag_memory_fail_at(run, 1);
        draw_evidence(run, s, net, &k, &random);
        bool possible = bestdag_session_evidence(run, s) > -INFINITY;
        for (int v = 0; possible && v < net->dag->n; v++)
            bestdag_session_marginal(run, s, v, p, net->variable[v].states);
        if (possible)
            ask_pairs(run, s, net);
        bestdag_session_explain(run, s, NULL, net->dag->n, 1, states, p);
        assert_string_equal(bestdag_run_error(run), "");
        assert_false(bestdag_memory_has_failed(run));
        bestdag_memory_fail_at(run, 0);
    }
    bestdag_session_free(s);
    bestdag_engine_free(engine);
    bestdag_network_free(net);
}

/* Exact, by conditioning or by samples, as memory allows; never above it. */
static void the_memory_limit_decides_on_the_method(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net = nets_knot(run, 18);
    int n = net->dag->n;
    double exact[2], p[2];
    static const char *const methods[] = {"junction tree", "conditioning"};
    for (int k = 0; k < 2; k++) {
        char limit[32];
        int64_t most = bestdag_memory_used(run) + (k ? 1500000 : 1 << 30);
        snprintf(limit, sizeof limit, "%lld", (long long)most);
        bestdag_run_set(run, "memory-limit", limit);
        struct bestdag_engine *engine =
            bestdag_engine_new(run, net, NULL, 0, NULL);
        struct bestdag_session *s = bestdag_session_new(run, engine);
        assert_string_equal(bestdag_session_method(s), methods[k]);
        bestdag_session_observe(run, s, n - 1, 1);
        assert_int_equal(bestdag_session_marginal(run, s, 0, p, 2), BESTDAG_OK);
        if (!k)
            memcpy(exact, p, sizeof p);
        assert_true(fabs(p[0] - exact[0]) < 1e-9);
        assert_true(bestdag_session_sample_size(s) == 0);
        assert_true(bestdag_memory_used(run) <= most);
        bestdag_session_free(s);
        bestdag_engine_free(engine);
        bestdag_run_set(run, "memory-limit", "0");
    }
    bestdag_network_free(net);
}

/* Beyond exact methods as a whole; what is small in it is exact still. */
static void what_does_not_fit_is_sampled(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net = nets_knot(run, 60);
    int n = net->dag->n, *states = malloc((size_t)n * sizeof *states);
    double p[2], error[2];
    struct bestdag_engine *engine = engine_with(run, net, "samples", "2000");
    struct bestdag_session *s = bestdag_session_new(run, engine);
    bestdag_session_observe(run, s, 60, 1); /* of the first two roots */
    assert_int_equal(bestdag_session_marginal(run, s, 0, p, 2), BESTDAG_OK);
    assert_string_equal(bestdag_session_method(s), "variable elimination");
    bestdag_session_errors(run, s, error, 2);
    assert_true(error[0] == 0 && bestdag_session_sample_size(s) == 0);
    bestdag_session_observe(run, s, n - 1, 1);
    assert_int_equal(bestdag_session_marginal(run, s, 0, p, 2), BESTDAG_OK);
    assert_string_equal(bestdag_session_method(s), "likelihood weighting");
    bestdag_session_errors(run, s, error, 2);
    assert_true(error[0] > 0 && bestdag_session_sample_size(s) > 0);
    bestdag_session_explain(run, s, NULL, n, 1, states, p);
    assert_error(run, BESTDAG_MEMORY, "cannot be sampled");
    free(states);
    bestdag_session_free(s);
    bestdag_engine_free(engine);
    engine = engine_with(run, net, "inference", "exact");
    s = bestdag_session_new(run, engine);
    bestdag_session_observe(run, s, n - 1, 1);
    bestdag_session_marginal(run, s, 0, p, 2);
    assert_error(run, BESTDAG_MEMORY, "exact inference needs tables of");
    bestdag_session_free(s);
    bestdag_engine_free(engine);
    bestdag_network_free(net);
}

/* Sparse, with many states of probability 0: cliques have many children. */
static struct bestdag_network *draw_sparse(struct bestdag_run *run,
                                           uint64_t seed)
{
    return nets_random(run, (struct shape){.seed = seed,
                                           .n = 10 + (int)(seed % 30),
                                           .least_states = 2,
                                           .most_states = 3,
                                           .most_parents = 1 + (int)(seed % 2),
                                           .zeros = seed % 3 ? 0.3 : 0});
}

/* Bit by bit: messages that were kept are those that would be computed. And
 * they are right: elimination says the same. */
static void answers_do_not_depend_on_what_was_asked_before(void **state)
{
    struct bestdag_run *run = *state;
    for (uint64_t seed = 0; seed < 150; seed++) {
        struct bestdag_network *net = draw_sparse(run, seed);
        int n = net->dag->n, drawn[64];
        bool is_seen[64] = {false};
        struct bestdag_random random = bestdag_random_init(seed, 8);
        struct bestdag_engine *engine =
            bestdag_engine_new(run, net, NULL, 0, NULL);
        struct bestdag_session *old = bestdag_session_new(run, engine);
        struct bestdag_joint *joint = bestdag_joint_new(run, net, false);
        struct bestdag_table *row = bestdag_network_sample(run, net, 1);
        for (int v = 0; v < n; v++)
            bestdag_table_codes(row, v, 0, 1, &drawn[v]);
        for (uint64_t again = 0; again < 20; again++) { /* one changes */
            struct bestdag_session *new = bestdag_session_new(run, engine);
            int turned = (int)bestdag_random_below(&random, n);
            is_seen[turned] = !is_seen[turned];
            bestdag_session_observe(run, old, turned,
                                    is_seen[turned] ? drawn[turned] : -1);
            for (int v = 0; v < n; v++)
                bestdag_session_observe(run, new, v,
                                        is_seen[v] ? drawn[v] : -1);
            assert_true(bestdag_session_evidence(run, new) ==
                        bestdag_session_evidence(run, old));
            for (int v = (int)again % 3; v < n; v += 3) {
                int states = net->variable[v].states;
                double p[3][4], ln;
                struct bestdag_reduction r;
                bestdag_session_marginal(run, old, v, p[0], states);
                bestdag_session_marginal(run, new, v, p[1], states);
                bestdag_joint_plan(run, joint, bestdag_session_known(new), true,
                                   &v, 1, &r);
                bestdag_joint_finish(run, &r, p[2], states, &ln);
                bestdag_reduction_release(&r);
                assert_string_equal(bestdag_run_error(run), "");
                if (memcmp(p[0], p[1], (size_t)states * sizeof **p) != 0 ||
                    !(fabs(p[0][0] - p[2][0]) < 1e-12))
                    fail_msg("seed %llu, %llu: %.17g, %.17g, %.17g",
                             (unsigned long long)seed,
                             (unsigned long long)again, p[0][0], p[1][0],
                             p[2][0]);
            }
            bestdag_session_free(new);
        }
        bestdag_table_free(row);
        bestdag_joint_free(joint);
        bestdag_session_free(old);
        bestdag_engine_free(engine);
        bestdag_network_free(net);
    }
}

struct thread {
    const struct bestdag_network *net;
    const struct bestdag_engine *engine;
    uint64_t seed;
    double sum;
};

static void *ask_many(void *data)
{
    struct thread *t = data;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_session *s = bestdag_session_new(run, t->engine);
    struct bestdag_random random = bestdag_random_init(t->seed, 1);
    double p[4];
    for (int i = 0; i < 2000; i++) {
        int v = (int)bestdag_random_below(&random, t->net->dag->n);
        int x = (int)bestdag_random_below(&random, t->net->dag->n);
        bestdag_session_observe(run, s, v, i % 3 ? 0 : -1);
        if (bestdag_session_evidence(run, s) > -INFINITY)
            bestdag_session_marginal(run, s, x, p, t->net->variable[x].states);
        t->sum += p[0];
    }
    bestdag_session_free(s);
    bestdag_run_free(run);
    return NULL;
}

static void two_threads_share_an_engine(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net = draw_network(run, 5, 10);
    struct bestdag_engine *engine = bestdag_engine_new(run, net, NULL, 0, NULL);
    struct thread t[3] = {{net, engine, 1, 0}, {net, engine, 2, 0}};
    pthread_t id[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&id[i], NULL, ask_many, &t[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(id[i], NULL);
    for (int i = 0; i < 2; i++) { /* alone, the same bytes */
        t[2] = (struct thread){net, engine, t[i].seed, 0};
        ask_many(&t[2]);
        assert_true(t[2].sum == t[i].sum);
    }
    bestdag_engine_free(engine);
    bestdag_network_free(net);
}

static void wrong_questions_are_refused(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net = draw_network(run, 9, 9);
    int last = net->dag->n - 1, states[MOST];
    double p[64];
    struct bestdag_engine *engine = bestdag_engine_new(run, net, NULL, 0, NULL);
    struct bestdag_session *s = bestdag_session_new(run, engine);
    bestdag_session_observe(run, s, last + 1, 0);
    assert_error(run, BESTDAG_USAGE, "no variable");
    bestdag_session_observe(run, s, 0, 7);
    assert_error(run, BESTDAG_USAGE, "'v0' has no state 7");
    bestdag_session_weigh(run, s, 0, (double[]){1, 1, 1, 1, 1}, 5);
    assert_error(run, BESTDAG_USAGE, "the likelihood has 5 numbers");
    p[0] = -1;
    p[1] = p[2] = p[3] = 1;
    bestdag_session_weigh(run, s, 0, p, net->variable[0].states);
    assert_error(run, BESTDAG_USAGE, "negative or not finite");
    bestdag_session_joint(run, s, (int[]){1, 1}, 2, p, 4);
    assert_error(run, BESTDAG_USAGE, "'v1' is requested twice");
    bestdag_session_marginal(run, s, 0, p, 9);
    assert_error(run, BESTDAG_USAGE, "room for 9");
    bestdag_session_explain(run, s, NULL, last, 1, states, p);
    assert_error(run, BESTDAG_USAGE, "cannot be given");
    bestdag_run_stop(run);
    bestdag_session_free(s);
    bestdag_engine_free(engine);
    bestdag_network_free(net);
    bestdag_session_free(NULL);
    bestdag_engine_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_tree_equals_enumeration, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(conditioning_equals_enumeration, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(elimination_equals_enumeration, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(an_engine_for_some_variables, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(
            what_underflows_is_computed_with_logarithms, setup, teardown),
        cmocka_unit_test_setup_teardown(what_underflows_in_part_is_noticed,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(every_allocation_may_fail, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(queries_allocate_nothing, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(the_memory_limit_decides_on_the_method,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(what_does_not_fit_is_sampled, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(
            answers_do_not_depend_on_what_was_asked_before, setup, teardown),
        cmocka_unit_test_setup_teardown(two_threads_share_an_engine, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(wrong_questions_are_refused, setup,
                                        teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
