/* SPDX-License-Identifier: MIT */
/* test_relaxation.c -- the cluster relaxation against all orders: no bound is
 * above the optimum, at the root or with some variables placed; deletions and
 * orders keep it; clusters of every kind hold for every DAG. */
#include <math.h>
#include <string.h>

#include "bounds/cutting_planes.h"
#include "bounds/root_bound.h"
#include "bounds/filtered_relaxation.h"
#include "solving.h"

enum { TRIALS = 300 };

static uint64_t seed_of(void)
{
    const char *text = getenv("BESTDAG_TEST_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 10) : 20261117;
    print_message("seed %llu\n", (unsigned long long)seed);
    return seed;
}

/* Problems in which the best sets are in each other's way. */
static struct random_sets conflicting(uint64_t seed, uint64_t trial)
{
    return (struct random_sets){.seed = seed + trial,
                                .n = 2 + (int)(trial % 9),
                                .sets = 4 + (int)(trial % 17) * 3,
                                .most_parents = 1 + (int)(trial % 5),
                                .levels = trial % 4 ? 0 : 4,
                                .no_prune = trial % 7 == 0};
}

static void on_order(void *job, struct bestdag_cutting_settings *polish,
                     const int *order)
{
    const struct bestdag_relaxation *r = job;
    int64_t cost = bestdag_relaxation_cost(r, order, NULL);
    if (cost >= 0 && cost < polish->upper)
        polish->upper = cost;
}

static int on_delete(void *job, const struct bestdag_relaxation *relax,
                     int64_t limit)
{
    (void)job;
    (void)relax;
    (void)limit;
    return BESTDAG_OK;
}

static struct bestdag_relaxation *polished(struct world *w, bool deletes)
{
    struct bestdag_relaxation *r =
        bestdag_relaxation_of(w->run, w->problem, false);
    assert_non_null(r);
    struct bestdag_cutting_settings plan = {.upper = BESTDAG_UNKNOWN_COST,
                                            .job = r,
                                            .on_order = on_order,
                                            .on_delete =
                                                deletes ? on_delete : NULL};
    assert_int_equal(bestdag_cutting_planes(r, &plan), BESTDAG_OK);
    return r;
}

static void no_bound_is_above_the_optimum(void **state)
{
    uint64_t seed = seed_of();
    int tight = 0;
    (void)state;
    for (uint64_t t = 0; t < TRIALS; t++) {
        struct world w = pose_random(conflicting(seed, t), "cluster");
        int64_t best = brute_optimum(w.problem);
        struct bestdag_relaxation *r = polished(&w, false);
        assert_true(r->bound <= best);
        assert_true(r->bound >= 0);
        tight += r->bound == best;
        bestdag_relaxation_free(r);
        clear(&w);
    }
    print_message("%d of %d are tight\n", tight, TRIALS);
    assert_true(tight * 4 > TRIALS * 3);
}

/* The class of v as a number: -1 - v if it is alone; 0: it is not a member. */
static int class_of(const struct bestdag_cluster *c, int v)
{
    for (int i = 0; i < c->size; i++)
        if (c->member[i] == v)
            return c->label[i] ? c->label[i] : -1 - v;
    return 0;
}

/* Is v a member that its set does not span, by the words of relaxation.h? */
static bool misses(const struct bestdag_cluster *c, int v,
                   const struct bestdag_reduced_list *s, int set)
{
    int met[64], count = 0;
    if (!class_of(c, v))
        return false;
    for (int b = 0; b < s->universe; b++) {
        if (!(bestdag_reduced_list_mask(s, set)[b / 64] >> (b % 64) & 1))
            continue;
        int class = class_of(c, s->member[b]), i = 0;
        if (class == class_of(c, v))
            return false;
        while (i < count && met[i] != class)
            i++;
        if (class && i == count)
            met[count++] = class;
    }
    return count < c->least;
}

/* The multipliers say what they say, counted without the engine. */
static int64_t value_by_hand(const struct bestdag_relaxation *r)
{
    int64_t sum = 0;
    for (int i = 0; i < r->pool.count; i++)
        sum += r->pool.y[i] * r->pool.at[i]->least;
    for (int v = 0; v < r->n; v++) {
        const struct bestdag_reduced_list *s = &r->list[v];
        int64_t least = INT64_MAX;
        for (int set = 0; set < s->count; set++) {
            int64_t x = s->cost[set];
            for (int i = 0; i < r->pool.count; i++) {
                if (misses(r->pool.at[i], v, s, set))
                    x -= r->pool.y[i];
            }
            least = x < least ? x : least;
        }
        sum += least;
    }
    return sum;
}

static void the_bound_is_that_of_its_multipliers(void **state)
{
    uint64_t seed = seed_of();
    int wide = 0, one = 0, several = 0;
    (void)state;
    for (uint64_t t = 0; t < TRIALS; t++) {
        struct world w = pose_random(conflicting(seed, t), "cluster");
        struct bestdag_relaxation *r = polished(&w, false);
        assert_true(r->bound == value_by_hand(r));
        for (int i = 0; i < r->pool.count; i++) {
            assert_true(r->pool.y[i] >= 0);
            wide += r->pool.y[i] > 0 && r->pool.at[i]->least > 1;
            one += r->pool.y[i] > 0 && r->pool.at[i]->classes == 1;
            several += r->pool.y[i] > 0 && r->pool.at[i]->classes > 1;
        }
        bestdag_relaxation_free(r);
        clear(&w);
    }
    print_message("%d wide clusters, %d with a class, %d with several\n", wide,
                  one, several);
    assert_true(wide > 0 && one > 0 && several > 0);
}

/* A random cluster of rank 1 to 3 in the pool, with random classes; -1: it
 * would have too few. */
static int random_cluster(struct bestdag_relaxation *r,
                          struct bestdag_random *random)
{
    int32_t member[16], label[16];
    int number[16] = {0}, sizes[16] = {0}, class[16];
    struct bestdag_shape shape = {.member = member,
                                  .label = label,
                                  .least =
                                      1 + (int)bestdag_random_below(random, 3)};
    uint64_t kinds = 1 + bestdag_random_below(random, (uint64_t)r->n);
    for (int v = 0; v < r->n; v++)
        if (bestdag_random_below(random, 4)) {
            class[shape.size] = (int)bestdag_random_below(random, kinds);
            sizes[class[shape.size]]++;
            member[shape.size++] = v;
        }
    int rank = 0;
    for (int i = 0; i < shape.size; i++) {
        int k = class[i];
        if (shape.least > 1 && sizes[k] > 1 && !number[k])
            number[k] = ++shape.classes;
        label[i] = number[k];
        rank += !label[i];
    }
    return rank + shape.classes > shape.least
               ? bestdag_relaxation_cluster(r, &shape)
               : -1;
}

/* How many members miss the cluster in a random DAG: of each variable, any set
 * of those before it in a random order; -1: there is none. */
static int count_misses(const struct bestdag_relaxation *r,
                        const struct bestdag_cluster *c,
                        struct bestdag_random *random)
{
    int order[16], count = 0;
    uint32_t placed = 0;
    for (int i = 0; i < r->n; i++) {
        int k = (int)bestdag_random_below(random, (uint64_t)i + 1);
        order[i] = order[k];
        order[k] = i;
    }
    for (int i = 0; i < r->n; i++) {
        const struct bestdag_reduced_list *s = &r->list[order[i]];
        int pick = -1, fit = 0;
        for (int set = 0; set < s->count; set++) {
            bool fits = true;
            for (int b = 0; b < s->universe; b++)
                if (*bestdag_reduced_list_mask(s, set) >> b & 1)
                    fits &= placed >> s->member[b] & 1;
            if (fits && !bestdag_random_below(random, (uint64_t)++fit))
                pick = set;
        }
        if (pick < 0)
            return -1;
        count += misses(c, order[i], s, pick);
        placed |= 1u << order[i];
    }
    return count;
}

static void a_cluster_holds_in_every_dag(void **state)
{
    uint64_t seed = seed_of();
    int checked = 0, exact = 0, several = 0;
    (void)state;
    for (uint64_t t = 0; t < TRIALS; t++) {
        struct random_sets shape = conflicting(seed, t);
        shape.no_prune = true;
        struct world w = pose_random(shape, "cluster");
        struct bestdag_relaxation *r =
            bestdag_relaxation_of(w.run, w.problem, false);
        struct bestdag_random random = bestdag_random_init(shape.seed, 6);
        for (int k = 0; k < 20; k++) {
            int number = random_cluster(r, &random);
            if (number < 0)
                continue;
            const struct bestdag_cluster *c = r->pool.at[number];
            several += c->classes > 1;
            for (struct bestdag_walk at = {0};
                 bestdag_cluster_walk(r, c, &at);) {
                const struct bestdag_reduced_list *s = &r->list[at.v];
                for (int set = 0; set < s->count; set++)
                    assert_int_equal(bestdag_cluster_view_missed(
                                         &at.view,
                                         bestdag_reduced_list_mask(s, set),
                                         s->words),
                                     misses(c, at.v, s, set));
            }
            for (int i = 0; i < 20; i++) {
                int count = count_misses(r, c, &random);
                assert_true(count < 0 || count >= c->least);
                checked += count >= 0;
                exact += count == c->least;
            }
        }
        bestdag_relaxation_free(r);
        clear(&w);
    }
    print_message("%d DAGs, %d without slack, %d clusters with classes\n",
                  checked, exact, several);
    assert_true(checked > 1000 && exact > 100 && several > 100);
}

/* The optimum over the sets that a relaxation has left. */
static int64_t brute_left(const struct bestdag_relaxation *r)
{
    uint32_t all = (1u << r->n) - 1;
    int64_t *least = calloc((size_t)all + 1, sizeof *least);
    for (uint32_t set = 1; set <= all; set++) {
        least[set] = INT64_MAX / 4;
        for (int v = 0; v < r->n; v++) {
            const struct bestdag_reduced_list *s = &r->list[v];
            uint32_t rest = set & ~(1u << v);
            for (int i = 0; i < s->count && rest != set; i++) {
                uint32_t mask = 0;
                for (int b = 0; b < s->universe; b++)
                    if (*bestdag_reduced_list_mask(s, i) >> b & 1)
                        mask |= 1u << s->member[b];
                if (!(mask & ~rest) && least[rest] + s->cost[i] < least[set])
                    least[set] = least[rest] + s->cost[i];
            }
        }
    }
    int64_t optimum = least[all];
    free(least);
    return optimum;
}

static void deleting_never_loses_the_optimum(void **state)
{
    uint64_t seed = seed_of();
    int64_t gone = 0;
    (void)state;
    for (uint64_t t = 0; t < TRIALS; t++) {
        struct world w = pose_random(conflicting(seed, t), "cluster");
        struct bestdag_relaxation *r = polished(&w, true);
        assert_true(brute_left(r) == brute_optimum(w.problem));
        for (int v = 0; v < r->n; v++)
            gone += w.problem->candidates[v].count - r->list[v].count;
        bestdag_relaxation_free(r);
        clear(&w);
    }
    assert_true(gone > 0);
}

/* With sets that are not on the lists: what they may score is the ceiling. */
static void an_open_bound_allows_for_what_is_not_listed(void **state)
{
    uint64_t seed = seed_of();
    (void)state;
    for (uint64_t t = 0; t < TRIALS; t++) {
        struct random_sets shape = conflicting(seed, t);
        struct bestdag_run *run = bestdag_run_new();
        struct bestdag_sets *all = random_sets(run, shape);
        struct bestdag_sets *some = random_sets(run, shape);
        struct bestdag_problem *whole = bestdag_problem_new(run, all);
        for (int v = 0; v < shape.n; v++) {
            struct bestdag_list *list = &some->list[v];
            int64_t kept = list->count / 2 + 1;
            list->ceiling = kept < list->count ? list->score[kept] : -INFINITY;
            list->count = kept < list->count ? kept : list->count;
        }
        struct bestdag_problem *part = bestdag_problem_new(run, some);
        int64_t bound = 0;
        assert_int_equal(bestdag_root_bound(run, part, true, NULL, &bound),
                         BESTDAG_OK);
        double best = bestdag_problem_nats(whole, brute_optimum(whole)) - 1e-6;
        assert_true(bestdag_problem_nats(part, bound) >= best);
        bestdag_problem_free(whole);
        bestdag_problem_free(part);
        bestdag_sets_free(all);
        bestdag_sets_free(some);
        bestdag_run_free(run);
    }
}

static void failing_memory_is_told(void **state)
{
    (void)state;
    struct random_sets shape = {
        .seed = 3, .n = 8, .sets = 20, .most_parents = 3};
    for (int64_t n = 1; n < 100000; n++) {
        struct world w = pose_random(shape, "cluster");
        bestdag_memory_fail_at(w.run, n);
        int64_t bound = 0;
        int status = bestdag_root_bound(w.run, w.problem, false, NULL, &bound);
        bestdag_memory_fail_at(w.run, 0);
        clear(&w);
        if (!status)
            break;
        assert_int_equal(status, BESTDAG_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_bound_is_above_the_optimum),
        cmocka_unit_test(the_bound_is_that_of_its_multipliers),
        cmocka_unit_test(a_cluster_holds_in_every_dag),
        cmocka_unit_test(deleting_never_loses_the_optimum),
        cmocka_unit_test(an_open_bound_allows_for_what_is_not_listed),
        cmocka_unit_test(failing_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
