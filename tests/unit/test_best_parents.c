/* SPDX-License-Identifier: MIT */
/* test_best_parents.c -- best(v, available) in every form against the lists
 * themselves, parts of lists, and components in another order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/row.h"
#include "problem/renumber.h"
#include "problem/trie.h"
#include "random_component.h"

static const uint64_t SEED = 20261117;

/* The least cost of a set inside `available`, from all of them. */
static int64_t brute_best(const struct bestdag_component *c, int v,
                          const uint64_t *available)
{
    const struct bestdag_candidates *p = &c->list[v];
    int64_t least = p->cost[p->count];
    for (int i = 0; i < p->count; i++) {
        bool fits = true;
        for (int u = 0; u < c->n; u++)
            if (bestdag_row_has(p->mask + (ptrdiff_t)i * c->words, u) &&
                !bestdag_row_has(available, u))
                fits = false;
        if (fits && p->cost[i] < least)
            least = p->cost[i];
    }
    return least;
}

static void draw(struct bestdag_random *r, int n, uint64_t *available)
{
    uint64_t size = bestdag_random_below(r, 9);
    memset(available, 0, bestdag_row_words(n) * sizeof *available);
    for (int u = 0; u < n; u++)
        if (bestdag_random_below(r, 8) < size)
            bestdag_row_add(available, u);
}

static void ask(const struct random_core *w,
                const struct bestdag_best_parents *l, int questions)
{
    struct bestdag_random r =
        bestdag_random_init(SEED, (uint64_t)w->largest->n);
    uint64_t available[8];
    for (int i = 0; i < questions; i++) {
        int v = (int)bestdag_random_below(&r, (uint64_t)w->largest->n);
        draw(&r, w->largest->n, available);
        assert_int_equal(bestdag_best_parents_best(l, v, available),
                         brute_best(w->largest, v, available));
        bestdag_row_add(available, v); /* must not matter */
        assert_int_equal(bestdag_best_parents_best(l, v, available),
                         brute_best(w->largest, v, available));
    }
}

static int64_t sets_of(const struct bestdag_component *c)
{
    int64_t sets = 0;
    for (int v = 0; v < c->n; v++)
        sets += c->list[v].count;
    return sets;
}

static void every_form_finds_the_cheapest_set_that_fits(void **state)
{
    static const int sizes[] = {1,  2,  3,  7,   12,  17,  31,  32, 33,
                                63, 64, 65, 100, 128, 129, 192, 256};
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int long_lists = 0; long_lists < 2; long_lists++) {
            struct random_sets shape = {.seed = SEED + i,
                                        .n = sizes[i],
                                        .sets = long_lists ? 150 : 9,
                                        .most_parents = long_lists ? 6 : 3,
                                        .levels = i % 3 ? 0 : 5,
                                        .no_empty = i % 4 == 1};
            struct random_core w = random_core(shape);
            const struct bestdag_best_parents_form *f;
            for (int k = 0; (f = bestdag_best_parents_at(k)); k++) {
                if (!strcmp(f->name, "full") && w.largest->n > 17)
                    continue;
                struct bestdag_best_parents *l =
                    bestdag_best_parents_new(w.run, w.largest, f->name);
                assert_non_null(l);
                assert_true(l->entries >= sets_of(w.largest) ||
                            !strcmp(f->name, "full"));
                ask(&w, l, 100);
                bestdag_best_parents_free(l);
            }
            random_core_end(&w);
        }
}

/* Long enough that several threads make it, and nodes have children. */
static void long_lists_are_split_for_any_number_of_threads(void **state)
{
    (void)state;
    struct random_core w = random_core((struct random_sets){
        .seed = 5, .n = 20, .sets = 2000, .most_parents = 9});
    assert_true(sets_of(w.largest) > 1 << 14);
    int64_t bytes[2];
    for (int threads = 1; threads <= 2; threads++) {
        bestdag_run_set(w.run, "threads", threads == 1 ? "1" : "2");
        struct bestdag_best_parents *l =
            bestdag_best_parents_new(w.run, w.largest, NULL);
        assert_non_null(l);
        assert_string_equal(l->form->name, "trie");
        ask(&w, l, 2000);
        bytes[threads - 1] = l->bytes;
        bestdag_best_parents_free(l);
    }
    assert_int_equal(bytes[0], bytes[1]);
    random_core_end(&w);
}

