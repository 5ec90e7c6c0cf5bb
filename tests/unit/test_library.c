/* SPDX-License-Identifier: MIT */
/* What bindings build on: texts in memory instead of files, tables with
 * weights, candidate sets and networks that are put together by hand, local
 * scores that are made once. Each against the same thing by another way. */
#include <math.h>
#include <pthread.h>

#include "scratch.h"
#include "small_tables.h"

#include "parents/sets.h"

static const uint64_t SEED = 2301;

static struct bestdag_table *random_table(struct bestdag_run *run,
                                          struct bestdag_random *random,
                                          int64_t rows, int columns)
{
    struct bestdag_table *t = bestdag_table_new(run, rows);
    for (int c = 0; c < columns; c++)
        add_random_codes(run, t, random, 2 + c % 3, 0);
    return t;
}

/* ---- tables ---- */

static void a_table_as_text_is_the_table(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_random random = bestdag_random_init(SEED, 0);
    struct bestdag_table *t = random_table(run, &random, 50, 4);
    const char *formats[] = {"csv", "tsv", "arff"};
    for (int f = 0; f < COUNT(formats); f++) {
        int64_t size;
        char name[16];
        snprintf(name, sizeof name, "t.%s", formats[f]);
        char *text = bestdag_table_text(run, t, formats[f], &size);
        assert_fine(run);
        assert_int_equal(size, strlen(text));
        struct bestdag_table *u =
            bestdag_table_parse(run, name, text, size, NULL);
        char *again = bestdag_table_text(run, u, formats[f], NULL);
        assert_fine(run);
        assert_string_equal(text, again);
        assert_int_equal(bestdag_table_rows(u), 50);
        bestdag_text_free(again);
        bestdag_text_free(text);
        bestdag_table_free(u);
    }
    assert_null(bestdag_table_parse(run, "x.csv", "a,b\n1\n", 6, NULL));
    assert_failed(run, BESTDAG_INPUT, "x.csv:2");
    assert_null(bestdag_table_parse(run, "x.csv", NULL, 3, NULL));
    assert_failed(run, BESTDAG_USAGE, "no text");
    assert_null(bestdag_table_parse(run, "x.csv", "a", -1, NULL));
    assert_failed(run, BESTDAG_USAGE, "-1 bytes");
    assert_null(bestdag_table_text(run, t, "cvs", NULL));
    assert_failed(run, BESTDAG_USAGE, "csv");
    bestdag_table_free(t);
    bestdag_run_free(run);
}

