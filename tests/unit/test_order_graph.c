/* SPDX-License-Identifier: MIT */
/* test_order_graph.c -- astar and bfbnb: the optimum by brute force with every
 * heuristic and every look-up, the same as dp, bounds that hold wherever they
 * are stopped, limits of memory, the disk, components of up to 256 variables.
 */
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "problem/component.h"
#include "solving.h"

enum { TRIALS = 240 };

static const uint64_t SEED = 20261116;
static const char *const SOLVERS[] = {"astar", "bfbnb"};

static void set_word(struct world *w, const char *text)
{
    assert_int_equal(bestdag_options_set(w->run, w->options, "set", text),
                     BESTDAG_OK);
}

/* One of all ways to set the solver. */
static void choose(struct world *w, uint64_t t)
{
    static const char *const heuristics[] = {
        "heuristic=simple", "heuristic=dynamic", "heuristic=static"};
    static const char *const lookups[] = {"lookup=full", "lookup=scan",
                                          "lookup=bits", "lookup=trie"};
    set_word(w, heuristics[t % 3]);
    set_word(w, lookups[t / 3 % 4]);
    set(w, "k", 2 + (int64_t)(t / 12 % 3));
    set(w, "groups", (int64_t)(t / 5 % 5));
    if (t % 2) /* with the cluster bound from the start */
        set(w, "first", 1);
    set_word(w, t / 7 % 2 ? "grouping=halves" : "grouping=components");
}

static void they_find_and_prove_the_optimum(void **state)
{
    int proved = 0, impossible = 0;
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (uint64_t t = 0; t < TRIALS; t++) {
        struct world w = pose_random(shape_of(SEED, t / 2), SOLVERS[t % 2]);
        choose(&w, t / 2);
        if (proves_optimum(&w))
            proved++;
        else
            impossible++;
        clear(&w);
    }
    print_message("%d proved, %d without a network\n", proved, impossible);
    assert_true(proved > TRIALS / 2 && impossible > 0);
}

static double optimum_by(const char *solver, struct random_sets shape,
                         uint64_t way)
{
    struct world w = pose_random(shape, solver);
    struct bestdag_outcome got;
    if (strcmp(solver, "dp"))
        choose(&w, way);
    assert_int_equal(bestdag_search(&w.task, &got), BESTDAG_OK);
    assert_string_equal(got.status, "optimal");
    bestdag_dag_free(got.dag);
    clear(&w);
    return got.score;
}

static void they_agree_with_dp(void **state)
{
    (void)state;
    for (uint64_t t = 0; t < 12; t++) {
        struct random_sets shape = {.seed = SEED + t,
                                    .n = 15 + (int)(t % 3),
                                    .sets = 80,
                                    .most_parents = 4};
        double best = optimum_by("dp", shape, 0);
        for (int i = 0; i < 2; i++)
            assert_true(fabs(optimum_by(SOLVERS[i], shape, t) - best) < 1e-7);
    }
}

/* The more steps, the tighter. */
static void bounds_hold_wherever_they_are_stopped(void **state)
{
    struct random_sets shape = {
        .seed = SEED, .n = 14, .sets = 60, .most_parents = 4};
    (void)state;
    for (int i = 0; i < 2; i++) {
        int stopped = 0;
        double last = INFINITY, best = optimum_by("dp", shape, 0);
        for (int64_t steps = 1; steps < 1000000; steps += 1 + steps / 3) {
            struct world w = pose_random(shape, SOLVERS[i]);
            struct bestdag_outcome got;
            set(&w, "steps", steps);
            set_word(&w, "heuristic=simple");
            assert_int_equal(bestdag_search(&w.task, &got), BESTDAG_OK);
            assert_true(got.score <= best + 1e-7 && got.bound >= best - 1e-7);
            assert_true(got.bound <= last + 1e-7);
            last = got.bound;
            stopped += !strcmp(got.status, "stopped");
            if (got.bound > got.score + 1e-6)
                assert_string_equal(got.status, "stopped");
            bestdag_dag_free(got.dag);
            clear(&w);
        }
        assert_true(stopped > 3);
    }
}

