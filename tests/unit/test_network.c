/* SPDX-License-Identifier: MIT */
/* test_network.c -- building, checking and looking at networks. */
#include "scratch.h"

#include <math.h>

#include "data/table.h"
#include "network/network.h"

/* Variables v0, v1, ... with these numbers of states. */
static struct bestdag_network *network(struct bestdag_run *run, int n,
                                       const int *states)
{
    struct bestdag_table *t = bestdag_table_new(run, 0);
    for (int v = 0; v < n; v++) {
        char name[16];
        snprintf(name, sizeof name, "v%d", v);
        bestdag_table_add_codes(run, t, name, NULL, 4, states[v], NULL);
    }
    struct bestdag_network *net = bestdag_network_new(run, t);
    bestdag_table_free(t);
    return net;
}

static void a_network_has_the_names_and_states_of_the_table(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = network(run, 3, (int[]){2, 3, 4});
    assert_int_equal(bestdag_network_variables(net), 3);
    assert_string_equal(bestdag_network_name(net, 2), "v2");
    assert_int_equal(bestdag_network_states(net, 1), 3);
    assert_string_equal(bestdag_network_label(net, 2, 3), "3");
    assert_int_equal(bestdag_network_parents(net, 0, NULL, 0), 0);
    assert_null(bestdag_network_table(net, 0, NULL, NULL));
    assert_false(bestdag_network_has_tables(net));
    bestdag_network_free(net);
    scratch_end(run);
}

static void numbers_are_variables_and_nothing_gives_no_network(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *t = bestdag_table_new(run, 0);
    bestdag_table_add_numbers(run, t, "x", NULL);
    struct bestdag_network *number = bestdag_network_new(run, t);
    assert_int_equal(bestdag_network_is_number(number, 0), 1);
    assert_int_equal(bestdag_network_states(number, 0), 0);
    bestdag_network_free(number);
    assert_null(bestdag_network_new(run, NULL));
    assert_failed(run, BESTDAG_USAGE, "no table was given");
    bestdag_table_free(t);
    t = bestdag_table_new(run, 0);
    struct bestdag_network *net = bestdag_network_new(run, t);
    assert_int_equal(bestdag_network_variables(net), 0);
    bestdag_network_free(net);
    bestdag_table_free(t);
    scratch_end(run);
}

static void parents_are_kept_ascending(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = network(run, 4, (int[]){2, 2, 2, 2});
    int got[4] = {-1, -1, -1, -1};
    bestdag_network_set_parents(run, net, 1, (int[]){3, 0, 2}, 3);
    assert_fine(run);
    assert_int_equal(bestdag_network_parents(net, 1, got, 2), 3);
    assert_int_equal(got[0], 0);
    assert_int_equal(got[1], 2);
    assert_int_equal(got[2], -1); /* no room */
    bestdag_network_set_parents(run, net, 1, NULL, 0);
    assert_int_equal(bestdag_network_parents(net, 1, got, 4), 0);
    bestdag_network_free(net);
    scratch_end(run);
}

static void wrong_parents_are_refused_and_the_old_ones_kept(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = network(run, 3, (int[]){2, 2, 2});
    bestdag_network_set_parents(run, net, 1, (int[]){0}, 1);
    bestdag_network_set_parents(run, net, 2, (int[]){1}, 1);
    assert_fine(run);
    static const struct {
        int child, parents[2], count, status;
        const char *part;
    } bad[] = {
        {0, {2}, 1, BESTDAG_INPUT, "v0 -> v1 -> v2"},
        {1, {1}, 1, BESTDAG_USAGE, "cannot have parent 1"},
        {1, {0, 0}, 2, BESTDAG_USAGE, "given twice"},
        {1, {3}, 1, BESTDAG_USAGE, "cannot have parent 3"},
        {1, {-1}, 1, BESTDAG_USAGE, "cannot have parent -1"},
        {3, {0}, 1, BESTDAG_USAGE, "variable 3 cannot have 1 parents"},
        {-1, {0}, 1, BESTDAG_USAGE, "variable -1 cannot have 1 parents"},
        {1, {0}, -1, BESTDAG_USAGE, "variable 1 cannot have -1 parents"}};
    for (int i = 0; i < COUNT(bad); i++) {
        assert_int_equal(bestdag_network_set_parents(run, net, bad[i].child,
                                                     bad[i].parents,
                                                     bad[i].count),
                         bad[i].status);
        if (i)
            assert_failed(run, bad[i].status, bad[i].part);
        else {
            assert_non_null(strstr(bestdag_run_error(run), "form a cycle"));
            bestdag_run_clear(run);
        }
        int got[2];
        assert_int_equal(bestdag_network_parents(net, 1, got, 2), 1);
        assert_int_equal(got[0], 0);
        assert_int_equal(bestdag_network_parents(net, 0, got, 2), 0);
    }
    bestdag_network_set_parents(run, net, 1, NULL, 1);
    assert_failed(run, BESTDAG_USAGE, "no list of parents was given");
    bestdag_network_set_parents(run, NULL, 1, NULL, 0);
    assert_failed(run, BESTDAG_USAGE, "no network was given");
    bestdag_network_free(net);
    scratch_end(run);
}