static void a_trie_over_some_variables_has_all_others_there(void **state)
{
    static const int parts[][3] = {{20, 0, 9},    {20, 11, 9},   {64, 40, 24},
                                   {100, 50, 20}, {100, 70, 30}, {140, 120, 20},
                                   {140, 64, 64}, {140, 33, 64}};
    (void)state;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct random_core w =
            random_core((struct random_sets){.seed = SEED + i,
                                             .n = parts[i][0] + 8,
                                             .sets = 300,
                                             .most_parents = 7});
        struct bestdag_random r = bestdag_random_init(SEED, i);
        int from = parts[i][1], size = parts[i][2];
        assert_true(w.largest->n >= from + size);
        struct bestdag_trie_job job = {.list = w.largest->list,
                                       .lists = w.largest->n,
                                       .n = w.largest->n,
                                       .words = w.largest->words,
                                       .from = from,
                                       .size = size};
        struct bestdag_trie *t = bestdag_trie_new(w.run, &job);
        assert_non_null(t);
        for (int q = 0; q < 300; q++) {
            int v = (int)bestdag_random_below(&r, (uint64_t)w.largest->n);
            uint64_t some[8], available[8];
            draw(&r, size, some);
            memset(available, 0xff, sizeof available);
            for (int u = 0; u < size; u++)
                if (!bestdag_row_has(some, u))
                    bestdag_row_drop(available, from + u);
            int64_t best = brute_best(w.largest, v, available);
            assert_int_equal(bestdag_trie_best(t, v, some), best);
            assert_int_equal(bestdag_trie_kernel(t, true)(t, v, some), best);
        }
        bestdag_trie_free(t);
        random_core_end(&w);
    }
}

static void full_parent_graphs_that_do_not_fit_are_refused(void **state)
{
    static const struct {
        int n;
        const char *limit;
    } cases[] = {{20, "8M"}, {40, "1G"}, {60, NULL}, {100, NULL}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct random_core w = random_core((struct random_sets){
            .seed = 9, .n = cases[i].n, .sets = 50, .most_parents = 3});
        assert_true(w.largest->n >= cases[i].n - 3);
        if (cases[i].limit)
            bestdag_run_set(w.run, "memory-limit", cases[i].limit);
        assert_null(bestdag_best_parents_new(w.run, w.largest, "full"));
        assert_int_equal(bestdag_run_status(w.run), BESTDAG_MEMORY);
        print_message("%s\n", bestdag_run_error(w.run));
        assert_non_null(strstr(bestdag_run_error(w.run), "full parent graphs"));
        random_core_end(&w);
    }
}

static void an_unknown_form_is_refused(void **state)
{
    (void)state;
    struct random_core w =
        random_core((struct random_sets){.n = 3, .sets = 3, .most_parents = 2});
    assert_null(bestdag_best_parents_new(w.run, w.largest, "hash"));
    assert_int_equal(bestdag_run_status(w.run), BESTDAG_USAGE);
    random_core_end(&w);
}

static void forms_that_were_stopped_are_still_right(void **state)
{
    const struct bestdag_best_parents_form *f;
    (void)state;
    for (int k = 0; (f = bestdag_best_parents_at(k)); k++) {
        struct random_core w = random_core((struct random_sets){
            .seed = 6, .n = 16, .sets = 3000, .most_parents = 8});
        bestdag_run_stop(w.run);
        struct bestdag_best_parents *l =
            bestdag_best_parents_new(w.run, w.largest, f->name);
        assert_non_null(l);
        ask(&w, l, 300);
        bestdag_best_parents_free(l);
        random_core_end(&w);
    }
}

