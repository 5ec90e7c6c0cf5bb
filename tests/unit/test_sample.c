/* SPDX-License-Identifier: MIT */
/* test_sample.c -- sampling: exactness where there is no chance, chi-square
 * where there is. */
#include "nets.h"

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

static int *codes_of(const struct bestdag_table *t, int column)
{
    int *codes = malloc((size_t)t->rows * sizeof *codes + 1);
    assert_int_equal(bestdag_table_codes(t, column, 0, (int)t->rows, codes),
                     t->rows);
    return codes;
}

/* How many standard deviations a chi-square sum lies above its mean, by Wilson
 * and Hilferty's cube root. Cells below 8 expected are joined. */
struct chi {
    double sum, expected, observed;
    int cells;
};

static void chi_flush(struct chi *c)
{
    if (c->expected > 0) {
        double d = c->observed - c->expected;
        c->sum += d * d / c->expected;
        c->cells++;
    }
    c->expected = c->observed = 0;
}

static void chi_add(struct chi *c, double observed, double expected)
{
    c->observed += observed;
    c->expected += expected;
    if (c->expected >= 8)
        chi_flush(c);
}

static double chi_deviations(struct chi *c, int fixed)
{
    chi_flush(c);
    double k = c->cells - fixed;
    if (k < 1)
        return 0;
    return (cbrt(c->sum / k) - (1 - 2 / (9 * k))) / sqrt(2 / (9 * k));
}

/* Against the joint distribution of all variables. */
static void assert_joint(const struct bestdag_network *net,
                         const struct bestdag_table *t, uint64_t seed)
{
    int n = net->dag->n, all[16], *codes[16];
    for (int v = 0; v < n; v++) {
        all[v] = v;
        codes[v] = codes_of(t, v);
    }
    int64_t cells = nets_cells(net, all, n);
    double *want = nets_enumerate(net, all, n);
    double *got = calloc((size_t)cells, sizeof *got);
    for (int64_t r = 0; r < t->rows; r++) {
        int64_t at = 0;
        for (int v = 0; v < n; v++)
            at = at * net->variable[v].states + codes[v][r];
        got[at]++;
    }
    struct chi chi = {0};
    for (int64_t i = 0; i < cells; i++) {
        if (want[i] == 0)
            assert_true(got[i] == 0);
        chi_add(&chi, got[i], want[i] * (double)t->rows);
    }
    double z = chi_deviations(&chi, 1);
    if (!(fabs(z) < 4.5))
        fail_msg("seed %llu: %.2f deviations", (unsigned long long)seed, z);
    for (int v = 0; v < n; v++)
        free(codes[v]);
    free(want);
    free(got);
}

static void has_the_joint_distribution(void **state)
{
    struct bestdag_run *run = *state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct bestdag_network *net =
            nets_random(run, (struct shape){.seed = seed,
                                            .n = 1 + (int)seed % 6,
                                            .least_states = 1 + (int)seed % 2,
                                            .most_states = 5,
                                            .most_parents = 3,
                                            .zeros = seed % 3 ? 0 : 0.5});
        run->seed = seed;
        struct bestdag_table *t = bestdag_network_sample(run, net, 50000);
        assert_non_null(t);
        assert_joint(net, t, seed);
        bestdag_table_free(t);
        bestdag_network_free(net);
    }
}

