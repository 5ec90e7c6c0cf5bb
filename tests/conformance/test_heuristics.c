/* SPDX-License-Identifier: MIT */
/* test_heuristics.c -- every heuristic, in every setting: never above the true
 * cost to go, consistent where it says so, and what its definition says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../unit/random_component.h"
#include "base/row.h"
#include "problem/renumber.h"
#include "search/subsets/heuristic.h"

enum { TRIALS = 150, MOST = 9 };

static const uint64_t SEED = 20261118;

struct world {
    struct random_core random; /* its largest component */
    /* of a plan */
    struct bestdag_grouping grouping;
    struct bestdag_component *at;
    struct bestdag_best_parents *lookup;
    struct bestdag_heuristic *heuristics;
};

static struct world make(struct random_sets shape)
{
    return (struct world){.random = random_core(shape)};
}

static void forget(struct world *w)
{
    bestdag_heuristic_free(w->heuristics);
    bestdag_best_parents_free(w->lookup);
    bestdag_component_free(w->at);
    bestdag_grouping_release(&w->grouping);
    w->heuristics = NULL;
    w->lookup = NULL;
    w->at = NULL;
}

static void clear(struct world *w)
{
    forget(w);
    random_core_end(&w->random);
}

/* As a solver does it. */
static int plan(struct world *w, struct bestdag_heuristic_plan plan)
{
    forget(w);
    if (bestdag_grouping_find(w->random.run, w->random.largest, &plan,
                              &w->grouping))
        return bestdag_run_status(w->random.run);
    w->at = bestdag_component_renumber(w->random.run, w->random.largest,
                                       w->grouping.order);
    w->lookup =
        w->at ? bestdag_best_parents_new(w->random.run, w->at, NULL) : NULL;
    struct bestdag_heuristic_request job = {.component = w->at,
                                            .lookup = w->lookup,
                                            .plan = plan,
                                            .size = w->grouping.size,
                                            .groups = w->grouping.groups};
    w->heuristics =
        w->lookup ? bestdag_heuristic_new(w->random.run, &job) : NULL;
    return bestdag_run_status(w->random.run);
}

/* The i-th setting of all rows; false: there are no more. */
static bool plan_at(int i, struct bestdag_heuristic_plan *to)
{
    *to = (struct bestdag_heuristic_plan){0};
    for (int row = 0; bestdag_heuristic_at(row); row++) {
        const char *name = bestdag_heuristic_at(row)->name;
        to->name = name;
        if (!strcmp(name, "dynamic")) {
            to->k = i;
            if (i <= 5)
                return true;
            i -= 6;
        } else if (!strcmp(name, "static")) {
            for (int g = 0; bestdag_grouping_at(g); g++)
                for (to->groups = 0; to->groups <= 5; to->groups++) {
                    to->grouping = bestdag_grouping_at(g)->name;
                    if (!i--)
                        return true;
                }
        } else if (!i--) {
            return true;
        }
        *to = (struct bestdag_heuristic_plan){0};
    }
    return false;
}

/* ---- the truth -------------------------------------------------------------
 */

static int64_t best_of(const struct bestdag_component *c, int v, uint64_t set)
{
    const struct bestdag_candidates *p = &c->list[v];
    int64_t least = p->cost[p->count];
    for (int i = 0; i < p->count; i++)
        if (!(p->mask[i] & ~set) && p->cost[i] < least)
            least = p->cost[i];
    return least;
}

/* What is missing from each set costs, in its best order. */
static void find_truth(const struct bestdag_component *c, int64_t *truth)
{
    uint64_t all = ((uint64_t)1 << c->n) - 1;
    truth[all] = 0;
    for (uint64_t set = all; set-- > 0;) {
        truth[set] = INT64_MAX;
        for (int v = 0; v < c->n; v++) {
            uint64_t with = set | (uint64_t)1 << v;
            if (with == set)
                continue;
            int64_t cost = best_of(c, v, set) + truth[with];
            if (cost < truth[set])
                truth[set] = cost;
        }
    }
}

static struct random_sets shape_of(uint64_t trial)
{
    return (struct random_sets){.seed = SEED + trial,
                                .n = 1 + (int)(trial % MOST),
                                .sets = 2 + (int)(trial % 13) * 4,
                                .most_parents = 1 + (int)(trial % 4),
                                .levels = trial % 5 ? 0 : 4,
                                .no_empty = trial % 3 == 0};
}

