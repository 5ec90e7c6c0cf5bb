/* SPDX-License-Identifier: MIT */
/* test_learn.c -- solve and learn through the public header.
 *
 * The oracle is dynamic programming over subsets: the best score of a network
 * on a set of variables is the best over its last variable, with the best of
 * its sets among the others. It shares nothing with the searches. */
#include "scratch.h"

#include <math.h>

#include "data/table.h"
#include "parents/sets.h"
#include "random_table.h"

enum { MOST = 10 };

/* The best set of v within `among`; -INFINITY: none. */
static double best_set(const struct bestdag_sets *sets, int v, unsigned among)
{
    for (int i = 0; i < bestdag_sets_count(sets, v); i++) {
        int parents[MOST];
        double score;
        int count = bestdag_sets_get(sets, v, i, &score, parents, MOST);
        bool fits = true;
        for (int k = 0; k < count; k++)
            fits = fits && (among >> parents[k] & 1);
        if (fits)
            return score; /* best first */
    }
    return -INFINITY;
}

static double optimum_of(const struct bestdag_sets *sets)
{
    static double best[1 << MOST];
    int n = bestdag_sets_variables(sets);
    best[0] = 0;
    for (unsigned s = 1; s < 1u << n; s++) {
        best[s] = -INFINITY;
        for (int v = 0; v < n; v++)
            if (s >> v & 1) {
                unsigned rest = s & ~(1u << v);
                double x = best[rest] + best_set(sets, v, rest);
                if (x > best[s])
                    best[s] = x;
            }
    }
    return best[(1u << n) - 1];
}

static struct bestdag_options *options_of(struct bestdag_run *run,
                                          const char *key, const char *value)
{
    struct bestdag_options *o = bestdag_options_new(run);
    if (key)
        bestdag_options_set(run, o, key, value);
    bestdag_options_set(run, o, "steps", "20000");
    assert_fine(run);
    return o;
}

/* The sum of the local scores of a network, from the table. */
static double score_of(struct bestdag_run *run, const struct bestdag_table *t,
                       const struct bestdag_network *net)
{
    double total = 0;
    for (int v = 0; v < bestdag_network_variables(net); v++) {
        int parents[MOST], count;
        double score;
        count = bestdag_network_parents(net, v, parents, MOST);
        bestdag_score(run, t, NULL, NULL, v, parents, count, &score);
        total += score;
    }
    assert_fine(run);
    return total;
}

/* What every answer keeps, whatever it is of. */
static void check_answer(const struct bestdag_result *r, double optimum)
{
    double score = bestdag_result_number(r, "score");
    double bound = bestdag_result_number(r, "bound");
    double gap = bestdag_result_number(r, "gap");
    const char *status = bestdag_result_text(r, "status");
    assert_true(score <= optimum + 1e-9 * fabs(optimum));
    assert_true(bound >= optimum);
    assert_true(fabs(gap - (bound - score) / fmax(1, fabs(score))) < 1e-12);
    if (!strcmp(status, "optimal"))
        assert_true(score >= optimum - 1e-9 * fabs(optimum));
    else
        assert_null(bestdag_result_text(r, "proved_over"));
}

/* ---- solve ------------------------------------------------------------------
 */

static void a_known_optimum_is_found(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_sets *sets = bestdag_sets_read(run, "data/lighthouse.jkl");
    assert_fine(run);
    double optimum = optimum_of(sets);
    assert_true(fabs(optimum - -9049.972904405) < 1e-8);
    struct bestdag_result *r = bestdag_solve(run, sets, NULL, NULL);
    assert_fine(run);
    check_answer(r, optimum);
    assert_true(fabs(bestdag_result_number(r, "score") - optimum) < 1e-8);
    assert_string_equal(bestdag_result_text(r, "score_name"), "bic");
    assert_true(bestdag_result_number(r, "rows") == 2000);
    bestdag_result_free(r);
    bestdag_sets_free(sets);
    scratch_end(run);
}

