/* SPDX-License-Identifier: MIT */
/* The .dat format: names, arities, rows. */
#include "unit/tables.h"

static void names_arities_and_rows_are_read(void **state)
{
    (void)state;
    const char *text = "# made by hand\nx y z  \n2 3 2 \n0 a 1\n1 b 0  \n"
                       "# between\n\n0 c 1\n";
    for (size_t block = 0; block < 10; block++)
        expect_table((struct text){.name = "t.dat",
                                   .bytes = text,
                                   .probe = {.block = block}},
                     "x(0,1) y(a,b,c) z(0,1)", "0 a 1|1 b 0|0 c 1");
    expect_table((struct text){.name = "t.x",
                               .bytes = text,
                               .settings = "input-format=dat"},
                 "x(0,1) y(a,b,c) z(0,1)", NULL);
}

static void commas_in_the_names_mean_commas(void **state)
{
    (void)state;
    expect_table(
        (struct text){.name = "t.dat", .bytes = "x,y\n2,2\n0,a b\n1,c\n"},
        "x(0,1) y(a b,c)", "0 a b|1 c");
}

static void declared_states_are_kept_on_demand(void **state)
{
    (void)state;
    const char *text = "x y\n4 2\n0 a\n3 a\n1 a\n";
    expect_table((struct text){.name = "t.dat", .bytes = text}, "x(0,1,3) y(a)",
                 "0 a|3 a|1 a");
    expect_table((struct text){.name = "t.dat",
                               .bytes = text,
                               .settings = "arity=declared"},
                 "x(0,1,2,3) y(a,unseen_1)", "0 a|3 a|1 a");
}

static void unseen_codes_count_as_the_file_does(void **state)
{
    (void)state;
    /* y shows that codes begin at 1 */
    expect_table((struct text){.name = "t.dat",
                               .bytes = "x y\n3 2\n1 1\n2 2\n",
                               .settings = "arity=declared"},
                 "x(1,2,3) y(1,2)", NULL);
    expect_table((struct text){.name = "t.dat",
                               .bytes = "x y\n3 2\n1 1\n2 0\n",
                               .settings = "arity=declared"},
                 "x(0,1,2) y(0,1)", NULL);
    /* neither from 0 nor from 1 */
    expect_table((struct text){.name = "t.dat",
                               .bytes = "x y\n3 3\n5 unseen_1\n7 unseen_2\n",
                               .settings = "arity=declared"},
                 "x(5,7,unseen_1) y(unseen_1,unseen_2,unseen_3)", NULL);
}

