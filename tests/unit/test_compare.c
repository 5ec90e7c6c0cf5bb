/* SPDX-License-Identifier: MIT */
/* test_compare.c -- distances between networks and reports of classes, against
 * hand-made values and the plain definitions. */
#include "small_graphs.h"

#include <math.h>

#include "base/json.h"
#include "models/compare.h"
#include "network/network.h"

/* A bare structure; node v of g becomes variable place[v], called V<v>. */
static struct bestdag_network *to_network(struct bestdag_run *run,
                                          const struct small *g,
                                          const int *place)
{
    struct bestdag_network *network = bestdag_network_empty(run, g->n);
    for (int v = 0; v < g->n; v++) {
        char name[16];
        uint32_t parents = 0;
        snprintf(name, sizeof name, "V%d", v);
        for (int u = 0; u < g->n; u++)
            if (has(g->parents[v], u))
                parents |= (uint32_t)1 << (place ? place[u] : u);
        int at = place ? place[v] : v;
        bestdag_network_set_variable(run, network, at,
                                     bestdag_strdup(run, name), NULL, 0);
        set_parents(run, network->dag, at, parents);
    }
    return network;
}

static double number(const struct bestdag_json *report, const char *key)
{
    return bestdag_json_number(bestdag_json_get(report, key));
}

/* Of a count or a truth value that must be there. */
static int64_t integer(const struct bestdag_json *report, const char *key)
{
    double x = number(report, key);
    assert_false(isnan(x));
    return (int64_t)x;
}

static void assert_near(double x, double expected)
{
    assert_true(fabs(x - expected) < 1e-12);
}

static struct bestdag_json *compare(struct bestdag_run *run,
                                    const struct bestdag_network *truth,
                                    const struct bestdag_network *learned)
{
    char *text = bestdag_network_compare(run, truth, learned);
    assert_string_equal(bestdag_run_error(run), "");
    struct bestdag_json *report = bestdag_json_read(run, text);
    assert_non_null(report);
    bestdag_text_free(text);
    return report;
}

/* ---- by definition ------------------------------------------------------- */

static int distance(const struct small *g, const struct small *h)
{
    int count = 0;
    for (int b = 0; b < g->n; b++)
        for (int a = 0; a < b; a++)
            count += relation(g, a, b) != relation(h, a, b);
    return count;
}

static bool is_moral(const struct small *g, int a, int b)
{
    for (int c = 0; c < g->n; c++)
        if (has(g->parents[c], a) && has(g->parents[c], b))
            return true;
    return adjacent(g, a, b);
}

static int moral_distance(const struct small *g, const struct small *h)
{
    int count = 0;
    for (int b = 0; b < g->n; b++)
        for (int a = 0; a < b; a++)
            count += is_moral(g, a, b) != is_moral(h, a, b);
    return count;
}

static double ratio(int part, int all)
{
    return all ? (double)part / all : 1;
}

static void check_rates(const struct bestdag_json *rates, int hits, int truth,
                        int learned)
{
    double p = ratio(hits, learned), r = ratio(hits, truth);
    assert_near(number(rates, "precision"), p);
    assert_near(number(rates, "recall"), r);
    assert_near(number(rates, "f1"), p + r > 0 ? 2 * p * r / (p + r) : 0);
}

