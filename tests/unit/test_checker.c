/* SPDX-License-Identifier: MIT */
/* test_checker.c -- rules against a plain evaluation over all DAGs of four
 * variables: the checker, the compiled form, and what pruning relies on. */
#include "scratch.h"

#include "constraints/deduction/checker.h"
#include "constraints/deduction/compile.h"
#include "plain_rules.h"

enum { N = 4, TRIALS = 600 };

static const uint64_t SEED = 20261116;

static struct small dags[543];

struct world {
    struct bestdag_run *run;
    struct plain_rules plain;
    struct bestdag_rules *rules;
    struct bestdag_knowledge *k;
};

static struct world make(uint64_t trial)
{
    struct bestdag_random random = bestdag_random_init(SEED, trial);
    struct world w = {.run = bestdag_run_new()};
    w.plain = plain_random(&random, N, 1 + (int)(trial % 5), trial % 3 != 0);
    w.rules = plain_read(w.run, &w.plain);
    w.k = bestdag_knowledge_new(w.run, w.rules, PLAIN_NAMES, N);
    assert_fine(w.run);
    return w;
}

static void clear(struct world *w)
{
    bestdag_knowledge_free(w->k);
    bestdag_rules_free(w->rules);
    scratch_end(w->run);
}

static int list_of(uint32_t mask, int list[N])
{
    int count = 0;
    for (int u = 0; u < N; u++)
        if (has(mask, u))
            list[count++] = u;
    return count;
}

/* ---- the checker
 * -------------------------------------------------------------- */

static void the_checker_names_the_first_rule_that_is_broken(void **state)
{
    (void)state;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        struct world w = make(trial);
        for (int i = 0; i < 543; i++) {
            struct bestdag_dag *dag = to_dag(w.run, &dags[i]);
            int broken, wanted = plain_broken(&w.plain, &dags[i]);
            assert_int_equal(
                bestdag_rules_check(w.run, w.rules, PLAIN_NAMES, dag, &broken),
                BESTDAG_OK);
            if (broken != wanted)
                fail_msg("seed %llu, trial %llu, dag %d: rule %d, not %d, of "
                         "%s",
                         (unsigned long long)SEED, (unsigned long long)trial, i,
                         broken, wanted, plain_all(&w.plain));
            bestdag_dag_free(dag);
        }
        clear(&w);
    }
}

static void a_broken_rule_is_told_with_its_place(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_rules *rules = bestdag_rules_new(run);
    struct bestdag_dag *dag = bestdag_dag_new(run, N);
    bestdag_rules_add(run, rules, "not A -> B");
    bestdag_rules_add(run, rules, "root A or  B -> A");
    assert_int_equal(bestdag_rules_enforce(run, rules, PLAIN_NAMES, dag),
                     BESTDAG_OK);
    set_parents(run, dag, 0, 4);
    bestdag_rules_enforce(run, rules, PLAIN_NAMES, dag);
    assert_failed(run, BESTDAG_FAILED,
                  "the network breaks rule 'root A or B -> A'");
    bestdag_dag_free(dag);
    bestdag_rules_free(rules);
    scratch_end(run);
}

/* ---- the compiled form
 * ---------------------------------------------------------- */

static bool fact_holds(const struct bestdag_fact *f, const struct small *g)
{
    int list[N];
    uint32_t children = 0;
    for (int v = 0; v < N; v++)
        children |= g->parents[v];
    switch (f->kind) {
    case BESTDAG_FACT_HAS:
    case BESTDAG_FACT_LACKS:
    case BESTDAG_FACT_DEGREE:
        return bestdag_fact_holds(f, list, list_of(g->parents[f->child], list));
    case BESTDAG_FACT_LEAF:
        return !has(children, f->parent);
    case BESTDAG_FACT_USED:
        return has(children, f->parent);
    case BESTDAG_FACT_APART:
        return !adjacent(g, f->parent, f->child);
    case BESTDAG_FACT_ANCESTOR:
        return has(plain_ancestors(g, f->child), f->parent);
    case BESTDAG_FACT_NOT_ANCESTOR:
        return !has(plain_ancestors(g, f->child), f->parent);
    case BESTDAG_FACT_FALSE:
        break;
    }
    return false;
}

static bool local_holds(const struct bestdag_knowledge *k, int v,
                        uint32_t parents)
{
    int list[N];
    return bestdag_knowledge_local(k, v, list, list_of(parents, list));
}

static bool compiled_holds(const struct bestdag_knowledge *k,
                           const struct small *g)
{
    struct small ordered = *g;
    if (k->impossible)
        return false;
    for (int v = 0; v < N; v++) {
        if (!local_holds(k, v, g->parents[v]))
            return false;
        if (k->before)
            ordered.parents[v] |=
                (uint32_t)*bestdag_knowledge_row(k, k->before, v);
    }
    if (!acyclic(&ordered))
        return false;
    for (int64_t i = 0; i < k->cross.count; i++) {
        bool holds = false;
        for (int64_t j = k->cross.clause[i].from; j < k->cross.clause[i].to;
             j++)
            holds |= fact_holds(&k->cross.fact[j], g);
        if (!holds)
            return false;
    }
    return true;
}

