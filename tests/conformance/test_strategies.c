/* SPDX-License-Identifier: MIT */
/* Every strategy against all parent sets of small random tables: scores are
 * right, nothing listed is dominated, ceilings hold, threads do not show. */
#include <math.h>

#include "../unit/scratch.h"

#include "base/options.h"
#include "parents/parents.h"
#include "scores/score.h"

enum { MOST_N = 7 };

/* ---- tables in which variables depend on each other
 * -------------------------- */

static struct bestdag_table *random_table(struct bestdag_run *run, int n,
                                          int rows, uint64_t seed)
{
    struct bestdag_random r = bestdag_random_init(seed, 1);
    struct bestdag_table *t = bestdag_table_new(run, rows);
    int *codes = calloc((size_t)n * (size_t)rows, sizeof *codes);
    for (int v = 0; v < n; v++) {
        char name[16];
        int states = 2 + (int)bestdag_random_below(&r, 3);
        int a = v ? (int)bestdag_random_below(&r, (uint64_t)v) : 0;
        int b = v ? (int)bestdag_random_below(&r, (uint64_t)v) : 0;
        int noise = 2 + (int)bestdag_random_below(&r, 6);
        for (int i = 0; i < rows; i++) {
            int x = (int)bestdag_random_below(&r, (uint64_t)states);
            if (v && bestdag_random_below(&r, (uint64_t)noise))
                x = (codes[a * rows + i] + codes[b * rows + i]) % states;
            codes[v * rows + i] = x;
        }
        snprintf(name, sizeof name, "x%d", v);
        bestdag_table_add_codes(run, t, name, codes + v * rows, sizeof *codes,
                                states, NULL);
    }
    free(codes);
    assert_fine(run);
    return t;
}

/* ---- the truth
 * ------------------------------------------------------------------ */

struct truth {
    double score[1 << MOST_N];
    bool good[1 << MOST_N]; /* better than all its subsets */
};

static int members_of(int mask, int *to)
{
    int count = 0;
    for (int v = 0; v < MOST_N; v++)
        if (mask >> v & 1)
            to[count++] = v;
    return count;
}

static void find_truth(struct bestdag_run *run,
                       const struct bestdag_scorer *scorer, int child,
                       struct truth *to)
{
    struct bestdag_scorer_scratch *scratch =
        bestdag_scorer_scratch_new(run, scorer);
    for (int mask = 0; mask < 1 << scorer->n; mask++) {
        struct bestdag_family family;
        int set[MOST_N], count = members_of(mask, set);
        to->good[mask] = !(mask >> child & 1);
        if (!to->good[mask])
            continue;
        assert_int_equal(
            bestdag_scorer_family(scorer, scratch, child, set, count, &family),
            BESTDAG_OK);
        to->score[mask] = bestdag_scorer_nats(scorer, family.score);
        for (int sub = (mask - 1) & mask; sub != mask && to->good[mask];
             sub = (sub - 1) & mask)
            to->good[mask] = to->score[sub] < to->score[mask];
    }
    bestdag_scorer_scratch_free(scratch);
}

static int mask_of(const struct bestdag_list *list, int64_t i)
{
    int mask = 0;
    for (int64_t j = list->start[i]; j < list->start[i + 1]; j++)
        mask |= 1 << list->member[j];
    return mask;
}

static void check_list(const struct truth *truth, int n, int limit,
                       const struct bestdag_list *list)
{
    bool listed[1 << MOST_N] = {false};
    assert_true(list->count > 0);
    for (int64_t i = 0; i < list->count; i++) {
        int mask = mask_of(list, i);
        assert_false(listed[mask]);
        listed[mask] = true;
        assert_true(list->score[i] == truth->score[mask]);
        assert_true(!i || list->score[i] <= list->score[i - 1]);
        for (int64_t j = 0; j < i; j++)
            assert_true(mask_of(list, j) & ~mask); /* no subset is better */
    }
    assert_true(listed[0]);
    for (int mask = 0; mask < 1 << n; mask++) {
        if (!truth->good[mask] || listed[mask] ||
            (limit >= 0 && __builtin_popcount((unsigned)mask) > limit))
            continue;
        if (truth->score[mask] > list->ceiling)
            fail_msg("a set %x scores %.9f above the ceiling %.9f", mask,
                     truth->score[mask], list->ceiling);
    }
}

/* ---- plans
 * ---------------------------------------------------------------------- */

struct setting {
    const char *strategy, *score, *arcs;
    int n, rows, max_parents;
    int64_t most, most_open, most_records; /* 0 of the last: a great many */
    bool theorem_2, single_queue;
};

static const struct bestdag_strategy *named(const char *name)
{
    const struct bestdag_strategy *s;
    for (int i = 0; (s = bestdag_strategy_at(i)); i++)
        if (!strcmp(s->name, name))
            return s;
    fail_msg("no strategy %s", name);
    return NULL;
}

