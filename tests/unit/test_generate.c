/* SPDX-License-Identifier: MIT */
/* test_generate.c -- random networks: what was asked for holds, and chance is
 * fair. */
#include "nets.h"

static int setup(void **state)
{
    *state = bestdag_run_new();
    return !*state;
}

static int teardown(void **state)
{
    bestdag_run_free(*state);
    return 0;
}

/* Keys and values, ending in NULL. */
static struct bestdag_network *generate(struct bestdag_run *run,
                                        const char *const *settings)
{
    struct bestdag_options *options = bestdag_options_new(run);
    for (; *settings; settings += 2)
        assert_int_equal(
            bestdag_options_set(run, options, settings[0], settings[1]),
            BESTDAG_OK);
    struct bestdag_network *net = bestdag_network_generate(run, options);
    bestdag_options_free(options);
    return net;
}
#define GENERATE(run, ...)                                                     \
    generate(run, (const char *const[]){__VA_ARGS__, NULL})

static int most_parents(const struct bestdag_network *net)
{
    int most = 0;
    for (int v = 0; v < net->dag->n; v++)
        if (net->dag->parents[v].count > most)
            most = net->dag->parents[v].count;
    return most;
}

static void assert_sound(struct bestdag_run *run, struct bestdag_network *net,
                         int least, int most)
{
    assert_non_null(net);
    assert_int_equal(bestdag_network_check_consistency(run, net, "generated"),
                     BESTDAG_OK);
    for (int v = 0; v < net->dag->n; v++) {
        const struct bestdag_variable *x = &net->variable[v];
        int64_t q = bestdag_network_configurations(net, v);
        assert_true(x->states >= least && x->states <= most);
        for (int64_t j = 0; j < q; j++) {
            double sum = 0;
            for (int s = 0; s < x->states; s++) {
                assert_true(x->table[j * x->states + s] >= 0);
                sum += x->table[j * x->states + s];
            }
            assert_true(fabs(sum - 1) < 1e-15 * (2 + x->states));
        }
    }
}

static void without_options_it_is_a_small_network(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net = bestdag_network_generate(run, NULL);
    assert_sound(run, net, 2, 4);
    assert_int_equal(net->dag->n, 20);
    assert_true(most_parents(net) <= 3);
    assert_string_equal(bestdag_network_name(net, 19), "X20");
    assert_string_equal(bestdag_network_label(net, 0, 1), "s2");
    assert_string_equal(bestdag_network_noted(net, "recipe"), "plain");
    assert_string_equal(bestdag_network_noted(net, "seed"), "1");
    bestdag_network_free(net);
}

static void the_recipe_of_2015_draws_states_and_parents_evenly(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net =
        GENERATE(run, "recipe", "nips2015", "variables", "2000");
    int parents[7] = {0}, states[5] = {0}, forward = 0, backward = 0;
    assert_sound(run, net, 2, 4);
    for (int v = 0; v < 2000; v++) {
        const struct bestdag_parents *p = &net->dag->parents[v];
        assert_true(p->count <= 6);
        parents[p->count]++;
        states[net->variable[v].states]++;
        for (int i = 0; i < p->count; i++)
            *(p->at[i] < v ? &forward : &backward) += 1;
    }
    for (int k = 0; k <= 6; k++) /* 286 +- 16 */
        assert_true(abs(parents[k] - 286) < 70);
    for (int s = 2; s <= 4; s++) /* 667 +- 21 */
        assert_true(abs(states[s] - 667) < 95);
    /* the numbers are no order of the arcs: as many go up as down */
    assert_true(abs(forward - backward) < 6 * 77);
    bestdag_network_free(net);
}