static int64_t simple_value(const struct bestdag_component *c, uint64_t set)
{
    int64_t sum = 0;
    for (int v = 0; v < c->n; v++)
        if (!(set >> v & 1))
            sum += best_of(c, v, ~(uint64_t)0);
    return sum;
}

static void check_arcs(const struct world *w, uint64_t set)
{
    int next[MOST], count = 0;
    int64_t h[MOST], now = bestdag_heuristic_value(w->heuristics, &set);
    for (int v = 0; v < w->at->n; v++)
        if (!(set >> v & 1))
            next[count++] = v;
    bestdag_heuristic_after(w->heuristics, &set, next, count, h);
    for (int i = 0; i < count; i++) {
        uint64_t with = set | (uint64_t)1 << next[i];
        assert_int_equal(h[i], bestdag_heuristic_value(w->heuristics, &with));
        if (w->heuristics->is_consistent)
            assert_true(now <= best_of(w->at, next[i], set) + h[i]);
    }
}

static void no_heuristic_exceeds_the_true_cost_to_go(void **state)
{
    int64_t truth[1 << MOST];
    int64_t above_simple = 0;
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (uint64_t t = 0; t < TRIALS; t++) {
        struct world w = make(shape_of(t));
        struct bestdag_heuristic_plan p;
        for (int i = 0; plan_at(i, &p); i++) {
            assert_int_equal(plan(&w, p), BESTDAG_OK);
            uint64_t all = ((uint64_t)1 << w.at->n) - 1;
            find_truth(w.at, truth);
            assert_int_equal(bestdag_heuristic_value(w.heuristics, &all), 0);
            for (uint64_t set = 0; set <= all; set++) {
                int64_t h = bestdag_heuristic_value(w.heuristics, &set);
                int64_t simple = simple_value(w.at, set);
                assert_true(h <= truth[set]);
                assert_true(h >= simple);
                above_simple += h > simple;
                if (!strcmp(p.name, "simple"))
                    assert_int_equal(h, simple);
                if (!strcmp(p.name, "static") && w.grouping.groups == 1)
                    assert_int_equal(h, truth[set]);
                check_arcs(&w, set);
            }
            assert_true(w.heuristics->is_consistent ==
                        (strcmp(p.name, "dynamic") || p.k == 1 || p.k == 2 ||
                         w.at->n <= 2));
        }
        clear(&w);
    }
    assert_true(above_simple > 1000);
}

/* ---- dynamic: greedy by definition -----------------------------------------
 */

struct naive {
    int n, k;
    int64_t delta[1 << MOST], best[1 << MOST];
    bool is_kept[1 << MOST];
};

static void find_naive(struct naive *d, const struct bestdag_component *c,
                       const int64_t *truth, int k)
{
    uint64_t all = ((uint64_t)1 << c->n) - 1;
    d->n = c->n;
    d->k = k;
    for (uint64_t u = 0; u <= all; u++) {
        d->delta[u] = truth[all & ~u] - simple_value(c, all & ~u);
        d->best[u] = 0;
        for (uint64_t part = (u - 1) & u; part && u; part = (part - 1) & u)
            if (d->best[part] + d->best[u & ~part] > d->best[u])
                d->best[u] = d->best[part] + d->best[u & ~part];
        int size = __builtin_popcountll(u);
        d->is_kept[u] = size <= k && d->delta[u] > d->best[u];
        if (d->is_kept[u])
            d->best[u] = d->delta[u];
    }
}

/* Among equals: the smaller pattern, then the one with the smaller members. */
static bool is_before(const struct naive *d, uint64_t a, uint64_t b)
{
    if (d->delta[a] != d->delta[b])
        return d->delta[a] > d->delta[b];
    if (__builtin_popcountll(a) != __builtin_popcountll(b))
        return __builtin_popcountll(a) < __builtin_popcountll(b);
    uint64_t differ = a ^ b;
    return a & differ & -differ;
}

static int64_t choose_naively(const struct naive *d, uint64_t missing)
{
    int64_t sum = 0;
    for (;;) {
        uint64_t chosen = 0;
        for (uint64_t u = missing; u; u = (u - 1) & missing)
            if (d->is_kept[u] && (!chosen || is_before(d, u, chosen)))
                chosen = u;
        if (!chosen)
            return sum;
        sum += d->delta[chosen];
        missing &= ~chosen;
    }
}

