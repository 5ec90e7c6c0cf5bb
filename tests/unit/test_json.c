/* SPDX-License-Identifier: MIT */
/* test_json.c -- the JSON reader and writer. */
#include "scratch.h"

#include <math.h>

#include "base/json.h"

static struct bestdag_json *parse(struct bestdag_run *run, const char *text)
{
    return bestdag_json_read(run, text);
}

static void the_example_of_the_rfc_is_read(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_json *j = parse(
        run, "{\n  \"Image\": {\n \"Width\":  800,\n \"Title\":  \"View\","
             "\"Thumbnail\": {\"Url\": \"http://x\\/y\", \"Width\": 100},"
             "\"Animated\" : false, \"IDs\": [116, 943, 234, -38793]\n}\n}\n");
    assert_fine(run);
    const struct bestdag_json *image = bestdag_json_get(j, "Image");
    assert_int_equal(bestdag_json_count(image), 5);
    assert_true(bestdag_json_number(bestdag_json_get(image, "Width")) == 800);
    assert_string_equal(bestdag_json_text(bestdag_json_get(
                            bestdag_json_get(image, "Thumbnail"), "Url")),
                        "http://x/y");
    assert_true(bestdag_json_number(bestdag_json_get(image, "Animated")) == 0);
    const struct bestdag_json *ids = bestdag_json_get(image, "IDs");
    assert_true(bestdag_json_number(bestdag_json_at(ids, 3)) == -38793);
    assert_string_equal(bestdag_json_key(image, 4), "IDs");
    assert_int_equal(image->line, 2);
    assert_int_equal(image->column, 12);
    bestdag_json_free(j);
    scratch_end(run);
}

static void values_alone_are_texts_too(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    static const struct {
        const char *text;
        enum bestdag_json_kind kind;
        double number;
    } cases[] = {{"null", BESTDAG_JSON_NULL, NAN},
                 {" true ", BESTDAG_JSON_BOOL, 1},
                 {"false\n", BESTDAG_JSON_BOOL, 0},
                 {"-0", BESTDAG_JSON_NUMBER, 0},
                 {"0", BESTDAG_JSON_NUMBER, 0},
                 {"-12.5e-1", BESTDAG_JSON_NUMBER, -1.25},
                 {"1E+2", BESTDAG_JSON_NUMBER, 100},
                 {"\"\"", BESTDAG_JSON_TEXT, NAN},
                 {"[]", BESTDAG_JSON_ARRAY, NAN},
                 {"{ }", BESTDAG_JSON_OBJECT, NAN},
                 {"\xef\xbb\xbf[1]", BESTDAG_JSON_ARRAY, NAN}};
    for (int i = 0; i < COUNT(cases); i++) {
        struct bestdag_json *j = parse(run, cases[i].text);
        assert_fine(run);
        assert_int_equal(j->kind, cases[i].kind);
        double x = bestdag_json_number(j);
        assert_true(isnan(cases[i].number) ? isnan(x) : x == cases[i].number);
        bestdag_json_free(j);
    }
    scratch_end(run);
}

static void escapes_are_resolved(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_json *j =
        parse(run, "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\u20AC\\ud834\\udd1e"
                   "\\u0001\xc3\xa9\"");
    assert_fine(run);
    assert_string_equal(bestdag_json_text(j),
                        "\"\\/\b\f\n\r\t\xc3\xa9\xe2\x82\xac\xf0\x9d\x84\x9e"
                        "\x01\xc3\xa9");
    bestdag_json_free(j);
    scratch_end(run);
}

