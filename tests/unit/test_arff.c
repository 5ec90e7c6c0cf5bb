/* SPDX-License-Identifier: MIT */
/* ARFF: declarations, dense and sparse rows, weights. */
#include "unit/tables.h"

#define HEAD                                                                   \
    "% a comment\n@RELATION 'some thing'\n\n@attribute colour {red, "          \
    "'light blue',\"it's\"}\n@Attribute 'the size'\tNUMERIC\n% more\n"         \
    "@attribute kind{b,a}\n@attribute word string\n\n@DATA\n"

static void declarations_and_rows_are_read(void **state)
{
    (void)state;
    const char *text = HEAD "% rows\nred,3,a,x y\n'light blue', 12 ,b,'q\\'q'\n"
                            "\n\"it's\",5,a,\"\\\"\\n\"\n";
    for (size_t block = 0; block < 10; block++)
        expect_table((struct text){.name = "t.arff",
                                   .bytes = text,
                                   .probe = {.block = block}},
                     "colour(red,light blue,it's) the size(3,5,12) kind(b,a) "
                     "word(\"\n,q'q,x y)",
                     "red 3 a x y|light blue 12 b q'q|it's 5 a \"\n");
}

static void arff_is_known_by_its_content(void **state)
{
    (void)state;
    expect_table((struct text){.name = "standard input",
                               .bytes = "% x\n\n@relation r\n@attribute a "
                                        "{1,0}\n@data\n0\n1\n"},
                 "a(1,0)", "0|1");
    expect_note(1, "read as arff");
}

static void line_ends_may_be_crlf_or_cr(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "@relation r\r\n@attribute a {1,0}\r\n@data\r\n0\r\n{0 1}\r\n",
        "@relation r\r@attribute a {1,0}\r@data\r0\r{0 1}"};
    for (size_t i = 0; i < 2; i++)
        for (size_t block = 0; block < 9; block++)
            expect_table((struct text){.name = "t.arff",
                                       .bytes = texts[i],
                                       .probe = {.block = block}},
                         "a(1,0)", "0|1");
}

static void declared_order_holds_and_unseen_states_go(void **state)
{
    (void)state;
    const char *text = "@relation r\n@attribute a {z,m,a,q}\n@attribute b "
                       "{hi,lo}\n@data\na,hi\nz,hi\n";
    expect_table((struct text){.name = "t.arff", .bytes = text}, "a(z,a) b(hi)",
                 "a hi|z hi");
    expect_table((struct text){.name = "t.arff",
                               .bytes = text,
                               .settings = "arity=declared"},
                 "a(z,m,a,q) b(hi,lo)", "a hi|z hi");
}

static void states_of_dropped_rows_go_too(void **state)
{
    (void)state;
    const char *text = "@relation r\n@attribute a {z,m,a}\n@attribute b "
                       "{hi,lo}\n@data\na,hi\nm,?\nz,lo\n";
    expect_table((struct text){.name = "t.arff", .bytes = text},
                 "a(z,a) b(hi,lo)", "a hi|z lo");
    expect_table((struct text){.name = "t.arff",
                               .bytes = text,
                               .settings = "missing=state"},
                 "a(z,m,a) b(hi,lo,missing)", "a hi|m missing|z lo");
}

static void a_declared_token_is_a_value(void **state)
{
    (void)state;
    expect_table((struct text){.name = "t.arff",
                               .bytes = "@relation r\n@attribute a {NA,b}\n"
                                        "@attribute c {'?',d}\n@data\nNA,d\n"
                                        "b,'?'\nb,?\n",
                               .settings = "missing=keep"},
                 "a(NA,b) c(?,d)", "NA d|b ?|b -");
}

static void sparse_rows_omit_the_first_state_and_zero(void **state)
{
    (void)state;
    const char *text = "@relation r\n@attribute a {x,y,z}\n@attribute n "
                       "integer\n@attribute b {p,'q r'}\n@data\n{0 y, 2 'q "
                       "r'}\n{}\n{1 7}\n { 0 z , 1 3 } \n{2 ?, 1 4}\n";
    expect_table(
        (struct text){
            .name = "t.arff", .bytes = text, .settings = "missing=keep"},
        "a(x,y,z) n(0,3,4,7) b(p,q r)", "y 0 q r|x 0 p|x 7 p|z 3 p|x 4 -");
}