static void has_the_distribution_of_each_table_row(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net =
        nets_random(run, (struct shape){.seed = 11,
                                        .n = 60,
                                        .least_states = 2,
                                        .most_states = 9,
                                        .most_parents = 2});
    struct bestdag_table *t = bestdag_network_sample(run, net, 200000);
    double squares = 0;
    int rows = 0;
    assert_non_null(t);
    for (int v = 0; v < net->dag->n; v++) {
        const struct bestdag_variable *x = &net->variable[v];
        const struct bestdag_parents *p = &net->dag->parents[v];
        int64_t q = bestdag_network_configurations(net, v);
        double *count = calloc((size_t)(q * x->states), sizeof *count);
        for (int64_t r = 0; r < t->rows; r++) {
            int64_t j = 0;
            for (int i = 0; i < p->count; i++)
                j = j * net->variable[p->at[i]].states +
                    bestdag_column_code(&t->column[p->at[i]], r);
            count[j * x->states + bestdag_column_code(&t->column[v], r)]++;
        }
        for (int64_t j = 0; j < q; j++) {
            double all = 0;
            struct chi chi = {0};
            for (int s = 0; s < x->states; s++)
                all += count[j * x->states + s];
            for (int s = 0; s < x->states; s++)
                chi_add(&chi, count[j * x->states + s],
                        all * x->table[j * x->states + s]);
            double z = chi_deviations(&chi, 1);
            assert_true(fabs(z) < 5);
            squares += z * z;
            rows++;
        }
        free(count);
    }
    assert_true(rows > 500); /* and together they vary as chance does */
    assert_true(fabs(squares / rows - 1) < 0.2);
    bestdag_table_free(t);
    bestdag_network_free(net);
}

static void agrees_with_elimination(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net =
        nets_random(run, (struct shape){.seed = 21,
                                        .n = 80,
                                        .least_states = 2,
                                        .most_states = 5,
                                        .most_parents = 2,
                                        .zeros = 0.1});
    struct bestdag_table *t = bestdag_network_sample(run, net, 100000);
    assert_non_null(t);
    for (int v = 0; v < net->dag->n; v++) {
        double p[5], count[5] = {0};
        int states = net->variable[v].states;
        struct chi chi = {0};
        assert_int_equal(bestdag_network_joint(run, net, &v, 1, p, states),
                         BESTDAG_OK);
        for (int64_t r = 0; r < t->rows; r++)
            count[bestdag_column_code(&t->column[v], r)]++;
        for (int s = 0; s < states; s++)
            chi_add(&chi, count[s], p[s] * (double)t->rows);
        assert_true(fabs(chi_deviations(&chi, 1)) < 4.5);
    }
    bestdag_table_free(t);
    bestdag_network_free(net);
}

/* Independent coins: neighbours in a column and in a row know nothing of each
 * other, at distances around every period that the generator's layout has. */
static void rows_and_columns_are_independent(void **state)
{
    enum { ROWS = 1 << 17, COINS = 3 };
    static const int lags[] = {1,   2,    3,    4,    7,    8,    9,   15,
                               16,  17,   31,   32,   33,   64,   128, 256,
                               512, 1024, 2047, 2048, 2049, 4096, 8192};
    struct bestdag_run *run = *state;
    struct bestdag_network *net = bestdag_network_empty(run, COINS);
    int *codes[COINS];
    for (int v = 0; v < COINS; v++) {
        nets_name(run, net, v, 2);
        bestdag_network_set_table(run, net, v, NULL, 0, (double[]){0.5, 0.5});
    }
    struct bestdag_table *t = bestdag_network_sample(run, net, ROWS);
    assert_non_null(t);
    for (int v = 0; v < COINS; v++)
        codes[v] = codes_of(t, v);
    for (int a = 0; a < COINS; a++)
        for (int b = a; b < COINS; b++)
            for (size_t i = 0; i <= sizeof lags / sizeof *lags; i++) {
                int lag = i ? lags[i - 1] : 0, same = 0;
                if (a == b && !lag)
                    continue;
                for (int r = 0; r + lag < ROWS; r++)
                    same += codes[a][r] == codes[b][r + lag];
                double n = ROWS - lag, z = (2 * same - n) / sqrt(n);
                if (fabs(z) > 4.5)
                    fail_msg("coins %d, %d at distance %d: %.2f deviations", a,
                             b, lag, z);
            }
    for (int v = 0; v < COINS; v++)
        free(codes[v]);
    bestdag_table_free(t);
    bestdag_network_free(net);
}

