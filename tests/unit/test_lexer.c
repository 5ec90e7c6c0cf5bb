/* SPDX-License-Identifier: MIT */
/* test_lexer.c -- words, strings, signs, comments and where they stand. */
#include "scratch.h"

#include "base/lexer.h"

static struct bestdag_lexer lexer(void)
{
    return (struct bestdag_lexer){.signs = "{}();|,=", .comments = "/%"};
}

static int start(struct bestdag_lexer *x, struct bestdag_run *run,
                 const char *text)
{
    struct bestdag_file file = {"net.bif", (char *)text, strlen(text)};
    return bestdag_lexer_start(x, run, &file);
}

static void assert_token(struct bestdag_lexer *x, enum bestdag_token_kind kind,
                         const char *text, int line, int column)
{
    assert_int_equal(x->kind, kind);
    assert_int_equal(x->length, strlen(text));
    assert_memory_equal(x->text, text, x->length);
    assert_int_equal(x->token_line, line);
    assert_int_equal(x->token_column, column);
    assert_int_equal(bestdag_lexer_next(x), BESTDAG_OK);
}

static void tokens_come_with_line_and_column(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_lexer x = lexer();
    assert_int_equal(start(&x, run,
                           "\xef\xbb\xbfvariable Asy/Patch{ // a { comment\r\n"
                           "\t\"a \\\" b\" /* block\n * more */ <5=1e-3;\n"
                           "% to the end\nend"),
                     BESTDAG_OK);
    assert_token(&x, BESTDAG_WORD, "variable", 1, 1);
    assert_token(&x, BESTDAG_WORD, "Asy/Patch", 1, 10);
    assert_token(&x, BESTDAG_SIGN, "{", 1, 19);
    assert_token(&x, BESTDAG_STRING, "a \\\" b", 2, 2);
    assert_token(&x, BESTDAG_WORD, "<5", 3, 12);
    assert_token(&x, BESTDAG_SIGN, "=", 3, 14);
    assert_token(&x, BESTDAG_WORD, "1e-3", 3, 15);
    assert_token(&x, BESTDAG_SIGN, ";", 3, 19);
    assert_token(&x, BESTDAG_WORD, "end", 5, 1);
    assert_token(&x, BESTDAG_END, "", 5, 4);
    assert_token(&x, BESTDAG_END, "", 5, 4);
    scratch_end(run);
}

static void comments_end_words(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_lexer x = lexer();
    start(&x, run, "a//x\nb/**/c%d\ne/f/ g/");
    assert_token(&x, BESTDAG_WORD, "a", 1, 1);
    assert_token(&x, BESTDAG_WORD, "b", 2, 1);
    assert_token(&x, BESTDAG_WORD, "c", 2, 6);
    assert_token(&x, BESTDAG_WORD, "e/f/", 3, 1);
    assert_token(&x, BESTDAG_WORD, "g/", 3, 6);
    assert_token(&x, BESTDAG_END, "", 3, 8);
    struct bestdag_lexer plain = {.signs = "", .comments = ""};
    start(&plain, run, "a//b % # {");
    assert_token(&plain, BESTDAG_WORD, "a//b", 1, 1);
    assert_token(&plain, BESTDAG_WORD, "%", 1, 6);
    assert_token(&plain, BESTDAG_WORD, "#", 1, 8);
    assert_token(&plain, BESTDAG_WORD, "{", 1, 10);
    struct bestdag_lexer hash = {.signs = ";", .comments = "#"};
    start(&hash, run, "a#b;\n#;\n/*;");
    assert_token(&hash, BESTDAG_WORD, "a", 1, 1);
    assert_token(&hash, BESTDAG_WORD, "/*", 3, 1);
    scratch_end(run);
}