static void dynamic_patterns_are_chosen_greedily(void **state)
{
    int64_t truth[1 << MOST];
    struct naive *d = malloc(sizeof *d);
    (void)state;
    for (uint64_t t = 0; t < TRIALS; t++) {
        struct world w = make(shape_of(t));
        for (int k = 1; k <= 4; k++) {
            assert_int_equal(
                plan(&w, (struct bestdag_heuristic_plan){.name = "dynamic",
                                                         .k = k}),
                BESTDAG_OK);
            uint64_t all = ((uint64_t)1 << w.at->n) - 1;
            find_truth(w.at, truth);
            find_naive(d, w.at, truth, k);
            int64_t kept = w.at->n;
            for (uint64_t set = 0; set <= all; set++) {
                kept += d->is_kept[set];
                assert_int_equal(bestdag_heuristic_value(w.heuristics, &set),
                                 simple_value(w.at, set) +
                                     choose_naively(d, all & ~set));
            }
            assert_int_equal(w.heuristics->patterns, kept);
        }
        clear(&w);
    }
    free(d);
}

/* ---- many variables --------------------------------------------------------
 */

/* c(U) of a few variables of many, by its definition. */
static int64_t pattern_cost(const struct bestdag_component *c, const int *u,
                            int size)
{
    uint64_t others[8];
    int rest[16];
    int64_t least = size ? INT64_MAX : 0;
    memset(others, 0xff, sizeof others);
    for (int i = 0; i < size; i++)
        bestdag_row_drop(others, u[i]);
    for (int i = 0; i < size; i++) {
        const struct bestdag_candidates *p = &c->list[u[i]];
        int set = 0, count = 0;
        while (set < p->count &&
               !bestdag_mask_inside(p->mask + (ptrdiff_t)set * c->words, others,
                                    c->words))
            set++;
        for (int k = 0; k < size; k++)
            if (k != i)
                rest[count++] = u[k];
        int64_t cost = p->cost[set] + pattern_cost(c, rest, count);
        least = cost < least ? cost : least;
    }
    return least;
}

/* The sum over groups of the missing ones. */
static int64_t static_value(const struct world *w, const uint64_t *set)
{
    int64_t sum = 0;
    int v = 0;
    for (int i = 0; i < w->grouping.groups; i++) {
        int missing[16], count = 0;
        for (int end = v + w->grouping.size[i]; v < end; v++)
            if (!bestdag_row_has(set, v))
                missing[count++] = v;
        sum += pattern_cost(w->at, missing, count);
    }
    return sum;
}

/* A random order, step by step. */
static void walk(const struct world *w, struct bestdag_random *r,
                 bool is_static)
{
    int n = w->at->n, order[256], next[256];
    uint64_t set[8] = {0};
    int64_t h[256];
    random_order(r, n, order);
    for (int i = 0; i < n; i++) {
        int64_t now = bestdag_heuristic_value(w->heuristics, set);
        if (is_static && i % 16 == 5)
            assert_int_equal(now, static_value(w, set));
        memcpy(next, order + i, (size_t)(n - i) * sizeof *next);
        bestdag_heuristic_after(w->heuristics, set, next, n - i, h);
        int64_t step = bestdag_best_parents_best(w->lookup, order[i], set);
        bestdag_row_add(set, order[i]);
        assert_int_equal(h[0], bestdag_heuristic_value(w->heuristics, set));
        if (w->heuristics->is_consistent)
            assert_true(now <= step + h[0]);
    }
    assert_int_equal(bestdag_heuristic_value(w->heuristics, set), 0);
}

static void sets_may_have_several_words(void **state)
{
    static const int sizes[] = {63, 70, 130, 200, 256};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct world w = make((struct random_sets){
            .seed = SEED + i, .n = sizes[i], .sets = 60, .most_parents = 3});
        struct bestdag_random r = bestdag_random_init(SEED, i);
        assert_true(w.random.largest->n > sizes[i] - 20);
        for (int g = 0; bestdag_grouping_at(g); g++) {
            struct bestdag_heuristic_plan p = {
                .groups = w.random.largest->n / 6,
                .grouping = bestdag_grouping_at(g)->name};
            assert_int_equal(plan(&w, p), BESTDAG_OK);
            walk(&w, &r, true);
        }
        for (int k = 2; k <= 3; k++) {
            struct bestdag_heuristic_plan p = {.name = "dynamic", .k = k};
            assert_int_equal(plan(&w, p), BESTDAG_OK);
            assert_true(w.heuristics->patterns > w.at->n);
            walk(&w, &r, false);
        }
        assert_int_equal(
            plan(&w, (struct bestdag_heuristic_plan){.name = "simple"}),
            BESTDAG_OK);
        walk(&w, &r, false);
        clear(&w);
    }
}

