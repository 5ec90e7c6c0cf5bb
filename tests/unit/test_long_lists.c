/* SPDX-License-Identifier: MIT */
/* test_long_lists.c -- what is computed late, or on a working set, is what all
 * sets give: payments to long lists, dual ascent on the nearest sets, and the
 * smooth bound at the end of a chunk. Optima by brute force. */
#include <math.h>
#include <string.h>

#include "bounds/cutting_planes.h"
#include "bounds/long_lists.h"
#include "bounds/near_relaxation.h"
#include "bounds/near_sets.h"
#include "solving.h"

enum { TRIALS = 24, LEAST_LONG = 256 };

/* Lists of hundreds of sets over 8 to 10 variables, some with ties. */
static struct random_sets crowded(uint64_t t)
{
    return (struct random_sets){.seed = 20261117 + t,
                                .n = 8 + (int)(t % 3),
                                .sets = 600 + (int)(t % 5) * 300,
                                .most_parents = 3 + (int)(t % 7),
                                .levels = t % 4 ? 0 : 40,
                                .no_empty = t % 5 == 1,
                                .no_prune = true};
}

/* The relaxation of all sets, dominated ones too; `late`: with long lists. */
static struct bestdag_relaxation *relax(struct world *w, bool late)
{
    struct bestdag_relaxation *r = bestdag_relaxation_new(w->run, w->task.n);
    assert_non_null(r);
    for (int v = 0; v < r->n; v++)
        assert_int_equal(bestdag_relaxation_fill(
                             r, v, &w->problem->candidates[v].head, NULL, true),
                         BESTDAG_OK);
    assert_int_equal(bestdag_relaxation_ready(r), BESTDAG_OK);
    if (!late) {
        bestdag_long_lists_free(r->long_lists);
        r->long_lists = NULL;
    }
    return r;
}

static int count_long(const struct bestdag_relaxation *r)
{
    int count = 0;
    for (int v = 0; v < r->n; v++) {
        assert_true(!bestdag_long_list_of(r, v) ||
                    r->list[v].count >= LEAST_LONG);
        count += bestdag_long_list_of(r, v) != NULL;
    }
    return count;
}

static void on_order(void *job, struct bestdag_cutting_settings *settings,
                     const int *order)
{
    (void)job;
    (void)settings;
    (void)order;
}

static void polish(struct bestdag_relaxation *r, int64_t upper)
{
    struct bestdag_cutting_settings plan = {
        .upper = upper, .most_work = 2000000, .on_order = on_order};
    assert_int_equal(bestdag_cutting_planes(r, &plan), BESTDAG_OK);
}

static void assert_same(const struct bestdag_relaxation *a,
                        const struct bestdag_relaxation *b)
{
    assert_true(a->bound == b->bound);
    assert_int_equal(a->pool.count, b->pool.count);
    for (int i = 0; i < a->pool.count; i++)
        assert_true(a->pool.y[i] == b->pool.y[i]);
    for (int v = 0; v < a->n; v++) {
        const struct bestdag_reduced_list *s = &a->list[v], *t = &b->list[v];
        assert_int_equal(s->count, t->count);
        assert_memory_equal(s->reduced, t->reduced,
                            (size_t)s->count * sizeof *s->reduced);
        assert_int_equal(s->tights, t->tights);
        assert_memory_equal(s->tight, t->tight,
                            (size_t)s->tights * sizeof *s->tight);
    }
}

static void dual_ascent_is_the_same_on_long_lists(void **state)
{
    int longs = 0;
    (void)state;
    for (uint64_t t = 0; t < TRIALS; t++) {
        struct world w = pose_random(crowded(t), "cluster");
        struct bestdag_relaxation *a = relax(&w, true), *b = relax(&w, false);
        int order[16], other[16];
        longs += count_long(a);
        bool is_dag = bestdag_dual_ascent(a, INT64_MAX / 8, order);
        assert_true(bestdag_dual_ascent(b, INT64_MAX / 8, other) == is_dag);
        assert_same(a, b);
        for (int i = 0; is_dag && i < a->n; i++)
            assert_int_equal(order[i], other[i]);
        assert_true(a->bound <= brute_optimum(w.problem));
        bestdag_relaxation_free(a);
        bestdag_relaxation_free(b);
        clear(&w);
    }
    print_message("%d long lists\n", longs);
    assert_true(longs > 0);
}

/* Borrows the clusters, with their multipliers. */
static void copy_pool(struct bestdag_relaxation *to,
                      const struct bestdag_relaxation *from)
{
    if (!from->pool.count)
        return;
    while (to->pool.room < from->pool.count)
        assert_int_equal(bestdag_pool_grow(to), BESTDAG_OK);
    memcpy(to->pool.at, from->pool.at,
           (size_t)from->pool.count * sizeof *to->pool.at);
    memcpy(to->pool.y, from->pool.y,
           (size_t)from->pool.count * sizeof *to->pool.y);
    to->pool.count = to->pool.borrowed = from->pool.count;
    bestdag_pool_index(&to->pool);
}

