/* SPDX-License-Identifier: MIT */
/* Scores of tables with numbers: every family against plain least squares (a
 * Householder QR of the rows themselves, in long double), the lists against all
 * subsets, equivalence over covered arcs, singular families. */
#include "scratch.h"

#include <math.h>

#include "parents/parents.h"
#include "plain_regression.h"
#include "random_numbers.h"
#include "scores/score.h"

/* ---- families -------------------------------------------------------------
 */

static struct bestdag_options *settings(struct bestdag_run *run,
                                        const char *score)
{
    struct bestdag_options *o = bestdag_options_new(run);
    bestdag_options_set(run, o, "score", score);
    return o;
}

static struct bestdag_scorer *scorer_of(struct bestdag_run *run,
                                        const struct bestdag_table *t,
                                        const char *score)
{
    struct bestdag_options *o = settings(run, score);
    struct bestdag_scorer *s = bestdag_scorer_new(run, t, o);
    bestdag_options_free(o);
    assert_fine(run);
    return s;
}

static int members(unsigned mask, int *to)
{
    int count = 0;
    for (int v = 0; v < MOST; v++)
        if (mask >> v & 1)
            to[count++] = v;
    return count;
}

static void shuffle(struct bestdag_random *r, int *at, int count)
{
    for (int i = count - 1; i > 0; i--) {
        int j = (int)bestdag_random_below(r, (uint64_t)i + 1), swap = at[i];
        at[i] = at[j];
        at[j] = swap;
    }
}

static void compare(double got, double want, int child, unsigned mask)
{
    bool same = isinf(want) ? isinf(got) && got < 0
                            : fabs(got - want) <= 2e-8 * (1 + fabs(want));
    if (!same)
        fail_msg("child %d, parents %x: got %.12g, expected %.12g", child, mask,
                 got, want);
}

/* All families, in an order of their own, with shuffled parents and one scratch
 * for all, against plain ones; the second time round the bits are the same. */
static void check_families(struct bestdag_run *run,
                           const struct bestdag_scorer *s, uint64_t seed)
{
    struct bestdag_random r = bestdag_random_init(seed, 5);
    struct bestdag_scorer_scratch *scratch = bestdag_scorer_scratch_new(run, s);
    for (int i = 0; i < s->n << s->n; i++) {
        uint64_t pick = (uint64_t)i * 2654435761u % (uint64_t)(s->n << s->n);
        int child = (int)pick % s->n, set[MOST], shuffled[MOST];
        unsigned mask = (unsigned)(pick / (uint64_t)s->n);
        struct bestdag_family f, again;
        double exact;
        if (mask >> child & 1)
            continue;
        int count = members(mask, set);
        memcpy(shuffled, set, sizeof set);
        shuffle(&r, shuffled, count);
        bestdag_scorer_family(s, scratch, child, shuffled, count, &f);
        struct bestdag_scorer_scratch *fresh =
            bestdag_scorer_scratch_new(run, s);
        bestdag_scorer_family(s, fresh, child, set, count, &again);
        bestdag_scorer_scratch_free(fresh);
        assert_true(f.score == again.score);
        assert_true(f.likelihood == again.likelihood);
        bestdag_scorer_exact(run, s, child, set, count, &exact);
        double want = plain(s, child, set, count);
        double got = f.score < BESTDAG_NO_PARAMETERS
                         ? -INFINITY
                         : bestdag_scorer_nats(s, f.score);
        compare(got, want, child, mask);
        compare(exact, want, child, mask);
        if (s->pruning == BESTDAG_PRUNE_PENALTY && !isinf(got))
            assert_true(f.likelihood <= 0);
    }
    bestdag_scorer_scratch_free(scratch);
    assert_fine(run);
}

static const struct random_numbers TABLES[] = {
    {.numbers = 7, .rows = 60, .parts = .5},
    {.numbers = 7, .rows = 200, .parts = .3, .weights = 3},
    {.numbers = 7, .rows = 6, .parts = .5}, /* fewer rows than parents */
    {.numbers = 6, .rows = 40, .parts = .5, .twice = true},
    {.numbers = 4, .states = 3, .rows = 150, .parts = .5},
    {.numbers = 3, .states = 4, .rows = 300, .parts = .6, .weights = 2},
    {.numbers = 3, .states = 3, .rows = 30, .parts = .6}}; /* few per joint
                                                              state */

