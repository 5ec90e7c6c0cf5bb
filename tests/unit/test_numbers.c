/* SPDX-License-Identifier: MIT */
/* test_numbers.c -- networks with numbers: building, checking, fitting against
 * least squares by elimination, JSON. */
#include "mixed_nets.h"

#include "base/cholesky.h"
#include "formats/format.h"

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

/* ---- least squares, another way --------------------------------------------
 */

/* Normal equations of raw values in long double, by elimination with pivots. */
static void slow_regression(const struct bestdag_network *net,
                            const struct bestdag_table *t, int v, int64_t j,
                            double *term, int64_t *rows)
{
    int parent[MIXED_MOST], k = bestdag_network_numeric_parents(net, v, parent);
    long double a[MIXED_MOST][MIXED_MOST + 1] = {{0}}, rss = 0;
    const double *y = t->column[v].cells;
    *rows = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t r = 0; r < t->rows; r++) {
            int state[MIXED_MOST] = {0};
            long double x[MIXED_MOST] = {1}, rest = y[r];
            for (int u = 0; u < net->dag->n; u++)
                if (!net->variable[u].is_number)
                    state[u] = bestdag_column_code(&t->column[u], r);
            if (j >= 0 && mixed_configuration(net, v, state) != j)
                continue;
            for (int i = 0; i < k; i++)
                x[i + 1] = ((const double *)t->column[parent[i]].cells)[r];
            for (int i = 0; i <= k; i++)
                rest -= term[i] * x[i];
            rss += pass ? rest * rest : 0;
            *rows += !pass;
            for (int i = 0; i <= k && !pass; i++) {
                for (int l = 0; l <= k; l++)
                    a[i][l] += x[i] * x[l];
                a[i][k + 1] += x[i] * y[r];
            }
        }
        for (int c = 0; c <= k && !pass; c++) {
            int best = c;
            for (int i = c + 1; i <= k; i++)
                if (fabsl(a[i][c]) > fabsl(a[best][c]))
                    best = i;
            for (int l = 0; l <= k + 1; l++) {
                long double swap = a[c][l];
                a[c][l] = a[best][l];
                a[best][l] = swap;
            }
            for (int i = 0; i <= k; i++) {
                long double f = i == c ? 0 : a[i][c] / a[c][c];
                for (int l = c; l <= k + 1; l++)
                    a[i][l] -= f * a[c][l];
            }
        }
        for (int i = 0; i <= k && !pass; i++)
            term[i] = (double)(a[i][k + 1] / a[i][i]);
    }
    term[k + 1] = sqrt((double)(rss / *rows));
}

static void check_regressions(const struct bestdag_network *fitted,
                              const struct bestdag_table *t, uint64_t seed)
{
    for (int v = 0; v < fitted->dag->n; v++) {
        const struct bestdag_variable *x = &fitted->variable[v];
        int64_t q = bestdag_network_configurations(fitted, v), rows, all;
        int terms = bestdag_network_terms(fitted, v);
        for (int64_t j = 0; x->is_number && j < q; j++) {
            double want[MIXED_MOST] = {0};
            slow_regression(fitted, t, v, j, want, &rows);
            assert_int_equal(x->counts[j], rows);
            if (rows < terms) { /* then that of all rows */
                memset(want, 0, sizeof want);
                slow_regression(fitted, t, v, -1, want, &all);
            }
            for (int i = 0; i < terms; i++)
                if (!(fabs(x->regression[j * terms + i] - want[i]) <=
                      1e-7 * (1 + fabs(want[i]))))
                    fail_msg("seed %llu, variable %d, configuration %lld, term "
                             "%d: %.17g is not %.17g",
                             (unsigned long long)seed, v, (long long)j, i,
                             x->regression[j * terms + i], want[i]);
        }
    }
}

