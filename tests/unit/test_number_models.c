/* SPDX-License-Identifier: MIT */
/* test_number_models.c -- what is done with networks of numbers: sampling,
 * evaluating, queries of rows, imputing, effects, classes, random networks. */
#include "mixed_nets.h"

#include "base/json.h"

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

static struct bestdag_json *must_parse(struct bestdag_run *run, char *text)
{
    if (!text)
        fail_msg("%s", bestdag_run_error(run));
    struct bestdag_json *j = bestdag_json_read(run, text);
    assert_non_null(j);
    bestdag_text_free(text);
    return j;
}

static double number_at(const struct bestdag_json *j, const char *a,
                        const char *b, const char *c)
{
    const struct bestdag_json *at = bestdag_json_get(j, a);
    at = b ? bestdag_json_get(at, b) : at;
    return bestdag_json_number(c ? bestdag_json_get(at, c) : at);
}

static void assert_near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%.12g is not %.12g, within %.3g", got, want, tolerance);
}

/* Of a drawn table the log-likelihood is the sum of the rows' densities, and
 * parameters that are fitted to it are near the network's. */
static void samples_are_of_the_network(void **state)
{
    struct bestdag_run *run = *state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct bestdag_network *net =
            mixed_random(run, (struct mixed_shape){seed, 6, 2, 0.6, 0.1});
        struct bestdag_table *t = bestdag_network_sample(run, net, 20000);
        assert_non_null(t);
        struct bestdag_network *fitted = bestdag_network_fit(run, net, t, NULL);
        assert_non_null(fitted);
        for (int v = 0; v < 6; v++) {
            int terms = bestdag_network_terms(net, v);
            int64_t q = bestdag_network_configurations(net, v);
            if (!net->variable[v].is_number)
                continue;
            for (int64_t j = 0; j < q; j++) {
                const double *a = net->variable[v].regression + j * terms;
                const double *b = fitted->variable[v].regression + j * terms;
                double rows = (double)fitted->variable[v].counts[j];
                if (rows < 100)
                    continue;
                assert_near(b[terms - 1], a[terms - 1],
                            5 * a[terms - 1] / sqrt(2 * rows) + 1e-9);
                assert_true(terms > 2 ||
                            fabs(a[0] - b[0]) <= 5 * a[1] / sqrt(rows) + 1e-9);
            }
        }
        bestdag_network_free(fitted);
        bestdag_table_free(t);
        bestdag_network_free(net);
    }
}

static void likelihoods_are_sums_of_densities(void **state)
{
    struct bestdag_run *run = *state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct bestdag_network *net =
            mixed_random(run, (struct mixed_shape){seed, 7, 3, 0.6, 0});
        struct bestdag_table *t = mixed_table(run, net, 50, seed);
        double sum = 0;
        for (int64_t r = 0; r < 50; r++) {
            int code[MIXED_MOST] = {0};
            double value[MIXED_MOST] = {0};
            for (int v = 0; v < 7; v++)
                if (net->variable[v].is_number)
                    value[v] = ((const double *)t->column[v].cells)[r];
                else
                    code[v] = bestdag_column_code(&t->column[v], r);
            sum += mixed_log_density(net, code, value);
        }
        struct bestdag_json *j =
            must_parse(run, bestdag_network_evaluate(run, net, t, NULL));
        assert_near(number_at(j, "log_likelihood", NULL, NULL), sum,
                    1e-8 * fabs(sum));
        bestdag_json_free(j);
        bestdag_table_free(t);
        bestdag_network_free(net);
    }
}