static void new_parents_make_the_old_table_void(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = network(run, 2, (int[]){2, 3});
    assert_int_equal(bestdag_network_new_table(run, net, 0), BESTDAG_OK);
    assert_int_equal(bestdag_network_new_table(run, net, 1), BESTDAG_OK);
    assert_true(bestdag_network_has_tables(net));
    bestdag_network_set_parents(run, net, 1, (int[]){0}, 1);
    assert_null(bestdag_network_table(net, 1, NULL, NULL));
    assert_non_null(bestdag_network_table(net, 0, NULL, NULL));
    assert_int_equal(bestdag_network_new_table(run, net, 1), BESTDAG_OK);
    int64_t rows;
    int states;
    const double *table = bestdag_network_table(net, 1, &rows, &states);
    assert_int_equal(rows, 2);
    assert_int_equal(states, 3);
    for (int i = 0; i < 6; i++)
        assert_true(table[i] == 0);
    bestdag_network_free(net);
    scratch_end(run);
}

/* Number of the cell (states of all variables), by plain multiplication. */
static int64_t cell(const int *sizes, const int *parents, int count,
                    const int *at, int child)
{
    int64_t i = 0;
    for (int p = 0; p < count; p++)
        i = i * sizes[parents[p]] + at[parents[p]];
    return i * sizes[child] + at[child];
}

static void tables_in_any_order_of_parents_are_brought_into_ours(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_random r = bestdag_random_init(17, 0);
    print_message("seed 17\n");
    for (int round = 0; round < 300; round++) {
        enum { N = 5 };
        int sizes[N], parents[N] = {0, 1, 2, 3}, child = 4, at[N] = {0};
        int count = (int)bestdag_random_below(&r, N), cells = 1;
        for (int v = 0; v < N; v++)
            sizes[v] = 1 + (int)bestdag_random_below(&r, 4);
        for (int i = 3; i > 0; i--) { /* shuffle */
            int k = (int)bestdag_random_below(&r, (uint64_t)i + 1);
            int other = parents[i];
            parents[i] = parents[k];
            parents[k] = other;
        }
        struct bestdag_network *net = network(run, N, sizes);
        bestdag_network_set_parents(run, net, child, parents, count);
        for (int i = 0; i < count; i++)
            cells *= sizes[parents[i]];
        cells *= sizes[child];
        double *given = malloc((size_t)cells * sizeof *given);
        for (int i = 0; i < cells; i++)
            given[i] = i;
        assert_int_equal(
            bestdag_network_set_table(run, net, child, parents, count, given),
            BESTDAG_OK);
        const double *got = bestdag_network_table(net, child, NULL, NULL);
        int sorted[N];
        bestdag_network_parents(net, child, sorted, N);
        for (int v = 0; v < N;) { /* all states of all variables */
            assert_true(got[cell(sizes, sorted, count, at, child)] ==
                        given[cell(sizes, parents, count, at, child)]);
            for (v = 0; v < N && ++at[v] == sizes[v]; v++)
                at[v] = 0;
        }
        free(given);
        bestdag_network_free(net);
    }
    scratch_end(run);
}