static void regressions_are_least_squares(void **state)
{
    struct bestdag_run *run = *state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct mixed_shape shape = {seed, 7, 3, seed % 2 ? 0.6 : 1, 0};
        struct bestdag_network *net = mixed_random(run, shape);
        struct bestdag_table *t = mixed_table(run, net, 60, seed);
        struct bestdag_network *fitted = bestdag_network_fit(run, net, t, NULL),
                               *back;
        if (!fitted)
            fail_msg("seed %llu: %s", (unsigned long long)seed,
                     bestdag_run_error(run));
        check_regressions(fitted, t, seed);
        int64_t size;
        char *text = bestdag_network_text(run, fitted, "json", &size);
        back = bestdag_network_parse(run, "x.json", text, size);
        assert_non_null(back);
        for (int v = 0; v < 7; v++) {
            const struct bestdag_variable *x = &fitted->variable[v];
            assert_int_equal(back->variable[v].is_number, x->is_number);
            if (x->is_number)
                assert_memory_equal(
                    back->variable[v].regression, x->regression,
                    (size_t)bestdag_network_configurations(fitted, v) *
                        (size_t)bestdag_network_terms(fitted, v) *
                        sizeof(double));
        }
        char *again = bestdag_network_text(run, back, "json", NULL);
        assert_string_equal(text, again);
        bestdag_text_free(again);
        bestdag_text_free(text);
        bestdag_network_free(back);
        bestdag_network_free(fitted);
        bestdag_table_free(t);
        bestdag_network_free(net);
    }
}

/* ---- by hand ---------------------------------------------------------------
 */

/* c: no no no yes yes yes yes; x: 1 2 3 4 5 6 7; y = 2 x + 1 but for one. */
static struct bestdag_table *seven_rows(struct bestdag_run *run)
{
    static const char *const labels[] = {"no", "yes", "maybe"};
    const int8_t c[] = {0, 0, 0, 1, 1, 1, 1};
    const double x[] = {1, 2, 3, 4, 5, 6, 7};
    const double y[] = {3, 5, 7, 9, 11, 13, 19}, one[] = {4, 4, 4, 4, 4, 4, 4};
    struct bestdag_table *t = bestdag_table_new(run, 7);
    bestdag_table_add_codes(run, t, "c", c, 1, 3, labels);
    bestdag_table_add_numbers(run, t, "x", x);
    bestdag_table_add_numbers(run, t, "y", y);
    bestdag_table_add_numbers(run, t, "one", one);
    assert_int_equal(bestdag_run_status(run), BESTDAG_OK);
    return t;
}

static void singular_cases_are_stored_as_documented(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_table *t = seven_rows(run);
    struct bestdag_network *net = bestdag_network_new(run, t);
    bestdag_network_set_parents(run, net, 1, (int[]){0}, 1);       /* x | c */
    bestdag_network_set_parents(run, net, 2, (int[]){0, 1, 3}, 3); /* y | . */
    struct bestdag_network *fitted = bestdag_network_fit(run, net, t, NULL);
    assert_non_null(fitted);
    const double *x = fitted->variable[1].regression;
    assert_true(x[0] == 2 && fabs(x[1] - sqrt(2. / 3)) < 1e-15);
    assert_true(x[2] == 5.5 && fabs(x[3] - sqrt(5. / 4)) < 1e-15);
    assert_true(x[4] == 4 && x[5] == 2); /* no row: that of all */
    assert_int_equal(fitted->variable[1].counts[2], 0);
    /* 'one' is constant and has coefficient 0; three rows for 3 terms: all. */
    int64_t q;
    int terms;
    const double *y = bestdag_network_regression(fitted, 2, &q, &terms);
    assert_int_equal(q, 3);
    assert_int_equal(terms, 4);
    assert_true(y[2] == 0 && y[6] == 0);
    assert_memory_equal(y, y + 8, 4 * sizeof *y);
    assert_true(fabs(y[5] - 3.2) < 1e-12); /* slope of 9 11 13 19 */
    /* A column that is constant has standard deviation 0. */
    const double *one = bestdag_network_regression(fitted, 3, NULL, NULL);
    assert_true(one[0] == 4 && one[1] == 0);
    assert_string_equal(bestdag_network_noted(fitted, "unseen_rows"), "3");
    bestdag_network_free(fitted);
    bestdag_network_free(net);
    bestdag_table_free(t);
}

