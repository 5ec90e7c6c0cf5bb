/* SPDX-License-Identifier: MIT */
/* Sequential: against full enumeration, for every score and rule. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/row.h"
#include "parents/exhaustive/sequential.h"
#include "random_table.h"
#include "scores/score.h"

enum { MOST = 8 };

static const char *const scores[] = {
    "bic",        "aic",           "ll",           "k2",
    "bdeu",       "mit",           "bd pseudo=.4", "bdeu ess=9",
    "bic arcs:2", "bdeu arcs:0.7", "k2 arcs:1"};
enum { SCORES = sizeof scores / sizeof *scores };

static struct bestdag_scorer *scorer_of(struct bestdag_run *run,
                                        const struct bestdag_table *t,
                                        const char *text)
{
    struct bestdag_options *o = bestdag_options_new(run);
    char copy[64], *save = NULL;
    snprintf(copy, sizeof copy, "%s", text);
    bestdag_options_set(run, o, "score", strtok_r(copy, " ", &save));
    for (char *w; (w = strtok_r(NULL, " ", &save));) {
        char *value = strchr(w, '=');
        if (value)
            *value++ = 0;
        bestdag_options_set(run, o, value ? w : "structure-prior",
                            value ? value : w);
    }
    struct bestdag_scorer *s = bestdag_scorer_new(run, t, o);
    bestdag_options_free(o);
    assert_string_equal(bestdag_run_error(run), "");
    return s;
}

static void sets_init(struct bestdag_run *run, struct bestdag_sets *s, int n)
{
    *s = (struct bestdag_sets){.n = n};
    s->list = bestdag_calloc(run, (size_t)n, sizeof *s->list);
}

static void sets_release(struct bestdag_sets *s)
{
    for (int i = 0; s->list && i < s->n; i++) {
        bestdag_free(s->list[i].score);
        bestdag_free(s->list[i].start);
        bestdag_free(s->list[i].member);
    }
    bestdag_free(s->list);
}

static unsigned mask_of(const struct bestdag_list *l, int64_t i)
{
    unsigned mask = 0;
    for (int64_t m = l->start[i]; m < l->start[i + 1]; m++)
        mask |= 1u << l->member[m];
    return mask;
}

/* Scores of all sets of a child, by mask. */
static void all_scores(const struct bestdag_scorer *s,
                       struct bestdag_scorer_scratch *scratch, int child,
                       double *to)
{
    for (unsigned mask = 0; mask < 1u << s->n; mask++) {
        int parents[MOST], count = 0;
        struct bestdag_family f;
        if (mask >> child & 1)
            continue;
        for (int p = 0; p < s->n; p++)
            if (mask >> p & 1)
                parents[count++] = p;
        bestdag_scorer_family(s, scratch, child, parents, count, &f);
        to[mask] = bestdag_scorer_nats(s, f.score);
    }
}

static bool fits(const struct bestdag_scorer *s, unsigned mask, int most)
{
    if (most >= 0 && __builtin_popcount(mask) > most)
        return false;
    for (int v = 0; v < s->n; v++)
        if (mask >> v & 1 && s->states[v] < 2)
            return false;
    return true;
}

/* Every entry has its true score, entries are sorted and not dominated, and for
 * every set of possible parents the best inside is in the list. */
static void check_list(const struct bestdag_scorer *s,
                       struct bestdag_scorer_scratch *scratch, int child,
                       const struct bestdag_list *l, unsigned universe,
                       int most)
{
    double all[1 << MOST], slack = 1e-9 * (1 + (double)s->total);
    all_scores(s, scratch, child, all);
    assert_true(isinf(l->ceiling) && l->ceiling < 0);
    for (int64_t i = 0; i < l->count; i++) {
        unsigned mask = mask_of(l, i);
        assert_true(fits(s, mask, most) && !(mask & ~universe));
        assert_true(all[mask] == l->score[i]);
        if (i)
            assert_true(l->score[i - 1] >= l->score[i]);
        for (int64_t j = 0; j < i; j++)
            assert_true(mask_of(l, j) & ~mask);
    }
    for (unsigned within = 0; within < 1u << s->n; within++) {
        double best = -INFINITY, found = -INFINITY;
        if (within & ~universe || within >> child & 1)
            continue;
        for (unsigned mask = within;; mask = (mask - 1) & within) {
            if (fits(s, mask, most) && all[mask] > best)
                best = all[mask];
            if (!mask)
                break;
        }
        for (int64_t i = 0; i < l->count && isinf(found); i++)
            if (!(mask_of(l, i) & ~within))
                found = l->score[i];
        if (found < best - slack)
            fail_msg("%s child %d within %x: %.12f, best %.12f", s->type->name,
                     child, within, found, best);
    }
}