static void nothing_comes_of_nothing(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    assert_null(bestdag_solve(run, NULL, NULL, NULL));
    assert_failed(run, BESTDAG_USAGE, "no set of candidate sets was given");
    assert_null(bestdag_learn(run, NULL, NULL, NULL));
    assert_failed(run, BESTDAG_USAGE, "no table was given");
    assert_null(bestdag_result_json(run, NULL));
    assert_failed(run, BESTDAG_USAGE, "no result was given");
    assert_null(bestdag_result_network(NULL));
    assert_null(bestdag_result_text(NULL, "status"));
    assert_true(isnan(bestdag_result_number(NULL, "score")));
    bestdag_result_free(NULL);
    scratch_end(run);
}

/* ---- learn ------------------------------------------------------------------
 */

static struct bestdag_table *some_table(struct bestdag_run *run, uint64_t seed)
{
    struct random_table how = {
        .seed = seed, .columns = 6, .most = 3, .rows = 120};
    return random_table(run, how);
}

static void learning_finds_the_best_of_small_tables(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct bestdag_run *run = bestdag_run_new();
        print_message("seed %llu\n", (unsigned long long)seed);
        struct bestdag_table *t = some_table(run, seed);
        struct bestdag_sets *sets = bestdag_sets_find(run, t, NULL, NULL);
        struct bestdag_options *o = options_of(run, NULL, NULL);
        struct bestdag_result *r = bestdag_learn(run, t, NULL, o);
        assert_fine(run);
        double optimum = optimum_of(sets);
        double score = bestdag_result_number(r, "score");
        const struct bestdag_network *net = bestdag_result_network(r);
        check_answer(r, optimum);
        assert_true(fabs(score - optimum) < 1e-7);
        assert_true(fabs(score - score_of(run, t, net)) < 1e-8);
        assert_non_null(bestdag_network_table(net, 0, NULL, NULL));
        assert_string_equal(bestdag_network_noted(net, "score_name"), "bic");
        bestdag_result_free(r);
        bestdag_options_free(o);
        bestdag_sets_free(sets);
        bestdag_table_free(t);
        scratch_end(run);
    }
}

static void the_report_is_json_with_the_arcs_of_the_network(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = some_table(run, 3);
    struct bestdag_options *o = options_of(run, NULL, NULL);
    struct bestdag_result *r = bestdag_learn(run, t, NULL, o);
    char *text = bestdag_result_json(run, r);
    struct bestdag_json *report = bestdag_json_read(run, text);
    assert_fine(run);
    const struct bestdag_json *arcs = bestdag_json_get(report, "arcs");
    const struct bestdag_network *net = bestdag_result_network(r);
    int64_t at = 0;
    for (int v = 0; v < bestdag_network_variables(net); v++) {
        int parents[MOST];
        int count = bestdag_network_parents(net, v, parents, MOST);
        for (int i = 0; i < count; i++, at++) {
            const struct bestdag_json *arc = bestdag_json_at(arcs, at);
            assert_string_equal(bestdag_json_text(bestdag_json_at(arc, 0)),
                                bestdag_network_name(net, parents[i]));
            assert_string_equal(bestdag_json_text(bestdag_json_at(arc, 1)),
                                bestdag_network_name(net, v));
        }
    }
    assert_int_equal(bestdag_json_count(arcs), at);
    assert_true(at > 0);
    assert_true(bestdag_result_number(r, "seconds.solve") >= 0);
    assert_true(isnan(bestdag_result_number(r, "seconds.none")));
    assert_true(isnan(bestdag_result_number(r, "status")));
    assert_null(bestdag_result_text(r, "score"));
    bestdag_json_free(report);
    bestdag_text_free(text);
    bestdag_result_free(r);
    bestdag_options_free(o);
    bestdag_table_free(t);
    scratch_end(run);
}