static void families_are_least_squares(void **state)
{
    (void)state;
    static const char *const g[] = {"bic-g", "aic-g", "ll-g"}, *const cg[] = {
                                                                   "bic-cg",
                                                                   "aic-cg",
                                                                   "ll-cg"};
    struct bestdag_run *run = bestdag_run_new();
    for (uint64_t seed = 1; seed <= 3; seed++)
        for (int i = 0; i < COUNT(TABLES); i++) {
            struct random_numbers how = TABLES[i];
            how.seed = 10 * seed + (uint64_t)i;
            print_message("seed %d\n", (int)how.seed);
            struct bestdag_table *t = random_numbers(run, how);
            for (int k = 0; k < 3; k++) {
                struct bestdag_scorer *s = scorer_of(run, t, cg[k]);
                check_families(run, s, seed);
                bestdag_scorer_free(s);
                if (how.states)
                    continue;
                s = scorer_of(run, t, g[k]);
                check_families(run, s, seed);
                bestdag_scorer_free(s);
            }
            bestdag_table_free(t);
        }
    bestdag_run_free(run);
}

static void bge_is_a_quotient_of_sets(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct random_numbers how = {.seed = seed,
                                     .numbers = 6,
                                     .rows = 4 + 20 * (int)seed,
                                     .weights = seed % 3 ? 0 : 2,
                                     .parts = .5};
        struct bestdag_table *t = random_numbers(run, how);
        struct bestdag_options *o = settings(run, "bge");
        double mu = seed % 2 ? 1 : 2.5, w = seed % 2 ? 8 : 11.5;
        bestdag_options_set(run, o, "iss-mu", seed % 2 ? "1" : "2.5");
        if (seed % 2 == 0)
            bestdag_options_set(run, o, "iss-w", "11.5");
        struct bestdag_scorer *s = bestdag_scorer_new(run, t, o);
        struct bestdag_scorer_scratch *scratch =
            bestdag_scorer_scratch_new(run, s);
        for (unsigned mask = 0; mask < 64; mask++)
            for (int child = 0; child < 6; child++) {
                int set[MOST], count = members(mask, set);
                struct bestdag_family f;
                double exact;
                if (mask >> child & 1)
                    continue;
                double want = -bge_of_set(t, set, count, mu, w);
                bestdag_scorer_family(s, scratch, child, set, count, &f);
                bestdag_scorer_exact(run, s, child, set, count, &exact);
                set[count] = child;
                want += bge_of_set(t, set, count + 1, mu, w);
                compare(bestdag_scorer_nats(s, f.score), want, child, mask);
                compare(exact, want, child, mask);
            }
        bestdag_scorer_scratch_free(scratch);
        bestdag_scorer_free(s);
        bestdag_options_free(o);
        bestdag_table_free(t);
    }
    assert_fine(run);
    bestdag_run_free(run);
}

/* Turning a covered arc, X -> Y with the parents of Y those of X and X, changes
 * no score. */
static void covered_arcs_turn_freely(void **state)
{
    (void)state;
    static const char *const scores[] = {"bic-g", "aic-g", "ll-g", "bge"};
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = random_numbers(
        run, (struct random_numbers){
                 .seed = 4, .numbers = 7, .rows = 80, .parts = .5});
    for (int k = 0; k < COUNT(scores); k++) {
        struct bestdag_scorer *s = scorer_of(run, t, scores[k]);
        assert_true(s->type->equivalent);
        for (unsigned mask = 0; mask < 128; mask++)
            for (int x = 0; x < 7; x++)
                for (int y = 0; y < x; y++) {
                    int set[MOST], count = members(mask, set);
                    double a, b, c, d;
                    if (mask >> x & 1 || mask >> y & 1)
                        continue;
                    bestdag_scorer_exact(run, s, x, set, count, &a);
                    bestdag_scorer_exact(run, s, y, set, count, &b);
                    set[count] = x;
                    bestdag_scorer_exact(run, s, y, set, count + 1, &c);
                    set[count] = y;
                    bestdag_scorer_exact(run, s, x, set, count + 1, &d);
                    assert_true(fabs(a + c - b - d) <= 1e-8 * fabs(a + c));
                }
        bestdag_scorer_free(s);
    }
    bestdag_table_free(t);
    bestdag_run_free(run);
}