static void try_plan(const struct setting *s, uint64_t seed)
{
    struct bestdag_run *run = bestdag_run_new();
    bestdag_run_set(run, "threads", "2");
    struct bestdag_table *t = random_table(run, s->n, s->rows, seed);
    struct bestdag_options *options = bestdag_options_new(run);
    bestdag_options_set(run, options, "score", s->score);
    bestdag_options_set(run, options, "structure-prior", s->arcs);
    struct bestdag_scorer *scorer = bestdag_scorer_new(run, t, options);
    assert_fine(run);
    bool done[MOST_N] = {false};
    struct bestdag_plan plan = {.run = run,
                                .scorer = scorer,
                                .n = s->n,
                                .max_parents = s->max_parents,
                                .prune = true,
                                .theorem_2 = s->theorem_2,
                                .single_queue = s->single_queue,
                                .more = s->most,
                                .most_records =
                                    s->most_records ? s->most_records : 1 << 20,
                                .most_open = s->most_open,
                                .sets = bestdag_sets_new(run, s->n),
                                .is_done = done};
    assert_int_equal(named(s->strategy)->find(&plan), BESTDAG_OK);
    assert_fine(run);
    struct truth *truth = malloc(sizeof *truth);
    for (int v = 0; v < s->n; v++) {
        find_truth(run, scorer, v, truth);
        check_list(truth, s->n, s->max_parents, &plan.sets->list[v]);
        if (!s->most && s->most_open > 1000)
            assert_true(plan.sets->list[v].ceiling == -INFINITY);
    }
    free(truth);
    bestdag_sets_free(plan.sets);
    bestdag_scorer_free(scorer);
    bestdag_options_free(options);
    bestdag_table_free(t);
    scratch_end(run);
}

static const char *const scores[] = {"bic", "aic", "bdeu", "k2", "mit", "ll"};
/* The last one with a single queue. */
static const char *const strategies[] = {"greedy", "independence",
                                         "independence"};
enum { SINGLE = 2 };

static void lists_hold_against_all_sets(void **state)
{
    (void)state;
    for (int strategy = 0; strategy < COUNT(strategies); strategy++)
        for (int score = 0; score < COUNT(scores); score++)
            for (int seed = 1; seed <= 6; seed++) {
                struct setting s = {.strategy = strategies[strategy],
                                    .single_queue = strategy == SINGLE,
                                    .score = scores[score],
                                    .arcs = seed % 2 ? "uniform" : "arcs:1.5",
                                    .n = 3 + seed % 5,
                                    .rows = seed % 3 ? 30 << seed : 7,
                                    .max_parents = seed % 4 - 1,
                                    .most_open = 1 << 20,
                                    .theorem_2 = seed % 2 == 0};
                print_message("%s %s seed %d\n", s.strategy, s.score, seed);
                try_plan(&s, (uint64_t)seed);
            }
}

static void ceilings_hold_when_the_search_is_cut(void **state)
{
    (void)state;
    for (int strategy = 0; strategy < COUNT(strategies); strategy++)
        for (int score = 0; score < 4; score++)
            for (int seed = 1; seed <= 40; seed++) {
                struct setting s = {.strategy = strategies[strategy],
                                    .single_queue = strategy == SINGLE,
                                    .score = scores[score],
                                    .arcs = seed % 5 ? "uniform" : "arcs:2",
                                    .n = 4 + seed % 4,
                                    .rows = 20 + 10 * seed,
                                    .max_parents = seed % 6 - 1,
                                    .most = 1 + seed % 37,
                                    .most_open = 1 + seed % 11};
                try_plan(&s, (uint64_t)seed);
                s.most = 0;
                try_plan(&s, (uint64_t)seed);
                s.most_records = 2 + seed % 19;
                try_plan(&s, (uint64_t)seed);
            }
}

/* ---- the door
 * ------------------------------------------------------------------- */

static char *find_and_write(const char *strategy, const char *threads,
                            const char *folder, const char *extra,
                            const char *value)
{
    struct bestdag_run *run = bestdag_run_new();
    size_t size;
    bestdag_run_set(run, "threads", threads);
    struct bestdag_options *options = bestdag_options_new(run);
    struct bestdag_table *t = random_table(run, 30, 300, 7);
    bestdag_options_set(run, options, "parents", strategy);
    bestdag_options_set(run, options, "parents.max-parents", "3");
    bestdag_options_set(run, options, "trace", scratch_path(folder, "trace"));
    if (extra)
        bestdag_options_set(run, options, extra, value);
    struct bestdag_sets *sets = bestdag_sets_find(run, t, NULL, options);
    bestdag_sets_write(run, sets, scratch_path(folder, "a.jkl"), options);
    assert_fine(run);
    bestdag_sets_free(sets);
    bestdag_table_free(t);
    bestdag_options_free(options);
    scratch_end(run);
    char *lists = scratch_read(scratch_path(folder, "a.jkl"), &size);
    char *beside = scratch_read(scratch_path(folder, "a.jkl.json"), &size);
    char *trace = scratch_read(scratch_path(folder, "trace"), &size);
    size_t room = strlen(lists) + strlen(beside) + strlen(trace) + 1;
    char *all = malloc(room);
    snprintf(all, room, "%s%s%s", lists, beside, trace);
    free(lists);
    free(beside);
    free(trace);
    return all;
}