static void rows_may_have_weights(void **state)
{
    (void)state;
    struct bestdag_run *run = new_run();
    struct bestdag_table *t = read_text(
        run, (struct text){.name = "t.arff",
                           .bytes = "@relation r\n@attribute a {x,y}\n"
                                    "@attribute b {p,q}\n@data\nx,q,{5}\n"
                                    "y,p\n{0 y},{ 3 }\nx,p, {0}\n"});
    assert_string_equal(bestdag_run_error(run), "");
    assert_string_equal(rows_of(t), "x q|y p|y p");
    assert_int_equal(t->total, 9);
    assert_int_equal(bestdag_table_weight(t, 0), 5);
    assert_int_equal(bestdag_table_weight(t, 1), 1);
    assert_int_equal(bestdag_table_weight(t, 2), 3);
    bestdag_table_free(t);
    t = read_text(run, (struct text){.name = "t.arff",
                                     .bytes = "@relation r\n@attribute a "
                                              "{x,y}\n@data\nx\ny\n"});
    assert_null(t->weights);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void a_column_may_give_weights_of_sparse_rows(void **state)
{
    (void)state;
    struct bestdag_run *run = new_run();
    struct bestdag_table *t = read_text(
        run, (struct text){.name = "t.arff",
                           .bytes = "@relation r\n@attribute a {x,y}\n"
                                    "@attribute w numeric\n@data\n{1 4}\n"
                                    "{0 y}\n{0 y, 1 2}\n",
                           .settings = "weights=w"});
    assert_string_equal(bestdag_run_error(run), "");
    assert_string_equal(rows_of(t), "x|y"); /* an omitted weight is 0 */
    assert_int_equal(t->total, 6);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void mistakes_are_told_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"@relation r\n@attribute d date\n@data\n1\n",
         "t.arff:2:14: attribute 'd' has the unsupported type 'date'; expected "
         "{...}, numeric, real, integer or string"},
        {"@relation r\n@attribute d\n@data\n1\n",
         "t.arff:2:13: attribute 'd' has no type, expected {...}, numeric, "
         "real, integer or string"},
        {"@relation r\n@attribute d {a,b\n@data\n1\n",
         "t.arff:2:18: expected ',' or '}'"},
        {"@relation r\n@attribute d {a,,b}\n@data\n1\n",
         "t.arff:2:17: expected a name or value"},
        {"@relation r\n@attribute d {}\n@data\n1\n",
         "t.arff:2:15: expected a name or value"},
        {"@relation r\n@attribute d {a,a}\n@data\n1\n",
         "t.arff:2:17: attribute 'd' declares the state 'a' twice"},
        {"@relation r\n@attribute 'd {a,b}\n@data\n1\n",
         "t.arff:2:12: this quote is not closed"},
        {"@relation r\nattribute d {a,b}\n@data\n1\n",
         "t.arff:2:1: expected @relation, @attribute or @data"},
        {"@relation r\n@attribute d {a,b}\n", "t.arff: ends before @data"},
        {"@relation r\n@data\n1\n", "t.arff: no @attribute before @data"},
        {"@relation r\n@attribute d {a,b}\n@data\n", "t.arff: no rows"},
        {"@relation r\n@attribute d {a,b}\n@data\na\nc\n",
         "t.arff:5:1: column 'd' has the value 'c', expected one of the "
         "declared states"},
        {"@relation r\n@attribute d real\n@data\n1\nc\n",
         "t.arff:5:1: column 'd' has the value 'c', expected a number"},
        {"@relation r\n@attribute d {a,b}\n@data\na,b\n",
         "t.arff:4: found 2 fields, expected 1"},
        {"@relation r\n@attribute d {a}\n@attribute e {a}\n@data\na\n",
         "t.arff:5: found 1 field, expected 2"},
        {"@relation r\n@attribute d {a}\n@attribute d {a}\n@data\na,a\n",
         "t.arff: two columns are called 'd' (numbers 1 and 2), expected "
         "different names"},
        {"@relation r\n@attribute d {a,b}\n@data\na,{1.5}\n",
         "t.arff:4:4: the row has '1.5', expected a weight: a whole number "
         "from "
         "0 to 2147483647"},
        {"@relation r\n@attribute d {a,b}\n@data\na,{1\n",
         "t.arff:4:5: expected '}'"},
        {"@relation r\n@attribute d {a,b}\n@data\n{1 a}\n",
         "t.arff:4:2: there is no attribute with this number (the first is 0)"},
        {"@relation r\n@attribute d {a,b}\n@data\n{0 a,0 b}\n",
         "t.arff:4:6: this attribute already has a value in this row"},
        {"@relation r\n@attribute d {a,b}\n@data\n{d a}\n",
         "t.arff:4:2: expected the number of an attribute and its value"},
        {"@relation r\n@attribute d {a,b}\n@data\n{0 a\n",
         "t.arff:4:5: expected ',' or '}'"},
        {"@relation r\n@attribute d {a,b}\n@data\n{0 a} b\n",
         "t.arff:4:7: unexpected text after the row"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t block = 0; block < 3; block++)
            expect_error((struct text){.name = "t.arff",
                                       .bytes = cases[i].text,
                                       .probe = {.block = block}},
                         BESTDAG_INPUT, cases[i].error);
}

