/* SPDX-License-Identifier: MIT */
/* os, obs, asobs and what they share, against brute force on small problems:
 * values of orders, changes by swaps, limits, threads, failing memory. */
#include <math.h>

#include "scratch.h"
#include "random_lists.h"

#include "search/orders/initial_order.h"
#include "search/orders/restarts.h"
#include "search/orders/acyclic_selection.h"
#include "search/solver.h"
#include "search/orders/adjacent_swaps.h"

static const char *const solvers[] = {"os", "obs", "asobs"};

/* ---- problems --------------------------------------------------------------
 */

struct scene {
    struct bestdag_run *run;
    struct bestdag_sets *sets;
    struct bestdag_problem *problem;
};

static struct scene scene_new(struct random_sets how)
{
    struct scene s = {.run = bestdag_run_new()};
    s.sets = random_sets(s.run, how);
    s.problem = bestdag_problem_new(s.run, s.sets);
    assert_fine(s.run);
    return s;
}

static void scene_free(struct scene *s)
{
    bestdag_problem_free(s->problem);
    bestdag_sets_free(s->sets);
    scratch_end(s->run);
}

/* Problem number i of a series of all kinds. */
static struct random_sets kind(int i, int most_n)
{
    struct bestdag_random r = bestdag_random_init(2015, (uint64_t)i);
    return (struct random_sets){
        .seed = (uint64_t)i,
        .n = 1 + (int)bestdag_random_below(&r, (uint64_t)most_n),
        .sets = 1 + (int)bestdag_random_below(&r, 20),
        .most_parents = 1 + (int)bestdag_random_below(&r, 4),
        .levels = i % 3 ? 0 : 6,
        .no_empty = i % 4 == 1,
        .no_prune = i % 5 == 2,
    };
}

/* ---- orders that are drawn -------------------------------------------------
 */

static void assert_permutation(const int *order, int n)
{
    uint32_t all = 0;
    for (int i = 0; i < n; i++)
        all |= 1u << order[i];
    assert_int_equal(all, (1u << n) - 1);
}

static void a_drawn_order_has_a_network_if_there_is_one(void **state)
{
    (void)state;
    int with = 0, without = 0;
    for (int seed = 0; seed < 400; seed++) {
        struct random_sets how = kind(seed, 8);
        how.no_empty = true;
        struct scene x = scene_new(how);
        struct bestdag_initial_order *d =
            bestdag_initial_order_new(x.run, x.problem);
        struct bestdag_random r = bestdag_random_init((uint64_t)seed, 4);
        bool exists = brute_optimum(x.problem) < x.problem->none;
        for (int k = 0; k < 5; k++) {
            int placed = bestdag_initial_order_random(d, &r);
            assert_int_equal(placed == how.n, exists);
            assert_permutation(d->order, how.n);
            int64_t cost = brute_order(x.problem, d->order);
            assert_int_equal(cost < x.problem->none, exists);
        }
        *(exists ? &with : &without) += 1;
        bestdag_initial_order_free(d);
        scene_free(&x);
    }
    assert_true(with > 20 && without > 20);
}

static void an_order_is_drawn_as_near_as_can_be(void **state)
{
    (void)state;
    for (int seed = 0; seed < 200; seed++) {
        struct scene x = scene_new(kind(seed, 8));
        struct bestdag_initial_order *d =
            bestdag_initial_order_new(x.run, x.problem);
        struct bestdag_random r = bestdag_random_init((uint64_t)seed, 5);
        int order[8], n = x.problem->n;
        random_order(&r, n, order);
        bestdag_initial_order_near(d, order);
        assert_permutation(d->order, n);
        if (brute_order(x.problem, order) < x.problem->none)
            assert_memory_equal(d->order, order, (size_t)n * sizeof *order);
        bestdag_initial_order_free(d);
        scene_free(&x);
    }
}

