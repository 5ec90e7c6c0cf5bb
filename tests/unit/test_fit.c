/* SPDX-License-Identifier: MIT */
/* test_fit.c -- fitting: numbers by hand, and slow counting on random tables.
 */
#include "nets.h"

#include "data/digest.h"

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

static const char *const yes_no[] = {"no", "yes"};
static const char *const sizes[] = {"big", "mid", "small"};

/* a: no yes yes yes no no; b: big mid mid big big big. */
static struct bestdag_table *six_rows(struct bestdag_run *run)
{
    struct bestdag_table *t = bestdag_table_new(run, 6);
    const int8_t a[] = {0, 1, 1, 1, 0, 0}, b[] = {0, 1, 1, 0, 0, 0};
    bestdag_table_add_codes(run, t, "a", a, 1, 2, yes_no);
    bestdag_table_add_codes(run, t, "b", b, 1, 3, sizes);
    assert_int_equal(bestdag_run_status(run), BESTDAG_OK);
    return t;
}

/* a -> b, with the states of a table. */
static struct bestdag_network *arc(struct bestdag_run *run,
                                   const struct bestdag_table *t)
{
    struct bestdag_network *net = bestdag_network_new(run, t);
    bestdag_network_set_parents(run, net, 1, (int[]){0}, 1);
    assert_int_equal(bestdag_run_status(run), BESTDAG_OK);
    return net;
}

static struct bestdag_options *option(struct bestdag_run *run, const char *key,
                                      const char *value)
{
    struct bestdag_options *options = bestdag_options_new(run);
    bestdag_options_set(run, options, key, value);
    return options;
}

/* Maximum likelihood. */
static struct bestdag_network *fit_plainly(struct bestdag_run *run,
                                           const struct bestdag_network *net,
                                           const struct bestdag_table *t)
{
    struct bestdag_options *options = option(run, "fit.ess", "0");
    struct bestdag_network *fitted = bestdag_network_fit(run, net, t, options);
    bestdag_options_free(options);
    return fitted;
}

static void assert_table(const struct bestdag_network *net, int v,
                         const double *want)
{
    int64_t cells =
        bestdag_network_configurations(net, v) * net->variable[v].states;
    for (int64_t i = 0; i < cells; i++)
        if (!(fabs(net->variable[v].table[i] - want[i]) < 1e-15))
            fail_msg("variable %d, cell %lld: %.17g is not %.17g", v,
                     (long long)i, net->variable[v].table[i], want[i]);
}

static void maximum_likelihood_is_the_share(void **state)
{
    char digest[BESTDAG_SHA256_HEX];
    struct bestdag_run *run = *state;
    struct bestdag_table *t = six_rows(run);
    struct bestdag_network *net = arc(run, t);
    struct bestdag_network *fitted = fit_plainly(run, net, t);
    assert_non_null(fitted);
    assert_table(fitted, 0, (double[]){0.5, 0.5});
    assert_table(fitted, 1, (double[]){1, 0, 0, 1.0 / 3, 2.0 / 3, 0});
    assert_string_equal(bestdag_network_noted(fitted, "fit"), "ml");
    assert_string_equal(bestdag_network_noted(fitted, "rows"), "6");
    assert_string_equal(bestdag_network_noted(fitted, "unseen_rows"), "0");
    assert_string_equal(bestdag_network_noted(fitted, "version"),
                        bestdag_version());
    bestdag_table_digest(run, t, digest);
    assert_string_equal(bestdag_network_noted(fitted, "data_sha256"), digest);
    assert_null(net->variable[0].table);
    bestdag_network_free(fitted);
    bestdag_network_free(net);
    bestdag_table_free(t);
}

static void priors_are_added(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_table *t = six_rows(run);
    struct bestdag_network *net = arc(run, t);
    struct bestdag_options *options = option(run, "pseudo", "1");
    struct bestdag_network *fitted = bestdag_network_fit(run, net, t, options);
    assert_non_null(fitted);
    assert_table(fitted, 1,
                 (double[]){4. / 6, 1. / 6, 1. / 6, 2. / 6, 3. / 6, 1. / 6});
    assert_string_equal(bestdag_network_noted(fitted, "fit"), "pseudo=1");
    bestdag_network_free(fitted);
    bestdag_options_set(run, options, "pseudo", "0");
    bestdag_options_set(run, options, "ess", "12"); /* 2 a cell of b, 6 of a */
    fitted = bestdag_network_fit(run, net, t, options);
    assert_non_null(fitted);
    assert_table(fitted, 0, (double[]){0.5, 0.5});
    assert_table(fitted, 1,
                 (double[]){5. / 9, 2. / 9, 2. / 9, 3. / 9, 4. / 9, 2. / 9});
    assert_string_equal(bestdag_network_noted(fitted, "fit"), "ess=12");
    bestdag_network_free(fitted);
    bestdag_options_set(run, options, "pseudo", "0.5");
    assert_null(bestdag_network_fit(run, net, t, options));
    assert_error(run, BESTDAG_USAGE, "pseudo and ess");
    bestdag_options_free(options);
    bestdag_network_free(net);
    bestdag_table_free(t);
}

