/* SPDX-License-Identifier: MIT */
/* Lists of bic-g, aic-g and bge on 10 to 12 columns, where leaps and bounds
 * leaves out whole branches, against all subsets; families that are made many
 * at once against one at a time; what independence selection lacks. */
#include "scratch.h"

#include <math.h>

#include "parents/parents.h"
#include "random_numbers.h"
#include "scores/score.h"

enum { COLUMNS = 12 };

struct lists_case {
    struct random_numbers how;
    const char *score, *limit, *prior;
};

static struct bestdag_options *settings(struct bestdag_run *run,
                                        const struct lists_case *c)
{
    struct bestdag_options *o = bestdag_options_new(run);
    bestdag_options_set(run, o, "score", c->score);
    if (c->prior)
        bestdag_options_set(run, o, "structure-prior", c->prior);
    return o;
}

static int members(unsigned mask, int *to)
{
    int count = 0;
    for (int v = 0; v < COLUMNS; v++)
        if (mask >> v & 1)
            to[count++] = v;
    return count;
}

static unsigned mask_of(const struct bestdag_list *l, int64_t i)
{
    unsigned mask = 0;
    for (int64_t at = l->start[i]; at < l->start[i + 1]; at++)
        mask |= 1u << l->member[at];
    return mask;
}

/* Exactly the sets of up to `limit` parents that score above their subsets. */
static void check_list(struct bestdag_run *run, const struct bestdag_scorer *s,
                       int child, const struct bestdag_list *l, int limit)
{
    static double best[1 << COLUMNS], own[1 << COLUMNS];
    int64_t undominated = 0;
    struct bestdag_scorer_scratch *scratch = bestdag_scorer_scratch_new(run, s);
    for (unsigned mask = 0; mask < 1u << s->n; mask++) {
        int set[COLUMNS], count = members(mask, set);
        struct bestdag_family f;
        best[mask] = own[mask] = -INFINITY;
        if (mask >> child & 1 || count > limit)
            continue;
        for (int i = 0; i < count; i++)
            best[mask] = fmax(best[mask], best[mask ^ 1u << set[i]]);
        bestdag_scorer_family(s, scratch, child, set, count, &f);
        double score = bestdag_scorer_nats(s, f.score);
        if (f.score < BESTDAG_NO_PARAMETERS || !(score > best[mask]))
            continue;
        best[mask] = own[mask] = score;
        undominated++;
    }
    assert_int_equal(l->count, undominated);
    for (int64_t i = 0; i < l->count; i++)
        assert_true(l->score[i] == own[mask_of(l, i)]);
    bestdag_scorer_scratch_free(scratch);
}

static void long_lists_lack_nothing(void **state)
{
    (void)state;
    static const struct lists_case cases[] = {
        {{.numbers = 10, .rows = 100, .parts = .3}, "bic-g", NULL, NULL},
        {{.numbers = 11, .rows = 60, .parts = .6}, "aic-g", NULL, NULL},
        {{.numbers = 12, .rows = 400, .parts = .25}, "bic-g", NULL, NULL},
        {{.numbers = 12, .rows = 150, .parts = .5}, "bic-g", "3", NULL},
        {{.numbers = 11, .rows = 80, .parts = .4}, "aic-g", "1", NULL},
        {{.numbers = 11, .rows = 90, .parts = .5}, "bic-g", "5", "arcs:1.5"},
        {{.numbers = 10, .rows = 120, .parts = .7}, "bic-g", NULL, "arcs:3"},
        {{.numbers = 10, .rows = 100, .parts = .3}, "bge", NULL, NULL},
        {{.numbers = 12, .rows = 300, .parts = .3}, "bge", NULL, NULL},
        {{.numbers = 11, .rows = 40, .parts = .5}, "bge", NULL, "arcs:1"},
        {{.numbers = 10, .rows = 6, .parts = .4}, "bge", NULL, NULL},
        {{.numbers = 12, .rows = 80, .parts = .4}, "bge", "4", NULL},
        {{.numbers = 10, .rows = 90, .parts = .3, .near = .003},
         "bic-g",
         NULL,
         NULL},
        {{.numbers = 10, .rows = 90, .parts = .3, .near = 1e-4},
         "bge",
         NULL,
         NULL}};
    struct bestdag_run *run = bestdag_run_new();
    int bounded = 0; /* else by all sets: columns nearly determine each other */
    for (uint64_t seed = 1; seed <= 3; seed++)
        for (int i = 0; i < COUNT(cases); i++) {
            struct lists_case c = cases[i];
            c.how.seed = 1000 * seed + (uint64_t)i;
            print_message("seed %d\n", (int)c.how.seed);
            struct bestdag_table *t = random_numbers(run, c.how);
            struct bestdag_options *o = settings(run, &c);
            struct bestdag_scorer *s = bestdag_scorer_new(run, t, o);
            bestdag_options_set(run, o, "parents", "sequential");
            if (c.limit)
                bestdag_options_set(run, o, "max-parents", c.limit);
            struct bestdag_sets *sets = bestdag_sets_find(run, t, NULL, o);
            assert_fine(run);
            bounded += s->type->families->can_list(s);
            for (int v = 0; v < s->n; v++)
                check_list(run, s, v, &sets->list[v],
                           c.limit ? atoi(c.limit) : COLUMNS);
            bestdag_sets_free(sets);
            bestdag_scorer_free(s);
            bestdag_options_free(o);
            bestdag_table_free(t);
        }
    assert_true(bounded > 2 * COUNT(cases));
    bestdag_run_free(run);
}

