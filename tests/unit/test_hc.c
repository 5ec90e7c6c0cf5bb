/* SPDX-License-Identifier: MIT */
/* test_hc.c -- hill climbing against brute force over all networks, and what it
 * does at limits, stops and failures. */
#include "climbing.h"

static struct bestdag_outcome search(struct bench *b)
{
    struct bestdag_outcome outcome;
    assert_int_equal(bestdag_search(&b->task, &outcome), BESTDAG_OK);
    assert_non_null(outcome.dag);
    return outcome;
}

static void expect_no_better_move(const struct bench *b, const struct small *g)
{
    for (int v = 0; v < g->n; v++)
        for (int u = 0; u < g->n; u++)
            for (int k = BESTDAG_ADD; k <= BESTDAG_TURN; k++)
                if (can_move(b, g, u, v, k)) {
                    struct small to = moved(g, u, v, k);
                    assert_true(score_of(b, &to) <= score_of(b, g));
                }
}

static void the_end_is_a_top_and_never_above_the_best(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "set:restarts=0 set:tabu=0", "set:restarts=3 set:perturb=2",
        "set:restarts=1 set:tabu=5", "set:steps=2000 set:tabu=1"};
    int reached = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct random_table how = {.seed = seed,
                                   .columns = 1 + (int)(seed % 5),
                                   .most = 3,
                                   .constant = seed % 4 == 0};
        struct bench b;
        print_message("seed %d, %s\n", (int)seed, scores[seed % SCORES]);
        open_bench(&b, how, scores[seed % SCORES]);
        b.task.max_parents = (int)(seed % 5) - 1;
        set_options(&b, settings[seed / SCORES % 4]);
        score_all(&b);
        struct bestdag_outcome outcome = search(&b);
        struct small g = of_dag(outcome.dag);
        assert_true(is_allowed(&b, &g));
        assert_true(score_of(&b, &g) <= best_of_all(&b));
        reached += score_of(&b, &g) == best_of_all(&b);
        expect_no_better_move(&b, &g);
        for (int v = 0; v < g.n; v++)
            if (b.scorer->states[v] < 2)
                for (int u = 0; u < g.n; u++)
                    assert_false(has(g.parents[v], u) || has(g.parents[u], v));
        bool met = seed / SCORES % 4 == 3 && outcome.steps >= 2000;
        assert_string_equal(outcome.status, met ? "stopped" : "heuristic");
        assert_true(isnan(outcome.bound));
        bestdag_dag_free(outcome.dag);
        close_bench(&b);
    }
    print_message("%d of 40 reached the best of all\n", reached);
    assert_true(reached >= 20);
}

/* From the first top on, tabu search can only find better. */
static void tabu_goes_beyond_the_first_top(void **state)
{
    (void)state;
    int better = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct random_table how = {
            .seed = seed, .columns = 12, .most = 3, .rows = 150};
        struct bench b;
        print_message("seed %d\n", (int)seed);
        open_bench(&b, how, "score=aic set:restarts=0 set:tabu=0");
        struct bestdag_outcome plain = search(&b);
        set_options(&b, "set:tabu=5");
        struct bestdag_outcome tabu = search(&b);
        assert_true(tabu.score >= plain.score - 1e-9);
        assert_true(tabu.steps > plain.steps);
        better += tabu.score > plain.score + 1e-6;
        bestdag_dag_free(plain.dag);
        bestdag_dag_free(tabu.dag);
        close_bench(&b);
    }
    print_message("better in %d of 20\n", better);
    assert_true(better > 0);
}

/* One row: no arc changes the likelihood. */
static void arcs_that_gain_nothing_do_not_stay(void **state)
{
    (void)state;
    struct random_table how = {.seed = 1, .columns = 4, .most = 3, .rows = 1};
    struct bench b;
    open_bench(&b, how, "score=ll set:restarts=20 set:tabu=3");
    struct bestdag_outcome outcome = search(&b);
    assert_int_equal(bestdag_dag_arcs(outcome.dag), 0);
    bestdag_dag_free(outcome.dag);
    close_bench(&b);
}

static uint64_t hash_dag(const struct bestdag_dag *dag)
{
    uint64_t hash = 1;
    for (int v = 0; v < dag->n; v++)
        for (int i = 0; i < dag->parents[v].count; i++)
            hash =
                bestdag_mix(hash ^ ((uint64_t)v << 32 | dag->parents[v].at[i]));
    return hash;
}

