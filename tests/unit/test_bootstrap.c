/* SPDX-License-Identifier: MIT */
/* test_bootstrap.c -- strengths over resamples through the public header. */
#include "scratch.h"

#include <math.h>

#include "data/table.h"
#include "graph/dag.h"
#include "learn/result.h"
#include "network/network.h"
#include "random_table.h"

static struct bestdag_options *options_of(struct bestdag_run *run,
                                          const char *resamples)
{
    struct bestdag_options *o = bestdag_options_new(run);
    bestdag_options_set(run, o, "resamples", resamples);
    assert_fine(run);
    return o;
}

/* "cause" and "effect" are nearly the same, "chance" has nothing to do with
 * them. */
static struct bestdag_table *pair_and_chance(struct bestdag_run *run, int rows)
{
    static const char *const names[] = {"cause", "chance", "effect"};
    struct bestdag_random random = bestdag_random_init(8, 0);
    struct bestdag_table *t = bestdag_table_new(run, rows);
    int8_t *code = malloc(3 * (size_t)rows);
    for (int r = 0; r < rows; r++) {
        code[r] = (int8_t)bestdag_random_below(&random, 2);
        code[rows + r] = (int8_t)bestdag_random_below(&random, 3);
        code[2 * rows + r] =
            (int8_t)(code[r] ^ (bestdag_random_unit(&random) < 0.1));
    }
    for (int c = 0; c < 3; c++)
        bestdag_table_add_codes(run, t, names[c], code + c * rows, 1,
                                c == 1 ? 3 : 2, NULL);
    free(code);
    assert_fine(run);
    return t;
}

static struct bestdag_table *some_table(struct bestdag_run *run, uint64_t seed)
{
    struct random_table how = {
        .seed = seed, .columns = 6, .most = 3, .rows = 120};
    return random_table(run, how);
}

static double strength_between(const struct bestdag_result *r, int a, int b)
{
    int from, to;
    double strength, direction;
    for (int64_t i = 0;
         bestdag_result_strength(r, i, &from, &to, &strength, &direction); i++)
        if ((from == a && to == b) || (from == b && to == a))
            return strength;
    return 0;
}

/* ---- what is found ----------------------------------------------------------
 */

static void a_strong_pair_is_strong_and_chance_is_not(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = pair_and_chance(run, 300);
    struct bestdag_options *o = options_of(run, "100");
    struct bestdag_result *r = bestdag_bootstrap(run, t, NULL, o);
    assert_fine(run);
    assert_true(strength_between(r, 0, 2) == 1);
    assert_true(strength_between(r, 0, 1) < 0.2);
    assert_true(strength_between(r, 1, 2) < 0.2);
    const struct bestdag_network *net = bestdag_result_network(r);
    assert_int_equal(bestdag_dag_arcs(net->dag), 1);
    assert_true(bestdag_dag_has_arc(net->dag, 0, 2) ||
                bestdag_dag_has_arc(net->dag, 2, 0));
    assert_true(bestdag_network_has_tables(net));
    assert_string_equal(bestdag_result_text(r, "status"), "finished");
    assert_true(bestdag_result_number(r, "resamples") == 100);
    assert_true(bestdag_result_number(r, "threshold") < 0.2);
    assert_string_equal(bestdag_network_noted(net, "resamples"), "100");
    /* the score is that of the whole table */
    struct bestdag_result *best = bestdag_learn(run, t, NULL, NULL);
    assert_true(fabs(bestdag_result_number(best, "score") -
                     bestdag_result_number(r, "score")) < 1e-9);
    bestdag_result_free(best);
    bestdag_result_free(r);
    bestdag_options_free(o);
    bestdag_table_free(t);
    scratch_end(run);
}

static void strengths_are_shares_strongest_first(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = some_table(run, 2);
    struct bestdag_options *o = options_of(run, "40");
    struct bestdag_result *r = bestdag_bootstrap(run, t, NULL, o);
    int64_t count = bestdag_result_strengths(r);
    assert_fine(run);
    assert_true(count > 0);
    double threshold = bestdag_result_number(r, "threshold"), last = 1;
    const struct bestdag_dag *dag = bestdag_result_network(r)->dag;
    for (int64_t i = 0; i < count; i++) {
        int from, to;
        double strength, direction;
        assert_true(
            bestdag_result_strength(r, i, &from, &to, &strength, &direction));
        assert_true(strength > 0 && strength <= last);
        assert_true(direction >= 0.5 && direction <= 1);
        double votes = strength * 40;
        assert_true(fabs(votes - round(votes)) < 1e-9);
        if (bestdag_dag_has_arc(dag, from, to) ||
            bestdag_dag_has_arc(dag, to, from))
            assert_true(strength > threshold);
        last = strength;
    }
    bestdag_result_free(r);
    bestdag_options_free(o);
    bestdag_table_free(t);
    scratch_end(run);
}

