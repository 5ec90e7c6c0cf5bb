/* SPDX-License-Identifier: MIT */
/* test_xmlbif.c -- XMLBIF 0.3. */
#include "roundtrip.h"

extern const struct bestdag_format bestdag_format_xmlbif;
static const struct bestdag_format *const format = &bestdag_format_xmlbif;

#define BEGIN "<BIF VERSION=\"0.3\"><NETWORK>\n"
#define END "</NETWORK></BIF>"
#define TWO(name)                                                              \
    "<VARIABLE TYPE=\"nature\"><NAME>" name "</NAME>"                          \
    "<OUTCOME>true</OUTCOME><OUTCOME>false</OUTCOME></VARIABLE>\n"

/* Skips the test in a build that cannot read XML, after a look at what it says.
 */
static void need_expat(void)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = read_text(run, format, BEGIN END);
    bool can = net != NULL;
    if (!can) {
        assert_int_equal(bestdag_run_status(run), BESTDAG_USAGE);
        assert_non_null(strstr(bestdag_run_error(run), "no libexpat"));
    }
    bestdag_network_free(net);
    bestdag_run_free(run);
    if (!can)
        skip();
}

/* The dog problem: the order of the numbers of dog-out is the point. */
static const char dog[] =
    "<?xml version=\"1.0\" encoding=\"US-ASCII\"?>\n"
    "<!-- Bayesian network in XMLBIF v0.3 -->\n"
    "<!DOCTYPE BIF [\n"
    "<!ELEMENT BIF ( NETWORK )*>\n"
    "<!ATTLIST BIF VERSION CDATA #REQUIRED>\n"
    "<!ELEMENT NETWORK ( NAME, ( PROPERTY | VARIABLE | DEFINITION )* )>\n"
    "<!ATTLIST VARIABLE TYPE (nature|decision|utility) \"nature\">\n"
    "]>\n" BEGIN "<NAME>Dog_Problem</NAME>\n"
    "<PROPERTY>credal-set constant-density-bounded 1.1</PROPERTY>\n" TWO(
        "light-on") TWO("bowel-problem") TWO("dog-out") TWO("hear-bark")
        TWO("family-out") TWO(
            "alone") "<VARIABLE><PROPERTY>position = (73, 165)</PROPERTY>"
                     "<OUTCOME>a</OUTCOME>\n<NAME>\n  late "
                     "name\n</NAME></VARIABLE>\n"
                     "<DEFINITION><FOR>dog-out</FOR><GIVEN>bowel-problem</"
                     "GIVEN>"
                     "<GIVEN>family-out</GIVEN>\n<TABLE>0.99 0.01 <!-- 1 1 --> "
                     "0.97 0.03\n"
                     "0.9 0.1 0.3<!-- x -->  0.7 </TABLE></DEFINITION>\n"
                     "<DEFINITION><TABLE>0.6 0.4 0.05 "
                     "0.95</TABLE><GIVEN>family-out</GIVEN>"
                     "<FOR>light-on</FOR></DEFINITION>\n"
                     "<DEFINITION><FOR>bowel-problem</FOR><TABLE>0.01 0.99 "
                     "</TABLE>"
                     "</DEFINITION>\n"
                     "<definition><for>hear-bark</for><given>dog-out</given>"
                     "<table>0.7 0.3 0.01 0.99</table></definition>\n"
                     "<DEFINITION><FOR>family-out</FOR><TABLE>0.15 "
                     "0.85</TABLE></DEFINITION>\n"
                     "<DEFINITION><FOR>alone</FOR><TABLE>.5 "
                     "5E-1</TABLE></DEFINITION>\n" END "\n";

static void the_dog_problem_is_read(void **state)
{
    (void)state;
    need_expat();
    struct bestdag_run *run = bestdag_run_new();
    int notes[2] = {0, 0};
    bestdag_run_on_progress(run, count_notes, notes);
    struct bestdag_network *net = must_read(run, format, dog);
    /* P(dog-out | bowel-problem, family-out), our parents the same order */
    const double expected[] = {0.99, 0.01, 0.97, 0.03, 0.9, 0.1, 0.3, 0.7};
    assert_string_equal(net->name, "Dog_Problem");
    assert_int_equal(net->dag->n, 7);
    assert_int_equal(net->properties, 1);
    assert_int_equal(bestdag_dag_arcs(net->dag), 4);
    assert_memory_equal(net->variable[2].table, expected, sizeof expected);
    assert_true(net->variable[0].table[2] == 0.05);
    assert_true(bestdag_dag_has_arc(net->dag, 4, 0));
    assert_true(bestdag_dag_has_arc(net->dag, 2, 3));
    assert_true(net->variable[5].table[1] == 0.5);
    assert_string_equal(net->variable[6].name, "late name");
    assert_string_equal(net->variable[6].property[0], "position = (73, 165)");
    assert_null(net->variable[6].table);
    assert_int_equal(notes[0], 1); /* that one has no table */
    bestdag_network_free(net);
    bestdag_run_free(run);
}

