/* SPDX-License-Identifier: MIT */
/* Separated text: dialects, headers, quotes, kinds of columns, errors. */
#include "unit/tables.h"

/* ---- delimiters ---------------------------------------------------------- */

static void delimiters_are_found_out(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name;
    } cases[] = {
        {"x,y\na,b\nc,d\n", "commas"},  {"x;y\na;b\nc;d\n", "semicolons"},
        {"x\ty\na\tb\nc\td\n", "tabs"}, {"x|y\na|b\nc|d\n", "'|'"},
        {"x y\na b\nc d\n", "blanks"},  {"  x   y \na\t b\n c   d", "blanks"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char note[64];
        expect_table((struct text){.bytes = cases[i].text}, "x(a,c) y(b,d)",
                     "a b|c d");
        snprintf(note, sizeof note, "separated by %s", cases[i].name);
        expect_note(1, note);
    }
}

static void a_comma_may_be_a_decimal_sign(void **state)
{
    (void)state;
    expect_table((struct text){.bytes = "x;y\n1,5;2,5\n3,5;2,5\n"},
                 "x(1,5,3,5) y(2,5)", "1,5 2,5|3,5 2,5");
    expect_table((struct text){.bytes = "1,5;2,5\n3,5;2,5\n",
                               .settings = "no-header=yes"},
                 "V1(1,5,3,5) V2(2,5)", NULL);
}

static void blanks_inside_names_and_labels_do_not_confuse(void **state)
{
    (void)state;
    expect_table((struct text){.bytes = "first name,last name\nA B,C D\n"},
                 "first name(A B) last name(C D)", NULL);
    expect_table((struct text){.bytes = "my long name\n1\n2\n"},
                 "my long name(1,2)", "1|2");
}

static void quotes_hide_delimiters_from_the_guess(void **state)
{
    (void)state;
    expect_table((struct text){.bytes = "x;y\n\"a,b,c\";d\n\"e\";f\n"},
                 "x(a,b,c,e) y(d,f)", "a,b,c d|e f");
}

static void a_given_delimiter_is_obeyed(void **state)
{
    (void)state;
    expect_table(
        (struct text){.bytes = "x,y\na,b\n", .settings = "delimiter=;"},
        "x,y(a,b)", "a,b");
    expect_table(
        (struct text){.bytes = "x:y\na:b\n", .settings = "delimiter=:"},
        "x(a) y(b)", NULL);
    expect_table(
        (struct text){.bytes = "x\ty\na b\tc\n", .settings = "delimiter=tab"},
        "x(a b) y(c)", NULL);
    expect_table(
        (struct text){.bytes = "x,1  y\na  b\n", .settings = "delimiter=blank"},
        "x,1(a) y(b)", NULL);
    expect_error((struct text){.bytes = "x\n1\n", .settings = "delimiter=ab"},
                 BESTDAG_USAGE,
                 "delimiter: 'ab' is not a single character such as , ; | or "
                 "the word tab or blank");
    expect_error((struct text){.bytes = "x\n1\n", .settings = "delimiter=\""},
                 BESTDAG_USAGE,
                 "delimiter: '\"' is not a single character such as , ; | or "
                 "the word tab or blank");
}

static void the_suffix_tsv_means_tabs(void **state)
{
    (void)state;
    expect_table((struct text){.name = "t.tsv", .bytes = "x,1\na,b\n"},
                 "x,1(a,b)", NULL);
    expect_table((struct text){.bytes = "x,1\ty\na,b\t\n",
                               .settings = "input-format=tsv missing=keep"},
                 "x,1(a,b) y()", NULL);
}

/* ---- line ends, byte order mark, blank lines ------------------------------
 */

static void line_ends_are_lf_crlf_or_cr(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "x,y\n1,2\n3,4\n",   "x,y\n1,2\n3,4",   "x,y\r\n1,2\r\n3,4\r\n",
        "x,y\r\n1,2\r\n3,4", "x,y\r1,2\r3,4\r", "x,y\r1,2\r3,4"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t block = 0; block < 8; block++)
            expect_table((struct text){.bytes = texts[i],
                                       .settings = "delimiter=,",
                                       .probe = {.block = block}},
                         "x(1,3) y(2,4)", "1 2|3 4");
}

