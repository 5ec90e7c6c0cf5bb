/* SPDX-License-Identifier: MIT */
/* Hugin NET: the dialects that are read, and what is refused by name. */
#include "networks.h"

extern const struct bestdag_format bestdag_format_net;
static struct bestdag_run *run;

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

static struct bestdag_network *read_net(const char *text)
{
    struct bestdag_network *net =
        read_text(run, &bestdag_format_net, "t.net", text);
    if (!net)
        fail_msg("%s", bestdag_run_error(run));
    return net;
}

static void expect_error(const char *text, const char *error)
{
    assert_null(read_text(run, &bestdag_format_net, "t.net", text));
    assert_int_equal(bestdag_run_status(run), BESTDAG_INPUT);
    assert_string_equal(bestdag_run_error(run), error);
    bestdag_run_clear(run);
}

static void expect_tables(const struct bestdag_network *net)
{
    static const double wet[] = {.9, .1, .2, .8};
    assert_int_equal(net->dag->n, 2);
    assert_string_equal(net->variable[0].name, "rain");
    assert_string_equal(net->variable[1].name, "wet");
    assert_string_equal(net->variable[1].labels[1], "not at all");
    assert_true(net->variable[0].table[0] == 0.25);
    assert_memory_equal(net->variable[1].table, wet, sizeof wet);
}

/* ---- dialects ------------------------------------------------------------ */

static void files_of_hugin_are_read(void **state)
{
    (void)state;
    struct bestdag_network *net = read_net(
        "% written by a program\n"
        "net\n{\n  node_size = (80 40);\n  HR_Color_0 = \"}\";\n}\n"
        "node rain\n{\n  label = \"Rain; today\";\n  position = (10 20);\n"
        "  states = (\"yes\" \"no\");\n  HR_State_0 = \"x\";\n"
        "  experience = (1 2);\n}\n"
        "discrete node wet { states = (\"very\", \"not at all\"); }\n"
        "potential (rain | ) % no parents\n"
        "{ data = ( 0.25 0.75 ); }\n"
        "potential (wet | rain) { data = (( 0.9 0.1 ) % rain\n"
        "  ( 0.2 0.8 )); fading = (1); }\n");
    expect_tables(net);
    bestdag_network_free(net);
}

static void a_class_may_surround_everything(void **state)
{
    (void)state;
    struct bestdag_network *net =
        read_net("class weather {\n inputs = ();\n outputs = (rain);\n"
                 "node rain { states = (\"yes\" \"no\"); weight = None; }\n"
                 "node wet { states = (\"very\" \"not at all\"); }\n"
                 "potential (wet | rain) { data = ((0.9, 0.1), (0.2, 0.8)); }\n"
                 "potential (rain) { data = (0.25 0.75); }\n}\n");
    expect_tables(net);
    bestdag_network_free(net);
}

static void blocks_may_come_in_any_order(void **state)
{
    (void)state;
    struct bestdag_network *net =
        read_net("net{}potential(wet|rain){data=(.9 .1 .2 .8);}\n"
                 "node rain{states=(yes no);}\n"
                 "node wet{states=(\"very\" \"not at all\");}\n"
                 "potential(rain){data=((.25 .75));}");
    expect_tables(net);
    bestdag_network_free(net);
}

static void absent_data_is_uniform(void **state)
{
    (void)state;
    struct bestdag_network *net =
        read_net("net {} node a { states = (\"x\" \"y\"); }\n"
                 "node b { states = (\"u\" \"v\" \"w\" \"z\"); }\n"
                 "potential (a) { }\npotential (b | a) { }\n");
    for (int i = 0; i < 8; i++)
        assert_true(net->variable[1].table[i] == 0.25);
    bestdag_network_free(net);
}

static void intervals_name_states_that_have_no_name(void **state)
{
    (void)state;
    struct bestdag_network *net =
        read_net("net {}\n"
                 "node a { subtype = interval; states = ();\n"
                 "  state_values = (-inf 0 2.5 inf); }\n"
                 "node b { subtype = number; state_values = (1 2); }\n"
                 "node c { subtype = interval; states = (\"l\" \"h\");\n"
                 "  state_values = (0 1 2); }\n"
                 "potential (a) {} potential (b) {} potential (c) {}\n");
    assert_int_equal(net->variable[0].states, 3);
    assert_string_equal(net->variable[0].labels[0], "-inf..0");
    assert_string_equal(net->variable[0].labels[2], "2.5..inf");
    assert_string_equal(net->variable[1].labels[1], "2");
    assert_string_equal(net->variable[2].labels[1], "h");
    bestdag_network_free(net);
}

static void a_node_may_be_called_like_a_keyword(void **state)
{
    (void)state;
    struct bestdag_network *net =
        read_net("net {} node node { states = (\"x\"); }\n"
                 "discrete node decision { states = (\"x\"); }\n"
                 "potential (node | decision) {} potential (decision) {}\n");
    assert_string_equal(net->variable[0].name, "node");
    assert_string_equal(net->variable[1].name, "decision");
    bestdag_network_free(net);
}

/* ---- writing ------------------------------------------------------------- */