/* One imaginary row: a sixth per cell of b, half per cell of a. No new row is
 * impossible. */
static void by_default_no_probability_is_0(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_table *t = six_rows(run);
    struct bestdag_network *net = arc(run, t);
    struct bestdag_network *fitted = bestdag_network_fit(run, net, t, NULL);
    assert_non_null(fitted);
    assert_table(fitted, 0, (double[]){0.5, 0.5});
    assert_table(
        fitted, 1,
        (double[]){19. / 21, 1. / 21, 1. / 21, 7. / 21, 13. / 21, 1. / 21});
    assert_string_equal(bestdag_network_noted(fitted, "fit"), "ess=1");
    bestdag_network_free(fitted);
    struct bestdag_options *options = option(run, "pseudo", "0");
    fitted = bestdag_network_fit(run, net, t, options);
    assert_string_equal(bestdag_network_noted(fitted, "fit"), "ml");
    assert_table(fitted, 1, (double[]){1, 0, 0, 1.0 / 3, 2.0 / 3, 0});
    bestdag_network_free(fitted);
    bestdag_options_free(options);
    bestdag_network_free(net);
    bestdag_table_free(t);
}

static void more_entries_than_asked_for_are_refused(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_table *t = six_rows(run);
    struct bestdag_network *net = arc(run, t); /* 2 + 6 entries */
    struct bestdag_options *options = option(run, "max-entries", "7");
    assert_null(bestdag_network_fit(run, net, t, options));
    assert_error(run, BESTDAG_MEMORY,
                 "the network's tables have 8 entries, that of 'b' 6: more "
                 "than max-entries, 7");
    bestdag_options_set(run, options, "max-entries", "8");
    struct bestdag_network *fitted = bestdag_network_fit(run, net, t, options);
    assert_non_null(fitted);
    bestdag_network_free(fitted);
    bestdag_options_free(options);
    bestdag_network_free(net);
    bestdag_table_free(t);
}

static void columns_and_states_are_matched_by_name(void **state)
{
    struct bestdag_run *run = *state;
    struct notes notes = {""};
    struct bestdag_table *t = six_rows(run), *u = bestdag_table_new(run, 6);
    struct bestdag_network *net = arc(run, t);
    /* the same rows: other order of columns and labels, one label unused */
    const char *const other[] = {"huge", "mid", "big"};
    const char *const no_yes[] = {"yes", "no"};
    const int8_t a[] = {1, 0, 0, 0, 1, 1}, b[] = {2, 1, 1, 2, 2, 2};
    double x[6] = {0};
    bestdag_table_add_numbers(run, u, "weight", x);
    bestdag_table_add_codes(run, u, "b", b, 1, 3, other);
    bestdag_table_add_codes(run, u, "a", a, 1, 2, no_yes);
    bestdag_run_on_progress(run, notes_add, &notes);
    struct bestdag_network *one = fit_plainly(run, net, t);
    assert_string_equal(notes.text, "");
    struct bestdag_network *two = fit_plainly(run, net, u);
    assert_non_null(one);
    assert_non_null(two);
    assert_table(two, 0, one->variable[0].table);
    assert_table(two, 1, one->variable[1].table);
    assert_string_equal(notes.text, "1 column of the table is not in the "
                                    "network and is ignored: 'weight'\n");
    bestdag_network_free(one);
    bestdag_network_free(two);
    bestdag_network_free(net);
    bestdag_table_free(t);
    bestdag_table_free(u);
}