static void compiled_rules_say_the_same(void **state)
{
    (void)state;
    int local = 0, impossible = 0;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        struct world w = make(trial);
        for (int i = 0; i < 543; i++)
            if (compiled_holds(w.k, &dags[i]) !=
                (plain_broken(&w.plain, &dags[i]) < 0))
                fail_msg("seed %llu, trial %llu, dag %d: %s",
                         (unsigned long long)SEED, (unsigned long long)trial, i,
                         plain_all(&w.plain));
        local += !(w.k->needs & ~(unsigned)BESTDAG_NEEDS_LOCAL);
        impossible += w.k->impossible;
        clear(&w);
    }
    assert_in_range(local, TRIALS / 10, TRIALS - TRIALS / 10);
    assert_in_range(impossible, 5, TRIALS / 2);
}

/* ---- what pruning relies on
 * ------------------------------------------------------ */

static bool may_prune(const struct bestdag_knowledge *k, int v, uint32_t set,
                      uint32_t other)
{
    uint64_t one[4], two[4];
    int list[N], words = bestdag_knowledge_signature_words(k, v);
    assert_in_range(words, 0, 4);
    bestdag_knowledge_signature(k, v, list, list_of(set, list), one);
    bestdag_knowledge_signature(k, v, list, list_of(other, list), two);
    for (int w = 0; w < words; w++)
        if (two[w] & ~one[w])
            return false;
    return local_holds(k, v, set) && !bestdag_knowledge_on_path(k, v);
}

static int check_subsets(const struct world *w, const struct small *g, int v)
{
    int pruned = 0;
    for (uint32_t set = 0; set < 1u << N; set++) {
        if (set & ~g->parents[v] || set == g->parents[v] ||
            !may_prune(w->k, v, set, g->parents[v]))
            continue;
        struct small less = *g;
        less.parents[v] = set;
        pruned++;
        if (plain_broken(&w->plain, &less) >= 0)
            fail_msg("seed %llu: %s", (unsigned long long)SEED,
                     plain_all(&w->plain));
    }
    return pruned;
}

static void a_subset_that_may_prune_obeys_where_the_set_does(void **state)
{
    (void)state;
    int64_t pruned = 0;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        struct world w = make(trial);
        for (int i = 0; i < 543 && !w.k->impossible; i++)
            for (int v = 0; v < N; v++)
                if (plain_broken(&w.plain, &dags[i]) < 0)
                    pruned += check_subsets(&w, &dags[i], v);
        clear(&w);
    }
    assert_true(pruned > 1000);
}

static void without_an_unmarked_parent_a_graph_still_obeys(void **state)
{
    (void)state;
    int64_t dropped = 0;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        struct world w = make(trial);
        const struct bestdag_knowledge *k = w.k;
        for (int i = 0; i < 543 && !k->impossible; i++) {
            if (plain_broken(&w.plain, &dags[i]) >= 0)
                continue;
            for (int v = 0; v < N; v++)
                for (int u = 0; u < N; u++) {
                    struct small less = dags[i];
                    less.parents[v] &= ~((uint32_t)1 << u);
                    if (!has(dags[i].parents[v], u) ||
                        bestdag_knowledge_marks(k, v, u) ||
                        bestdag_knowledge_requires(k, v, u) ||
                        __builtin_popcount(less.parents[v]) < k->settled[v] ||
                        bestdag_knowledge_on_path(k, v))
                        continue;
                    dropped++;
                    if (plain_broken(&w.plain, &less) >= 0)
                        fail_msg("seed %llu: %s", (unsigned long long)SEED,
                                 plain_all(&w.plain));
                }
        }
        clear(&w);
    }
    assert_true(dropped > 1000);
}

/* ---- needs, deductions, large n
 * ---------------------------------------------------- */

static unsigned needs_of(const char *const *lines, int count)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_rules *rules = bestdag_rules_new(run);
    for (int i = 0; i < count; i++)
        bestdag_rules_add(run, rules, lines[i]);
    struct bestdag_knowledge *k =
        bestdag_knowledge_new(run, rules, PLAIN_NAMES, N);
    assert_fine(run);
    unsigned needs = k->needs;
    bestdag_knowledge_free(k);
    bestdag_rules_free(rules);
    scratch_end(run);
    return needs;
}

#define NEEDS(...)                                                             \
    needs_of((const char *const[]){__VA_ARGS__},                               \
             COUNT(((const char *const[]){__VA_ARGS__})))

