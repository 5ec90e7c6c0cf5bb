/* SPDX-License-Identifier: MIT */
/* test_order_state.c -- orders as keys: costs, moves, undo, climbing, pulling,
 * against direct evaluation of the order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "random_lists.h"

#include "search/orders/order_state.h"

enum { TRIALS = 200 };

struct world {
    struct bestdag_run *run;
    struct bestdag_random random;
    struct bestdag_sets *sets;
    struct bestdag_problem *problem;
    struct bestdag_order_state *placing;
    int order[64];
};

static uint64_t seed_of(void)
{
    const char *text = getenv("BESTDAG_TEST_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 10) : 20261115;
    print_message("seed %llu\n", (unsigned long long)seed);
    return seed;
}

static struct world make(uint64_t seed, struct random_sets shape)
{
    struct world w = {.run = bestdag_run_new(),
                      .random = bestdag_random_init(seed, 0)};
    shape.seed = seed;
    w.sets = random_sets(w.run, shape);
    assert_non_null(w.sets);
    w.problem = bestdag_problem_new(w.run, w.sets);
    assert_non_null(w.problem);
    w.placing = bestdag_order_state_new(w.run, w.problem);
    assert_non_null(w.placing);
    w.placing->random = bestdag_random_init(seed, 1);
    random_order(&w.random, shape.n, w.order);
    bestdag_order_state_set(w.placing, w.order);
    return w;
}

static void clear(struct world *w)
{
    bestdag_order_state_free(w->placing);
    bestdag_problem_free(w->problem);
    bestdag_sets_free(w->sets);
    bestdag_run_free(w->run);
}

static int64_t true_cost(struct world *w)
{
    int order[64];
    assert_int_equal(bestdag_order_state_get(w->placing, order), BESTDAG_OK);
    return brute_order(w->problem, order);
}

static int below(struct world *w, int n)
{
    return (int)bestdag_random_below(&w->random, (uint64_t)n);
}

static void random_move(struct world *w)
{
    struct bestdag_order_state *p = w->placing;
    int v = below(w, w->problem->n);
    if (p->choice[v] && below(w, 2))
        bestdag_order_state_block_move(p, v, below(w, p->choice[v]),
                                       below(w, 2));
    else
        bestdag_order_state_perturb(p, v);
}

static const struct random_sets small = {.n = 7, .sets = 12, .most_parents = 3},
                                holed = {.n = 7,
                                         .sets = 12,
                                         .most_parents = 3,
                                         .levels = 6,
                                         .no_empty = true},
                                large = {
                                    .n = 30, .sets = 120, .most_parents = 4};

static void costs_follow_every_move(void **state)
{
    uint64_t seed = seed_of();
    (void)state;
    for (uint64_t t = 0; t < TRIALS; t++) {
        struct world w = make(seed + t, t % 3 == 0   ? small
                                        : t % 3 == 1 ? holed
                                                     : large);
        assert_int_equal(w.placing->cost, brute_order(w.problem, w.order));
        for (int i = 0; i < 40; i++) {
            random_move(&w);
            assert_int_equal(w.placing->cost, true_cost(&w));
            bestdag_order_state_keep(w.placing);
            bestdag_order_state_spread(w.placing);
            assert_int_equal(w.placing->cost, true_cost(&w));
        }
        clear(&w);
    }
}

static void undo_restores_keys_and_choices(void **state)
{
    uint64_t seed = seed_of();
    (void)state;
    for (uint64_t t = 0; t < TRIALS; t++) {
        struct world w = make(seed + t, t % 2 ? large : holed);
        size_t n = (size_t)w.problem->n;
        double key[64];
        int32_t choice[64];
        int64_t cost = w.placing->cost;
        memcpy(key, w.placing->key, n * sizeof *key);
        memcpy(choice, w.placing->choice, n * sizeof *choice);
        for (int i = 0; i < 10; i++)
            random_move(&w);
        bestdag_order_state_insert_all(w.placing);
        bestdag_order_state_undo(w.placing);
        assert_int_equal(w.placing->cost, cost);
        assert_memory_equal(key, w.placing->key, n * sizeof *key);
        assert_memory_equal(choice, w.placing->choice, n * sizeof *choice);
        clear(&w);
    }
}

/* v taken out of the order and put in again at place `to`. */
static void insert(const int *from, int n, int v, int to, int *order)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        if (count == to)
            order[count++] = v;
        if (from[i] != v)
            order[count++] = from[i];
    }
    if (count < n)
        order[count] = v;
}

static void no_insertion_improves_after_climbing(void **state)
{
    uint64_t seed = seed_of();
    (void)state;
    for (uint64_t t = 0; t < TRIALS / 2; t++) {
        struct world w = make(seed + t, t % 3 == 0   ? small
                                        : t % 3 == 1 ? holed
                                                     : large);
        int n = w.problem->n, order[64], other[64];
        int64_t last;
        do { /* with everyone in the queue */
            last = w.placing->cost;
            bestdag_order_state_insert_all(w.placing);
            assert_true(w.placing->cost <= last);
            bestdag_order_state_get(w.placing, order);
            bestdag_order_state_set(w.placing, order);
        } while (w.placing->cost < last);
        for (int v = 0; v < n; v++)
            for (int to = 0; to < n; to++) {
                insert(order, n, v, to, other);
                assert_true(brute_order(w.problem, other) >= w.placing->cost);
            }
        clear(&w);
    }
}

