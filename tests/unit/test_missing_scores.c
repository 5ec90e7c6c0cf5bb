/* SPDX-License-Identifier: MIT */
/* test_missing_scores.c -- learning from tables with holes: pnal against slow
 * counting and another program's values, optima against all networks, EM
 * against values that were run to convergence. */
#include "references.h"

#include "models/holes/em.h"
#include "scores/score.h"

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

/* Node-average log-likelihood less k / N a free parameter, or k over the rows
 * that have the family, by passes over the rows. */
static double slow_pnal(const struct bestdag_table *t, int child,
                        const int *parents, int count, double k,
                        bool is_by_rows)
{
    double q = 1, have = 0, sum = 0, all = 0;
    for (int i = 0; i < count; i++)
        q *= t->column[parents[i]].states;
    for (int64_t r = 0; r < t->rows; r++)
        all += t->weights ? t->weights[r] : 1;
    for (int64_t r = 0; r < t->rows; r++) {
        double same = 0, group = 0, w = t->weights ? t->weights[r] : 1;
        bool is_there = bestdag_column_code(&t->column[child], r) >= 0;
        for (int i = 0; i < count; i++)
            is_there =
                is_there && bestdag_column_code(&t->column[parents[i]], r) >= 0;
        if (!is_there || w == 0)
            continue;
        for (int64_t o = 0; o < t->rows; o++) {
            bool is_same = bestdag_column_code(&t->column[child], o) >= 0;
            for (int i = 0; i < count; i++)
                is_same = is_same &&
                          bestdag_column_code(&t->column[parents[i]], o) ==
                              bestdag_column_code(&t->column[parents[i]], r);
            double weight = t->weights ? t->weights[o] : 1;
            group += is_same ? weight : 0;
            same += is_same && bestdag_column_code(&t->column[child], o) ==
                                   bestdag_column_code(&t->column[child], r)
                        ? weight
                        : 0;
        }
        have += w;
        sum += w * log(same / group);
    }
    return sum / have -
           k / (is_by_rows ? have : all) * (t->column[child].states - 1) * q;
}

static struct bestdag_options *with(struct bestdag_run *run, const char *key,
                                    const char *value)
{
    struct bestdag_options *options = bestdag_options_new(run);
    bestdag_options_set(run, options, key, value);
    return options;
}

static void pnal_is_the_average_of_the_rows_that_have_a_family(void **state)
{
    struct bestdag_run *run = *state;
    for (uint64_t seed = 0; seed < 10; seed++) {
        struct bestdag_network *net =
            nets_random(run, (struct shape){.seed = seed,
                                            .n = 6,
                                            .least_states = 2,
                                            .most_states = 4,
                                            .most_parents = 2});
        struct bestdag_table *t = nets_table(run, net, 80, 0.15, seed);
        for (int64_t r = 0; r < 80 && seed % 2; r++) {
            if (!t->weights)
                t->weights = bestdag_calloc(run, 80, sizeof *t->weights);
            t->weights[r] = (int32_t)(r % 3);
            t->total += t->weights[r] - (r ? 0 : t->total);
        }
        bool is_by_rows = seed > 5;
        struct bestdag_options *options =
            with(run, "pnal-penalty", is_by_rows ? "rows" : "1.5");
        double k = is_by_rows ? log((double)t->total) / 2 : 1.5;
        struct bestdag_scorer *s =
            bestdag_scorer_of(run, t, bestdag_score_find("pnal"), options);
        assert_non_null(s);
        struct bestdag_scorer_scratch *scratch =
            bestdag_scorer_scratch_new(run, s);
        static const int sets[][3] = {
            {1, 2, 3}, {3, 1, 2}, {1, 2, 4}, {5, 4, 3}};
        for (int i = 0; i < 4; i++)
            for (int count = 0; count <= 3; count++) {
                struct bestdag_family f;
                double exact,
                    want = slow_pnal(t, 0, sets[i], count, k, is_by_rows);
                bestdag_scorer_family(s, scratch, 0, sets[i], count, &f);
                bestdag_scorer_exact(run, s, 0, sets[i], count, &exact);
                if (!(fabs(bestdag_scorer_nats(s, f.score) - want) < 1e-8 &&
                      fabs(exact - want) < 1e-12))
                    fail_msg("seed %d: %.15g, %.15g is not %.15g", (int)seed,
                             bestdag_scorer_nats(s, f.score), exact, want);
                assert_true(f.likelihood <= 0);
            }
        bestdag_scorer_scratch_free(scratch);
        bestdag_scorer_free(s);
        bestdag_options_free(options);
        bestdag_table_free(t);
        bestdag_network_free(net);
    }
}

