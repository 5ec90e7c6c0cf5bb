/* SPDX-License-Identifier: MIT */
/* test_violated_cluster.c -- clusters that are extended greedily, against a
 * recount of the sums from the sets themselves. */
#include "bounds/root_bound.h"
#include "bounds/violated_cluster.h"
#include "solving.h"

enum { TRIALS = 200, MOST = 16 };

/* Shares that add up to 1 for each variable. */
static double *random_fractions(const struct bestdag_relaxation *r,
                                struct bestdag_random *random)
{
    size_t sets = 0;
    for (int v = 0; v < r->n; v++)
        sets += (size_t)r->list[v].count;
    double *fraction = calloc(sets, sizeof *fraction), *next = fraction;
    assert_non_null(fraction);
    for (int v = 0; v < r->n; v++) {
        double sum = 0;
        for (int i = 0; i < r->list[v].count; i++)
            sum += next[i] = bestdag_random_below(random, 3)
                                 ? 0
                                 : 0.1 + bestdag_random_unit(random);
        for (int i = 0; i < r->list[v].count; i++)
            next[i] = sum > 0 ? next[i] / sum : !i;
        next += r->list[v].count;
    }
    return fraction;
}

/* Of the sets of the members that have none of the others. */
static double sum_of(const struct bestdag_relaxation *r, const double *fraction,
                     const bool *is_inside)
{
    double sum = 0;
    for (int v = 0; v < r->n; v++)
        for (int i = 0; i < r->list[v].count; i++, fraction++) {
            const struct bestdag_reduced_list *list = &r->list[v];
            const uint64_t *mask = bestdag_reduced_list_mask(list, i);
            bool is_missed = is_inside[v];
            for (int k = 0; k < list->universe; k++)
                if (mask[k / 64] >> (k % 64) & 1 && is_inside[list->member[k]])
                    is_missed = false;
            sum += is_missed ? (double)(float)*fraction : 0;
        }
    return sum;
}

struct recount {
    const struct bestdag_relaxation *r;
    const double *fraction;
    bool is_inside[MOST];
    int32_t member[MOST];
    int size;
};

static double sum_with(struct recount *c, int v, bool is_inside)
{
    bool before = c->is_inside[v];
    c->is_inside[v] = is_inside;
    double sum = sum_of(c->r, c->fraction, c->is_inside);
    c->is_inside[v] = before;
    return sum;
}

/* Greedily, every sum from the sets. */
static double extend(struct recount *c)
{
    double sum = sum_of(c->r, c->fraction, c->is_inside);
    for (int best = 0; best >= 0;) {
        double least = sum - 1e-6;
        best = -1;
        for (int u = 0; u < c->r->n; u++)
            if (!c->is_inside[u] && sum_with(c, u, true) < least) {
                least = sum_with(c, u, true);
                best = u;
            }
        if (best >= 0) {
            c->is_inside[best] = true;
            c->member[c->size++] = best;
            sum = least;
        }
    }
    return sum;
}

static double drop(struct recount *c, double sum)
{
    for (int i = 0; i < c->size && c->size > 2;) {
        double without = sum_with(c, c->member[i], false);
        if (without > sum + 1e-9) {
            i++;
            continue;
        }
        c->is_inside[c->member[i]] = false;
        c->member[i] = c->member[--c->size];
        sum = without;
    }
    return sum;
}

/* From a random start; afterwards nothing is left of it. */
static int use_once(struct bestdag_violated *b, struct bestdag_random *random,
                    const double *fraction)
{
    struct bestdag_relaxation *r = b->r;
    struct recount c = {.r = r, .fraction = fraction};
    int before = r->pool.count;
    bestdag_violated_add(b, 0);
    while (b->size < 2 + (int)bestdag_random_below(random, 2))
        bestdag_violated_add(b,
                             (int)bestdag_random_below(random, (uint64_t)r->n));
    for (; c.size < b->size; c.size++) {
        c.member[c.size] = b->cluster[c.size];
        c.is_inside[c.member[c.size]] = true;
    }
    double sum = drop(&c, extend(&c));
    assert_int_equal(bestdag_violated_use(b), 0);
    for (int64_t i = 0; i < b->support_start[r->n]; i++)
        assert_int_equal(b->hits[i], 0);
    if (r->pool.count == before) /* not violated, or known */
        return 0;
    const struct bestdag_cluster *found = r->pool.at[before];
    assert_true(sum < 0.98 + 1e-6);
    assert_int_equal(found->size, c.size);
    for (int i = 0; i < found->size; i++)
        assert_true(c.is_inside[found->member[i]]);
    return 1;
}

static void clusters_are_those_of_a_recount(void **state)
{
    struct bestdag_random random = bestdag_random_init(20261118, 9);
    int found = 0, large = 0;
    (void)state;
    for (uint64_t t = 0; t < TRIALS; t++) {
        struct random_sets how = {.seed = 20261118 + t,
                                  .n = 4 + (int)(t % (MOST - 3)),
                                  .sets = 8 + (int)(t % 40),
                                  .most_parents = 1 + (int)(t % 4)};
        struct world w = pose_random(how, "cluster");
        struct bestdag_relaxation *r =
            bestdag_relaxation_of(w.run, w.problem, false);
        struct bestdag_violated b;
        assert_non_null(r);
        double *fraction = random_fractions(r, &random);
        assert_int_equal(bestdag_violated_init(&b, r, fraction), BESTDAG_OK);
        for (int k = 0; k < 8; k++)
            found += use_once(&b, &random, fraction);
        for (int i = 0; i < r->pool.count; i++)
            large += r->pool.at[i]->size > 2;
        bestdag_violated_release(&b);
        free(fraction);
        bestdag_relaxation_free(r);
        clear(&w);
    }
    print_message("%d clusters, %d of more than two\n", found, large);
    assert_true(found > TRIALS / 4 && large > TRIALS / 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clusters_are_those_of_a_recount),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