static void other_orders_of_a_network_are_never_worse(void **state)
{
    (void)state;
    int differ = 0;
    for (int seed = 0; seed < 300; seed++) {
        struct scene x = scene_new(kind(seed, 12));
        struct bestdag_initial_order *d =
            bestdag_initial_order_new(x.run, x.problem);
        struct bestdag_acyclic_selection *s =
            bestdag_acyclic_selection_new(x.run, x.problem);
        struct bestdag_random r = bestdag_random_init((uint64_t)seed, 6);
        int n = x.problem->n, before[12];
        int64_t cost = INT64_MAX;
        if (bestdag_initial_order_random(d, &r) == n)
            for (int k = 0; k < 5; k++) {
                memcpy(before, d->order, (size_t)n * sizeof *before);
                bestdag_acyclic_selection_load(s, d->order);
                assert_true(s->cost <= cost);
                cost = s->cost;
                bestdag_initial_order_again(d, &r, s->choice);
                assert_permutation(d->order, n);
                assert_true(brute_order(x.problem, d->order) <= cost);
                differ +=
                    memcmp(before, d->order, (size_t)n * sizeof *before) != 0;
            }
        bestdag_acyclic_selection_free(s);
        bestdag_initial_order_free(d);
        scene_free(&x);
    }
    assert_true(differ > 500);
}

/* ---- swaps -----------------------------------------------------------------
 */

static void check_table(struct bestdag_swaps *s, int seed)
{
    int n = s->n, best = -1;
    int64_t least = 0;
    int order[20];
    memcpy(order, s->order, (size_t)n * sizeof *order);
    if (brute_order(s->problem, order) != s->cost)
        fail_msg("seed %d: wrong cost", seed);
    for (int i = 0; i + 1 < n; i++) {
        order[i] = s->order[i + 1];
        order[i + 1] = s->order[i];
        int64_t change = brute_order(s->problem, order) - s->cost;
        if (change != s->swap[i].change)
            fail_msg("seed %d: wrong change at %d", seed, i);
        if (change < least) {
            least = change;
            best = i;
        }
        order[i] = s->order[i];
        order[i + 1] = s->order[i + 1];
    }
    assert_int_equal(bestdag_swaps_best(s), best);
}

static void the_table_of_swaps_is_what_brute_force_says(void **state)
{
    (void)state;
    for (int seed = 0; seed < 400; seed++) {
        struct scene x = scene_new(kind(seed, 12));
        struct bestdag_swaps *s = bestdag_swaps_new(x.run, x.problem);
        struct bestdag_random r = bestdag_random_init((uint64_t)seed, 1);
        int order[20], n = x.problem->n;
        random_order(&r, n, order);
        bestdag_swaps_load(s, order);
        bestdag_swaps_weigh(s);
        check_table(s, seed);
        for (int k = 0; k < 20 && n > 1; k++) { /* also swaps for the worse */
            int i = (int)bestdag_random_below(&r, (uint64_t)n - 1);
            bestdag_swaps_apply(s, i);
            check_table(s, seed);
        }
        bestdag_swaps_free(s);
        scene_free(&x);
    }
}

/* ---- acyclic selection -----------------------------------------------------
 */

/* As the paper says it, with V_j itself in the todo lists, over a plain matrix.
 */
static int64_t plain_selection(const struct bestdag_problem *p,
                               const int *order)
{
    uint32_t below[20] = {0}; /* descendants */
    int64_t cost = 0;
    for (int j = p->n - 1; j >= 0; j--) {
        int v = order[j];
        const struct bestdag_list *list = &p->sets->list[v];
        uint32_t mask = 0;
        int64_t i = 0;
        for (; i < list->count; i++) {
            mask = 0;
            for (int64_t k = list->start[i]; k < list->start[i + 1]; k++)
                mask |= 1u << list->member[k];
            if (!(mask & below[v]))
                break;
        }
        cost += p->candidates[v].cost[i];
        if (i == list->count)
            mask = 0;
        uint32_t more = below[v] | 1u << v;
        for (int u = 0; u < p->n; u++)
            if ((mask >> u & 1) || (below[u] & mask))
                below[u] |= more;
    }
    return cost;
}

static void turns_to_order(const struct bestdag_acyclic_selection *s,
                           int *order)
{
    for (int t = 0; t < s->n; t++)
        order[s->n - 1 - t] = s->at[t];
}

static void assert_acyclic(struct bestdag_run *run,
                           const struct bestdag_problem *p,
                           const int32_t *choice)
{
    int order[150];
    struct bestdag_dag *dag = bestdag_problem_dag(run, p, choice);
    if (!dag)
        return; /* a variable has no set */
    assert_int_equal(bestdag_dag_order(run, dag, order), p->n);
    bestdag_dag_free(dag);
}

