/* SPDX-License-Identifier: MIT */
/* solving.h -- a problem with a task for a solver, for tests of solvers. */
#ifndef BESTDAG_TESTS_SOLVING_H
#define BESTDAG_TESTS_SOLVING_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "random_lists.h"
#include "search/solver.h"

struct world {
    struct bestdag_run *run;
    struct bestdag_options *options;
    struct bestdag_sets *sets;
    struct bestdag_problem *problem;
    struct bestdag_task task;
};

/* Takes over run and sets. */
static inline struct world pose(struct bestdag_run *run,
                                struct bestdag_sets *sets,
                                const struct bestdag_solver *solver)
{
    struct world w = {.run = run, .sets = sets};
    w.options = bestdag_options_new(run);
    w.problem = bestdag_problem_new(run, sets);
    assert_non_null(w.problem);
    w.task = (struct bestdag_task){.run = run,
                                   .solver = solver,
                                   .options = w.options,
                                   .problem = w.problem,
                                   .n = sets->n,
                                   .max_parents = -1};
    return w;
}

static inline struct world pose_random(struct random_sets shape,
                                       const char *solver)
{
    struct bestdag_run *run = bestdag_run_new();
    return pose(run, random_sets(run, shape), bestdag_solver_find(solver));
}

static inline void clear(struct world *w)
{
    bestdag_problem_free(w->problem);
    bestdag_sets_free(w->sets);
    bestdag_options_free(w->options);
    bestdag_run_free(w->run);
}

static inline void set(struct world *w, const char *key, int64_t value)
{
    char text[64];
    snprintf(text, sizeof text, "%s=%lld", key, (long long)value);
    bestdag_options_set(w->run, w->options, "set", text);
}

/* Problems of all kinds: small, with ties, without empty sets, not pruned. */
static inline struct random_sets shape_of(uint64_t seed, uint64_t trial)
{
    return (struct random_sets){.seed = seed + trial,
                                .n = 1 + (int)(trial % 12),
                                .sets = 2 + (int)(trial % 13) * 4,
                                .most_parents = 1 + (int)(trial % 5),
                                .levels = trial % 5 ? 0 : 3,
                                .no_empty = trial % 3 == 0,
                                .no_prune = trial % 7 == 0};
}

/* Searches, and asks for a proof that agrees with brute force. False: there is
 * no network, and that is reported. */
static inline bool proves_optimum(struct world *w)
{
    struct bestdag_outcome got;
    int64_t best = brute_optimum(w->problem);
    int status = bestdag_search(&w->task, &got);
    bool is_possible = best < w->problem->none;
    if (is_possible) {
        double off = got.score - bestdag_problem_nats(w->problem, best);
        assert_int_equal(status, BESTDAG_OK);
        assert_string_equal(got.status, "optimal");
        assert_true(off < 1e-7 && off > -1e-7);
    } else {
        assert_int_equal(status, BESTDAG_INFEASIBLE);
    }
    bestdag_dag_free(got.dag);
    return is_possible;
}

#endif