static void errors_name_line_column_and_what(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    static const struct {
        const char *text, *error;
    } cases[] = {{"", "text:1:1: expected a value, found the end"},
                 {"   \n ", "text:2:2: expected a value, found the end"},
                 {"[1,\n 2,\n  x]", "text:3:3: expected a value"},
                 {"[1 2]", "text:1:4: expected ',' or ']'"},
                 {"[1,]", "text:1:4: expected a value"},
                 {"[1", "text:1:3: expected ',' or ']'"},
                 {"{\"a\" 1}", "text:1:6: expected ':'"},
                 {"{\"a\":1,}", "text:1:8: expected a name in '\"'"},
                 {"{a:1}", "text:1:2: expected a name in '\"'"},
                 {"{\"a\":1", "text:1:7: expected ',' or '}'"},
                 {"1 2", "text:1:3: expected the end of the text"},
                 {"\"abc", "text:1:5: this text has no closing '\"'"},
                 {"\"abc\nd\"", "text:1:5: this text has no closing '\"'"},
                 {"\"a\tb\"", "text:1:3: a control character in a text"},
                 {"\"\\x\"", "text:1:4: expected one of \\\""},
                 {"\"\\u12g4\"", "text:1:6: expected four hexadecimal digits"},
                 {"\"\\ud834\"", "half a surrogate pair"},
                 {"\"\\ud834\\u0041\"", "half a surrogate pair"},
                 {"\"\\udd1e\"", "half a surrogate pair"},
                 {"\"\\u0000\"", "a NUL character"},
                 {"01", "text:1:1: expected a value"},
                 {"+1", "expected a value"},
                 {".5", "expected a value"},
                 {"1.", "expected a value"},
                 {"1.e5", "expected a value"},
                 {"1e", "expected a value"},
                 {"-", "expected a value"},
                 {"NaN", "expected a value"},
                 {"Infinity", "expected a value"},
                 {"tru", "expected a value"},
                 {"nul", "expected a value"},
                 {"truex", "text:1:5: expected the end of the text"},
                 {"1e999", "text:1:1: this number is too large"},
                 {"[\n\"\xff\"]", "text:2:2: this byte is not UTF-8 text"},
                 {"\xef\xbb\xbfx", "text:1:1: expected a value"},
                 {"{\"a\":1,\n\"b\":2,\n\"a\":3}",
                  "text:3:5: a second 'a' in one object"},
                 {"[{\"a\":1},{\"b\":{\"x\":1,\"x\":1}}]", "a second 'x'"}};
    for (int i = 0; i < COUNT(cases); i++) {
        struct bestdag_json *j = parse(run, cases[i].text);
        if (j)
            fail_msg("'%s' was read", cases[i].text);
        assert_failed(run, BESTDAG_INPUT, cases[i].error);
    }
    scratch_end(run);
}

static void the_same_name_in_two_objects_is_fine(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_json *j =
        parse(run, "{\"a\":{\"a\":[{\"a\":1},{\"a\":2}]}}");
    assert_fine(run);
    bestdag_json_free(j);
    scratch_end(run);
}

static void deep_nesting_is_refused(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    enum { DEEP = 1000000 };
    char *text = malloc(2 * DEEP + 1);
    for (int depth = 199; depth <= 201; depth++) {
        memset(text, '[', (size_t)depth);
        memset(text + depth, ']', (size_t)depth);
        text[2 * depth] = 0;
        struct bestdag_json *j = parse(run, text);
        assert_int_equal(j != NULL, depth <= 200);
        if (!j)
            assert_failed(run, BESTDAG_INPUT, "text:1:202: nested too deeply");
        bestdag_json_free(j);
    }
    memset(text, '[', DEEP);
    text[DEEP] = 0;
    assert_null(parse(run, text));
    assert_failed(run, BESTDAG_INPUT, "nested too deeply");
    for (int i = 0; i < DEEP / 5; i++)
        memcpy(text + 5 * i, "{\"a\":", 5);
    assert_null(parse(run, text));
    assert_failed(run, BESTDAG_INPUT, "nested too deeply");
    free(text);
    scratch_end(run);
}

static void nothing_given_is_answered(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    assert_null(bestdag_json_read(run, NULL));
    assert_failed(run, BESTDAG_USAGE, "no JSON text");
    assert_null(bestdag_json_read(NULL, "1"));
    assert_null(bestdag_json_get(NULL, "a"));
    assert_null(bestdag_json_at(NULL, 0));
    assert_null(bestdag_json_key(NULL, 0));
    assert_null(bestdag_json_text(NULL));
    assert_true(isnan(bestdag_json_number(NULL)));
    assert_int_equal(bestdag_json_count(NULL), 0);
    bestdag_json_free(NULL);
    struct bestdag_json *j = parse(run, "{\"a\":\"x\"}");
    assert_null(bestdag_json_get(j, NULL));
    assert_null(bestdag_json_get(j, "b"));
    assert_null(bestdag_json_at(j, -1));
    assert_null(bestdag_json_at(j, 1));
    assert_true(isnan(bestdag_json_number(bestdag_json_at(j, 0))));
    assert_null(bestdag_json_text(j));
    bestdag_json_free(j);
    scratch_end(run);
}