/* ---- independence selection ---------------------------------------------- */

static bool is_listed(const struct bestdag_list *l, unsigned mask)
{
    for (int64_t i = 0; i < l->count; i++)
        if (mask_of(l, i) == mask)
            return true;
    return false;
}

/* What lacks is not above the ceiling. */
static void check_ceiling(struct bestdag_run *run,
                          const struct bestdag_scorer *s, int child,
                          const struct bestdag_list *l)
{
    static double best[1 << COLUMNS];
    struct bestdag_scorer_scratch *scratch = bestdag_scorer_scratch_new(run, s);
    for (unsigned mask = 0; mask < 1u << s->n; mask++) {
        int set[COLUMNS], count = members(mask, set);
        struct bestdag_family f;
        best[mask] = -INFINITY;
        if (mask >> child & 1)
            continue;
        for (int i = 0; i < count; i++)
            best[mask] = fmax(best[mask], best[mask ^ 1u << set[i]]);
        bestdag_scorer_family(s, scratch, child, set, count, &f);
        double score = bestdag_scorer_nats(s, f.score);
        if (f.score < BESTDAG_NO_PARAMETERS || !(score > best[mask]))
            continue;
        best[mask] = score;
        if (score > l->ceiling)
            assert_true(is_listed(l, mask));
    }
    bestdag_scorer_scratch_free(scratch);
}

/* Cut short the ceilings hold; else the lists are complete. */
static void selection_says_what_it_lacks(void **state)
{
    (void)state;
    static const double efforts[] = {.00005, .0001, .0002, .0005,
                                     .002,   .01,   .05,   5};
    static const char *const scores[] = {"bic-g", "aic-g", "bge", "ll-g"};
    struct bestdag_run *run = bestdag_run_new();
    int cut = 0, complete = 0;
    for (uint64_t seed = 1; seed <= 3; seed++)
        for (int i = 0; i < COUNT(efforts) * COUNT(scores); i++) {
            struct lists_case c = {
                {.seed = 50 + seed, .numbers = 9, .rows = 60, .parts = .35},
                scores[i % COUNT(scores)],
                NULL,
                NULL};
            struct bestdag_table *t = random_numbers(run, c.how);
            struct bestdag_options *o = settings(run, &c);
            struct bestdag_scorer *s = bestdag_scorer_new(run, t, o);
            bestdag_options_set(run, o, "parents", "independence");
            run->effort = efforts[i / COUNT(scores)];
            struct bestdag_sets *sets = bestdag_sets_find(run, t, NULL, o);
            assert_fine(run);
            for (int v = 0; v < s->n; v++) {
                const struct bestdag_list *l = &sets->list[v];
                check_ceiling(run, s, v, l);
                cut += isfinite(l->ceiling);
                complete += isinf(l->ceiling) && l->ceiling < 0;
                if (isinf(l->ceiling) && l->ceiling < 0)
                    check_list(run, s, v, l, COLUMNS);
            }
            bestdag_sets_free(sets);
            bestdag_scorer_free(s);
            bestdag_options_free(o);
            bestdag_table_free(t);
        }
    print_message("%d cut, %d complete\n", cut, complete);
    assert_true(cut > 50 && complete > 50);
    bestdag_run_free(run);
}