/* Equal numbers of states would hide a transposition. The file lists the
 * parents in the other order than the variables. */
static void parents_of_two_and_three_states_are_told_apart(void **state)
{
    (void)state;
    need_expat();
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = must_read(
        run, format,
        BEGIN TWO("x") TWO(
            "two") "<VARIABLE><NAME>three</NAME>"
                   "<OUTCOME>a</OUTCOME><OUTCOME>b</OUTCOME><OUTCOME>c</"
                   "OUTCOME>"
                   "</VARIABLE><DEFINITION><FOR>x</FOR><GIVEN>three</GIVEN>"
                   "<GIVEN>two</GIVEN><TABLE>0 1 .1 .9 .2 .8 .3 .7 .4 .6 .5 .5"
                   "</TABLE></DEFINITION>" END);
    const double *t = net->variable[0].table;
    for (int three = 0; three < 3; three++)
        for (int two = 0; two < 2; two++) {
            double expected = (2 * three + two) / 10.0;
            assert_true(t[(two * 3 + three) * 2] == expected);
        }
    size_t size;
    char *text = write_as(run, format, net, &size);
    assert_non_null(strstr(text, "<GIVEN>two</GIVEN>\n"
                                 "    <GIVEN>three</GIVEN>\n"
                                 "    <TABLE>0 1\n      0.2 0.8\n"));
    bestdag_free(text);
    bestdag_network_free(net);
    bestdag_run_free(run);
}

static void unknown_elements_are_skipped_with_a_note(void **state)
{
    (void)state;
    need_expat();
    struct bestdag_run *run = bestdag_run_new();
    int notes[2] = {0, 0};
    bestdag_run_on_progress(run, count_notes, notes);
    struct bestdag_network *net = must_read(
        run, format,
        BEGIN "<x><NAME>no</NAME>text</x><NAME>a<i>b</i>c</NAME>" END);
    assert_string_equal(net->name, "ac");
    assert_int_equal(net->dag->n, 0);
    assert_int_equal(notes[0], 0);
    assert_int_equal(notes[1], 2);
    bestdag_network_free(net);
    bestdag_run_free(run);
}

static void other_encodings_are_read(void **state)
{
    (void)state;
    need_expat();
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = must_read(
        run, format,
        "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>" BEGIN TWO("\xe4")
            END);
    assert_string_equal(net->variable[0].name, "\xc3\xa4");
    bestdag_network_free(net);
    bestdag_run_free(run);
}

static void errors_say_where(void **state)
{
    (void)state;
    need_expat();
    must_refuse(format, "", "net:1:1: not well-formed XML: no element found");
    must_refuse(format, "<html/>", "net:1:1: expected <BIF>, found <html>");
    must_refuse(format, "<NAME/>",
                "net:1:1: <NAME> is not allowed in the file");
    must_refuse(format, "<BIF/>", "net:1:7: expected a <NETWORK>");
    must_refuse(format, "<BIF><NETWORK/><NETWORK/></BIF>",
                "net:1:16: there is a second <NETWORK>");
    must_refuse(format, BEGIN "<TABLE/>" END,
                "net:2:1: <TABLE> is not allowed in <NETWORK>");
    must_refuse(format, BEGIN "hello" END, "net:2:1: text in <NETWORK>");
    must_refuse(format, BEGIN "</BIF>",
                "net:2:3: not well-formed XML: mismatched tag");
    must_refuse(format, BEGIN "<VARIABLE></VARIABLE>" END,
                "net:2:1: this variable has no name");
    must_refuse(format, BEGIN TWO("a") TWO("a") END,
                "net:3:1: two variables are called 'a'");
    must_refuse(format, BEGIN "<NAME>a</NAME><NAME>b</NAME>" END,
                "net:2:22: the network has two names");
    must_refuse(format, BEGIN "<DEFINITION/>" END,
                "net:2:1: this definition has no <FOR>");
    must_refuse(format, "<BIF>&auml;</BIF>", "net:1:6: not well-formed XML");
}

static void decisions_and_utilities_are_refused_by_name(void **state)
{
    (void)state;
    need_expat();
    must_refuse(format,
                BEGIN "<VARIABLE TYPE=\"decision\"><NAME>drill</NAME>"
                      "</VARIABLE>" END,
                "net:2:1: 'drill' is a decision variable, but only chance");
    must_refuse(format,
                BEGIN "<VARIABLE TYPE=\"utility\"><NAME>gain</NAME>"
                      "</VARIABLE>" END,
                "net:2:1: 'gain' is a utility variable, but only chance");
}