/* ---- writing ------------------------------------------------------------- */

static void the_writer_sets_commas_and_lines(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_json_writer w = {.out.run = run};
    bestdag_json_open(&w, NULL, '{');
    bestdag_json_add_text(&w, "text", "a\"b\\c\n\x01");
    bestdag_json_add_text(&w, "none", NULL);
    bestdag_json_add_number(&w, "number", 0.1);
    bestdag_json_add_number(&w, "nan", NAN);
    bestdag_json_add_integer(&w, "integer", INT64_MIN);
    bestdag_json_open(&w, "list", '[');
    bestdag_json_add_bool(&w, NULL, true);
    bestdag_json_add_bool(&w, NULL, false);
    bestdag_json_open(&w, NULL, '{');
    bestdag_json_close(&w, '}');
    bestdag_json_close(&w, ']');
    bestdag_json_close(&w, '}');
    char *text = bestdag_json_take(&w);
    assert_string_equal(text, "{\n  \"text\": \"a\\\"b\\\\c\\u000a\\u0001\",\n"
                              "  \"none\": null,\n  \"number\": 0.1,\n"
                              "  \"nan\": null,\n"
                              "  \"integer\": -9223372036854775808,\n"
                              "  \"list\": [true, false, {}]\n}\n");
    bestdag_free(text);
    scratch_end(run);
}

static void bytes_that_are_no_text_are_replaced(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_buffer b = {.run = run};
    bestdag_json_quote(&b, "caf\xe9 \xff\xc3\xa9\xe2\x82");
    assert_string_equal(b.at, "\"caf\\ufffd \\ufffd\xc3\xa9\\ufffd\\ufffd\"");
    bestdag_buffer_release(&b);
    scratch_end(run);
}

/* ---- random trees -------------------------------------------------------- */

static void random_word(struct bestdag_random *r, char to[40], int serial)
{
    static const char *const parts[] = {
        "a", "\"",   "\\",    "\n", "\x01", "/", "\xc3\xa9", "\xf0\x9d\x84\x9e",
        " ", "\x7f", "u0041", "{",  "]",    ","};
    int n = (int)bestdag_random_below(r, 6);
    sprintf(to, "%d", serial);
    for (int i = 0; i < n; i++)
        strcat(to, parts[bestdag_random_below(r, COUNT(parts))]);
}

/* Writes a random value; the same seed gives the same tree to compare. */
static void grow(struct bestdag_json_writer *w, struct bestdag_random *r,
                 const char *key, int depth)
{
    char word[40], name[40];
    uint64_t bits = bestdag_random_bits(r);
    int items = (int)bestdag_random_below(r, 5);
    int kind = (int)bestdag_random_below(r, depth < 5 ? 6 : 4);
    double x;
    switch (kind) {
    case 0:
        random_word(r, word, 0);
        bestdag_json_add_text(w, key, word);
        break;
    case 1:
        memcpy(&x, &bits, sizeof x);
        bestdag_json_add_number(w, key, x);
        break;
    case 2:
        bestdag_json_add_bool(w, key, bits & 1);
        break;
    case 3:
        bestdag_json_add_text(w, key, NULL);
        break;
    default:
        bestdag_json_open(w, key, kind == 4 ? '[' : '{');
        for (int i = 0; i < items; i++) {
            random_word(r, name, i);
            grow(w, r, kind == 4 ? NULL : name, depth + 1);
        }
        bestdag_json_close(w, kind == 4 ? ']' : '}');
    }
}