/* ---- optima ----------------------------------------------------------------
 */

/* The best score over all orders and subsets, by dynamic programming over
 * subsets with slow scores of a function. */
struct slow_best {
    const struct bestdag_scorer *scorer;
    struct bestdag_run *run;
    int n;
};

static double best_network(struct slow_best *b)
{
    static double total[256];
    int n = b->n;
    struct bestdag_scorer_scratch *scratch =
        bestdag_scorer_scratch_new(b->run, b->scorer);
    static double family[8][256];
    for (int v = 0; v < n; v++)
        for (int set = 0; set < 1 << n; set++) {
            int parents[8], count = 0;
            struct bestdag_family f;
            if (set >> v & 1)
                continue;
            for (int u = 0; u < n; u++)
                if (set >> u & 1)
                    parents[count++] = u;
            bestdag_scorer_family(b->scorer, scratch, v, parents, count, &f);
            family[v][set] = bestdag_scorer_nats(b->scorer, f.score);
        }
    bestdag_scorer_scratch_free(scratch);
    for (int v = 0; v < n; v++) /* the best subset */
        for (int set = 0; set < 1 << n; set++)
            for (int u = 0; u < n && !(set >> v & 1); u++)
                if (set >> u & 1)
                    family[v][set] =
                        fmax(family[v][set], family[v][set & ~(1 << u)]);
    total[0] = 0;
    for (int set = 1; set < 1 << n; set++) {
        total[set] = -INFINITY;
        for (int v = 0; v < n; v++)
            if (set >> v & 1)
                total[set] = fmax(total[set], total[set & ~(1 << v)] +
                                                  family[v][set & ~(1 << v)]);
    }
    return total[(1 << n) - 1];
}

static void available_finds_the_optimum(void **state)
{
    struct bestdag_run *run = *state;
    static const char *const penalties[] = {"bic", "aic", "0.01", "rate",
                                            "rows"};
    for (uint64_t seed = 0; seed < 20; seed++) {
        struct bestdag_network *net =
            nets_random(run, (struct shape){.seed = seed,
                                            .n = 7,
                                            .least_states = 2,
                                            .most_states = 3,
                                            .most_parents = 2});
        struct bestdag_table *t =
            nets_table(run, net, 60, seed % 3 ? 0.2 : 0.5, seed);
        struct bestdag_options *options =
            with(run, "pnal-penalty", penalties[seed % 5]);
        assert_int_equal(bestdag_table_complete(run, t, "available"),
                         BESTDAG_OK);
        struct bestdag_scorer *s = bestdag_scorer_new(run, t, options);
        assert_non_null(s);
        assert_string_equal(s->type->name, "pnal");
        struct slow_best slow = {.scorer = s, .run = run, .n = 7};
        double want = best_network(&slow);
        struct bestdag_result *r = bestdag_learn(run, t, NULL, options);
        assert_non_null(r);
        if (strcmp(bestdag_result_text(r, "status"), "optimal") != 0 ||
            !(fabs(bestdag_result_number(r, "score") - want) < 1e-8))
            fail_msg("seed %d: %s, %.12g is not %.12g", (int)seed,
                     bestdag_result_text(r, "status"),
                     bestdag_result_number(r, "score"), want);
        bestdag_result_free(r);
        bestdag_scorer_free(s);
        bestdag_options_free(options);
        bestdag_table_free(t);
        bestdag_network_free(net);
    }
}

/* ---- structural EM ---------------------------------------------------------
 */