static void pruning_never_loses_the_best_set(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    int64_t kept = 0, full = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        struct random_table how = {.seed = seed,
                                   .columns = 4 + (int)(seed % 3),
                                   .most = seed % 5 ? 3 : 6,
                                   .constant = seed % 7 == 0,
                                   .weights = seed % 4 == 0 ? 3 : 0};
        if (seed % 6 == 0)
            how.rows = 1 + (int64_t)(seed / 6 % 5);
        struct bestdag_table *t = random_table(run, how);
        for (int k = (int)(seed % 2); k < SCORES && t->total > 0; k += 2) {
            struct bestdag_scorer *s = scorer_of(run, t, scores[k]);
            struct bestdag_scorer_scratch *scratch =
                bestdag_scorer_scratch_new(run, s);
            struct bestdag_sequential_request job = {
                .prune = true, .max_parents = (int)(seed % 5) - 1};
            struct bestdag_sets sets;
            sets_init(run, &sets, s->n);
            assert_int_equal(bestdag_sequential(run, s, &job, &sets), 0);
            for (int x = 0; x < s->n; x++) {
                check_list(s, scratch, x, &sets.list[x],
                           s->states[x] < 2 ? 0 : ~0u, job.max_parents);
                kept += sets.list[x].count;
                full += 1 << (s->n - 1);
            }
            sets_release(&sets);
            bestdag_scorer_scratch_free(scratch);
            bestdag_scorer_free(s);
        }
        bestdag_table_free(t);
    }
    assert_string_equal(bestdag_run_error(run), "");
    assert_true(kept < full / 2);
    bestdag_run_free(run);
}

static void a_universe_restricts_parents(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct random_table how = {.seed = seed, .columns = 6, .most = 3};
        struct bestdag_random r = bestdag_random_init(seed, 5);
        struct bestdag_table *t = random_table(run, how);
        for (int k = 0; k < SCORES; k += 3) {
            struct bestdag_scorer *s = scorer_of(run, t, scores[k]);
            struct bestdag_scorer_scratch *scratch =
                bestdag_scorer_scratch_new(run, s);
            uint64_t universe[6];
            for (int i = 0; i < 6; i++)
                universe[i] = bestdag_random_below(&r, 64);
            struct bestdag_sequential_request job = {
                .prune = true, .max_parents = -1, .universe = universe};
            struct bestdag_sets sets;
            sets_init(run, &sets, s->n);
            assert_int_equal(bestdag_sequential(run, s, &job, &sets), 0);
            for (int x = 0; x < s->n; x++)
                check_list(s, scratch, x, &sets.list[x], (unsigned)universe[x],
                           -1);
            sets_release(&sets);
            bestdag_scorer_scratch_free(scratch);
            bestdag_scorer_free(s);
        }
        bestdag_table_free(t);
    }
    bestdag_run_free(run);
}

static void without_pruning_every_set_is_kept(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct random_table how = {.seed = seed, .columns = 6, .most = 5};
        struct bestdag_table *t = random_table(run, how);
        for (int k = 0; k < SCORES; k++) {
            struct bestdag_scorer *s = scorer_of(run, t, scores[k]);
            struct bestdag_scorer_scratch *scratch =
                bestdag_scorer_scratch_new(run, s);
            struct bestdag_sequential_request job = {.prune = false,
                                                     .max_parents = 3};
            struct bestdag_sets sets;
            double all[1 << MOST];
            sets_init(run, &sets, s->n);
            assert_int_equal(bestdag_sequential(run, s, &job, &sets), 0);
            for (int x = 0; x < s->n; x++) {
                uint64_t seen = 0;
                assert_int_equal(sets.list[x].count, 1 + 5 + 10 + 10);
                all_scores(s, scratch, x, all);
                for (int64_t i = 0; i < sets.list[x].count; i++) {
                    unsigned mask = mask_of(&sets.list[x], i);
                    assert_false(seen >> mask & 1);
                    seen |= (uint64_t)1 << mask;
                    assert_true(sets.list[x].score[i] == all[mask]);
                }
            }
            sets_release(&sets);
            bestdag_scorer_scratch_free(scratch);
            bestdag_scorer_free(s);
        }
        bestdag_table_free(t);
    }
    bestdag_run_free(run);
}