static void threads_do_not_show(void **state)
{
    (void)state;
    const char *folder = scratch_make();
    static const char *const ways[][3] = {{"greedy"},
                                          {"greedy", "candidates", "5"},
                                          {"independence"},
                                          {"independence", "candidates", "5"},
                                          {"sequential"},
                                          {"sequential", "candidates", "5"},
                                          {"independence", "queue", "single"}};
    for (int i = 0; i < COUNT(ways); i++) {
        const char *const *w = ways[i];
        char *one = find_and_write(w[0], "1", folder, w[1], w[2]);
        char *two = find_and_write(w[0], "2", folder, w[1], w[2]);
        char *many = find_and_write(w[0], "8", folder, w[1], w[2]);
        assert_string_equal(one, two);
        assert_string_equal(one, many);
        free(one);
        free(two);
        free(many);
    }
    scratch_files(folder, true);
}

static void candidates_are_those_of_highest_information(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_options *options = bestdag_options_new(run);
    struct bestdag_table *t = random_table(run, 7, 200, 3);
    bestdag_options_set(run, options, "parents", "greedy");
    bestdag_options_set(run, options, "no-prune", "yes");
    bestdag_options_set(run, options, "candidates", "3");
    struct bestdag_sets *sets = bestdag_sets_find(run, t, NULL, options);
    struct bestdag_scorer *scorer = bestdag_scorer_new(run, t, options);
    struct bestdag_scorer_scratch *scratch =
        bestdag_scorer_scratch_new(run, scorer);
    assert_fine(run);
    for (int v = 0; v < 7; v++) {
        bool used[7] = {false};
        int64_t least = INT64_MAX, most = INT64_MIN;
        assert_int_equal(bestdag_sets_count(sets, v), 8);
        for (int64_t j = 0; j < sets->list[v].start[8]; j++)
            used[sets->list[v].member[j]] = true;
        for (int u = 0; u < 7; u++) {
            struct bestdag_family family;
            if (u == v)
                continue;
            bestdag_scorer_family(scorer, scratch, v, &u, 1, &family);
            if (used[u] && family.likelihood < least)
                least = family.likelihood;
            if (!used[u] && family.likelihood > most)
                most = family.likelihood;
        }
        assert_true(least >= most);
        assert_true(isfinite(sets->list[v].ceiling));
    }
    bestdag_scorer_scratch_free(scratch);
    bestdag_scorer_free(scorer);
    bestdag_sets_free(sets);
    bestdag_table_free(t);
    bestdag_options_free(options);
    scratch_end(run);
}

static void a_time_limit_ends_with_lists(void **state)
{
    (void)state;
    for (int s = 0; s < 2; s++) {
        struct bestdag_run *run = bestdag_run_new();
        struct bestdag_options *options = bestdag_options_new(run);
        struct bestdag_table *t = random_table(run, 60, 500, 5);
        bestdag_options_set(run, options, "parents", strategies[s]);
        bestdag_run_set(run, "time-limit", "0.1");
        struct bestdag_sets *sets = bestdag_sets_find(run, t, NULL, options);
        assert_fine(run);
        for (int v = 0; v < 60; v++)
            assert_true(bestdag_sets_count(sets, v) > 0);
        bestdag_sets_free(sets);
        bestdag_table_free(t);
        bestdag_options_free(options);
        scratch_end(run);
    }
}

static bool has_set(const struct bestdag_list *list, const int *member, int n)
{
    for (int64_t i = 0; i < list->count; i++)
        if (list->start[i + 1] - list->start[i] == n &&
            !memcmp(list->member + list->start[i], member,
                    (size_t)n * sizeof *member))
            return true;
    return false;
}

/* What a list lacks scores no higher than its ceiling. */
static void check_ceilings(const struct bestdag_sets *cut,
                           const struct bestdag_sets *whole)
{
    for (int v = 0; v < whole->n; v++) {
        const struct bestdag_list *all = &whole->list[v];
        for (int64_t i = 0; i < all->count; i++)
            if (!has_set(&cut->list[v], all->member + all->start[i],
                         (int)(all->start[i + 1] - all->start[i])))
                assert_true(all->score[i] <= cut->list[v].ceiling + 1e-9);
    }
}