static void structural_em_ends_where_it_is_proved(void **state)
{
    struct bestdag_run *run = *state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        struct bestdag_network *net =
            nets_random(run, (struct shape){.seed = seed,
                                            .n = 6,
                                            .least_states = 2,
                                            .most_states = 3,
                                            .most_parents = 2});
        struct bestdag_table *t = bestdag_network_sample(run, net, 300);
        struct bestdag_random random = bestdag_random_init(seed, 4);
        assert_non_null(t);
        for (int v = 0; v < 6; v++)
            for (int64_t r = 0; r < 300; r++)
                if (bestdag_random_unit(&random) < 0.2) {
                    ((uint8_t *)t->column[v].cells)[r] = BESTDAG_MISSING_1;
                    t->column[v].missing++;
                }
        assert_int_equal(bestdag_table_complete(run, t, "em"), BESTDAG_OK);
        struct bestdag_result *r[2];
        for (int i = 0; i < 2; i++) {
            bestdag_run_set(run, "threads", i ? "2" : "1");
            r[i] = bestdag_learn(run, t, NULL, NULL);
            assert_non_null(r[i]);
        }
        assert_string_equal(bestdag_result_text(r[0], "status"), "optimal");
        assert_true(bestdag_result_number(r[0], "score") ==
                    bestdag_result_number(r[1], "score"));
        const struct bestdag_network *a = bestdag_result_network(r[0]);
        const struct bestdag_network *b = bestdag_result_network(r[1]);
        for (int v = 0; v < 6; v++) {
            size_t cells = (size_t)(bestdag_network_configurations(a, v) *
                                    a->variable[v].states);
            assert_int_equal(a->dag->parents[v].count,
                             b->dag->parents[v].count);
            assert_memory_equal(a->variable[v].table, b->variable[v].table,
                                cells * sizeof(double));
        }
        bestdag_result_free(r[0]);
        bestdag_result_free(r[1]);
        bestdag_table_free(t);
        bestdag_network_free(net);
    }
}

/* ---- values of another program --------------------------------------------
 */

static void scores_are_those_of_bnlearn(void **state)
{
    char path[512];
    struct bestdag_run *run = *state;
    struct bestdag_json *json = references_read(run, "missing.json");
    struct bestdag_options *options = with(run, "missing", "available");
    struct bestdag_table *t =
        bestdag_table_read(run, references_path(path, "holes.csv"), options);
    const struct bestdag_json *list = bestdag_json_get(json, "scores");
    assert_non_null(t);
    assert_int_equal(bestdag_json_count(list), 24);
    for (int64_t i = 0; i < bestdag_json_count(list); i++) {
        const struct bestdag_json *row = bestdag_json_at(list, i);
        const struct bestdag_json *k =
            bestdag_json_get(bestdag_json_get(row, "parameters"), "k");
        char penalty[64];
        snprintf(penalty, sizeof penalty, "%.17g",
                 k ? bestdag_json_number(k) : 0.0);
        struct bestdag_options *p = with(run, "pnal-penalty", penalty);
        struct bestdag_scorer *s =
            bestdag_scorer_of(run, t, bestdag_score_find("pnal"), p);
        struct bestdag_network *net = references_structure(run, row);
        assert_non_null(s);
        double sum = references_score(run, s, t, net);
        double want = bestdag_json_number(bestdag_json_get(row, "value"));
        if (!(fabs(sum - want) < 1e-10))
            fail_msg("row %d: %.15g is not %.15g", (int)i, sum, want);
        bestdag_network_free(net);
        bestdag_scorer_free(s);
        bestdag_options_free(p);
    }
    bestdag_options_free(options);
    bestdag_table_free(t);
    bestdag_json_free(json);
}

