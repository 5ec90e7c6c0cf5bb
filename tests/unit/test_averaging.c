/* SPDX-License-Identifier: MIT */
/* test_averaging.c -- ballots, the threshold, the averaged graph. */
#include "learn/averaging.h"

#include <math.h>

#include "constraints/deduction/checker.h"
#include "random_table.h"
#include "scratch.h"
#include "small_graphs.h"

enum { NETWORKS = 40 };

static const char *const NAMES[] = {"A", "B", "C", "D", "E", "F", "G"};

/* Networks and what is made of them. */
struct poll {
    struct bestdag_run *run;
    int n, networks;
    struct bestdag_edge_set ballot[NETWORKS];
    const struct bestdag_edge_set *ballots[NETWORKS];
    struct bestdag_votes votes;
    struct bestdag_table *table;
    struct bestdag_scorer *scorer;
    struct bestdag_rules *rules;
    struct bestdag_knowledge *knowledge;
};

static void open_poll(struct poll *p, int n, uint64_t seed)
{
    struct random_table how = {
        .seed = seed, .columns = n, .most = 3, .rows = 60};
    *p = (struct poll){.run = bestdag_run_new(), .n = n};
    p->table = random_table(p->run, how);
    p->scorer = bestdag_scorer_new(p->run, p->table, NULL);
    assert_fine(p->run);
}

static void set_rule(struct poll *p, const char *line)
{
    if (!p->rules)
        p->rules = bestdag_rules_new(p->run);
    bestdag_rules_add(p->run, p->rules, line);
    bestdag_knowledge_free(p->knowledge);
    p->knowledge = bestdag_knowledge_new(p->run, p->rules, NAMES, p->n);
    assert_fine(p->run);
}

static void vote(struct poll *p, const struct small *g, bool by_class)
{
    struct bestdag_dag *dag = to_dag(p->run, g);
    int i = p->networks++;
    assert_true(i < NETWORKS);
    bestdag_edge_set_fill(p->run, dag, p->knowledge, NULL, by_class,
                          &p->ballot[i]);
    assert_fine(p->run);
    p->ballots[i] = &p->ballot[i];
    bestdag_dag_free(dag);
}

static void count(struct poll *p)
{
    bestdag_votes_release(&p->votes);
    bestdag_votes_count(p->run, p->n, p->ballots, p->networks, &p->votes);
    assert_fine(p->run);
}

static struct bestdag_average average(struct poll *p, double threshold)
{
    struct bestdag_average a;
    struct bestdag_averaging how = {.votes = &p->votes,
                                    .threshold = threshold,
                                    .scorer = p->scorer,
                                    .knowledge = p->knowledge,
                                    .names = NAMES,
                                    .max_parents = -1,
                                    .ballots = p->ballots,
                                    .networks = p->networks};
    bestdag_average_make(p->run, &how, &a);
    return a;
}

static struct small average_small(struct poll *p, double threshold)
{
    struct bestdag_average a = average(p, threshold);
    assert_fine(p->run);
    struct small g = of_dag(a.dag);
    bestdag_dag_free(a.dag);
    assert_true(acyclic(&g));
    return g;
}

static void close_poll(struct poll *p)
{
    for (int i = 0; i < p->networks; i++)
        bestdag_edge_set_release(&p->ballot[i]);
    bestdag_votes_release(&p->votes);
    bestdag_scorer_free(p->scorer);
    bestdag_table_free(p->table);
    bestdag_knowledge_free(p->knowledge);
    bestdag_rules_free(p->rules);
    scratch_end(p->run);
}

static struct small arcs(int n, const char *text)
{
    struct small g = {.n = n};
    for (; *text; text += 2 + (text[2] == ' '))
        g.parents[text[1] - 'A'] |= (uint32_t)1 << (text[0] - 'A');
    return g;
}

/* ---- ballots ----------------------------------------------------------------
 */

static void a_ballot_gives_its_network_back(void **state)
{
    (void)state;
    struct bestdag_random random = bestdag_random_init(1, 0);
    for (int i = 0; i < 100; i++) {
        struct poll p;
        open_poll(&p, 6, 1);
        struct small g = random_small(&random, 6, 0.4);
        vote(&p, &g, i % 2);
        struct bestdag_dag *dag = bestdag_edge_set_dag(p.run, &p.ballot[0], 6);
        struct small again = of_dag(dag);
        assert_true(same(&g, &again));
        bestdag_dag_free(dag);
        close_poll(&p);
    }
}