static void check_report(const struct bestdag_json *report,
                         const struct small *g, const struct small *h)
{
    int arcs[2] = {0}, common = 0, reversed = 0, missing = 0, extra = 0;
    for (int b = 0; b < g->n; b++)
        for (int a = 0; a < b; a++) {
            enum relation x = relation(g, a, b), y = relation(h, a, b);
            arcs[0] += x != NONE;
            arcs[1] += y != NONE;
            common += x && x == y;
            reversed += x && y && x != y;
            missing += x && !y;
            extra += y && !x;
        }
    struct small class[] = {meek(g), meek(h)};
    bool equivalent = same_skeleton(g, h) && same_v(g, h);
    assert_int_equal(integer(report, "shd_dag"), distance(g, h));
    assert_int_equal(integer(report, "shd_cpdag"),
                     distance(&class[0], &class[1]));
    assert_int_equal(integer(report, "equivalent"), equivalent);
    assert_int_equal(integer(report, "moral_hamming"), moral_distance(g, h));
    assert_int_equal(integer(report, "variables"), g->n);
    assert_int_equal(integer(report, "arcs_truth"), arcs[0]);
    assert_int_equal(integer(report, "arcs_learned"), arcs[1]);
    assert_int_equal(integer(report, "missing"), missing);
    assert_int_equal(integer(report, "extra"), extra);
    assert_int_equal(integer(report, "reversed"), reversed);
    check_rates(bestdag_json_get(report, "skeleton"), common + reversed,
                arcs[0], arcs[1]);
    check_rates(bestdag_json_get(report, "arcs"), common, arcs[0], arcs[1]);
}

static void check_pair(struct bestdag_run *run, const struct small *g,
                       const struct small *h, const int *place)
{
    struct bestdag_network *truth = to_network(run, g, NULL);
    struct bestdag_network *learned = to_network(run, h, place);
    struct bestdag_json *report = compare(run, truth, learned);
    check_report(report, g, h);
    bestdag_json_free(report);
    bestdag_network_free(truth);
    bestdag_network_free(learned);
}

static void all_pairs_of_dags_of_3_nodes(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    for (int i = 0; i < codes(3, 3); i++)
        for (int k = 0; k < codes(3, 3); k++) {
            struct small g = decode(3, 3, i), h = decode(3, 3, k);
            if (acyclic(&g) && acyclic(&h))
                check_pair(run, &g, &h, NULL);
        }
    bestdag_run_free(run);
}

/* Turns round a few arcs, so that the two have much in common. */
static struct small vary(struct bestdag_random *random, const struct small *g)
{
    struct small h;
    do {
        h = *g;
        for (int i = 0; i < 3; i++) {
            int a = (int)bestdag_random_below(random, (uint64_t)g->n);
            int b = (int)bestdag_random_below(random, (uint64_t)g->n);
            if (has(h.parents[b], a)) {
                h.parents[b] &= ~((uint32_t)1 << a);
                h.parents[a] |= (uint32_t)bestdag_random_below(random, 2) << b;
            }
        }
    } while (!acyclic(&h));
    return h;
}

static void random_pairs_in_any_order_of_variables(void **state)
{
    (void)state;
    uint64_t seed = 70;
    print_message("seed %llu\n", (unsigned long long)seed);
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_random random = bestdag_random_init(seed, 0);
    for (int round = 0; round < 1000; round++) {
        int place[MOST_NODES], n = 1 + (int)bestdag_random_below(&random, 14);
        double dense = bestdag_random_unit(&random);
        struct small g = random_small(&random, n, dense);
        struct small h =
            round % 2 ? vary(&random, &g) : random_small(&random, n, dense);
        shuffle(&random, place, n);
        check_pair(run, &g, &h, place);
    }
    bestdag_run_free(run);
}

/* ---- by hand ------------------------------------------------------------- */