static void numbers_are_no_parents_of_states(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_table *t = seven_rows(run);
    struct bestdag_network *net = bestdag_network_new(run, t);
    assert_int_equal(bestdag_network_set_parents(run, net, 0, (int[]){1}, 1),
                     BESTDAG_INPUT);
    assert_non_null(strstr(bestdag_run_error(run), "'x' -> 'c'"));
    bestdag_run_clear(run);
    /* A bare structure is refused once the table says what is a number. */
    const char *const names[] = {"c", "x"};
    struct bestdag_network *bare = bestdag_network_build(run, 2, names);
    bestdag_network_set_parents(run, bare, 0, (int[]){1}, 1);
    assert_null(bestdag_network_fit(run, bare, t, NULL));
    assert_non_null(strstr(bestdag_run_error(run), "'x' -> 'c'"));
    bestdag_run_clear(run);
    bestdag_network_free(bare);
    bestdag_network_free(net);
    bestdag_table_free(t);
}

static void networks_with_numbers_are_built(void **state)
{
    struct bestdag_run *run = *state;
    const char *const names[] = {"a", "x", "y"};
    const char *const labels[] = {"0", "1"};
    struct bestdag_network *net = bestdag_network_build(run, 3, names);
    bestdag_network_set_states(run, net, 0, 2, labels);
    bestdag_network_set_number(run, net, 1);
    bestdag_network_set_number(run, net, 2);
    bestdag_network_set_parents(run, net, 2, (int[]){0, 1}, 2);
    assert_int_equal(bestdag_network_set_regression(
                         run, net, 2, (double[]){1, 2, 3, 4, 5, 6}, 6),
                     BESTDAG_OK);
    assert_int_equal(bestdag_network_is_number(net, 2), 1);
    assert_int_equal(bestdag_network_is_number(net, 0), 0);
    assert_true(bestdag_network_mean(net, 2, 1, (double[]){0, 10, 0}) == 54);
    const double bad[][2] = {{NAN, 1}, {0, -1}, {INFINITY, 1}, {0, 1e200}};
    for (int i = 0; i < 4; i++) {
        assert_int_not_equal(
            bestdag_network_set_regression(run, net, 1, bad[i], 2), BESTDAG_OK);
        bestdag_run_clear(run);
    }
    assert_int_not_equal(bestdag_network_set_regression(run, net, 1, bad[0], 3),
                         BESTDAG_OK);
    bestdag_run_clear(run);
    assert_int_not_equal(bestdag_network_set_number(run, net, 0), BESTDAG_OK);
    bestdag_run_clear(run);
    assert_int_not_equal(bestdag_network_set_states(run, net, 1, 2, labels),
                         BESTDAG_OK);
    bestdag_run_clear(run);
    bestdag_network_free(net);
}

/* Columns that were read as states because their numbers are few. */
static void labels_that_are_numbers_are_numbers(void **state)
{
    struct bestdag_run *run = *state;
    static const char *const labels[] = {"1", "2.5", "10"};
    static const char *const words[] = {"1", "b", "10"};
    const char *const names[] = {"x"};
    struct bestdag_network *net = bestdag_network_build(run, 1, names);
    bestdag_network_set_number(run, net, 0);
    for (int i = 0; i < 2; i++) {
        struct bestdag_table *t = bestdag_table_new(run, 4);
        bestdag_table_add_codes(run, t, "x", (int8_t[]){0, 1, 2, -1}, 1, 3,
                                i ? words : labels);
        struct bestdag_network *fitted = bestdag_network_fit(run, net, t, NULL);
        if (i)
            assert_non_null(strstr(bestdag_run_error(run),
                                   "column 'x' has 'b', expected a number"));
        else
            assert_true(fitted && fitted->variable[0].regression[0] == 4.5 &&
                        fitted->variable[0].counts[0] == 3);
        bestdag_run_clear(run);
        bestdag_network_free(fitted);
        bestdag_table_free(t);
    }
    bestdag_network_free(net);
}