static void the_time_of_one_variable_holds_for_all(void **state)
{
    (void)state;
    static const char *const settings[][4] = {
        {"sequential", "no", NULL, NULL},
        {"sequential", "yes", NULL, NULL},
        {"sequential", "no", NULL, "trace"},
        {"sequential", "no", "indegree(x3) >= 1", NULL},
        {"sequential", "no", "indegree(x3) >= 1", "trace"},
        {"greedy", "no", NULL, NULL},
        {"independence", "no", NULL, NULL}};
    const char *folder = scratch_make();
    for (int i = 0; i < COUNT(settings); i++) {
        struct bestdag_run *run = bestdag_run_new();
        struct bestdag_options *options = bestdag_options_new(run);
        struct bestdag_table *t = random_table(run, 16, 300, 5);
        struct bestdag_rules *rules = bestdag_rules_new(run);
        if (settings[i][2])
            bestdag_rules_add(run, rules, settings[i][2]);
        bestdag_options_set(run, options, "parents", settings[i][0]);
        bestdag_options_set(run, options, "no-prune", settings[i][1]);
        bestdag_options_set(run, options, "score", "aic");
        bestdag_options_set(run, options, "parents.max-parents", "4");
        if (settings[i][3])
            bestdag_options_set(run, options, "trace",
                                scratch_path(folder, settings[i][3]));
        struct bestdag_sets *whole = bestdag_sets_find(run, t, rules, options);
        assert_fine(run);
        bestdag_options_set(run, options, "time-per-variable", "1e-9");
        struct bestdag_sets *cut = bestdag_sets_find(run, t, rules, options);
        assert_fine(run);
        int fewer = 0;
        for (int v = 0; v < 16; v++) {
            assert_true(bestdag_sets_count(cut, v) > 0);
            assert_true(bestdag_sets_ceiling(cut, v) > -INFINITY);
            fewer += bestdag_sets_count(cut, v) < bestdag_sets_count(whole, v);
        }
        assert_true(fewer > 8);
        check_ceilings(cut, whole);
        bestdag_sets_free(cut);
        bestdag_sets_free(whole);
        bestdag_rules_free(rules);
        bestdag_table_free(t);
        bestdag_options_free(options);
        scratch_end(run);
    }
    scratch_files(folder, true);
}

static void a_stopped_run_gives_empty_sets(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_options *options = bestdag_options_new(run);
    struct bestdag_table *t = random_table(run, 6, 50, 5);
    bestdag_options_set(run, options, "parents", "independence");
    bestdag_run_stop(run);
    struct bestdag_sets *sets = bestdag_sets_find(run, t, NULL, options);
    assert_fine(run);
    for (int v = 0; v < 6; v++) {
        assert_int_equal(bestdag_sets_count(sets, v), 1);
        assert_true(bestdag_sets_ceiling(sets, v) == INFINITY);
    }
    char *json = bestdag_sets_describe(run, sets);
    assert_non_null(strstr(json, "\"interrupted\""));
    bestdag_text_free(json);
    bestdag_sets_free(sets);
    bestdag_table_free(t);
    bestdag_options_free(options);
    scratch_end(run);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    const char *folder = scratch_make();
    for (int s = 0; s < 2; s++) {
        struct bestdag_run *run = bestdag_run_new();
        bestdag_run_set(run, "threads", "1");
        struct bestdag_options *options = bestdag_options_new(run);
        struct bestdag_table *t = random_table(run, 4, 30, 5);
        bestdag_options_set(run, options, "parents", strategies[s]);
        bestdag_options_set(run, options, "part", scratch_path(folder, "p"));
        bestdag_options_set(run, options, "candidates", "2");
        int status = BESTDAG_MEMORY;
        for (int64_t n = 1; status == BESTDAG_MEMORY; n++) {
            bestdag_memory_fail_at(run, n);
            bestdag_sets_free(bestdag_sets_find(run, t, NULL, options));
            bestdag_memory_fail_at(run, 0);
            status = bestdag_run_status(run);
            bestdag_run_clear(run);
        }
        assert_int_equal(status, BESTDAG_OK);
        bestdag_table_free(t);
        bestdag_options_free(options);
        scratch_end(run);
    }
    scratch_files(folder, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_hold_against_all_sets),
        cmocka_unit_test(ceilings_hold_when_the_search_is_cut),
        cmocka_unit_test(threads_do_not_show),
        cmocka_unit_test(candidates_are_those_of_highest_information),
        cmocka_unit_test(a_time_limit_ends_with_lists),
        cmocka_unit_test(the_time_of_one_variable_holds_for_all),
        cmocka_unit_test(a_stopped_run_gives_empty_sets),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
