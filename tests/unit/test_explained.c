/* SPDX-License-Identifier: MIT */
/* test_explained.c -- networks with numbers: most probable explanations, draws,
 * imputed cells and standard errors, against enumeration. */
#include "mixed_slow.h"

#include "base/random.h"

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

static void near(double got, double want, double error, uint64_t seed,
                 const char *what, int v)
{
    if (!(fabs(got - want) <= 1e-6 * (1 + fabs(want)) + error))
        fail_msg("seed %llu, %s of %d: %.12g is not %.12g",
                 (unsigned long long)seed, what, v, got, want);
}

/* Observes one state of v. */
static void see(struct question *q, int v, int state)
{
    memset(q->likelihood[v], 0, sizeof q->likelihood[v]);
    q->likelihood[v][state] = 1;
    q->weight[v] = q->likelihood[v];
}

static void target_kind(const struct bestdag_network *net, struct question *q,
                        bool is_number)
{
    q->targets = 0;
    for (int v = 0; v < net->dag->n; v++)
        if (net->variable[v].is_number == is_number)
            q->target[q->targets++] = v;
}

struct room {
    double ln[64], value[64 * N];
    int state[64 * N];
};

static struct bestdag_mixed_explanations place(struct room *r, int best)
{
    return (struct bestdag_mixed_explanations){
        .best = best, .ln = r->ln, .state = r->state, .value = r->value};
}

/* ---- MAP ------------------------------------------------------------------
 */

/* Of random targets: what is left is summed out. */
static void map_is_that_of_enumeration(void **state)
{
    struct bestdag_run *run = *state;
    int asked = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct bestdag_random random = bestdag_random_init(seed, 21);
        struct bestdag_network *net = mixed_random(
            run, (struct mixed_shape){seed, 4 + (int)(seed % 5), 3, 0.5, 0});
        struct question q, given;
        struct slow all, one;
        struct room room;
        random_question(net, &random, &q);
        answer_slowly(net, &q, &all);
        target_kind(net, &q, false);
        if (q.targets > 2) /* the others are summed out */
            q.targets--;
        struct bestdag_mixed_question question = view(net, &q);
        struct bestdag_mixed_explanations e = place(&room, 5);
        if (all.all > 1e-60 && q.targets) {
            assert_int_equal(bestdag_mixed_map(run, &question, NULL, &e),
                             BESTDAG_OK);
            near(e.ln_evidence, log(all.all), 0, seed, "evidence", 0);
            /* each has the probability that it says, and none is better */
            double sum = 0;
            for (int k = 0; k < e.found; k++) {
                given = q;
                for (int v = 0; v < N; v++)
                    given.weight[v] = q.weight[v] ? given.likelihood[v] : NULL;
                for (int i = 0; i < q.targets; i++) {
                    int v = q.target[i], s = e.state[k * net->dag->n + v];
                    double w = q.weight[v] ? q.weight[v][s] : 1;
                    see(&given, v, s);
                    given.likelihood[v][s] = w;
                }
                answer_slowly(net, &given, &one);
                near(exp(e.ln[k]), one.all / all.all, 1e-9, seed, "P", k);
                assert_true(!k || e.ln[k] <= e.ln[k - 1] + 1e-12);
                sum += exp(e.ln[k]);
            }
            for (int i = 0; i < q.targets; i++) { /* what is left is less */
                int v = q.target[i];
                for (int s = 0; s < net->variable[v].states; s++) {
                    double listed = 0;
                    for (int k = 0; k < e.found; k++)
                        if (e.state[k * net->dag->n + v] == s)
                            listed += exp(e.ln[k]);
                    assert_true(all.p[v][s] / all.all - listed <=
                                1 - sum + 1e-9);
                }
            }
            if (e.found < 5) /* there are no more */
                near(sum, 1, 1e-9, seed, "sum", 0);
            asked++;
        }
        bestdag_network_free(net);
    }
    assert_true(asked > 120);
}

/* ---- modes ----------------------------------------------------------------
 */

/* ln of the density of everything, under the interventions. */
static double density(const struct bestdag_network *net,
                      const struct question *q, const int *code,
                      const double *value)
{
    double sum = 0, c[N], intercept, sd;
    for (int v = 0; v < net->dag->n; v++) {
        const struct bestdag_variable *x = &net->variable[v];
        if (!x->is_number) {
            if (q->doing[v] >= 0 && q->doing[v] != code[v])
                return -INFINITY;
            if (q->doing[v] < 0)
                sum +=
                    log(x->table[mixed_configuration(net, v, code) * x->states +
                                 code[v]]);
            sum += q->weight[v] ? log(q->weight[v][code[v]]) : 0;
            continue;
        }
        if (q->is_set[v])
            continue;
        mixed_terms(net, v, code, &intercept, c, &sd);
        double z = value[v] - intercept;
        for (int u = 0; u < net->dag->n; u++)
            z -= c[u] != 0 ? c[u] * value[u] : 0;
        z /= sd;
        sum -= 0.5 * z * z + log(sd) + 0.5 * log(2 * 3.14159265358979323846);
    }
    return sum;
}