static void many_unseen_states_widen_the_column(void **state)
{
    (void)state;
    struct bestdag_run *run = new_run();
    struct bestdag_table *t =
        read_text(run, (struct text){.name = "t.dat",
                                     .bytes = "x y\n300 2\n7 0\n299 1\n",
                                     .settings = "arity=declared"});
    assert_non_null(t);
    assert_int_equal(t->column[0].states, 300);
    assert_int_equal(t->column[0].bytes, 2);
    assert_string_equal(cell(t, 0, 0), "7");
    assert_string_equal(cell(t, 0, 1), "299");
    assert_string_equal(t->column[0].labels[10], "10");
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void declared_columns_never_become_numbers(void **state)
{
    (void)state;
    char text[8192], *p = text;
    p += sprintf(p, "x y\n300 200\n");
    for (int i = 0; i < 200; i++)
        p += sprintf(p, "%d %g\n", i, i / 4.0);
    struct bestdag_run *run = new_run();
    struct bestdag_table *t =
        read_text(run, (struct text){.name = "t.dat", .bytes = text});
    assert_non_null(t);
    assert_int_equal(t->column[0].states, 200);
    assert_int_equal(t->column[1].states, 200);
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void more_values_than_declared_are_an_error(void **state)
{
    (void)state;
    for (int general = 0; general < 2; general++)
        expect_error((struct text){.name = "t.dat",
                                   .bytes = "x y\n2 2\n0 0\n1 1\n1 2\n0 0\n",
                                   .probe = {0, general}},
                     BESTDAG_INPUT,
                     "t.dat:5:3: column 'y' has the value '2', expected no "
                     "more than the 2 values that the second line declares");
}

static void codes_beyond_what_is_declared_are_an_error(void **state)
{
    (void)state;
    static const struct {
        const char *bytes, *part;
    } bad[] = {{"x y\n2 2\n0 0\n1 5\n", "t.dat: column 'y' has the value '5', "
                                        "expected 0 to 1: the second line "
                                        "declares 2 states"},
               {"x y\n3 2\n1 1\n4 2\n",
                "t.dat: column 'x' has the value '4', expected 1 to 3: the "
                "second line declares 3 states"},
               {"x,y\n2,2\n0,a\n2,b\n",
                "t.dat: column 'x' has the value '2', expected 0 to 1: the "
                "second line declares 2 states"},
               {"x y\n2 3\n0 0\n1 999999999\n",
                "t.dat: column 'y' has the value '999999999', expected 0 to 2: "
                "the second line declares 3 states"}};
    for (int i = 0; i < (int)(sizeof bad / sizeof *bad); i++)
        for (int general = 0; general < 2; general++)
            expect_error((struct text){.name = "t.dat",
                                       .bytes = bad[i].bytes,
                                       .probe = {0, general}},
                         BESTDAG_INPUT, bad[i].part);
    /* labels that do not count from 0 or 1 are labels */
    expect_table((struct text){.name = "t.dat",
                               .bytes = "x y z\n2 2 2\n5 -1 01\n7 1 9\n"},
                 "x(5,7) y(-1,1) z(01,9)", NULL);
}

static void without_arities_it_is_separated_text(void **state)
{
    (void)state;
    expect_table((struct text){.name = "t.dat", .bytes = "x y\n0 1.5\n1 2\n"},
                 "x(0,1) y(1.5,2)", "0 1.5|1 2");
    expect_note(0, "the second line does not hold numbers of states");
    expect_error((struct text){.name = "t.dat",
                               .bytes = "x y\n0 1.5\n1 2\n",
                               .settings = "input-format=dat"},
                 BESTDAG_INPUT,
                 "t.dat:2:1: expected the number of states of each column");
    expect_table((struct text){.name = "t.dat",
                               .bytes = "2 2\n0 1\n1 1\n",
                               .settings = "no-header=yes"},
                 "V1(0,1,2) V2(1,2)", "2 2|0 1|1 1");
    expect_table((struct text){.name = "t.dat",
                               .bytes = "x y\n2 2\n1 0\n",
                               .settings = "input-format=csv"},
                 "x(1,2) y(0,2)", "2 2|1 0");
}

static void wrong_arities_are_told(void **state)
{
    (void)state;
    expect_error((struct text){.name = "t.dat", .bytes = "x y z\n2 2\n0 1 0\n"},
                 BESTDAG_INPUT, "t.dat:2: found 2 fields, expected 3");
    expect_error((struct text){.name = "t.dat", .bytes = "x y\n2 70000\n0 1\n"},
                 BESTDAG_INPUT,
                 "t.dat:2:3: column 'y' declares 70000 states; at most 65534 "
                 "were expected");
    expect_error((struct text){.name = "t.dat", .bytes = "x y\n2 2\n"},
                 BESTDAG_INPUT, "t.dat: no rows");
    expect_error((struct text){.name = "t.dat", .bytes = "# only\n"},
                 BESTDAG_INPUT, "t.dat: no rows");
}

static void question_marks_are_missing(void **state)
{
    (void)state;
    expect_table(
        (struct text){.name = "t.dat", .bytes = "x y\n2 2\n0 1\n? 1\n1 0\n"},
        "x(0,1) y(0,1)", "0 1|1 0");
    expect_note(0, "1 of 3 rows have missing values and were dropped");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_arities_and_rows_are_read),
        cmocka_unit_test(commas_in_the_names_mean_commas),
        cmocka_unit_test(declared_states_are_kept_on_demand),
        cmocka_unit_test(unseen_codes_count_as_the_file_does),
        cmocka_unit_test(many_unseen_states_widen_the_column),
        cmocka_unit_test(declared_columns_never_become_numbers),
        cmocka_unit_test(more_values_than_declared_are_an_error),
        cmocka_unit_test(codes_beyond_what_is_declared_are_an_error),
        cmocka_unit_test(without_arities_it_is_separated_text),
        cmocka_unit_test(wrong_arities_are_told),
        cmocka_unit_test(question_marks_are_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