static void refuse_definition(const char *inside, const char *start)
{
    char text[1024];
    snprintf(text, sizeof text,
             BEGIN TWO("smoke") TWO("x") "<DEFINITION>%s</DEFINITION>" END,
             inside);
    must_refuse(format, text, start);
}

static void errors_in_a_definition_say_where(void **state)
{
    (void)state;
    need_expat();
    refuse_definition("<FOR>smok</FOR>", "net:4:1: unknown variable 'smok', "
                                         "did you mean 'smoke'?");
    refuse_definition("<FOR>x</FOR><FOR>x</FOR>",
                      "net:4:31: this definition has two <FOR>");
    refuse_definition("<FOR>x</FOR><GIVEN>y</GIVEN>", "net:4:1: unknown");
    refuse_definition("<FOR>x</FOR><GIVEN>x</GIVEN>",
                      "net:4:1: 'x' is its own parent");
    refuse_definition("<FOR>x</FOR><GIVEN>smoke</GIVEN><GIVEN>smoke</GIVEN>",
                      "net:4:1: 'smoke' is given twice");
    refuse_definition("<FOR>x</FOR><TABLE>1 0 0</TABLE>",
                      "net:4:25: the table of 'x' has 3 numbers, expected 1 x");
    refuse_definition("<FOR>x</FOR><TABLE>1 nan</TABLE>",
                      "net:4:34: expected a number, found 'nan'");
    refuse_definition("<FOR>x</FOR><TABLE>1\n 0,5 2</TABLE>",
                      "net:5:2: expected a number, found '0,5'");
    refuse_definition("<FOR>x</FOR><TABLE/><TABLE/>",
                      "net:4:33: this definition has two tables");
    refuse_definition("<FOR>x</FOR><TABLE>0.5 0.4</TABLE>",
                      "net:4:25: a row of the table of 'x' sums to 0.9");
    refuse_definition("<FOR>x</FOR></DEFINITION><DEFINITION><FOR>x</FOR>",
                      "net:4:38: there are two definitions of 'x'");
    refuse_definition("<FOR>x</FOR><GIVEN>smoke</GIVEN></DEFINITION>"
                      "<DEFINITION><FOR>smoke</FOR><GIVEN>x</GIVEN>",
                      "net: the arcs form a cycle");
}

static void a_billion_laughs_are_refused(void **state)
{
    (void)state;
    need_expat();
    must_refuse_for(
        format,
        "<!DOCTYPE BIF [\n<!ENTITY a \"hahahahaha\">\n"
        "<!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\">\n"
        "<!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;\">\n"
        "<!ENTITY d \"&c;&c;&c;&c;&c;&c;&c;&c;&c;&c;\">\n"
        "]>\n<BIF><NETWORK><NAME>&d;</NAME></NETWORK></BIF>",
        "net:2:", "entity 'a' is declared, but entities are not supported");
}

static void nothing_outside_the_file_is_read(void **state)
{
    (void)state;
    need_expat();
    must_refuse_for(
        format,
        "<!DOCTYPE BIF [\n<!ENTITY e SYSTEM \"file:///etc/passwd\">]>\n"
        "<BIF><NETWORK><NAME>&e;</NAME></NETWORK></BIF>",
        "net:2:", "entity 'e' is declared, but entities are not supported");
    must_refuse_for(
        format,
        "<!DOCTYPE BIF [\n<!ENTITY % e SYSTEM \"file:///etc/passwd\">"
        "%e;]>\n<BIF/>",
        "net:2:", "entity 'e' is declared, but entities are not supported");
    must_refuse(format,
                "<!DOCTYPE BIF SYSTEM \"no-such.dtd\">\n"
                "<BIF><NETWORK><NAME>&e;</NAME></NETWORK></BIF>",
                "net:2:21: unknown entity 'e'");
    struct bestdag_run *run = bestdag_run_new();
    bestdag_network_free(must_read(run, format,
                                   "<!DOCTYPE BIF SYSTEM \"no-such.dtd\">"
                                   "<BIF><NETWORK/></BIF>"));
    bestdag_run_free(run);
}

static void deep_nesting_is_refused(void **state)
{
    (void)state;
    need_expat();
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_buffer b = {.run = run};
    bestdag_buffer_text(&b, BEGIN);
    for (int i = 0; i < 100000; i++)
        bestdag_buffer_text(&b, "<x>");
    must_refuse(format, b.at, "net:2:184: elements are nested too deeply");
    bestdag_buffer_release(&b);
    bestdag_run_free(run);
}