/* Against the CPDAG by Meek's rules. */
static void votes_are_those_of_the_classes(void **state)
{
    (void)state;
    struct bestdag_random random = bestdag_random_init(2, 0);
    for (int round = 0; round < 50; round++) {
        struct poll p;
        int forward[6][6] = {{0}}, either[6][6] = {{0}}, seen = 0;
        open_poll(&p, 6, 1);
        for (int i = 0; i < 20; i++) {
            struct small g = random_small(&random, 6, 0.35);
            struct small class = meek(&g);
            vote(&p, &g, true);
            for (int a = 0; a < 6; a++)
                for (int b = 0; b < 6; b++) {
                    forward[a][b] += has(class.parents[b], a);
                    either[a][b] += has(class.neighbours[b], a);
                }
        }
        count(&p);
        for (int64_t i = 0; i < p.votes.count; i++) {
            const struct bestdag_edge_votes *q = &p.votes.pair[i];
            assert_true(q->a < q->b);
            assert_int_equal(q->forward, forward[q->a][q->b]);
            assert_int_equal(q->backward, forward[q->b][q->a]);
            assert_int_equal(q->either, either[q->a][q->b]);
            if (i)
                assert_true(bestdag_edge_votes_total(q) <=
                            bestdag_edge_votes_total(q - 1));
        }
        for (int b = 0; b < 6; b++)
            for (int a = 0; a < b; a++)
                seen += forward[a][b] + forward[b][a] + either[a][b] > 0;
        assert_int_equal(p.votes.count, seen);
        assert_int_equal(p.votes.networks, 20);
        close_poll(&p);
    }
}

static void rules_fix_what_a_class_leaves_open(void **state)
{
    (void)state;
    struct poll p;
    struct small chain = arcs(3, "AB BC");
    open_poll(&p, 3, 1);
    vote(&p, &chain, true);
    set_rule(&p, "not B -> A");
    vote(&p, &chain, true);
    count(&p);
    assert_int_equal(p.votes.count, 2);
    for (int i = 0; i < 2; i++) { /* B -> C follows: no new v-structure */
        assert_int_equal(p.votes.pair[i].either, 1);
        assert_int_equal(p.votes.pair[i].forward, 1);
    }
    close_poll(&p);
}

/* ---- the threshold ----------------------------------------------------------
 */

/* The integral of |F - t| over [0, 1], F the distribution of the strengths
 * counts[0 .. pairs) / networks. */
static double distance(const int *counts, int pairs, int networks, double t)
{
    double sum = 0;
    for (int k = 0; k < networks; k++) { /* F is constant on [k, k + 1) */
        int below = 0;
        for (int i = 0; i < pairs; i++)
            below += counts[i] <= k;
        sum += fabs((double)below / pairs - t) / networks;
    }
    return sum;
}

static void the_threshold_is_that_of_the_nearest_ideal(void **state)
{
    (void)state;
    struct bestdag_random random = bestdag_random_init(3, 0);
    enum { N = 6, PAIRS = N * (N - 1) / 2 };
    for (int round = 0; round < 300; round++) {
        int networks = 1 + (int)bestdag_random_below(&random, 30);
        int counts[PAIRS], below = 0;
        struct bestdag_edge_votes pair[PAIRS];
        struct bestdag_votes votes = {
            .n = N, .networks = networks, .pair = pair};
        for (int i = 0; i < PAIRS; i++)
            counts[i] =
                (int)bestdag_random_below(&random, (uint64_t)networks + 1);
        for (int votes_of = networks; votes_of > 0; votes_of--)
            for (int i = 0; i < PAIRS; i++)
                if (counts[i] == votes_of) /* strongest first */
                    pair[votes.count++] = (struct bestdag_edge_votes){
                        .b = 1, .forward = votes_of};
        double x = bestdag_votes_threshold(&votes);
        for (int i = 0; i < PAIRS; i++)
            below += counts[i] <= (int)lround(x * networks);
        /* F(x) is the best t of a fine grid, and of all that F takes */
        double best = distance(counts, PAIRS, networks, (double)below / PAIRS);
        for (int t = 0; t <= 20 * PAIRS; t++)
            assert_true(best <=
                        distance(counts, PAIRS, networks, t / (20.0 * PAIRS)) +
                            1e-12);
        /* and x is the least strength at which F reaches it */
        bool is_strength = !below; /* then it is 0 */
        for (int i = 0; i < PAIRS; i++)
            is_strength |= counts[i] == (int)lround(x * networks);
        assert_true(is_strength);
    }
}