/* So large that rows are scored by several threads, also one at a time. */
static void threads_do_not_show(void **state)
{
    (void)state;
    static const char *const threads[] = {"1", "2", "8"};
    struct random_table how = {
        .seed = 9, .columns = 36, .most = 3, .rows = 130000};
    uint64_t hash[3];
    double score[3];
    int64_t steps[3];
    for (int i = 0; i < 3; i++) {
        struct bench b;
        open_bench(&b, how, "set:restarts=2 set:tabu=3");
        bestdag_run_set(b.run, "threads", threads[i]);
        struct bestdag_outcome outcome = search(&b);
        hash[i] = hash_dag(outcome.dag);
        score[i] = outcome.score;
        steps[i] = outcome.steps;
        assert_int_equal(outcome.restarts, 2);
        bestdag_dag_free(outcome.dag);
        close_bench(&b);
    }
    for (int i = 1; i < 3; i++) {
        assert_true(hash[i] == hash[0]);
        assert_true(score[i] == score[0]);
        assert_int_equal(steps[i], steps[0]);
    }
}

static void seeds_and_steps_decide(void **state)
{
    (void)state;
    struct random_table how = {
        .seed = 4, .columns = 20, .most = 4, .rows = 300};
    int64_t last = 0;
    for (int i = 0; i < 6; i++) {
        struct bench b;
        open_bench(&b, how, NULL);
        set_options(&b, i % 2 ? "set:steps=4000" : "set:steps=1");
        bestdag_run_set(b.run, "seed", "7");
        struct bestdag_outcome outcome = search(&b);
        if (i % 2) {
            int64_t all = (int64_t)(hash_dag(outcome.dag) >> 1);
            assert_true(outcome.steps >= 4000);
            assert_true(outcome.steps < 4000 + 20 * 20);
            assert_true(i == 1 || all == last);
            last = all;
        } else {
            assert_int_equal(outcome.steps, 400); /* all rows, no move */
            assert_int_equal(bestdag_dag_arcs(outcome.dag), 0);
        }
        bestdag_dag_free(outcome.dag);
        close_bench(&b);
    }
}

static void without_a_limit_it_ends(void **state)
{
    (void)state;
    struct random_table how = {.seed = 4, .columns = 4, .most = 2, .rows = 50};
    struct bench b;
    open_bench(&b, how, NULL);
    struct bestdag_outcome outcome = search(&b);
    assert_true(outcome.steps >= 10 * 16 + 500000);
    assert_true(outcome.restarts > 0);
    bestdag_dag_free(outcome.dag);
    b.task.max_parents = 0; /* nothing can be moved: nor begun again */
    outcome = search(&b);
    assert_int_equal(outcome.restarts, 0);
    assert_int_equal(bestdag_dag_arcs(outcome.dag), 0);
    bestdag_dag_free(outcome.dag);
    close_bench(&b);
}

static void it_goes_on_from_the_start(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct random_table how = {
            .seed = seed, .columns = 5, .most = 3, .rows = 60};
        struct bestdag_random random = bestdag_random_init(seed, 2);
        struct small g = random_small(&random, 5, .5);
        struct bench b;
        print_message("seed %d\n", (int)seed);
        open_bench(&b, how, "set:restarts=0");
        score_all(&b);
        struct bestdag_dag *start = to_dag(b.run, &g);
        b.task.start = start;
        struct bestdag_outcome outcome = search(&b);
        struct small end = of_dag(outcome.dag);
        assert_true(score_of(&b, &end) >= score_of(&b, &g));
        expect_no_better_move(&b, &end);
        bestdag_dag_free(outcome.dag);
        set_options(&b, "set:steps=1");
        outcome = search(&b);
        end = of_dag(outcome.dag);
        assert_true(same(&end, &g)); /* no move was made */
        bestdag_dag_free(outcome.dag);
        bestdag_dag_free(start);
        close_bench(&b);
    }
}

