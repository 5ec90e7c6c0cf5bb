/* SPDX-License-Identifier: MIT */
/* test_reference_queries.c -- inference against what other programs computed
 * ($BESTDAG_DATA/references), and its two exact methods against each other on
 * networks of hundreds of variables. */
#include "nets.h"

#include "base/stream.h"
#include "inference/engine.h"
#include "inference/joint.h"

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

static struct bestdag_network *read_network(struct bestdag_run *run,
                                            const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/networks/%s", getenv("BESTDAG_DATA"), name);
    struct bestdag_network *net = bestdag_network_read(run, path);
    if (!net)
        fail_msg("%s", bestdag_run_error(run));
    return net;
}

static struct bestdag_json *read_json(struct bestdag_run *run, const char *name)
{
    char path[4096];
    struct bestdag_file file = {0};
    snprintf(path, sizeof path, "%s/references/%s", getenv("BESTDAG_DATA"),
             name);
    assert_int_equal(bestdag_file_read(run, path, &file), BESTDAG_OK);
    struct bestdag_json *json = bestdag_json_parse(run, &file);
    bestdag_free(file.bytes);
    assert_non_null(json);
    return json;
}

/* Names and labels of a JSON object: evidence, or what is done. */
static void apply(struct bestdag_run *run, struct bestdag_session *s,
                  const struct bestdag_network *net,
                  const struct bestdag_json *what, bool by_force)
{
    for (int64_t i = 0; i < bestdag_json_count(what); i++) {
        int v = bestdag_network_search(net, bestdag_json_key(what, i));
        int state = bestdag_variable_state(
            &net->variable[v], bestdag_json_text(bestdag_json_at(what, i)));
        assert_true(v >= 0 && state >= 0);
        if (by_force)
            bestdag_session_intervene(run, s, v, state);
        else
            bestdag_session_observe(run, s, v, state);
    }
}

static void check_marginals(struct bestdag_run *run, struct bestdag_session *s,
                            const struct bestdag_network *net,
                            const struct bestdag_json *marginals)
{
    double p[64];
    for (int64_t i = 0; i < bestdag_json_count(marginals); i++) {
        const struct bestdag_json *want = bestdag_json_at(marginals, i);
        int v = bestdag_network_search(net, bestdag_json_key(marginals, i));
        const struct bestdag_variable *x = &net->variable[v];
        assert_int_equal(bestdag_session_marginal(run, s, v, p, x->states),
                         BESTDAG_OK);
        assert_int_equal(bestdag_json_count(want), x->states);
        for (int k = 0; k < x->states; k++) {
            double w =
                bestdag_json_number(bestdag_json_get(want, x->labels[k]));
            if (!(fabs(p[k] - w) < 1e-7))
                fail_msg("%s=%s: %.12g is not %.12g", x->name, x->labels[k],
                         p[k], w);
        }
    }
}

static void check_joint(struct bestdag_run *run, struct bestdag_session *s,
                        const struct bestdag_network *net,
                        const struct bestdag_json *targets,
                        const struct bestdag_json *joint)
{
    int variables[8], count = (int)bestdag_json_count(targets);
    double p[64];
    if (!bestdag_json_count(joint))
        return;
    for (int i = 0; i < count; i++)
        variables[i] = bestdag_network_search(
            net, bestdag_json_text(bestdag_json_at(targets, i)));
    assert_int_equal(bestdag_session_joint(run, s, variables, count, p,
                                           bestdag_json_count(joint)),
                     BESTDAG_OK);
    for (int64_t i = 0; i < bestdag_json_count(joint); i++)
        assert_true(
            fabs(p[i] - bestdag_json_number(bestdag_json_at(joint, i))) < 1e-7);
}

static void check_best(struct bestdag_run *run, struct bestdag_session *s,
                       const struct bestdag_network *net,
                       const struct bestdag_json *query)
{
    int n = net->dag->n, *states = malloc(2 * (size_t)n * sizeof *states);
    double ln[2];
    assert_int_equal(bestdag_session_explain(run, s, NULL, n, 2, states, ln),
                     2);
    double most = bestdag_json_number(bestdag_json_get(query, "ln_max"));
    double second = bestdag_json_number(bestdag_json_get(query, "ln_second"));
    assert_true(fabs(ln[0] - most) < 1e-6);
    assert_true(fabs(ln[1] - second) < 1e-6);
    free(states);
}

