/* SPDX-License-Identifier: MIT */
/* test_likely_parents.c -- likely parents against all single parents, scored
 * one by one. */
#include "scratch.h"

#include "parents/likely_parents.h"
#include "random_table.h"

enum { COLUMNS = 12 };

struct scene {
    struct bestdag_run *run;
    struct bestdag_table *table;
    struct bestdag_options *options;
    struct bestdag_scorer *scorer;
    double score[COLUMNS][COLUMNS]; /* of the child with one parent */
};

static void open_scene(struct scene *s, uint64_t seed, const char *score)
{
    print_message("seed %d, %s\n", (int)seed, score);
    *s = (struct scene){.run = bestdag_run_new()};
    s->table =
        random_table(s->run, (struct random_table){.seed = seed,
                                                   .columns = COLUMNS,
                                                   .most = 4,
                                                   .constant = seed % 3 == 0,
                                                   .rows = 90});
    s->options = bestdag_options_new(s->run);
    bestdag_options_set(s->run, s->options, "score", score);
    s->scorer = bestdag_scorer_new(s->run, s->table, s->options);
    for (int v = 0; v < COLUMNS; v++)
        for (int u = 0; u < COLUMNS; u++)
            if (u != v)
                bestdag_scorer_exact(s->run, s->scorer, v, &u, 1,
                                     &s->score[v][u]);
    assert_fine(s->run);
}

static void close_scene(struct scene *s)
{
    bestdag_scorer_free(s->scorer);
    bestdag_options_free(s->options);
    bestdag_table_free(s->table);
    assert_int_equal(bestdag_memory_used(s->run), 0);
    bestdag_run_free(s->run);
}

static bool is_allowed(const struct scene *s, const struct bestdag_knowledge *k,
                       int v, int u)
{
    return u != v && s->scorer->states[v] > 1 && s->scorer->states[u] > 1 &&
           (!k || bestdag_knowledge_allows(k, v, u));
}

/* Do fewer than `most` others score better as the parent of v? The first of
 * equals does. */
static bool is_best(const struct scene *s, const struct bestdag_knowledge *k,
                    int v, int u, int most)
{
    int better = 0;
    for (int w = 0; w < COLUMNS; w++) {
        double gain = s->score[v][w] - s->score[v][u];
        better +=
            is_allowed(s, k, v, w) && (gain > 1e-7 || (gain > -1e-7 && w < u));
    }
    return is_allowed(s, k, v, u) && better < most;
}

enum { WIDE = 8 }; /* times as many come next */

static bool is_wide(const struct bestdag_likely_parents *likely, int v, int u)
{
    for (int i = 0; i < likely->wides[v]; i++)
        if (likely->wide[v][i] == u)
            return true;
    return false;
}

static void expect_best(const struct scene *s,
                        const struct bestdag_knowledge *k,
                        const struct bestdag_likely_parents *likely, int most)
{
    int64_t total = 0;
    for (int v = 0; v < COLUMNS; v++)
        for (int u = 0; u < COLUMNS; u++) {
            bool is_one = bestdag_likely_parents_find(likely, v, u) >= 0;
            bool expected =
                is_best(s, k, v, u, most) ||
                (is_best(s, k, u, v, most) && is_allowed(s, k, v, u));
            bool is_next = is_best(s, k, v, u, (WIDE + 1) * most) &&
                           !is_best(s, k, v, u, most);
            total += is_one;
            if (is_wide(likely, v, u) != is_next)
                fail_msg("does %d come next as a parent of %d? %d", u, v,
                         !is_next);
            if (is_one != expected)
                fail_msg("is %d a likely parent of %d? %d", u, v, is_one);
        }
    assert_int_equal(total, bestdag_likely_parents_total(likely));
}

static void they_score_best_and_go_both_ways(void **state)
{
    (void)state;
    static const char *const scores[] = {"bic", "aic", "bdeu", "k2"};
    for (uint64_t seed = 1; seed <= 24; seed++) {
        struct scene s;
        int most = 1 + (int)(seed % 5);
        open_scene(&s, seed, scores[seed % 4]);
        struct bestdag_likely_parents *likely =
            bestdag_likely_parents_new(s.run, s.scorer, NULL, most);
        assert_fine(s.run);
        expect_best(&s, NULL, likely, most);
        bestdag_likely_parents_free(likely);
        close_scene(&s);
    }
}

static void rules_are_kept(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        struct scene s;
        open_scene(&s, seed, "bic");
        struct bestdag_rules *rules = bestdag_rules_new(s.run);
        bestdag_rules_add(s.run, rules, "not V1 -> V5");
        bestdag_rules_add(s.run, rules, "not V2 -> V5");
        bestdag_rules_add(s.run, rules, "not V7 -> V8");
        const char *names[COLUMNS];
        for (int v = 0; v < COLUMNS; v++)
            names[v] = s.table->column[v].name;
        struct bestdag_knowledge *k =
            bestdag_knowledge_new(s.run, rules, names, COLUMNS);
        struct bestdag_likely_parents *likely =
            bestdag_likely_parents_new(s.run, s.scorer, k, 3);
        assert_fine(s.run);
        expect_best(&s, k, likely, 3);
        assert_true(bestdag_likely_parents_find(likely, 4, 0) < 0);
        bestdag_likely_parents_free(likely);
        bestdag_knowledge_free(k);
        bestdag_rules_free(rules);
        close_scene(&s);
    }
}

static void more_can_be_added(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, 4, "bic");
    struct bestdag_likely_parents *likely =
        bestdag_likely_parents_new(s.run, s.scorer, NULL, 1);
    for (int i = 0; i < 2; i++) /* twice is once */
        for (int u = COLUMNS - 1; u > 3; u--)
            assert_int_equal(bestdag_likely_parents_add(s.run, likely, 3, u),
                             BESTDAG_OK);
    for (int u = 4; u < COLUMNS; u++) {
        assert_true(bestdag_likely_parents_find(likely, 3, u) >= 0);
        assert_true(bestdag_likely_parents_find(likely, u, 3) >= 0);
    }
    for (int i = 1; i < likely->count[3]; i++)
        assert_true(likely->at[3][i - 1] < likely->at[3][i]);
    bestdag_likely_parents_free(likely);
    close_scene(&s);
}

static void failing_memory_and_stops_are_survived(void **state)
{
    (void)state;
    struct scene s;
    open_scene(&s, 5, "bic");
    bestdag_run_set(s.run, "threads", "1");
    for (int64_t n = 1;; n++) {
        bestdag_memory_fail_at(s.run, n);
        struct bestdag_likely_parents *likely =
            bestdag_likely_parents_new(s.run, s.scorer, NULL, 3);
        bestdag_memory_fail_at(s.run, 0);
        assert_int_equal(!likely, bestdag_run_status(s.run) == BESTDAG_MEMORY);
        bestdag_run_clear(s.run);
        bestdag_likely_parents_free(likely);
        if (likely)
            break;
    }
    bestdag_run_stop(s.run);
    struct bestdag_likely_parents *likely =
        bestdag_likely_parents_new(s.run, s.scorer, NULL, 3);
    assert_non_null(likely);
    bestdag_likely_parents_free(likely);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_score_best_and_go_both_ways),
        cmocka_unit_test(rules_are_kept),
        cmocka_unit_test(more_can_be_added),
        cmocka_unit_test(failing_memory_and_stops_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