static void what_does_not_match_is_named(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_table *t = six_rows(run), *u = bestdag_table_new(run, 1);
    struct bestdag_network *net = arc(run, t);
    const char *const other[] = {"huge", "mid", "smal"};
    const int8_t zero = 0, two = 2;
    double x = 1;
    bestdag_table_add_codes(run, u, "a", &zero, 1, 2, yes_no);
    bestdag_table_add_codes(run, u, "bb", &zero, 1, 3, other);
    assert_null(fit_plainly(run, net, u));
    assert_error(run, BESTDAG_INPUT, "no column for variable 'b'");
    bestdag_table_add_codes(run, u, "b", &two, 1, 3, other);
    assert_null(fit_plainly(run, net, u));
    assert_error(run, BESTDAG_INPUT,
                 "column 'b' has 'smal', which is not a state");
    assert_null(fit_plainly(run, net, u));
    assert_error(run, BESTDAG_INPUT, "did you mean 'small'");
    bestdag_table_free(u);
    u = bestdag_table_new(run, 1);
    bestdag_table_add_codes(run, u, "a", &zero, 1, 2, yes_no);
    bestdag_table_add_numbers(run, u, "b", &x);
    assert_null(fit_plainly(run, net, u));
    assert_error(run, BESTDAG_INPUT, "column 'b' holds numbers");
    bestdag_network_free(net);
    bestdag_table_free(t);
    bestdag_table_free(u);
}

static void a_bare_structure_takes_the_states_of_the_table(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_table *t = six_rows(run);
    struct bestdag_network *net = bestdag_network_empty(run, 2);
    bestdag_network_set_variable(run, net, 0, bestdag_strdup(run, "b"), NULL,
                                 0);
    bestdag_network_set_variable(run, net, 1, bestdag_strdup(run, "a"), NULL,
                                 0);
    bestdag_dag_set_parents(run, net->dag, 1, (int[]){0}, 1);
    struct bestdag_network *fitted = fit_plainly(run, net, t);
    assert_non_null(fitted);
    assert_string_equal(bestdag_network_label(fitted, 0, 1), "mid");
    assert_table(fitted, 0, (double[]){4. / 6, 2. / 6, 0});
    assert_table(fitted, 1, (double[]){0.75, 0.25, 0, 1, 0.5, 0.5});
    bestdag_network_free(fitted);
    bestdag_network_free(net);
    bestdag_table_free(t);
}

static void a_column_without_values_gives_no_states(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_table *t = six_rows(run);
    struct bestdag_network *net = bestdag_network_empty(run, 2);
    nets_name(run, net, 0, 2);
    bestdag_network_set_variable(run, net, 1, bestdag_strdup(run, "x"), NULL,
                                 0);
    bestdag_dag_set_parents(run, net->dag, 0, (int[]){1}, 1);
    const int8_t all[6] = {0};
    const char *const labels[] = {"l0", "l1"};
    bestdag_table_add_codes(run, t, "v0", all, 1, 2, labels);
    bestdag_table_add(run, t, bestdag_strdup(run, "x"));
    assert_null(fit_plainly(run, net, t));
    assert_error(run, BESTDAG_INPUT, "column 'x' has no value");
    bestdag_network_free(net);
    bestdag_table_free(t);
}

static void few_labels_are_found_among_many_states(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net = bestdag_network_empty(run, 1);
    struct bestdag_table *t = bestdag_table_new(run, 3);
    const char *const labels[] = {"l299", "l3"};
    nets_name(run, net, 0, 300);
    bestdag_table_add_codes(run, t, "v0", (int8_t[]){0, 1, 0}, 1, 2, labels);
    struct bestdag_network *fitted = fit_plainly(run, net, t);
    assert_non_null(fitted);
    for (int s = 0; s < 300; s++)
        assert_true(fitted->variable[0].table[s] == (s == 299 ? 2.0 / 3
                                                     : s == 3 ? 1.0 / 3
                                                              : 0));
    bestdag_network_free(fitted);
    bestdag_network_free(net);
    bestdag_table_free(t);
}

static void rows_never_seen_are_uniform_and_told(void **state)
{
    struct bestdag_run *run = *state;
    struct notes notes = {""};
    struct bestdag_table *t = six_rows(run);
    struct bestdag_network *net = bestdag_network_new(run, t);
    bestdag_network_set_parents(run, net, 0, (int[]){1}, 1);
    bestdag_run_on_progress(run, notes_add, &notes);
    struct bestdag_network *fitted = fit_plainly(run, net, t);
    assert_non_null(fitted);
    assert_table(fitted, 0, (double[]){0.75, 0.25, 0, 1, 0.5, 0.5});
    assert_string_equal(
        notes.text,
        "1 of 4 table rows have no data and are uniform: 'a' (1)\n");
    assert_string_equal(bestdag_network_noted(fitted, "unseen_rows"), "1");
    bestdag_network_free(fitted);
    bestdag_network_free(net);
    bestdag_table_free(t);
}