static void tables_that_are_too_large_are_refused(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    enum { N = 66 };
    int sizes[N], parents[N];
    for (int v = 0; v < N; v++) {
        sizes[v] = v == 60 ? 65534 : 2;
        parents[v] = v;
    }
    struct bestdag_network *net = network(run, N, sizes);
    static const int counts[] = {41, 63, 64, 65};
    for (int i = 0; i < COUNT(counts); i++) {
        bestdag_network_set_parents(run, net, 65, parents, counts[i]);
        assert_fine(run);
        assert_int_equal(bestdag_network_configurations(net, 65), -1);
        assert_int_equal(bestdag_network_new_table(run, net, 65),
                         BESTDAG_MEMORY);
        assert_failed(run, BESTDAG_MEMORY, "the table of 'v65' with");
    }
    bestdag_network_set_parents(run, net, 60, parents, 40);
    assert_true(bestdag_network_configurations(net, 60) == (int64_t)1 << 40);
    bestdag_network_new_table(run, net, 60);
    assert_failed(run, BESTDAG_MEMORY, "is too large");
    assert_int_equal(bestdag_run_set(run, "memory-limit", "4M"), BESTDAG_OK);
    bestdag_network_set_parents(run, net, 65, parents, 20);
    bestdag_network_new_table(run, net, 65);
    assert_failed(run, BESTDAG_MEMORY, "the table of 'v65' needs 16.0 MB;");
    bestdag_network_free(net);
    scratch_end(run);
}

static void states_must_be_known_for_a_table(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = bestdag_network_empty(run, 1);
    bestdag_network_set_variable(run, net, 0, bestdag_strdup(run, "bare"), NULL,
                                 0);
    assert_int_equal(bestdag_network_new_table(run, net, 0), BESTDAG_INPUT);
    assert_failed(run, BESTDAG_INPUT, "are not known");
    bestdag_network_free(net);
    scratch_end(run);
}

static void names_are_found(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    enum { N = 3000 };
    int *sizes = malloc(N * sizeof *sizes);
    for (int v = 0; v < N; v++)
        sizes[v] = 2;
    struct bestdag_network *net = network(run, N, sizes);
    for (int v = 0; v < N; v += 7) {
        char name[16];
        snprintf(name, sizeof name, "v%d", v);
        assert_int_equal(bestdag_network_find(run, net, name), v);
        assert_int_equal(bestdag_network_search(net, name), v);
    }
    assert_int_equal(bestdag_network_find(run, net, "w"), -1);
    assert_int_equal(bestdag_network_find(run, net, ""), -1);
    assert_int_equal(bestdag_network_search(net, "w"), -1);
    assert_int_equal(bestdag_variable_state(&net->variable[0], "1"), 1);
    assert_int_equal(bestdag_variable_state(&net->variable[0], "2"), -1);
    assert_string_equal(bestdag_network_name_at(net, 5), "v5");
    free(sizes);
    bestdag_network_free(net);
    scratch_end(run);
}

static void notes_are_kept_and_replaced(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = network(run, 1, (int[]){2});
    bestdag_network_note(run, net, "data", "asia.csv");
    bestdag_network_note(run, net, "seed", "1");
    bestdag_network_note(run, net, "data", "alarm.csv");
    assert_fine(run);
    assert_int_equal(net->notes, 2);
    assert_string_equal(bestdag_network_noted(net, "data"), "alarm.csv");
    assert_null(bestdag_network_noted(net, "x"));
    assert_null(bestdag_network_noted(NULL, "x"));
    bestdag_network_note(run, net, NULL, "x");
    assert_failed(run, BESTDAG_USAGE, "no key of a note was given");
    bestdag_network_note(run, net, "x", NULL);
    assert_failed(run, BESTDAG_USAGE, "no value of a note was given");
    bestdag_network_note(run, NULL, "x", "y");
    assert_failed(run, BESTDAG_USAGE, "no network was given");
    bestdag_network_free(net);
    scratch_end(run);
}

