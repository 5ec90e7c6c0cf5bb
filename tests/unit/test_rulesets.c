/* SPDX-License-Identifier: MIT */
/* test_rulesets.c -- candidate sets under rules: against all DAGs of four and
 * five variables, and lists that are known beforehand. */
#include <math.h>

#include "scratch.h"

#include "constraints/deduction/compile.h"
#include "parents/sets.h"
#include "plain_rules.h"
#include "random_table.h"
#include "scores/scorer.h"

static const uint64_t SEED = 20270203;

enum { MOST = 5, MASKS = 1 << MOST, TOTAL = 29281 };

static struct small dags[TOTAL];

static struct bestdag_table *make_table(struct bestdag_run *run, uint64_t seed,
                                        int n)
{
    struct random_table how = {.seed = seed,
                               .columns = n,
                               .most = 3,
                               .rows = 10 + (int64_t)(seed % 90),
                               .constant = seed % 3 == 0};
    struct bestdag_table *t = random_table(run, how);
    for (int v = 0; v < n; v++) {
        bestdag_free(t->column[v].name);
        t->column[v].name = bestdag_strdup(run, PLAIN_NAMES[v]);
    }
    assert_fine(run);
    return t;
}

static struct bestdag_options *make_options(struct bestdag_run *run,
                                            const char *parents,
                                            const char *score)
{
    struct bestdag_options *o = bestdag_options_new(run);
    bestdag_options_set(run, o, "parents", parents);
    bestdag_options_set(run, o, "score", score);
    assert_fine(run);
    return o;
}

static int list_of(uint32_t mask, int *list)
{
    int count = 0;
    for (int u = 0; u < MOST; u++)
        if (has(mask, u))
            list[count++] = u;
    return count;
}

/* ---- all DAGs ----------------------------------------------------------- */

struct trial {
    struct bestdag_run *run;
    uint64_t seed;
    int n, dags;
    struct plain_rules plain;
    struct bestdag_rules *rules;
    struct bestdag_table *table;
    int max_parents; /* -1: none */
    bool *obeys;     /* owns; of each DAG */
    bool any;
    double score[MOST][MASKS];  /* of all families */
    double listed[MOST][MASKS]; /* of those in lists; else -INFINITY */
};

static void score_families(struct trial *t, const struct bestdag_options *o)
{
    struct bestdag_scorer *s = bestdag_scorer_new(t->run, t->table, o);
    struct bestdag_scorer_scratch *scratch =
        bestdag_scorer_scratch_new(t->run, s);
    for (int v = 0; v < t->n; v++)
        for (uint32_t mask = 0; mask < (uint32_t)1 << t->n; mask++) {
            struct bestdag_family f;
            int list[MOST];
            if (has(mask, v))
                continue;
            bestdag_scorer_family(s, scratch, v, list, list_of(mask, list), &f);
            t->score[v][mask] = bestdag_scorer_nats(s, f.score);
        }
    bestdag_scorer_scratch_free(scratch);
    bestdag_scorer_free(s);
    assert_fine(t->run);
}

/* All sets must obey the rules about their child, and have their score. */
static void take_lists(struct trial *t, const struct bestdag_sets *sets,
                       bool complete)
{
    struct bestdag_knowledge *k =
        bestdag_knowledge_new(t->run, t->rules, PLAIN_NAMES, t->n);
    for (int v = 0; v < t->n; v++) {
        for (int mask = 0; mask < MASKS; mask++)
            t->listed[v][mask] = -INFINITY;
        assert_in_range(sets->list[v].count, 1, MASKS);
        if (complete)
            assert_true(sets->list[v].ceiling == -INFINITY);
        for (int i = 0; i < sets->list[v].count; i++) {
            int list[MOST];
            double score;
            uint32_t mask = 0;
            int count = bestdag_sets_get(sets, v, i, &score, list, MOST);
            assert_true(bestdag_knowledge_local(k, v, list, count));
            for (int j = 0; j < count; j++)
                mask |= (uint32_t)1 << list[j];
            assert_true(t->listed[v][mask] == -INFINITY);
            assert_true(fabs(score - t->score[v][mask]) < 1e-9);
            t->listed[v][mask] = t->score[v][mask];
        }
    }
    bestdag_knowledge_free(k);
    assert_fine(t->run);
}