static bool reaches(const struct bestdag_dag *dag, int from, int to)
{
    bool seen[64] = {false};
    int stack[64], top = 0;
    stack[top++] = to;
    while (top) {
        int v = stack[--top];
        if (v == from)
            return true;
        for (int i = 0; i < dag->parents[v].count; i++) {
            int u = dag->parents[v].at[i];
            if (!seen[u])
                stack[top++] = u;
            seen[u] = true;
        }
    }
    return false;
}

static void after_lifting_better_sets_close_cycles(void **state)
{
    uint64_t seed = seed_of();
    (void)state;
    for (uint64_t t = 0; t < TRIALS / 2; t++) {
        struct world w = make(seed + t, t % 2 ? large : small);
        bestdag_order_state_insert_all(w.placing);
        int64_t climbed = w.placing->cost;
        bestdag_order_state_select_acyclic(w.placing);
        assert_true(w.placing->cost <= climbed);
        assert_int_equal(w.placing->cost, true_cost(&w));
        struct bestdag_dag *dag =
            bestdag_problem_dag(w.run, w.problem, w.placing->choice);
        for (int v = 0; v < w.problem->n; v++) {
            const struct bestdag_list *list = &w.sets->list[v];
            if (!bestdag_order_state_regret(w.placing, v))
                continue;
            for (int set = 0; set < w.placing->choice[v]; set++) {
                bool cycle = false;
                for (int64_t k = list->start[set]; k < list->start[set + 1];
                     k++)
                    cycle |= reaches(dag, v, list->member[k]);
                assert_true(cycle);
            }
        }
        bestdag_dag_free(dag);
        clear(&w);
    }
}

static void a_pulled_variable_gets_its_set(void **state)
{
    uint64_t seed = seed_of();
    int pulled = 0;
    (void)state;
    for (uint64_t t = 0; t < TRIALS; t++) {
        struct world w = make(seed + t, large);
        for (int v = 0; v < w.problem->n; v++) {
            if (!w.placing->choice[v])
                continue;
            int set = below(&w, w.placing->choice[v]);
            bestdag_order_state_block_move(w.placing, v, set, v % 2);
            assert_true(w.placing->choice[v] <= set);
            bestdag_order_state_keep(w.placing);
            bestdag_order_state_spread(w.placing);
            pulled++;
        }
        clear(&w);
    }
    assert_true(pulled > TRIALS);
}

static void an_adopted_gain_is_kept_and_a_loss_is_not(void **state)
{
    uint64_t seed = seed_of();
    int gains = 0;
    (void)state;
    for (uint64_t t = 0; t < TRIALS; t++) {
        struct world w = make(seed + t, large);
        struct bestdag_order_state *base =
            bestdag_order_state_new(w.run, w.problem);
        struct bestdag_order_state *other =
            bestdag_order_state_new(w.run, w.problem);
        int32_t moved[64];
        bestdag_order_state_copy(other, w.placing);
        bestdag_order_state_copy(base, w.placing); /* with nothing queued */
        other->random = bestdag_random_init(seed + t, 2);
        for (int i = 0; i < 5; i++) {
            moved[i] = below(&w, w.problem->n);
            bestdag_order_state_perturb(other, moved[i]);
        }
        int64_t old = base->cost;
        bestdag_order_state_adopt(base, other, moved, 5);
        assert_true(base->cost <= old);
        gains += base->cost < old;
        bestdag_order_state_copy(w.placing, base);
        assert_int_equal(base->cost, true_cost(&w));
        bestdag_order_state_free(base);
        bestdag_order_state_free(other);
        clear(&w);
    }
    assert_in_range(gains, 1, TRIALS);
}

/* Keys of another state tie with those here: then what a move promises need not
 * come true, and improving must end all the same. */
static void adopted_keys_that_tie_do_not_go_round_in_circles(void **state)
{
    uint64_t seed = seed_of();
    (void)state;
    for (uint64_t t = 0; t < 20 * TRIALS; t++) {
        struct world w = make(seed + t, large);
        struct bestdag_order_state *base =
            bestdag_order_state_new(w.run, w.problem);
        struct bestdag_order_state *other =
            bestdag_order_state_new(w.run, w.problem);
        int32_t moved[64];
        bestdag_order_state_copy(other, w.placing);
        bestdag_order_state_copy(base, w.placing);
        for (int i = 0; i < 10; i++) {
            moved[i] = below(&w, w.problem->n);
            other->key[moved[i]] = base->key[below(&w, w.problem->n)];
        }
        int64_t old = base->cost;
        bestdag_order_state_adopt(base, other, moved, 10);
        assert_true(base->cost <= old);
        assert_int_equal(base->queued, 0);
        bestdag_order_state_free(base);
        bestdag_order_state_free(other);
        clear(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs_follow_every_move),
        cmocka_unit_test(undo_restores_keys_and_choices),
        cmocka_unit_test(no_insertion_improves_after_climbing),
        cmocka_unit_test(after_lifting_better_sets_close_cycles),
        cmocka_unit_test(a_pulled_variable_gets_its_set),
        cmocka_unit_test(an_adopted_gain_is_kept_and_a_loss_is_not),
        cmocka_unit_test(adopted_keys_that_tie_do_not_go_round_in_circles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