static void a_byte_order_mark_is_no_part_of_a_name(void **state)
{
    (void)state;
    for (size_t block = 0; block < 5; block++)
        expect_table((struct text){.bytes = "\xef\xbb\xbfx,y\n1,2\n",
                                   .settings = "delimiter=,",
                                   .probe = {.block = block}},
                     "x(1) y(2)", "1 2");
}

static void blank_lines_are_skipped(void **state)
{
    (void)state;
    expect_table((struct text){.bytes = "\n\nx,y\n\n1,2\n  \n3,4\n\n\n"},
                 "x(1,3) y(2,4)", "1 2|3 4");
    expect_note(1, "blank lines were skipped");
}

static void a_blank_line_of_a_single_column_is_a_missing_value(void **state)
{
    (void)state;
    expect_table(
        (struct text){.bytes = "x\n1\n\n2\n\n\n", .settings = "missing=keep"},
        "x(1,2)", "1|-|2");
    expect_table((struct text){.bytes = "x\n\n\n\n1\n\n2",
                               .settings = "missing=state",
                               .probe = {.block = 2}},
                 "x(1,2,missing)", "missing|missing|missing|1|missing|2");
    expect_error(
        (struct text){.bytes = "x\n1\n\n\n2\n", .settings = "missing=error"},
        BESTDAG_INPUT,
        "t.csv:3:1: a missing value (--missing drop or state accepts "
        "it)");
}

/* ---- quotes -------------------------------------------------------------- */

static void quoted_fields_keep_delimiters_quotes_and_line_breaks(void **state)
{
    (void)state;
    const char *text = "x,\"a \"\"b\"\"\"\n\"1,2\",\"he said \"\"no\"\"\"\n"
                       "\"two\nlines\", \"c\" \n\"cr\r\nlf\",\"\"\"\"\n";
    for (size_t block = 0; block < 40; block++) {
        struct bestdag_run *run = new_run();
        struct bestdag_table *t =
            read_text(run, (struct text){.bytes = text,
                                         .settings = "delimiter=,",
                                         .probe = {.block = block}});
        assert_non_null(t);
        assert_string_equal(t->column[1].name, "a \"b\"");
        assert_int_equal(t->rows, 3);
        assert_string_equal(cell(t, 0, 0), "1,2");
        assert_string_equal(cell(t, 1, 0), "he said \"no\"");
        assert_string_equal(cell(t, 0, 1), "two\nlines");
        assert_string_equal(cell(t, 1, 1), "c");
        assert_string_equal(cell(t, 0, 2), "cr\r\nlf");
        assert_string_equal(cell(t, 1, 2), "\"");
        bestdag_table_free(t);
        bestdag_run_free(run);
    }
}

static void quoted_and_plain_fields_are_the_same_state(void **state)
{
    (void)state;
    expect_table((struct text){.bytes = "x,y\n1,a\n\"1\",\"a\"\n"}, "x(1) y(a)",
                 "1 a|1 a");
}

static void a_stray_quote_is_told_with_its_place(void **state)
{
    (void)state;
    for (size_t block = 0; block < 20; block++) {
        expect_error((struct text){.bytes = "x,y,z\n0,1,0\n0,1\",0\n",
                                   .settings = "delimiter=,",
                                   .probe = {.block = block}},
                     BESTDAG_INPUT,
                     "t.csv:3:4: a quote inside a field that is not quoted");
        expect_error((struct text){.bytes = "x,y\n\"a\nb\",1\n\"a\"b,2\n",
                                   .settings = "delimiter=,",
                                   .probe = {.block = block}},
                     BESTDAG_INPUT,
                     "t.csv:4:4: text after a closing quote, expected a "
                     "delimiter or the end of the line");
        expect_error((struct text){.bytes = "x,y\n1,2\n3,\"a\n4,5\n",
                                   .settings = "delimiter=,",
                                   .probe = {.block = block}},
                     BESTDAG_INPUT, "t.csv:3:3: this quote is not closed");
    }
}

/* ---- numbers of fields -----------------------------------------------------
 */