static void a_copy_has_everything_but_tables(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = network(run, 2, (int[]){2, 3});
    net->name = bestdag_strdup(run, "asia");
    bestdag_network_set_parents(run, net, 1, (int[]){0}, 1);
    bestdag_network_new_table(run, net, 0);
    bestdag_network_note(run, net, "k", "v");
    bestdag_network_add_property(run, &net->property, &net->properties, "p");
    struct bestdag_variable *x = &net->variable[1];
    bestdag_network_add_property(run, &x->property, &x->properties, "q");
    struct bestdag_network *copy = NULL;
    for (int n = 1; !copy; n++) { /* every allocation fails once */
        bestdag_memory_fail_at(run, n);
        copy = bestdag_network_copy_structure(run, net);
        assert_int_equal(bestdag_run_status(run),
                         copy ? BESTDAG_OK : BESTDAG_MEMORY);
        bestdag_run_clear(run);
    }
    bestdag_memory_fail_at(run, 0);
    bestdag_network_free(net);
    assert_string_equal(copy->name, "asia");
    assert_string_equal(bestdag_network_name(copy, 1), "v1");
    assert_string_equal(bestdag_network_label(copy, 1, 2), "2");
    int parent;
    assert_int_equal(bestdag_network_parents(copy, 1, &parent, 1), 1);
    assert_int_equal(parent, 0);
    assert_null(bestdag_network_table(copy, 0, NULL, NULL));
    assert_string_equal(bestdag_network_noted(copy, "k"), "v");
    assert_string_equal(copy->property[0], "p");
    assert_string_equal(copy->variable[1].property[0], "q");
    bestdag_network_free(copy);
    scratch_end(run);
}

/* ---- settling ------------------------------------------------------------ */

static struct bestdag_network *two(struct bestdag_run *run, const char *a,
                                   const char *b, double p, double q)
{
    struct bestdag_network *net = network(run, 2, (int[]){2, 2});
    bestdag_free(net->variable[0].name);
    bestdag_free(net->variable[1].name);
    net->variable[0].name = bestdag_strdup(run, a);
    net->variable[1].name = bestdag_strdup(run, b);
    bestdag_network_new_table(run, net, 0);
    net->variable[0].table[0] = p;
    net->variable[0].table[1] = q;
    return net;
}

static int count_notes(void *user, const struct bestdag_progress *now)
{
    if (now->note)
        strncpy(user, now->note, 99);
    return 0;
}

static void good_networks_settle(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    char note[100] = "";
    bestdag_run_on_progress(run, count_notes, note);
    struct bestdag_network *net = two(run, "a", "b", 0.3, 0.7 + 1e-8);
    assert_int_equal(bestdag_network_check_consistency(run, net, "f"),
                     BESTDAG_OK);
    assert_true(net->variable[0].table[1] == 0.7 + 1e-8); /* rounding is left */
    assert_string_equal(note, "");
    bestdag_network_free(net);
    net = two(run, "a", "b", 0.333, 0.666);
    assert_int_equal(bestdag_network_check_consistency(run, net, "f"),
                     BESTDAG_OK);
    assert_true(fabs(net->variable[0].table[0] - 1.0 / 3) < 1e-15);
    assert_string_equal(note,
                        "f: 1 table rows did not sum to 1 and were scaled");
    bestdag_network_free(net);
    scratch_end(run);
}