/* Without what depends on time and machine. */
static char *plain_report(struct bestdag_run *run,
                          const struct bestdag_result *r)
{
    char *text = bestdag_result_json(run, r);
    assert_fine(run);
    char *end = strstr(text, "\"seconds\"");
    assert_non_null(end);
    *end = 0;
    return text;
}

static void threads_do_not_show(void **state)
{
    (void)state;
    static const char *const solvers[] = {"auto", "hc", "orders"};
    for (int s = 0; s < COUNT(solvers); s++) {
        char *first = NULL;
        for (int threads = 1; threads <= 4; threads *= 2) {
            char number[8];
            struct bestdag_run *run = bestdag_run_new();
            snprintf(number, sizeof number, "%d", threads);
            bestdag_run_set(run, "threads", number);
            bestdag_run_set(run, "seed", "9");
            struct bestdag_table *t = some_table(run, 4);
            struct bestdag_options *o = options_of(run, "12");
            bestdag_options_set(run, o, "solver", solvers[s]);
            bestdag_options_set(run, o, "steps", "3000");
            struct bestdag_result *r = bestdag_bootstrap(run, t, NULL, o);
            assert_fine(run);
            char *text = plain_report(run, r);
            if (first)
                assert_string_equal(first, text);
            else
                first = strdup(text);
            bestdag_text_free(text);
            bestdag_result_free(r);
            bestdag_options_free(o);
            bestdag_table_free(t);
            scratch_end(run);
        }
        free(first);
    }
}

static void another_seed_draws_other_rows(void **state)
{
    (void)state;
    char *text[2];
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = some_table(run, 4);
    struct bestdag_options *o = options_of(run, "30");
    for (int i = 0; i < 2; i++) {
        bestdag_run_set(run, "seed", i ? "2" : "1");
        struct bestdag_result *r = bestdag_bootstrap(run, t, NULL, o);
        text[i] = plain_report(run, r);
        bestdag_result_free(r);
    }
    assert_string_not_equal(text[0], text[1]);
    bestdag_text_free(text[0]);
    bestdag_text_free(text[1]);
    bestdag_options_free(o);
    bestdag_table_free(t);
    scratch_end(run);
}

static void rules_hold(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = pair_and_chance(run, 300);
    struct bestdag_options *o = options_of(run, "20");
    struct bestdag_rules *rules = bestdag_rules_new(run);
    bestdag_rules_add(run, rules, "chance -> effect");
    bestdag_rules_add(run, rules, "not cause -> effect");
    struct bestdag_result *r = bestdag_bootstrap(run, t, rules, o);
    assert_fine(run);
    const struct bestdag_dag *dag = bestdag_result_network(r)->dag;
    int from, to;
    double strength, direction;
    for (int64_t i = 0;
         bestdag_result_strength(r, i, &from, &to, &strength, &direction);
         i++) {
        if (from + to == 2) { /* effect -> cause alone is allowed */
            assert_int_equal(from, 2);
            assert_true(direction == 1);
        }
        if (from + to == 3) {
            assert_int_equal(from, 1);
            assert_true(strength == 1 && direction == 1);
        }
    }
    assert_true(bestdag_dag_has_arc(dag, 1, 2));
    assert_true(bestdag_dag_has_arc(dag, 2, 0));
    bestdag_result_free(r);
    bestdag_rules_add(run, rules, "not chance -> effect");
    assert_null(bestdag_bootstrap(run, t, rules, o));
    assert_failed(run, BESTDAG_INFEASIBLE, "no network");
    bestdag_rules_free(rules);
    bestdag_options_free(o);
    bestdag_table_free(t);
    scratch_end(run);
}

