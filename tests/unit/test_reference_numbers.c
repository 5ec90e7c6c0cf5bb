/* SPDX-License-Identifier: MIT */
/* test_reference_numbers.c -- scores and regressions of numbers and mixed
 * tables against values of bnlearn, and against textbook values where bnlearn
 * divides by the rows less the coefficients ($BESTDAG_DATA/references). */
#include "references.h"

#include "base/json.h"
#include "network/regression.h"

static int setup(void **state)
{
    if (!getenv("BESTDAG_DATA"))
        print_message("skipped: BESTDAG_DATA is not set\n");
    *state = bestdag_run_new();
    return !*state;
}

static int teardown(void **state)
{
    bestdag_run_free(*state);
    return 0;
}

static const char *text_of(const struct bestdag_json *row, const char *key)
{
    return bestdag_json_text(bestdag_json_get(row, key));
}

static double number_of(const struct bestdag_json *row, const char *key)
{
    return bestdag_json_number(bestdag_json_get(row, key));
}

static bool is_mixed(const struct bestdag_json *row)
{
    return !strcmp(text_of(row, "table"), "mixed.csv");
}

/* tables[0] holds numbers, tables[1] states and numbers. */
static void read_tables(struct bestdag_run *run,
                        struct bestdag_table *tables[2])
{
    static const char *const names[] = {"gauss.csv", "mixed.csv"};
    for (int i = 0; i < 2; i++) {
        char path[512];
        tables[i] =
            bestdag_table_read(run, references_path(path, names[i]), NULL);
        if (!tables[i])
            fail_msg("%s", bestdag_run_error(run));
        for (int v = 0; v < tables[i]->columns; v++)
            assert_int_equal(tables[i]->column[v].kind,
                             i && v < 3 ? BESTDAG_CODES : BESTDAG_NUMBERS);
    }
}

static void free_tables(struct bestdag_table *tables[2])
{
    bestdag_table_free(tables[0]);
    bestdag_table_free(tables[1]);
}

static void assert_near(double have, double want, double within,
                        const char *what, const struct bestdag_json *row)
{
    if (!(fabs(have - want) <= within))
        fail_msg("%s of %s: %.15g is not %.15g", what,
                 text_of(row, "modelstring"), have, want);
}

static void assert_score(struct bestdag_run *run, struct bestdag_table *t,
                         const char *score, const struct bestdag_json *row,
                         double want)
{
    struct bestdag_options *options = bestdag_options_new(run);
    struct bestdag_scorer *s =
        bestdag_scorer_of(run, t, bestdag_score_find(score), options);
    struct bestdag_network *net = references_structure(run, row);
    assert_non_null(s);
    assert_near(references_score(run, s, t, net), want, 1e-8, score, row);
    bestdag_network_free(net);
    bestdag_scorer_free(s);
    bestdag_options_free(options);
}

static void likelihoods_are_the_textbook_ones(void **state)
{
    static const struct {
        const char *score[2], *key;
    } kinds[] = {{{"ll-g", "ll-cg"}, "loglik_ml_sd"},
                 {{"aic-g", "aic-cg"}, "aic_ml_sd"},
                 {{"bic-g", "bic-cg"}, "bic_ml_sd"}};
    struct bestdag_run *run = *state;
    struct bestdag_table *tables[2];
    struct bestdag_json *json = references_read(run, "gaussian.json");
    const struct bestdag_json *list = bestdag_json_get(json, "textbook");
    read_tables(run, tables);
    assert_int_equal(bestdag_json_count(list), 16);
    for (int64_t i = 0; i < 16; i++)
        for (int k = 0; k < 3; k++) {
            const struct bestdag_json *row = bestdag_json_at(list, i);
            bool mixed = is_mixed(row);
            double want = number_of(row, kinds[k].key);
            assert_score(run, tables[mixed], kinds[k].score[mixed], row, want);
            if (!mixed) /* a table of numbers is a mixed table, too */
                assert_score(run, tables[0], kinds[k].score[1], row, want);
        }
    free_tables(tables);
    bestdag_json_free(json);
}

/* Our prior mean is at the means of the table, bnlearn's default. */
static void bge_is_that_of_bnlearn(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_table *tables[2];
    struct bestdag_json *json = references_read(run, "gaussian.json");
    const struct bestdag_json *list = bestdag_json_get(json, "scores");
    int looked_at = 0;
    read_tables(run, tables);
    for (int64_t i = 0; i < bestdag_json_count(list); i++) {
        const struct bestdag_json *row = bestdag_json_at(list, i);
        const struct bestdag_json *how = bestdag_json_get(row, "parameters");
        if (strcmp(text_of(row, "score"), "bge") != 0 ||
            !bestdag_json_get(how, "default")->number)
            continue;
        assert_score(run, tables[0], "bge", row, number_of(row, "value"));
        looked_at++;
    }
    assert_int_equal(looked_at, 8);
    free_tables(tables);
    bestdag_json_free(json);
}