static void wrong_starts_are_refused(void **state)
{
    (void)state;
    struct random_table how = {.seed = 1, .columns = 3, .most = 3, .rows = 30};
    struct small fork = {.n = 3, .parents = {0, 5}}, cycle = {.n = 3};
    struct bestdag_outcome outcome;
    struct bench b;
    cycle.parents[0] = 2;
    cycle.parents[1] = 4;
    cycle.parents[2] = 1;
    open_bench(&b, how, NULL);
    struct bestdag_dag *two = to_dag(b.run, &fork);
    struct bestdag_dag *round = to_dag(b.run, &cycle);
    b.task.start = two;
    b.task.max_parents = 1;
    assert_int_equal(bestdag_search(&b.task, &outcome), BESTDAG_USAGE);
    assert_string_equal(bestdag_run_error(b.run),
                        "the network to start from gives 'V2' 2 parents, "
                        "max-parents is 1");
    assert_null(outcome.dag);
    bestdag_run_clear(b.run);
    b.task.start = round;
    assert_int_equal(bestdag_search(&b.task, &outcome), BESTDAG_INPUT);
    assert_string_equal(bestdag_run_error(b.run),
                        "the network to start from has a cycle");
    bestdag_run_clear(b.run);
    bestdag_dag_free(two);
    bestdag_dag_free(round);
    close_bench(&b);
}

/* An arc costs more than the likelihood of all data can pay. */
static void a_hopeless_start_loses_its_arcs(void **state)
{
    (void)state;
    struct random_table how = {.seed = 1, .columns = 3, .most = 3, .rows = 30};
    struct small fork = {.n = 3, .parents = {0, 5}};
    struct bench b;
    open_bench(&b, how, "structure-prior=arcs:1e9 set:restarts=5 set:tabu=4");
    struct bestdag_dag *start = to_dag(b.run, &fork);
    b.task.start = start;
    struct bestdag_outcome outcome = search(&b);
    assert_int_equal(bestdag_dag_arcs(outcome.dag), 0);
    bestdag_dag_free(outcome.dag);
    bestdag_dag_free(start);
    close_bench(&b);
}

static void stopped_at_once_it_gives_the_start(void **state)
{
    (void)state;
    struct random_table how = {.seed = 1, .columns = 4, .most = 3, .rows = 30};
    struct small g = {.n = 4, .parents = {0, 1, 3, 0}};
    for (int with = 0; with < 2; with++) {
        struct bench b;
        open_bench(&b, how, NULL);
        struct bestdag_dag *start = to_dag(b.run, &g);
        b.task.start = with ? start : NULL;
        bestdag_run_stop(b.run);
        struct bestdag_outcome outcome = search(&b);
        struct small end = of_dag(outcome.dag);
        assert_int_equal(bestdag_dag_arcs(outcome.dag), with ? 3 : 0);
        assert_true(!with || same(&end, &g));
        assert_string_equal(outcome.status, "interrupted");
        bestdag_dag_free(outcome.dag);
        bestdag_dag_free(start);
        close_bench(&b);
    }
}

struct brake {
    int64_t after; /* families */
    double best;   /* last reported */
    int reports;
};

static int brake(void *user, const struct bestdag_progress *now)
{
    struct brake *b = user;
    if (now->best > b->best) { /* not before there is one */
        b->reports++;
        b->best = now->best;
    }
    return now->done >= b->after;
}

static void stopped_midway_it_gives_the_best_so_far(void **state)
{
    (void)state;
    struct random_table how = {
        .seed = 2, .columns = 30, .most = 3, .rows = 2000};
    struct brake user = {.after = 1500, .best = -INFINITY};
    struct bench b;
    open_bench(&b, how, "set:steps=1000000000");
    bestdag_run_set(b.run, "threads", "1");
    bestdag_run_on_progress(b.run, brake, &user);
    struct bestdag_outcome outcome = search(&b);
    assert_string_equal(outcome.status, "interrupted");
    assert_true(bestdag_dag_arcs(outcome.dag) > 0);
    assert_true(user.reports > 0);
    assert_true(outcome.score >= user.best - 1e-6);
    bestdag_dag_free(outcome.dag);
    close_bench(&b);
    open_bench(&b, how, NULL);
    bestdag_run_set(b.run, "time-limit", "50ms");
    outcome = search(&b);
    assert_string_equal(outcome.status, "stopped");
    bestdag_dag_free(outcome.dag);
    close_bench(&b);
}