/* A copy of a table in which some cells are missing. */
static struct bestdag_table *with_holes(struct bestdag_run *run,
                                        const struct bestdag_network *net,
                                        const struct bestdag_table *t,
                                        uint64_t seed)
{
    struct bestdag_random random = bestdag_random_init(seed, 3);
    struct bestdag_table *to = bestdag_table_new(run, t->rows);
    for (int v = 0; v < net->dag->n; v++) {
        const struct bestdag_variable *x = &net->variable[v];
        double number[64];
        int code[64];
        for (int64_t r = 0; r < t->rows; r++) {
            bool is_hole = bestdag_random_below(&random, 3) == 0;
            if (x->is_number)
                number[r] =
                    is_hole ? NAN : ((const double *)t->column[v].cells)[r];
            else
                code[r] = is_hole ? -1 : bestdag_column_code(&t->column[v], r);
        }
        if (x->is_number)
            bestdag_table_add_numbers(run, to, x->name, number);
        else
            bestdag_table_add_codes(run, to, x->name, code, 4, x->states,
                                    (const char *const *)x->labels);
    }
    return to;
}

/* "| v0=l1, v3=1.25" of what a row has, but the target. */
static void describe_row(const struct bestdag_network *net,
                         const struct bestdag_table *t, int64_t r, int target,
                         char *to, size_t size)
{
    size_t n = (size_t)snprintf(to, size, "%s | ",
                                target < 0 ? "" : net->variable[target].name);
    const char *between = "";
    for (int v = 0; v < net->dag->n; v++) {
        const struct bestdag_variable *x = &net->variable[v];
        double value = x->is_number ? ((const double *)t->column[v].cells)[r]
                                    : bestdag_column_code(&t->column[v], r);
        if (v == target || isnan(value) || (!x->is_number && value < 0))
            continue;
        n += (size_t)(x->is_number
                          ? snprintf(to + n, size - n, "%s%s=%.17g", between,
                                     x->name, value)
                          : snprintf(to + n, size - n, "%s%s=%s", between,
                                     x->name, x->labels[(int)value]));
        between = ", ";
    }
}

static void rows_are_queries_of_their_cells(void **state)
{
    struct bestdag_run *run = *state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        struct bestdag_network *net =
            mixed_random(run, (struct mixed_shape){seed, 6, 2, 0.6, 0});
        struct bestdag_table *all = mixed_table(run, net, 20, seed);
        struct bestdag_table *t = with_holes(run, net, all, seed);
        int target = (int)(seed % 6);
        const struct bestdag_variable *x = &net->variable[target];
        struct bestdag_table *answers =
            bestdag_network_query_table(run, net, x->name, t, NULL);
        if (!answers)
            fail_msg("seed %d: %s", (int)seed, bestdag_run_error(run));
        double sum = 0;
        for (int64_t r = 0; r < 20; r++) {
            char text[1024];
            describe_row(net, t, r, target, text, sizeof text);
            struct bestdag_json *j =
                must_parse(run, bestdag_network_query(run, net, text, NULL));
            double want = x->is_number
                              ? number_at(j, "numbers", x->name, "mean")
                              : number_at(j, "marginals", x->name, "l0");
            assert_near(((const double *)answers->column[1].cells)[r], want,
                        1e-9 * (1 + fabs(want)));
            bestdag_json_free(j);
            describe_row(net, t, r, -1, text, sizeof text);
            j = must_parse(run, bestdag_network_query(run, net, text, NULL));
            double ln = number_at(j, "log_evidence_density", NULL, NULL);
            sum += isnan(ln)
                       ? number_at(j, "log_evidence_probability", NULL, NULL)
                       : ln;
            bestdag_json_free(j);
        }
        /* The likelihood of a table with holes is that of what is there. */
        struct bestdag_json *j =
            must_parse(run, bestdag_network_evaluate(run, net, t, NULL));
        assert_near(number_at(j, "log_likelihood", NULL, NULL), sum,
                    1e-7 * fabs(sum));
        bestdag_json_free(j);
        bestdag_table_free(answers);
        bestdag_table_free(t);
        bestdag_table_free(all);
        bestdag_network_free(net);
    }
}