static void rows_of_a_wrong_length_are_told_with_their_line(void **state)
{
    (void)state;
    expect_error((struct text){.bytes = "x,y,z\n1,2,3\n1,2\n"}, BESTDAG_INPUT,
                 "t.csv:3: found 2 fields, expected 3");
    expect_error((struct text){.bytes = "x,y,z\n1,2,3\n1,2,3,4\n1,2,3\n"},
                 BESTDAG_INPUT, "t.csv:3: found 4 fields, expected 3");
    expect_error((struct text){.bytes = "x,y\n1,2\n\"a\nb\",2\n1,2,\n"},
                 BESTDAG_INPUT, "t.csv:5: found 3 fields, expected 2");
    expect_error((struct text){.bytes = "x y\n1 2\n3\n4 5\n6 7\n"},
                 BESTDAG_INPUT, "t.csv:3: found 1 field, expected 2");
}

static void a_trailing_delimiter_is_told_and_harmless(void **state)
{
    (void)state;
    expect_table((struct text){.bytes = "x,y,\n1,2,\n3,4\n5,6,\n"},
                 "x(1,3,5) y(2,4,6)", "1 2|3 4|5 6");
    expect_note(1, "rows end with a delimiter");
    expect_table((struct text){.bytes = "x,y\n1,2,\n3,4,\n"}, "x(1,3) y(2,4)",
                 "1 2|3 4");
    expect_note(1, "rows end with a delimiter");
    expect_error((struct text){.bytes = "x,y,\n1,2,3\n"}, BESTDAG_INPUT,
                 "t.csv:2: found 3 fields, expected 2");
}

/* ---- headers ---------------------------------------------------------------
 */

static void row_names_are_left_out(void **state)
{
    (void)state;
    expect_table((struct text){.bytes = "\"\",\"x\",\"y\"\n\"1\",1,2\n"
                                        "\"2\",3,4\n"},
                 "x(1,3) y(2,4)", "1 2|3 4");
    expect_note(0, "the first column has no name and is left out");
    expect_table((struct text){.bytes = ",x\n1,1\n2,3\n"}, "x(1,3)", "1|3");
}

static void names_must_be_there_and_differ(void **state)
{
    (void)state;
    expect_error((struct text){.bytes = "x,,y\n1,2,3\n"}, BESTDAG_INPUT,
                 "t.csv:1:3: column 2 has no name");
    expect_error((struct text){.bytes = "x,y,x\n1,2,3\n"}, BESTDAG_INPUT,
                 "t.csv: two columns are called 'x' (numbers 1 and 3), "
                 "expected different names");
    expect_error((struct text){.bytes = "0,1,1\n0,1,1\n"}, BESTDAG_INPUT,
                 "t.csv: two columns are called '1' (numbers 2 and 3), "
                 "expected different names (--no-header if the first line is "
                 "a row)");
}

static void without_a_header_columns_are_numbered(void **state)
{
    (void)state;
    expect_table(
        (struct text){.bytes = "1,a\n2,b\n", .settings = "no-header=yes"},
        "V1(1,2) V2(a,b)", "1 a|2 b");
}

static void tables_without_rows_are_refused(void **state)
{
    (void)state;
    expect_error((struct text){.bytes = "x,y\n"}, BESTDAG_INPUT,
                 "t.csv: no rows");
    expect_error((struct text){.bytes = "x,y"}, BESTDAG_INPUT,
                 "t.csv: no rows");
    expect_error((struct text){.bytes = "\n\n"}, BESTDAG_INPUT,
                 "t.csv: no rows");
    struct bestdag_run *run = new_run();
    struct bestdag_source *empty = bestdag_source_memory(run, "e.csv", "", 0);
    assert_null(bestdag_table_from(run, empty, NULL, NULL));
    assert_string_equal(bestdag_run_error(run), "e.csv: the file is empty");
    bestdag_source_close(empty);
    bestdag_run_free(run);
}