static void a_collider_against_a_chain(void **state)
{
    (void)state;
    /* truth 0 -> 2 <- 1; learned 0 -> 2 -> 1, and 3 <- 0 */
    struct bestdag_run *run = bestdag_run_new();
    struct small g = {.n = 4, .parents = {0, 0, 1 << 0 | 1 << 1, 0}};
    struct small h = {.n = 4, .parents = {0, 1 << 2, 1 << 0, 1 << 0}};
    struct bestdag_network *truth = to_network(run, &g, NULL);
    struct bestdag_network *learned = to_network(run, &h, NULL);
    struct bestdag_json *report = compare(run, truth, learned);
    assert_int_equal(integer(report, "shd_dag"), 2);   /* 1-2, 0-3 */
    assert_int_equal(integer(report, "shd_cpdag"), 3); /* and 0-2 */
    assert_int_equal(integer(report, "equivalent"), 0);
    assert_int_equal(integer(report, "moral_hamming"), 2); /* 0-1, 0-3 */
    assert_int_equal(integer(report, "reversed"), 1);
    assert_int_equal(integer(report, "extra"), 1);
    const struct bestdag_json *arcs = bestdag_json_get(report, "arcs");
    assert_near(number(arcs, "precision"), 1. / 3);
    assert_near(number(arcs, "recall"), 1. / 2);
    assert_near(number(arcs, "f1"), 2. / 5);
    const struct bestdag_json *skeleton = bestdag_json_get(report, "skeleton");
    assert_near(number(skeleton, "precision"), 2. / 3);
    assert_near(number(skeleton, "recall"), 1);
    assert_near(number(skeleton, "f1"), 4. / 5);
    bestdag_json_free(report);
    bestdag_network_free(truth);
    bestdag_network_free(learned);
    bestdag_run_free(run);
}

static void nothing_against_nothing_is_perfect(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    for (int n = 0; n < 3; n++) {
        struct small g = {.n = n};
        check_pair(run, &g, &g, NULL);
    }
    bestdag_run_free(run);
}

static struct bestdag_network *chain_from_table(struct bestdag_run *run)
{
    const int8_t codes_of_rows[] = {0, 1};
    const char *const names[] = {"rain", "wet", "slip"};
    struct bestdag_table *table = bestdag_table_new(run, 2);
    for (int v = 0; v < 3; v++)
        assert_int_equal(bestdag_table_add_codes(run, table, names[v],
                                                 codes_of_rows, 1, 2, NULL),
                         BESTDAG_OK);
    struct bestdag_network *network = bestdag_network_new(run, table);
    bestdag_table_free(table);
    assert_int_equal(
        bestdag_network_set_parents(run, network, 1, (int[]){0}, 1), 0);
    assert_int_equal(
        bestdag_network_set_parents(run, network, 2, (int[]){1}, 1), 0);
    return network;
}

static void the_class_report_of_a_chain(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *network = chain_from_table(run);
    char *text = bestdag_network_class(run, network);
    assert_string_equal(text, "{\n"
                              "  \"variables\": 3,\n"
                              "  \"arcs\": 2,\n"
                              "  \"compelled\": [],\n"
                              "  \"reversible\": [[\"rain\", \"wet\"], "
                              "[\"wet\", \"slip\"]],\n"
                              "  \"v_structures\": 0\n"
                              "}\n");
    bestdag_text_free(text);
    bestdag_network_free(network);
    bestdag_run_free(run);
}

/* ---- names --------------------------------------------------------------- */

static void rename_variable(struct bestdag_run *run,
                            struct bestdag_network *network, int v,
                            const char *name)
{
    bestdag_free(network->variable[v].name);
    network->variable[v].name = bestdag_strdup(run, name);
}

static void a_mistyped_variable_is_named_with_the_nearest(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *truth = chain_from_table(run);
    struct bestdag_network *learned = chain_from_table(run);
    rename_variable(run, learned, 0, "rian");
    assert_null(bestdag_network_compare(run, truth, learned));
    assert_int_equal(bestdag_run_status(run), BESTDAG_INPUT);
    assert_string_equal(bestdag_run_error(run),
                        "the learned network has no variable 'rain', did you "
                        "mean 'rian'?");
    bestdag_network_free(truth);
    bestdag_network_free(learned);
    bestdag_run_free(run);
}