static void selection_is_what_the_paper_says(void **state)
{
    (void)state;
    for (int seed = 0; seed < 1000; seed++) {
        struct scene x = scene_new(kind(seed, 12));
        struct bestdag_acyclic_selection *s =
            bestdag_acyclic_selection_new(x.run, x.problem);
        struct bestdag_random r = bestdag_random_init((uint64_t)seed, 2);
        int order[20];
        random_order(&r, x.problem->n, order);
        bestdag_acyclic_selection_load(s, order);
        assert_int_equal(s->cost, plain_selection(x.problem, order));
        assert_true(s->cost <= brute_order(x.problem, order));
        assert_acyclic(x.run, x.problem, s->choice);
        bestdag_acyclic_selection_free(s);
        scene_free(&x);
    }
}

/* A swap is made exactly if a new reading of the swapped order is better, and
 * what is not made leaves no trace. */
static void swaps_of_turns_are_as_good_as_a_new_reading(void **state)
{
    (void)state;
    int made = 0, tried = 0;
    for (int seed = 0; seed < 1000; seed++) {
        struct scene x = scene_new(kind(seed, 14));
        struct bestdag_acyclic_selection *s =
            bestdag_acyclic_selection_new(x.run, x.problem);
        struct bestdag_random r = bestdag_random_init((uint64_t)seed, 3);
        int order[20], n = x.problem->n;
        random_order(&r, n, order);
        bestdag_acyclic_selection_load(s, order);
        for (int k = 0, t = -1; k < 60 && n > 1; k++) {
            /* the neighbours of a swap that was made are what it may spoil */
            t += (int)bestdag_random_below(&r, 3) - 1;
            if (t < 0 || t > n - 2 || !bestdag_random_below(&r, 4))
                t = (int)bestdag_random_below(&r, (uint64_t)n - 1);
            turns_to_order(s, order);
            int64_t before = plain_selection(x.problem, order);
            assert_int_equal(s->cost, before);
            int v = order[n - 1 - t];
            order[n - 1 - t] = order[n - 2 - t];
            order[n - 2 - t] = v;
            int64_t after = plain_selection(x.problem, order);
            bool done = bestdag_acyclic_selection_swap(s, t);
            if (done != (after < before))
                fail_msg("seed %d: swap %d of turns %d", seed, k, t);
            assert_int_equal(s->cost, done ? after : before);
            assert_acyclic(x.run, x.problem, s->choice);
            made += done;
            tried++;
        }
        bestdag_acyclic_selection_free(s);
        scene_free(&x);
    }
    assert_true(made > 100 && made < tried); /* else it says nothing */
}

/* ---- lists of several words ------------------------------------------------
 */

static int64_t cost_anew(const struct scene *x, const int *order)
{
    int64_t cost;
    bestdag_dag_free(bestdag_order_dag(x->run, x->problem, order, &cost));
    assert_fine(x->run);
    return cost;
}

static void wide_lists_are_as_good_as_narrow_ones(void **state)
{
    (void)state;
    struct scene x = scene_new((struct random_sets){
        .seed = 11, .n = 150, .sets = 300, .most_parents = 3});
    struct bestdag_swaps *s = bestdag_swaps_new(x.run, x.problem);
    struct bestdag_acyclic_selection *a =
        bestdag_acyclic_selection_new(x.run, x.problem);
    struct bestdag_acyclic_selection *b =
        bestdag_acyclic_selection_new(x.run, x.problem);
    struct bestdag_random r = bestdag_random_init(11, 1);
    int order[150];
    assert_true(x.problem->words >= 2 * 150);
    random_order(&r, 150, order);
    bestdag_swaps_load(s, order);
    bestdag_swaps_weigh(s);
    bestdag_acyclic_selection_load(a, order);
    for (int k = 0; k < 300; k++) {
        int i = (int)bestdag_random_below(&r, 149);
        int64_t change = s->swap[i].change, before = s->cost;
        bestdag_swaps_apply(s, i);
        assert_int_equal(s->cost, before + change);
        assert_int_equal(s->cost, cost_anew(&x, s->order));
        bestdag_acyclic_selection_swap(a, i);
        turns_to_order(a, order);
        bestdag_acyclic_selection_load(b, order);
        assert_int_equal(a->cost, b->cost);
        assert_memory_equal(a->choice, b->choice, 150 * sizeof *a->choice);
        assert_true(a->cost <= cost_anew(&x, order));
        assert_acyclic(x.run, x.problem, a->choice);
    }
    bestdag_swaps_free(s);
    bestdag_acyclic_selection_free(a);
    bestdag_acyclic_selection_free(b);
    scene_free(&x);
}