static void a_table_longer_than_one_piece_is_read(void **state)
{
    (void)state;
    need_expat();
    enum { PARENTS = 18, NUMBERS = 2 << PARENTS };
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = bestdag_network_empty(run, PARENTS + 1);
    int parents[PARENTS];
    for (int v = 0; v <= PARENTS; v++) {
        char name[8];
        struct bestdag_variable *x = &net->variable[v];
        snprintf(name, sizeof name, "v%d", v);
        x->name = bestdag_strdup(run, name);
        bestdag_network_add_property(run, &x->labels, &x->states, "a");
        bestdag_network_add_property(run, &x->labels, &x->states, "b");
        if (v < PARENTS)
            parents[v] = v;
    }
    bestdag_dag_set_parents(run, net->dag, PARENTS, parents, PARENTS);
    for (int v = 0; v <= PARENTS; v++) {
        bestdag_network_new_table(run, net, v);
        int64_t rows = bestdag_network_configurations(net, v);
        for (int64_t j = 0; j < rows; j++) {
            double p = (double)(j + 1) / (double)(rows + 3);
            net->variable[v].table[2 * j] = p;
            net->variable[v].table[2 * j + 1] = 1 - p;
        }
    }
    size_t size;
    char *text = write_as(run, format, net, &size);
    assert_true(size > 4 * NUMBERS);
    struct bestdag_network *back = must_read(run, format, text);
    assert_same(net, back);
    bestdag_free(text);
    bestdag_network_free(back);
    bestdag_network_free(net);
    bestdag_run_free(run);
}

static void random_networks_come_back_bit_by_bit(void **state)
{
    (void)state;
    need_expat();
    round_trips(format, CONTROL | BRACKETS, assert_same, 400);
}

static void hostile_files_are_survived(void **state)
{
    (void)state;
    need_expat();
    survives_truncation(format, dog);
    survives_mangling(format, dog, 3000);
    survives_lack_of_memory(format, dog);
}

static void the_text_is_what_others_expect(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = lettered(run, 2);
    struct bestdag_variable *a = &net->variable[0];
    size_t size;
    bestdag_network_add_property(run, &a->labels, &a->states, "<5 & \"6\"");
    bestdag_network_add_property(run, &a->labels, &a->states, " x ");
    bestdag_network_new_table(run, net, 0);
    a->table[0] = 0.1;
    a->table[1] = 0.9;
    bestdag_dag_set_parents(run, net->dag, 1, (int[]){0}, 1);
    net->name = bestdag_strdup(run, "n");
    char *text = write_as(run, format, net, &size);
    assert_string_equal(
        strstr(text, "<BIF VERSION"),
        "<BIF VERSION=\"0.3\">\n<NETWORK>\n  <NAME>n</NAME>\n"
        "  <VARIABLE TYPE=\"nature\">\n    <NAME>A</NAME>\n"
        "    <OUTCOME>&lt;5 &amp; &quot;6&quot;</OUTCOME>\n"
        "    <OUTCOME>&#32;x&#32;</OUTCOME>\n  </VARIABLE>\n"
        "  <VARIABLE TYPE=\"nature\">\n    <NAME>B</NAME>\n  </VARIABLE>\n"
        "  <DEFINITION>\n    <FOR>A</FOR>\n    <TABLE>0.1 0.9</TABLE>\n"
        "  </DEFINITION>\n"
        "  <DEFINITION>\n    <FOR>B</FOR>\n    <GIVEN>A</GIVEN>\n"
        "  </DEFINITION>\n</NETWORK>\n</BIF>\n");
    bestdag_free(text);
    bestdag_network_free(net);
    bestdag_run_free(run);
}

static void what_xml_cannot_hold_is_refused(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_network *net = lettered(run, 1);
    struct bestdag_variable *a = &net->variable[0];
    bestdag_network_add_property(run, &a->labels, &a->states, "\x02");
    must_not_write(format, net,
                   "state '?' of variable 'A' has U+0002, which XMLBIF cannot "
                   "hold (JSON can)");
    set_name(run, net, 0, "\xef\xbf\xbf");
    must_not_write(format, net,
                   "the name of variable '\xef\xbf\xbf' has U+FFFF, which "
                   "XMLBIF cannot hold (JSON can)");
    bestdag_network_free(net);
    bestdag_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_text_is_what_others_expect),
        cmocka_unit_test(what_xml_cannot_hold_is_refused),
        cmocka_unit_test(the_dog_problem_is_read),
        cmocka_unit_test(parents_of_two_and_three_states_are_told_apart),
        cmocka_unit_test(unknown_elements_are_skipped_with_a_note),
        cmocka_unit_test(other_encodings_are_read),
        cmocka_unit_test(errors_say_where),
        cmocka_unit_test(decisions_and_utilities_are_refused_by_name),
        cmocka_unit_test(errors_in_a_definition_say_where),
        cmocka_unit_test(a_billion_laughs_are_refused),
        cmocka_unit_test(nothing_outside_the_file_is_read),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(a_table_longer_than_one_piece_is_read),
        cmocka_unit_test(random_networks_come_back_bit_by_bit),
        cmocka_unit_test(hostile_files_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