static void holes_are_filled_with_their_means(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net =
        mixed_random(run, (struct mixed_shape){5, 6, 3, 1, 0});
    struct bestdag_table *all = mixed_table(run, net, 20, 5);
    struct bestdag_table *t = with_holes(run, net, all, 5);
    struct bestdag_table *filled = bestdag_network_impute(run, net, t, NULL);
    assert_non_null(filled);
    int holes = 0;
    for (int64_t r = 0; r < 20; r++)
        for (int v = 0; v < 6; v++) {
            double was = ((const double *)t->column[v].cells)[r];
            double is = ((const double *)filled->column[v].cells)[r];
            char text[1024];
            if (!isnan(was)) {
                assert_true(was == is);
                continue;
            }
            describe_row(net, t, r, v, text, sizeof text);
            struct bestdag_json *j =
                must_parse(run, bestdag_network_query(run, net, text, NULL));
            assert_near(is,
                        number_at(j, "numbers", net->variable[v].name, "mean"),
                        1e-8 * (1 + fabs(is)));
            bestdag_json_free(j);
            holes++;
        }
    assert_true(holes > 20);
    bestdag_table_free(filled);
    bestdag_table_free(t);
    bestdag_table_free(all);
    bestdag_network_free(net);
}

/* Draws have the mean and the variance that the query gives. */
static void draws_have_the_moments_of_the_query(void **state)
{
    struct bestdag_run *run = *state;
    enum { TABLES = 4000 };
    struct bestdag_network *net =
        mixed_random(run, (struct mixed_shape){8, 5, 3, 1, 0});
    struct bestdag_table *t = bestdag_table_new(run, 1);
    struct bestdag_options *options = bestdag_options_new(run);
    for (int v = 0; v < 5; v++)
        bestdag_table_add_numbers(run, t, net->variable[v].name,
                                  (double[]){v == 2 ? 1.5 : NAN});
    bestdag_options_set(run, options, "tables", "4000");
    struct bestdag_table *drawn = bestdag_network_impute(run, net, t, options);
    assert_non_null(drawn);
    assert_int_equal(drawn->rows, TABLES);
    struct bestdag_options *joint = bestdag_options_new(run);
    bestdag_options_set(run, joint, "joint", "yes");
    struct bestdag_json *j = must_parse(
        run, bestdag_network_query(run, net, "v0, v1, v3, v4 | v2=1.5", joint));
    const int open[] = {0, 1, 3, 4};
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++) {
            const char *na = net->variable[open[a]].name;
            const char *nb = net->variable[open[b]].name;
            const double *xa = drawn->column[open[a] + 1].cells;
            const double *xb = drawn->column[open[b] + 1].cells;
            double ma = number_at(j, "numbers", na, "mean");
            double mb = number_at(j, "numbers", nb, "mean");
            double sa = number_at(j, "numbers", na, "sd");
            double sb = number_at(j, "numbers", nb, "sd"), sum = 0, mean = 0;
            for (int i = 0; i < TABLES; i++) {
                sum += (xa[i] - ma) * (xb[i] - mb) / TABLES;
                mean += xa[i] / TABLES;
            }
            assert_near(mean, ma, 5 * sa / sqrt(TABLES));
            assert_near(sum, number_at(j, "covariances", na, nb),
                        7 * sa * sb / sqrt(TABLES));
        }
    bestdag_json_free(j);
    bestdag_options_free(joint);
    bestdag_options_free(options);
    bestdag_table_free(drawn);
    bestdag_table_free(t);
    bestdag_network_free(net);
}