static void bad_networks_do_not_settle(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    static const struct {
        const char *a, *b;
        double p, q;
        const char *part;
    } bad[] = {
        {"a", "a", 0.5, 0.5, "f: two variables are called 'a'"},
        {"a", "", 0.5, 0.5, "f: variable 1 has no name"},
        {"a", "b", 0.5, 0.25, "f: a row of the table of 'a' sums to 0.75"},
        {"a", "b", -0.5, 1.5, "f: the table of 'a' has -0.5"},
        {"a", "b", 0, 0, "sums to 0,"},
        {"a", "b", NAN, 1, "expected a probability"},
        {"a", "b", INFINITY, 1, "expected a probability"}};
    for (int i = 0; i < COUNT(bad); i++) {
        struct bestdag_network *net =
            two(run, bad[i].a, bad[i].b, bad[i].p, bad[i].q);
        assert_int_equal(bestdag_network_check_consistency(run, net, "f"),
                         BESTDAG_INPUT);
        assert_failed(run, BESTDAG_INPUT, bad[i].part);
        bestdag_network_free(net);
    }
    struct bestdag_network *net = two(run, "a", "b", 0.5, 0.5);
    strcpy(net->variable[1].labels[0], "1");
    bestdag_network_check_consistency(run, net, "f");
    assert_failed(run, BESTDAG_INPUT, "f: two states of 'b' are called '1'");
    strcpy(net->variable[1].labels[0], "0");
    bestdag_dag_set_parents(run, net->dag, 0, (int[]){1}, 1);
    bestdag_dag_set_parents(run, net->dag, 1, (int[]){0}, 1);
    bestdag_network_check_consistency(run, net, "f");
    assert_failed(run, BESTDAG_INPUT, "f: the arcs form a cycle: ");
    bestdag_network_free(net);
    net = bestdag_network_empty(run, 1);
    bestdag_network_check_consistency(run, net, "f");
    assert_failed(run, BESTDAG_INPUT, "f: variable 0 has no name");
    bestdag_network_free(net);
    scratch_end(run);
}

/* 65534 labels must not take 65534^2 comparisons; the deadline of the test
 * runner would tell. */
static void many_labels_settle_quickly(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    int sizes[40];
    for (int i = 0; i < 40; i++)
        sizes[i] = BESTDAG_MOST_STATES;
    struct bestdag_network *net = network(run, 40, sizes);
    assert_int_equal(bestdag_network_check_consistency(run, net, "f"),
                     BESTDAG_OK);
    bestdag_network_free(net);
    scratch_end(run);
}

static void long_cycles_are_shown_in_part(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    enum { N = 20 };
    int sizes[N];
    for (int v = 0; v < N; v++)
        sizes[v] = 2;
    struct bestdag_network *net = network(run, N, sizes);
    for (int v = 0; v < N; v++)
        bestdag_dag_set_parents(run, net->dag, v, (int[]){(v + 1) % N}, 1);
    bestdag_network_check_acyclic(run, net, "f");
    assert_failed(run, BESTDAG_INPUT, " -> ...");
    bestdag_network_free(net);
    scratch_end(run);
}

static void looking_outside_finds_nothing(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = network(run, 1, (int[]){2});
    assert_null(bestdag_network_name(net, 1));
    assert_null(bestdag_network_name(net, -1));
    assert_null(bestdag_network_label(net, 0, 2));
    assert_int_equal(bestdag_network_states(net, 9), 0);
    assert_int_equal(bestdag_network_parents(net, 9, NULL, 0), 0);
    assert_null(bestdag_network_table(net, 9, NULL, NULL));
    assert_int_equal(bestdag_network_variables(NULL), 0);
    assert_null(bestdag_network_name(NULL, 0));
    assert_null(bestdag_network_label(NULL, 0, 0));
    assert_int_equal(bestdag_network_states(NULL, 0), 0);
    assert_int_equal(bestdag_network_parents(NULL, 0, NULL, 0), 0);
    assert_null(bestdag_network_table(NULL, 0, NULL, NULL));
    bestdag_network_free(NULL);
    bestdag_network_free(net);
    scratch_end(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_network_has_the_names_and_states_of_the_table),
        cmocka_unit_test(numbers_are_variables_and_nothing_gives_no_network),
        cmocka_unit_test(parents_are_kept_ascending),
        cmocka_unit_test(wrong_parents_are_refused_and_the_old_ones_kept),
        cmocka_unit_test(new_parents_make_the_old_table_void),
        cmocka_unit_test(tables_in_any_order_of_parents_are_brought_into_ours),
        cmocka_unit_test(tables_that_are_too_large_are_refused),
        cmocka_unit_test(states_must_be_known_for_a_table),
        cmocka_unit_test(names_are_found),
        cmocka_unit_test(notes_are_kept_and_replaced),
        cmocka_unit_test(a_copy_has_everything_but_tables),
        cmocka_unit_test(good_networks_settle),
        cmocka_unit_test(bad_networks_do_not_settle),
        cmocka_unit_test(many_labels_settle_quickly),
        cmocka_unit_test(long_cycles_are_shown_in_part),
        cmocka_unit_test(looking_outside_finds_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