/* Columns are filled one after the other; the first error is by row. */
static void of_several_errors_the_first_in_the_file_is_told(void **state)
{
    (void)state;
    static const char text[] = "@relation r\n@attribute a {x,y}\n@attribute n "
                               "real\n@data\nx,1\nx,bad\nz,2\n'x,3\n";
    for (size_t block = 0; block < 20; block++)
        expect_error((struct text){.name = "t.arff",
                                   .bytes = text,
                                   .probe = {.block = block}},
                     BESTDAG_INPUT,
                     "t.arff:6:3: column 'n' has the value 'bad', expected a "
                     "number");
}

/* So many that the column holds numbers already, not codes. */
static void a_numeric_attribute_stays_numeric(void **state)
{
    (void)state;
    char *text = malloc(100000), *p = text;
    p += sprintf(p, "@relation r\n@attribute n real\n@data\n");
    for (int i = 0; i < 5000; i++)
        p += sprintf(p, "%d.5\n", i);
    sprintf(p, "oops\n1\n");
    expect_error((struct text){.name = "t.arff", .bytes = text}, BESTDAG_INPUT,
                 "t.arff:5004:1: column 'n' has the value 'oops', expected a "
                 "number");
    free(text);
}

static void many_declared_states_take_two_bytes(void **state)
{
    (void)state;
    char text[8192], *p = text;
    p += sprintf(p, "@relation r\n@attribute a {");
    for (int i = 0; i < 300; i++)
        p += sprintf(p, "%ss%d", i ? "," : "", i);
    p += sprintf(p, "}\n@data\ns299\ns0\n?\n");
    struct bestdag_run *run = new_run();
    struct bestdag_table *t = read_text(
        run, (struct text){.name = "t.arff",
                           .bytes = text,
                           .settings = "arity=declared missing=keep"});
    assert_non_null(t);
    assert_int_equal(t->column[0].bytes, 2);
    assert_int_equal(t->column[0].states, 300);
    assert_string_equal(rows_of(t), "s299|s0|-");
    bestdag_table_free(t);
    t = read_text(run, (struct text){.name = "t.arff",
                                     .bytes = text,
                                     .settings = "missing=keep"});
    assert_int_equal(t->column[0].bytes, 1);
    assert_string_equal(rows_of(t), "s299|s0|-");
    assert_string_equal(head_of(t), "a(s0,s299)");
    bestdag_table_free(t);
    bestdag_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(declarations_and_rows_are_read),
        cmocka_unit_test(arff_is_known_by_its_content),
        cmocka_unit_test(line_ends_may_be_crlf_or_cr),
        cmocka_unit_test(declared_order_holds_and_unseen_states_go),
        cmocka_unit_test(states_of_dropped_rows_go_too),
        cmocka_unit_test(a_declared_token_is_a_value),
        cmocka_unit_test(sparse_rows_omit_the_first_state_and_zero),
        cmocka_unit_test(rows_may_have_weights),
        cmocka_unit_test(a_column_may_give_weights_of_sparse_rows),
        cmocka_unit_test(mistakes_are_told_with_their_place),
        cmocka_unit_test(of_several_errors_the_first_in_the_file_is_told),
        cmocka_unit_test(a_numeric_attribute_stays_numeric),
        cmocka_unit_test(many_declared_states_take_two_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