/* ---- solvers ---------------------------------------------------------------
 */

struct trial {
    const char *solver, *setting, *more;
    const struct bestdag_dag *start;
};

static int try(const struct scene *x, struct trial how,
               struct bestdag_outcome *to)
{
    struct bestdag_options *options = bestdag_options_new(x->run);
    if (how.setting)
        bestdag_options_set(x->run, options, "set", how.setting);
    if (how.more)
        bestdag_options_set(x->run, options, "set", how.more);
    struct bestdag_task task = {.run = x->run,
                                .solver = bestdag_solver_find(how.solver),
                                .options = options,
                                .problem = x->problem,
                                .start = how.start,
                                .n = x->problem->n};
    *to = (struct bestdag_outcome){0};
    int status = bestdag_run_status(x->run);
    if (!status)
        status = bestdag_search(&task, to);
    bestdag_options_free(options);
    return status;
}

static int64_t cost_of(const struct bestdag_problem *p,
                       const struct bestdag_dag *dag)
{
    int64_t cost = 0;
    for (int v = 0; v < p->n; v++) {
        int set = bestdag_problem_find(p, v, dag->parents[v].at,
                                       dag->parents[v].count);
        assert_true(set >= 0);
        cost += p->candidates[v].cost[set];
    }
    return cost;
}

static void no_answer_is_above_the_optimum(void **state)
{
    (void)state;
    int found[3] = {0}, feasible = 0;
    for (int seed = 0; seed < 300; seed++) {
        struct scene x = scene_new(kind(seed, 6));
        int64_t optimum = brute_optimum(x.problem);
        feasible += optimum < x.problem->none;
        for (int i = 0; i < COUNT(solvers); i++) {
            struct bestdag_outcome got;
            struct trial how = {.solver = solvers[i], .setting = "steps=3000"};
            if (try(&x, how, &got) == BESTDAG_INFEASIBLE) {
                assert_true(optimum >= x.problem->none);
                assert_null(got.dag);
                bestdag_run_clear(x.run);
                continue;
            }
            assert_fine(x.run);
            int64_t cost = cost_of(x.problem, got.dag); /* acyclic: the door */
            if (cost < optimum)
                fail_msg("seed %d: %s is above the optimum", seed, solvers[i]);
            if (!cost)
                assert_string_equal(got.status, "optimal");
            found[i] += cost == optimum;
            bestdag_dag_free(got.dag);
        }
        scene_free(&x);
    }
    /* and with this many steps it is nearly always found */
    for (int i = 0; i < COUNT(solvers); i++)
        if (found[i] < feasible * 9 / 10)
            fail_msg("%s: %d of %d", solvers[i], found[i], feasible);
}

static bool same_dag(const struct bestdag_dag *a, const struct bestdag_dag *b)
{
    for (int v = 0; v < a->n; v++)
        if (a->parents[v].count != b->parents[v].count ||
            memcmp(a->parents[v].at, b->parents[v].at,
                   (size_t)a->parents[v].count * sizeof(int)) != 0)
            return false;
    return a->n == b->n;
}

static void check_threads(struct random_sets how, struct trial trial)
{
    struct bestdag_outcome first, other;
    static const char *const threads[] = {"1", "2", "8"};
    struct scene x = scene_new(how);
    for (int i = 0; i < COUNT(threads); i++) {
        bestdag_run_set(x.run, "threads", threads[i]);
        assert_int_equal(try(&x, trial, i ? &other : &first), BESTDAG_OK);
        if (!i)
            continue;
        if (!same_dag(first.dag, other.dag) || first.steps != other.steps ||
            first.restarts != other.restarts)
            fail_msg("%s %s: %s threads give another answer", trial.solver,
                     trial.setting, threads[i]);
        bestdag_dag_free(other.dag);
    }
    bestdag_dag_free(first.dag);
    scene_free(&x);
}

static void the_number_of_threads_does_not_show(void **state)
{
    (void)state;
    static const char *const settings[] = {
        "steps=20", "steps=1000", "steps=54321", "restarts=1", "restarts=333"};
    for (int i = 0; i < COUNT(solvers); i++)
        for (int k = 0; k < COUNT(settings); k++)
            for (int n = 4; n <= (k == 2 ? 64 : 16); n *= 4)
                check_threads(
                    (struct random_sets){.seed = (uint64_t)n,
                                         .n = n,
                                         .sets = 30,
                                         .most_parents = 3,
                                         .no_empty = n == 16},
                    (struct trial){.solver = solvers[i],
                                   .setting = settings[k],
                                   .more = i && k % 2 ? "reorders=3" : NULL});
}