static void bad_settings_are_told_before_the_work(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        {"set", "stepz=1", "did you mean 'steps'?"},
        {"set", "steps=none", "steps: 'none' is not a whole number"},
        {"start", "/none/such.bif", "/none/such.bif"},
    };
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = some_table(run, 4);
    for (int i = 0; i < COUNT(cases); i++) {
        struct bestdag_options *o = options_of(run, cases[i][0], cases[i][1]);
        assert_null(bestdag_learn(run, t, NULL, o));
        int status = bestdag_run_status(run);
        assert_failed(run, status, cases[i][2]);
        bestdag_options_free(o);
    }
    struct bestdag_options *o = options_of(run, "fit.ess", "1");
    bestdag_options_set(run, o, "fit.pseudo", "1");
    assert_null(bestdag_learn(run, t, NULL, o));
    assert_failed(run, BESTDAG_USAGE, "two priors");
    bestdag_options_free(o);
    bestdag_table_free(t);
    scratch_end(run);
}

/* ---- stopping ---------------------------------------------------------------
 */

struct listener {
    const char *phase; /* asks to stop when this begins */
    int heard;
};

static int stop_in_phase(void *user, const struct bestdag_progress *now)
{
    struct listener *l = user;
    bool is_it = !strcmp(now->phase, l->phase);
    l->heard += is_it;
    return is_it;
}

static void whenever_it_is_stopped_a_fitted_network_comes_back(void **state)
{
    (void)state;
    static const char *const phases[] = {"scoring", "orders", "fitting"};
    for (int i = 0; i < COUNT(phases); i++) {
        struct bestdag_run *run = bestdag_run_new();
        struct random_table how = {
            .seed = 5, .columns = 40, .most = 3, .rows = 20000};
        struct bestdag_table *t = random_table(run, how);
        struct bestdag_options *o = options_of(run, "candidates", "12");
        struct listener listener = {.phase = phases[i]};
        bestdag_options_set(run, o, "orders.steps",
                            i == 1 ? "9000000000000000" : "1");
        bestdag_run_on_progress(run, stop_in_phase, &listener);
        struct bestdag_result *r = bestdag_learn(run, t, NULL, o);
        assert_fine(run);
        assert_non_null(r);
        const struct bestdag_network *net = bestdag_result_network(r);
        for (int v = 0; v < 40; v++)
            assert_non_null(bestdag_network_table(net, v, NULL, NULL));
        if (i < 2)
            assert_true(listener.heard > 0);
        if (listener.heard && i < 2)
            assert_string_equal(bestdag_result_text(r, "status"),
                                "interrupted");
        bestdag_result_free(r);
        bestdag_options_free(o);
        bestdag_table_free(t);
        scratch_end(run);
    }
}

/* ---- starts -----------------------------------------------------------------
 */

static char heard[1024];

static int hear(void *user, const struct bestdag_progress *now)
{
    (void)user;
    if (now->note && !now->detail)
        snprintf(heard, sizeof heard, "%s", now->note);
    return 0;
}

/* What `key` = `value` learns from a table that starts at the network in
 * `path`; one step, so that all that is good comes from the start. */
static struct bestdag_result *learn_from(struct bestdag_run *run,
                                         const struct bestdag_table *t,
                                         const char *path, const char *key,
                                         const char *value)
{
    struct bestdag_options *o = options_of(run, key, value);
    bestdag_options_set(run, o, "steps", "1");
    bestdag_options_set(run, o, "start", path);
    struct bestdag_result *r = bestdag_learn(run, t, NULL, o);
    bestdag_options_free(o);
    assert_fine(run);
    return r;
}