static bool is_small(const struct trial *t, const struct small *g)
{
    for (int v = 0; v < t->n; v++)
        if (t->max_parents >= 0 &&
            __builtin_popcount(g->parents[v]) > t->max_parents)
            return false;
    return true;
}

static double best_of(const struct trial *t, double from[MOST][MASKS])
{
    double best = -INFINITY;
    for (int i = 0; i < t->dags; i++) {
        double sum = 0;
        for (int v = 0; t->obeys[i] && v < t->n; v++)
            sum += from[v][dags[i].parents[v]];
        if (t->obeys[i] && sum > best)
            best = sum;
    }
    return best;
}

static struct trial make_trial(uint64_t seed, int n, int count)
{
    struct bestdag_random random = bestdag_random_init(SEED, seed);
    struct trial t = {
        .run = bestdag_run_new(), .seed = seed, .n = n, .dags = count};
    t.plain = plain_random(&random, n, 1 + (int)(seed % 4), seed % 4 == 1);
    t.rules = plain_read(t.run, &t.plain);
    t.table = make_table(t.run, seed, n);
    t.max_parents = seed % 5 == 0 ? 2 : -1;
    t.obeys = calloc((size_t)count + 1, sizeof *t.obeys);
    for (int i = 0; i < count; i++) {
        t.obeys[i] =
            plain_broken(&t.plain, &dags[i]) < 0 && is_small(&t, &dags[i]);
        t.any |= t.obeys[i];
    }
    return t;
}

static void end_trial(struct trial *t)
{
    free(t->obeys);
    bestdag_table_free(t->table);
    bestdag_rules_free(t->rules);
    scratch_end(t->run);
}

static void try_strategy(struct trial *t, const char *parents,
                         const char *score, bool prune)
{
    struct bestdag_options *o = make_options(t->run, parents, score);
    if (t->max_parents >= 0)
        bestdag_options_set(t->run, o, "max-parents", "2");
    if (!prune)
        bestdag_options_set(t->run, o, "no-prune", "yes");
    struct bestdag_sets *sets =
        bestdag_sets_find(t->run, t->table, t->rules, o);
    if (!t->any && !sets) {
        assert_int_equal(bestdag_run_status(t->run), BESTDAG_INFEASIBLE);
        bestdag_run_clear(t->run);
        bestdag_options_free(o);
        return;
    }
    assert_fine(t->run);
    assert_true(t->any || t->max_parents >= 0);
    score_families(t, o);
    take_lists(t, sets, true);
    double wanted = best_of(t, t->score), found = best_of(t, t->listed);
    if (wanted != found && !(fabs(wanted - found) < 1e-9))
        fail_msg("seed %llu, trial %llu, %s, %s: %g, not %g, under %s",
                 (unsigned long long)SEED, (unsigned long long)t->seed, parents,
                 score, found, wanted, plain_all(&t->plain));
    bestdag_sets_free(sets);
    bestdag_options_free(o);
}

/* From the table to the answer. The families of the score are known. */
static void try_learning(struct trial *t)
{
    struct bestdag_options *o = make_options(t->run, "sequential", "bdeu");
    if (t->max_parents >= 0)
        bestdag_options_set(t->run, o, "max-parents", "2");
    double wanted = best_of(t, t->score);
    struct bestdag_result *r = bestdag_learn(t->run, t->table, t->rules, o);
    if (!r) {
        assert_false(t->any);
        assert_int_equal(bestdag_run_status(t->run), BESTDAG_INFEASIBLE);
        bestdag_run_clear(t->run);
    } else if (!(fabs(bestdag_result_number(r, "score") - wanted) < 1e-6))
        fail_msg("seed %llu, trial %llu: learnt %g, not %g, under %s",
                 (unsigned long long)SEED, (unsigned long long)t->seed,
                 bestdag_result_number(r, "score"), wanted,
                 plain_all(&t->plain));
    else if (strcmp(bestdag_result_text(r, "status"), "optimal") != 0)
        fail_msg("seed %llu, trial %llu: %s proves nothing under %s",
                 (unsigned long long)SEED, (unsigned long long)t->seed,
                 bestdag_result_text(r, "solver"), plain_all(&t->plain));
    bestdag_result_free(r);
    bestdag_options_free(o);
}