static void the_note_names_those_with_most_rows_first(void **state)
{
    struct bestdag_run *run = *state;
    struct notes notes = {""};
    struct bestdag_network *net =
        nets_random(run, (struct shape){.seed = 8,
                                        .n = 12,
                                        .least_states = 2,
                                        .most_states = 5,
                                        .most_parents = 2});
    struct bestdag_table *t = nets_table(run, net, 2, 0, 1);
    bestdag_run_on_progress(run, notes_add, &notes);
    struct bestdag_network *fitted = fit_plainly(run, net, t);
    assert_non_null(fitted);
    const char *at = strstr(notes.text, "uniform: ");
    long long last = 1000, count;
    assert_non_null(at);
    for (int i = 0; i < 5; i++) {
        at = strchr(at, '(') + 1;
        count = atoll(at);
        assert_true(count <= last && count > 0);
        last = count;
    }
    assert_non_null(strstr(at, "), ..."));
    bestdag_network_free(fitted);
    bestdag_network_free(net);
    bestdag_table_free(t);
}

/* The tables that counting row by row gives. */
static double *count_slowly(const struct bestdag_network *net,
                            const struct bestdag_table *t, int v, double add)
{
    int n = net->dag->n, r = net->variable[v].states;
    const struct bestdag_parents *p = &net->dag->parents[v];
    int64_t q = bestdag_network_configurations(net, v);
    double *to = calloc((size_t)(q * r), sizeof *to);
    for (int64_t row = 0; row < t->rows; row++) {
        int64_t j = 0;
        bool whole = true;
        for (int x = 0; x < n; x++)
            whole = whole && bestdag_column_code(&t->column[x], row) >= 0;
        if (!whole)
            continue;
        for (int i = 0; i < p->count; i++)
            j = j * net->variable[p->at[i]].states +
                bestdag_column_code(&t->column[p->at[i]], row);
        to[j * r + bestdag_column_code(&t->column[v], row)] +=
            (double)bestdag_table_weight(t, row);
    }
    for (int64_t j = 0; j < q; j++) {
        double sum = 0;
        for (int s = 0; s < r; s++)
            sum += to[j * r + s];
        for (int s = 0; s < r; s++)
            to[j * r + s] =
                sum > 0 ? (to[j * r + s] + add) / (sum + r * add) : 1.0 / r;
    }
    return to;
}

static void equals_counting_row_by_row_for_any_threads(void **state)
{
    static const char *const threads[] = {"1", "2", "8"};
    struct bestdag_run *run = *state;
    for (uint64_t seed = 0; seed < 24; seed++) {
        struct bestdag_network *net =
            nets_random(run, (struct shape){.seed = seed,
                                            .n = 2 + (int)seed % 9,
                                            .least_states = 1,
                                            .most_states = seed % 4 ? 4 : 290,
                                            .most_parents = seed % 4 ? 3 : 1});
        struct bestdag_table *t = nets_table(run, net, (int64_t)seed * 500,
                                             seed % 2 ? 0 : 0.02, seed);
        if (seed % 3 == 0 && t->rows) {
            t->weights = bestdag_alloc(run, (size_t)t->rows * 4);
            for (int64_t r = 0; r < t->rows; r++)
                t->weights[r] = (int32_t)(r % 7) * 1000;
        }
        struct bestdag_options *options =
            option(run, "pseudo", seed % 2 ? "0" : "0.25");
        bestdag_run_set(run, "threads", threads[seed % 3]);
        struct bestdag_network *fitted =
            bestdag_network_fit(run, net, t, options);
        assert_non_null(fitted);
        for (int v = 0; v < net->dag->n; v++) {
            double *want = count_slowly(net, t, v, seed % 2 ? 0 : 0.25);
            assert_table(fitted, v, want);
            free(want);
        }
        bestdag_options_free(options);
        bestdag_network_free(fitted);
        bestdag_network_free(net);
        bestdag_table_free(t);
    }
}

