/* SPDX-License-Identifier: MIT */
/* test_decomposition.c -- components of the parent relation: who is in them,
 * their lists, and that their optima together are the optimum. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/row.h"
#include "problem/component.h"
#include "random_component.h"

enum { TRIALS = 200 };

static const uint64_t SEED = 20261116;

/* Few sets a variable, so that there are components of all sizes. */
static struct random_sets shape_of(uint64_t trial)
{
    return (struct random_sets){.seed = SEED + trial,
                                .n = 1 + (int)(trial % 11),
                                .sets = 1 + (int)(trial % 4),
                                .most_parents = 1 + (int)(trial % 3),
                                .levels = trial % 5 ? 0 : 4,
                                .no_empty = trial % 3 == 0,
                                .no_prune = trial % 7 == 0};
}

/* ---- optima ----------------------------------------------------------------
 */

static int64_t piece_cost(const struct bestdag_candidates *p, uint64_t allowed)
{
    for (int i = 0; i < p->count; i++)
        if (!(p->mask[i] & ~allowed))
            return p->cost[i];
    return p->cost[p->count];
}

static int64_t component_optimum(const struct bestdag_component *c)
{
    uint64_t all = ((uint64_t)1 << c->n) - 1;
    int64_t *least = calloc((size_t)all + 1, sizeof *least);
    for (uint64_t set = 1; set <= all; set++) {
        least[set] = INT64_MAX;
        for (int v = 0; v < c->n; v++) {
            uint64_t rest = set & ~((uint64_t)1 << v);
            if (rest == set)
                continue;
            int64_t cost = least[rest] + piece_cost(&c->list[v], rest);
            if (cost < least[set])
                least[set] = cost;
        }
    }
    int64_t optimum = least[all];
    free(least);
    return optimum;
}

static void optima_of_components_add_up_to_the_optimum(void **state)
{
    int several = 0, joint = 0;
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (uint64_t t = 0; t < TRIALS; t++) {
        struct random_core w = random_core(shape_of(t));
        int64_t best = brute_optimum(w.problem), sum = 0;
        for (int i = 0; i < w.components->components; i++)
            sum += component_optimum(&w.components->component[i]);
        if (best < w.problem->none)
            assert_int_equal(sum, best);
        else
            assert_true(sum >= w.problem->none);
        several += w.components->components > 1 && w.components->largest > 1;
        joint += w.components->components == 1 && w.components->largest > 1;
        random_core_end(&w);
    }
    print_message("%d of several components, %d of one\n", several, joint);
    assert_true(several > TRIALS / 4 && joint > 0);
}

/* ---- form ------------------------------------------------------------------
 */

static bool is_subset(const uint64_t *a, const uint64_t *b, int words)
{
    return bestdag_mask_inside(a, b, words);
}

static void check_piece(const struct bestdag_component *c, int v)
{
    const struct bestdag_candidates *p = &c->list[v];
    for (int i = 0; i < p->count; i++) {
        const uint64_t *mask = p->mask + (ptrdiff_t)i * c->words;
        assert_true(p->cost[i] <= p->cost[i + 1]);
        assert_false(bestdag_row_has(mask, v));
        for (int k = 0; k < p->count; k++)
            assert_true(
                k == i || p->cost[k] > p->cost[i] ||
                !is_subset(p->mask + (ptrdiff_t)k * c->words, mask, c->words));
    }
}

/* Is set `set` of the candidate list of v the piece's set, and are the parents
 * that it leaves out in components that come first? */
static bool is_behind(const struct random_core *w, const int *of, int v,
                      int set, const uint64_t *mask)
{
    const struct bestdag_list *list = &w->sets->list[v];
    const struct bestdag_component *c = &w->components->component[of[v]];
    int inside = 0;
    for (int64_t k = list->start[set]; k < list->start[set + 1]; k++) {
        int u = list->member[k], local = 0;
        if (of[u] > of[v])
            return false;
        if (of[u] < of[v])
            continue;
        while (c->variable[local] != u)
            local++;
        if (!bestdag_row_has(mask, local))
            return false;
        inside++;
    }
    return inside == bestdag_row_count(mask, (size_t)c->words);
}

static void check_free_parents(const struct random_core *w, const int *of,
                               int i, int v)
{
    const struct bestdag_component *c = &w->components->component[i];
    int outside = c->variable[v];
    const struct bestdag_indexed_list *m = &w->problem->candidates[outside];
    for (int k = 0; k < c->list[v].count; k++) {
        bool is_found = false;
        for (int set = 0; set < m->count; set++)
            is_found |= m->cost[set] == c->list[v].cost[k] &&
                        is_behind(w, of, outside, set,
                                  c->list[v].mask + (ptrdiff_t)k * c->words);
        assert_true(is_found);
    }
}