static void a_variable_too_many_is_named(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct small g = {.n = 12}, h = {.n = 11};
    struct bestdag_network *more = to_network(run, &g, NULL);
    struct bestdag_network *less = to_network(run, &h, NULL);
    assert_null(bestdag_network_compare(run, more, less));
    assert_string_equal(bestdag_run_error(run),
                        "the learned network has no variable 'V11'");
    bestdag_run_clear(run);
    assert_null(bestdag_network_compare(run, less, more));
    assert_string_equal(bestdag_run_error(run),
                        "the true network has no variable 'V11'");
    assert_int_equal(bestdag_run_status(run), BESTDAG_INPUT);
    bestdag_network_free(more);
    bestdag_network_free(less);
    bestdag_run_free(run);
}

static void no_network_is_refused(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *network = chain_from_table(run);
    assert_null(bestdag_network_compare(run, network, NULL));
    assert_int_equal(bestdag_run_status(run), BESTDAG_USAGE);
    assert_null(bestdag_network_class(run, network)); /* the error stays */
    bestdag_run_clear(run);
    assert_null(bestdag_network_compare(run, NULL, network));
    assert_int_equal(bestdag_run_status(run), BESTDAG_USAGE);
    bestdag_run_clear(run);
    assert_null(bestdag_network_class(run, NULL));
    assert_int_equal(bestdag_run_status(run), BESTDAG_USAGE);
    bestdag_network_free(network);
    bestdag_run_free(run);
}

static void a_run_that_was_stopped_still_compares(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct small g = {.n = 3, .parents = {0, 1, 3}};
    bestdag_run_stop(run);
    check_pair(run, &g, &g, NULL);
    bestdag_run_free(run);
}

/* ---- the report ---------------------------------------------------------- */

static bool is_defined(const char *key)
{
    const struct bestdag_compare_field *f;
    for (int i = 0; (f = bestdag_compare_field_at(i)); i++)
        if (!strcmp(f->name, key))
            return *f->definition != 0;
    return false;
}

static void every_field_has_its_definition(void **state)
{
    (void)state;
    int fields = 0;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *network = chain_from_table(run);
    struct bestdag_json *report = compare(run, network, network);
    const struct bestdag_json *rates = bestdag_json_get(report, "arcs");
    for (int64_t i = 0; i < bestdag_json_count(report); i++, fields++)
        assert_true(is_defined(bestdag_json_key(report, i)));
    for (int64_t i = 0; i < bestdag_json_count(rates); i++, fields++)
        assert_true(is_defined(bestdag_json_key(rates, i)));
    assert_non_null(bestdag_compare_field_at(fields - 1));
    assert_null(bestdag_compare_field_at(fields));
    assert_null(bestdag_compare_field_at(-1));
    bestdag_json_free(report);
    bestdag_network_free(network);
    bestdag_run_free(run);
}

/* ---- classes ------------------------------------------------------------- */

static char *class_report(struct bestdag_run *run, const struct small *g)
{
    struct bestdag_network *network = to_network(run, g, NULL);
    char *text = bestdag_network_class(run, network);
    assert_non_null(text);
    bestdag_network_free(network);
    return text;
}

/* Reads the lists back, checking their order. */
static void read_pairs(const struct bestdag_json *list, bool directed,
                       struct small *to)
{
    int last = -1;
    for (int64_t i = 0; i < bestdag_json_count(list); i++) {
        const struct bestdag_json *pair = bestdag_json_at(list, i);
        int a = atoi(bestdag_json_text(bestdag_json_at(pair, 0)) + 1);
        int b = atoi(bestdag_json_text(bestdag_json_at(pair, 1)) + 1);
        assert_int_equal(bestdag_json_count(pair), 2);
        assert_true(directed || a < b);
        assert_true(a * MOST_NODES + b > last);
        last = a * MOST_NODES + b;
        if (!directed)
            relate(to, a, b, UNDIRECTED);
        else
            to->parents[b] |= (uint32_t)1 << a;
    }
}

