/* SPDX-License-Identifier: MIT */
/* test_cluster_heuristic.c -- the cluster bound as a heuristic of prefixes,
 * against brute force over all subsets: never above the cost to go, consistent,
 * after() as value(), and no set gone that a better network needs. */
#include "search/subsets/cluster_heuristic.h"

#include "problem/renumber.h"
#include "random_component.h"

enum { TRIALS = 120, MOST = 10 };

static const uint64_t SEED = 20261117;

/* The cheapest set of v within `set`. */
static int64_t best(const struct bestdag_component *c, int v, uint64_t set)
{
    const struct bestdag_candidates *l = &c->list[v];
    int i = 0;
    while (i < l->count && l->mask[i] & ~set)
        i++;
    return l->cost[i];
}

/* to[S]: what the others cost at least after S. */
static void find_costs(const struct bestdag_component *c, int64_t none,
                       int64_t *to)
{
    uint64_t all = ((uint64_t)1 << c->n) - 1;
    to[all] = 0;
    for (uint64_t S = all; S-- > 0;) {
        to[S] = none;
        for (int v = 0; v < c->n; v++) {
            uint64_t with = S | (uint64_t)1 << v;
            int64_t cost = with == S ? none : best(c, v, S) + to[with];
            to[S] = cost < to[S] ? cost : to[S];
        }
    }
}

/* How often h is above the other one. */
static int check_heuristic(const struct bestdag_component *c,
                           const struct bestdag_heuristic *h,
                           const struct bestdag_heuristic *simple,
                           const int64_t *to_go)
{
    uint64_t all = ((uint64_t)1 << c->n) - 1;
    int above = 0;
    for (uint64_t S = 0; S <= all; S++) {
        int next[MOST], count = 0;
        int64_t after[MOST], value = bestdag_heuristic_value(h, &S);
        assert_true(value <= to_go[S]);
        above += value > bestdag_heuristic_value(simple, &S);
        for (int v = 0; v < c->n; v++)
            if (!(S >> v & 1))
                next[count++] = v;
        bestdag_heuristic_after(h, &S, next, count, after);
        for (int i = 0; i < count; i++) {
            uint64_t with = S | (uint64_t)1 << next[i];
            assert_int_equal(after[i], bestdag_heuristic_value(h, &with));
            assert_true(value <= best(c, next[i], S) + after[i]);
        }
    }
    return above;
}

static struct bestdag_heuristic *make_simple(
    struct bestdag_run *run, const struct bestdag_component *c,
    const struct bestdag_best_parents *lookup)
{
    struct bestdag_heuristic_request job = {
        .component = c, .lookup = lookup, .plan = {.name = "simple"}};
    return bestdag_heuristic_new(run, &job);
}

/* The cost of this order of the component's own numbers. */
static int64_t cost_of(const struct bestdag_component *c, const int *order)
{
    uint64_t before = 0;
    int64_t cost = 0;
    for (int i = 0; i < c->n; i++) {
        int v = 0;
        while (c->variable[v] != order[i])
            v++;
        cost += best(c, v, before);
        before |= (uint64_t)1 << v;
    }
    return cost;
}

static int count_ranks(const struct bestdag_relaxation *r)
{
    int count = 0;
    for (int i = 0; i < r->pool.count; i++)
        count += r->pool.y[i] && r->pool.at[i]->least > 1;
    return count;
}

/* *ranks: clusters of rank 2 so far. */
static int try_component(struct random_core *w, struct bestdag_random *r,
                         int *ranks)
{
    static int64_t to_go[1 << MOST], thin_to_go[1 << MOST];
    const struct bestdag_component *c = w->largest;
    int64_t none = w->problem->none;
    int order[MOST], own[MOST];
    for (int i = 0; i < c->n; i++) {
        int k = (int)bestdag_random_below(r, (uint64_t)i + 1);
        order[i] = order[k];
        order[k] = c->variable[i];
        own[i] = own[k];
        own[k] = i;
    }
    struct bestdag_task task = {
        .run = w->run, .problem = w->problem, .n = w->problem->n};
    struct bestdag_relaxation *relax =
        bestdag_component_relaxation(&task, c, order);
    assert_non_null(relax);
    *ranks += count_ranks(relax);
    struct bestdag_component *thin =
        bestdag_component_of(w->run, c, relax, none);
    assert_non_null(thin);
    find_costs(c, none, to_go);
    find_costs(thin, none, thin_to_go);
    int64_t upper = cost_of(c, order);
    if (upper < none) /* nothing better is lost, nor the incumbent */
        assert_int_equal(thin_to_go[0], to_go[0]);
    if (to_go[0] < none)
        assert_true(relax->bound <= to_go[0]);
    /* in another order, as groupings have it */
    struct bestdag_component *mixed =
        bestdag_component_renumber(w->run, thin, own);
    struct bestdag_best_parents *lookup =
        bestdag_best_parents_new(w->run, mixed, "scan");
    struct bestdag_heuristic *simple = make_simple(w->run, mixed, lookup);
    struct bestdag_heuristic *h = bestdag_cluster_heuristic_new(
        relax, own, make_simple(w->run, mixed, lookup));
    assert_non_null(h);
    uint64_t empty = 0;
    assert_true(bestdag_heuristic_value(h, &empty) >= relax->bound);
    find_costs(mixed, none, thin_to_go);
    int above = check_heuristic(mixed, h, simple, thin_to_go);
    bestdag_heuristic_free(h);
    bestdag_heuristic_free(simple);
    bestdag_best_parents_free(lookup);
    bestdag_component_free(mixed);
    bestdag_component_free(thin);
    bestdag_relaxation_free(relax);
    return above;
}

static void it_is_consistent_and_never_too_high(void **state)
{
    struct bestdag_random r = bestdag_random_init(SEED, 1);
    int64_t above = 0;
    int ranks = 0;
    (void)state;
    print_message("seed %llu\n", (unsigned long long)SEED);
    for (uint64_t t = 0; t < TRIALS; t++) {
        struct random_sets shape = {.seed = SEED + t,
                                    .n = 8 + (int)(t % 3),
                                    .sets = 6 + (int)(t % 17),
                                    .most_parents = 1 + (int)(t % 4),
                                    .levels = t % 5 ? 0 : 12,
                                    .no_empty = t % 4 == 1};
        struct random_core w = random_core(shape);
        above += try_component(&w, &r, &ranks);
        random_core_end(&w);
    }
    print_message(
        "%d clusters of rank 2, %lld prefixes above the simple heuristic\n",
        ranks, (long long)above);
    assert_true(above > TRIALS && ranks > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_consistent_and_never_too_high),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