static void the_recipe_of_2009_has_at_most_three_arcs_a_variable(void **state)
{
    struct bestdag_run *run = *state;
    for (int seed = 1; seed <= 20; seed++) {
        char text[16];
        snprintf(text, sizeof text, "%d", seed);
        bestdag_run_set(run, "seed", text);
        struct bestdag_network *net =
            GENERATE(run, "recipe", "icml2009", "variables", "50");
        assert_sound(run, net, 2, 4);
        int64_t arcs = bestdag_dag_arcs(net->dag);
        assert_true(arcs <= 150 && arcs > 100);
        assert_true(most_parents(net) <= 6);
        bestdag_network_free(net);
    }
    struct bestdag_network *one =
        GENERATE(run, "recipe", "icml2009", "variables", "1");
    assert_sound(run, one, 2, 4);
    bestdag_network_free(one);
}

static void options_go_before_recipes(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net = GENERATE(run, "recipe", "nips2015",
                                           "max-parents", "1", "states", "5:5");
    assert_sound(run, net, 5, 5);
    assert_int_equal(most_parents(net), 1);
    bestdag_network_free(net);
    net = GENERATE(run, "recipe", "icml2009", "arcs", "7", "states", "3");
    assert_sound(run, net, 3, 3);
    assert_int_equal(bestdag_dag_arcs(net->dag), 7);
    bestdag_network_free(net);
}

static void a_number_of_arcs_is_met_exactly_up_to_the_most(void **state)
{
    struct bestdag_run *run = *state;
    for (int n = 1; n <= 9; n++)
        for (int k = 0; k <= 4; k++) {
            int most = 0;
            for (int i = 0; i < n; i++)
                most += i < k ? i : k;
            for (int arcs = 0; arcs <= most + 1; arcs++) {
                char text[3][16];
                snprintf(text[0], 16, "%d", n);
                snprintf(text[1], 16, "%d", k);
                snprintf(text[2], 16, "%d", arcs);
                struct bestdag_network *net =
                    GENERATE(run, "variables", text[0], "max-parents", text[1],
                             "arcs", text[2], "states", "1:2");
                if (arcs > most) {
                    assert_null(net);
                    assert_error(run, BESTDAG_USAGE, "arcs are too many");
                    continue;
                }
                assert_sound(run, net, 1, 2);
                assert_int_equal(bestdag_dag_arcs(net->dag), arcs);
                assert_true(most_parents(net) <= k);
                bestdag_network_free(net);
            }
        }
}

/* All 25 graphs of three variables with their chances: order (6), then one arc
 * of three: each of the 6 arcs has chance 1/6. */
static void every_arc_has_the_same_chance(void **state)
{
    struct bestdag_run *run = *state;
    int count[3][3] = {{0}};
    for (uint64_t seed = 0; seed < 6000; seed++) {
        run->seed = seed;
        struct bestdag_network *net =
            GENERATE(run, "variables", "3", "arcs", "1", "states", "1");
        for (int v = 0; v < 3; v++)
            if (net->dag->parents[v].count)
                count[net->dag->parents[v].at[0]][v]++;
        bestdag_network_free(net);
    }
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            if (a != b) /* 1000 +- 29 */
                assert_true(abs(count[a][b] - 1000) < 130);
}

/* Mean and variance of a cell of a symmetric Dirichlet row of 3 states with
 * parameter a: 1/3 and (2/9) / (3a + 1). */
static void rows_are_dirichlet(void **state)
{
    static const char *const concentration[] = {"0.001", "0.3", "1", "2.5",
                                                "100"};
    struct bestdag_run *run = *state;
    for (int c = 0; c < 5; c++) {
        struct bestdag_network *net =
            GENERATE(run, "variables", "20000", "max-parents", "0", "states",
                     "3", "concentration", concentration[c]);
        double a = atof(concentration[c]), mean = 0, square = 0;
        assert_sound(run, net, 3, 3);
        for (int v = 0; v < 20000; v++) {
            double x = net->variable[v].table[v % 3];
            mean += x / 20000;
            square += (x - 1.0 / 3) * (x - 1.0 / 3) / 20000;
        }
        double variance = 2.0 / 9 / (3 * a + 1);
        assert_true(fabs(mean - 1.0 / 3) < 5 * sqrt(variance / 20000));
        assert_true(fabs(square / variance - 1) < 0.06);
        bestdag_network_free(net);
    }
}