/* ---- lists ----------------------------------------------------------------
 */

/* The list of a child has exactly the sets that score above their subsets. */
static void check_list(struct bestdag_run *run, const struct bestdag_scorer *s,
                       int child, const struct bestdag_list *l)
{
    double best[1 << MOST];
    int64_t undominated = 0;
    struct bestdag_scorer_scratch *scratch = bestdag_scorer_scratch_new(run, s);
    for (unsigned mask = 0; mask < 1u << s->n; mask++) {
        int set[MOST], count = members(mask, set);
        struct bestdag_family f;
        best[mask] = -INFINITY;
        if (mask >> child & 1)
            continue;
        for (int i = 0; i < count; i++)
            best[mask] = fmax(best[mask], best[mask ^ 1u << set[i]]);
        bestdag_scorer_family(s, scratch, child, set, count, &f);
        double own = bestdag_scorer_nats(s, f.score);
        if (f.score < BESTDAG_NO_PARAMETERS || !(own > best[mask]))
            continue;
        best[mask] = own;
        undominated++;
        int64_t at = 0;
        for (; at < l->count; at++)
            if (l->start[at + 1] - l->start[at] == count &&
                (!count || !memcmp(l->member + l->start[at], set,
                                   (size_t)count * sizeof *set)))
                break;
        assert_true(at < l->count);
        assert_true(l->score[at] == own);
    }
    assert_int_equal(l->count, undominated);
    assert_true(isinf(l->ceiling) && l->ceiling < 0);
    bestdag_scorer_scratch_free(scratch);
}

static void lists_lack_nothing(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const struct bestdag_score_type *type;
    for (uint64_t seed = 1; seed <= 4; seed++)
        for (int i = 0; i < COUNT(TABLES); i++) {
            struct random_numbers how = TABLES[i];
            how.seed = 100 * seed + (uint64_t)i;
            struct bestdag_table *t = random_numbers(run, how);
            print_message("seed %d\n", (int)how.seed);
            for (int k = 0; (type = bestdag_score_at(k)); k++) {
                if (!bestdag_score_takes(type, t))
                    continue;
                struct bestdag_options *o = settings(run, type->name);
                bestdag_options_set(run, o, "parents", "sequential");
                struct bestdag_scorer *s = scorer_of(run, t, type->name);
                struct bestdag_sets *sets = bestdag_sets_find(run, t, NULL, o);
                assert_fine(run);
                for (int v = 0; v < s->n; v++)
                    check_list(run, s, v, &sets->list[v]);
                bestdag_sets_free(sets);
                bestdag_scorer_free(s);
                bestdag_options_free(o);
            }
            bestdag_table_free(t);
        }
    bestdag_run_free(run);
}

/* The other strategies' lists hold true scores, and their ceilings hold. */
static void ceilings_hold(void **state)
{
    (void)state;
    static const char *const ways[] = {"independence", "greedy"};
    struct bestdag_run *run = bestdag_run_new();
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct bestdag_table *t = random_numbers(
            run, (struct random_numbers){
                     .seed = seed, .numbers = MOST, .rows = 100, .parts = .5});
        for (int k = 0; k < COUNT(ways); k++) {
            struct bestdag_options *o = settings(run, "bic-g");
            bestdag_options_set(run, o, "parents", ways[k]);
            bestdag_options_set(run, o, "candidates", "5");
            struct bestdag_scorer *s = scorer_of(run, t, "bic-g");
            assert_int_equal(s->pruning, BESTDAG_PRUNE_PENALTY);
            struct bestdag_sets *sets = bestdag_sets_find(run, t, NULL, o);
            assert_fine(run);
            for (int v = 0; v < MOST; v++) {
                const struct bestdag_list *l = &sets->list[v];
                double best = l->score[0], all = -INFINITY;
                for (unsigned mask = 0; mask < 1u << MOST; mask++) {
                    int set[MOST], count = members(mask, set);
                    double exact;
                    if (mask >> v & 1)
                        continue;
                    bestdag_scorer_exact(run, s, v, set, count, &exact);
                    all = fmax(all, exact);
                }
                assert_true(isfinite(l->ceiling));
                assert_true(fmax(best, l->ceiling) >= all - 1e-6);
            }
            bestdag_sets_free(sets);
            bestdag_scorer_free(s);
            bestdag_options_free(o);
        }
        bestdag_table_free(t);
    }
    bestdag_run_free(run);
}

