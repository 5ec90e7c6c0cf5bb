/* SPDX-License-Identifier: MIT */
/* test_conflict.c -- can rules be satisfied, and which of them cannot: against
 * all DAGs of four variables; and the message. */
#include "scratch.h"

#include "constraints/deduction/compile.h"
#include "constraints/deduction/conflict.h"
#include "plain_rules.h"

enum { N = 4, TRIALS = 400 };

static const uint64_t SEED = 20261117;

static struct small dags[543];

/* Is there a DAG that obeys these rules? */
static bool plain_satisfiable(const struct plain_rules *plain,
                              const bool *chosen)
{
    struct plain_rules some = {.n = plain->n};
    for (int i = 0; i < plain->count; i++)
        if (!chosen || chosen[i])
            some.rule[some.count++] = plain->rule[i];
    for (int i = 0; i < 543; i++)
        if (plain_broken(&some, &dags[i]) < 0)
            return true;
    return false;
}

static struct plain_rules draw(uint64_t trial, int count)
{
    struct bestdag_random random = bestdag_random_init(SEED, trial);
    return plain_random(&random, N, count, true);
}

static void the_search_finds_a_dag_where_there_is_one(void **state)
{
    (void)state;
    int none = 0;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        struct bestdag_run *run = bestdag_run_new();
        struct plain_rules plain = draw(trial, 1 + (int)(trial % MOST_RULES));
        struct bestdag_rules *rules = plain_read(run, &plain);
        struct bestdag_knowledge_query q = {
            .rules = rules, .names = PLAIN_NAMES, .n = N};
        bool wanted = plain_satisfiable(&plain, NULL);
        if (bestdag_rules_satisfiable(run, &q) !=
            (wanted ? BESTDAG_YES : BESTDAG_NO))
            fail_msg("seed %llu, trial %llu: %s", (unsigned long long)SEED,
                     (unsigned long long)trial, plain_all(&plain));
        none += !wanted;
        bestdag_rules_free(rules);
        scratch_end(run);
    }
    assert_in_range(none, TRIALS / 10, TRIALS - TRIALS / 10);
}

/* ---- irreducible
 * --------------------------------------------------------------- */

struct oracle {
    struct bestdag_run *run;
    struct bestdag_knowledge_query question;
};

static enum bestdag_satisfiability ask(void *user, const bool *chosen)
{
    struct oracle *o = user;
    o->question.chosen = chosen;
    return bestdag_rules_satisfiable(o->run, &o->question);
}

/* All "allow only" go together. */
static void drop(const struct plain_rules *plain, const bool *from, int i,
                 bool *to)
{
    for (int j = 0; j < plain->count; j++)
        to[j] = from[j] && j != i &&
                (plain->rule[i].kind != ALLOW || plain->rule[j].kind != ALLOW);
}

static void what_is_left_is_irreducible(void **state)
{
    (void)state;
    int conflicts = 0;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        struct plain_rules plain = draw(trial, MOST_RULES);
        bool chosen[MOST_RULES], fewer[MOST_RULES], irreducible;
        if (plain_satisfiable(&plain, NULL))
            continue;
        struct bestdag_run *run = bestdag_run_new();
        struct bestdag_rules *rules = plain_read(run, &plain);
        struct oracle o = {run, {.rules = rules, .names = PLAIN_NAMES, .n = N}};
        memset(chosen, 1, sizeof chosen);
        bestdag_conflict_reduce(run, rules, ask, &o, chosen, &irreducible);
        assert_fine(run);
        assert_true(irreducible);
        assert_false(plain_satisfiable(&plain, chosen));
        for (int i = 0; i < MOST_RULES; i++)
            if (chosen[i]) {
                drop(&plain, chosen, i, fewer);
                assert_true(plain_satisfiable(&plain, fewer));
            }
        conflicts++;
        bestdag_rules_free(rules);
        scratch_end(run);
    }
    assert_true(conflicts > TRIALS / 10);
}

static enum bestdag_satisfiability never_known(void *user, const bool *chosen)
{
    (void)user;
    (void)chosen;
    return BESTDAG_UNKNOWN;
}

static void what_is_not_known_keeps_all(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_rules *rules = bestdag_rules_new(run);
    bool chosen[2] = {true, true}, irreducible;
    bestdag_rules_add(run, rules, "A -> B");
    bestdag_rules_add(run, rules, "B -> A");
    bestdag_conflict_reduce(run, rules, never_known, NULL, chosen,
                            &irreducible);
    assert_true(chosen[0] && chosen[1] && !irreducible);
    bestdag_rules_free(rules);
    scratch_end(run);
}

/* ---- the message
 * ----------------------------------------------------------------- */

static int need_network(struct bestdag_run *run,
                        const struct bestdag_rules *rules)
{
    struct bestdag_knowledge_query q = {
        .rules = rules, .names = PLAIN_NAMES, .n = N};
    return bestdag_rules_need_network(run, &q, NULL);
}