/* E(b | a=x, all of the adjustment set 0). */
static double adjusted_mean(struct bestdag_run *run,
                            const struct bestdag_network *net,
                            const struct bestdag_json *effect, int x)
{
    const char *b = bestdag_json_text(bestdag_json_get(effect, "effect"));
    const struct bestdag_json *set = bestdag_json_get(effect, "adjustment");
    char text[256];
    int end = snprintf(text, sizeof text, "%s | %s=%d", b,
                       bestdag_json_text(bestdag_json_get(effect, "cause")), x);
    for (int64_t i = 0; i < bestdag_json_count(set); i++)
        end += snprintf(text + end, sizeof text - (size_t)end, ", %s=0",
                        bestdag_json_text(bestdag_json_at(set, i)));
    struct bestdag_json *j =
        must_parse(run, bestdag_network_query(run, net, text, NULL));
    double mean = number_at(j, "numbers", b, "mean");
    bestdag_json_free(j);
    return mean;
}

/* The slope is the difference of two interventions, and with the adjustment set
 * that of two observations. */
static void slopes_are_differences_of_interventions(void **state)
{
    struct bestdag_run *run = *state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct bestdag_network *net =
            mixed_random(run, (struct mixed_shape){seed, 6, 3, 1, 0});
        for (int a = 0; a < 6; a++) {
            int b = (a + 1 + (int)(seed % 5)) % 6;
            double mean[2];
            for (int i = 0; i < 2; i++) {
                char text[64];
                snprintf(text, sizeof text, "v%d | do(v%d=%d)", b, a, 1 + i);
                struct bestdag_json *j = must_parse(
                    run, bestdag_network_query(run, net, text, NULL));
                mean[i] =
                    number_at(j, "numbers", net->variable[b].name, "mean");
                bestdag_json_free(j);
            }
            struct bestdag_json *j = must_parse(
                run, bestdag_network_effect(run, net, net->variable[a].name,
                                            net->variable[b].name, NULL, NULL));
            double slope = number_at(j, "slope", NULL, NULL);
            const struct bestdag_json *range = bestdag_json_get(j, "range");
            double tiny = 1e-8 * (1 + fabs(slope));
            assert_near(slope, mean[1] - mean[0], 1e-6 * (1 + fabs(slope)));
            if (bestdag_json_get(j, "adjustment")->kind == BESTDAG_JSON_ARRAY)
                assert_near(slope,
                            adjusted_mean(run, net, j, 1) -
                                adjusted_mean(run, net, j, 0),
                            1e-6 * (1 + fabs(slope)));
            assert_true(bestdag_json_number(bestdag_json_at(range, 0)) <=
                        slope + tiny);
            assert_true(bestdag_json_number(bestdag_json_at(range, 1)) >=
                        slope - tiny);
            if (bestdag_json_number(bestdag_json_get(j, "parent_sets")) == 1)
                assert_true(
                    bestdag_json_number(bestdag_json_get(j, "identified")) > 0);
            bestdag_json_free(j);
        }
        bestdag_network_free(net);
    }
}

/* x -> y, sd of x 1, slope 2, noise 1: turned round there is no effect. */
static void ranges_are_over_the_class(void **state)
{
    struct bestdag_run *run = *state;
    const char *const names[] = {"x", "y", "z"};
    struct bestdag_network *net = bestdag_network_build(run, 3, names);
    for (int v = 0; v < 3; v++)
        bestdag_network_set_number(run, net, v);
    bestdag_network_set_parents(run, net, 1, (int[]){0}, 1);
    bestdag_network_set_parents(run, net, 2, (int[]){1}, 1);
    bestdag_network_set_regression(run, net, 0, (double[]){0, 1}, 2);
    bestdag_network_set_regression(run, net, 1, (double[]){0, 2, 1}, 3);
    bestdag_network_set_regression(run, net, 2, (double[]){0, 3, 1}, 3);
    struct bestdag_json *j =
        must_parse(run, bestdag_network_effect(run, net, "y", "z", NULL, NULL));
    const struct bestdag_json *range = bestdag_json_get(j, "range");
    assert_near(number_at(j, "slope", NULL, NULL), 3, 1e-12);
    assert_near(bestdag_json_number(bestdag_json_at(range, 0)), 0, 1e-9);
    assert_near(bestdag_json_number(bestdag_json_at(range, 1)), 3, 1e-9);
    bestdag_json_free(j);
    bestdag_network_free(net);
}