static void a_trie_that_ran_out_of_time_is_still_right(void **state)
{
    (void)state;
    for (int t = 0; t < 12; t++) {
        struct random_core w = random_core((struct random_sets){
            .seed = 6, .n = 16, .sets = 3000, .most_parents = 8});
        w.run->deadline = bestdag_seconds() + t / 512.0;
        struct bestdag_best_parents *l =
            bestdag_best_parents_new(w.run, w.largest, "trie");
        assert_non_null(l);
        ask(&w, l, 300);
        bestdag_best_parents_free(l);
        random_core_end(&w);
    }
}

/* ---- arrange ---------------------------------------------------------------
 */

static void an_arranged_component_is_the_same_under_other_numbers(void **state)
{
    static const int sizes[] = {1, 5, 64, 70, 200};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct random_core w = random_core((struct random_sets){
            .seed = SEED + i, .n = sizes[i], .sets = 20, .most_parents = 4});
        int n = w.largest->n, order[256];
        struct bestdag_random r = bestdag_random_init(SEED, i);
        random_order(&r, n, order);
        struct bestdag_component *c =
            bestdag_component_renumber(w.run, w.largest, order);
        assert_non_null(c);
        assert_int_equal(c->n, n);
        assert_int_equal(c->words, w.largest->words);
        for (int q = 0; q < 200; q++) {
            int v = (int)bestdag_random_below(&r, (uint64_t)n);
            uint64_t new[8] = {0}, old[8] = {0};
            draw(&r, n, new);
            for (int u = 0; u < n; u++)
                if (bestdag_row_has(new, u))
                    bestdag_row_add(old, order[u]);
            assert_int_equal(c->variable[v], w.largest->variable[order[v]]);
            assert_int_equal(c->list[v].count, w.largest->list[order[v]].count);
            assert_int_equal(brute_best(c, v, new),
                             brute_best(w.largest, order[v], old));
        }
        bestdag_component_free(c);
        random_core_end(&w);
    }
    bestdag_component_free(NULL);
    bestdag_best_parents_free(NULL);
    bestdag_trie_free(NULL);
}

static void failing_memory_is_told(void **state)
{
    const struct bestdag_best_parents_form *f = NULL;
    (void)state;
    for (int k = -1; k < 0 || (f = bestdag_best_parents_at(k)); k++) {
        bool failed = true;
        for (int64_t at = 1; failed; at++) {
            struct random_core w = random_core((struct random_sets){
                .seed = 3, .n = 8, .sets = 200, .most_parents = 4});
            struct bestdag_component *c = NULL;
            struct bestdag_best_parents *l = NULL;
            int order[] = {3, 1, 0, 2, 7, 6, 5, 4};
            bestdag_memory_fail_at(w.run, at);
            if (k < 0)
                c = bestdag_component_renumber(w.run, w.largest, order);
            else
                l = bestdag_best_parents_new(w.run, w.largest, f->name);
            failed = bestdag_memory_has_failed(w.run);
            assert_int_equal(bestdag_run_status(w.run),
                             failed ? BESTDAG_MEMORY : BESTDAG_OK);
            assert_true(failed == (!c && !l));
            bestdag_component_free(c);
            bestdag_best_parents_free(l);
            random_core_end(&w);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_finds_the_cheapest_set_that_fits),
        cmocka_unit_test(long_lists_are_split_for_any_number_of_threads),
        cmocka_unit_test(a_trie_over_some_variables_has_all_others_there),
        cmocka_unit_test(full_parent_graphs_that_do_not_fit_are_refused),
        cmocka_unit_test(an_unknown_form_is_refused),
        cmocka_unit_test(forms_that_were_stopped_are_still_right),
        cmocka_unit_test(a_trie_that_ran_out_of_time_is_still_right),
        cmocka_unit_test(an_arranged_component_is_the_same_under_other_numbers),
        cmocka_unit_test(failing_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