/* Rules of two files and some without a file. */
static void check_message(const char *const files[2], const char *const *lines,
                          const char *message)
{
    const char *folder = scratch_make();
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_rules *rules = bestdag_rules_new(run);
    char wanted[512] = "", *to = wanted;
    for (int i = 0; i < 2; i++)
        if (files[i]) {
            const char *path = scratch_path(folder, i ? "b.rules" : "a.rules");
            scratch_write(path, files[i], strlen(files[i]));
            assert_int_equal(bestdag_rules_read(run, rules, path), BESTDAG_OK);
        }
    for (; lines && *lines; lines++)
        bestdag_rules_add(run, rules, *lines);
    assert_fine(run);
    need_network(run, rules);
    for (; *message; message++) /* @ stands for the folder */
        to += *message == '@' ? sprintf(to, "%s", folder)
                              : sprintf(to, "%c", *message);
    assert_string_equal(bestdag_run_error(run), wanted);
    assert_int_equal(bestdag_run_status(run),
                     *wanted ? BESTDAG_INFEASIBLE : BESTDAG_OK);
    bestdag_run_clear(run);
    bestdag_rules_free(rules);
    scratch_end(run);
    scratch_files(folder, true);
}

static void conflicts_are_told_by_line(void **state)
{
    (void)state;
    check_message((const char *const[]){"root A\nA -> B\nnot leaf D", NULL},
                  NULL, "");
    check_message(
        (const char *const[]){"# a cycle\nA -> B\nroot D\n\nB -> C\n\n\n"
                              "C -> A\nindegree(D) <= 2\n",
                              NULL},
        NULL,
        "no network satisfies lines 2, 5 and 8 of @/a.rules together (any two "
        "of them can be satisfied)");
    check_message((const char *const[]){"A -> B\nroot B\n", NULL}, NULL,
                  "no network satisfies lines 1 and 2 of @/a.rules together "
                  "(each of them can be satisfied)");
    check_message((const char *const[]){"\nindegree(A) > 9\n", NULL}, NULL,
                  "no network satisfies line 2 of @/a.rules");
    check_message((const char *const[]){"A -> B\nB -> C", "\nC -> D"},
                  (const char *const[]){"root A", "D -> A", NULL},
                  "no network satisfies rule 'root A' and rule 'D -> A' "
                  "together (each of them can be satisfied)");
    check_message((const char *const[]){"A -> B\nB -> C", "\nC -> D"},
                  (const char *const[]){"D -> A", NULL},
                  "no network satisfies lines 1 and 2 of @/a.rules, line 2 of "
                  "@/b.rules and rule 'D -> A' together (any three of them can "
                  "be satisfied)");
    check_message((const char *const[]){"allow only A -> B\nleaf B\n"
                                        "allow only B -> C\nD -> A\n",
                                        NULL},
                  NULL,
                  "no network satisfies lines 1, 3 and 4 of @/a.rules together "
                  "(each of them can be satisfied)");
}

static void orders_and_paths_contradict(void **state)
{
    (void)state;
    check_message((const char *const[]){"order A < B < C\nancestor C A", NULL},
                  NULL,
                  "no network satisfies lines 1 and 2 of @/a.rules together "
                  "(each of them can be satisfied)");
    check_message(
        (const char *const[]){"tiers: A | B | C D\nleaf A\nleaf B\n"
                              "not root C\nnot root D\n",
                              NULL},
        NULL,
        "no network satisfies lines 2, 3, 4 and 5 of @/a.rules together (any "
        "three of them can be satisfied)");
}

/* ---- faults
 * ------------------------------------------------------------------------ */

static bool find_conflict(struct bestdag_run *run, const void *input)
{
    const struct plain_rules *plain = input;
    struct bestdag_rules *rules = bestdag_rules_new(run);
    for (int i = 0; i < plain->count; i++)
        bestdag_rules_add(run, rules, plain->rule[i].text);
    if (!bestdag_run_status(run))
        need_network(run, rules);
    if (bestdag_run_status(run) == BESTDAG_INFEASIBLE)
        bestdag_run_clear(run);
    bestdag_rules_free(rules);
    return !bestdag_run_status(run);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct plain_rules plain = {.n = N, .count = 3};
    strcpy(plain.rule[0].text, "A -> B or A -> C");
    strcpy(plain.rule[1].text, "leaf A");
    strcpy(plain.rule[2].text, "ancestor D A");
    survives_failing_allocations(find_conflict, &plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_search_finds_a_dag_where_there_is_one),
        cmocka_unit_test(what_is_left_is_irreducible),
        cmocka_unit_test(what_is_not_known_keeps_all),
        cmocka_unit_test(conflicts_are_told_by_line),
        cmocka_unit_test(orders_and_paths_contradict),
        cmocka_unit_test(every_allocation_may_fail),
    };
    if (list_dags(N, dags) != 543)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
