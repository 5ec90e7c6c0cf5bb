/* SPDX-License-Identifier: MIT */
/* test_mpdag.c -- compelled arcs under rules, and the sets of parents that a
 * variable has in the class, against all DAGs of the class that obey them. */
#include "constraints/deduction/mpdag.h"

#include "models/class_members.h"
#include "plain_rules.h"
#include "scratch.h"

static const uint64_t SEED = 20261117;

static struct small dags[29281];

/* Rules about arcs, tiers and orders. */
static void draw_rule(struct bestdag_random *r, int n, struct plain_rule *to)
{
    do
        plain_random_rule(r, n, false, to);
    while ((to->kind == ALLOW && plain_draw(r, 4)) ||
           (to->kind == CLAUSE &&
            (to->count > 1 || to->literal[0].kind == INDEGREE ||
             (to->literal[0].kind != ARC && to->literal[0].negated))));
}

static struct plain_rules draw_rules(struct bestdag_random *r, int n)
{
    struct plain_rules rules = {.n = n, .count = 1 + plain_draw(r, 3)};
    for (int i = 0; i < rules.count; i++)
        if (plain_draw(r, 2)) {
            draw_rule(r, n, &rules.rule[i]);
        } else {
            struct plain_rule *order = &rules.rule[i];
            int name[MOST_NODES];
            memset(order, 0, sizeof *order);
            shuffle(r, name, n);
            order->kind = ORDER;
            order->count = 2 + plain_draw(r, 2);
            memcpy(order->list, name, sizeof order->list);
            plain_say_rule(order);
        }
    return rules;
}

/* Bit u of turned[v]: some DAG of the class that obeys has v -> u. */
static void turn_all(const struct small *dag, const struct plain_rules *rules,
                     int count, uint32_t turned[])
{
    memset(turned, 0, MOST_NODES * sizeof *turned);
    for (int i = 0; i < count; i++) {
        const struct small *g = &dags[i];
        if (!same_skeleton(g, dag) || !same_v(g, dag) ||
            plain_broken(rules, g) >= 0)
            continue;
        for (int v = 0; v < dag->n; v++)
            turned[v] |= dag->parents[v] & ~g->parents[v];
    }
}

/* ---- sets of parents --------------------------------------------------------
 */

static bool is_member(const struct small *g, const struct small *dag,
                      const struct plain_rules *rules)
{
    return same_skeleton(g, dag) && same_v(g, dag) && acyclic(g) &&
           (!rules || plain_broken(rules, g) < 0);
}

struct parents_of {
    const struct small *dag;
    const struct plain_rules *rules;
    int variable;
    bool seen[32]; /* by the mask of the set */
};

static int see(void *user, const struct bestdag_dag *member)
{
    struct parents_of *p = user;
    struct small g = of_dag(member);
    assert_true(is_member(&g, p->dag, p->rules));
    assert_false(p->seen[g.parents[p->variable]]);
    p->seen[g.parents[p->variable]] = true;
    return 0;
}

/* Returns how many sets there are. */
static int check_parents(struct bestdag_run *run, const struct bestdag_dag *dag,
                         const struct bestdag_rules *rules,
                         struct parents_of *p, int count)
{
    bool wanted[32] = {false};
    int sets = 0;
    struct bestdag_class_found found;
    struct bestdag_class_request request = {.dag = dag,
                                            .rules = rules,
                                            .names = PLAIN_NAMES,
                                            .variable = p->variable,
                                            .most = 1000,
                                            .each = see,
                                            .user = p};
    for (int i = 0; i < count; i++)
        if (is_member(&dags[i], p->dag, p->rules))
            wanted[dags[i].parents[p->variable]] = true;
    assert_int_equal(bestdag_class_members(run, &request, &found), BESTDAG_OK);
    assert_true(found.complete);
    for (int set = 0; set < 32; set++) {
        assert_int_equal(p->seen[set], wanted[set]);
        sets += wanted[set];
    }
    assert_int_equal(found.members, sets);
    bestdag_free(found.open);
    return sets;
}

static void sets_of_parents_without_rules(void **state)
{
    (void)state;
    int count = list_dags(5, dags), most = 0;
    struct bestdag_random r = bestdag_random_init(SEED, 1);
    struct bestdag_run *run = bestdag_run_new();
    for (int trial = 0; trial < 500; trial++) {
        const struct small *g = &dags[plain_draw(&r, count)];
        struct parents_of p = {.dag = g, .variable = plain_draw(&r, 5)};
        struct bestdag_dag *dag = to_dag(run, g);
        int sets = check_parents(run, dag, NULL, &p, count);
        most = sets > most ? sets : most;
        bestdag_dag_free(dag);
    }
    assert_true(most >= 8);
    scratch_end(run);
}

/* ---- labels -----------------------------------------------------------------
 */