/* The probabilities of a variable given its parents, as the file names them. */
static void assert_rows(const struct bestdag_network *net,
                        const struct bestdag_json *nodes)
{
    for (int v = 0; v < net->dag->n; v++) {
        const struct bestdag_variable *x = &net->variable[v];
        const struct bestdag_json *rows =
            bestdag_json_get(bestdag_json_get(nodes, x->name), "rows");
        assert_int_equal(bestdag_json_count(rows),
                         bestdag_network_configurations(net, v));
        for (int64_t i = 0; i < bestdag_json_count(rows); i++) {
            const struct bestdag_json *row = bestdag_json_at(rows, i);
            const struct bestdag_parents *p = &net->dag->parents[v];
            int64_t at = 0;
            for (int j = 0; j < p->count; j++) {
                const struct bestdag_variable *u = &net->variable[p->at[j]];
                at = at * u->states +
                     bestdag_variable_state(
                         u, bestdag_json_text(bestdag_json_get(
                                bestdag_json_get(row, "given"), u->name)));
            }
            for (int k = 0; k < x->states; k++) {
                double want = bestdag_json_number(
                    bestdag_json_get(bestdag_json_get(row, "p"), x->labels[k]));
                if (!(fabs(x->table[at * x->states + k] - want) < 1e-5))
                    fail_msg("'%s', row %d: %.9g is not %.9g", x->name, (int)i,
                             x->table[at * x->states + k], want);
            }
        }
    }
}

static void em_ends_where_another_program_does(void **state)
{
    char path[512];
    struct bestdag_run *run = *state;
    struct bestdag_json *json = references_read(run, "missing.json");
    struct bestdag_options *options = with(run, "missing", "em");
    bestdag_options_set(run, options, "fit.ess", "0");
    bestdag_options_set(run, options, "em-tolerance", "1e-12");
    struct bestdag_table *t =
        bestdag_table_read(run, references_path(path, "holes.csv"), options);
    const struct bestdag_json *list = bestdag_json_get(json, "em");
    assert_int_equal(bestdag_json_count(list), 4);
    for (int64_t i = 0; i < 4; i++) {
        const struct bestdag_json *row = bestdag_json_at(list, i);
        struct bestdag_network *bare = references_structure(run, row);
        struct bestdag_network *net =
            bestdag_network_fit(run, bare, t, options);
        assert_non_null(net);
        double ln = atof(bestdag_network_noted(net, "em_log_likelihood"));
        double want =
            bestdag_json_number(bestdag_json_get(row, "observed_loglik"));
        if (!(fabs(ln - want) < 1e-6))
            fail_msg("row %d: %.12g is not %.12g", (int)i, ln, want);
        assert_rows(net, bestdag_json_get(row, "nodes"));
        bestdag_network_free(net);
        bestdag_network_free(bare);
    }
    bestdag_options_free(options);
    bestdag_table_free(t);
    bestdag_json_free(json);
}

static void failing_allocations_are_survived(void **state)
{
    struct bestdag_run *run = *state;
    static const char *const policies[] = {"em", "available"};
    struct bestdag_network *net =
        nets_random(run, (struct shape){.seed = 6,
                                        .n = 3,
                                        .least_states = 2,
                                        .most_states = 2,
                                        .most_parents = 1});
    for (int k = 0; k < 2; k++) {
        struct bestdag_table *t = nets_table(run, net, 30, 0.3, 6);
        assert_int_equal(bestdag_table_complete(run, t, policies[k]),
                         BESTDAG_OK);
        bool has_failed = true;
        for (int64_t n = 1; has_failed; n += 1 + n / 40) {
            bestdag_memory_fail_at(run, n);
            struct bestdag_result *r = bestdag_learn(run, t, NULL, NULL);
            has_failed = bestdag_memory_has_failed(run);
            bestdag_memory_fail_at(run, 0);
            assert_true(has_failed || r);
            bestdag_result_free(r);
            bestdag_run_clear(run);
        }
        bestdag_table_free(t);
    }
    bestdag_network_free(net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pnal_is_the_average_of_the_rows_that_have_a_family),
        cmocka_unit_test(available_finds_the_optimum),
        cmocka_unit_test(structural_em_ends_where_it_is_proved),
        cmocka_unit_test(scores_are_those_of_bnlearn),
        cmocka_unit_test(em_ends_where_another_program_does),
        cmocka_unit_test(failing_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