/* In a mixed network arcs from states to numbers have one direction: all
 * networks of the class that obey this, by turning arcs. */
static void classes_keep_numbers_from_being_parents_of_states(void **state)
{
    struct bestdag_run *run = *state;
    const char *const names[] = {"c", "x", "d"};
    static const char *const labels[] = {"0", "1"};
    struct bestdag_network *net = bestdag_network_build(run, 3, names);
    bestdag_network_set_states(run, net, 0, 2, labels);
    bestdag_network_set_states(run, net, 2, 2, labels);
    bestdag_network_set_number(run, net, 1);
    bestdag_network_set_parents(run, net, 1, (int[]){0}, 1);
    bestdag_network_set_parents(run, net, 2, (int[]){0}, 1);
    struct bestdag_json *j = must_parse(run, bestdag_network_class(run, net));
    assert_int_equal(bestdag_json_count(bestdag_json_get(j, "compelled")), 1);
    assert_int_equal(bestdag_json_count(bestdag_json_get(j, "reversible")), 1);
    const struct bestdag_json *arc =
        bestdag_json_at(bestdag_json_get(j, "compelled"), 0);
    assert_string_equal(bestdag_json_text(bestdag_json_at(arc, 0)), "c");
    assert_string_equal(bestdag_json_text(bestdag_json_at(arc, 1)), "x");
    bestdag_json_free(j);
    bestdag_network_free(net);
}

/* An orientation of all pairs: bit i turns arc i of the network round. */
struct turning {
    const struct bestdag_network *net;
    int from[32], to[32], arcs;
    bool has[MIXED_MOST][MIXED_MOST];
};

static bool is_acyclic(const struct turning *t)
{
    int n = t->net->dag->n, left = n;
    bool gone[MIXED_MOST] = {false};
    for (bool found = true; found && left;) {
        found = false;
        for (int v = 0; v < n; v++) {
            bool is_source = !gone[v];
            for (int u = 0; u < n; u++)
                is_source &= gone[u] || !t->has[u][v];
            if (is_source) {
                gone[v] = found = true;
                left--;
            }
        }
    }
    return !left;
}

static bool is_v(const struct turning *t, int a, int c, int b)
{
    return t->has[a][c] && t->has[b][c] && !t->has[a][b] && !t->has[b][a];
}

/* In the class, and no number is a parent of states? */
static bool is_in_class(const struct turning *own, const struct turning *t)
{
    int n = t->net->dag->n;
    for (int i = 0; i < t->arcs; i++) {
        bool is_own = t->has[t->from[i]][t->to[i]];
        int u = is_own ? t->from[i] : t->to[i];
        int v = is_own ? t->to[i] : t->from[i];
        if (t->net->variable[u].is_number && !t->net->variable[v].is_number)
            return false;
    }
    for (int a = 0; a < n; a++)
        for (int b = a + 1; b < n; b++)
            for (int c = 0; c < n; c++)
                if (is_v(own, a, c, b) != is_v(t, a, c, b))
                    return false;
    return is_acyclic(t);
}