static void rows_with_missing_values_are_counted_and_told(void **state)
{
    struct bestdag_run *run = *state;
    struct notes notes = {""};
    struct bestdag_table *t = six_rows(run);
    struct bestdag_network *net = arc(run, t);
    ((uint8_t *)t->column[1].cells)[2] = BESTDAG_MISSING_1;
    t->column[1].missing = 1;
    bestdag_run_on_progress(run, notes_add, &notes);
    struct bestdag_network *fitted = fit_plainly(run, net, t);
    assert_non_null(fitted);
    assert_table(fitted, 0, (double[]){0.6, 0.4});
    assert_table(fitted, 1, (double[]){1, 0, 0, 0.5, 0.5, 0});
    assert_string_equal(bestdag_network_noted(fitted, "rows"), "5");
    assert_string_equal(notes.text,
                        "1 of 6 rows have a missing value and are not used\n");
    bestdag_network_free(fitted);
    bestdag_network_free(net);
    bestdag_table_free(t);
}

static void tables_that_cannot_be_held_are_refused(void **state)
{
    struct bestdag_run *run = *state;
    int parents[40];
    struct bestdag_table *t = bestdag_table_new(run, 1);
    const int8_t zero = 0;
    for (int v = 0; v < 41; v++) {
        char name[16];
        snprintf(name, sizeof name, "v%d", v);
        bestdag_table_add_codes(run, t, name, &zero, 1, 2, NULL);
        if (v < 40)
            parents[v] = v;
    }
    struct bestdag_network *net = bestdag_network_new(run, t);
    bestdag_network_set_parents(run, net, 40, parents, 40);
    assert_null(fit_plainly(run, net, t));
    assert_error(run, BESTDAG_MEMORY, "table of 'v40' with 40 parents");
    bestdag_network_set_parents(run, net, 40, parents, 20);
    bestdag_run_set(run, "memory-limit", "10M");
    assert_null(fit_plainly(run, net, t));
    assert_error(run, BESTDAG_MEMORY, "needs 16");
    bestdag_network_free(net);
    bestdag_table_free(t);
}

static void a_stop_ends_it(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_table *t = six_rows(run);
    struct bestdag_network *net = arc(run, t);
    bestdag_run_stop(run);
    assert_null(fit_plainly(run, net, t));
    assert_error(run, BESTDAG_FAILED, "stopped before");
    bestdag_network_free(net);
    bestdag_table_free(t);
}

static void every_allocation_may_fail(void **state)
{
    struct bestdag_run *run = *state;
    struct notes notes = {""};
    struct bestdag_table *t = six_rows(run), *u = bestdag_table_new(run, 2);
    const char *const other[] = {"mid", "big"};
    const int8_t codes[] = {0, 1}, gap[] = {-1, 1};
    bestdag_table_add_codes(run, u, "b", gap, 1, 2, other);
    bestdag_table_add_codes(run, u, "a", codes, 1, 2, yes_no);
    bestdag_table_add_codes(run, u, "c", codes, 1, 2, NULL);
    struct bestdag_network *net = arc(run, t);
    bestdag_run_on_progress(run, notes_add, &notes);
    bestdag_run_set(run, "threads", "2");
    for (int64_t n = 1;; n++) {
        bestdag_memory_fail_at(run, n);
        struct bestdag_network *fitted = fit_plainly(run, net, u);
        bestdag_memory_fail_at(run, 0);
        assert_true(n < 1000);
        if (fitted) {
            assert_true(n > 20);
            bestdag_network_free(fitted);
            break;
        }
        assert_error(run, BESTDAG_MEMORY, "");
    }
    bestdag_network_free(net);
    bestdag_table_free(t);
    bestdag_table_free(u);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(maximum_likelihood_is_the_share),
        TEST(priors_are_added),
        TEST(by_default_no_probability_is_0),
        TEST(more_entries_than_asked_for_are_refused),
        TEST(columns_and_states_are_matched_by_name),
        TEST(what_does_not_match_is_named),
        TEST(a_bare_structure_takes_the_states_of_the_table),
        TEST(a_column_without_values_gives_no_states),
        TEST(few_labels_are_found_among_many_states),
        TEST(rows_never_seen_are_uniform_and_told),
        TEST(the_note_names_those_with_most_rows_first),
        TEST(equals_counting_row_by_row_for_any_threads),
        TEST(rows_with_missing_values_are_counted_and_told),
        TEST(tables_that_cannot_be_held_are_refused),
        TEST(a_stop_ends_it),
        TEST(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
