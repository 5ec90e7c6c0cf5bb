/* SPDX-License-Identifier: MIT */
/* test_ranked_proofs.c -- astar, bfbnb, cluster and bnb on several ranks, which
 * are threads here, with nodes divided among them from the start: the answer,
 * its bound and its steps are those of one process, and the optimum that brute
 * force finds; memory that fails on one rank ends all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "solving.h"
#include "thread_ranks.h"

enum { TRIALS = 24, SOLVERS = 4 };

static const uint64_t SEED = 20261118;
static const char *const solvers[SOLVERS] = {"astar", "bfbnb", "cluster",
                                             "bnb"};

struct plan {
    struct random_sets shape;
    const char *solver;
    uint64_t trial;
    int64_t steps;    /* that limit it; 0: none */
    int64_t fails_at; /* allocation of the last rank; 0: none */
};

struct member {
    const struct plan *plan;
    struct office *office; /* NULL: no ranks */
    int rank, status;
    pthread_t thread;
    double score, bound;
    int64_t steps, sent;
    char outcome[32];
    char arcs[4096];
    int64_t optimum, none;
    double best; /* nats */
    bool has_failed, is_alone;
};

static void write_arcs(const struct bestdag_dag *dag, struct member *m)
{
    size_t at = 0;
    for (int v = 0; dag && v < dag->n; v++)
        for (int k = 0; k < dag->parents[v].count; k++)
            at += (size_t)snprintf(m->arcs + at, sizeof m->arcs - at, "%d>%d ",
                                   dag->parents[v].at[k], v);
}

static void configure(struct world *w, const struct plan *plan)
{
    set(w, "spread", 0);
    if (plan->steps)
        set(w, "steps", plan->steps);
    if (plan->solver[0] == 'a' || plan->solver[1] == 'f') {
        if (plan->trial % 2)
            set(w, "first", 1);
        if (plan->trial % 3)
            bestdag_options_set(w->run, w->options, "set", "heuristic=simple");
    } else if (plan->solver[0] == 'b' && plan->trial % 2)
        bestdag_options_set(w->run, w->options, "set", "bound=simple");
}

static void *live(void *argument)
{
    struct member *m = argument;
    const struct plan *plan = m->plan;
    struct world w = pose_random(plan->shape, plan->solver);
    struct bestdag_outcome got;
    w.run->threads = 1 + m->rank % 2;
    if (m->office)
        join_office(w.run, m->office, m->rank);
    configure(&w, plan);
    if (plan->fails_at && m->rank == m->office->ranks - 1)
        bestdag_memory_fail_at(w.run, plan->fails_at);
    m->status = bestdag_search(&w.task, &got);
    m->has_failed = bestdag_memory_has_failed(w.run);
    m->score = got.score;
    m->bound = got.bound;
    m->steps = got.steps;
    snprintf(m->outcome, sizeof m->outcome, "%s", m->status ? "" : got.status);
    write_arcs(m->status ? NULL : got.dag, m);
    m->optimum = m->rank ? 0 : brute_optimum(w.problem);
    m->none = w.problem->none;
    m->best = bestdag_problem_nats(w.problem, m->optimum);
    bestdag_dag_free(got.dag);
    if (m->office) { /* nobody leaves before all have ended */
        bestdag_collective_sync(w.run, SEED);
        m->is_alone = w.run->communicator->is_alone;
        bestdag_communicator_leave(w.run, 0);
        m->sent = w.run->communicator->bytes;
    }
    clear(&w);
    return NULL;
}

static struct member alone, member[MOST_RANKS];

static void solve_alone(const struct plan *plan)
{
    alone = (struct member){.plan = plan};
    live(&alone);
}

