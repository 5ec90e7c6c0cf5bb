/* SPDX-License-Identifier: MIT */
/* test_portfolio.c -- searches in turns give what they give alone, and `auto`
 * with more work is never worse. */
#include <math.h>
#include <string.h>

#include "learn/attempt.h"
#include "learn/portfolio.h"
#include "search/incumbent.h"
#include "solving.h"

enum { TRIALS = 120, LISTS = 3, BUDGETS = 6 };

static const char *const provers[] = {"cluster", "bnb", "astar"};

static uint64_t seed_of(void)
{
    const char *text = getenv("BESTDAG_TEST_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 10) : 20261118;
    print_message("seed %llu\n", (unsigned long long)seed);
    return seed;
}

/* The network of a random order, the caller's; its score. */
static struct bestdag_dag *random_start(struct world *w,
                                        struct bestdag_random *random,
                                        double *score)
{
    int order[32];
    int64_t cost = 0;
    random_order(random, w->task.n, order);
    struct bestdag_dag *dag =
        bestdag_order_dag(w->run, w->problem, order, &cost);
    *score = bestdag_problem_nats(w->problem, cost);
    return dag;
}

/* ---- turns ------------------------------------------------------------------
 */

/* Whatever it has shown of bounds and networks is true; it began with a start,
 * others came while it waited. */
static void take_all_turns(struct world *w, struct bestdag_attempt *a,
                           struct bestdag_random *random, int most)
{
    double optimum =
        bestdag_problem_nats(w->problem, brute_optimum(w->problem));
    double best, score;
    struct bestdag_dag *start = random_start(w, random, &best);
    for (int turn = 0; turn < most && !a->is_over; turn++) {
        struct bestdag_dag *other = random_start(w, random, &score);
        bool is_better = score > best;
        bestdag_dag_free(is_better ? start : other);
        start = is_better ? other : start;
        best = is_better ? score : best;
        bestdag_attempt_take_turn(a, 1e-5, start, is_better);
        assert_true(a->task.bound >= optimum - 1e-6);
        if (!a->is_over)
            bestdag_dag_free(bestdag_attempt_network(a));
    }
    bestdag_attempt_stop(a, start);
    assert_int_equal(bestdag_run_status(w->run), BESTDAG_OK);
    assert_true(a->outcome.score <= optimum + 1e-6);
    assert_true(a->outcome.score >= best - 1e-6);
    assert_true(a->outcome.bound >= optimum - 1e-6);
    if (most == INT32_MAX) {
        assert_string_equal(a->outcome.status, "optimal");
        assert_true(fabs(a->outcome.score - optimum) < 1e-6);
    }
    bestdag_dag_free(start);
}

static void provers_in_turns_prove_the_optimum(void **state)
{
    uint64_t seed = seed_of();
    struct bestdag_random random = bestdag_random_init(seed, 5);
    int64_t clusters = 0, pauses = 0;
    (void)state;
    for (uint64_t t = 0; t < TRIALS; t++) {
        struct random_sets how = {.seed = seed + t,
                                  .n = 8 + (int)(t % 3),
                                  .sets = 60,
                                  .most_parents = 4,
                                  .levels = t % 4 ? 0 : 5};
        struct world w = pose_random(how, provers[t % 3]);
        struct bestdag_saved_clusters saved = {0};
        struct bestdag_attempt a = {0};
        bool is_whole = t % 2;
        w.task.clusters = &saved;
        saved.is_final = t % 3 != 0; /* nobody else makes them */
        assert_int_equal(bestdag_attempt_begin(&a, &w.task), BESTDAG_OK);
        take_all_turns(&w, &a, &random, is_whole ? INT32_MAX : 2);
        pauses += a.given > 2e-5;
        clusters += saved.count;
        bestdag_attempt_release(&a);
        bestdag_saved_clusters_release(&saved);
        clear(&w);
    }
    print_message(
        "%lld of %d had several turns; %lld clusters were handed on\n",
        (long long)pauses, TRIALS, (long long)clusters);
    assert_true(pauses > TRIALS / 8);
    assert_true(clusters > TRIALS / 4);
}

/* It stops between two rounds, and goes on from there: so many look-ups in one
 * go give the same network. */
static void orders_in_turns_is_orders_alone(void **state)
{
    uint64_t seed = seed_of();
    (void)state;
    for (uint64_t t = 0; t < LISTS; t++) {
        struct random_sets how = {
            .seed = seed + t, .n = 40, .sets = 60, .most_parents = 4};
        struct world w = pose_random(how, "orders");
        struct bestdag_attempt a = {0};
        struct bestdag_outcome alone = {0};
        assert_int_equal(bestdag_attempt_begin(&a, &w.task), BESTDAG_OK);
        for (int turn = 0; turn < 4 + (int)t; turn++) {
            assert_true(bestdag_attempt_take_turn(&a, 0.1, NULL, false) > 0);
            assert_false(a.is_over);
        }
        bestdag_attempt_stop(&a, NULL);
        w.task.steps = a.outcome.steps;
        w.task.has_bounds = false;
        assert_int_equal(bestdag_search(&w.task, &alone), BESTDAG_OK);
        assert_true(alone.steps == a.outcome.steps);
        assert_true(alone.score == a.outcome.score);
        bestdag_dag_free(alone.dag);
        bestdag_attempt_release(&a);
        clear(&w);
    }
}

/* What others find while it waits is where it goes on. */
static void orders_goes_on_from_a_better_network(void **state)
{
    struct random_sets how = {
        .seed = seed_of(), .n = 60, .sets = 200, .most_parents = 5};
    struct world w = pose_random(how, "orders");
    struct bestdag_attempt a = {0};
    struct bestdag_outcome other = {0};
    (void)state;
    w.task.steps = 3000000;
    assert_int_equal(bestdag_search(&w.task, &other), BESTDAG_OK);
    w.task.steps = 0;
    assert_int_equal(bestdag_attempt_begin(&a, &w.task), BESTDAG_OK);
    bestdag_attempt_take_turn(&a, 0.1, NULL, false);
    assert_true(bestdag_problem_nats(w.problem, a.task.incumbent->cost) <
                other.score - 1e-6);
    bestdag_attempt_take_turn(&a, 0.1, other.dag, true);
    assert_true(bestdag_problem_nats(w.problem, a.task.incumbent->cost) >=
                other.score - 1e-6);
    bestdag_attempt_stop(&a, other.dag);
    bestdag_attempt_release(&a);
    bestdag_dag_free(other.dag);
    clear(&w);
}

/* The slower of two is forecast to need more, and one that brings nothing never
 * ends. */
static void forecasts_follow_the_last_turn(void **state)
{
    struct bestdag_attempt fast = {.bound = {-10, -90}, .after = {1, 2}};
    struct bestdag_attempt slow = {.bound = {-10, -20}, .after = {1, 2}};
    struct bestdag_attempt idle = {.bound = {-10, -10}, .after = {1, 2}};
    struct bestdag_attempt fresh = {.bound = {INFINITY, -10}, .after = {0, 1}};
    (void)state;
    /* 80 nats for each doubling: 10 more take an eighth of one */
    double need = bestdag_attempt_forecast(&fast, -100);
    assert_true(fabs(need - 2 * (exp2(0.125) - 1)) < 1e-9);
    assert_true(bestdag_attempt_forecast(&slow, -100) > need);
    assert_true(isinf(bestdag_attempt_forecast(&idle, -100)));
    assert_true(bestdag_attempt_is_known(&idle));
    assert_false(bestdag_attempt_is_known(&fresh));
}

/* ---- auto -------------------------------------------------------------------
 */

static struct bestdag_outcome run_all(struct world *w, double work)
{
    struct bestdag_outcome to = {0};
    struct bestdag_portfolio p = {
        .task = &w->task,
        .to = &to,
        .whole = {.run = w->run, .work = work},
    };
    w->task.start = NULL;
    w->task.has_bounds = false;
    assert_int_equal(bestdag_portfolio_run(&p), BESTDAG_OK);
    w->task.start = NULL;
    assert_non_null(to.dag);
    return to;
}

/* Exactly: the longer run begins as the shorter one does. */
static void more_work_is_never_worse(void **state)
{
    uint64_t seed = seed_of();
    int better = 0, open = 0;
    (void)state;
    for (uint64_t t = 0; t < LISTS; t++) {
        struct random_sets how = {.seed = seed + t,
                                  .n = 26 + 6 * (int)t,
                                  .sets = 40,
                                  .most_parents = 4};
        struct world w = pose_random(how, "orders");
        double score = -INFINITY, bound = INFINITY, work = 0.05;
        for (int k = 0; k < BUDGETS; k++, work *= 2) {
            struct bestdag_outcome to = run_all(&w, work);
            assert_true(to.score >= score);
            assert_true(to.bound <= bound);
            better += k && (to.score > score || to.bound < bound);
            open += strcmp(to.status, "optimal") != 0;
            score = to.score;
            bound = to.bound;
            bestdag_dag_free(to.dag);
        }
        clear(&w);
    }
    print_message("%d of %d budgets brought more, %d were not enough\n", better,
                  LISTS * BUDGETS, open);
    assert_true(better > LISTS && open > LISTS);
}

/* A run that a time limit could end, but does not, is the same run: the clock
 * decides nothing on the way. */
static void a_time_limit_decides_nothing(void **state)
{
    uint64_t seed = seed_of();
    (void)state;
    for (uint64_t t = 0; t < LISTS; t++) {
        struct random_sets how = {
            .seed = seed + t, .n = 30, .sets = 25, .most_parents = 3};
        struct world w = pose_random(how, "orders");
        struct bestdag_outcome free_one = run_all(&w, 1e6);
        assert_int_equal(bestdag_run_set(w.run, "time-limit", "3600"),
                         BESTDAG_OK);
        struct bestdag_outcome timed = run_all(&w, 1e6);
        print_message("%lld steps, %.3f s of counted work\n",
                      (long long)timed.steps, timed.work);
        assert_string_equal(timed.status, "optimal");
        assert_true(timed.score == free_one.score);
        assert_true(timed.bound == free_one.bound);
        assert_true(timed.steps == free_one.steps);
        assert_true(timed.restarts == free_one.restarts);
        assert_true(timed.work == free_one.work);
        assert_true(timed.work > 0.1); /* provers had their turns */
        bestdag_dag_free(timed.dag);
        bestdag_dag_free(free_one.dag);
        clear(&w);
    }
}

static int remember(void *user, const struct bestdag_progress *now)
{
    char *all = user;
    size_t used = strlen(all);
    if (now->note)
        snprintf(all + used, 8192 - used, "%s\n", now->note);
    return 0;
}

/* No stage is left out: each says what it did. */
static void every_stage_has_its_turn(void **state)
{
    static const char *const said[] = {"cluster: ", "bnb: ", "astar: "};
    char notes[8192] = "";
    struct random_sets how = {
        .seed = 3, .n = 30, .sets = 60, .most_parents = 5};
    struct world w = pose_random(how, "orders");
    (void)state;
    bestdag_run_on_progress(w.run, remember, notes);
    struct bestdag_outcome to = run_all(&w, 4);
    bestdag_dag_free(to.dag);
    assert_true(to.restarts > 0); /* of `orders` */
    for (int i = 0; i < 3; i++)
        assert_non_null(strstr(notes, said[i]));
    clear(&w);
    how.n = 12;
    w = pose_random(how, "orders");
    to = run_all(&w, 4);
    assert_string_equal(w.task.solver->name, "dp");
    assert_string_equal(to.status, "optimal");
    bestdag_dag_free(to.dag);
    clear(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(provers_in_turns_prove_the_optimum),
        cmocka_unit_test(orders_in_turns_is_orders_alone),
        cmocka_unit_test(orders_goes_on_from_a_better_network),
        cmocka_unit_test(forecasts_follow_the_last_turn),
        cmocka_unit_test(more_work_is_never_worse),
        cmocka_unit_test(a_time_limit_decides_nothing),
        cmocka_unit_test(every_stage_has_its_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
