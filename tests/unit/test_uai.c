/* SPDX-License-Identifier: MIT */
/* UAI: numbers without exponents, and the names beside them. */
#include <unistd.h>

#include "networks.h"

extern const struct bestdag_format bestdag_format_uai;
static struct bestdag_run *run;
static char folder[] = "/tmp/bestdag_uai_XXXXXX";
static char path[64], names[64];

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/net.uai", folder);
    snprintf(names, sizeof names, "%s/net.uai.names", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    unlink(names);
    return rmdir(folder);
}

static int set_up(void **state)
{
    (void)state;
    run = bestdag_run_new();
    return !run;
}

static int tear_down(void **state)
{
    (void)state;
    bestdag_run_free(run);
    return 0;
}

static void save(const char *file, const char *text)
{
    FILE *f = fopen(file, "w");
    fputs(text, f);
    fclose(f);
}

static void expect_error(const char *text, const char *error)
{
    assert_null(read_text(run, &bestdag_format_uai, "t.uai", text));
    assert_int_equal(bestdag_run_status(run), BESTDAG_INPUT);
    assert_string_equal(bestdag_run_error(run), error);
    bestdag_run_clear(run);
}

static const char two[] = "BAYES\n2\n2 3\n2\n1 0\n2 0 1\n\n2\n0.25 0.75\n\n"
                          "6\n0.5 0.25 0.25\n0 0 1\n";

static void the_file_is_as_the_competitions_have_it(void **state)
{
    (void)state;
    struct bestdag_network *net =
        read_text(run, &bestdag_format_uai, "t.uai", two);
    assert_non_null(net);
    assert_string_equal(net->variable[1].name, "V2");
    assert_string_equal(net->variable[1].labels[2], "2");
    char *text = write_text(run, &bestdag_format_uai, net);
    assert_string_equal(text, two);
    bestdag_free(text);
    bestdag_network_free(net);
}

static void numbers_have_no_exponent_and_come_back_exactly(void **state)
{
    static const double tiny[] = {5e-324, 2.2250738585072014e-308, 1e-5,
                                  1.2345678901234567e-200};
    (void)state;
    struct bestdag_network *net = read_text(run, &bestdag_format_uai, "t.uai",
                                            "BAYES 1 5 1 1 0 5 1 0 0 0 0e-5");
    assert_non_null(net);
    net->variable[0].table[0] = 1 - 1e-5;
    memcpy(net->variable[0].table + 1, tiny, sizeof tiny);
    char *text = write_text(run, &bestdag_format_uai, net);
    assert_null(strpbrk(text + strlen("BAYES"), "eE"));
    struct bestdag_network *back =
        read_text(run, &bestdag_format_uai, "t.uai", text);
    assert_non_null(back);
    assert_same_network(net, back);
    bestdag_free(text);
    bestdag_network_free(net);
    bestdag_network_free(back);
}

static void names_stand_in_a_file_beside_it(void **state)
{
    char line[256];
    (void)state;
    save(path, two);
    save(names,
         "# mine\n\"a b\" \"\" \"say \\\"no\\\"\"\nB low mid high # B\n");
    struct bestdag_network *net = bestdag_network_read(run, path);
    assert_non_null(net);
    assert_string_equal(net->variable[0].name, "a b");
    assert_string_equal(net->variable[0].labels[0], "");
    assert_string_equal(net->variable[0].labels[1], "say \"no\"");
    assert_string_equal(net->variable[1].labels[2], "high");
    unlink(names);
    assert_int_equal(bestdag_network_write(run, net, path), BESTDAG_OK);
    FILE *f = fopen(names, "r");
    assert_non_null(f);
    assert_non_null(fgets(line, sizeof line, f));
    assert_non_null(fgets(line, sizeof line, f));
    assert_string_equal(line, "\"a b\" \"\" \"say \\\"no\\\"\"\n");
    fclose(f);
    struct bestdag_network *back = bestdag_network_read(run, path);
    assert_same_network(net, back);
    bestdag_network_free(net);
    bestdag_network_free(back);
}

static void wrong_names_are_told(void **state)
{
    static const char *const cases[][2] = {
        {"a x y\n", ":2:1: expected the name of a variable, found the end of "
                    "the file"},
        {"a x\nB l m h\n", ":2:1: expected 2 labels of 'a', found 1"},
        {"a x y z\nB l m h\n", ":1:7: expected only 2 labels of 'a'"},
        {"a x y\nB l m m\n", ":2:1: two states of 'B' are called 'm'"},
        {"a x y\na l m h\n", ":2:1: two variables are called 'a'"},
        {"a x y\nB l m h\nC", ":3:1: expected the end of the file, found 'C'"}};
    (void)state;
    save(path, two);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        save(names, cases[i][0]);
        assert_null(bestdag_network_read(run, path));
        assert_int_equal(bestdag_run_status(run), BESTDAG_INPUT);
        size_t n = strlen(names);
        assert_memory_equal(bestdag_run_error(run), names, n);
        assert_string_equal(bestdag_run_error(run) + n, cases[i][1]);
        bestdag_run_clear(run);
    }
}

static void errors_name_the_place(void **state)
{
    (void)state;
    expect_error("MARKOV 1 2 0",
                 "t.uai:1:1: a Markov network has no arcs, expected 'BAYES'");
    expect_error("BAYES 1000000 2 ",
                 "t.uai:1:7: expected a whole number from 1 to 2, found "
                 "'1000000'");
    expect_error("BAYES 1\n60000\n1\n1 0\n",
                 "t.uai:3:1: more states than this file has room for numbers");
    expect_error("BAYES\n2\n2 2\n2\n1 0\n1 0\n2 1 0\n2 1 0\n",
                 "t.uai:6:1: 'V1' already has a table, in line 5");
    expect_error("BAYES\n2\n2 2\n1\n1 0\n2 1 0 #           \n",
                 "t.uai:4:1: expected a whole number from 2 to 2, found '1'");
    expect_error("BAYES\n1\n2\n1\n1 0\n3 1 0 0\n",
                 "t.uai:6:1: expected a whole number from 2 to 2, found '3'");
    expect_error("BAYES\n1\n2\n1\n1 0\n2 0.5 0.6\n",
                 "t.uai:6:3: this row of the table of 'V1' sums to 1.1, "
                 "expected 1");
    expect_error("BAYES\n2\n1 1\n2\n2 1 0\n2 0 1\n1 1\n1 1\n",
                 "t.uai:6:1: the arcs form a cycle: V2 -> V1 -> V2");
    expect_error("BAYES\n1\n1\n1\n1 0\n1 1 7",
                 "t.uai:6:5: expected the end of the file, found '7'");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_file_is_as_the_competitions_have_it),
        TEST(numbers_have_no_exponent_and_come_back_exactly),
        TEST(names_stand_in_a_file_beside_it),
        TEST(wrong_names_are_told),
        TEST(errors_name_the_place),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
