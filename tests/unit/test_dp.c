/* SPDX-License-Identifier: MIT */
/* test_dp.c -- dynamic programming over subsets: the optimum by brute force for
 * every size of block, components, threads, stops, refusals with numbers, known
 * optima. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "problem/component.h"
#include "search/subsets/dp.h"
#include "solving.h"

enum { TRIALS = 150 };

static const uint64_t SEED = 20261116;

/* ---- the optimum -----------------------------------------------------------
 */

static void it_finds_and_proves_the_optimum(void **state)
{
    int proved = 0, impossible = 0;
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (uint64_t t = 0; t < TRIALS; t++) {
        struct world w = pose_random(shape_of(SEED, t), "dp");
        struct bestdag_outcome got;
        int64_t best = brute_optimum(w.problem);
        set(&w, "block", 3 + (int)(t % 6));
        int status = bestdag_search(&w.task, &got);
        if (best >= w.problem->none) {
            assert_int_equal(status, BESTDAG_INFEASIBLE);
            impossible++;
        } else {
            assert_int_equal(status, BESTDAG_OK);
            assert_string_equal(got.status, "optimal");
            assert_true(
                fabs(got.score - bestdag_problem_nats(w.problem, best)) < 1e-7);
            assert_true(got.bound >= got.score && got.bound < got.score + 1e-7);
            proved++;
        }
        bestdag_dag_free(got.dag);
        clear(&w);
    }
    print_message("%d proved, %d without a network\n", proved, impossible);
    assert_true(proved > TRIALS / 2 && impossible > 0);
}

/* Scores so far apart that a unit is a large part of a nat. */
static void coarse_units_do_not_hide_the_proof(void **state)
{
    (void)state;
    for (uint64_t t = 0; t < 20; t++) {
        struct bestdag_run *run = bestdag_run_new();
        struct bestdag_sets *sets = random_sets(
            run, (struct random_sets){
                     .seed = t, .n = 7, .sets = 20, .most_parents = 3});
        for (int v = 0; v < sets->n; v++)
            for (int64_t i = 0; i < sets->list[v].count; i++)
                sets->list[v].score[i] *= 1e8;
        struct world w = pose(run, sets, bestdag_solver_find("dp"));
        struct bestdag_outcome got;
        assert_true(w.problem->shift < 32);
        assert_int_equal(bestdag_search(&w.task, &got), BESTDAG_OK);
        assert_string_equal(got.status, "optimal");
        bestdag_dag_free(got.dag);
        clear(&w);
    }
}

static bool same_dag(const struct bestdag_dag *a, const struct bestdag_dag *b)
{
    for (int v = 0; v < a->n; v++)
        if (a->parents[v].count != b->parents[v].count ||
            (a->parents[v].count &&
             memcmp(a->parents[v].at, b->parents[v].at,
                    (size_t)a->parents[v].count * sizeof(int)) != 0))
            return false;
    return true;
}

/* 16 variables in blocks of 16 to 65,536 subsets. */
static void neither_threads_nor_blocks_change_the_answer(void **state)
{
    static const char *const threads[] = {"1", "2", "3", "8"};
    struct bestdag_dag *first = NULL;
    (void)state;
    for (int i = 0; i < 12; i++) {
        struct world w = pose_random((struct random_sets){.seed = 4,
                                                          .n = 16,
                                                          .sets = 200,
                                                          .most_parents = 5,
                                                          .levels = 9},
                                     "dp");
        struct bestdag_outcome got;
        bestdag_run_set(w.run, "threads", threads[i % 4]);
        set(&w, "block", 5 + i);
        assert_int_equal(bestdag_search(&w.task, &got), BESTDAG_OK);
        assert_string_equal(got.status, "optimal");
        if (!first)
            first = got.dag;
        assert_true(same_dag(first, got.dag));
        if (first != got.dag)
            bestdag_dag_free(got.dag);
        clear(&w);
    }
    bestdag_dag_free(first);
}

/* Sixty components of five; each variable also wants others before them. */
static struct bestdag_sets *many_components(struct bestdag_run *run)
{
    enum { VARIABLES = 300 };
    struct bestdag_sets *sets = bestdag_sets_new(run, VARIABLES);
    struct bestdag_random r = bestdag_random_init(SEED, 0);
    struct bestdag_collector *c = bestdag_collector_new(run);
    for (int v = 0; v < VARIABLES; v++) {
        sets->names[v] = bestdag_strdup(run, "x");
        bestdag_collector_add(c, NULL, 0, -50);
        for (int i = 0; i < 6; i++) {
            int base = v / 5 * 5, parents[2], count = 0;
            if (base > 0)
                parents[count++] =
                    (int)bestdag_random_below(&r, (uint64_t)base);
            int u = base + (int)bestdag_random_below(&r, 5);
            if (u != v)
                parents[count++] = u;
            bestdag_collector_add(c, parents, count,
                                  -40 * bestdag_random_unit(&r));
        }
        assert_int_equal(bestdag_collector_finish(c, true, &sets->list[v]), 0);
    }
    bestdag_collector_free(c);
    return sets;
}

/* No table of all subsets could hold them. */
static void many_small_components_are_proved(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct world w = pose(run, many_components(run), bestdag_solver_find("dp"));
    struct bestdag_outcome got;
    assert_in_range(bestdag_components_largest(run, w.problem), 3, 5);
    assert_int_equal(bestdag_search(&w.task, &got), BESTDAG_OK);
    assert_string_equal(got.status, "optimal");
    bestdag_dag_free(got.dag);
    clear(&w);
}

/* ---- limits ----------------------------------------------------------------
 */