static void unended_things_are_errors(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    static const struct {
        const char *text, *error;
    } cases[] = {{"a\n /* b", "net.bif:2:2: this comment has no end"},
                 {"a /*/", "net.bif:1:3: this comment has no end"},
                 {"a /*", "net.bif:1:3: this comment has no end"},
                 {"a \"b\nc", "net.bif:1:3: this string has no closing '\"'"},
                 {"a \"b\\\"", "net.bif:1:3: this string has no closing '\"'"},
                 {"a \"b\\", "net.bif:1:3: this string has no closing '\"'"},
                 {"a \"", "net.bif:1:3: this string has no closing '\"'"}};
    for (int i = 0; i < COUNT(cases); i++) {
        struct bestdag_lexer x = lexer();
        assert_int_equal(start(&x, run, cases[i].text), BESTDAG_OK);
        assert_int_equal(bestdag_lexer_next(&x), BESTDAG_INPUT);
        assert_int_equal(x.kind, BESTDAG_END);
        assert_int_equal(bestdag_lexer_next(&x), BESTDAG_INPUT);
        assert_int_equal(x.kind, BESTDAG_END);
        assert_failed(run, BESTDAG_INPUT, cases[i].error);
    }
    scratch_end(run);
}

static void binary_files_are_refused(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    static const struct {
        const char *bytes;
        size_t n;
        const char *place;
    } cases[] = {{"ab\ncd\0ef", 8, "net.bif:2:3: "},
                 {"ab\xff", 3, "net.bif:1:3: "},
                 {"\x89PNG\r\n\x1a\n\0\0", 10, "net.bif:1:1: "},
                 {"x\xc3", 2, "net.bif:1:2: "}};
    for (int i = 0; i < COUNT(cases); i++) {
        struct bestdag_lexer x = lexer();
        struct bestdag_file file = {"net.bif", (char *)cases[i].bytes,
                                    cases[i].n};
        assert_int_equal(bestdag_lexer_start(&x, run, &file), BESTDAG_INPUT);
        assert_int_equal(x.kind, BESTDAG_END);
        assert_non_null(strstr(bestdag_run_error(run), "not UTF-8 text"));
        assert_failed(run, BESTDAG_INPUT, cases[i].place);
    }
    scratch_end(run);
}

static void words_are_matched_without_case_strings_never(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_lexer x = lexer();
    start(&x, run, "VARIABLE ; \";\" network");
    assert_true(bestdag_lexer_is(&x, "variable"));
    assert_false(bestdag_lexer_is(&x, "variabl"));
    assert_false(bestdag_lexer_is(&x, "variables"));
    assert_false(bestdag_lexer_skip(&x, "x"));
    assert_true(bestdag_lexer_skip(&x, "Variable"));
    assert_int_equal(bestdag_lexer_expect(&x, ";"), BESTDAG_OK);
    assert_false(bestdag_lexer_is(&x, ";"));
    assert_int_equal(bestdag_lexer_expect(&x, ";"), BESTDAG_INPUT);
    assert_failed(run, BESTDAG_INPUT, "net.bif:1:12: expected ';', found ';'");
    scratch_end(run);
}

static void names_are_words_or_strings(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_lexer x = lexer();
    static const char *const names[] = {"word", "a b", "q\"u\\o",
                                        "\\n",  "",    "\xc3\xa9"};
    start(&x, run, "word \"a b\" \"q\\\"u\\\\o\" \"\\n\" \"\" \xc3\xa9 ;");
    for (int i = 0; i < COUNT(names); i++) {
        char *name = bestdag_lexer_name(&x, "a name");
        assert_string_equal(name, names[i]);
        bestdag_free(name);
    }
    assert_null(bestdag_lexer_name(&x, "a name"));
    assert_failed(run, BESTDAG_INPUT, "expected a name, found ';'");
    bestdag_lexer_next(&x);
    assert_null(bestdag_lexer_name(&x, "a name"));
    assert_failed(run, BESTDAG_INPUT,
                  "expected a name, found the end of the file");
    scratch_end(run);
}