/* A row of weight w is w rows. */
static void weights_are_rows(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_random random = bestdag_random_init(SEED + 1, 0);
    struct bestdag_table *t = random_table(run, &random, 40, 5);
    int64_t weights[40], total = 0;
    for (int r = 0; r < 40; r++)
        total += weights[r] = below(&random, 4);
    struct bestdag_table *rows = bestdag_table_new(run, total);
    for (int c = 0; c < 5; c++) {
        int codes[160], n = 0, cell[40];
        bestdag_table_codes(t, c, 0, 40, cell);
        for (int r = 0; r < 40; r++)
            for (int64_t i = 0; i < weights[r]; i++)
                codes[n++] = cell[r];
        bestdag_table_add_codes(run, rows, bestdag_table_name(t, c), codes,
                                sizeof *codes, bestdag_table_states(t, c),
                                NULL);
    }
    assert_int_equal(bestdag_table_set_weights(run, t, weights), BESTDAG_OK);
    assert_int_equal(bestdag_table_weight(t, 3), weights[3]);
    for (int child = 0; child < 5; child++) {
        double a, b;
        int parents[] = {(child + 1) % 5, (child + 3) % 5};
        bestdag_score(run, t, NULL, NULL, child, parents, 2, &a);
        bestdag_score(run, rows, NULL, NULL, child, parents, 2, &b);
        assert_fine(run);
        assert_float_equal(a, b, 1e-9);
    }
    weights[7] = -1;
    bestdag_table_set_weights(run, t, weights);
    assert_failed(run, BESTDAG_USAGE, "row 7: a weight of -1");
    assert_int_equal(bestdag_table_weight(t, 3), weights[3]);
    bestdag_table_free(rows);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

/* ---- candidate sets ---- */

/* All lists of `from`, handed over in reverse. */
static struct bestdag_sets *rebuild(struct bestdag_run *run,
                                    const struct bestdag_sets *from)
{
    int n = bestdag_sets_variables(from);
    const char *names[16];
    for (int v = 0; v < n; v++)
        names[v] = bestdag_sets_name(from, v);
    struct bestdag_sets *to = bestdag_sets_build(run, n, names);
    for (int v = 0; to && v < n; v++) {
        int count = bestdag_sets_count(from, v), used = 0;
        double *score = malloc((size_t)count * sizeof *score);
        int64_t *start = malloc((size_t)(count + 1) * sizeof *start);
        int *parents = malloc((size_t)count * 16 * sizeof *parents);
        start[0] = 0;
        for (int i = 0; i < count; i++) {
            used += bestdag_sets_get(from, v, count - 1 - i, &score[i],
                                     parents + used, 16);
            start[i + 1] = used;
        }
        bestdag_sets_set_list(run, to, v, count, score, start, parents);
        free(score);
        free(start);
        free(parents);
    }
    return to;
}

static void sets_by_hand_are_the_sets(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_random random = bestdag_random_init(SEED + 2, 0);
    struct bestdag_table *t = random_table(run, &random, 30, 8);
    struct bestdag_options *options = bestdag_options_new(run);
    bestdag_options_set(run, options, "score", "aic");
    struct bestdag_sets *sets = bestdag_sets_find(run, t, NULL, options);
    struct bestdag_sets *built = rebuild(run, sets);
    assert_fine(run);
    int64_t size;
    char *text = bestdag_sets_text(run, sets, NULL, &size);
    char *again = bestdag_sets_text(run, built, NULL, NULL);
    assert_string_equal(text, again);
    struct bestdag_sets *read = bestdag_sets_parse(run, "x.jkl", text, size);
    assert_fine(run);
    struct bestdag_result *a = bestdag_solve(run, built, NULL, NULL);
    struct bestdag_result *b = bestdag_solve(run, read, NULL, NULL);
    assert_fine(run);
    assert_string_equal(bestdag_result_text(a, "status"), "optimal");
    assert_float_equal(bestdag_result_number(a, "score"),
                       bestdag_result_number(b, "score"), 1e-9);
    assert_true(isinf(bestdag_sets_ceiling(built, 0)));
    bestdag_result_free(a);
    bestdag_result_free(b);
    bestdag_text_free(text);
    bestdag_text_free(again);
    bestdag_sets_free(read);
    bestdag_sets_free(built);
    bestdag_sets_free(sets);
    bestdag_options_free(options);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void bad_sets_are_refused(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const char *same[] = {"a", "a"}, *names[] = {"a", "b", "c"};
    assert_null(bestdag_sets_build(run, 2, same));
    assert_failed(run, BESTDAG_USAGE, "two variables are called 'a'");
    struct bestdag_sets *sets = bestdag_sets_build(run, 3, names);
    assert_int_equal(bestdag_sets_count(sets, 2), 1);
    const double score[] = {-1, -2};
    const int64_t start[] = {0, 2, 2}, back[] = {2, 0, 0};
    const int self[] = {1, 0}, twice[] = {1, 1}, far[] = {1, 3};
    const int *bad[] = {self, twice, far};
    for (int i = 0; i < 3; i++) {
        bestdag_sets_set_list(run, sets, 0, 2, score, start, bad[i]);
        assert_failed(run, BESTDAG_USAGE, "has the parent");
    }
    bestdag_sets_set_list(run, sets, 0, 2, score, back, twice);
    assert_failed(run, BESTDAG_USAGE, "-2 parents");
    bestdag_sets_set_list(run, sets, 0, 1, (const double[]){NAN}, start, far);
    assert_failed(run, BESTDAG_USAGE, "score");
    bestdag_sets_set_list(run, sets, 3, 1, score, start, far);
    assert_failed(run, BESTDAG_USAGE, "variable 3");
    assert_int_equal(bestdag_sets_count(sets, 0), 1);
    bestdag_sets_free(sets);
    bestdag_run_free(run);
}

/* ---- networks ---- */

static void a_network_by_hand_is_the_network(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const char *names[] = {"fog", "horn"}, *fog[] = {"no", "yes"};
    const char *horn[] = {"off", "low", "high"};
    const double p[] = {.75, .25}, q[] = {.5, .25, .25, 0, .5, .5};
    struct bestdag_network *net = bestdag_network_build(run, 2, names);
    const int parent = 0;
    bestdag_network_set_states(run, net, 0, 2, fog);
    bestdag_network_set_states(run, net, 1, 3, horn);
    bestdag_network_set_parents(run, net, 1, &parent, 1);
    bestdag_network_set_probabilities(run, net, 0, p, 2);
    bestdag_network_set_probabilities(run, net, 1, q, 6);
    assert_fine(run);
    int64_t size;
    char *text = bestdag_network_text(run, net, "bif", &size);
    struct bestdag_network *read =
        bestdag_network_parse(run, "x.bif", text, size);
    struct bestdag_network *sniffed =
        bestdag_network_parse(run, "memory", text, size);
    assert_fine(run);
    double joint[6];
    const int both[] = {0, 1};
    bestdag_network_joint(run, read, both, 2, joint, 6);
    assert_fine(run);
    for (int i = 0; i < 6; i++)
        assert_float_equal(joint[i], p[i / 3] * q[i], 1e-12);
    assert_int_equal(bestdag_network_variables(sniffed), 2);
    /* what is wrong leaves what was there */
    const double bad[] = {.5, .6};
    bestdag_network_set_probabilities(run, net, 0, bad, 2);
    assert_failed(run, BESTDAG_INPUT, "sums to 1.1");
    bestdag_network_set_probabilities(run, net, 1, bad, 2);
    assert_failed(run, BESTDAG_USAGE, "2 numbers, expected 6");
    bestdag_network_set_states(run, net, 0, 2, fog);
    assert_failed(run, BESTDAG_USAGE, "once");
    char *same = bestdag_network_text(run, net, "bif", NULL);
    assert_string_equal(text, same);
    bestdag_text_free(same);
    bestdag_text_free(text);
    bestdag_network_free(sniffed);
    bestdag_network_free(read);
    bestdag_network_free(net);
    bestdag_run_free(run);
}

/* ---- local scores ---- */

struct reader {
    const struct bestdag_local_scores *scores;
    double sum;
};

static void *read_all(void *arg)
{
    struct reader *r = arg;
    struct bestdag_run *run = bestdag_run_new();
    for (int round = 0; round < 20; round++)
        for (int child = 0; child < 6; child++) {
            int parents[] = {(child + 2) % 6, (child + 1) % 6};
            double score = NAN;
            bestdag_local_scores_get(run, r->scores, child, parents, 2, &score);
            r->sum += score;
        }
    bestdag_run_free(run);
    return NULL;
}

static void local_scores_serve_several_threads(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_random random = bestdag_random_init(SEED + 3, 0);
    struct bestdag_table *t = random_table(run, &random, 200, 6);
    struct bestdag_local_scores *scores =
        bestdag_local_scores_new(run, t, NULL, NULL);
    assert_fine(run);
    struct reader reader[3] = {{scores, 0}, {scores, 0}, {scores, 0}};
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, read_all, &reader[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    double sum = 0;
    for (int round = 0; round < 20; round++)
        for (int child = 0; child < 6; child++) {
            int parents[] = {(child + 1) % 6, (child + 2) % 6};
            double score = NAN;
            bestdag_score(run, t, NULL, NULL, child, parents, 2, &score);
            sum += score;
        }
    assert_fine(run);
    assert_true(sum < 0 && reader[0].sum == sum && reader[1].sum == sum);
    double x;
    const int self[] = {1};
    bestdag_local_scores_get(run, scores, 1, self, 1, &x);
    assert_failed(run, BESTDAG_USAGE, "not a family");
    bestdag_local_scores_free(scores);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void the_version_is_that_of_the_header(void **state)
{
    (void)state;
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", BESTDAG_VERSION_MAJOR,
             BESTDAG_VERSION_MINOR, BESTDAG_VERSION_PATCH);
    assert_string_equal(bestdag_version(), text);
}

int main(void)
{
    printf("seed %llu\n", (unsigned long long)SEED);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_as_text_is_the_table),
        cmocka_unit_test(weights_are_rows),
        cmocka_unit_test(sets_by_hand_are_the_sets),
        cmocka_unit_test(bad_sets_are_refused),
        cmocka_unit_test(a_network_by_hand_is_the_network),
        cmocka_unit_test(local_scores_serve_several_threads),
        cmocka_unit_test(the_version_is_that_of_the_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
