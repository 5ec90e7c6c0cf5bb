/* SPDX-License-Identifier: MIT */
/* test_structural_em.c -- structural expectation-maximisation that is stopped
 * at any of its searches: what it says of its answer is of that answer. */
#include "learn/structural_em.h"
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

/* Hill climbing; the run is stopped after a number of searches. */
struct climber {
    struct bestdag_run *run;
    struct bestdag_scorer *scorer; /* owns; of the last search */
    int left;
};

static int climb(void *learning, const struct bestdag_completed_search *what,
                 struct bestdag_outcome *to,
                 const struct bestdag_scorer **scorer)
{
    struct climber *c = learning;
    bestdag_scorer_free(c->scorer);
    c->scorer = bestdag_scorer_of(c->run, what->table, what->type, NULL);
    assert_non_null(c->scorer);
    struct bestdag_task task = {.run = c->run,
                                .solver = bestdag_solver_find("hc"),
                                .scorer = c->scorer,
                                .start = what->start,
                                .n = what->table->columns,
                                .max_parents = -1,
                                .is_once = true};
    *scorer = c->scorer;
    int status = bestdag_search(&task, to);
    if (!--c->left)
        bestdag_run_expire(c->run);
    return status;
}

static double rescored(const struct climber *c, const struct bestdag_dag *dag)
{
    double nats[8], sum = 0;
    assert_int_equal(bestdag_scorer_exact_all(c->run, c->scorer, dag, nats),
                     BESTDAG_OK);
    for (int v = 0; v < dag->n; v++)
        sum += nats[v];
    return sum;
}

/* What was said of a run that ended after `searches`; *is_over: by itself. */
static void assert_stop(struct bestdag_run *run, const struct bestdag_table *t,
                        int searches, int *of_others, bool *is_over)
{
    struct climber climber = {.run = run, .left = searches};
    struct bestdag_outcome outcome;
    struct bestdag_structural_em em = {.run = run,
                                       .table = t,
                                       .like = bestdag_score_find("bic"),
                                       .is_quick = true,
                                       .learning = &climber,
                                       .search = climb};
    assert_int_equal(bestdag_structural_em_run(&em, &outcome), BESTDAG_OK);
    *is_over = climber.left > 0;
    assert_int_equal(em.has_converged, *is_over);
    assert_string_equal(outcome.status, *is_over ? "heuristic" : "stopped");
    *of_others += !em.is_of_last;
    if (em.is_of_last) {
        double again = rescored(&climber, outcome.dag);
        assert_true(fabs(again - outcome.score) < 1e-6);
    }
    bestdag_dag_free(outcome.dag);
    bestdag_scorer_free(climber.scorer); /* its type belongs to em */
    bestdag_structural_em_release(&em);
    bestdag_run_clear(run);
}

static void a_stop_shows_in_status_and_scores(void **state)
{
    struct bestdag_run *run = *state;
    int of_others = 0;
    for (uint64_t seed = 0; seed < 6; seed++) {
        struct bestdag_network *net =
            nets_random(run, (struct shape){.seed = seed,
                                            .n = 8,
                                            .least_states = 2,
                                            .most_states = 3,
                                            .most_parents = 3});
        struct bestdag_table *t = nets_table(run, net, 300, 0.15, seed);
        bool is_over = false;
        assert_int_equal(bestdag_table_complete(run, t, "em"), BESTDAG_OK);
        for (int searches = 1; !is_over; searches++)
            assert_stop(run, t, searches, &of_others, &is_over);
        bestdag_table_free(t);
        bestdag_network_free(net);
    }
    assert_true(of_others > 0); /* else it tests nothing */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stop_shows_in_status_and_scores),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