static void payments_are_the_same_on_long_lists(void **state)
{
    int wide = 0, divided = 0;
    (void)state;
    for (uint64_t t = 0; t < TRIALS; t++) {
        struct world w = pose_random(crowded(t), "cluster");
        struct bestdag_relaxation *a = relax(&w, true), *b = relax(&w, false);
        struct bestdag_random random = bestdag_random_init(t, 9);
        polish(a, brute_optimum(w.problem));
        for (int least = 2; least < 6; least++) {
            const int32_t all[] = {0, 1, 2, 3, 4, 5, 6, 7};
            struct bestdag_shape shape = {
                .member = all + least % 2, .size = 7, .least = least};
            assert_true(bestdag_relaxation_cluster(a, &shape) >= 0);
            shape.label = (const int32_t[]){1, 1, 2, 0, 2, 0, 1};
            shape.classes = 2;
            if (least < 4)
                assert_true(bestdag_relaxation_cluster(a, &shape) >= 0);
        }
        copy_pool(b, a);
        for (int i = 0; i < a->pool.count; i++) {
            wide += a->pool.at[i]->least > 1;
            divided += a->pool.at[i]->classes > 0;
            a->pool.y[i] += (int64_t)bestdag_random_below(&random, 1000000);
            b->pool.y[i] = a->pool.y[i];
        }
        bestdag_relaxation_set(a, a->pool.y);
        bestdag_relaxation_set(b, b->pool.y);
        assert_same(a, b);
        bestdag_relaxation_free(b);
        bestdag_relaxation_free(a);
        clear(&w);
    }
    assert_true(wide >= 6 * TRIALS && divided >= 2 * TRIALS);
}

/* B by the working set alone. */
static int64_t value_of_near(const struct bestdag_relaxation *r,
                             const struct bestdag_near_sets *near)
{
    int64_t sum = 0;
    for (int i = 0; i < r->pool.count; i++)
        sum += (int64_t)near->base[i] * r->pool.y[i];
    for (int v = 0; v < r->n; v++) {
        int64_t least = INT64_MAX;
        for (int64_t i = near->start[v]; i < near->start[v + 1]; i++) {
            int64_t x = r->list[v].cost[near->set[i]];
            for (int64_t k = near->hit_start[i]; k < near->hit_start[i + 1];
                 k++)
                x += r->pool.y[near->hit[k]];
            least = x < least ? x : least;
        }
        sum += least;
    }
    return sum;
}

static void assert_fractions(const struct bestdag_relaxation *r, double width,
                             const double *fraction)
{
    for (int v = 0; v < r->n; v++) {
        const struct bestdag_reduced_list *s = &r->list[v];
        double sum = 0;
        for (int set = 0; set < s->count; set++)
            sum += exp(-(double)s->reduced[set] / width);
        for (int set = 0; set < s->count; set++)
            assert_true(fabs(fraction[set] -
                             exp(-(double)s->reduced[set] / width) / sum) <
                        1e-6);
        fraction += s->count;
    }
}

static void a_working_set_gives_the_bound_of_all_sets(void **state)
{
    int partial = 0;
    (void)state;
    for (uint64_t t = 0; t < TRIALS; t++) {
        struct world w = pose_random(crowded(t), "cluster");
        struct bestdag_relaxation *r = relax(&w, true), *b = relax(&w, false);
        double *fraction = calloc(20000, sizeof *fraction);
        int64_t best = brute_optimum(w.problem);
        polish(r, best);
        for (int k = 0; k < 5; k++) {
            double width = ((double)best + 1) * pow(0.2, k) / r->n;
            struct bestdag_near_sets near;
            assert_int_equal(bestdag_smooth_dual(r, width, 50, fraction),
                             BESTDAG_OK);
            assert_true(r->bound <= best);
            assert_fractions(r, width, fraction);
            assert_int_equal(bestdag_near_sets_init(&near, r), BESTDAG_OK);
            for (int most = 4; most <= 64; most *= 4) {
                assert_int_equal(
                    bestdag_near_sets_choose(&near, 60 * width, most),
                    BESTDAG_OK);
                assert_true(value_of_near(r, &near) == r->bound);
                partial += !near.is_whole;
            }
            near.most_hits = 50;
            assert_int_equal(bestdag_near_sets_choose(&near, 60 * width, 64),
                             BESTDAG_OK);
            assert_true(value_of_near(r, &near) == r->bound);
            bestdag_near_sets_release(&near);
        }
        copy_pool(b, r);
        bestdag_relaxation_set(b, b->pool.y);
        assert_same(r, b);
        free(fraction);
        bestdag_relaxation_free(b);
        bestdag_relaxation_free(r);
        clear(&w);
    }
    print_message("%d working sets left sets out\n", partial);
    assert_true(partial > TRIALS);
}