static bool same_lists(const struct bestdag_list *a,
                       const struct bestdag_list *b)
{
    size_t n = (size_t)a->count;
    return a->count == b->count &&
           !memcmp(a->score, b->score, n * sizeof *a->score) &&
           !memcmp(a->start, b->start, (n + 1) * sizeof *a->start) &&
           !memcmp(a->member, b->member,
                   (size_t)a->start[n] * sizeof *a->member);
}

/* Small tables are pruned so hard that sparse levels take over; 70 columns have
 * packed keys. */
static void threads_do_not_show(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    static const struct {
        int columns, most, parents;
        int64_t rows;
    } shapes[] = {
        {9, 3, -1, 300}, {16, 2, -1, 60}, {70, 3, 2, 200}, {7, 30, 3, 900}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct random_table how = {.seed = 5 + i,
                                   .columns = shapes[i].columns,
                                   .most = shapes[i].most,
                                   .rows = shapes[i].rows};
        struct bestdag_table *t = random_table(run, how);
        for (int k = 0; k < 5; k += 2) {
            struct bestdag_sets sets[3];
            if (!strcmp(scores[k], "ll") && shapes[i].parents < 0)
                continue;
            struct bestdag_scorer *s = scorer_of(run, t, scores[k]);
            struct bestdag_sequential_request job = {
                .prune = true, .max_parents = shapes[i].parents};
            static const char *const threads[] = {"1", "2", "8"};
            for (int j = 0; j < 3; j++) {
                bestdag_run_set(run, "threads", threads[j]);
                sets_init(run, &sets[j], s->n);
                assert_int_equal(bestdag_sequential(run, s, &job, &sets[j]), 0);
                assert_int_equal(sets[j].scored, sets[0].scored);
                for (int x = 0; x < s->n; x++)
                    assert_true(same_lists(&sets[0].list[x], &sets[j].list[x]));
            }
            for (int j = 0; j < 3; j++)
                sets_release(&sets[j]);
            bestdag_scorer_free(s);
        }
        bestdag_table_free(t);
    }
    bestdag_run_free(run);
}

/* The lists of the dense levels are those of the sparse ones. */
static void both_kinds_of_levels_agree(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    for (uint64_t seed = 1; seed <= 8; seed++) {
        int n = 5 + (int)seed * 4;
        struct random_table how = {.seed = seed,
                                   .columns = n,
                                   .most = 2 + (int)seed % 4,
                                   .rows = 60 * (int64_t)seed};
        struct bestdag_table *t = random_table(run, how);
        size_t words = bestdag_row_words(n);
        uint64_t *universe = malloc((size_t)n * words * sizeof *universe);
        memset(universe, 255, (size_t)n * words * sizeof *universe);
        for (int k = 0; k < SCORES; k++) {
            struct bestdag_scorer *s = scorer_of(run, t, scores[k]);
            struct bestdag_sets dense, sparse;
            struct bestdag_sequential_request job = {
                .prune = true, .max_parents = n > 20 ? 2 : 3};
            sets_init(run, &dense, n);
            sets_init(run, &sparse, n);
            assert_int_equal(bestdag_sequential(run, s, &job, &dense), 0);
            job.universe = universe;
            assert_int_equal(bestdag_sequential(run, s, &job, &sparse), 0);
            for (int x = 0; x < n; x++)
                assert_true(same_lists(&dense.list[x], &sparse.list[x]));
            sets_release(&dense);
            sets_release(&sparse);
            bestdag_scorer_free(s);
        }
        free(universe);
        bestdag_table_free(t);
    }
    bestdag_run_free(run);
}

/* With a universe sets are taken by sparse levels and sheaves, without one by
 * dense levels and their sums. Few rows give many sets of equal score. */