static void class_reports_of_all_dags_of_4_nodes(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    for (int code = 0; code < codes(4, 3); code++) {
        struct small g = decode(4, 3, code), expected = meek(&g);
        if (!acyclic(&g))
            continue;
        struct small found = {.n = 4};
        char *text = class_report(run, &g);
        struct bestdag_json *report = bestdag_json_read(run, text);
        read_pairs(bestdag_json_get(report, "compelled"), true, &found);
        read_pairs(bestdag_json_get(report, "reversible"), false, &found);
        assert_true(same(&found, &expected));
        for (int other = 0; other < code; other++) { /* members agree */
            struct small h = decode(4, 3, other);
            if (code % 16 || !acyclic(&h) || !same_skeleton(&g, &h) ||
                !same_v(&g, &h))
                continue;
            char *same_text = class_report(run, &h);
            assert_string_equal(text, same_text);
            bestdag_text_free(same_text);
        }
        bestdag_json_free(report);
        bestdag_text_free(text);
    }
    bestdag_run_free(run);
}

/* ---- large networks, little memory --------------------------------------- */

static struct bestdag_network *large_network(struct bestdag_run *run,
                                             uint64_t seed, int n)
{
    struct bestdag_network *network = bestdag_network_empty(run, n);
    bestdag_dag_free(network->dag);
    network->dag = random_dag(run, seed, n, 3 * n);
    for (int v = 0; v < n; v++) {
        char name[16];
        snprintf(name, sizeof name, "X%d", v);
        bestdag_network_set_variable(run, network, v, bestdag_strdup(run, name),
                                     NULL, 0);
    }
    return network;
}

static void ten_thousand_variables_are_compared(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *a = large_network(run, 71, 10000);
    struct bestdag_network *b = large_network(run, 72, 10000);
    struct bestdag_json *report = compare(run, a, b);
    int64_t missing = integer(report, "missing");
    int64_t extra = integer(report, "extra");
    assert_true(missing > 25000 && extra > 25000);
    assert_int_equal(integer(report, "shd_dag"),
                     missing + extra + integer(report, "reversed"));
    assert_true(integer(report, "shd_cpdag") >= missing + extra);
    assert_true(integer(report, "moral_hamming") > missing + extra);
    bestdag_json_free(report);
    report = compare(run, a, a);
    assert_int_equal(integer(report, "shd_cpdag"), 0);
    assert_int_equal(integer(report, "moral_hamming"), 0);
    assert_int_equal(integer(report, "equivalent"), 1);
    bestdag_json_free(report);
    char *text = bestdag_network_class(run, a);
    assert_non_null(text);
    bestdag_text_free(text);
    bestdag_network_free(a);
    bestdag_network_free(b);
    bestdag_run_free(run);
}

static bool report_all(struct bestdag_run *run, const void *network)
{
    char *comparison = bestdag_network_compare(run, network, network);
    char *class = bestdag_network_class(run, network);
    bool done = comparison && class;
    bestdag_text_free(comparison);
    bestdag_text_free(class);
    return done;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *network = chain_from_table(run);
    survives_failing_allocations(report_all, network);
    bestdag_network_free(network);
    bestdag_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_pairs_of_dags_of_3_nodes),
        cmocka_unit_test(random_pairs_in_any_order_of_variables),
        cmocka_unit_test(a_collider_against_a_chain),
        cmocka_unit_test(nothing_against_nothing_is_perfect),
        cmocka_unit_test(the_class_report_of_a_chain),
        cmocka_unit_test(a_mistyped_variable_is_named_with_the_nearest),
        cmocka_unit_test(a_variable_too_many_is_named),
        cmocka_unit_test(no_network_is_refused),
        cmocka_unit_test(a_run_that_was_stopped_still_compares),
        cmocka_unit_test(every_field_has_its_definition),
        cmocka_unit_test(class_reports_of_all_dags_of_4_nodes),
        cmocka_unit_test(ten_thousand_variables_are_compared),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