enum { SHORT = 2, PART = 5 }; /* as if lists were long */

/* Every set that is left out is as far as any that is taken, and not empty. */
static void assert_nearest(const struct bestdag_reduced_list *all,
                           const struct bestdag_reduced_list *near)
{
    int taken = 0;
    int64_t farthest = 0, left = INT64_MAX;
    for (int set = 0; set < all->count; set++) {
        bool is_taken = taken < near->count &&
                        near->cost[taken] == all->cost[set] &&
                        !memcmp(bestdag_reduced_list_mask(near, taken),
                                bestdag_reduced_list_mask(all, set),
                                (size_t)all->words * sizeof *all->mask);
        uint64_t any = 0;
        for (int w = 0; w < all->words; w++)
            any |= bestdag_reduced_list_mask(all, set)[w];
        assert_true(any || is_taken);
        taken += is_taken;
        if (!is_taken && all->reduced[set] < left)
            left = all->reduced[set];
        if (is_taken && any && all->reduced[set] > farthest)
            farthest = all->reduced[set];
    }
    assert_int_equal(taken, near->count);
    assert_true(farthest < left);
    assert_true(near->count >= (all->count < SHORT ? all->count : SHORT));
}

static void smoothing_on_the_nearest_sets_leaves_an_exact_bound(void **state)
{
    int shorter = 0, paying = 0;
    (void)state;
    for (uint64_t t = 0; t < TRIALS; t++) {
        struct world w = pose_random(crowded(t), "cluster");
        struct bestdag_relaxation *r = relax(&w, true), *b = relax(&w, false);
        double *fraction = calloc(20000, sizeof *fraction);
        int64_t best = brute_optimum(w.problem);
        r->near_length = SHORT;
        paying += bestdag_near_relaxation_pays(r);
        assert_false(bestdag_near_relaxation_pays(b));
        polish(r, best);
        assert_true(r->bound <= best);
        for (int k = 0; k < 5; k++) {
            double width = ((double)best + 1) * pow(0.2, k) / r->n;
            assert_int_equal(bestdag_smooth_dual(r, width, 50, fraction),
                             BESTDAG_OK);
            assert_true(r->bound <= best);
            assert_fractions(r, width, fraction);
        }
        struct bestdag_relaxation *near = bestdag_near_relaxation_new(r, PART);
        assert_non_null(near);
        assert_true(near->bound >= r->bound); /* of fewer sets */
        for (int v = 0; v < r->n; v++) {
            assert_nearest(&r->list[v], &near->list[v]);
            shorter += near->list[v].count < r->list[v].count;
        }
        bestdag_relaxation_free(near);
        copy_pool(b, r);
        bestdag_relaxation_set(b, b->pool.y);
        assert_same(r, b);
        free(fraction);
        bestdag_relaxation_free(b);
        bestdag_relaxation_free(r);
        clear(&w);
    }
    print_message("%d lists were shorter, seed 20261117\n", shorter);
    assert_true(shorter > TRIALS && paying > TRIALS / 2);
}

static void failing_memory_is_reported(void **state)
{
    (void)state;
    for (int64_t n = 1; n < 100000; n += 1 + n / 20) {
        struct world w = pose_random(crowded(0), "cluster");
        bestdag_memory_fail_at(w.run, n);
        struct bestdag_relaxation *r = bestdag_relaxation_new(w.run, w.task.n);
        for (int v = 0; r && v < r->n && !bestdag_run_status(w.run); v++)
            bestdag_relaxation_fill(r, v, &w.problem->candidates[v].head, NULL,
                                    true);
        if (r)
            r->near_length = SHORT;
        struct bestdag_cutting_settings plan = {.upper = INT64_MAX / 8,
                                                .most_work = 1000000};
        if (r && !bestdag_run_status(w.run) && !bestdag_relaxation_ready(r))
            bestdag_cutting_planes(r, &plan);
        int status = bestdag_run_status(w.run);
        bestdag_memory_fail_at(w.run, 0);
        bestdag_relaxation_free(r);
        clear(&w);
        if (!status)
            break;
        assert_int_equal(status, BESTDAG_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dual_ascent_is_the_same_on_long_lists),
        cmocka_unit_test(payments_are_the_same_on_long_lists),
        cmocka_unit_test(a_working_set_gives_the_bound_of_all_sets),
        cmocka_unit_test(smoothing_on_the_nearest_sets_leaves_an_exact_bound),
        cmocka_unit_test(failing_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
