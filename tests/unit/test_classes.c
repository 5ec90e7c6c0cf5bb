/* SPDX-License-Identifier: MIT */
/* test_classes.c -- espace and acoe: against brute force over all networks; the
 * same search by all ways of testing and any number of threads; limits, stops,
 * failures, scores that they refuse. */
#include "climbing.h"
#include "learn/attempt.h"
#include "search/answer_check.h"

static const char *const SOLVERS[] = {"espace", "acoe"};
static const char *const EQUIVALENT[] = {
    "score=bic", "score=aic", "score=bdeu ess=3", "score=bde ess=2 prior="};

static void open_for(struct bench *b, const char *solver,
                     struct random_table how, const char *settings)
{
    open_bench(b, how, settings);
    b->task.solver = bestdag_solver_find(solver);
    if (!strcmp(solver, "acoe"))
        set_options(b, "set:tmax=13");
}

static struct bestdag_outcome search(struct bench *b)
{
    struct bestdag_outcome outcome;
    if (bestdag_search(&b->task, &outcome))
        fail_msg("%s", bestdag_run_error(b->run));
    assert_non_null(outcome.dag);
    return outcome;
}

static void they_are_never_above_the_best_and_often_there(void **state)
{
    int reached = 0, trials = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 32; seed++) {
        struct random_table how = {.seed = seed,
                                   .columns = 1 + (int)(seed % 5),
                                   .most = 3,
                                   .constant = seed % 4 == 0};
        struct bench b;
        print_message("seed %d, %s\n", (int)seed, EQUIVALENT[seed / 2 % 4]);
        open_for(&b, SOLVERS[seed % 2], how, EQUIVALENT[seed / 2 % 4]);
        b.task.max_parents = (int)(seed % 6) - 1;
        if (seed % 8 == 2)
            set_options(&b, "set:operators=fges");
        score_all(&b);
        struct bestdag_outcome outcome = search(&b);
        struct small g = of_dag(outcome.dag);
        assert_true(is_allowed(&b, &g));
        double found = bestdag_scorer_nats(b.scorer, score_of(&b, &g));
        double best = bestdag_scorer_nats(b.scorer, best_of_all(&b));
        assert_true(found <= best + 1e-6);
        assert_string_equal(outcome.status, "heuristic");
        assert_true(isnan(outcome.bound));
        reached += found > best - 1e-6;
        trials++;
        bestdag_dag_free(outcome.dag);
        close_bench(&b);
    }
    print_message("%d of %d reached the best of all\n", reached, trials);
    assert_true(reached > trials * 2 / 3);
}

static bool is_same(const struct bestdag_dag *a, const struct bestdag_dag *b)
{
    for (int v = 0; v < a->n; v++)
        if (a->parents[v].count != b->parents[v].count ||
            memcmp(a->parents[v].at, b->parents[v].at,
                   (size_t)a->parents[v].count * sizeof *a->parents[v].at))
            return false;
    return true;
}

/* By every way of testing and with every number of threads. */
static void ways_and_threads_do_not_show(void **state)
{
    static const char *const ways[] = {
        "set:validity=full", "set:validity=restricted", "set:validity=cached"};
    static const char *const threads[] = {"1", "3", "2"};
    static const char *const searches[] = {"", "set:search=annealing",
                                           "set:search=walk"};
    (void)state;
    for (int t = 0; t < 4; t++) {
        const char *solver = SOLVERS[t == 3];
        struct bestdag_dag *first = NULL;
        for (int i = 0; i < 3; i++) {
            struct random_table how = {
                .seed = 7, .columns = 14, .most = 3, .rows = 120};
            struct bench b;
            open_for(&b, solver, how, "score=aic");
            bestdag_run_set(b.run, "threads", threads[i]);
            set_options(&b, ways[i]);
            if (t < 3)
                set_options(&b, searches[t]);
            struct bestdag_outcome got = search(&b);
            if (i)
                assert_true(is_same(first, got.dag));
            bestdag_dag_free(first);
            first = got.dag;
            if (i < 2) { /* the run that it belongs to ends */
                struct bestdag_run *keep = bestdag_run_new();
                first = bestdag_dag_copy(keep, got.dag);
                bestdag_dag_free(got.dag);
                close_bench(&b);
                bestdag_run_free(keep);
                continue;
            }
            bestdag_dag_free(first);
            close_bench(&b);
        }
    }
}

static void other_scores_are_refused(void **state)
{
    static const char *const others[] = {"score=k2", "score=mit",
                                         "score=bd pseudo=.3"};
    (void)state;
    for (int i = 0; i < 6; i++) {
        struct random_table how = {.seed = 1, .columns = 4, .most = 3};
        struct bestdag_outcome outcome;
        struct bench b;
        open_for(&b, SOLVERS[i % 2], how, others[i / 2]);
        assert_int_equal(bestdag_search(&b.task, &outcome), BESTDAG_USAGE);
        assert_non_null(strstr(bestdag_run_error(b.run), "class"));
        close_bench(&b);
    }
}