/* ---- fitted networks -----------------------------------------------------
 */

/* The place of a row among the configurations of v's parents with states. */
static int64_t configuration(const struct bestdag_network *net, int v,
                             const struct bestdag_json *states)
{
    const struct bestdag_parents *p = &net->dag->parents[v];
    int64_t at = 0;
    for (int i = 0; i < p->count; i++) {
        const struct bestdag_variable *u = &net->variable[p->at[i]];
        if (u->is_number)
            continue;
        int state = bestdag_variable_state(u, text_of(states, u->name));
        assert_true(state >= 0);
        at = at * u->states + state;
    }
    return at;
}

/* Coefficients are the same; the deviation divides by the rows. */
static void assert_regression(const struct bestdag_network *net, int v,
                              int64_t at, const struct bestdag_json *want,
                              const struct bestdag_json *row)
{
    const struct bestdag_variable *x = &net->variable[v];
    const struct bestdag_json *slopes = bestdag_json_get(want, "coefficients");
    int parents[16], k = bestdag_network_numeric_parents(net, v, parents);
    const double *term = x->regression + at * (k + 2);
    double rows = (double)x->counts[at];
    assert_int_equal(bestdag_json_count(slopes), k + 1);
    assert_near(term[0], number_of(slopes, "(Intercept)"), 1e-9, x->name, row);
    for (int i = 0; i < k; i++)
        assert_near(term[i + 1],
                    number_of(slopes, net->variable[parents[i]].name), 1e-9,
                    x->name, row);
    assert_near(term[k + 1] * sqrt(rows / (rows - k - 1)),
                number_of(want, "sd"), 1e-9, x->name, row);
}

static void assert_probability(const struct bestdag_network *net, int v,
                               const struct bestdag_json *want,
                               const struct bestdag_json *row)
{
    const struct bestdag_variable *x = &net->variable[v];
    int state = bestdag_variable_state(x, text_of(want, x->name));
    int64_t at = configuration(net, v, want);
    assert_true(state >= 0);
    assert_near(x->table[at * x->states + state], number_of(want, "p"), 1e-12,
                x->name, row);
}

static void assert_variable(const struct bestdag_network *net, int v,
                            const struct bestdag_json *row)
{
    const struct bestdag_variable *x = &net->variable[v];
    const struct bestdag_json *node =
        bestdag_json_get(bestdag_json_get(row, "nodes"), x->name);
    const struct bestdag_json *list =
        bestdag_json_get(node, x->is_number ? "regressions" : "probabilities");
    int64_t count = bestdag_network_configurations(net, v);
    if (x->is_number && !list) { /* no parents with states */
        assert_int_equal(count, 1);
        assert_regression(net, v, 0, node, row);
        return;
    }
    assert_int_equal(bestdag_json_count(list),
                     x->is_number ? count : count * x->states);
    for (int64_t i = 0; i < bestdag_json_count(list); i++) {
        const struct bestdag_json *want = bestdag_json_at(list, i);
        if (x->is_number)
            assert_regression(
                net, v, configuration(net, v, bestdag_json_get(want, "config")),
                want, row);
        else
            assert_probability(net, v, want, row);
    }
}

static void fitted_networks_are_those_of_bnlearn(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_table *tables[2];
    struct bestdag_json *json = references_read(run, "gaussian.json");
    const struct bestdag_json *list = bestdag_json_get(json, "fitted");
    struct bestdag_options *options = bestdag_options_new(run);
    bestdag_options_set(run, options, "fit.ess", "0");
    read_tables(run, tables);
    assert_int_equal(bestdag_json_count(list), 2);
    for (int64_t i = 0; i < 2; i++) {
        const struct bestdag_json *row = bestdag_json_at(list, i);
        struct bestdag_network *bare = references_structure(run, row);
        struct bestdag_network *net =
            bestdag_network_fit(run, bare, tables[is_mixed(row)], options);
        if (!net)
            fail_msg("%s", bestdag_run_error(run));
        for (int v = 0; v < net->dag->n; v++)
            assert_variable(net, v, row);
        bestdag_network_free(net);
        bestdag_network_free(bare);
    }
    free_tables(tables);
    bestdag_options_free(options);
    bestdag_json_free(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(likelihoods_are_the_textbook_ones),
        cmocka_unit_test(bge_is_that_of_bnlearn),
        cmocka_unit_test(fitted_networks_are_those_of_bnlearn),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
