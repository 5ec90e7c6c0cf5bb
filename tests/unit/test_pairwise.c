/* SPDX-License-Identifier: MIT */
/* test_pairwise.c -- the two fast ways to a family, all single parents at once
 * and a known set with one more parent, against the plain one: the same bits of
 * everything, for every score. */
#include "network/network.h"
#include "random_table.h"
#include "scores/extended_family.h"
#include "scores/pairwise.h"
#include "scores/score.h"
#include "scratch.h"

enum { TABLES = 24 };

/* Few and many states, weights, columns beyond the reach of bits. */
static struct bestdag_table *draw_table(struct bestdag_run *run, uint64_t seed)
{
    static const int most[] = {2, 4, 9, 70, 300};
    struct random_table how = {.seed = seed,
                               .columns = 3 + (int)(seed % 9),
                               .most = most[seed % 5],
                               .rows = seed % 7 ? 0 : 3000,
                               .constant = seed % 3 == 0,
                               .weights = seed % 4 ? 0 : 3};
    return random_table(run, how);
}

static void write_prior(struct bestdag_run *run, const struct bestdag_table *t,
                        const char *path)
{
    struct bestdag_options *o = bestdag_options_new(run);
    struct bestdag_network *bare = bestdag_network_new(run, t);
    bestdag_network_set_parents(run, bare, 1, (int[]){0}, 1);
    bestdag_options_set(run, o, "fit.pseudo", "0.7");
    struct bestdag_network *net = bestdag_network_fit(run, bare, t, o);
    bestdag_network_write(run, net, path);
    bestdag_network_free(net);
    bestdag_network_free(bare);
    bestdag_options_free(o);
}

static struct bestdag_scorer *make_scorer(struct bestdag_run *run,
                                          const struct bestdag_table *t,
                                          const struct bestdag_score_type *type,
                                          const char *prior)
{
    struct bestdag_options *o = bestdag_options_new(run);
    bestdag_options_set(run, o, "score", type->name);
    bestdag_options_set(run, o, "structure-prior", "arcs:0.75");
    if (!strcmp(type->name, "bde")) {
        write_prior(run, t, prior);
        bestdag_options_set(run, o, "prior", prior);
    }
    struct bestdag_scorer *s = bestdag_scorer_new(run, t, o);
    bestdag_options_free(o);
    assert_fine(run);
    return s;
}

static void same_family(const struct bestdag_family *got,
                        const struct bestdag_family *want)
{
    assert_true(got->score == want->score);
    assert_true(got->likelihood == want->likelihood);
    assert_true(got->parents_joint == want->parents_joint);
    assert_true(got->configurations == want->configurations);
    assert_true(got->cells == want->cells);
}

static void try_pairs(struct bestdag_run *run, const struct bestdag_scorer *s)
{
    struct bestdag_scorer_scratch *a = bestdag_scorer_scratch_new(run, s);
    struct bestdag_scorer_scratch *b = bestdag_scorer_scratch_new(run, s);
    struct bestdag_pairwise *p = bestdag_pairwise_new(run, s, a);
    for (int child = 0; child < s->n; child++) {
        const struct bestdag_family *row = bestdag_pairwise_score(p, child);
        struct bestdag_family want;
        for (int v = 0; v < s->n; v++) {
            if (v == child)
                continue;
            bestdag_scorer_family(s, b, child, &v, 1, &want);
            same_family(&row[v], &want);
        }
        int some = (child + 1) % s->n;
        row = bestdag_pairwise_score_some(p, child, &some, 1);
        bestdag_scorer_family(s, b, child, &some, 1, &want);
        same_family(&row[some], &want);
    }
    bestdag_pairwise_free(p);
    bestdag_scorer_scratch_free(a);
    bestdag_scorer_scratch_free(b);
}

/* A random order of the variables: the child, the base, the one that is
 * added. */
static int draw_order(struct bestdag_random *r, int n, int *order)
{
    for (int i = 0; i < n; i++) {
        int j = (int)bestdag_random_below(r, (uint64_t)i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    return 1 + (int)bestdag_random_below(r, (uint64_t)n - 2);
}

static void try_growing(struct bestdag_run *run, const struct bestdag_scorer *s,
                        uint64_t seed)
{
    struct bestdag_random r = bestdag_random_init(seed, 9);
    struct bestdag_scorer_scratch *a = bestdag_scorer_scratch_new(run, s);
    struct bestdag_scorer_scratch *b = bestdag_scorer_scratch_new(run, s);
    struct bestdag_distinct *d = bestdag_distinct_new(run, s->table);
    struct bestdag_extended_counts *x =
        bestdag_extended_counts_new(run, s->columns, d, 1 << 14);
    for (int i = 0; i < 60; i++) {
        int order[16];
        int count = draw_order(&r, s->n, order);
        struct bestdag_family got, want;
        struct bestdag_extended set = {.base = order + 1,
                                       .count = count,
                                       .added = order[count + 1],
                                       .child = order[0]};
        for (int k = 1; k <= count; k++)
            set.hash ^= bestdag_mix((uint64_t)order[k] + 1);
        bestdag_scorer_grow(s, a, x, &set, &got);
        bestdag_scorer_family(s, b, order[0], order + 1, count + 1, &want);
        same_family(&got, &want);
    }
    bestdag_extended_counts_free(x);
    bestdag_distinct_free(d);
    bestdag_scorer_scratch_free(a);
    bestdag_scorer_scratch_free(b);
}

static void over_all_scores(void (*try)(struct bestdag_run *,
                                        const struct bestdag_scorer *,
                                        uint64_t))
{
    const char *folder = scratch_make();
    struct bestdag_run *run = bestdag_run_new();
    const struct bestdag_score_type *type;
    for (uint64_t seed = 1; seed <= TABLES; seed++) {
        print_message("seed %d\n", (int)seed);
        struct bestdag_table *t = draw_table(run, seed);
        for (int i = 0; (type = bestdag_score_at(i)); i++) {
            if (!bestdag_score_takes(type, t))
                continue; /* test_gaussian.c */
            if (!strcmp(type->name, "bde") && seed % 5 > 1)
                continue; /* its tables have all cells of all states */
            struct bestdag_scorer *s =
                make_scorer(run, t, type, scratch_path(folder, "prior.json"));
            try(run, s, seed);
            assert_fine(run);
            bestdag_scorer_free(s);
        }
        bestdag_table_free(t);
    }
    scratch_files(folder, true);
    scratch_end(run);
}

static void pairs(struct bestdag_run *run, const struct bestdag_scorer *s,
                  uint64_t seed)
{
    (void)seed;
    try_pairs(run, s);
}

static void all_parents_at_once_score_what_one_does(void **state)
{
    (void)state;
    over_all_scores(pairs);
}

static void a_grown_set_scores_what_a_set_does(void **state)
{
    (void)state;
    over_all_scores(try_growing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_parents_at_once_score_what_one_does),
        cmocka_unit_test(a_grown_set_scores_what_a_set_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
