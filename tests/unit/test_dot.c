/* SPDX-License-Identifier: MIT */
/* test_dot.c -- the language of Graphviz. */
#include "roundtrip.h"

extern const struct bestdag_format bestdag_format_dot;
static const struct bestdag_format *const format = &bestdag_format_dot;

static void check_arcs(const char *text, const char *expected, int variables)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = must_read(run, format, text);
    struct bestdag_buffer b = {.run = run};
    assert_int_equal(net->dag->n, variables);
    for (int v = 0; v < net->dag->n; v++)
        for (int i = 0; i < net->dag->parents[v].count; i++)
            bestdag_buffer_format(
                &b, "%s>%s ", net->variable[net->dag->parents[v].at[i]].name,
                net->variable[v].name);
    bestdag_buffer_text(&b, "");
    assert_string_equal(b.at, expected);
    bestdag_buffer_release(&b);
    bestdag_network_free(net);
    bestdag_run_free(run);
}

static void graphs_from_elsewhere_are_read(void **state)
{
    (void)state;
    check_arcs("digraph { a -> b -> c }", "a>b b>c ", 3);
    check_arcs("digraph{a->b;b->c;d}", "a>b b>c ", 4);
    check_arcs("strict digraph \"x\" {\n// no\n# no\n/* no */ a; b\n}", "", 2);
    check_arcs("DiGraph g { rankdir=LR; node [shape=box]; edge [dir=forward]"
               " graph [label=<<b>x</b>>, size=\"1,2\"];\n"
               "a:n -> b:port:sw [label=\"x]\" weight=-1; color=red][a=b];}",
               "a>b ", 2);
    check_arcs("digraph { \"node\" -> \"a \\\"b\\\"\" ; -1 -> 2.5 }",
               "node>a \"b\" -1>2.5 ", 4);
    check_arcs("digraph { }", "", 0);
}

static void what_is_not_a_directed_graph_is_refused(void **state)
{
    (void)state;
    must_refuse(format, "", "net:1:1: expected 'digraph', found the end");
    must_refuse(format, "graph { a -- b }",
                "net:1:1: this graph is undirected");
    must_refuse(format, "digraph { a -- b }",
                "net:1:14: '--' is an undirected edge");
    must_refuse(format, "digraph {\na -> b [dir=none] }",
                "net:2:13: 'dir=none' makes this edge undirected");
    must_refuse(format, "digraph {\na -> b [color=red, dir=\"both\"] }",
                "net:2:24: 'dir=both' makes this edge undirected");
    must_refuse(format, "digraph {\na -> b [arrowhead=none] }",
                "net:2:19: 'arrowhead=none' makes this edge undirected");
    must_refuse(format, "digraph {\nedge [dir=none] }",
                "net:2:11: 'dir=none' makes this edge undirected");
    must_refuse(format, "digraph { subgraph x { a } }",
                "net:1:11: subgraphs are not supported");
    must_refuse(format, "digraph { {a b} -> c }",
                "net:1:11: subgraphs are not supported");
    must_refuse(format, "digraph { a -> {b c} }",
                "net:1:16: subgraphs are not supported");
    must_refuse(format, "digraph { a -> a }",
                "net:1:16: 'a' cannot be its own parent");
    must_refuse(format, "digraph { \"\" }", "net:1:11: a name is empty");
    must_refuse(format, "digraph { a -> b", "net:1:17: expected a node or '}'");
    must_refuse(format, "digraph { a } b", "net:1:15: expected the end");
    must_refuse(format, "digraph { a -> b; b -> a }",
                "net: the arcs form a cycle");
    must_refuse(format, "digraph { <b>x</b> }",
                "net:1:11: expected a node or '}', found an HTML string");
}

static bool has(const char *text, const char *part)
{
    return strstr(text, part) != NULL;
}

static void ids_are_quoted_and_all_nodes_listed(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = lettered(run, 4);
    size_t size;
    set_name(run, net, 1, "a \"b\" \\");
    set_name(run, net, 2, "R&D");
    bestdag_dag_set_parents(run, net->dag, 0, (int[]){1}, 1);
    char *text = write_as(run, format, net, &size);
    assert_true(has(text, "    \"A\";\n    \"a \\\"b\\\" \\\\\";\n"));
    assert_true(has(text, "    \"R&D\" [label=\"R&amp;D\"];\n    \"D\";\n"));
    assert_true(has(text, "    \"a \\\"b\\\" \\\\\" -> \"A\";\n}\n"));
    bestdag_free(text);
    set_name(run, net, 3, "a\nb");
    must_not_write(format, net,
                   "the name of variable 'a b' has U+000A, which DOT cannot "
                   "hold (JSON can)");
    bestdag_network_free(net);
    bestdag_run_free(run);
}

static void undirected_edges_of_a_class_have_no_direction(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = lettered(run, 4);
    struct bestdag_pdag *pdag = bestdag_pdag_new(run, 4);
    struct bestdag_sink *sink = bestdag_sink_memory(run);
    size_t size;
    bestdag_pdag_add_arc(pdag, 3, 1);
    bestdag_pdag_add_edge(pdag, 3, 0);
    format->write_class(run, net, pdag, sink);
    char *text = bestdag_sink_take(sink, &size);
    assert_true(has(text, "    \"D\" -> \"B\";\n"
                          "    \"A\" -> \"D\" [dir=none];\n}\n"));
    assert_false(has(text, "\"D\" -> \"A\""));
    must_refuse(format, text, "net:14:21: 'dir=none' makes this edge");
    bestdag_free(text);
    bestdag_sink_close(sink);
    bestdag_pdag_free(pdag);
    bestdag_network_free(net);
    bestdag_run_free(run);
}

static void random_structures_come_back(void **state)
{
    (void)state;
    round_trips(format, BRACKETS, assert_same_structure, 300);
}

static const char sample[] =
    "strict digraph \"x\" { // c\n"
    "rankdir=TB; node [shape=box, label=<a<b>c>];\n"
    "\"a \\\"b\\\"\"; -1; c:n\n/* d */ \"a \\\"b\\\"\" -> c -> -1 [w=1]\n}\n";

static void hostile_files_are_survived(void **state)
{
    (void)state;
    survives_truncation(format, sample);
    survives_mangling(format, sample, 3000);
    survives_lack_of_memory(format, sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graphs_from_elsewhere_are_read),
        cmocka_unit_test(what_is_not_a_directed_graph_is_refused),
        cmocka_unit_test(ids_are_quoted_and_all_nodes_listed),
        cmocka_unit_test(undirected_edges_of_a_class_have_no_direction),
        cmocka_unit_test(random_structures_come_back),
        cmocka_unit_test(hostile_files_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
