/* SPDX-License-Identifier: MIT */
/* test_modelstring.c -- [A][B|A][C|A:B]. */
#include "roundtrip.h"

extern const struct bestdag_format bestdag_format_modelstring;
static const struct bestdag_format *const format = &bestdag_format_modelstring;

static void the_textbook_string_is_read(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = must_read(run, format, "[A][B|A][C|A:B]\n");
    assert_int_equal(net->dag->n, 3);
    assert_int_equal(bestdag_dag_arcs(net->dag), 3);
    assert_true(bestdag_dag_has_arc(net->dag, 0, 1));
    assert_true(bestdag_dag_has_arc(net->dag, 0, 2));
    assert_true(bestdag_dag_has_arc(net->dag, 1, 2));
    bestdag_network_free(net);
    bestdag_run_free(run);
}

static void parents_may_be_named_early_and_lines_broken(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net =
        must_read(run, format,
                  "\xef\xbb\xbf [light on|a b:\r\n  c]\n"
                  "[a b] [\nc\n]");
    assert_int_equal(net->dag->n, 3);
    assert_string_equal(net->variable[0].name, "light on");
    assert_string_equal(net->variable[1].name, "a b");
    assert_string_equal(net->variable[2].name, "c");
    assert_int_equal(net->dag->parents[0].count, 2);
    bestdag_network_free(net);
    bestdag_run_free(run);
}

static void variables_are_written_parents_first(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = lettered(run, 4);
    size_t size;
    bestdag_dag_set_parents(run, net->dag, 0, (int[]){2, 1}, 2);
    bestdag_dag_set_parents(run, net->dag, 1, (int[]){2}, 1);
    char *text = write_as(run, format, net, &size);
    assert_string_equal(text, "[C][B|C][A|C:B][D]\n");
    bestdag_free(text);
    bestdag_network_free(net);
    bestdag_run_free(run);
}

static void names_that_cannot_be_written_are_refused(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = lettered(run, 2);
    set_name(run, net, 1, "a|b");
    must_not_write(format, net,
                   "the name of variable 'a|b' has '|', which a modelstring "
                   "cannot hold (JSON can)");
    set_name(run, net, 1, "a\x01");
    must_not_write(format, net,
                   "the name of variable 'a?' has U+0001, which a "
                   "modelstring cannot hold (JSON can)");
    set_name(run, net, 1, "a\xff");
    must_not_write(format, net, "the name of variable 'a?' is not UTF-8");
    bestdag_network_free(net);
    bestdag_run_free(run);
}

static void errors_say_where(void **state)
{
    (void)state;
    must_refuse(format, "", "net:1:1: expected '[', found the end");
    must_refuse(format, "[A]x", "net:1:4: expected '[', found 'x'");
    must_refuse(format, "[A][A]", "net:1:5: 'A' is listed twice");
    must_refuse(format, "[A|A]", "net:1:4: 'A' cannot be its own parent");
    must_refuse(format, "[A][B|]", "net:1:7: expected a name, found ']'");
    must_refuse(format, "[]", "net:1:2: expected a name, found ']'");
    must_refuse(format, "[A][B|A|C]",
                "net:1:8: expected ':' or ']', found '|'");
    must_refuse(format, "[A:B]", "net:1:3: expected '|' or ']', found ':'");
    must_refuse(format, "[A]\n[B", "net:2:3: expected ']', found the end");
    must_refuse(format, "[A]\n[a\nb]", "net:2:2: this name has a line break");
    must_refuse(format, "[smoke]\n[B|smok]",
                "net:2:4: parent 'smok' has no brackets of its own, did you "
                "mean 'smoke'?");
    must_refuse(format, "[A|B][B|A]", "net: the arcs form a cycle: ");
    must_refuse(format, "[A\xff]", "net:1:3: expected a text file");
}

static void a_parent_given_twice_counts_once_and_is_noted(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    int notes[2] = {0, 0};
    bestdag_run_on_progress(run, count_notes, notes);
    struct bestdag_network *net = must_read(run, format, "[A][B|A:A]");
    assert_int_equal(net->dag->parents[1].count, 1);
    assert_int_equal(notes[0], 1);
    bestdag_network_free(net);
    bestdag_run_free(run);
}

static void random_structures_come_back(void **state)
{
    (void)state;
    round_trips(format, 0, assert_same_structure, 300);
}

static void what_was_read_is_written_the_same(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    const char *text = "[c][a][b|c:a][e][d|c:b:e]\n";
    struct bestdag_network *net = must_read(run, format, text);
    size_t size;
    char *again = write_as(run, format, net, &size);
    assert_string_equal(again, text);
    bestdag_free(again);
    bestdag_network_free(net);
    bestdag_run_free(run);
}

static const char sample[] = "[light on][a b|light on]\n[c|a b:light on][d]\n";

static void hostile_files_are_survived(void **state)
{
    (void)state;
    survives_truncation(format, sample);
    survives_mangling(format, sample, 3000);
    survives_lack_of_memory(format, sample);
    survives_lack_of_memory(format, "[A][B|A:A]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_textbook_string_is_read),
        cmocka_unit_test(parents_may_be_named_early_and_lines_broken),
        cmocka_unit_test(variables_are_written_parents_first),
        cmocka_unit_test(names_that_cannot_be_written_are_refused),
        cmocka_unit_test(errors_say_where),
        cmocka_unit_test(a_parent_given_twice_counts_once_and_is_noted),
        cmocka_unit_test(what_was_read_is_written_the_same),
        cmocka_unit_test(random_structures_come_back),
        cmocka_unit_test(hostile_files_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