static void components_hold_everybody_and_thinned_lists(void **state)
{
    (void)state;
    for (uint64_t t = 0; t < TRIALS; t++) {
        struct random_sets shape = shape_of(t);
        shape.n = t % 10 ? shape.n : 150; /* wider than two words */
        struct random_core w = random_core(shape);
        int *of = malloc((size_t)shape.n * sizeof *of), seen = 0, largest = 0;
        for (int i = 0; i < w.components->components; i++) {
            const struct bestdag_component *c = &w.components->component[i];
            largest = c->n > largest ? c->n : largest;
            seen += c->n;
            assert_int_equal(c->words, (c->n + 63) / 64);
            for (int v = 0; v < c->n; v++) {
                assert_true(!v || c->variable[v - 1] < c->variable[v]);
                of[c->variable[v]] = i;
                check_piece(c, v);
            }
        }
        assert_int_equal(seen, shape.n);
        assert_int_equal(w.components->largest, largest);
        assert_true(bestdag_components_largest(w.run, w.problem) >= largest);
        for (int i = 0; i < w.components->components; i++)
            for (int v = 0; v < w.components->component[i].n; v++)
                check_free_parents(&w, of, i, v);
        free(of);
        random_core_end(&w);
    }
}

/* The example of component.h: 1 and 4 want each other, 2 and 7 want no parents.
 */
static void free_parents_go_and_take_sets_with_them(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_sets *sets = bestdag_sets_new(run, 8);
    struct bestdag_collector *c = bestdag_collector_new(run);
    for (int v = 0; v < 8; v++) {
        sets->names[v] = bestdag_strdup(run, "x");
        if (v == 4) {
            bestdag_collector_add(c, (int[]){1, 7}, 2, -1);
            bestdag_collector_add(c, (int[]){1}, 1, -13);
            bestdag_collector_add(c, (int[]){2}, 1, -41);
        } else if (v == 1)
            bestdag_collector_add(c, (int[]){4}, 1, -1);
        bestdag_collector_add(c, NULL, 0, -60);
        assert_int_equal(bestdag_collector_finish(c, true, &sets->list[v]), 0);
    }
    struct bestdag_problem *p = bestdag_problem_new(run, sets);
    struct bestdag_components *components = bestdag_components_new(run, p);
    assert_int_equal(components->components, 7);
    assert_int_equal(components->largest, 2);
    for (int i = 0; i < components->components; i++) {
        const struct bestdag_component *d = &components->component[i];
        if (d->n != 2)
            continue;
        assert_int_equal(d->variable[0], 1);
        assert_int_equal(d->variable[1], 4);
        assert_int_equal(d->list[1].count, 2);
        assert_int_equal(d->list[1].mask[0], 1);
        assert_int_equal(d->list[1].cost[0], 0);
        assert_int_equal(d->list[1].mask[1], 0);
        assert_int_equal(d->list[1].cost[1], (int64_t)40 << p->shift);
    }
    bestdag_components_free(components);
    bestdag_problem_free(p);
    bestdag_collector_free(c);
    bestdag_sets_free(sets);
    bestdag_run_free(run);
}

static void failing_memory_is_told(void **state)
{
    (void)state;
    bool failed = true;
    for (int64_t at = 1; failed; at++) {
        struct random_core w = random_core((struct random_sets){
            .seed = 3, .n = 9, .sets = 4, .most_parents = 3});
        bestdag_memory_fail_at(w.run, at);
        struct bestdag_components *components =
            bestdag_components_new(w.run, w.problem);
        int largest =
            components ? bestdag_components_largest(w.run, w.problem) : 1;
        failed = bestdag_memory_has_failed(w.run);
        assert_int_equal(bestdag_run_status(w.run),
                         failed ? BESTDAG_MEMORY : BESTDAG_OK);
        assert_true(failed ? !components || largest < 0 : largest > 0);
        bestdag_components_free(components);
        random_core_end(&w);
    }
}

/* 0 and 1 want each other; 1 and 2 do only in a set of 1 that {0} beats once 3
 * is free. */
static void dominated_sets_do_not_hold_components_together(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_sets *sets = bestdag_sets_new(run, 4);
    struct bestdag_collector *c = bestdag_collector_new(run);
    for (int v = 0; v < 4; v++) {
        sets->names[v] = bestdag_strdup(run, "x");
        if (v == 0)
            bestdag_collector_add(c, (int[]){1}, 1, -1);
        if (v == 1) {
            bestdag_collector_add(c, (int[]){0, 3}, 2, -1);
            bestdag_collector_add(c, (int[]){0, 2}, 2, -2);
        }
        if (v == 2)
            bestdag_collector_add(c, (int[]){1}, 1, -1);
        bestdag_collector_add(c, NULL, 0, -60);
        assert_int_equal(bestdag_collector_finish(c, true, &sets->list[v]), 0);
    }
    struct bestdag_problem *p = bestdag_problem_new(run, sets);
    struct bestdag_components *components = bestdag_components_new(run, p);
    assert_int_equal(bestdag_components_largest(run, p), 3);
    assert_int_equal(components->largest, 2);
    assert_int_equal(components->components, 3);
    bestdag_components_free(components);
    bestdag_problem_free(p);
    bestdag_collector_free(c);
    bestdag_sets_free(sets);
    bestdag_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(optima_of_components_add_up_to_the_optimum),
        cmocka_unit_test(components_hold_everybody_and_thinned_lists),
        cmocka_unit_test(free_parents_go_and_take_sets_with_them),
        cmocka_unit_test(dominated_sets_do_not_hold_components_together),
        cmocka_unit_test(failing_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