static void brackets_nest_as_the_parents_do(void **state)
{
    static const char text[] = "net {\n"
                               "}\n"
                               "node a {\n"
                               "  states = ( \"x\" \"say \\\"y\\\"\" );\n"
                               "}\n"
                               "node b {\n"
                               "  states = ( \"u\" \"v\" );\n"
                               "}\n"
                               "node _c_d {\n"
                               "  states = ( \"0\" \"1\" );\n"
                               "  bestdag_name = \" c d\";\n"
                               "}\n"
                               "potential ( a ) {\n"
                               "  data = ( 0.25 0.75 );\n"
                               "}\n"
                               "potential ( b ) {\n"
                               "  data = ( 0 1 );\n"
                               "}\n"
                               "potential ( _c_d | a b ) {\n"
                               "  data = ((( 0.1 0.9 )\n"
                               "           ( 0.2 0.8 ))\n"
                               "          (( 0.3 0.7 )\n"
                               "           ( 1e-05 0.99999 )));\n"
                               "}\n";
    (void)state;
    struct bestdag_network *net = read_net(text);
    assert_string_equal(net->variable[2].name, " c d");
    char *again = write_text(run, &bestdag_format_net, net);
    assert_string_equal(again, text);
    bestdag_free(again);
    bestdag_network_free(net);
}

/* ---- bad files ----------------------------------------------------------- */

#define AB                                                                     \
    "net {}\nnode a { states = (\"x\" \"y\"); }\n"                             \
    "node b { states = (\"u\" \"v\"); }\npotential (a) { data = (1 0); }\n"

static void other_kinds_of_nodes_are_refused_by_name(void **state)
{
    (void)state;
    expect_error("net {}\ncontinuous node X { label = \"\"; }",
                 "t.net:2:17: 'X' is a 'continuous' node, only discrete nodes "
                 "are supported");
    expect_error("net {}\ndecision D { states = (\"a\"); }",
                 "t.net:2:10: 'D' is a 'decision' node, only discrete nodes "
                 "are supported");
    expect_error("net {}\nutility U { }", "t.net:2:9: 'U' is a 'utility' node, "
                                          "only discrete nodes are supported");
    expect_error("net {}\ndiscrete function F { }",
                 "t.net:2:19: 'F' is a 'function' node, only discrete nodes "
                 "are supported");
    expect_error(AB "potential (b | a) {\n  model_nodes = (a);\n}",
                 "t.net:6:3: the table of 'b' is given by an expression "
                 "(model_nodes), which is not supported");
}

static void errors_name_the_place(void **state)
{
    (void)state;
    expect_error("", "t.net:1:1: expected 'net', found the end of the file");
    expect_error("net {}",
                 "t.net:1:7: expected 'node', found the end of the file");
    expect_error("net {}\nfoo { }",
                 "t.net:2:1: expected 'node' or 'potential', found 'foo'");
    expect_error("net {}\nnode a { }", "t.net:2:10: 'a' has no states");
    expect_error(AB, "t.net:3:1: 'b' has no potential");
    expect_error(AB "potential (b | a) { data = ((1 0) (1)); }",
                 "t.net:5:39: expected 4 numbers, found 3");
    expect_error(AB "potential (b | a) { data = ((1 0) (1 0 0)); }",
                 "t.net:5:40: expected only 4 numbers");
    expect_error(AB "potential (b | a) { data = ((1 0) (1 0))); }",
                 "t.net:5:41: expected ';', found ')'");
    expect_error(AB "potential (b | a) { data = ((1 0) (1 1)); }",
                 "t.net:5:36: this row of the table of 'b' sums to 2, "
                 "expected 1");
    expect_error(AB "potential (b a) { }",
                 "t.net:5:14: expected '|' or ')' after one variable, found "
                 "'a'");
    expect_error(AB "potential (b | c) { }",
                 "t.net:5:16: there is no variable 'c'");
    expect_error(AB "potential (a) { }",
                 "t.net:5:12: 'a' already has a table, in line 4");
}

static void a_file_cut_before_its_end_is_never_taken(void **state)
{
    (void)state;
    struct bestdag_network *net = random_network(run, 8, 5, NASTY_NAMES);
    char *text = write_text(run, &bestdag_format_net, net);
    for (size_t n = strlen(text) - 2;; n--) { /* the last are "}\n" */
        text[n] = 0;
        assert_null(read_text(run, &bestdag_format_net, "cut", text));
        assert_true(names_a_place(bestdag_run_error(run), "cut"));
        bestdag_run_clear(run);
        if (!n)
            break;
    }
    bestdag_free(text);
    bestdag_network_free(net);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(files_of_hugin_are_read),
        TEST(a_class_may_surround_everything),
        TEST(blocks_may_come_in_any_order),
        TEST(absent_data_is_uniform),
        TEST(intervals_name_states_that_have_no_name),
        TEST(a_node_may_be_called_like_a_keyword),
        TEST(brackets_nest_as_the_parents_do),
        TEST(other_kinds_of_nodes_are_refused_by_name),
        TEST(errors_name_the_place),
        TEST(a_file_cut_before_its_end_is_never_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