/* ---- the average ------------------------------------------------------------
 */

static void averages_have_no_cycle(void **state)
{
    (void)state;
    struct bestdag_random random = bestdag_random_init(4, 0);
    for (int round = 0; round < 200; round++) {
        struct poll p;
        open_poll(&p, 7, 1 + (uint64_t)round);
        for (int i = 0; i < 9; i++) {
            struct small g = random_small(&random, 7, 0.6);
            vote(&p, &g, round % 2);
        }
        count(&p);
        for (double t = 0; t <= 1; t += 0.25) {
            struct small g = average_small(&p, t);
            /* all that is above the threshold and of which both ways were
             * voted for is there, and nothing else */
            for (int64_t i = 0; i < p.votes.count; i++) {
                const struct bestdag_edge_votes *q = &p.votes.pair[i];
                bool above = bestdag_edge_votes_total(q) / 9.0 > t ||
                             bestdag_edge_votes_total(q) == 9;
                int along = bestdag_edge_votes_along(q);
                if (!above)
                    assert_false(adjacent(&g, q->a, q->b));
                else if (along && along < 2 * bestdag_edge_votes_total(q))
                    assert_true(adjacent(&g, q->a, q->b));
            }
        }
        close_poll(&p);
    }
}

static void networks_that_agree_are_their_average(void **state)
{
    (void)state;
    struct bestdag_random random = bestdag_random_init(5, 0);
    for (int round = 0; round < 100; round++) {
        struct poll p;
        bool by_class = round % 2;
        open_poll(&p, 7, 1);
        struct small g = random_small(&random, 7, 0.4);
        for (int i = 0; i < 3; i++)
            vote(&p, &g, by_class);
        count(&p);
        assert_true(bestdag_votes_threshold(&p.votes) == 0);
        struct small got = average_small(&p, 0.5);
        struct small class = meek(&g), got_class = meek(&got);
        assert_true(by_class ? same(&class, &got_class) : same(&g, &got));
        close_poll(&p);
    }
}

/* A -> B -> C -> A: the weakest is reversed if asked for. */
static void an_arc_that_closes_a_cycle_is_turned_or_left_out(void **state)
{
    (void)state;
    for (int opposed = 0; opposed < 2; opposed++) {
        struct poll p;
        struct small ab = arcs(3, "AB BC"), bc = arcs(3, "BC CA"),
                     ca = arcs(3, "CA AB"), ac = arcs(3, "AC AB BC");
        open_poll(&p, 3, 1);
        for (int i = 0; i < 3; i++) {
            vote(&p, &ab, false);
            vote(&p, &bc, false);
        }
        vote(&p, &ab, false);
        vote(&p, &ca, false);
        if (opposed)
            vote(&p, &ac, false);
        count(&p);
        struct bestdag_average a = average(&p, 0.1);
        assert_fine(p.run);
        struct small got = of_dag(a.dag);
        assert_true(same(&got, opposed ? &ac : &ab));
        assert_int_equal(a.turned, opposed);
        assert_int_equal(a.left_out, !opposed);
        assert_int_equal(a.broken, -1);
        bestdag_dag_free(a.dag);
        close_poll(&p);
    }
}

/* Most say A - B - C, few A -> B <- C: no v-structure comes of it. */
static void open_edges_make_no_new_v_structure(void **state)
{
    (void)state;
    struct poll p;
    struct small chain = arcs(3, "AB BC"), v = arcs(3, "AB CB");
    open_poll(&p, 3, 1);
    for (int i = 0; i < 9; i++)
        vote(&p, &chain, true);
    vote(&p, &v, true);
    count(&p);
    struct small got = average_small(&p, 0.5);
    assert_true(adjacent(&got, 0, 1) && adjacent(&got, 1, 2));
    assert_false(is_v(&got, 0, 1, 2));
    close_poll(&p);
}

/* ---- rules ------------------------------------------------------------------
 */