static void reorders_gain(void **state)
{
    (void)state;
    struct scene x = scene_new((struct random_sets){
        .seed = 7, .n = 60, .sets = 60, .most_parents = 3});
    for (int i = 1; i < COUNT(solvers); i++) {
        struct bestdag_outcome plain, longer;
        struct trial how = {.solver = solvers[i], .setting = "restarts=5"};
        assert_int_equal(try(&x, how, &plain), BESTDAG_OK);
        how.more = "reorders=20";
        assert_int_equal(try(&x, how, &longer), BESTDAG_OK);
        assert_int_equal(longer.restarts, 5);
        assert_true(longer.score > plain.score);
        bestdag_dag_free(plain.dag);
        bestdag_dag_free(longer.dag);
    }
    scene_free(&x);
}

/* What one thread alone would do, in a few lines. */
static void the_loop_is_a_plain_loop(void **state)
{
    (void)state;
    struct scene x = scene_new((struct random_sets){
        .seed = 5, .n = 10, .sets = 20, .most_parents = 3});
    int64_t least = INT64_MAX, steps = 0;
    struct bestdag_swaps *s = bestdag_swaps_new(x.run, x.problem);
    for (int k = 0; k < 700; k++) {
        struct bestdag_random r = bestdag_random_init(x.run->seed, (uint64_t)k);
        int order[10], i;
        random_order(&r, 10, order);
        bestdag_swaps_load(s, order);
        bestdag_swaps_weigh(s);
        while ((i = bestdag_swaps_best(s)) >= 0)
            bestdag_swaps_apply(s, i);
        least = s->cost < least ? s->cost : least;
        steps = s->steps;
    }
    struct bestdag_outcome got;
    struct trial how = {.solver = "obs", .setting = "restarts=700"};
    assert_int_equal(try(&x, how, &got), BESTDAG_OK);
    assert_int_equal(cost_of(x.problem, got.dag), least);
    assert_int_equal(got.steps, steps);
    assert_int_equal(got.restarts, 700);
    assert_string_equal(got.status, "heuristic");
    bestdag_dag_free(got.dag);
    bestdag_swaps_free(s);
    scene_free(&x);
}

static void steps_and_restarts_are_kept(void **state)
{
    (void)state;
    struct scene x = scene_new((struct random_sets){
        .seed = 6, .n = 40, .sets = 30, .most_parents = 3});
    for (int i = 0; i < COUNT(solvers); i++) {
        struct bestdag_outcome got;
        struct trial how = {.solver = solvers[i], .setting = "steps=10000"};
        assert_int_equal(try(&x, how, &got), BESTDAG_OK);
        assert_in_range(got.steps, 10000, 10000 + 2 * 40);
        bestdag_dag_free(got.dag);
        how = (struct trial){.solver = solvers[i],
                             .setting = "restarts=7",
                             .more = "steps=9000000000"};
        assert_int_equal(try(&x, how, &got), BESTDAG_OK);
        assert_int_equal(got.restarts, 7);
        bestdag_dag_free(got.dag);
        how.setting = NULL; /* no limit at all: fixed by n */
        how.more = NULL;
        assert_int_equal(try(&x, how, &got), BESTDAG_OK);
        assert_true(got.steps > 10000);
        assert_string_equal(got.status, "heuristic");
        bestdag_dag_free(got.dag);
    }
    scene_free(&x);
}

static void a_run_that_is_stopped_at_once_has_an_answer(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT(solvers); i++)
        for (int seed = 0; seed < 40; seed++) {
            struct scene x = scene_new(kind(seed, 6));
            struct bestdag_outcome got;
            struct trial how = {.solver = solvers[i]};
            bool exists = brute_optimum(x.problem) < x.problem->none;
            bestdag_run_stop(x.run);
            int status = try(&x, how, &got);
            assert_int_equal(status, exists ? BESTDAG_OK : BESTDAG_INFEASIBLE);
            if (exists && cost_of(x.problem, got.dag))
                assert_string_equal(got.status, "interrupted");
            bestdag_dag_free(got.dag);
            scene_free(&x);
        }
}