static void solve_together(const struct plan *plan, int ranks)
{
    static struct office office;
    open_office(&office, ranks);
    for (int i = 0; i < ranks; i++)
        member[i] = (struct member){.plan = plan, .office = &office, .rank = i};
    for (int i = 0; i < ranks; i++)
        pthread_create(&member[i].thread, NULL, live, &member[i]);
    for (int i = 0; i < ranks; i++)
        pthread_join(member[i].thread, NULL);
    close_office(&office);
}

static void expect_same(const struct member *m)
{
    assert_int_equal(m->status, alone.status);
    assert_false(m->is_alone);
    if (m->status)
        return;
    assert_string_equal(m->outcome, alone.outcome);
    assert_true(m->score == alone.score);
    assert_true(m->bound == alone.bound);
    assert_int_equal(m->steps, alone.steps);
    assert_string_equal(m->arcs, alone.arcs);
}

static struct plan plan_of(int solver, uint64_t trial)
{
    struct plan plan = {.shape = shape_of(SEED, trial),
                        .solver = solvers[solver],
                        .trial = trial};
    plan.shape.n = 4 + (int)(trial % 8);
    plan.shape.sets += 20;
    return plan;
}

static void ranks_prove_what_one_process_does(void **state)
{
    int proved = 0, sent[SOLVERS] = {0};
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (uint64_t t = 0; t < TRIALS; t++)
        for (int i = 0; i < SOLVERS; i++) {
            static const int numbers[] = {2, 3, 5};
            struct plan plan = plan_of(i, t);
            int ranks = numbers[(t + (uint64_t)i) % 3];
            solve_alone(&plan);
            solve_together(&plan, ranks);
            for (int r = 0; r < ranks; r++)
                expect_same(&member[r]);
            bool is_possible = alone.optimum < alone.none;
            assert_int_equal(member[0].status,
                             is_possible ? BESTDAG_OK : BESTDAG_INFEASIBLE);
            if (is_possible) {
                double off = member[0].score - alone.best;
                assert_string_equal(member[0].outcome, "optimal");
                assert_true(off < 1e-7 && off > -1e-7);
                proved++;
            }
            sent[i] += member[0].sent > 3000;
        }
    for (int i = 0; i < SOLVERS; i++) {
        print_message("%s: spread in %d of %d\n", solvers[i], sent[i], TRIALS);
        assert_true(sent[i] > TRIALS / 8);
    }
    assert_true(proved > TRIALS * SOLVERS / 2);
}

/* Steps end all ranks at the same node. */
static void a_limit_ends_all_alike(void **state)
{
    int stopped = 0;
    (void)state;
    for (uint64_t t = 0; t < 8; t++)
        for (int i = 0; i < SOLVERS; i++) {
            struct plan plan = plan_of(i, t);
            plan.shape.n = 11;
            plan.shape.no_empty = false;
            plan.steps = 1 + (int64_t)(t * t * (i == 3 ? 1 : 40));
            solve_alone(&plan);
            solve_together(&plan, 3);
            for (int r = 0; r < 3; r++)
                expect_same(&member[r]);
            stopped += !strcmp(alone.outcome, "stopped");
        }
    assert_true(stopped > 8);
}

static void memory_that_fails_on_one_rank_ends_all(void **state)
{
    int failed = 0;
    (void)state;
    for (int i = 0; i < SOLVERS; i++)
        for (int64_t at = 1; at < 4000; at += 1 + at / 3) {
            struct plan plan = plan_of(i, 5);
            plan.shape.n = 9;
            plan.fails_at = at;
            solve_together(&plan, 3);
            failed += member[2].has_failed;
            for (int r = 0; r < 3; r++) /* what is said is true */
                assert_true(member[r].status ||
                            strcmp(member[r].outcome, "optimal") ||
                            member[r].score > member[0].best - 1e-7);
        }
    print_message("%d failures\n", failed);
    assert_true(failed > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_prove_what_one_process_does),
        cmocka_unit_test(a_limit_ends_all_alike),
        cmocka_unit_test(memory_that_fails_on_one_rank_ends_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