static void queries_have_the_answers_of_another_program(void **state)
{
    struct bestdag_run *run = *state;
    if (!getenv("BESTDAG_DATA"))
        skip();
    struct bestdag_json *json = read_json(run, "queries.json.gz");
    const struct bestdag_json *queries = bestdag_json_get(json, "queries");
    struct bestdag_network *net = NULL;
    struct bestdag_engine *engine = NULL;
    struct bestdag_session *s = NULL;
    char last[64] = "", file[80];
    assert_int_equal(bestdag_json_count(queries), 480);
    for (int64_t i = 0; i < 480; i++) {
        const struct bestdag_json *q = bestdag_json_at(queries, i);
        const char *name = bestdag_json_text(bestdag_json_get(q, "network"));
        if (strcmp(last, name) != 0) {
            bestdag_session_free(s);
            bestdag_engine_free(engine);
            bestdag_network_free(net);
            snprintf(last, sizeof last, "%s", name);
            snprintf(file, sizeof file, "%s.bif", name);
            net = read_network(run, file);
            engine = bestdag_engine_new(run, net, NULL, 0, NULL);
            s = bestdag_session_new(run, engine);
        }
        bestdag_session_clear(s);
        apply(run, s, net, bestdag_json_get(q, "evidence"), false);
        apply(run, s, net, bestdag_json_get(q, "do"), true);
        const struct bestdag_json *ln = bestdag_json_get(q, "ln_evidence");
        if (ln && !(fabs(bestdag_session_evidence(run, s) -
                         bestdag_json_number(ln)) < 1e-6))
            fail_msg("query %lld: ln P(evidence) is not %.12g", (long long)i,
                     bestdag_json_number(ln));
        check_marginals(run, s, net, bestdag_json_get(q, "marginals"));
        check_joint(run, s, net, bestdag_json_get(q, "targets"),
                    bestdag_json_get(q, "joint"));
        if (bestdag_json_get(q, "ln_max"))
            check_best(run, s, net, q);
    }
    bestdag_session_free(s);
    bestdag_engine_free(engine);
    bestdag_network_free(net);
    bestdag_json_free(json);
}

/* Junction tree against elimination, on evidence that was drawn. */
static void compare_methods(struct bestdag_run *run, const char *file)
{
    struct bestdag_network *net = read_network(run, file);
    struct bestdag_engine *engine = bestdag_engine_new(run, net, NULL, 0, NULL);
    struct bestdag_session *s = bestdag_session_new(run, engine);
    struct bestdag_joint *joint = bestdag_joint_new(run, net, true);
    struct bestdag_table *row = bestdag_network_sample(run, net, 1);
    struct bestdag_random random = bestdag_random_init(1, 1);
    int compared = 0, n = net->dag->n;
    for (int v = 0; v < n; v++) {
        int code;
        bestdag_table_codes(row, v, 0, 1, &code);
        if (bestdag_random_below(&random, 50) == 0)
            bestdag_session_observe(run, s, v, code);
    }
    assert_true(bestdag_session_evidence(run, s) > -INFINITY);
    for (int i = 0; i < 200 && compared < 20; i++) {
        int v = (int)bestdag_random_below(&random, (uint64_t)n);
        int states = net->variable[v].states;
        struct bestdag_reduction r;
        double got[256], want[256], ln;
        assert_int_equal(bestdag_session_marginal(run, s, v, got, states),
                         BESTDAG_OK);
        assert_string_equal(bestdag_session_method(s), "junction tree");
        bestdag_joint_plan(run, joint, bestdag_session_known(s), true, &v, 1,
                           &r);
        bool fits = !bestdag_run_status(run) && r.work < 1e8;
        bestdag_run_clear(run);
        if (fits)
            bestdag_joint_finish(run, &r, want, states, &ln);
        bestdag_reduction_release(&r);
        for (int k = 0; fits && k < states; k++)
            if (!(fabs(got[k] - want[k]) < 1e-6)) /* rows sum to 1 so far */
                fail_msg("%s, %s: %.12g is not %.12g", file,
                         net->variable[v].name, got[k], want[k]);
        compared += fits;
    }
    print_message("%s: %d targets\n", file, compared);
    assert_true(compared > 0);
    bestdag_table_free(row);
    bestdag_joint_free(joint);
    bestdag_session_free(s);
    bestdag_engine_free(engine);
    bestdag_network_free(net);
}

static void the_tree_equals_elimination_on_large_networks(void **state)
{
    static const char *const files[] = {"andes.bif", "pigs.bif", "link.bif",
                                        "munin.bif.gz", "diabetes.bif.gz"};
    if (!getenv("BESTDAG_DATA"))
        skip();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        compare_methods(*state, files[i]);
}

/* Total table sizes: at most the median of the best heuristic of the reference,
 * which has three of ours. */
static void tables_are_as_small_as_those_of_another_program(void **state)
{
    struct bestdag_run *run = *state;
    static const struct {
        const char *file;
        double total; /* least median of 20 tries in cliques.csv */
    } rows[] = {{"asia.bif", 40},         {"child.bif", 678},
                {"insurance.bif", 46872}, {"alarm.bif", 1065},
                {"hailfinder.bif", 9775}, {"win95pts.bif", 2684},
                {"water.bif", 3657180},   {"andes.bif", 389854},
                {"pigs.bif", 709830},     {"munin.bif.gz", 16682266}};
    if (!getenv("BESTDAG_DATA"))
        skip();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct bestdag_network *net = read_network(run, rows[i].file);
        struct bestdag_engine *engine =
            bestdag_engine_new(run, net, NULL, 0, NULL);
        char *text = bestdag_engine_describe(run, engine);
        struct bestdag_json *json = bestdag_json_read(run, text);
        double total =
            bestdag_json_number(bestdag_json_get(json, "total_table_size"));
        if (!(total <= rows[i].total))
            fail_msg("%s: %.0f", rows[i].file, total);
        bestdag_json_free(json);
        bestdag_text_free(text);
        bestdag_engine_free(engine);
        bestdag_network_free(net);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            queries_have_the_answers_of_another_program, setup, teardown),
        cmocka_unit_test_setup_teardown(
            the_tree_equals_elimination_on_large_networks, setup, teardown),
        cmocka_unit_test_setup_teardown(
            tables_are_as_small_as_those_of_another_program, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