static void what_is_no_text_is_refused(void **state)
{
    (void)state;
    for (size_t block = 0; block < 12; block++) {
        expect_error((struct text){.bytes = "x,y\n1,\0\n",
                                   .size = 8,
                                   .settings = "delimiter=,",
                                   .probe = {.block = block}},
                     BESTDAG_INPUT,
                     "t.csv:2:3: a NUL byte; expected a text file");
        expect_error(
            (struct text){.bytes = "x,y\n1,caf\xe9\n2,b\n",
                          .settings = "delimiter=,",
                          .probe = {.block = block}},
            BESTDAG_INPUT,
            "t.csv:2:6: byte 0xe9 is not UTF-8 text; expected a text file in "
            "UTF-8");
        expect_error(
            (struct text){.bytes = "x,y\n1,\xe2\x82",
                          .settings = "delimiter=,",
                          .probe = {.block = block}},
            BESTDAG_INPUT,
            "t.csv:2:3: byte 0xe2 is not UTF-8 text; expected a text file in "
            "UTF-8");
        expect_table((struct text){.bytes = "x,y\n1,\xe2\x82\xac\n",
                                   .settings = "delimiter=,",
                                   .probe = {.block = block}},
                     "x(1) y(\xe2\x82\xac)", NULL);
    }
    expect_error((struct text){.bytes = "\xff\xfex\0,\0", .size = 6},
                 BESTDAG_INPUT, "t.csv:1:1: UTF-16 text; expected UTF-8");
}

/* ---- states ----------------------------------------------------------------
 */

static void states_are_in_natural_order_whatever_the_rows(void **state)
{
    (void)state;
    expect_table((struct text){.bytes = "x,y\n10,a10\n2,a2\n-1,b\n1.5,a1\n"},
                 "x(-1,1.5,2,10) y(a1,a2,a10,b)", "10 a10|2 a2|-1 b|1.5 a1");
    expect_table((struct text){.bytes = "x\nz\n3\n10\nB\na\n"}, "x(3,10,B,a,z)",
                 NULL);
    expect_table((struct text){.bytes = "x\n10,5\n2,5\n-3\n",
                               .settings = "delimiter=; decimal=,"},
                 "x(-3,2,5,10,5)", NULL);
}

static void blanks_around_fields_do_not_count(void **state)
{
    (void)state;
    expect_table((struct text){.bytes = " x , y\n a ,b \n\ta\t,  b c  \n"},
                 "x(a) y(b,b c)", "a b|a b c");
}

/* ---- missing values --------------------------------------------------------
 */

static void missing_tokens_are_missing_unless_quoted(void **state)
{
    (void)state;
    expect_table((struct text){.bytes = "x,y\nNA,1\n\"NA\",1\n?,1\n,1\nNaN,1\n"
                                        "<NA>,1\nNone,1\nna,1\n  ,1\n",
                               .settings = "missing=keep"},
                 "x(NA,None,na) y(1)",
                 "- 1|NA 1|- 1|- 1|- 1|- 1|None 1|na 1|- 1");
    expect_table(
        (struct text){.bytes = "x,y\n\"\",1\n,2\n", .settings = "missing=keep"},
        "x() y(1,2)", " 1|- 2");
    expect_note(0, "the empty text, in quotes");
}

static void the_list_of_tokens_can_be_given(void **state)
{
    (void)state;
    expect_table((struct text){.bytes = "x,y\nNA,1\n-9,2\nnone,3\n,4\n",
                               .settings = "missing=keep na=-9,none"},
                 "x(,NA) y(1,2,3,4)", "NA 1|- 2|- 3| 4");
}

static void rows_with_missing_values_are_dropped_and_told(void **state)
{
    (void)state;
    expect_table((struct text){.bytes = "x,y\n1,a\n?,b\n2,c\n3,\n"},
                 "x(1,2) y(a,c)", "1 a|2 c");
    expect_note(0, "2 of 4 rows have missing values and were dropped");
    expect_error((struct text){.bytes = "x,y\n1,\n,2\n"}, BESTDAG_INPUT,
                 "every row has a missing value (column 'x' lacks 1 of 2); "
                 "use the values that are there (--missing em, --missing "
                 "available), make missing a state (--missing state) or leave "
                 "columns out (--ignore)");
}

static void a_missing_value_can_be_a_state_or_an_error(void **state)
{
    (void)state;
    expect_table((struct text){.bytes = "x,y\n1,a\n?,missing\n2,\n",
                               .settings = "missing=state"},
                 "x(1,2,missing) y(a,missing,missing_2)",
                 "1 a|missing missing|2 missing_2");
    for (size_t block = 0; block < 12; block++)
        for (int general = 0; general < 2; general++)
            expect_error(
                (struct text){.bytes = "x,y\n1,a\n2,?\n?,b\n",
                              .settings = "missing=error",
                              .probe = {block, general}},
                BESTDAG_INPUT,
                "t.csv:3:3: a missing value (--missing drop or state accepts "
                "it)");
}