/* Climbs to the mode in one configuration of states: the density is a concave
 * quadratic, so that one coordinate after the other gets there. */
static double climb(const struct bestdag_network *net, const struct question *q,
                    const int *code, double *value)
{
    double best = -INFINITY;
    for (int v = 0; v < net->dag->n; v++)
        value[v] = isnan(q->value[v]) ? 0 : q->value[v];
    for (int round = 0; round < 20000; round++) {
        double before = best;
        for (int v = 0; v < net->dag->n; v++) {
            if (!net->variable[v].is_number || !isnan(q->value[v]))
                continue;
            double at = value[v], y[3];
            for (int i = 0; i < 3; i++) {
                value[v] = at + i - 1;
                y[i] = density(net, q, code, value);
            }
            double bend = y[0] - 2 * y[1] + y[2];
            value[v] = at - (y[2] - y[0]) / (2 * bend);
        }
        best = density(net, q, code, value);
        if (best - before < 1e-13 && round > 3)
            break;
    }
    return best;
}

static void modes_are_those_of_climbing(void **state)
{
    struct bestdag_run *run = *state;
    int asked = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct bestdag_random random = bestdag_random_init(seed, 22);
        struct bestdag_network *net =
            mixed_random(run, (struct mixed_shape){seed, 3 + (int)(seed % 4), 2,
                                                   seed % 5 ? 0.5 : 1, 0});
        struct question q;
        struct slow all;
        struct room room;
        int code[N] = {0}, n = net->dag->n;
        double value[N], top[3] = {-INFINITY, -INFINITY, -INFINITY};
        random_question(net, &random, &q);
        answer_slowly(net, &q, &all);
        do {
            double ln = climb(net, &q, code, value);
            for (int i = 0; i < 3; i++)
                if (ln > top[i]) {
                    double swap = top[i];
                    top[i] = ln;
                    ln = swap;
                }
        } while (mixed_next(net, code));
        struct bestdag_mixed_question question = view(net, &q);
        question.has_covariance = false;
        struct bestdag_mixed_explanations e = place(&room, 3);
        if (all.all > 1e-30) {
            assert_int_equal(bestdag_mixed_modes(run, &question, NULL, &e),
                             BESTDAG_OK);
            for (int k = 0; k < e.found; k++) {
                near(e.ln[k] + log(all.all), top[k], 1e-5, seed, "log-density",
                     k);
                near(density(net, &q, e.state + k * n, e.value + k * n),
                     e.ln[k] + log(all.all), 1e-6, seed, "its density", k);
            }
            for (int k = e.found; k < 3; k++)
                assert_true(top[k] < -600 || top[k] < top[0] - 600);
            asked++;
        }
        bestdag_network_free(net);
    }
    assert_true(asked > 40);
}

/* A density and a probability cannot be compared. */
static void modes_of_unlike_dimension_are_refused(void **state)
{
    struct bestdag_run *run = *state;
    static const char text[] =
        "{\"bestdag\": \"network\", \"version\": 1, \"variables\": ["
        "{\"name\": \"c\", \"states\": [\"a\", \"b\"], \"table\": [[0.5, "
        "0.5]]},"
        "{\"name\": \"x\", \"kind\": \"number\", \"parents\": [\"c\"], "
        "\"regressions\": [{\"intercept\": 1, \"sd\": 0}, {\"intercept\": 2, "
        "\"sd\": 1}]}]}";
    struct bestdag_network *net =
        bestdag_network_parse(run, "unlike.json", text, (int64_t)strlen(text));
    assert_non_null(net);
    struct question q;
    struct room room;
    nothing(&q, 2);
    struct bestdag_mixed_question question = view(net, &q);
    question.has_covariance = false;
    struct bestdag_mixed_explanations e = place(&room, 1);
    assert_int_not_equal(bestdag_mixed_modes(run, &question, NULL, &e),
                         BESTDAG_OK);
    assert_non_null(strstr(bestdag_run_error(run), "standard deviation 0"));
    bestdag_run_clear(run);
    bestdag_network_free(net);
}

/* ---- draws ----------------------------------------------------------------
 */

enum { DRAWS = 4000 };