static void required_and_forbidden_arcs_are_kept_to(void **state)
{
    (void)state;
    struct poll p;
    struct small g = arcs(4, "AB BC CD");
    open_poll(&p, 4, 1);
    set_rule(&p, "C -> D");
    set_rule(&p, "not B -> C");
    struct small none = arcs(4, "");
    for (int i = 0; i < 3; i++)
        vote(&p, &g, true);
    vote(&p, &none, true);
    count(&p);
    struct small got = average_small(&p, 1); /* nothing is above that */
    struct small want = arcs(4, "CD");
    assert_true(same(&got, &want));
    got = average_small(&p, 0);
    assert_false(has(got.parents[2], 1));
    assert_true(has(got.parents[3], 2));
    close_poll(&p);
}

/* Each network has A -> B or C -> D; neither arc is in more than half. */
static void an_average_that_breaks_a_rule_is_moved(void **state)
{
    (void)state;
    struct poll p;
    struct small one = arcs(4, "AB AC"), other = arcs(4, "CD AC");
    open_poll(&p, 4, 1);
    set_rule(&p, "A -> B or C -> D");
    for (int i = 0; i < 4; i++) {
        vote(&p, &other, false);
        vote(&p, &one, false);
    }
    count(&p);
    struct bestdag_average a = average(&p, 0.5);
    assert_fine(p.run);
    struct small got = of_dag(a.dag);
    assert_int_equal(a.broken, 0);
    assert_true(same(&got, &other)); /* the first of those that are as near */
    bestdag_dag_free(a.dag);
    close_poll(&p);
}

static void averages_obey_paths(void **state)
{
    (void)state;
    struct bestdag_random random = bestdag_random_init(6, 0);
    int moved = 0;
    for (int round = 0; round < 100; round++) {
        struct poll p;
        int broken;
        open_poll(&p, 6, 1);
        set_rule(&p, "ancestor A F");
        set_rule(&p, "not ancestor B E");
        while (p.networks < 9) {
            struct small g = random_small(&random, 6, 0.4);
            struct bestdag_dag *dag = to_dag(p.run, &g);
            bestdag_rules_check(p.run, p.rules, NAMES, dag, &broken);
            bestdag_dag_free(dag);
            if (broken < 0)
                vote(&p, &g, round % 2);
        }
        count(&p);
        struct bestdag_average a = average(&p, 0.5);
        assert_fine(p.run);
        bestdag_rules_check(p.run, p.rules, NAMES, a.dag, &broken);
        assert_int_equal(broken, -1);
        moved += a.broken >= 0;
        bestdag_dag_free(a.dag);
        close_poll(&p);
    }
    print_message("%d of 100 moved\n", moved);
    assert_true(moved > 5);
}

static void failing_allocations_are_survived(void **state)
{
    (void)state;
    struct poll p;
    struct small one = arcs(4, "AB AC"), other = arcs(4, "CD AC");
    open_poll(&p, 4, 1);
    set_rule(&p, "A -> B or C -> D");
    vote(&p, &one, true);
    vote(&p, &other, true);
    count(&p);
    for (int n = 1;; n++) {
        bestdag_memory_fail_at(p.run, n);
        struct bestdag_average a = average(&p, 0.5);
        bool failed = bestdag_memory_has_failed(p.run);
        assert_int_equal(bestdag_run_status(p.run),
                         failed ? BESTDAG_MEMORY : BESTDAG_OK);
        bestdag_memory_fail_at(p.run, 0);
        bestdag_run_clear(p.run);
        bestdag_dag_free(a.dag);
        if (!failed)
            break;
    }
    close_poll(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ballot_gives_its_network_back),
        cmocka_unit_test(votes_are_those_of_the_classes),
        cmocka_unit_test(rules_fix_what_a_class_leaves_open),
        cmocka_unit_test(the_threshold_is_that_of_the_nearest_ideal),
        cmocka_unit_test(averages_have_no_cycle),
        cmocka_unit_test(networks_that_agree_are_their_average),
        cmocka_unit_test(an_arc_that_closes_a_cycle_is_turned_or_left_out),
        cmocka_unit_test(open_edges_make_no_new_v_structure),
        cmocka_unit_test(required_and_forbidden_arcs_are_kept_to),
        cmocka_unit_test(an_average_that_breaks_a_rule_is_moved),
        cmocka_unit_test(averages_obey_paths),
        cmocka_unit_test(failing_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