static void weights_are_rows(void **state)
{
    struct bestdag_run *run = *state;
    const char *const names[] = {"x", "y"};
    struct bestdag_network *net = bestdag_network_build(run, 2, names);
    bestdag_network_set_parents(run, net, 1, (int[]){0}, 1);
    struct bestdag_table *a = bestdag_table_new(run, 4);
    struct bestdag_table *b = bestdag_table_new(run, 7);
    bestdag_table_add_numbers(run, a, "x", (double[]){1, 2, 4, 9});
    bestdag_table_add_numbers(run, a, "y", (double[]){3, 1, 5, 7});
    bestdag_table_set_weights(run, a, (int64_t[]){1, 2, 0, 4});
    bestdag_table_add_numbers(run, b, "x", (double[]){1, 2, 2, 9, 9, 9, 9});
    bestdag_table_add_numbers(run, b, "y", (double[]){3, 1, 1, 7, 7, 7, 7});
    struct bestdag_network *one = bestdag_network_fit(run, net, a, NULL);
    struct bestdag_network *two = bestdag_network_fit(run, net, b, NULL);
    assert_true(one && two);
    for (int v = 0; v < 2; v++)
        for (int i = 0; i < 2 + v; i++)
            assert_true(fabs(one->variable[v].regression[i] -
                             two->variable[v].regression[i]) < 1e-12);
    bestdag_network_free(one);
    bestdag_network_free(two);
    bestdag_network_free(net);
    bestdag_table_free(a);
    bestdag_table_free(b);
}

static void numbers_that_are_too_large_are_refused(void **state)
{
    struct bestdag_run *run = *state;
    const char *const names[] = {"x", "y"};
    struct bestdag_network *net = bestdag_network_build(run, 2, names);
    bestdag_network_set_parents(run, net, 1, (int[]){0}, 1);
    struct bestdag_table *t = bestdag_table_new(run, 4);
    bestdag_table_add_numbers(run, t, "x", (double[]){1e308, -1e308, 1e308, 3});
    bestdag_table_add_numbers(run, t, "y", (double[]){1, 2, 3, 5});
    assert_null(bestdag_network_fit(run, net, t, NULL));
    assert_non_null(strstr(bestdag_run_error(run), "too large"));
    bestdag_run_clear(run);
    bestdag_network_free(net);
    bestdag_table_free(t);
}

/* ---- files -----------------------------------------------------------------
 */

#define FILE_OF(VARIABLES)                                                     \
    "{\"bestdag\": \"network\", \"version\": 1, \"variables\": [" VARIABLES "]}"
#define X "{\"name\": \"x\", \"kind\": \"number\", "
#define Y "{\"name\": \"y\", \"kind\": \"number\", \"parents\": [\"x\"], "