static void needs_say_what_is_left_for_a_search(void **state)
{
    (void)state;
    const unsigned local = BESTDAG_NEEDS_LOCAL, cross = BESTDAG_NEEDS_CROSS;
    assert_int_equal(NEEDS("A -> B", "leaf C", "indegree(D) < 2"), local);
    assert_int_equal(NEEDS("for all X: indegree(X) <= 3"), 0);
    assert_int_equal(NEEDS("adjacent A B"), cross);
    assert_int_equal(NEEDS("adjacent A B", "tiers: A | B"), local);
    assert_int_equal(NEEDS("A -> B or B -> C"), cross);
    assert_int_equal(NEEDS("A -> B or C -> B"), local);
    assert_int_equal(NEEDS("not leaf A"), cross);
    assert_int_equal(NEEDS("order A < B"), BESTDAG_NEEDS_ORDER | local);
    assert_int_equal(NEEDS("ancestor A B"), BESTDAG_NEEDS_ANCESTOR | local);
    assert_int_equal(NEEDS("ancestor A B", "A -> C", "C -> B"), local);
    assert_int_equal(NEEDS("not ancestor A B"),
                     BESTDAG_NEEDS_NOT_ANCESTOR | local);
    assert_int_equal(NEEDS("not ancestor A B", "B -> A"), local);
    assert_int_equal(NEEDS("positive A -> B"),
                     BESTDAG_NEEDS_PARAMETERS | local);
    assert_int_equal(NEEDS("positive A -> B if present"),
                     BESTDAG_NEEDS_PARAMETERS);
    assert_int_equal(NEEDS("states A: low < high"), 0);
}

static void a_solver_refuses_by_name(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_rules *rules = bestdag_rules_new(run);
    bestdag_rules_add(run, rules, "A -> B");
    bestdag_rules_add(run, rules, "ancestor  A C");
    struct bestdag_knowledge *k =
        bestdag_knowledge_new(run, rules, PLAIN_NAMES, N);
    assert_int_equal(bestdag_knowledge_demand(run, k, 63, "solver 'bnb'"),
                     BESTDAG_OK);
    bestdag_knowledge_demand(run, k, BESTDAG_NEEDS_LOCAL, "solver 'hc'");
    assert_failed(
        run, BESTDAG_USAGE,
        "solver 'hc' does not support 'ancestor' rules (rule 'ancestor A C')");
    bestdag_knowledge_free(k);
    bestdag_rules_free(rules);
    scratch_end(run);
}

static char name_text[1000][8];
static const char *many[1000];

static void naive_bayes_over_a_thousand_variables_is_rows(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_rules *rules = bestdag_rules_new(run);
    for (int v = 0; v < 1000; v++) {
        snprintf(name_text[v], sizeof name_text[v], "v%d", v);
        many[v] = name_text[v];
    }
    bestdag_rules_add(run, rules, "root v7");
    bestdag_rules_add(run, rules, "for all X, Y except v7: not X -> Y");
    struct bestdag_knowledge *k = bestdag_knowledge_new(run, rules, many, 1000);
    assert_fine(run);
    assert_int_equal(k->needs, BESTDAG_NEEDS_LOCAL);
    assert_int_equal(k->local.count + k->cross.count, 0);
    assert_true(bestdag_memory_peak(run) < 1 << 20);
    for (int v = 0; v < 1000; v++)
        for (int u = 0; u < 1000; u++)
            assert_int_equal(bestdag_knowledge_allows(k, v, u),
                             u == 7 && v != 7);
    bestdag_knowledge_free(k);
    bestdag_rules_add(run, rules,
                      "for all X, Y, Z: if X -> Y and Y -> Z then X -> Z");
    assert_null(bestdag_knowledge_new(run, rules, many, 1000));
    assert_failed(run, BESTDAG_USAGE, "too many");
    bestdag_rules_free(rules);
    scratch_end(run);
}

/* ---- faults
 * ------------------------------------------------------------------------ */

static bool compile_and_check(struct bestdag_run *run, const void *input)
{
    const struct plain_rules *plain = input;
    struct bestdag_rules *rules = bestdag_rules_new(run);
    for (int i = 0; i < plain->count; i++)
        bestdag_rules_add(run, rules, plain->rule[i].text);
    struct bestdag_knowledge *k =
        bestdag_knowledge_new(run, rules, PLAIN_NAMES, N);
    struct bestdag_dag *dag =
        bestdag_run_status(run) ? NULL : bestdag_dag_new(run, N);
    int broken;
    if (dag)
        bestdag_rules_check(run, rules, PLAIN_NAMES, dag, &broken);
    bestdag_dag_free(dag);
    bestdag_knowledge_free(k);
    bestdag_rules_free(rules);
    return !bestdag_run_status(run);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (uint64_t trial = 0; trial < 40; trial++) {
        struct bestdag_random random = bestdag_random_init(SEED, trial);
        struct plain_rules plain = plain_random(&random, N, 4, true);
        survives_failing_allocations(compile_and_check, &plain);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_checker_names_the_first_rule_that_is_broken),
        cmocka_unit_test(a_broken_rule_is_told_with_its_place),
        cmocka_unit_test(compiled_rules_say_the_same),
        cmocka_unit_test(a_subset_that_may_prune_obeys_where_the_set_does),
        cmocka_unit_test(without_an_unmarked_parent_a_graph_still_obeys),
        cmocka_unit_test(needs_say_what_is_left_for_a_search),
        cmocka_unit_test(a_solver_refuses_by_name),
        cmocka_unit_test(naive_bayes_over_a_thousand_variables_is_rows),
        cmocka_unit_test(every_allocation_may_fail),
    };
    if (list_dags(N, dags) != 543)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