static void strengths_are_written_as_csv(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const char *folder = scratch_make();
    const char *path = scratch_path(folder, "s.csv");
    struct bestdag_table *t = pair_and_chance(run, 200);
    struct bestdag_options *o = options_of(run, "10");
    bestdag_options_set(run, o, "directions", "dag");
    bestdag_options_set(run, o, "strengths", path);
    struct bestdag_result *r = bestdag_bootstrap(run, t, NULL, o);
    assert_fine(run);
    size_t size;
    char *text = scratch_read(path, &size);
    assert_memory_equal(text, "from,to,strength,direction\n", 27);
    assert_true(strstr(text, "cause,effect,1,") ||
                strstr(text, "effect,cause,1,"));
    free(text);
    bestdag_result_free(r);
    bestdag_options_free(o);
    bestdag_table_free(t);
    scratch_files(folder, true);
    scratch_end(run);
}

/* ---- limits -----------------------------------------------------------------
 */

static int stop_at_once(void *user, const struct bestdag_progress *now)
{
    int *after = user;
    return !strcmp(now->phase, "resampling") && now->done >= *after;
}

static void a_stopped_run_averages_what_is_done(void **state)
{
    (void)state;
    for (int after = 0; after < 4; after++) {
        struct bestdag_run *run = bestdag_run_new();
        struct bestdag_table *t = some_table(run, 6);
        struct bestdag_options *o = options_of(run, "1000000");
        bestdag_run_on_progress(run, stop_at_once, &after);
        struct bestdag_result *r = bestdag_bootstrap(run, t, NULL, o);
        assert_fine(run);
        double done = bestdag_result_number(r, "resamples");
        assert_true(done >= after && done < 1000000);
        assert_true(bestdag_result_number(r, "networks") >= 1);
        assert_string_equal(bestdag_result_text(r, "status"), "interrupted");
        assert_true(bestdag_network_has_tables(bestdag_result_network(r)));
        bestdag_result_free(r);
        bestdag_options_free(o);
        bestdag_table_free(t);
        scratch_end(run);
    }
}

static void a_run_stopped_before_it_began_gives_a_network(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = some_table(run, 6);
    bestdag_run_stop(run);
    struct bestdag_result *r = bestdag_bootstrap(run, t, NULL, NULL);
    assert_fine(run);
    assert_true(bestdag_result_number(r, "resamples") == 0);
    assert_true(bestdag_result_number(r, "networks") == 1);
    bestdag_result_free(r);
    bestdag_table_free(t);
    scratch_end(run);
}

static void a_time_limit_ends_it(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = some_table(run, 6);
    struct bestdag_options *o = options_of(run, "1000000");
    bestdag_run_set(run, "time-limit", "300ms");
    struct bestdag_result *r = bestdag_bootstrap(run, t, NULL, o);
    assert_fine(run);
    assert_string_equal(bestdag_result_text(r, "status"), "stopped");
    bestdag_result_free(r);
    bestdag_options_free(o);
    bestdag_table_free(t);
    scratch_end(run);
}

/* From too little, through room for one at a time, to plenty: an error of
 * memory, or always the same answer. */
static void a_memory_limit_holds_and_does_not_show(void **state)
{
    (void)state;
    char *first = NULL;
    int refused = 0;
    for (int kilobytes = 100; kilobytes < 100000; kilobytes *= 2) {
        char limit[16];
        struct bestdag_run *run = bestdag_run_new();
        struct bestdag_table *t = some_table(run, 5);
        struct bestdag_options *o = options_of(run, "12");
        snprintf(limit, sizeof limit, "%dK", kilobytes);
        bestdag_options_set(run, o, "solver", "dp");
        bestdag_run_set(run, "memory-limit", limit);
        bestdag_run_set(run, "threads", "4");
        struct bestdag_result *r = bestdag_bootstrap(run, t, NULL, o);
        assert_true(bestdag_memory_peak(run) <= (int64_t)kilobytes * 1024);
        if (r) {
            char *text = plain_report(run, r);
            if (first)
                assert_string_equal(first, text);
            else
                first = strdup(text);
            bestdag_text_free(text);
        } else {
            assert_int_equal(bestdag_run_status(run), BESTDAG_MEMORY);
            assert_null(first);
            refused++;
        }
        bestdag_result_free(r);
        bestdag_options_free(o);
        bestdag_table_free(t);
        scratch_end(run);
    }
    print_message("%d limits were too small\n", refused);
    assert_non_null(first);
    assert_true(refused > 0);
    free(first);
}

/* With a limit, a resample that finds no memory beside others is learned again:
 * the answer is the same as if nothing had happened. */