static void a_column_without_values_is_told_and_drops_no_row(void **state)
{
    (void)state;
    struct bestdag_run *run = new_run();
    struct bestdag_table *t =
        read_text(run, (struct text){.bytes = "x,y\n1,\n2,NA\n"});
    assert_non_null(t);
    assert_int_equal(t->rows, 2);
    assert_int_equal(t->column[1].kind, BESTDAG_OPAQUE);
    assert_int_equal(t->column[1].missing, 2);
    expect_note(0, "column 'y' has no value at all");
    bestdag_table_free(t);
    bestdag_run_free(run);
}

/* ---- kinds of columns ------------------------------------------------------
 */

/* "x" and n rows that f makes. */
static char *make_column(int n, void (*f)(int i, char *to))
{
    char *text = malloc((size_t)n * 32 + 16), *p = text;
    p += sprintf(p, "x,k\n");
    for (int i = 0; i < n; i++) {
        f(i, p);
        p += strlen(p);
        p += sprintf(p, ",%d\n", i % 2);
    }
    return text;
}

static void as_integer(int i, char *to)
{
    sprintf(to, "%d", i);
}

static void as_fraction(int i, char *to)
{
    sprintf(to, "%g", i / 8.0);
}

static void as_word(int i, char *to)
{
    sprintf(to, "w%d", i);
}

static void expect_kind(int n, void (*f)(int, char *), const char *settings,
                        enum bestdag_column_kind kind)
{
    struct bestdag_run *run = new_run();
    char *text = make_column(n, f);
    struct bestdag_table *t =
        read_text(run, (struct text){.bytes = text, .settings = settings});
    assert_string_equal(bestdag_run_error(run), "");
    assert_int_equal(t->column[0].kind, kind);
    assert_int_equal(t->rows, n);
    if (kind == BESTDAG_CODES) {
        assert_int_equal(t->column[0].states, n);
        assert_int_equal(t->column[0].bytes, n > 255 ? 2 : 1);
        for (int i = 0; i < n; i++) {
            char label[32];
            f(i, label);
            assert_string_equal(cell(t, 0, i), label);
        }
    }
    if (kind == BESTDAG_NUMBERS) {
        expect_note(1, "column 'x' holds numbers; 'bestdag discretize'");
        for (int i = 0; i < n; i++) {
            char label[32];
            f(i, label);
            assert_float_equal(((double *)t->column[0].cells)[i], atof(label),
                               0);
        }
    }
    bestdag_table_free(t);
    free(text);
    bestdag_run_free(run);
}

static void many_different_numbers_stay_numbers(void **state)
{
    (void)state;
    expect_kind(100, as_integer, NULL, BESTDAG_CODES);
    expect_kind(101, as_integer, NULL, BESTDAG_NUMBERS);
    expect_kind(10, as_fraction, NULL, BESTDAG_CODES);
    expect_kind(11, as_fraction, NULL, BESTDAG_NUMBERS);
    expect_kind(254, as_integer, "max-states=1000", BESTDAG_CODES);
    expect_kind(255, as_integer, "max-states=1000", BESTDAG_CODES);
    expect_kind(256, as_integer, "max-states=1000", BESTDAG_CODES);
    expect_kind(6, as_integer, "max-states=5", BESTDAG_NUMBERS);
    expect_kind(6, as_fraction, "max-states=5", BESTDAG_NUMBERS);
    /* beyond what a builder keeps as codes */
    expect_kind(5000, as_fraction, NULL, BESTDAG_NUMBERS);
    expect_kind(70000, as_integer, NULL, BESTDAG_NUMBERS);
}

static void text_has_codes_up_to_65534_values(void **state)
{
    (void)state;
    expect_kind(255, as_word, NULL, BESTDAG_CODES);
    expect_kind(256, as_word, NULL, BESTDAG_CODES);
    expect_kind(65534, as_word, NULL, BESTDAG_CODES);
    expect_kind(65535, as_word, NULL, BESTDAG_OPAQUE);
    expect_note(0, "column 'x' has too many different values for states");
    expect_kind(80000, as_word, NULL, BESTDAG_OPAQUE);
}