/* ---- groupings -------------------------------------------------------------
 */

static void groupings_have_everybody_once(void **state)
{
    (void)state;
    for (uint64_t t = 0; t < 60; t++) {
        struct world w = make((struct random_sets){.seed = SEED + t,
                                                   .n = 1 + (int)(t * 7 % 90),
                                                   .sets = 1 + (int)t,
                                                   .most_parents = 3});
        for (int g = 0; bestdag_grouping_at(g); g++)
            for (int groups = 3; groups < 9; groups++) {
                struct bestdag_heuristic_plan p = {
                    .groups = groups, .grouping = bestdag_grouping_at(g)->name};
                struct bestdag_grouping found;
                int n = w.random.largest->n, sum = 0;
                bool seen[128] = {false};
                assert_int_equal(bestdag_grouping_find(w.random.run,
                                                       w.random.largest, &p,
                                                       &found),
                                 BESTDAG_OK);
                for (int i = 0; i < found.groups; i++) {
                    assert_true(found.size[i] > 0);
                    assert_true(found.size[i] <= (n + groups - 1) / groups + 2);
                    sum += found.size[i];
                }
                assert_int_equal(sum, n);
                bool is_small = n <= 28 * groups;
                assert_true(found.groups <= groups || !is_small);
                if (is_small && !strcmp(p.grouping, "halves"))
                    assert_int_equal(found.groups, n < groups ? n : groups);
                for (int i = 0; i < n; i++) {
                    assert_false(seen[found.order[i]]);
                    seen[found.order[i]] = true;
                }
                bestdag_grouping_release(&found);
            }
        clear(&w);
    }
}

/* Two circles of five that hardly know each other, numbered in turn. */
static void components_keep_together_what_belongs_together(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_sets *sets = bestdag_sets_new(run, 10);
    struct bestdag_collector *c = bestdag_collector_new(run);
    for (int v = 0; v < 10; v++) {
        sets->names[v] = bestdag_strdup(run, "x");
        bestdag_collector_add(c, (int[]){(v + 2) % 10}, 1, -10);
        bestdag_collector_add(c, (int[]){(v + 8) % 10}, 1, -15);
        bestdag_collector_add(c, (int[]){(v + 1) % 10}, 1, -99);
        bestdag_collector_add(c, NULL, 0, -100);
        assert_int_equal(bestdag_collector_finish(c, true, &sets->list[v]), 0);
    }
    struct bestdag_problem *p = bestdag_problem_new(run, sets);
    struct bestdag_components *core = bestdag_components_new(run, p);
    assert_int_equal(core->components, 1);
    struct bestdag_grouping found;
    struct bestdag_heuristic_plan plan = {.groups = 2,
                                          .grouping = "components"};
    assert_int_equal(bestdag_grouping_find(run, core->component, &plan, &found),
                     0);
    assert_int_equal(found.groups, 2);
    for (int i = 0; i < 10; i++)
        assert_int_equal(found.order[i], i < 5 ? 2 * i : 2 * i - 9);
    bestdag_grouping_release(&found);
    bestdag_components_free(core);
    bestdag_problem_free(p);
    bestdag_collector_free(c);
    bestdag_sets_free(sets);
    bestdag_run_free(run);
}

static void groups_are_as_small_as_memory_wants(void **state)
{
    (void)state;
    for (int g = 0; bestdag_grouping_at(g); g++) {
        struct world w = make((struct random_sets){
            .seed = 3, .n = 30, .sets = 20, .most_parents = 3});
        struct bestdag_heuristic_plan p = {
            .groups = 1, .grouping = bestdag_grouping_at(g)->name};
        bestdag_run_set(w.random.run, "memory-limit", "2M");
        assert_int_equal(plan(&w, p), BESTDAG_OK);
        assert_true(w.grouping.groups > 1);
        assert_true(w.heuristics->bytes <= 1 << 19);
        assert_string_equal(w.heuristics->row->name, "static");
        p = (struct bestdag_heuristic_plan){.name = "dynamic", .k = 4};
        assert_int_equal(plan(&w, p), BESTDAG_OK);
        clear(&w);
    }
}

/* ---- threads, stops, failures ----------------------------------------------
 */