/* Means of draws, of products, and of products within states. */
static void draws_have_the_moments_of_enumeration(void **state)
{
    struct bestdag_run *run = *state;
    static int code[DRAWS * N];
    static double value[DRAWS * N];
    int asked = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct bestdag_random random = bestdag_random_init(seed, 23);
        struct bestdag_network *net =
            mixed_random(run, (struct mixed_shape){seed, 6, 3, 0.5, 0});
        struct question q;
        struct slow all, within;
        bool is_possible;
        int n = net->dag->n;
        random_question(net, &random, &q);
        for (int v = 0; v < n; v++) { /* what is set is not drawn */
            q.doing[v] = -1;
            q.is_set[v] = false;
        }
        answer_slowly(net, &q, &all);
        struct bestdag_mixed_question question = view(net, &q);
        question.has_covariance = false;
        if (all.all > 1e-60) {
            assert_int_equal(bestdag_mixed_draw(run, &question, NULL, &random,
                                                DRAWS, code, value,
                                                &is_possible),
                             BESTDAG_OK);
            assert_true(is_possible);
            for (int v = 0; v < n; v++)
                for (int u = 0; u < n; u++) {
                    if (!net->variable[v].is_number)
                        continue;
                    bool is_state = !net->variable[u].is_number;
                    if (is_state && all.p[u][0] < 0.01 * all.all)
                        continue; /* too rare for a normal approximation */
                    double sum = 0, squares = 0, want;
                    for (int k = 0; k < DRAWS; k++) {
                        double x =
                            value[k * n + v] * (is_state ? code[k * n + u] == 0
                                                         : value[k * n + u]);
                        sum += x;
                        squares += x * x;
                    }
                    want = all.square[v][u] / all.all;
                    if (is_state) {
                        struct question given = q;
                        for (int w = 0; w < n; w++)
                            given.weight[w] =
                                q.weight[w] ? given.likelihood[w] : NULL;
                        double w0 = q.weight[u] ? q.weight[u][0] : 1;
                        see(&given, u, 0);
                        given.likelihood[u][0] = w0;
                        answer_slowly(net, &given, &within);
                        want = within.all > 0 ? within.mean[v] / all.all : 0;
                    }
                    double mean = sum / DRAWS;
                    double error =
                        sqrt(fmax(squares / DRAWS - mean * mean, 0) / DRAWS);
                    near(mean, want, 6 * error + 1e-3 * fabs(want), seed,
                         "moment", v);
                }
            asked++;
        }
        bestdag_network_free(net);
    }
    assert_true(asked > 30);
}

/* ---- imputing -------------------------------------------------------------
 */

/* Each cell of a table of ten rows has a hole with probability 0.4. */
static void punch(struct bestdag_table *t, struct bestdag_random *random)
{
    for (int c = 0; c < t->columns; c++)
        for (int64_t r = 0; r < t->rows; r++)
            if (bestdag_random_unit(random) < 0.4) {
                struct bestdag_column *x = &t->column[c];
                if (x->kind == BESTDAG_NUMBERS)
                    ((double *)x->cells)[r] = NAN;
                else if (x->bytes == 1)
                    ((uint8_t *)x->cells)[r] = BESTDAG_MISSING_1;
                else
                    ((uint16_t *)x->cells)[r] = BESTDAG_MISSING_2;
                x->missing++;
            }
}

/* What is there of row r is known. */
static void know_row(const struct bestdag_network *net,
                     const struct bestdag_table *t, int64_t r,
                     struct question *q)
{
    nothing(q, net->dag->n);
    for (int v = 0; v < net->dag->n; v++) {
        const struct bestdag_column *c =
            &t->column[bestdag_table_find(t, net->variable[v].name)];
        if (net->variable[v].is_number)
            q->value[v] = ((const double *)c->cells)[r];
        else if (bestdag_column_code(c, r) >= 0)
            see(q, v,
                bestdag_variable_state(&net->variable[v],
                                       c->labels[bestdag_column_code(c, r)]));
    }
}

/* States are most probable together, numbers are means given all of them. */
static void check_filled(const struct bestdag_network *net,
                         const struct bestdag_table *t,
                         const struct bestdag_table *filled, int64_t r,
                         uint64_t seed)
{
    struct question q, all;
    struct slow chosen, other;
    int code[N] = {0};
    know_row(net, t, r, &q);
    know_row(net, filled, r, &all); /* numbers of the row's own */
    memcpy(all.value, q.value, sizeof q.value);
    answer_slowly(net, &all, &chosen);
    do {
        bool agrees = true;
        for (int v = 0; v < net->dag->n; v++)
            agrees &= net->variable[v].is_number || !q.weight[v] ||
                      q.likelihood[v][code[v]] > 0;
        if (!agrees)
            continue;
        struct question given = all;
        for (int v = 0; v < net->dag->n; v++)
            if (!net->variable[v].is_number)
                see(&given, v, code[v]);
        answer_slowly(net, &given, &other);
        if (other.all > chosen.all * (1 + 1e-9))
            fail_msg("seed %llu, row %d: better states",
                     (unsigned long long)seed, (int)r);
    } while (mixed_next(net, code));
    for (int v = 0; v < net->dag->n; v++)
        if (net->variable[v].is_number) {
            const struct bestdag_column *c = &filled->column[bestdag_table_find(
                filled, net->variable[v].name)];
            near(((const double *)c->cells)[r],
                 isnan(q.value[v]) ? chosen.mean[v] / chosen.all : q.value[v],
                 0, seed, "cell", v);
        }
}