static void without_pruning_both_kinds_of_levels_agree(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    uint64_t universe[2 * 70];
    memset(universe, -1, sizeof universe);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct random_table how = {.seed = seed,
                                   .columns = seed == 6 ? 70 : 9,
                                   .most = 2 + (int)seed % 3,
                                   .rows = seed % 2 ? 12 : 300};
        struct bestdag_table *t = random_table(run, how);
        for (int k = 0; k < SCORES; k++) {
            struct bestdag_scorer *s = scorer_of(run, t, scores[k]);
            struct bestdag_sequential_request job = {.max_parents =
                                                         seed == 6 ? 2 : 4};
            struct bestdag_sets dense, sparse;
            sets_init(run, &dense, s->n);
            sets_init(run, &sparse, s->n);
            assert_int_equal(bestdag_sequential(run, s, &job, &dense), 0);
            job.universe = universe;
            assert_int_equal(bestdag_sequential(run, s, &job, &sparse), 0);
            assert_int_equal(dense.scored, sparse.scored);
            for (int x = 0; x < s->n; x++)
                assert_true(same_lists(&dense.list[x], &sparse.list[x]));
            sets_release(&dense);
            sets_release(&sparse);
            bestdag_scorer_free(s);
        }
        bestdag_table_free(t);
    }
    bestdag_run_free(run);
}

static void a_stop_leaves_sound_ceilings(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct random_table how = {.seed = 3, .columns = 6, .most = 3};
    struct bestdag_table *t = random_table(run, how);
    for (int k = 0; k < 2 * SCORES; k++) {
        struct bestdag_scorer *s = scorer_of(run, t, scores[k / 2]);
        struct bestdag_scorer_scratch *scratch =
            bestdag_scorer_scratch_new(run, s);
        struct bestdag_sequential_request job = {.prune = k % 2,
                                                 .max_parents = -1};
        struct bestdag_sets sets;
        double all[1 << MOST];
        sets_init(run, &sets, s->n);
        bestdag_run_stop(run);
        assert_int_equal(bestdag_sequential(run, s, &job, &sets), 0);
        bestdag_run_clear(run);
        for (int x = 0; x < s->n; x++) {
            all_scores(s, scratch, x, all);
            for (unsigned mask = 0; mask < 64; mask++)
                if (!(mask >> x & 1))
                    assert_true(all[mask] <= sets.list[x].ceiling + 1e-9);
        }
        sets_release(&sets);
        bestdag_scorer_scratch_free(scratch);
        bestdag_scorer_free(s);
    }
    bestdag_table_free(t);
    bestdag_run_free(run);
}

struct seen {
    struct bestdag_run *run;
    int64_t scored, kept; /* most */
    int notes;            /* of lists that end early */
};

static int listen(void *user, const struct bestdag_progress *now)
{
    struct seen *seen = user;
    seen->run->reported = -1e9; /* report at every look */
    seen->notes += now->note && strstr(now->note, "their lists end early");
    seen->scored = now->scored > seen->scored ? now->scored : seen->scored;
    seen->kept = now->kept > seen->kept ? now->kept : seen->kept;
    return 0;
}

/* Four rows: no set of ll is given up, and few are better than their subsets.
 */