static void threads_do_not_change_a_heuristic(void **state)
{
    struct bestdag_heuristic_plan plans[] = {
        {.groups = 2}, {.groups = 1}, {.name = "dynamic", .k = 4}};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct world w[2];
        struct bestdag_random r = bestdag_random_init(SEED, i);
        for (int t = 0; t < 2; t++) {
            w[t] = make((struct random_sets){.seed = 8,
                                             .n = i == 1 ? 16 : 30,
                                             .sets = 60,
                                             .most_parents = 3});
            bestdag_run_set(w[t].random.run, "threads", t ? "4" : "1");
            assert_int_equal(plan(&w[t], plans[i]), BESTDAG_OK);
        }
        for (int q = 0; q < 3000; q++) {
            uint64_t set = bestdag_random_bits(&r) & bestdag_random_bits(&r) &
                           (((uint64_t)1 << w[0].at->n) - 1);
            assert_int_equal(bestdag_heuristic_value(w[0].heuristics, &set),
                             bestdag_heuristic_value(w[1].heuristics, &set));
        }
        clear(&w[0]);
        clear(&w[1]);
    }
}

static int stop(void *user, const struct bestdag_progress *now)
{
    (void)user;
    (void)now;
    return 1;
}

static void a_stopped_heuristic_is_the_simple_one(void **state)
{
    struct bestdag_heuristic_plan p;
    (void)state;
    for (int i = 0; plan_at(i, &p); i++) {
        struct world w = make(shape_of(8));
        bestdag_run_stop(w.random.run);
        assert_int_equal(plan(&w, p), BESTDAG_OK);
        assert_string_equal(w.heuristics->row->name, "simple");
        for (uint64_t set = 0; set < (uint64_t)1 << w.at->n; set++)
            assert_int_equal(bestdag_heuristic_value(w.heuristics, &set),
                             simple_value(w.at, set));
        clear(&w);
    }
}

/* Stopped at the first sign of progress, wherever that is. */
static void a_stop_while_filling_leaves_a_bound(void **state)
{
    (void)state;
    struct world w = make((struct random_sets){
        .seed = 4, .n = 20, .sets = 40, .most_parents = 4});
    uint64_t none = 0;
    assert_int_equal(plan(&w, (struct bestdag_heuristic_plan){.groups = 1}), 0);
    int64_t truth = bestdag_heuristic_value(w.heuristics, &none);
    bestdag_run_on_progress(w.random.run, stop, NULL);
    assert_int_equal(plan(&w, (struct bestdag_heuristic_plan){.groups = 1}), 0);
    int64_t h = bestdag_heuristic_value(w.heuristics, &none);
    assert_true(h == truth || !strcmp(w.heuristics->row->name, "simple"));
    assert_true(h <= truth);
    clear(&w);
}

static void unknown_names_are_refused(void **state)
{
    struct bestdag_heuristic_plan plans[] = {{.name = "magic"},
                                             {.grouping = "thirds"}};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct world w = make(shape_of(5));
        assert_int_equal(plan(&w, plans[i]), BESTDAG_USAGE);
        assert_null(w.heuristics);
        clear(&w);
    }
}

static void failing_memory_is_told(void **state)
{
    struct bestdag_heuristic_plan p;
    (void)state;
    for (int i = 0; plan_at(i, &p); i++) {
        bool failed = true;
        for (int64_t at = 1; failed; at++) {
            struct world w = make(shape_of(8));
            bestdag_memory_fail_at(w.random.run, at);
            plan(&w, p);
            failed = bestdag_memory_has_failed(w.random.run);
            assert_int_equal(bestdag_run_status(w.random.run),
                             failed ? BESTDAG_MEMORY : BESTDAG_OK);
            assert_true(failed == !w.heuristics);
            clear(&w);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_heuristic_exceeds_the_true_cost_to_go),
        cmocka_unit_test(dynamic_patterns_are_chosen_greedily),
        cmocka_unit_test(sets_may_have_several_words),
        cmocka_unit_test(groupings_have_everybody_once),
        cmocka_unit_test(components_keep_together_what_belongs_together),
        cmocka_unit_test(groups_are_as_small_as_memory_wants),
        cmocka_unit_test(threads_do_not_change_a_heuristic),
        cmocka_unit_test(a_stopped_heuristic_is_the_simple_one),
        cmocka_unit_test(a_stop_while_filling_leaves_a_bound),
        cmocka_unit_test(unknown_names_are_refused),
        cmocka_unit_test(failing_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