static void assert_same_rows(const struct bestdag_table *a,
                             const struct bestdag_table *b, int64_t rows)
{
    assert_int_equal(a->columns, b->columns);
    for (int c = 0; c < a->columns; c++)
        assert_memory_equal(a->column[c].cells, b->column[c].cells,
                            (size_t)rows * (size_t)a->column[c].bytes);
}

static struct bestdag_table *sample_with(struct bestdag_run *run,
                                         const struct bestdag_network *net,
                                         int64_t rows, const char *threads)
{
    bestdag_run_set(run, "threads", threads);
    struct bestdag_table *t = bestdag_network_sample(run, net, rows);
    assert_non_null(t);
    return t;
}

static void threads_do_not_change_it_and_fewer_rows_are_a_beginning(
    void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net =
        nets_random(run, (struct shape){.seed = 5,
                                        .n = 40,
                                        .least_states = 1,
                                        .most_states = 300,
                                        .most_parents = 1,
                                        .zeros = 0.3});
    struct bestdag_table *one = sample_with(run, net, 60001, "1");
    struct bestdag_table *two = sample_with(run, net, 60001, "2");
    struct bestdag_table *eight = sample_with(run, net, 60001, "8");
    struct bestdag_table *few = sample_with(run, net, 2500, "2");
    assert_same_rows(one, two, 60001);
    assert_same_rows(one, eight, 60001);
    assert_same_rows(one, few, 2500);
    bestdag_run_set(run, "seed", "2");
    struct bestdag_table *other = sample_with(run, net, 2500, "2");
    int differ = 0;
    for (int c = 0; c < other->columns; c++)
        differ +=
            memcmp(few->column[c].cells, other->column[c].cells, 2500) != 0;
    assert_true(differ > 30);
    bestdag_table_free(one);
    bestdag_table_free(two);
    bestdag_table_free(eight);
    bestdag_table_free(few);
    bestdag_table_free(other);
    bestdag_network_free(net);
}

/* A constant root, what follows from it, and an exclusive or of two coins; with
 * more than 255 states in some. */
static void what_is_certain_is_exact(void **state)
{
    enum { WIDE = 300 };
    struct bestdag_run *run = *state;
    struct bestdag_network *net = bestdag_network_empty(run, 6);
    static double wide[WIDE], copy[2 * WIDE];
    const int states[] = {WIDE, 2, 2, 2, WIDE, 2};
    for (int v = 0; v < 6; v++)
        nets_name(run, net, v, states[v]);
    wide[257] = 1;
    bestdag_network_set_table(run, net, 0, NULL, 0, wide);
    bestdag_network_set_table(run, net, 1, NULL, 0, (double[]){0.3, 0.7});
    bestdag_network_set_table(run, net, 2, NULL, 0, (double[]){0.6, 0.4});
    bestdag_dag_set_parents(run, net->dag, 3, (int[]){1, 2}, 2);
    bestdag_network_set_table(run, net, 3, (int[]){1, 2}, 2,
                              (double[]){1, 0, 0, 1, 0, 1, 1, 0});
    bestdag_dag_set_parents(run, net->dag, 4, (int[]){3}, 1);
    copy[299] = copy[WIDE + 256] = 1;
    bestdag_network_set_table(run, net, 4, (int[]){3}, 1, copy);
    static double last[2 * WIDE];
    for (int i = 0; i < WIDE; i++) /* 1 for state 257 only */
        last[2 * i + (i == 257)] = 1;
    bestdag_dag_set_parents(run, net->dag, 5, (int[]){0}, 1);
    bestdag_network_set_table(run, net, 5, (int[]){0}, 1, last);
    struct bestdag_table *t = bestdag_network_sample(run, net, 5000);
    assert_non_null(t);
    int *codes[6];
    for (int v = 0; v < 6; v++)
        codes[v] = codes_of(t, v);
    for (int r = 0; r < 5000; r++) {
        assert_int_equal(codes[0][r], 257);
        assert_int_equal(codes[3][r], codes[1][r] ^ codes[2][r]);
        assert_int_equal(codes[4][r], codes[3][r] ? 256 : 299);
        assert_int_equal(codes[5][r], 1);
    }
    for (int v = 0; v < 6; v++)
        free(codes[v]);
    bestdag_table_free(t);
    bestdag_network_free(net);
}