static void bad_files_get_a_clear_line(void **state)
{
    struct bestdag_run *run = *state;
    static const char *const bad[][2] = {
        {FILE_OF(X "\"states\": [\"a\"]}"), "cannot have states"},
        {FILE_OF("{\"name\": \"x\", \"kind\": \"text\"}"), "\"number\" or"},
        {FILE_OF("{\"name\": \"x\", \"states\": [\"a\"], \"regressions\": "
                 "[]}"),
         "expected \"kind\""},
        {FILE_OF(X "\"table\": [[1]]}"), "unknown states"},
        {FILE_OF(X "\"regressions\": 3}"), "expected a list"},
        {FILE_OF(X "\"regressions\": []}"), "expected 1 regressions, found 0"},
        {FILE_OF(X "\"regressions\": [4]}"), "expected a regression"},
        {FILE_OF(X "\"regressions\": [{\"intercept\": 1}]}"),
         "expected a number for 'sd'"},
        {FILE_OF(X "\"regressions\": [{\"intercept\": \"a\", \"sd\": 1}]}"),
         "expected a number for 'intercept'"},
        {FILE_OF(X "\"regressions\": [{\"intercept\": 1, \"sd\": -1}]}"),
         "negative"},
        {FILE_OF(X "\"regressions\": [{\"intercept\": 1, \"sd\": 1e200}]}"),
         "standard deviation"},
        {FILE_OF(X "\"regressions\": [{\"intercept\": 1, \"sd\": 1, "
                   "\"coefficients\": {\"x\": 1}}]}"),
         "expected 0 coefficients"},
        {FILE_OF(X "\"parents\": []}, " Y
                   "\"regressions\": [{\"intercept\": 1, \"sd\": 1}]}"),
         "'coefficients'"},
        {FILE_OF(X "\"parents\": []}, " Y
                   "\"regressions\": [{\"intercept\": 1, \"sd\": 1, "
                   "\"coefficients\": {\"z\": 1}}]}"),
         "expected a number for 'x'"},
        {FILE_OF(X "\"parents\": []}, {\"name\": \"c\", \"states\": [\"a\"], "
                   "\"parents\": [\"x\"]}"),
         "'x' -> 'c'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct bestdag_network *net = bestdag_network_parse(
            run, "x.json", bad[i][0], (int64_t)strlen(bad[i][0]));
        if (net || !strstr(bestdag_run_error(run), bad[i][1]))
            fail_msg("%s: '%s'", bad[i][0], bestdag_run_error(run));
        bestdag_run_clear(run);
    }
}

static void other_formats_say_what_they_cannot_hold(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net =
        mixed_random(run, (struct mixed_shape){3, 6, 2, 0.5, 0});
    const struct bestdag_format *f;
    assert_true(bestdag_network_has_numbers(net));
    for (int i = 0; (f = bestdag_format_at(i)); i++) {
        if (!f->write || f->keeps == BESTDAG_KEEPS_PICTURE)
            continue;
        bool can = f->holds_numbers || f->keeps != BESTDAG_KEEPS_ALL;
        int64_t size;
        char *text = bestdag_network_text(run, net, f->name, &size);
        if (!can)
            assert_non_null(
                strstr(bestdag_run_error(run), "cannot hold variables"));
        assert_int_equal(can, text != NULL);
        bestdag_run_clear(run);
        bestdag_text_free(text);
    }
    bestdag_network_free(net);
}

/* L L' is the matrix, also where it has less than full rank. */
static void cholesky_factors_give_the_matrix(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct bestdag_random random = bestdag_random_init(seed, 5);
        int n = 1 + (int)(seed % 8);
        int rank = 1 + (int)bestdag_random_below(&random, (uint64_t)n);
        double b[8][8] = {{0}}, a[64] = {0}, l[64];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < rank; j++)
                b[i][j] = mixed_normal(&random);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                for (int k = 0; k < rank; k++)
                    a[i * n + j] += b[i][k] * b[j][k];
        memcpy(l, a, sizeof l);
        assert_int_equal(bestdag_cholesky(l, n, 1e-10), rank);
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= i; j++) {
                double sum = 0;
                for (int k = 0; k <= j; k++)
                    sum += l[i * n + k] * l[j * n + k];
                assert_true(fabs(sum - a[i * n + j]) < 1e-8);
            }
    }
    double not_one[4] = {1, 0, 2, 1};
    assert_int_equal(bestdag_cholesky(not_one, 2, 1e-10), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(regressions_are_least_squares, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(singular_cases_are_stored_as_documented,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(numbers_are_no_parents_of_states, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(networks_with_numbers_are_built, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(labels_that_are_numbers_are_numbers,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(weights_are_rows, setup, teardown),
        cmocka_unit_test_setup_teardown(numbers_that_are_too_large_are_refused,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(bad_files_get_a_clear_line, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(other_formats_say_what_they_cannot_hold,
                                        setup, teardown),
        cmocka_unit_test(cholesky_factors_give_the_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
