/* SPDX-License-Identifier: MIT */
/* test_edges.c -- arcs as CSV. */
#include "roundtrip.h"

extern const struct bestdag_format bestdag_format_edges;
static const struct bestdag_format *const format = &bestdag_format_edges;

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

static void the_usual_shapes_are_read(void **state)
{
    (void)state;
    check_arcs("from,to\na,b\nb,c\n", "a>b b>c ", 3);
    check_arcs("a,b\nb,c", "a>b b>c ", 3);
    check_arcs("\xef\xbb\xbf\"from\",\"to\"\r\n\"a\",\"b\"\r\n", "a>b ", 2);
    check_arcs("From;To\rx;y\r", "x>y ", 2);
    check_arcs("from\tto\nx\ty\n", "x>y ", 2);
    check_arcs("source,target\nx,y\n", "x>y ", 2);
    check_arcs("\"\",from,to,strength,direction\n1,x,y,0.9,0.5\n", "x>y ", 2);
    check_arcs("to,kind,from\nx,directed,y\n", "y>x ", 2);
    check_arcs("from,to\n\n  \na , b\n\n", "a>b ", 2);
    check_arcs("from,to\n\"a, b\",\"c\"\"d\"\n\"line\nbreak\",x\n",
               "a, b>c\"d line\nbreak>x ", 4);
}

static void variables_without_arcs_are_read(void **state)
{
    (void)state;
    check_arcs("from,to\na,\nb\n,c\nd,a\n", "d>a ", 4);
    check_arcs("from,to,kind\na,,\nb,c,directed\n", "b>c ", 3);
    check_arcs("from,to\n", "", 0);
}

static void extra_columns_are_noted(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    int notes[2] = {0, 0};
    bestdag_run_on_progress(run, count_notes, notes);
    bestdag_network_free(
        must_read(run, format, "from,to,strength\na,b,1\na,b,1\n"));
    assert_int_equal(notes[0], 1); /* an arc that stands there twice */
    assert_int_equal(notes[1], 1);
    bestdag_run_free(run);
}

static void errors_say_where(void **state)
{
    (void)state;
    must_refuse(format, "", "net:1:1: expected a line like 'from,to'");
    must_refuse(format, " \n\n", "net:3:1: expected a line like 'from,to'");
    must_refuse(format, "from,to\na,a\n", "net:2:3: 'a' cannot be its own");
    must_refuse(format, "from,to\na,b\n,\n", "net:3:1: expected a name");
    must_refuse(format, "from,to\n\"a,b\n",
                "net:2:1: this quoted field has no");
    must_refuse(format, "from,to\n0,1\",0\n", "net:2:4: a '\"' inside a field");
    must_refuse(format, "from,to\n\"a\"x,b\n",
                "net:2:4: expected the end of the field after '\"', found 'x'");
    must_refuse(format, "A,B,C\n1,2,3\n",
                "net:1:5: expected two fields, or a header");
    must_refuse(format, "from,to,kind\na,b,undirected\n",
                "net:2:5: 'a' - 'b' is undirected, but a network needs");
    must_refuse(format, "from,to,kind\na,b,maybe\n",
                "net:2:5: expected 'directed', found 'maybe'");
    must_refuse(format, "from,to\na,b\nb,a\n", "net: the arcs form a cycle");
    must_refuse(format, "from,to\na,\xff\n", "net:2:3: expected a text file");
}

static void arcs_and_lone_variables_are_written(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = lettered(run, 4);
    size_t size;
    set_name(run, net, 3, "a,\"b\"");
    bestdag_dag_set_parents(run, net->dag, 0, (int[]){2, 3}, 2);
    char *text = write_as(run, format, net, &size);
    assert_string_equal(text, "from,to\nC,A\n\"a,\"\"b\"\"\",A\nB,\n");
    bestdag_free(text);
    set_name(run, net, 3, "\xc0");
    must_not_write(format, net, "the name of variable '?' is not UTF-8");
    bestdag_network_free(net);
    bestdag_run_free(run);
}

static void a_class_has_kinds(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = lettered(run, 5);
    struct bestdag_pdag *pdag = bestdag_pdag_new(run, 5);
    struct bestdag_sink *sink = bestdag_sink_memory(run);
    size_t size;
    bestdag_pdag_add_arc(pdag, 3, 1);
    bestdag_pdag_add_edge(pdag, 3, 0);
    bestdag_pdag_add_edge(pdag, 0, 2);
    format->write_class(run, net, pdag, sink);
    char *text = bestdag_sink_take(sink, &size);
    assert_string_equal(text, "from,to,kind\nD,B,directed\nA,C,undirected\n"
                              "A,D,undirected\nE,,\n");
    must_refuse(format, text, "net:3:5: 'A' - 'C' is undirected");
    bestdag_free(text);
    bestdag_sink_close(sink);
    bestdag_pdag_free(pdag);
    bestdag_network_free(net);
    bestdag_run_free(run);
}

static void random_structures_come_back(void **state)
{
    (void)state;
    round_trips(format, CONTROL | BRACKETS, assert_same_structure, 300);
}

static const char sample[] = "\"\",from,to,kind,strength\n1,\"a \"\"b\",c,"
                             "directed,1\r\n2,c,d\n3,\"x\ny\",,\n";

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
        cmocka_unit_test(the_usual_shapes_are_read),
        cmocka_unit_test(variables_without_arcs_are_read),
        cmocka_unit_test(extra_columns_are_noted),
        cmocka_unit_test(errors_say_where),
        cmocka_unit_test(arcs_and_lone_variables_are_written),
        cmocka_unit_test(a_class_has_kinds),
        cmocka_unit_test(random_structures_come_back),
        cmocka_unit_test(hostile_files_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