static void lists_that_end_for_want_of_memory_are_told(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct random_table how = {.seed = 2, .columns = 20, .most = 2, .rows = 4};
    struct bestdag_table *t = random_table(run, how);
    struct bestdag_scorer *s = scorer_of(run, t, "ll");
    struct bestdag_sets sets;
    struct seen seen = {.run = run};
    uint64_t universe[20];
    memset(universe, -1, sizeof universe);
    struct bestdag_sequential_request job = {
        .prune = true, .max_parents = 6, .universe = universe};
    sets_init(run, &sets, s->n);
    bestdag_run_on_progress(run, listen, &seen);
    bestdag_run_set(run, "memory-limit", "4M");
    assert_int_equal(bestdag_sequential(run, s, &job, &sets), 0);
    assert_int_equal(seen.notes, 1);
    int open = 0;
    for (int x = 0; x < s->n; x++)
        open += sets.list[x].ceiling > -INFINITY;
    assert_true(open > 0);
    assert_int_equal(seen.scored, sets.scored);
    sets_release(&sets);
    bestdag_scorer_free(s);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void progress_tells_sets_scored_and_kept(void **state)
{
    (void)state;
    for (int prune = 0; prune < 2; prune++) {
        struct bestdag_run *run = bestdag_run_new();
        struct random_table how = {
            .seed = 2, .columns = 60, .most = 3, .rows = 2000};
        struct bestdag_table *t = random_table(run, how);
        struct bestdag_scorer *s = scorer_of(run, t, "bic");
        struct bestdag_sequential_request job = {.prune = prune,
                                                 .max_parents = 3};
        struct bestdag_sets sets;
        struct seen seen = {.run = run};
        int64_t kept = 0;
        sets_init(run, &sets, s->n);
        bestdag_run_on_progress(run, listen, &seen);
        run->reported = -1e9;
        assert_int_equal(bestdag_sequential(run, s, &job, &sets), 0);
        for (int x = 0; x < s->n; x++)
            kept += sets.list[x].count;
        assert_int_equal(seen.scored, sets.scored);
        assert_int_equal(seen.kept, kept);
        sets_release(&sets);
        bestdag_scorer_free(s);
        bestdag_table_free(t);
        bestdag_run_free(run);
    }
}

static void what_never_ends_is_refused(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct random_table how = {.seed = 3, .columns = 30, .most = 3};
    struct bestdag_table *t = random_table(run, how);
    static const struct {
        const char *score;
        bool prune;
        int most;
        const char *memory;
        int status;
    } wrong[] = {{"ll", true, -1, "0", BESTDAG_USAGE},
                 {"bic", false, -1, "0", BESTDAG_USAGE},
                 {"bic", false, 12, "64M", BESTDAG_MEMORY}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct bestdag_scorer *s = scorer_of(run, t, wrong[i].score);
        struct bestdag_sets sets;
        struct bestdag_sequential_request job = {.prune = wrong[i].prune,
                                                 .max_parents = wrong[i].most};
        sets_init(run, &sets, s->n);
        bestdag_run_set(run, "memory-limit", wrong[i].memory);
        assert_int_equal(bestdag_sequential(run, s, &job, &sets),
                         wrong[i].status);
        bestdag_run_clear(run);
        sets_release(&sets);
        bestdag_scorer_free(s);
    }
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void every_failed_allocation_is_survived(void **state)
{
    (void)state;
    struct random_table how = {.seed = 3, .columns = 5, .most = 3, .rows = 40};
    static const char *const some[] = {"bic", "k2", "bdeu"};
    for (int k = 0; k < 3; k++)
        for (int64_t n = 1; n < 5000; n++) {
            struct bestdag_run *run = bestdag_run_new();
            struct bestdag_table *t = random_table(run, how);
            struct bestdag_scorer *s = scorer_of(run, t, some[k]);
            struct bestdag_sets sets;
            uint64_t universe[] = {31, 31, 31, 31, 31};
            struct bestdag_sequential_request job = {
                .prune = n % 2,
                .max_parents = -1,
                .universe = n % 3 ? NULL : universe};
            bestdag_run_set(run, "threads", "2");
            sets_init(run, &sets, s->n);
            bestdag_memory_fail_at(run, n);
            int status = bestdag_sequential(run, s, &job, &sets);
            assert_int_equal(status != 0, bestdag_run_status(run) != 0);
            sets_release(&sets);
            bestdag_scorer_free(s);
            bestdag_table_free(t);
            bestdag_run_free(run);
            if (!status && n % 6 == 0)
                break;
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pruning_never_loses_the_best_set),
        cmocka_unit_test(a_universe_restricts_parents),
        cmocka_unit_test(without_pruning_every_set_is_kept),
        cmocka_unit_test(both_kinds_of_levels_agree),
        cmocka_unit_test(without_pruning_both_kinds_of_levels_agree),
        cmocka_unit_test(threads_do_not_show),
        cmocka_unit_test(a_stop_leaves_sound_ceilings),
        cmocka_unit_test(lists_that_end_for_want_of_memory_are_told),
        cmocka_unit_test(progress_tells_sets_scored_and_kept),
        cmocka_unit_test(what_never_ends_is_refused),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