static void names_and_labels_come_along(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net = nets_random(
        run,
        (struct shape){.seed = 1, .n = 3, .least_states = 2, .most_states = 4});
    struct bestdag_table *t = bestdag_network_sample(run, net, 0);
    assert_non_null(t);
    assert_int_equal(bestdag_table_rows(t), 0);
    assert_int_equal(bestdag_table_columns(t), 3);
    assert_string_equal(bestdag_table_name(t, 2), "v2");
    assert_int_equal(bestdag_table_states(t, 1), net->variable[1].states);
    assert_string_equal(bestdag_table_label(t, 1, 1), "l1");
    bestdag_table_free(t);
    bestdag_network_free(net);
}

static void wrong_questions_are_refused(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net = nets_random(
        run,
        (struct shape){.seed = 1, .n = 3, .least_states = 2, .most_states = 4});
    assert_null(bestdag_network_sample(run, net, -1));
    assert_error(run, BESTDAG_USAGE, "-1 rows");
    bestdag_run_set(run, "memory-limit", "1M");
    assert_null(bestdag_network_sample(run, net, 1000000));
    assert_error(run, BESTDAG_MEMORY, "1000000 rows and 3 columns needs");
    assert_null(bestdag_network_sample(run, net, INT64_MAX));
    assert_error(run, BESTDAG_MEMORY, "needs");
    bestdag_free(net->variable[0].table);
    net->variable[0].table = NULL;
    assert_null(bestdag_network_sample(run, net, 10));
    assert_error(run, BESTDAG_USAGE, "fit it first");
    bestdag_network_free(net);
}

static void a_stop_leaves_whole_rows(void **state)
{
    struct bestdag_run *run = *state;
    struct notes notes = {""};
    struct bestdag_network *net = nets_random(
        run,
        (struct shape){.seed = 1, .n = 3, .least_states = 2, .most_states = 4});
    bestdag_run_on_progress(run, notes_add, &notes);
    bestdag_run_stop(run);
    struct bestdag_table *t = bestdag_network_sample(run, net, 100);
    assert_non_null(t);
    assert_int_equal(bestdag_table_rows(t), 0);
    assert_non_null(strstr(notes.text, "stopped after 0 of 100 rows"));
    bestdag_table_free(t);
    bestdag_network_free(net);
}

static void every_allocation_may_fail(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net =
        nets_random(run, (struct shape){.seed = 2,
                                        .n = 4,
                                        .least_states = 2,
                                        .most_states = 3,
                                        .most_parents = 2});
    bestdag_run_set(run, "threads", "2");
    for (int64_t n = 1;; n++) {
        bestdag_memory_fail_at(run, n);
        struct bestdag_table *t = bestdag_network_sample(run, net, 10);
        bestdag_memory_fail_at(run, 0);
        assert_true(n < 1000);
        if (t) {
            assert_true(n > 20);
            bestdag_table_free(t);
            break;
        }
        assert_error(run, BESTDAG_MEMORY, "");
    }
    bestdag_network_free(net);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(has_the_joint_distribution),
        TEST(has_the_distribution_of_each_table_row),
        TEST(agrees_with_elimination),
        TEST(rows_and_columns_are_independent),
        TEST(threads_do_not_change_it_and_fewer_rows_are_a_beginning),
        TEST(what_is_certain_is_exact),
        TEST(names_and_labels_come_along),
        TEST(wrong_questions_are_refused),
        TEST(a_stop_leaves_whole_rows),
        TEST(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