static void several_columns_of_numbers_get_one_note(void **state)
{
    (void)state;
    char text[4096], *p = text;
    p += sprintf(p, "a,b,c\n");
    for (int i = 0; i < 20; i++)
        p += sprintf(p, "%g,%g,%d\n", i + 0.5, i * 0.25, i % 3);
    struct bestdag_run *run = new_run();
    struct bestdag_table *t = read_text(run, (struct text){.bytes = text});
    assert_int_equal(t->column[0].kind, BESTDAG_NUMBERS);
    assert_int_equal(t->column[1].kind, BESTDAG_NUMBERS);
    assert_int_equal(t->column[2].kind, BESTDAG_CODES);
    assert_string_equal(heard.notes[0], "");
    expect_note(1, "t.csv: 2 columns hold numbers ('a', 'b'); 'bestdag "
                   "discretize' turns numbers into states\n");
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void numbers_know_decimal_commas_and_missing_values(void **state)
{
    (void)state;
    char text[4096], *p = text;
    p += sprintf(p, "x;y\n");
    for (int i = 0; i < 12; i++)
        p += sprintf(p, "%d,5;%s\n", i, i == 3 ? "NA" : "a");
    struct bestdag_run *run = new_run();
    struct bestdag_table *t =
        read_text(run, (struct text){.bytes = text, .settings = "decimal=,"});
    assert_int_equal(t->column[0].kind, BESTDAG_NUMBERS);
    assert_int_equal(t->rows, 11); /* one dropped */
    assert_string_equal(cell(t, 0, 3), "4.5");
    bestdag_table_free(t);
    t = read_text(run, (struct text){.bytes = text});
    assert_int_equal(t->column[0].kind, BESTDAG_CODES);
    expect_note(0, "column 'x' looks like numbers with a decimal comma; "
                   "--decimal , reads them as numbers");
    bestdag_table_free(t);
    bestdag_run_free(run);
}

static void as_mixed(int i, char *to)
{
    sprintf(to, i == 700 ? "n/a" : "%g", i + 0.5);
}

/* The same values with the text first, in the middle, last: one outcome. */
static void the_kind_does_not_depend_on_the_order_of_rows(void **state)
{
    (void)state;
    static const int sizes[] = {800, 4097, 4098, 6000};
    for (size_t k = 0; k < 4; k++)
        for (int shift = 0; shift < 3; shift++) {
            int n = sizes[k];
            char *text = malloc((size_t)n * 32 + 16), *p = text;
            p += sprintf(p, "x\n");
            for (int i = 0; i < n; i++) {
                as_mixed((i + (shift == 0   ? 700
                               : shift == 1 ? 0
                                            : 701)) %
                             n,
                         p);
                p += strlen(p);
                *p++ = '\n';
            }
            *p = 0;
            struct bestdag_run *run = new_run();
            struct bestdag_table *t =
                read_text(run, (struct text){.bytes = text});
            assert_non_null(t);
            bool many = n - 1 > 4096;
            assert_int_equal(t->column[0].kind,
                             many ? BESTDAG_OPAQUE : BESTDAG_CODES);
            if (!many)
                assert_int_equal(t->column[0].states, n);
            expect_note(0, many ? "has text among too many numbers for states"
                                : "has text among many numbers");
            expect_note(0, "'x' ('n/a')");
            bestdag_table_free(t);
            bestdag_run_free(run);
            free(text);
        }
}

/* ---- ignore and weights ----------------------------------------------------
 */

static void columns_can_be_left_out(void **state)
{
    (void)state;
    expect_table((struct text){.bytes = "x,y,z\n1,2,3\n4,5,6\n",
                               .settings = "ignore=x,z"},
                 "y(2,5)", "2|5");
    expect_table((struct text){.bytes = "\"x,1\",y\n1,\n4,5\n",
                               .settings = "ignore=\"x,1\" missing=keep"},
                 "y(5)", "-|5");
    expect_error(
        (struct text){.bytes = "smoke,y\n1,2\n", .settings = "ignore=smok"},
        BESTDAG_USAGE,
        "ignore: t.csv has no column 'smok', did you mean 'smoke'?");
    expect_error((struct text){.bytes = "x,y\n1,2\n", .settings = "ignore=y,x"},
                 BESTDAG_INPUT, "t.csv: no column is left to read");
}

static void a_column_can_give_the_weights(void **state)
{
    (void)state;
    for (int general = 0; general < 2; general++) {
        struct bestdag_run *run = new_run();
        struct bestdag_table *t =
            read_text(run, (struct text){.bytes = "x,w\n1,3\n2,0\n3,1\n1,5\n",
                                         .settings = "weights=w",
                                         .probe = {0, general}});
        assert_non_null(t);
        assert_string_equal(head_of(t), "x(1,3)"); /* 2 has weight 0 */
        assert_string_equal(rows_of(t), "1|3|1");
        assert_int_equal(bestdag_table_weight(t, 0), 3);
        assert_int_equal(bestdag_table_weight(t, 1), 1);
        assert_int_equal(bestdag_table_weight(t, 2), 5);
        assert_int_equal(t->total, 9);
        bestdag_table_free(t);
        bestdag_run_free(run);
    }
    static const char *const wrong[] = {"1.5", "-1", "a", "", "3000000000"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[64], error[200];
        snprintf(text, sizeof text, "x,w\n1,3\n2,%s\n", wrong[i]);
        snprintf(error, sizeof error,
                 "t.csv:3:3: column 'w' has the value '%s', expected a weight: "
                 "a whole number from 0 to 2147483647",
                 wrong[i]);
        expect_error((struct text){.bytes = text, .settings = "weights=w"},
                     BESTDAG_INPUT, error);
    }
    expect_error((struct text){.bytes = "x,w\n1,0\n", .settings = "weights=w"},
                 BESTDAG_INPUT, "all rows have weight 0");
    expect_error(
        (struct text){.bytes = "x,count\n1,0\n", .settings = "weights=cuont"},
        BESTDAG_USAGE,
        "weights: t.csv has no column 'cuont', did you mean 'count'?");
}

/* ---- the rest --------------------------------------------------------------
 */

static int stop_at_once(void *user, const struct bestdag_progress *now)
{
    (void)user;
    (void)now;
    return 1;
}

static void reading_can_be_stopped(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    bestdag_run_on_progress(run, stop_at_once, NULL);
    assert_null(read_text(run, (struct text){.bytes = "x,y\n1,2\n3,4\n"}));
    assert_string_equal(bestdag_run_error(run), "stopped while reading t.csv");
    bestdag_run_free(run);
}

static void a_failed_run_reads_nothing(void **state)
{
    (void)state;
    struct bestdag_run *run = new_run();
    assert_null(bestdag_table_read(run, "/nowhere/at/all.csv", NULL));
    assert_int_equal(bestdag_run_status(run), BESTDAG_INPUT);
    char first[200];
    snprintf(first, sizeof first, "%s", bestdag_run_error(run));
    assert_null(bestdag_table_read(run, "/nowhere/else.csv", NULL));
    assert_string_equal(bestdag_run_error(run), first);
    bestdag_run_free(run);
}

static void a_row_may_be_longer_than_a_block(void **state)
{
    (void)state;
    size_t n = 3000000;
    char *text = malloc(n + 32);
    memcpy(text, "x,y\n\"", 5);
    memset(text + 5, 'a', n);
    memcpy(text + 5 + n, "\",1\nb,2\n", 9);
    struct bestdag_run *run = new_run();
    struct bestdag_table *t = read_text(run, (struct text){.bytes = text});
    assert_non_null(t);
    assert_int_equal(strlen(t->column[0].labels[0]), n);
    assert_string_equal(cell(t, 0, 1), "b");
    bestdag_table_free(t);
    bestdag_run_free(run);
    free(text);
}

static void outside_tables_have_their_known_sizes(void **state)
{
    (void)state;
    const char *data = getenv("BESTDAG_DATA");
    if (!data)
        skip();
    static const struct {
        const char *file, *settings;
        int64_t rows;
        int columns, numbers;
    } known[] = {
        {"samples/alarm.csv.gz", NULL, 20000, 37, 0},
        {"samples/coronary.csv", NULL, 1841, 6, 0},
        {"samples/asia_10000.dat", NULL, 10000, 8, 0},
        {"uci/adult_train.csv.gz", NULL, 30162, 15, 2},
        {"uci/adult_train.csv.gz", "missing=keep", 32561, 15, 2},
        {"uci/lung-cancer.csv", NULL, 27, 57, 0},
        {"uci/wdbc.csv", NULL, 569, 31, 30},
        {"density/ad.train.data.gz", "no-header=yes", 2461, 1556, 0},
        {"optimal/mildew1000.csv", "no-header=yes", 1000, 35, 0},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char path[512];
        struct bestdag_run *run = new_run();
        struct bestdag_options *o = options_of(run, known[i].settings);
        snprintf(path, sizeof path, "%s/%s", data, known[i].file);
        struct bestdag_table *t = bestdag_table_read(run, path, o);
        assert_string_equal(bestdag_run_error(run), "");
        assert_int_equal(t->rows, known[i].rows);
        assert_int_equal(t->columns, known[i].columns);
        int numbers = 0;
        for (int c = 0; c < t->columns; c++)
            numbers += t->column[c].kind == BESTDAG_NUMBERS;
        assert_int_equal(numbers, known[i].numbers);
        bestdag_table_free(t);
        bestdag_options_free(o);
        bestdag_run_free(run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(delimiters_are_found_out),
        cmocka_unit_test(a_comma_may_be_a_decimal_sign),
        cmocka_unit_test(blanks_inside_names_and_labels_do_not_confuse),
        cmocka_unit_test(quotes_hide_delimiters_from_the_guess),
        cmocka_unit_test(a_given_delimiter_is_obeyed),
        cmocka_unit_test(the_suffix_tsv_means_tabs),
        cmocka_unit_test(line_ends_are_lf_crlf_or_cr),
        cmocka_unit_test(a_byte_order_mark_is_no_part_of_a_name),
        cmocka_unit_test(blank_lines_are_skipped),
        cmocka_unit_test(a_blank_line_of_a_single_column_is_a_missing_value),
        cmocka_unit_test(quoted_fields_keep_delimiters_quotes_and_line_breaks),
        cmocka_unit_test(quoted_and_plain_fields_are_the_same_state),
        cmocka_unit_test(a_stray_quote_is_told_with_its_place),
        cmocka_unit_test(rows_of_a_wrong_length_are_told_with_their_line),
        cmocka_unit_test(a_trailing_delimiter_is_told_and_harmless),
        cmocka_unit_test(row_names_are_left_out),
        cmocka_unit_test(names_must_be_there_and_differ),
        cmocka_unit_test(without_a_header_columns_are_numbered),
        cmocka_unit_test(tables_without_rows_are_refused),
        cmocka_unit_test(what_is_no_text_is_refused),
        cmocka_unit_test(states_are_in_natural_order_whatever_the_rows),
        cmocka_unit_test(blanks_around_fields_do_not_count),
        cmocka_unit_test(missing_tokens_are_missing_unless_quoted),
        cmocka_unit_test(the_list_of_tokens_can_be_given),
        cmocka_unit_test(rows_with_missing_values_are_dropped_and_told),
        cmocka_unit_test(a_missing_value_can_be_a_state_or_an_error),
        cmocka_unit_test(a_column_without_values_is_told_and_drops_no_row),
        cmocka_unit_test(many_different_numbers_stay_numbers),
        cmocka_unit_test(text_has_codes_up_to_65534_values),
        cmocka_unit_test(several_columns_of_numbers_get_one_note),
        cmocka_unit_test(numbers_know_decimal_commas_and_missing_values),
        cmocka_unit_test(the_kind_does_not_depend_on_the_order_of_rows),
        cmocka_unit_test(columns_can_be_left_out),
        cmocka_unit_test(a_column_can_give_the_weights),
        cmocka_unit_test(reading_can_be_stopped),
        cmocka_unit_test(a_failed_run_reads_nothing),
        cmocka_unit_test(a_row_may_be_longer_than_a_block),
        cmocka_unit_test(outside_tables_have_their_known_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