static void what_cannot_fit_is_said_beforehand(void **state)
{
    (void)state;
    struct random_table how = {
        .seed = 2, .columns = 400, .most = 2, .rows = 10};
    struct bestdag_outcome outcome;
    struct bench b;
    char limit[32];
    open_bench(&b, how, NULL);
    snprintf(limit, sizeof limit, "%d",
             (int)bestdag_memory_used(b.run) + 1000000);
    bestdag_run_set(b.run, "memory-limit", limit);
    assert_int_equal(bestdag_search(&b.task, &outcome), BESTDAG_MEMORY);
    assert_non_null(strstr(bestdag_run_error(b.run), "hill climbing"));
    bestdag_run_clear(b.run);
    bestdag_run_set(b.run, "memory-limit", "20M");
    set_options(&b, "set:steps=200000");
    outcome = search(&b);
    assert_true(bestdag_memory_peak(b.run) <= 20 << 20);
    bestdag_dag_free(outcome.dag);
    close_bench(&b);
}

static void every_failed_allocation_is_survived(void **state)
{
    (void)state;
    static const struct random_table how[] = {
        {.seed = 3, .columns = 4, .most = 3, .rows = 40},
        {.seed = 3, .columns = 12, .most = 3, .rows = 60000}};
    static const int64_t last[] = {5000, 150};
    for (int k = 0; k < 2; k++) {
        struct bench b;
        open_bench(&b, how[k], "set:restarts=1");
        bestdag_run_set(b.run, "threads", "2");
        int64_t used = bestdag_memory_used(b.run);
        bool done = false;
        for (int64_t n = 1; n < last[k] && !done; n += k ? 7 : 1) {
            struct bestdag_outcome outcome;
            bestdag_memory_fail_at(b.run, n);
            int status = bestdag_search(&b.task, &outcome);
            done = !bestdag_memory_has_failed(b.run);
            assert_true(!status || (!done && status == BESTDAG_MEMORY));
            bestdag_dag_free(outcome.dag);
            bestdag_memory_fail_at(b.run, 0);
            assert_int_equal(bestdag_memory_used(b.run), used);
            bestdag_run_clear(b.run);
        }
        assert_true(done || k);
        close_bench(&b);
    }
}

/* ---- known data -----------------------------------------------------------
 */

static void known_tables_end_between_published_and_optimal(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        double published, best;
    } known[] = {{"alarm.csv.gz", -220761.69, -218632.315680},
                 {"insurance.csv.gz", -266113.03, -264708.859751}};
    const char *data = getenv("BESTDAG_DATA");
    if (!data)
        skip();
    for (int i = 0; i < 2; i++) {
        struct bestdag_run *run = bestdag_run_new();
        struct bestdag_options *options = bestdag_options_new(run);
        char path[512];
        snprintf(path, sizeof path, "%s/samples/%s", data, known[i].file);
        struct bestdag_table *t = bestdag_table_read(run, path, NULL);
        bestdag_options_set(run, options, "solver", "hc");
        bestdag_options_set(run, options, "max-parents", "3");
        bestdag_options_set(run, options, "set", "steps=1000");
        struct bestdag_result *first = bestdag_learn(run, t, NULL, options);
        bestdag_options_set(run, options, "set", "steps=400000");
        struct bestdag_result *r = bestdag_learn(run, t, NULL, options);
        assert_string_equal(bestdag_run_error(run), "");
        assert_true(bestdag_result_number(r, "score") > known[i].published);
        assert_true(bestdag_result_number(r, "score") <= known[i].best + 1e-4);
        assert_true(bestdag_result_number(r, "score") >=
                    bestdag_result_number(first, "score"));
        print_message("%s: %.6f\n", known[i].file,
                      bestdag_result_number(r, "score"));
        bestdag_result_free(first);
        bestdag_result_free(r);
        bestdag_table_free(t);
        bestdag_options_free(options);
        bestdag_run_free(run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_end_is_a_top_and_never_above_the_best),
        cmocka_unit_test(tabu_goes_beyond_the_first_top),
        cmocka_unit_test(arcs_that_gain_nothing_do_not_stay),
        cmocka_unit_test(threads_do_not_show),
        cmocka_unit_test(seeds_and_steps_decide),
        cmocka_unit_test(without_a_limit_it_ends),
        cmocka_unit_test(it_goes_on_from_the_start),
        cmocka_unit_test(wrong_starts_are_refused),
        cmocka_unit_test(a_hopeless_start_loses_its_arcs),
        cmocka_unit_test(stopped_at_once_it_gives_the_start),
        cmocka_unit_test(stopped_midway_it_gives_the_best_so_far),
        cmocka_unit_test(what_cannot_fit_is_said_beforehand),
        cmocka_unit_test(every_failed_allocation_is_survived),
        cmocka_unit_test(known_tables_end_between_published_and_optimal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