static void integers_are_exact_and_in_range(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    static const struct {
        const char *text;
        int64_t value;
    } good[] = {{"0", 0},
                {"-0", 0},
                {"+7", 7},
                {"007", 7},
                {"1e3", 1000},
                {"2.0", 2},
                {"9007199254740993", 9007199254740993},
                {"9223372036854775807", INT64_MAX},
                {"-9223372036854775808", INT64_MIN}};
    static const char *const bad[] = {"9223372036854775808",
                                      "-9223372036854775809",
                                      "1e19",
                                      "9.3e18",
                                      "1.5",
                                      "x",
                                      "+",
                                      "-",
                                      "1e",
                                      "99999999999999999999999999",
                                      "nan"};
    int64_t value;
    for (int i = 0; i < COUNT(good); i++) {
        struct bestdag_lexer x = lexer();
        start(&x, run, good[i].text);
        assert_int_equal(
            bestdag_lexer_integer(&x, INT64_MIN, INT64_MAX, &value),
            BESTDAG_OK);
        assert_true(value == good[i].value);
    }
    for (int i = 0; i < COUNT(bad); i++) {
        struct bestdag_lexer x = lexer();
        start(&x, run, bad[i]);
        if (!bestdag_lexer_integer(&x, INT64_MIN, INT64_MAX, &value))
            fail_msg("'%s' was read as %lld", bad[i], (long long)value);
        bestdag_run_clear(run);
    }
    struct bestdag_lexer x = lexer();
    start(&x, run, "11");
    bestdag_lexer_integer(&x, 1, 10, &value);
    assert_failed(run, BESTDAG_INPUT,
                  "1:1: expected a whole number from 1 to 10, found '11'");
    scratch_end(run);
}

static void long_words_are_shortened_in_messages(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_lexer x = lexer();
    char text[400];
    memset(text, 'w', 39);
    for (int i = 39; i < 397; i += 2)
        memcpy(text + i, "\xc3\xa9", 2);
    text[397] = 0;
    start(&x, run, text);
    bestdag_lexer_expect(&x, ";");
    assert_null(strchr(bestdag_run_error(run), '?')); /* no half character */
    assert_failed(run, BESTDAG_INPUT, "wwww...'");
    scratch_end(run);
}

static void an_empty_file_is_at_its_end(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_lexer x = lexer();
    assert_int_equal(start(&x, run, ""), BESTDAG_OK);
    assert_token(&x, BESTDAG_END, "", 1, 1);
    assert_int_equal(start(&x, run, " \n\n // c"), BESTDAG_OK);
    assert_int_equal(x.kind, BESTDAG_END);
    scratch_end(run);
}

/* Every token lies in the text, after the one before, and the walk ends. */
static void random_texts_never_crash(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_random r = bestdag_random_init(13, 0);
    print_message("seed 13\n");
    for (int round = 0; round < 30000; round++) {
        static const char bytes[] = "ab/*%\"\\{;\n \t";
        size_t n = bestdag_random_below(&r, 24);
        char *text = malloc(n + 1);
        for (size_t i = 0; i < n; i++)
            text[i] = bytes[bestdag_random_below(&r, sizeof bytes - 1)];
        text[n] = 0;
        struct bestdag_lexer x = lexer();
        const char *last = text;
        int tokens = 0;
        for (int s = start(&x, run, text); !s && x.kind != BESTDAG_END;
             s = bestdag_lexer_next(&x), tokens++) {
            assert_true(x.text >= last && x.text + x.length <= text + n);
            assert_true(x.kind == BESTDAG_STRING || x.length > 0);
            last = x.text + x.length;
        }
        assert_true(tokens <= (int)n);
        bestdag_run_clear(run);
        free(text);
    }
    scratch_end(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tokens_come_with_line_and_column),
        cmocka_unit_test(comments_end_words),
        cmocka_unit_test(unended_things_are_errors),
        cmocka_unit_test(binary_files_are_refused),
        cmocka_unit_test(words_are_matched_without_case_strings_never),
        cmocka_unit_test(names_are_words_or_strings),
        cmocka_unit_test(integers_are_exact_and_in_range),
        cmocka_unit_test(long_words_are_shortened_in_messages),
        cmocka_unit_test(an_empty_file_is_at_its_end),
        cmocka_unit_test(random_texts_never_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