static void what_cannot_fit_is_refused_with_the_numbers(void **state)
{
    (void)state;
    struct random_sets shape = {.n = 18, .sets = 60, .most_parents = 4};
    struct world w = pose_random(shape, "dp");
    struct bestdag_outcome got;
    char text[96], needed[32];
    int largest = bestdag_components_largest(w.run, w.problem);
    assert_in_range(largest, 15, 18);
    bestdag_size_format((int64_t)8 << largest, needed);
    snprintf(text, sizeof text, "all subsets of %d variables needs %s", largest,
             needed);
    bestdag_run_set(w.run, "memory-limit", "200K");
    assert_int_equal(bestdag_search(&w.task, &got), BESTDAG_MEMORY);
    const char *error = bestdag_run_error(w.run);
    print_message("%s\n", error);
    assert_non_null(strstr(error, text));
    assert_non_null(strstr(error, "in use, limit 200 KB"));
    clear(&w);
    shape.n = 60;
    w = pose_random(shape, "dp");
    assert_int_equal(bestdag_search(&w.task, &got), BESTDAG_MEMORY);
    error = bestdag_run_error(w.run);
    print_message("%s\n", error);
    assert_non_null(strstr(error, "a component has"));
    assert_non_null(strstr(error, "at most 32"));
    clear(&w);
}

struct patience {
    struct bestdag_run *run;
    int calls; /* until it is stopped */
};

/* Asks to be called at every look at the clock. */
static int stop_later(void *user, const struct bestdag_progress *now)
{
    struct patience *p = user;
    (void)now;
    p->run->reported = 0;
    return --p->calls <= 0;
}

/* What was solved until then counts in the bound; the rest keeps the order that
 * was found first. */
static void stopped_it_gives_a_network_and_a_bound(void **state)
{
    double optimum = 0, bound = INFINITY, first = 0;
    (void)state;
    for (int calls = 1000; calls > 0; calls = calls > 100 ? 70 : calls - 3) {
        struct bestdag_run *run = bestdag_run_new();
        struct patience patience = {run, calls};
        struct world w =
            pose(run, many_components(run), bestdag_solver_find("dp"));
        struct bestdag_outcome got;
        bestdag_run_on_progress(run, stop_later, &patience);
        assert_int_equal(bestdag_search(&w.task, &got), BESTDAG_OK);
        if (calls == 1000) {
            assert_string_equal(got.status, "optimal");
            first = optimum = got.score;
            bound = got.bound;
        }
        assert_true(got.score <= optimum + 1e-7);
        assert_true(got.bound >= bound && got.bound >= got.score);
        if (got.bound > optimum + 1e-5)
            assert_string_equal(got.status, "interrupted");
        bound = got.bound;
        first = got.score;
        bestdag_dag_free(got.dag);
        clear(&w);
    }
    print_message("optimum %f, at once %f, bound %f\n", optimum, first, bound);
    assert_true(bound > optimum + 1);
}

static void a_time_limit_gives_a_network(void **state)
{
    (void)state;
    struct world w = pose_random(
        (struct random_sets){
            .seed = SEED, .n = 19, .sets = 40, .most_parents = 4},
        "dp");
    struct bestdag_outcome got;
    bestdag_run_set(w.run, "time-limit", "0.000001");
    assert_int_equal(bestdag_search(&w.task, &got), BESTDAG_OK);
    assert_non_null(got.dag);
    assert_string_equal(got.status, "stopped");
    bestdag_dag_free(got.dag);
    clear(&w);
}

/* ---- known optima ----------------------------------------------------------
 */

static void check_known(const char *folder, const char *file, double value,
                        double tolerance)
{
    char path[512];
    struct bestdag_run *run = bestdag_run_new();
    snprintf(path, sizeof path, "%s/%s", folder, file);
    struct bestdag_sets *sets = bestdag_sets_read(run, path);
    assert_non_null(sets);
    if (sets->n > 17) {
        bestdag_sets_free(sets);
        bestdag_run_free(run);
        return;
    }
    struct world w = pose(run, sets, bestdag_solver_find("dp"));
    struct bestdag_outcome got;
    assert_int_equal(bestdag_search(&w.task, &got), BESTDAG_OK);
    print_message("%s: %.6f, known is %.6f\n", file, got.score, value);
    assert_string_equal(got.status, "optimal");
    assert_true(fabs(got.score - value) <= tolerance);
    bestdag_dag_free(got.dag);
    clear(&w);
}

static void known_optima_are_reached(void **state)
{
    const char *folder = getenv("BESTDAG_DATA");
    char line[512], file[256], path[512];
    double value, tolerance;
    int seen = 0;
    (void)state;
    if (!folder)
        skip();
    snprintf(path, sizeof path, "%s/optima.csv", folder);
    FILE *list = fopen(path, "r");
    assert_non_null(list);
    while (fgets(line, sizeof line, list))
        if (sscanf(line, "%255[^,],file,,%lf,%lf", file, &value, &tolerance) ==
            3) {
            check_known(folder, file, value, tolerance);
            seen++;
        }
    fclose(list);
    assert_true(seen > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_finds_and_proves_the_optimum),
        cmocka_unit_test(coarse_units_do_not_hide_the_proof),
        cmocka_unit_test(neither_threads_nor_blocks_change_the_answer),
        cmocka_unit_test(many_small_components_are_proved),
        cmocka_unit_test(what_cannot_fit_is_refused_with_the_numbers),
        cmocka_unit_test(stopped_it_gives_a_network_and_a_bound),
        cmocka_unit_test(a_time_limit_gives_a_network),
        cmocka_unit_test(known_optima_are_reached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