/* ---- memory and disk -------------------------------------------------------
 */

struct trial {
    const char *solver, *folder;
    struct random_sets shape;
    int64_t first; /* the setting; 0: as it is */
    int64_t bytes; /* that may be used beside the problem; 0: any */
};

static struct bestdag_outcome attempt(const struct trial *t)
{
    struct world w = pose_random(t->shape, t->solver);
    struct bestdag_outcome got;
    char limit[32];
    int64_t bytes = bestdag_memory_used(w.run) + t->bytes;
    snprintf(limit, sizeof limit, "%lldK", (long long)bytes / 1024);
    if (t->bytes)
        bestdag_run_set(w.run, "memory-limit", limit);
    if (t->folder)
        bestdag_options_set(w.run, w.options, "temp-dir", t->folder);
    set_word(&w, "heuristic=simple");
    set_word(&w, "lookup=scan"); /* which takes no memory */
    if (t->first)
        set(&w, "first", t->first);
    if (bestdag_search(&w.task, &got))
        fail_msg("%s", bestdag_run_error(w.run));
    assert_true(!t->bytes || bestdag_memory_peak(w.run) <= bytes);
    bestdag_dag_free(got.dag);
    clear(&w);
    return got;
}

/* End with the incumbent and a bound where nodes do not fit any more. */
static void short_memory_still_gives_a_network_and_a_bound(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct trial t = {
            .solver = SOLVERS[i],
            .shape = {.seed = SEED, .n = 24, .sets = 100, .most_parents = 5}};
        int unproved = 0;
        double optimum = attempt(&t).score;
        for (t.bytes = 1 << 20; t.bytes < 64 << 20; t.bytes *= 2) {
            struct bestdag_outcome got = attempt(&t);
            unproved += !strcmp(got.status, "stopped");
            assert_true(got.score <= optimum + 1e-7);
            assert_true(got.bound >= optimum - 1e-7);
        }
        print_message("%s: %d of 6 unproved\n", t.solver, unproved);
        assert_true(unproved > 0 && unproved < 6);
    }
}

static int count_files(const char *folder)
{
    DIR *d = opendir(folder);
    int count = -2; /* . and .. */
    assert_non_null(d);
    while (readdir(d))
        count++;
    closedir(d);
    return count;
}

static void bfbnb_goes_on_on_disk(void **state)
{
    char folder[] = "/tmp/bestdag-test-XXXXXX";
    (void)state;
    assert_non_null(mkdtemp(folder));
    struct trial t = {
        .solver = "bfbnb",
        .folder = folder,
        .shape = {.seed = SEED, .n = 24, .sets = 100, .most_parents = 5}};
    double optimum = attempt(&t).score;
    for (t.bytes = 1 << 20; t.bytes < 16 << 20; t.bytes *= 2) {
        struct bestdag_outcome got = attempt(&t);
        assert_string_equal(got.status, "optimal");
        assert_true(fabs(got.score - optimum) < 1e-7);
        assert_int_equal(count_files(folder), 0);
    }
    assert_int_equal(rmdir(folder), 0);
}

/* A limit on the size of files stands for a disk that is full. */
static void a_full_disk_ends_it_with_what_it_has(void **state)
{
    struct rlimit old, small;
    struct trial t = {
        .solver = "bfbnb",
        .folder = "/tmp",
        .first = 1LL << 50, /* the cluster bound would make it fit */
        .shape = {.seed = SEED, .n = 24, .sets = 100, .most_parents = 5}};
    double optimum = attempt(&t).score;
    (void)state;
    t.bytes = 1 << 20;
    getrlimit(RLIMIT_FSIZE, &old);
    small = old;
    small.rlim_cur = 300000;
    void (*before)(int) = signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    struct bestdag_outcome got = attempt(&t);
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, before);
    assert_string_equal(got.status, "stopped");
    assert_true(got.score <= optimum + 1e-7 && got.bound >= optimum - 1e-7);
}