static void the_seed_decides(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_network *net[3];
    for (int i = 0; i < 3; i++) {
        bestdag_run_set(run, "seed", i < 2 ? "5" : "6");
        bestdag_run_set(run, "threads", i ? "8" : "1");
        net[i] = GENERATE(run, "variables", "50", "states", "2");
        assert_non_null(net[i]);
    }
    int differ = 0;
    for (int v = 0; v < 50; v++) {
        const struct bestdag_parents *a = &net[0]->dag->parents[v];
        const struct bestdag_parents *b = &net[1]->dag->parents[v];
        const struct bestdag_parents *c = &net[2]->dag->parents[v];
        size_t cells = (size_t)bestdag_network_configurations(net[0], v) * 2;
        assert_int_equal(a->count, b->count);
        assert_memory_equal(a->at, b->at, (size_t)a->count * sizeof *a->at);
        assert_memory_equal(net[0]->variable[v].table,
                            net[1]->variable[v].table, cells * sizeof(double));
        differ += a->count != c->count;
    }
    assert_true(differ > 10);
    for (int i = 0; i < 3; i++)
        bestdag_network_free(net[i]);
}

static void wrong_wishes_are_refused(void **state)
{
    static const char *const bad[] = {"4:2", "0:3",   "2:",  ":3",      "a:b",
                                      "2.5", "2:3:4", "2:x", "1:70000", ""};
    struct bestdag_run *run = *state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_null(GENERATE(run, "states", bad[i]));
        assert_error(run, BESTDAG_USAGE, "is not A:B");
    }
    assert_null(GENERATE(run, "variables", "10", "arcs", "40"));
    assert_error(run, BESTDAG_USAGE,
                 "10 variables with at most 3 parents each have room for 24");
    bestdag_run_set(run, "memory-limit", "8M");
    assert_null(GENERATE(run, "variables", "30", "arcs", "300", "max-parents",
                         "20", "states", "4"));
    assert_error(run, BESTDAG_MEMORY, "needs");
    bestdag_run_set(run, "memory-limit", "0");
    assert_null(GENERATE(run, "variables", "30", "arcs", "300", "max-parents",
                         "20", "states", "60000"));
    assert_error(run, BESTDAG_MEMORY, "too large");
}

static void a_stop_ends_it(void **state)
{
    struct bestdag_run *run = *state;
    bestdag_run_stop(run);
    assert_null(bestdag_network_generate(run, NULL));
    assert_error(run, BESTDAG_FAILED, "stopped before");
}

static void every_allocation_may_fail(void **state)
{
    struct bestdag_run *run = *state;
    struct bestdag_options *options = bestdag_options_new(run);
    bestdag_options_set(run, options, "variables", "4");
    bestdag_options_set(run, options, "arcs", "4");
    for (int64_t n = 1;; n++) {
        bestdag_memory_fail_at(run, n);
        struct bestdag_network *net = bestdag_network_generate(run, options);
        bestdag_memory_fail_at(run, 0);
        assert_true(n < 1000);
        if (net) {
            assert_true(n > 20);
            bestdag_network_free(net);
            break;
        }
        assert_error(run, BESTDAG_MEMORY, "");
    }
    bestdag_options_free(options);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(without_options_it_is_a_small_network),
        TEST(the_recipe_of_2015_draws_states_and_parents_evenly),
        TEST(the_recipe_of_2009_has_at_most_three_arcs_a_variable),
        TEST(options_go_before_recipes),
        TEST(a_number_of_arcs_is_met_exactly_up_to_the_most),
        TEST(every_arc_has_the_same_chance),
        TEST(rows_are_dirichlet),
        TEST(the_seed_decides),
        TEST(wrong_wishes_are_refused),
        TEST(a_stop_ends_it),
        TEST(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