static void check(const struct small *dag, const struct plain_rules *plain,
                  int count, int *fixed)
{
    uint32_t turned[MOST_NODES];
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_rules *rules = plain_read(run, plain);
    struct bestdag_knowledge *k =
        bestdag_knowledge_new(run, rules, PLAIN_NAMES, dag->n);
    struct bestdag_dag *d = to_dag(run, dag);
    struct bestdag_labels labels, class;
    for (int i = 0; i < plain->count; i++)
        assert_true(bestdag_mpdag_considers(&rules->rule[i]));
    assert_int_equal(bestdag_mpdag_label(run, d, k, &labels), BESTDAG_OK);
    assert_int_equal(bestdag_cpdag_label(run, d, &class), BESTDAG_OK);
    turn_all(dag, plain, count, turned);
    for (int v = 0; v < dag->n; v++)
        for (int i = 0; i < d->parents[v].count; i++) {
            int u = d->parents[v].at[i];
            bool compelled = labels.compelled[labels.start[v] + i];
            *fixed += compelled && !class.compelled[class.start[v] + i];
            if (compelled == has(turned[v], u))
                fail_msg("%s -> %s is %s, under %s", PLAIN_NAMES[u],
                         PLAIN_NAMES[v],
                         compelled ? "not compelled" : "compelled",
                         plain_all(plain));
        }
    for (int v = 0; v < dag->n; v++) {
        struct parents_of p = {.dag = dag, .rules = plain, .variable = v};
        check_parents(run, d, rules, &p, count);
    }
    bestdag_cpdag_release(&labels);
    bestdag_cpdag_release(&class);
    bestdag_dag_free(d);
    bestdag_knowledge_free(k);
    bestdag_rules_free(rules);
    scratch_end(run);
}

static void try_random(int n, int trials)
{
    int count = list_dags(n, dags), fixed = 0, done = 0;
    for (uint64_t t = 0; done < trials; t++) {
        struct bestdag_random r = bestdag_random_init(SEED, t);
        struct plain_rules rules = draw_rules(&r, n);
        const struct small *dag = &dags[plain_draw(&r, count)];
        if (plain_broken(&rules, dag) >= 0)
            continue;
        check(dag, &rules, count, &fixed);
        done++;
    }
    assert_in_range(fixed, trials / 4, 10 * trials);
}

static void four_variables(void **state)
{
    (void)state;
    try_random(4, 4000);
}

static void five_variables(void **state)
{
    (void)state;
    try_random(5, 2000);
}

/* An order of two that are not adjacent, as mpdag.c gives it. */
static void order_of_two_that_are_not_adjacent(void **state)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_rules *rules = bestdag_rules_new(run);
    struct small chain = {.n = 3, .parents = {0, 1, 2}}; /* A -> B -> C */
    struct bestdag_labels labels;
    (void)state;
    bestdag_rules_add(run, rules, "order A < C");
    struct bestdag_knowledge *k =
        bestdag_knowledge_new(run, rules, PLAIN_NAMES, 3);
    struct bestdag_dag *dag = to_dag(run, &chain);
    assert_int_equal(bestdag_mpdag_label(run, dag, k, &labels), BESTDAG_OK);
    assert_false(labels.compelled[labels.start[1]]);
    assert_true(labels.compelled[labels.start[2]]);
    bestdag_cpdag_release(&labels);
    bestdag_dag_free(dag);
    bestdag_knowledge_free(k);
    bestdag_rules_free(rules);
    scratch_end(run);
}

static void rules_that_are_not_considered(void **state)
{
    static const struct {
        const char *text;
        bool considered;
    } row[] = {{"A -> B", true},
               {"not A -> B", true},
               {"root A", true},
               {"leaf A", true},
               {"adjacent A B", true},
               {"not adjacent A B", true},
               {"for all X: not X -> A", true},
               {"tiers: A | B", true},
               {"order A < B", true},
               {"allow only A -> B", true},
               {"parents A in B", true},
               {"states A: x < y", true},
               {"not root A", false},
               {"not leaf A", false},
               {"indegree(A) <= 2", false},
               {"ancestor A B", false},
               {"not ancestor A B", false},
               {"A -> B or B -> C", false},
               {"positive A -> B", false}};
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_rules *rules = bestdag_rules_new(run);
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        assert_int_equal(bestdag_rules_add(run, rules, row[i].text), 0);
        assert_int_equal(bestdag_mpdag_considers(&rules->rule[i]),
                         row[i].considered);
    }
    bestdag_rules_free(rules);
    scratch_end(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_variables),
        cmocka_unit_test(five_variables),
        cmocka_unit_test(sets_of_parents_without_rules),
        cmocka_unit_test(order_of_two_that_are_not_adjacent),
        cmocka_unit_test(rules_that_are_not_considered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