static void imputed_cells_are_those_of_enumeration(void **state)
{
    struct bestdag_run *run = *state;
    for (uint64_t seed = 1; seed <= 25; seed++) {
        struct bestdag_random random = bestdag_random_init(seed, 24);
        struct bestdag_network *net =
            mixed_random(run, (struct mixed_shape){seed, 6, 2, 0.5, 0});
        struct bestdag_table *t = mixed_table(run, net, 10, seed);
        punch(t, &random);
        struct bestdag_table *filled =
            bestdag_network_impute(run, net, t, NULL);
        if (!filled)
            fail_msg("seed %llu: %s", (unsigned long long)seed,
                     bestdag_run_error(run));
        for (int64_t r = 0; r < 10; r++)
            check_filled(net, t, filled, r, seed);
        bestdag_table_free(filled);
        bestdag_table_free(t);
        bestdag_network_free(net);
    }
}

/* ---- standard errors ------------------------------------------------------
 */

struct tally {
    double sum;
    int count;
};

static void tally(struct tally *t, double got, double want, double error)
{
    if (error > 1e-12) {
        t->sum += (got - want) * (got - want) / (error * error);
        t->count++;
    }
}

/* The same question with many seeds: the mean of the squared errors over the
 * squared standard errors is near 1 for what is sampled. */
static void standard_errors_are_right(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_options *options = bestdag_options_new(run);
    struct tally evidence = {0}, shares = {0}, means = {0}, sds = {0};
    bestdag_options_set(run, options, "inference", "sampling");
    bestdag_options_set(run, options, "samples", "4000");
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct bestdag_random random = bestdag_random_init(seed, 25);
        struct bestdag_network *net =
            mixed_random(run, (struct mixed_shape){seed, 5, 2, 0.5, 0});
        struct question q;
        struct slow all;
        double value[64], error[64];
        nothing(&q, 5);
        for (int v = 0; v < 5; v++) /* known: about one of five */
            if (bestdag_random_below(&random, 5) == 0) {
                if (net->variable[v].is_number)
                    q.value[v] = mixed_normal(&random);
                else
                    see(&q, v, 0);
            }
        answer_slowly(net, &q, &all);
        struct bestdag_mixed_question question = view(net, &q);
        question.has_covariance = false;
        for (uint64_t draw = 1; draw <= 10 && all.all > 1e-12; draw++) {
            struct bestdag_mixed_answer answer = {.value = value,
                                                  .error = error};
            run->seed = seed * 1000 + draw;
            assert_int_equal(
                bestdag_mixed_ask(run, &question, options, &answer),
                BESTDAG_OK);
            if (answer.sample_size < 400)
                continue; /* too few for a normal approximation */
            tally(&evidence, answer.ln_evidence, log(all.all), answer.ln_error);
            for (int v = 0, at = 0; v < 5; v++) {
                int states = net->variable[v].states;
                double mean = all.mean[v] / all.all;
                double var = all.square[v][v] / all.all - mean * mean;
                for (int s = 0; s < states; s++, at++)
                    if (all.p[v][s] / all.all > 0.01)
                        tally(&shares, value[at], all.p[v][s] / all.all,
                              error[at]);
                if (net->variable[v].is_number) {
                    tally(&means, value[at], mean, error[at]);
                    tally(&sds, value[at + 1], sqrt(fmax(var, 0)),
                          error[at + 1]);
                    at += 2;
                }
            }
        }
        bestdag_network_free(net);
    }
    bestdag_options_free(options);
    const struct tally all[] = {evidence, shares, means, sds};
    for (int i = 0; i < 4; i++) {
        print_message("mean squared z %d: %.3f of %d\n", i,
                      all[i].sum / all[i].count, all[i].count);
        assert_true(all[i].count > 100);
        assert_true(all[i].sum / all[i].count > 0.75);
        assert_true(all[i].sum / all[i].count < 1.3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(map_is_that_of_enumeration, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(modes_are_those_of_climbing, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(modes_of_unlike_dimension_are_refused,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(draws_have_the_moments_of_enumeration,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(imputed_cells_are_those_of_enumeration,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(standard_errors_are_right, setup,
                                        teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