static void a_folder_that_is_not_there_is_told(void **state)
{
    struct world w = pose_random(
        (struct random_sets){
            .seed = SEED, .n = 24, .sets = 100, .most_parents = 5},
        "bfbnb");
    struct bestdag_outcome got;
    char limit[32];
    (void)state;
    snprintf(limit, sizeof limit, "%lldK",
             (long long)bestdag_memory_used(w.run) / 1024 + 1024);
    bestdag_run_set(w.run, "memory-limit", limit);
    bestdag_options_set(w.run, w.options, "temp-dir", "/no/such/folder");
    set_word(&w, "heuristic=simple");
    set_word(&w, "lookup=scan");
    assert_int_equal(bestdag_search(&w.task, &got), BESTDAG_FAILED);
    assert_non_null(strstr(bestdag_run_error(w.run), "/no/such/folder"));
    clear(&w);
}

/* ---- many variables --------------------------------------------------------
 */

/* Each of n may have the one before it as a parent, the first the last: all
 * belong together, and the best network leaves out the arc that gains least. */
static struct bestdag_sets *make_ring(struct bestdag_run *run, int n)
{
    struct bestdag_collector *c = bestdag_collector_new(run);
    struct bestdag_sets *sets = bestdag_sets_new(run, n);
    assert_non_null(sets);
    for (int v = 0; v < n; v++) {
        int before = (v + n - 1) % n;
        bestdag_collector_add(c, NULL, 0, -100);
        bestdag_collector_add(c, &before, 1, -90 + (v * 7919 % 1009) * 0.001);
        bestdag_collector_finish(c, true, &sets->list[v]);
    }
    bestdag_collector_free(c);
    assert_int_equal(bestdag_run_status(run), BESTDAG_OK);
    return sets;
}

static double ring_optimum(int n)
{
    double total = 0, least = 100;
    for (int v = 0; v < n; v++) {
        double gain = 10 + (v * 7919 % 1009) * 0.001;
        total += gain - 100;
        least = gain < least ? gain : least;
    }
    return total - least;
}

static void rings_of_many_variables_are_solved(void **state)
{
    (void)state;
    for (int n = 64; n <= 256; n += 64)
        for (int i = 0; i < 2; i++) {
            struct bestdag_run *run = bestdag_run_new();
            struct world w =
                pose(run, make_ring(run, n), bestdag_solver_find(SOLVERS[i]));
            struct bestdag_outcome got;
            set(&w, "groups", n / 8); /* small ones are soon filled */
            assert_int_equal(bestdag_search(&w.task, &got), BESTDAG_OK);
            assert_string_equal(got.status, "optimal");
            assert_true(fabs(got.score - ring_optimum(n)) < 1e-6);
            bestdag_dag_free(got.dag);
            clear(&w);
        }
}

static void too_large_components_keep_their_order(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct bestdag_run *run = bestdag_run_new();
        struct world w =
            pose(run, make_ring(run, 300), bestdag_solver_find(SOLVERS[i]));
        struct bestdag_outcome got;
        assert_int_equal(bestdag_search(&w.task, &got), BESTDAG_OK);
        assert_true(got.score >= ring_optimum(300) - 1e-7);
        assert_true(got.bound >= got.score - 1e-7);
        assert_string_equal(got.status, "optimal"); /* by the cluster bound */
        bestdag_dag_free(got.dag);
        clear(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_find_and_prove_the_optimum),
        cmocka_unit_test(they_agree_with_dp),
        cmocka_unit_test(bounds_hold_wherever_they_are_stopped),
        cmocka_unit_test(short_memory_still_gives_a_network_and_a_bound),
        cmocka_unit_test(bfbnb_goes_on_on_disk),
        cmocka_unit_test(a_full_disk_ends_it_with_what_it_has),
        cmocka_unit_test(a_folder_that_is_not_there_is_told),
        cmocka_unit_test(rings_of_many_variables_are_solved),
        cmocka_unit_test(too_large_components_keep_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