/* ---- odd tables -----------------------------------------------------------
 */

static void bad_numbers_are_named(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    double x[] = {1, 2, 3, 4}, y[] = {1, 2, 3, NAN};
    struct bestdag_table *t = bestdag_table_new(run, 4);
    bestdag_table_add_numbers(run, t, "X", x);
    ((double *)t->column[0].cells)[2] = INFINITY;
    struct bestdag_options *o = settings(run, "bic-g");
    assert_null(bestdag_scorer_new(run, t, o));
    assert_failed(run, BESTDAG_INPUT,
                  "column 'X', row 3: inf is not a finite number");
    bestdag_table_free(t);
    t = bestdag_table_new(run, 4);
    bestdag_table_add_numbers(run, t, "Y", y);
    assert_null(bestdag_scorer_new(run, t, o));
    assert_failed(run, BESTDAG_INPUT, "missing");
    bestdag_table_free(t);
    t = random_numbers(run,
                       (struct random_numbers){
                           .seed = 1, .numbers = 2, .states = 1, .rows = 20});
    assert_null(bestdag_scorer_new(run, t, o));
    assert_failed(run, BESTDAG_INPUT, "column 'S1' holds states");
    bestdag_options_set(run, o, "score", "bic");
    assert_null(bestdag_scorer_new(run, t, o));
    assert_failed(run, BESTDAG_INPUT, "numbers");
    bestdag_table_free(t);
    bestdag_options_free(o);
    bestdag_run_free(run);
}

static void constant_columns_get_no_arcs(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct random_numbers how = {
        .seed = 3, .numbers = 4, .rows = 30, .constant = true};
    struct bestdag_table *t = random_numbers(run, how);
    struct bestdag_options *o = settings(run, "bic-g");
    struct bestdag_sets *sets = bestdag_sets_find(run, t, NULL, o);
    assert_fine(run);
    assert_int_equal(sets->list[3].count, 1);
    assert_true(sets->list[3].score[0] == 0);
    for (int v = 0; v < 3; v++)
        for (int64_t i = 0; i < sets->list[v].start[sets->list[v].count]; i++)
            assert_int_not_equal(sets->list[v].member[i], 3);
    bestdag_sets_free(sets);
    bestdag_options_free(o);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

/* Units and location of a column do not matter to its parents. */
static void units_do_not_matter(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct random_numbers how = {
        .seed = 9, .numbers = 5, .rows = 50, .parts = .6};
    struct bestdag_table *a = random_numbers(run, how),
                         *b = random_numbers(run, how);
    static const double scale[] = {1e-200, 1e150, 3, 1e-6, 1},
                        shift[] = {0, 0, 1e6, 0, -50};
    for (int v = 0; v < 5; v++)
        for (int64_t r = 0; r < b->rows; r++) {
            double *x = (double *)b->column[v].cells + r;
            *x = scale[v] * *x + shift[v];
        }
    struct bestdag_scorer *s = scorer_of(run, a, "ll-g"),
                          *u = scorer_of(run, b, "ll-g");
    for (unsigned mask = 0; mask < 32; mask++)
        for (int child = 0; child < 5; child++) {
            int set[MOST], count = members(mask, set);
            double x, y;
            if (mask >> child & 1)
                continue;
            bestdag_scorer_exact(run, s, child, set, count, &x);
            bestdag_scorer_exact(run, u, child, set, count, &y);
            double want = x - 50 * log(scale[child]);
            assert_true(fabs(y - want) < 1e-4);
        }
    bestdag_scorer_free(s);
    bestdag_scorer_free(u);
    bestdag_table_free(a);
    bestdag_table_free(b);
    bestdag_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(families_are_least_squares),
        cmocka_unit_test(bge_is_a_quotient_of_sets),
        cmocka_unit_test(covered_arcs_turn_freely),
        cmocka_unit_test(lists_lack_nothing),
        cmocka_unit_test(ceilings_hold),
        cmocka_unit_test(bad_numbers_are_named),
        cmocka_unit_test(constant_columns_get_no_arcs),
        cmocka_unit_test(units_do_not_matter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