static void a_time_limit_ends_it(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT(solvers); i++) {
        struct scene x = scene_new((struct random_sets){
            .seed = 8, .n = 60, .sets = 60, .most_parents = 3});
        struct bestdag_outcome got;
        struct trial how = {.solver = solvers[i]};
        bestdag_run_set(x.run, "time-limit", "0.05s");
        assert_int_equal(try(&x, how, &got), BESTDAG_OK);
        assert_string_equal(got.status, "stopped");
        bestdag_dag_free(got.dag);
        scene_free(&x);
    }
}

static void an_answer_is_never_below_the_start(void **state)
{
    (void)state;
    for (int seed = 0; seed < 100; seed++) {
        struct scene x = scene_new(kind(seed, 12));
        struct bestdag_outcome first, got;
        struct trial how = {.solver = "asobs", .setting = "steps=2000"};
        if (try(&x, how, &first) == BESTDAG_INFEASIBLE) {
            bestdag_run_clear(x.run);
            scene_free(&x);
            continue;
        }
        for (int i = 0; i < COUNT(solvers); i++) {
            how = (struct trial){.solver = solvers[i],
                                 .setting = "restarts=1",
                                 .start = first.dag};
            assert_int_equal(try(&x, how, &got), BESTDAG_OK);
            assert_true(got.score >= first.score - 1e-9);
            bestdag_dag_free(got.dag);
        }
        bestdag_dag_free(first.dag);
        scene_free(&x);
    }
}

static void a_gap_that_is_wide_enough_ends_it(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT(solvers); i++) {
        struct scene x = scene_new((struct random_sets){
            .seed = 9, .n = 30, .sets = 30, .most_parents = 3});
        struct bestdag_outcome got;
        struct trial how = {.solver = solvers[i]};
        x.run->gap = 1e9;
        assert_int_equal(try(&x, how, &got), BESTDAG_OK);
        assert_int_equal(got.restarts, 0); /* the first order will do */
        assert_true(got.gap <= 1e9);
        bestdag_dag_free(got.dag);
        scene_free(&x);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct scene x = scene_new((struct random_sets){
        .seed = 10, .n = 5, .sets = 10, .most_parents = 2, .no_empty = true});
    struct bestdag_dag *start = bestdag_dag_new(x.run, 5);
    int64_t used = bestdag_memory_used(x.run);
    bestdag_run_set(x.run, "threads", "2");
    for (int i = 0; i < COUNT(solvers); i++) {
        struct bestdag_outcome got;
        struct trial how = {
            .solver = solvers[i], .setting = "steps=500", .start = start};
        bool failed = true;
        for (int n = 1; failed; n++) {
            bestdag_memory_fail_at(x.run, n);
            int status = try(&x, how, &got);
            failed = bestdag_memory_has_failed(x.run);
            bestdag_memory_fail_at(x.run, 0);
            assert_true(!status || (failed && status == BESTDAG_MEMORY));
            bestdag_dag_free(got.dag);
            assert_int_equal(bestdag_memory_used(x.run), used);
            bestdag_run_clear(x.run);
        }
    }
    bestdag_dag_free(start);
    scene_free(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_drawn_order_has_a_network_if_there_is_one),
        cmocka_unit_test(an_order_is_drawn_as_near_as_can_be),
        cmocka_unit_test(other_orders_of_a_network_are_never_worse),
        cmocka_unit_test(the_table_of_swaps_is_what_brute_force_says),
        cmocka_unit_test(selection_is_what_the_paper_says),
        cmocka_unit_test(swaps_of_turns_are_as_good_as_a_new_reading),
        cmocka_unit_test(wide_lists_are_as_good_as_narrow_ones),
        cmocka_unit_test(no_answer_is_above_the_optimum),
        cmocka_unit_test(the_number_of_threads_does_not_show),
        cmocka_unit_test(reorders_gain),
        cmocka_unit_test(the_loop_is_a_plain_loop),
        cmocka_unit_test(steps_and_restarts_are_kept),
        cmocka_unit_test(a_run_that_is_stopped_at_once_has_an_answer),
        cmocka_unit_test(a_time_limit_ends_it),
        cmocka_unit_test(an_answer_is_never_below_the_start),
        cmocka_unit_test(a_gap_that_is_wide_enough_ends_it),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
