/* SPDX-License-Identifier: MIT */
/* test_saved_clusters.c -- clusters that go from one relaxation to another give
 * the same bound over the same lists, and a true one over others. */
#include <string.h>

#include "bounds/cutting_planes.h"
#include "bounds/root_bound.h"
#include "bounds/saved_clusters.h"
#include "solving.h"

enum { TRIALS = 100 };

static uint64_t seed_of(void)
{
    const char *text = getenv("BESTDAG_TEST_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 10) : 20261117;
    print_message("seed %llu\n", (unsigned long long)seed);
    return seed;
}

static struct bestdag_relaxation *relax(struct world *w)
{
    struct bestdag_relaxation *r =
        bestdag_relaxation_of(w->run, w->problem, false);
    assert_non_null(r);
    return r;
}

static struct random_sets lists_of(uint64_t seed, int sets)
{
    return (struct random_sets){.seed = seed,
                                .n = 3 + (int)(seed % 8),
                                .sets = sets,
                                .most_parents = 3,
                                .levels = seed % 3 ? 0 : 4};
}

/* Bounds of other lists over the same variables are true, too. */
static void try_elsewhere(const struct bestdag_saved_clusters *saved,
                          uint64_t seed)
{
    struct world w = pose_random(lists_of(seed, 30), "cluster");
    struct bestdag_relaxation *r = relax(&w);
    assert_int_equal(bestdag_saved_clusters_give(saved, r), BESTDAG_OK);
    int64_t optimum = brute_optimum(w.problem), bound = 0;
    assert_true(r->bound <= optimum);
    assert_int_equal(bestdag_root_bound_saved(w.run, w.problem, saved, &bound),
                     BESTDAG_OK);
    assert_int_equal(bound, r->bound > 0 ? r->bound : 0);
    assert_int_equal(bestdag_task_bound_saved(&w.task, saved), BESTDAG_OK);
    assert_true(w.task.bound >= bestdag_problem_nats(w.problem, optimum));
    assert_true(w.task.bound <= bestdag_problem_bound(w.problem, bound));
    bestdag_relaxation_free(r);
    clear(&w);
}

/* Dual ascent that pauses whenever it has done some work ends as one that does
 * not. */
static void an_ascent_in_portions_is_the_same(void **state)
{
    uint64_t seed = seed_of();
    int pauses = 0;
    (void)state;
    for (uint64_t t = 0; t < TRIALS; t++) {
        struct random_sets how = {
            .seed = seed + t, .n = 10, .sets = 60, .most_parents = 3};
        struct world w = pose_random(how, "cluster");
        struct bestdag_relaxation *one = relax(&w), *other = relax(&w);
        int order[10], same[10];
        bool is_dag = false;
        assert_true(bestdag_dual_ascent(one, INT64_MAX / 8, order));
        for (int k = 0; !is_dag && k < 10000; k++) {
            other->most = other->work + 1;
            is_dag = bestdag_dual_ascent(other, INT64_MAX / 8, same);
            pauses += !is_dag;
        }
        assert_true(is_dag);
        assert_int_equal(one->bound, other->bound);
        assert_true(one->bound <= brute_optimum(w.problem));
        assert_memory_equal(order, same, sizeof same);
        bestdag_relaxation_free(one);
        bestdag_relaxation_free(other);
        clear(&w);
    }
    print_message("%d pauses\n", pauses);
    assert_true(pauses > TRIALS);
}

static void a_relaxation_goes_on_where_another_ended(void **state)
{
    uint64_t seed = seed_of();
    int clusters = 0;
    (void)state;
    for (uint64_t t = 0; t < TRIALS; t++) {
        struct world w = pose_random(lists_of(seed + t, 12), "cluster");
        struct bestdag_saved_clusters saved = {0};
        struct bestdag_relaxation *r = relax(&w), *next = relax(&w);
        struct bestdag_cutting_settings plan = {.upper = BESTDAG_UNKNOWN_COST};
        assert_int_equal(bestdag_cutting_planes(r, &plan), BESTDAG_OK);
        for (int k = 0; k < 2; k++) /* again: what was there is replaced */
            assert_int_equal(bestdag_saved_clusters_take(&saved, r),
                             BESTDAG_OK);
        assert_int_equal(bestdag_saved_clusters_give(&saved, next), BESTDAG_OK);
        assert_int_equal(next->bound, r->bound);
        clusters += (int)saved.count;
        try_elsewhere(&saved, seed + t);
        bestdag_saved_clusters_release(&saved);
        assert_int_equal(saved.count, 0);
        bestdag_relaxation_free(r);
        bestdag_relaxation_free(next);
        clear(&w);
    }
    print_message("%d clusters\n", clusters);
    assert_true(clusters > TRIALS);
}

static void a_failed_allocation_is_survived(void **state)
{
    (void)state;
    struct world w = pose_random(lists_of(11, 12), "cluster");
    struct bestdag_relaxation *r = relax(&w);
    struct bestdag_cutting_settings plan = {.upper = BESTDAG_UNKNOWN_COST};
    assert_int_equal(bestdag_cutting_planes(r, &plan), BESTDAG_OK);
    for (int64_t at = 1; at <= 2; at++) {
        struct bestdag_saved_clusters saved = {0};
        bestdag_memory_fail_at(w.run, at);
        assert_int_equal(bestdag_saved_clusters_take(&saved, r),
                         BESTDAG_MEMORY);
        assert_int_equal(saved.count, 0);
        bestdag_run_clear(w.run);
        bestdag_saved_clusters_release(&saved);
    }
    bestdag_relaxation_free(r);
    clear(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_relaxation_goes_on_where_another_ended),
        cmocka_unit_test(an_ascent_in_portions_is_the_same),
        cmocka_unit_test(a_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