static void the_answer_is_never_worse_than_the_start(void **state)
{
    (void)state;
    const char *folder = scratch_make();
    int outside = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct bestdag_run *run = bestdag_run_new();
        const char *path = scratch_path(folder, "start.json");
        print_message("seed %llu\n", (unsigned long long)seed);
        struct bestdag_table *t = some_table(run, seed);
        struct bestdag_options *o = options_of(run, NULL, NULL);
        struct bestdag_result *best = bestdag_learn(run, t, NULL, o);
        bestdag_network_write(run, bestdag_result_network(best), path);
        /* lists so short that they may not hold the best network */
        struct bestdag_result *r = learn_from(run, t, path, "candidates", "1");
        double known = bestdag_result_number(best, "score");
        double bound = bestdag_result_number(r, "bound");
        double of_all = bestdag_result_number(r, "global_bound");
        assert_true(bestdag_result_number(r, "score") > known - 1e-8);
        assert_true(bound >= known);
        assert_true(isnan(of_all) || of_all >= bound);
        bestdag_result_free(r);
        /* without the start the answer is in the lists, and so is its bound */
        bestdag_options_set(run, o, "candidates", "1");
        r = bestdag_learn(run, t, NULL, o);
        assert_fine(run);
        double listed = bestdag_result_number(r, "bound");
        of_all = bestdag_result_number(r, "global_bound");
        assert_true(isnan(of_all) ? listed >= known : of_all >= known);
        if (listed < known - 1e-8) {
            assert_true(bound > listed); /* which says nothing of the start */
            outside++;
        }
        bestdag_result_free(r);
        bestdag_result_free(best);
        bestdag_options_free(o);
        bestdag_table_free(t);
        scratch_end(run);
    }
    assert_true(outside > 0); /* else the test looked at nothing */
    scratch_files(folder, true);
}

static void a_start_with_too_many_parents_gives_its_order(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const char *folder = scratch_make();
    const char *path = scratch_path(folder, "start.modelstring");
    static const char start[] = "[V1][V3][V2|V1:V3]";
    struct bestdag_table *t = some_table(run, 6);
    scratch_write(path, start, sizeof start - 1);
    bestdag_run_on_progress(run, hear, NULL);
    heard[0] = 0;
    struct bestdag_result *r = learn_from(run, t, path, "max-parents", "1");
    assert_non_null(strstr(heard, "1 of 6 families have more parents than "
                                  "max-parents; only its order is used"));
    const struct bestdag_network *net = bestdag_result_network(r);
    for (int v = 0; v < 6; v++)
        assert_true(bestdag_network_parents(net, v, NULL, 0) <= 1);
    bestdag_result_free(r);
    bestdag_table_free(t);
    scratch_files(folder, true);
    scratch_end(run);
}

/* b is best with a as its parent, but the start's order has b first. */
static void a_start_on_a_score_file_is_used_if_it_is_in_the_lists(void **state)
{
    (void)state;
    static const char jkl[] = "3\na 2\n-5 1 b\n-9 0\nb 2\n-5 1 a\n-7 0\n"
                              "c 2\n-1 2 a b\n-4 0\n";
    static const char *const starts[] = {"[b][a|b][c|a:b]", "[b][a|b][c|a]"};
    struct bestdag_run *run = bestdag_run_new();
    const char *folder = scratch_make();
    scratch_write(scratch_path(folder, "s.jkl"), jkl, sizeof jkl - 1);
    struct bestdag_sets *sets =
        bestdag_sets_read(run, scratch_path(folder, "s.jkl"));
    bestdag_run_on_progress(run, hear, NULL);
    for (int i = 0; i < COUNT(starts); i++) {
        const char *path = scratch_path(folder, "start.modelstring");
        scratch_write(path, starts[i], strlen(starts[i]));
        struct bestdag_options *o = options_of(run, "start", path);
        heard[0] = 0;
        struct bestdag_result *r = bestdag_solve(run, sets, NULL, o);
        assert_fine(run);
        assert_true(bestdag_result_number(r, "score") >= -13);
        if (i)
            assert_non_null(strstr(heard, "1 of 3 families are not among"));
        else
            assert_string_equal(heard, "");
        bestdag_result_free(r);
        bestdag_options_free(o);
    }
    bestdag_sets_free(sets);
    scratch_files(folder, true);
    scratch_end(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_known_optimum_is_found),
        cmocka_unit_test(nothing_comes_of_nothing),
        cmocka_unit_test(learning_finds_the_best_of_small_tables),
        cmocka_unit_test(the_report_is_json_with_the_arcs_of_the_network),
        cmocka_unit_test(bad_settings_are_told_before_the_work),
        cmocka_unit_test(whenever_it_is_stopped_a_fitted_network_comes_back),
        cmocka_unit_test(the_answer_is_never_worse_than_the_start),
        cmocka_unit_test(a_start_with_too_many_parents_gives_its_order),
        cmocka_unit_test(a_start_on_a_score_file_is_used_if_it_is_in_the_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