static void steps_and_stops_end_them(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct random_table how = {
            .seed = 3, .columns = 12, .most = 3, .rows = 150};
        struct bench b;
        open_for(&b, SOLVERS[i % 2], how, "score=aic");
        if (i == 0)
            set_options(&b, "set:steps=5");
        if (i >= 2)
            bestdag_run_stop(b.run);
        struct bestdag_outcome got = search(&b);
        if (i == 0)
            assert_int_equal(got.steps, 5);
        assert_string_equal(got.status, i == 0   ? "stopped"
                                        : i == 1 ? "heuristic"
                                                 : "interrupted");
        bestdag_dag_free(got.dag);
        close_bench(&b);
    }
}

static void they_go_on_from_a_start(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct random_table how = {
            .seed = 5, .columns = 10, .most = 3, .rows = 150};
        struct bench b;
        open_for(&b, SOLVERS[i], how, "score=aic");
        struct bestdag_outcome first = search(&b);
        b.task.start = first.dag;
        struct bestdag_outcome second = search(&b);
        assert_true(second.score >= first.score - 1e-9);
        bestdag_dag_free(first.dag);
        bestdag_dag_free(second.dag);
        close_bench(&b);
    }
}

static void every_failed_allocation_is_survived(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        bool has_failed = true;
        for (int64_t k = 1; has_failed; k += 1 + k / 16) {
            struct random_table how = {
                .seed = 2, .columns = 5, .most = 3, .rows = 40};
            struct bestdag_outcome outcome;
            struct bench b;
            open_for(&b, SOLVERS[i], how, "score=bic");
            if (i)
                set_options(&b, "set:tmax=2");
            bestdag_memory_fail_at(b.run, k);
            int status = bestdag_search(&b.task, &outcome);
            has_failed = bestdag_memory_has_failed(b.run);
            assert_true(!has_failed || status == BESTDAG_MEMORY || !status);
            bestdag_dag_free(outcome.dag);
            close_bench(&b);
        }
    }
}

/* In turns, however short, it walks as it does alone; while others find nothing
 * better its network is the same. */
static void turns_do_not_show(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct random_table how = {
            .seed = seed, .columns = 9, .most = 3, .rows = 150};
        const char *operators =
            seed % 2 ? "set:operators=fges" : "set:operators=six";
        struct bench b;
        print_message("seed %d, %s\n", (int)seed, operators);
        open_for(&b, "espace", how, "score=bdeu set:steps=300");
        set_options(&b, operators);
        struct bestdag_outcome alone = search(&b);
        struct bestdag_attempt turns = {0};
        assert_int_equal(bestdag_attempt_begin(&turns, &b.task), BESTDAG_OK);
        int pauses = 0, finds = 0;
        double best = -INFINITY;
        for (; !turns.is_over; pauses++) {
            bestdag_attempt_take_turn(&turns, 1e-5 * (double)seed, NULL, false);
            struct bestdag_dag *dag =
                turns.is_over ? NULL : bestdag_attempt_network(&turns);
            if (!dag)
                continue;
            double score = (double)NAN; /* each find is better than before */
            assert_int_equal(bestdag_task_rescore(&b.task, dag, &score),
                             BESTDAG_OK);
            assert_true(score > best);
            best = score;
            finds++;
            bestdag_dag_free(dag);
        }
        assert_true(pauses > 3 && finds > 0);
        assert_true(best <= turns.outcome.score + 1e-9);
        assert_int_equal(turns.outcome.steps, alone.steps);
        assert_true(is_same(turns.outcome.dag, alone.dag));
        bestdag_attempt_release(&turns);
        bestdag_dag_free(alone.dag);
        close_bench(&b);
    }
}

/* A better network that another has found is where it goes on from. */
static void a_better_start_is_taken_over(void **state)
{
    struct random_table how = {.seed = 5, .columns = 9, .most = 3, .rows = 150};
    struct bench b;
    (void)state;
    open_for(&b, "espace", how, "score=bdeu set:steps=4000");
    set_options(&b, "set:operators=fges");
    struct bestdag_outcome good = search(&b);
    set_options(&b, "set:steps=40 set:perturb=1");
    struct bestdag_attempt turns = {0};
    assert_int_equal(bestdag_attempt_begin(&turns, &b.task), BESTDAG_OK);
    while (!turns.is_over)
        bestdag_attempt_take_turn(&turns, 1e-5, good.dag, true);
    assert_true(turns.outcome.score >= good.score - 1e-9);
    bestdag_attempt_release(&turns);
    bestdag_dag_free(good.dag);
    close_bench(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_never_above_the_best_and_often_there),
        cmocka_unit_test(turns_do_not_show),
        cmocka_unit_test(a_better_start_is_taken_over),
        cmocka_unit_test(ways_and_threads_do_not_show),
        cmocka_unit_test(other_scores_are_refused),
        cmocka_unit_test(steps_and_stops_end_them),
        cmocka_unit_test(they_go_on_from_a_start),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