static void classes_are_those_of_enumeration(void **state)
{
    struct bestdag_run *run = *state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct bestdag_network *net =
            mixed_random(run, (struct mixed_shape){seed, 6, 3, 0.4, 0});
        struct turning own = {.net = net}, t;
        int turned[32] = {0};
        for (int v = 0; v < 6; v++)
            for (int i = 0; i < net->dag->parents[v].count; i++) {
                own.from[own.arcs] = net->dag->parents[v].at[i];
                own.to[own.arcs++] = v;
                own.has[net->dag->parents[v].at[i]][v] = true;
            }
        for (uint32_t bits = 0; bits < 1u << own.arcs; bits++) {
            t = own;
            for (int i = 0; i < own.arcs; i++)
                if (bits >> i & 1) {
                    t.has[t.from[i]][t.to[i]] = false;
                    t.has[t.to[i]][t.from[i]] = true;
                }
            if (is_in_class(&own, &t))
                for (int i = 0; i < own.arcs; i++)
                    turned[i] += bits >> i & 1;
        }
        struct bestdag_json *j =
            must_parse(run, bestdag_network_class(run, net));
        int want = 0;
        for (int i = 0; i < own.arcs; i++)
            want += turned[i] > 0;
        if (bestdag_json_count(bestdag_json_get(j, "reversible")) != want)
            fail_msg("seed %d: %d reversible arcs were expected", (int)seed,
                     want);
        bestdag_json_free(j);
        bestdag_network_free(net);
    }
}

static void random_networks_have_the_share_of_numbers(void **state)
{
    struct bestdag_run *run = *state;
    static const char *const shares[] = {"0", "0.3", "1"};
    const int want[] = {0, 6, 20};
    for (int i = 0; i < 3; i++) {
        struct bestdag_options *options = bestdag_options_new(run);
        bestdag_options_set(run, options, "numbers", shares[i]);
        bestdag_options_set(run, options, "coefficients", "0.25:0.75");
        struct bestdag_network *net = bestdag_network_generate(run, options);
        assert_non_null(net);
        int numbers = 0;
        for (int v = 0; v < 20; v++) {
            const struct bestdag_variable *x = &net->variable[v];
            int terms = bestdag_network_terms(net, v);
            numbers += x->is_number;
            for (int k = 1; x->is_number && k < terms - 1; k++)
                assert_true(fabs(x->regression[k]) >= 0.25 &&
                            fabs(x->regression[k]) <= 0.75);
        }
        assert_int_equal(numbers, want[i]);
        assert_int_equal(bestdag_network_check_consistency(run, net, "x"),
                         BESTDAG_OK);
        assert_true(bestdag_network_is_fitted(net));
        bestdag_network_free(net);
        bestdag_options_free(options);
    }
}

/* What does not take numbers says so, and nothing crashes. */
static void refusals_are_clear(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net =
        mixed_random(run, (struct mixed_shape){3, 6, 2, 0.5, 0});
    struct bestdag_table *t = mixed_table(run, net, 5, 3);
    static const char *const bad[][2] = {
        {"| v0=1e999", "expected"},
        {"v9", "unknown variable"},
    };
    for (int i = 0; i < 2; i++) {
        assert_null(bestdag_network_query(run, net, bad[i][0], NULL));
        if (!strstr(bestdag_run_error(run), bad[i][1]))
            fail_msg("%s", bestdag_run_error(run));
        bestdag_run_clear(run);
    }
    assert_null(bestdag_engine_new(run, net, NULL, 0, NULL));
    bestdag_run_clear(run);
    double p[64];
    assert_int_not_equal(bestdag_network_joint(run, net, (int[]){0}, 1, p, 2),
                         BESTDAG_OK);
    bestdag_run_clear(run);
    assert_null(bestdag_classifier_predict(run, net, t, NULL));
    bestdag_run_clear(run);
    bestdag_table_free(t);
    bestdag_network_free(net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(samples_are_of_the_network, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(likelihoods_are_sums_of_densities,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(rows_are_queries_of_their_cells, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(holes_are_filled_with_their_means,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(draws_have_the_moments_of_the_query,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(slopes_are_differences_of_interventions,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(ranges_are_over_the_class, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(
            classes_keep_numbers_from_being_parents_of_states, setup, teardown),
        cmocka_unit_test_setup_teardown(classes_are_those_of_enumeration, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(
            random_networks_have_the_share_of_numbers, setup, teardown),
        cmocka_unit_test_setup_teardown(refusals_are_clear, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