static void a_resample_that_lacked_memory_is_learned_again(void **state)
{
    (void)state;
    char *first = NULL;
    int saved = 0;
    for (int n = 0; n < 6000; n = n * 5 / 4 + 1) {
        struct bestdag_run *run = bestdag_run_new();
        struct bestdag_table *t = pair_and_chance(run, 40);
        struct bestdag_options *o = options_of(run, "8");
        bestdag_run_set(run, "memory-limit", "64M");
        bestdag_run_set(run, "threads", "2");
        bestdag_memory_fail_at(run, n);
        struct bestdag_result *r = bestdag_bootstrap(run, t, NULL, o);
        bool failed = bestdag_memory_has_failed(run);
        bestdag_memory_fail_at(run, 0);
        if (r) {
            char *text = plain_report(run, r);
            if (first)
                assert_string_equal(first, text);
            else
                first = strdup(text);
            bestdag_text_free(text);
            saved += failed;
        } else {
            assert_true(failed);
            assert_int_equal(bestdag_run_status(run), BESTDAG_MEMORY);
        }
        bestdag_result_free(r);
        bestdag_options_free(o);
        bestdag_table_free(t);
        scratch_end(run);
    }
    print_message("%d saved\n", saved);
    assert_true(saved > 0);
    free(first);
}

/* ---- mistakes ---------------------------------------------------------------
 */

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = some_table(run, 1);
    assert_null(bestdag_bootstrap(run, NULL, NULL, NULL));
    assert_failed(run, BESTDAG_USAGE, "no table was given");
    static const char *const wrong[][3] = {
        {"save-scores", "x.jkl", "'save-scores' applies to a single network"},
        {"part", "x.part", "'part' applies to a single network"},
        {"trace", "x.csv", "'trace' applies to a single network"},
        {"set", "stepz=5", "did you mean 'steps'?"},
        {"start", "/nowhere/x.bif", "/nowhere/x.bif"},
    };
    for (int i = 0; i < COUNT(wrong); i++) {
        struct bestdag_options *o = options_of(run, "3");
        bestdag_options_set(run, o, wrong[i][0], wrong[i][1]);
        assert_null(bestdag_bootstrap(run, t, NULL, o));
        assert_true(bestdag_run_status(run) != BESTDAG_OK);
        if (!strstr(bestdag_run_error(run), wrong[i][2]))
            fail_msg("%s", bestdag_run_error(run));
        bestdag_run_clear(run);
        bestdag_options_free(o);
    }
    assert_int_equal(bestdag_result_strengths(NULL), 0);
    int from, to;
    double strength, direction;
    assert_int_equal(
        bestdag_result_strength(NULL, 0, &from, &to, &strength, &direction), 0);
    struct bestdag_result *plain = bestdag_learn(run, t, NULL, NULL);
    assert_int_equal(bestdag_result_strengths(plain), 0);
    assert_int_equal(
        bestdag_result_strength(plain, 0, &from, &to, &strength, &direction),
        0);
    bestdag_result_free(plain);
    bestdag_table_free(t);
    scratch_end(run);
}

static void failing_allocations_are_survived(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = pair_and_chance(run, 40);
    int64_t before = bestdag_memory_used(run);
    for (int n = 1;; n += 1 + n / 200) {
        struct bestdag_options *o = options_of(run, "2");
        bestdag_memory_fail_at(run, n);
        struct bestdag_result *r = bestdag_bootstrap(run, t, NULL, o);
        bool failed = bestdag_memory_has_failed(run);
        /* what fails while tables are made costs the tables alone */
        assert_true(r || failed);
        assert_int_equal(bestdag_run_status(run),
                         r ? BESTDAG_OK : BESTDAG_MEMORY);
        bestdag_memory_fail_at(run, 0);
        bestdag_run_clear(run);
        bestdag_result_free(r);
        bestdag_options_free(o);
        assert_int_equal(bestdag_memory_used(run), before);
        if (!failed)
            break;
    }
    bestdag_table_free(t);
    scratch_end(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_strong_pair_is_strong_and_chance_is_not),
        cmocka_unit_test(strengths_are_shares_strongest_first),
        cmocka_unit_test(threads_do_not_show),
        cmocka_unit_test(another_seed_draws_other_rows),
        cmocka_unit_test(rules_hold),
        cmocka_unit_test(strengths_are_written_as_csv),
        cmocka_unit_test(a_stopped_run_averages_what_is_done),
        cmocka_unit_test(a_run_stopped_before_it_began_gives_a_network),
        cmocka_unit_test(a_time_limit_ends_it),
        cmocka_unit_test(a_memory_limit_holds_and_does_not_show),
        cmocka_unit_test(a_resample_that_lacked_memory_is_learned_again),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(failing_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