/* ---- many at once -------------------------------------------------------- */

static bool are_same(const struct bestdag_family *a,
                     const struct bestdag_family *b)
{
    return a->score == b->score && a->likelihood == b->likelihood &&
           a->parents_joint == b->parents_joint &&
           a->configurations == b->configurations && a->cells == b->cells;
}

/* A random set and child, and all others as a parent more. */
static void check_added(struct bestdag_run *run, const struct bestdag_scorer *s,
                        struct bestdag_random *r, int most)
{
    int set[32], larger[32], added[32], count = 0;
    int child = (int)bestdag_random_below(r, (uint64_t)s->n);
    double part = bestdag_random_unit(r);
    struct bestdag_added_families ask = {
        .child = child, .parents = set, .added = added};
    struct bestdag_family got[32], want;
    for (int v = 0; v < s->n; v++)
        if (v == child)
            continue;
        else if (count < most && bestdag_random_unit(r) < part)
            set[count++] = v;
        else
            added[ask.many++] = v;
    ask.count = count;
    struct bestdag_scorer_scratch *one = bestdag_scorer_scratch_new(run, s);
    struct bestdag_scorer_scratch *many = bestdag_scorer_scratch_new(run, s);
    assert_int_equal(bestdag_scorer_add_each(s, many, &ask, got), BESTDAG_OK);
    for (int i = 0; i < ask.many; i++) {
        memcpy(larger, set, sizeof set);
        larger[count] = added[i];
        bestdag_scorer_family(s, one, child, larger, count + 1, &want);
        if (!are_same(&got[i], &want))
            fail_msg("child %d, %d parents and %d: %lld, alone %lld", child,
                     count, added[i], (long long)got[i].score,
                     (long long)want.score);
    }
    bestdag_scorer_scratch_free(one);
    bestdag_scorer_scratch_free(many);
}

static void families_added_at_once_are_the_same(void **state)
{
    (void)state;
    static const char *const scores[] = {"bic-g", "aic-g", "ll-g", "bge"};
    static const struct random_numbers tables[] = {
        {.numbers = 30, .rows = 200, .parts = .2},
        {.numbers = 30, .rows = 12, .parts = .3}, /* singular by rows */
        {.numbers = 25, .rows = 90, .parts = .4, .twice = true},
        {.numbers = 28, .rows = 150, .parts = .5, .weights = 3},
        {.numbers = 24, .rows = 200, .parts = .3, .near = 1e-4},
        {.numbers = 24, .rows = 200, .parts = .3, .weights = 2, .near = 8e-6},
        {.numbers = 20, .rows = 50, .parts = .3, .constant = true}};
    struct bestdag_run *run = bestdag_run_new();
    for (int i = 0; i < COUNT(tables); i++)
        for (int k = 0; k < COUNT(scores); k++) {
            struct random_numbers how = tables[i];
            how.seed = 31 + (uint64_t)i;
            struct bestdag_random r = bestdag_random_init(how.seed, 9);
            struct bestdag_table *t = random_numbers(run, how);
            struct lists_case c = {.score = scores[k]};
            struct bestdag_options *o = settings(run, &c);
            struct bestdag_scorer *s = bestdag_scorer_new(run, t, o);
            assert_fine(run);
            assert_true(bestdag_scorer_can_add(s));
            for (int trial = 0; trial < 60; trial++)
                check_added(run, s, &r, trial % 3 ? 6 : 25);
            bestdag_scorer_free(s);
            bestdag_options_free(o);
            bestdag_table_free(t);
        }
    assert_fine(run);
    bestdag_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_lists_lack_nothing),
        cmocka_unit_test(selection_says_what_it_lacks),
        cmocka_unit_test(families_added_at_once_are_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