static void try_all(int n, int count, int trials)
{
    static const char *const strategies[] = {"sequential", "greedy",
                                             "independence"};
    static const char *const scores[] = {"bic", "bdeu"};
    int feasible = 0;
    for (int seed = 0; seed < trials; seed++) {
        struct trial t = make_trial((uint64_t)seed, n, count);
        feasible += t.any;
        for (int i = 0; i < COUNT(strategies); i++)
            for (int j = 0; j < COUNT(scores); j++)
                try_strategy(&t, strategies[i], scores[j],
                             seed % 16 != 5 || i > 0);
        try_learning(&t);
        end_trial(&t);
    }
    assert_in_range(feasible, trials / 2, trials);
}

static void no_best_network_of_four_variables_is_lost(void **state)
{
    (void)state;
    try_all(4, list_dags(4, dags), 300);
}

static void no_best_network_of_five_variables_is_lost(void **state)
{
    (void)state;
    try_all(5, list_dags(5, dags), 40);
}

/* ---- known lists --------------------------------------------------------- */

struct lists {
    struct bestdag_run *run;
    struct bestdag_table *table;
    struct bestdag_options *options;
    struct bestdag_rules *rules;
    struct bestdag_sets *sets;
};

static struct lists find_lists(int n, uint64_t seed, const char *const *lines)
{
    struct lists l = {.run = bestdag_run_new()};
    l.table = make_table(l.run, seed, n);
    l.options = make_options(l.run, "sequential", "bic");
    l.rules = bestdag_rules_new(l.run);
    for (; *lines; lines++)
        bestdag_rules_add(l.run, l.rules, *lines);
    l.sets = bestdag_sets_find(l.run, l.table, l.rules, l.options);
    return l;
}

static void end_lists(struct lists *l)
{
    bestdag_sets_free(l->sets);
    bestdag_rules_free(l->rules);
    bestdag_options_free(l->options);
    bestdag_table_free(l->table);
    scratch_end(l->run);
}

/* Every set of these variables is one of the masks. */
static void assert_only(const struct lists *l, int v, const uint32_t *masks)
{
    for (int i = 0; i < bestdag_sets_count(l->sets, v); i++) {
        int list[MOST],
            count = bestdag_sets_get(l->sets, v, i, NULL, list, MOST);
        uint32_t mask = 0;
        const uint32_t *m = masks;
        for (int j = 0; j < count; j++)
            mask |= (uint32_t)1 << list[j];
        while (*m != ~(uint32_t)0 && *m != mask)
            m++;
        assert_int_equal(*m, mask);
    }
}

static void naive_bayes_has_two_sets_an_attribute(void **state)
{
    static const char *const rules[] = {
        "root A", "for all X, Y except A: not X -> Y", NULL};
    static const uint32_t root[] = {0, ~(uint32_t)0};
    static const uint32_t child[] = {0, 1, ~(uint32_t)0};
    (void)state;
    struct lists l = find_lists(5, 7, rules);
    assert_fine(l.run);
    assert_only(&l, 0, root);
    for (int v = 1; v < 5; v++)
        assert_only(&l, v, child);
    assert_in_range(l.sets->scored, 5, 9);
    end_lists(&l);
}

static void tan_scores_two_sets_and_one_for_each_other_attribute(void **state)
{
    static const char *const rules[] = {
        "root A", "for all X except A: indegree(X) <= 2",
        "for all X except A: root X or A -> X", NULL};
    (void)state;
    struct lists l = find_lists(5, 7, rules);
    assert_fine(l.run);
    for (int v = 1; v < 5; v++) {
        uint32_t masks[6] = {0, 1};
        int count = 2;
        for (int u = 1; u < 5; u++)
            if (u != v)
                masks[count++] = 1 | (uint32_t)1 << u;
        masks[count] = ~(uint32_t)0;
        assert_only(&l, v, masks);
    }
    assert_in_range(l.sets->scored, 1, 1 + 4 * (1 + 1 + 3));
    assert_string_equal(bestdag_sets_noted(l.sets, "rules"),
                        "root A; for all X except A: indegree(X) <= 2; "
                        "for all X except A: root X or A -> X");
    end_lists(&l);
}