static void compare(const struct bestdag_json *j, struct bestdag_random *r,
                    int depth)
{
    char word[40], name[40];
    uint64_t bits = bestdag_random_bits(r);
    int items = (int)bestdag_random_below(r, 5);
    int kind = (int)bestdag_random_below(r, depth < 5 ? 6 : 4);
    double x;
    assert_non_null(j);
    switch (kind) {
    case 0:
        random_word(r, word, 0);
        assert_string_equal(bestdag_json_text(j), word);
        break;
    case 1:
        memcpy(&x, &bits, sizeof x);
        if (isfinite(x))
            assert_memory_equal(&x, &j->number, sizeof x);
        else
            assert_int_equal(j->kind, BESTDAG_JSON_NULL);
        break;
    case 2:
        assert_int_equal(j->kind, BESTDAG_JSON_BOOL);
        assert_true(bestdag_json_number(j) == (double)(bits & 1));
        break;
    case 3:
        assert_int_equal(j->kind, BESTDAG_JSON_NULL);
        break;
    default:
        assert_int_equal(j->kind,
                         kind == 4 ? BESTDAG_JSON_ARRAY : BESTDAG_JSON_OBJECT);
        assert_int_equal(bestdag_json_count(j), items);
        for (int i = 0; i < items; i++) {
            random_word(r, name, i);
            if (kind == 5) {
                assert_string_equal(bestdag_json_key(j, i), name);
                assert_ptr_equal(bestdag_json_get(j, name),
                                 bestdag_json_at(j, i));
            }
            compare(bestdag_json_at(j, i), r, depth + 1);
        }
    }
}

static char *random_tree(struct bestdag_run *run, uint64_t seed)
{
    struct bestdag_random r = bestdag_random_init(seed, 0);
    struct bestdag_json_writer w = {.out.run = run};
    grow(&w, &r, NULL, 0);
    return bestdag_json_take(&w);
}

static void what_is_written_reads_back_equal(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    for (uint64_t seed = 0; seed < 3000; seed++) {
        char *text = random_tree(run, seed);
        struct bestdag_json *j = parse(run, text);
        if (!j)
            fail_msg("seed %d: %s", (int)seed, bestdag_run_error(run));
        struct bestdag_random r = bestdag_random_init(seed, 0);
        compare(j, &r, 0);
        bestdag_json_free(j);
        bestdag_free(text);
    }
    scratch_end(run);
}

/* Copied to a block of its own size, so that a sanitiser sees every byte that
 * is read behind the end. */
static void read_quietly(struct bestdag_run *run, const char *text, size_t n)
{
    char *copy = malloc(n + 1);
    memcpy(copy, text, n);
    copy[n] = 0;
    struct bestdag_file file = {"text", copy, n};
    struct bestdag_json *j = bestdag_json_parse(run, &file);
    assert_int_equal(j == NULL, bestdag_run_status(run) == BESTDAG_INPUT);
    bestdag_json_free(j);
    bestdag_run_clear(run);
    free(copy);
}

static void truncated_and_mangled_texts_never_crash(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_random r = bestdag_random_init(99, 0);
    print_message("seed 99\n");
    for (uint64_t seed = 0; seed < 100; seed++) {
        char *text = random_tree(run, seed);
        size_t n = strlen(text) < 500 ? strlen(text) : 500;
        for (size_t cut = 0; cut <= n; cut++)
            read_quietly(run, text, cut);
        for (int i = 0; i < 200; i++) {
            static const char bytes[] = "{}[]\",:\\u0ae-+.\n\xc3\xff";
            size_t at = bestdag_random_below(&r, n);
            char old = text[at];
            text[at] = bytes[bestdag_random_below(&r, sizeof bytes)];
            read_quietly(run, text, n);
            if (i % 3)
                text[at] = old;
        }
        bestdag_free(text);
    }
    scratch_end(run);
}

static void a_failed_run_reads_nothing(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    bestdag_fail(run, BESTDAG_USAGE, "before");
    assert_null(parse(run, "1"));
    assert_failed(run, BESTDAG_USAGE, "before");
    scratch_end(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_of_the_rfc_is_read),
        cmocka_unit_test(values_alone_are_texts_too),
        cmocka_unit_test(escapes_are_resolved),
        cmocka_unit_test(errors_name_line_column_and_what),
        cmocka_unit_test(the_same_name_in_two_objects_is_fine),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(nothing_given_is_answered),
        cmocka_unit_test(the_writer_sets_commas_and_lines),
        cmocka_unit_test(bytes_that_are_no_text_are_replaced),
        cmocka_unit_test(what_is_written_reads_back_equal),
        cmocka_unit_test(truncated_and_mangled_texts_never_crash),
        cmocka_unit_test(a_failed_run_reads_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