/* Columns that do not depend on each other: every set but the empty one is
 * dominated, and plain pruning would leave no DAG that obeys. */
static void clauses_across_children_keep_what_they_need(void **state)
{
    static const char *const rules[] = {"A -> B or B -> C", NULL};
    static const char *const adjacent[] = {"adjacent A D", "not leaf B", NULL};
    (void)state;
    struct lists l = {.run = bestdag_run_new()};
    l.table = bestdag_table_new(l.run, 16);
    for (int v = 0; v < 4; v++) {
        uint8_t code[16];
        for (int i = 0; i < 16; i++)
            code[i] = (uint8_t)(i >> v & 1);
        bestdag_table_add_codes(l.run, l.table, PLAIN_NAMES[v], code, 1, 2,
                                NULL);
    }
    l.options = make_options(l.run, "sequential", "bic");
    for (int round = 0; round < 2; round++) {
        const char *const *line = round ? adjacent : rules;
        l.rules = bestdag_rules_new(l.run);
        for (; *line; line++)
            bestdag_rules_add(l.run, l.rules, *line);
        l.sets = bestdag_sets_find(l.run, l.table, l.rules, l.options);
        assert_fine(l.run);
        /* {} everywhere, and the parents that a clause may ask for */
        static const int counts[2][4] = {{1, 2, 2, 1}, {4, 1, 2, 4}};
        for (int v = 0; v < 4; v++)
            assert_int_equal(bestdag_sets_count(l.sets, v), counts[round][v]);
        bestdag_sets_free(l.sets);
        bestdag_rules_free(l.rules);
    }
    l.sets = NULL;
    l.rules = NULL;
    end_lists(&l);
}

static void required_parents_are_in_every_set(void **state)
{
    static const char *const rules[] = {"A -> D", "indegree(D) <= 2",
                                        "not B -> D", NULL};
    static const uint32_t masks[] = {1, 1 | 4, 1 | 16, ~(uint32_t)0};
    char scope[64];
    (void)state;
    struct lists l = find_lists(5, 11, rules);
    assert_fine(l.run);
    assert_only(&l, 3, masks);
    assert_true(bestdag_sets_scope(l.sets, scope));
    assert_string_equal(scope, "all parent sets that the rules allow");
    end_lists(&l);
}

static void rules_and_max_parents_that_leave_nothing_are_told(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct lists l = {.run = run};
    l.table = make_table(run, 7, 4);
    l.options = make_options(run, "sequential", "bic");
    bestdag_options_set(run, l.options, "max-parents", "1");
    l.rules = bestdag_rules_new(run);
    bestdag_rules_add(run, l.rules, "indegree(C) >= 2");
    l.sets = bestdag_sets_find(run, l.table, l.rules, l.options);
    assert_null(l.sets);
    assert_failed(run, BESTDAG_INFEASIBLE,
                  "no parent set of 'C' with at most 1 parents");
    end_lists(&l);
}

/* Rules make less work, and never more. */
static void rules_save_scores(void **state)
{
    static const char *const none[] = {NULL};
    static const char *const few[] = {"for all X: indegree(X) <= 1", NULL};
    static const char *const tiers[] = {"tiers: A B | C D | E", NULL};
    (void)state;
    struct lists all = find_lists(5, 1, none), one = find_lists(5, 1, few),
                 three = find_lists(5, 1, tiers);
    assert_fine(all.run);
    assert_true(one.sets->scored <= 5 * 5);
    assert_true(one.sets->scored < all.sets->scored);
    assert_true(three.sets->scored < all.sets->scored);
    end_lists(&all);
    end_lists(&one);
    end_lists(&three);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_best_network_of_four_variables_is_lost),
        cmocka_unit_test(no_best_network_of_five_variables_is_lost),
        cmocka_unit_test(naive_bayes_has_two_sets_an_attribute),
        cmocka_unit_test(tan_scores_two_sets_and_one_for_each_other_attribute),
        cmocka_unit_test(clauses_across_children_keep_what_they_need),
        cmocka_unit_test(required_parents_are_in_every_set),
        cmocka_unit_test(rules_and_max_parents_that_leave_nothing_are_told),
        cmocka_unit_test(rules_save_scores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
