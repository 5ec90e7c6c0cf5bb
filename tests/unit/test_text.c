/* SPDX-License-Identifier: MIT */
/* test_text.c -- buffers, natural order, nearest names, UTF-8. */
#include "scratch.h"

#include <locale.h>

#include "base/text.h"

/* ---- buffers ------------------------------------------------------------- */

static void a_buffer_collects_text(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_buffer b = {.run = run};
    char expected[20001] = "";
    for (int i = 0; i < 2000; i++) {
        bestdag_buffer_format(&b, "%04d", i);
        bestdag_buffer_text(&b, "-");
        bestdag_buffer_add(&b, "xyz", 1);
        sprintf(expected + 6 * i, "%04d-x", i);
        assert_int_equal(b.length, 6 * (i + 1));
        assert_int_equal(b.at[b.length], 0);
    }
    char *text = bestdag_buffer_take(&b);
    assert_string_equal(text, expected);
    assert_null(b.at);
    bestdag_free(text);
    scratch_end(run);
}

static void an_empty_buffer_gives_an_empty_text(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_buffer b = {.run = run};
    char *text = bestdag_buffer_take(&b);
    assert_string_equal(text, "");
    bestdag_free(text);
    bestdag_buffer_release(&b);
    scratch_end(run);
}

static void a_buffer_without_memory_stays_as_it_was(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_buffer b = {.run = run};
    char big[1000];
    memset(big, 'x', sizeof big);
    bestdag_buffer_text(&b, "abc");
    bestdag_memory_fail_at(run, 1);
    bestdag_buffer_add(&b, big, sizeof big);
    bestdag_buffer_text(&b, "d");
    bestdag_buffer_format(&b, "%d", 5);
    assert_int_equal(b.length, 3);
    assert_string_equal(b.at, "abc");
    assert_null(bestdag_buffer_take(&b));
    assert_failed(run, BESTDAG_MEMORY, "out of memory");
    scratch_end(run);
}

/* ---- natural order ------------------------------------------------------- */

static void numbers_come_before_text_and_by_value(void **state)
{
    (void)state;
    static const char *const order[] = {
        "-10", "-2", "-1e-3", "0",     "0.5",    "1",  "1.5", "2",   "9",  "10",
        "1e3", "",   " 1",    "-",     "1-2",    "1a", "2a",  "10a", "<5", "A",
        "a",   "a2", "a10",   "a10b2", "a10b10", "b",  "x1y", "x01z"};
    for (int i = 0; i < COUNT(order); i++)
        for (int j = 0; j < COUNT(order); j++) {
            int got = bestdag_natural_compare(order[i], order[j]);
            if ((got > 0) - (got < 0) != (i > j) - (i < j))
                fail_msg("'%s' against '%s': %d", order[i], order[j], got);
        }
}

static void long_numbers_are_compared_digit_by_digit(void **state)
{
    (void)state;
    assert_true(bestdag_natural_compare("9999999999999999999",
                                        "10000000000000000001") < 0);
    assert_true(bestdag_natural_compare("a99999999999999999999999",
                                        "a100000000000000000000000") < 0);
    assert_true(bestdag_natural_compare("a007", "a7") < 0);
    assert_true(bestdag_natural_compare("a7", "a007") > 0);
    assert_int_equal(bestdag_natural_compare("7", "7"), 0);
    assert_true(bestdag_natural_compare("7", "7.0") != 0);
}

static void random_text(struct bestdag_random *r, char to[8])
{
    static const char letters[] = "0012945aB-+.eE ~\xc3\xa9";
    int n = (int)bestdag_random_below(r, 7);
    for (int i = 0; i < n; i++)
        to[i] = letters[bestdag_random_below(r, sizeof letters - 1)];
    to[n] = 0;
}

static int sign(int x)
{
    return (x > 0) - (x < 0);
}

static void natural_order_is_a_total_order(void **state)
{
    (void)state;
    struct bestdag_random r = bestdag_random_init(42, 0);
    print_message("seed 42\n");
    for (int i = 0; i < 300000; i++) {
        char a[8], b[8], c[8];
        random_text(&r, a);
        random_text(&r, b);
        random_text(&r, c);
        int ab = sign(bestdag_natural_compare(a, b));
        int bc = sign(bestdag_natural_compare(b, c));
        int ac = sign(bestdag_natural_compare(a, c));
        bool good = ab == -sign(bestdag_natural_compare(b, a)) &&
                    !ab == !strcmp(a, b) && (ab != bc || ac == ab) &&
                    (ab || ac == bc);
        if (!good)
            fail_msg("'%s' '%s' '%s': %d %d %d", a, b, c, ab, bc, ac);
    }
}

/* ---- nearest names ------------------------------------------------------- */

static const char *nearest(const char *word, const char *const *names,
                           int count)
{
    return bestdag_nearest(word, bestdag_name_of_list, names, count);
}

static void slips_of_the_finger_are_found(void **state)
{
    (void)state;
    static const char *const names[] = {"smoke", "bronc", "lung",      "either",
                                        "xray",  "dysp",  "time-limit"};
    static const struct {
        const char *word, *name;
    } cases[] = {{"smok", "smoke"},
                 {"smokee", "smoke"},
                 {"msoke", "smoke"},
                 {"SMOKE", "smoke"},
                 {"lnug", "lung"},
                 {"ethier", "either"},
                 {"x-ray", "xray"},
                 {"timelimit", "time-limit"},
                 {"time", "time-limit"},
                 {"qqqq", NULL},
                 {"", NULL},
                 {"s", NULL},
                 {"completely-different", NULL}};
    for (int i = 0; i < COUNT(cases); i++) {
        const char *got = nearest(cases[i].word, names, COUNT(names));
        if (cases[i].name ? !got || strcmp(got, cases[i].name) : got != NULL)
            fail_msg("'%s' gave '%s'", cases[i].word, got ? got : "nothing");
    }
}

static void an_empty_name_is_never_suggested(void **state)
{
    (void)state;
    static const char *const names[] = {"", "a"};
    assert_null(nearest("x", names, 2));
    assert_string_equal(nearest("A", names, 2), "a");
    assert_null(nearest("x", names, 0));
}

static void the_nearest_of_several_wins(void **state)
{
    (void)state;
    static const char *const names[] = {"variablexy", "variables", "variable"};
    assert_string_equal(nearest("variabel", names, 3), "variable");
    assert_string_equal(nearest("variables", names, 3), "variables");
}

/* The textbook recursion, without any cleverness. */
static int edits(const char *a, const char *b)
{
    if (!*a || !*b)
        return (int)(strlen(a) + strlen(b));
    int least = edits(a + 1, b + 1) + (*a != *b);
    int other = edits(a + 1, b) + 1;
    least = other < least ? other : least;
    other = edits(a, b + 1) + 1;
    least = other < least ? other : least;
    if (a[1] && b[1] && a[0] == b[1] && a[1] == b[0]) {
        other = edits(a + 2, b + 2) + 1;
        least = other < least ? other : least;
    }
    return least;
}

static void the_distance_counts_edits(void **state)
{
    (void)state;
    struct bestdag_random r = bestdag_random_init(9, 0);
    print_message("seed 9\n");
    for (int i = 0; i < 3000; i++) {
        char a[8], b[8];
        int n = 1 + (int)bestdag_random_below(&r, 6);
        int m = 1 + (int)bestdag_random_below(&r, 6);
        for (int k = 0; k < n; k++)
            a[k] = (char)('a' + bestdag_random_below(&r, 3));
        for (int k = 0; k < m; k++)
            b[k] = (char)('a' + bestdag_random_below(&r, 3));
        a[n] = b[m] = 0;
        const char *names[] = {b};
        int most = n <= 1 ? 0 : n <= 3 ? 1 : n <= 6 ? 2 : 3;
        bool expected =
            edits(a, b) <= most || (n >= 3 && !strncmp(a, b, (size_t)n));
        if ((nearest(a, names, 1) != NULL) != expected)
            fail_msg("'%s' '%s': %d edits", a, b, edits(a, b));
    }
}

static void long_names_are_not_cut(void **state)
{
    (void)state;
    char name[300], to[128];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = 0;
    const char *names[] = {name};
    assert_string_equal(bestdag_suggest(to, nearest("nnnn", names, 1)), "");
    assert_string_equal(bestdag_suggest(to, NULL), "");
    assert_string_equal(bestdag_suggest(to, "smoke"),
                        ", did you mean 'smoke'?");
}

static void letters_do_not_depend_on_the_locale(void **state)
{
    (void)state;
    if (!setlocale(LC_ALL, "tr_TR.UTF-8"))
        print_message("no locale tr_TR.UTF-8\n");
    char lower[26];
    for (int i = 0; i < 26; i++)
        lower[i] = bestdag_lower((char)('A' + i));
    bool good = bestdag_same_word("VARIABLE", "variable", 8) &&
                !bestdag_same_word("VARIABLE", "variabla", 8) &&
                bestdag_same_word("ab", "AB", 99);
    setlocale(LC_ALL, "C");
    assert_memory_equal(lower, "abcdefghijklmnopqrstuvwxyz", 26);
    assert_true(good);
    assert_int_equal(bestdag_lower('\xc4'), '\xc4');
}

/* ---- UTF-8 --------------------------------------------------------------- */

/* A decoder that knows nothing of tricks: encodes each code point and looks
 * which one it is. */
static size_t decode(const unsigned char *s, size_t n)
{
    for (unsigned c = 0; c < 0x110000; c++) {
        unsigned char e[4];
        size_t m = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
        if (c >= 0xd800 && c < 0xe000)
            continue;
        static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
        for (size_t i = 0; i < m; i++)
            e[i] = (unsigned char)((i ? 0x80 : lead[m]) |
                                   ((c >> 6 * (m - 1 - i)) & (i ? 63 : 127)));
        if (m <= n && !memcmp(s, e, m))
            return m;
    }
    return 0;
}

static void every_two_bytes_are_judged_as_by_brute_force(void **state)
{
    (void)state;
    bool two[256][256], one[256] = {false};
    memset(two, 0, sizeof two);
    for (int c = 0; c < 0x80; c++)
        one[c] = true;
    for (unsigned c = 0x80; c < 0x800; c++)
        two[0xc0 | c >> 6][0x80 | (c & 63)] = true;
    for (int a = 0; a < 256; a++)
        for (int b = 0; b < 256; b++) {
            char text[2] = {(char)a, (char)b};
            size_t expected = two[a][b] ? 2 : one[a] ? 1 + one[b] : 0;
            assert_int_equal(bestdag_utf8_valid(text, 2), expected);
        }
}

static void every_code_point_is_valid_and_no_surrogate(void **state)
{
    (void)state;
    for (unsigned c = 0x800; c < 0x120000; c++) {
        char e[4];
        size_t m = c < 0x10000 ? 3 : 4;
        static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
        for (size_t i = 0; i < m; i++)
            e[i] = (char)((i ? 0x80 : lead[m]) | ((c >> 6 * (m - 1 - i)) & 63));
        bool good = c < 0x110000 && !(c >= 0xd800 && c < 0xe000);
        assert_int_equal(bestdag_utf8_valid(e, m), good ? m : 0);
        assert_int_equal(bestdag_utf8_valid(e, m - 1), 0);
    }
}

static void random_bytes_are_judged_as_by_brute_force(void **state)
{
    (void)state;
    static const unsigned char bytes[] = {
        0,    'a',  0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1,
        0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0xff};
    struct bestdag_random r = bestdag_random_init(77, 0);
    print_message("seed 77\n");
    for (int i = 0; i < 60; i++) {
        unsigned char s[16];
        size_t n = bestdag_random_below(&r, 17), expected = 0;
        for (size_t k = 0; k < n; k++)
            s[k] = k < n / 2 ? 'x' : bytes[bestdag_random_below(&r, 22)];
        for (size_t m;
             expected < n && (m = decode(s + expected, n - expected));)
            expected += m;
        assert_int_equal(bestdag_utf8_valid((char *)s, n), expected);
    }
}

static void texts_become_fit_for_a_terminal(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
    } cases[] = {{"", ""},
                 {"plain 'text'", "plain 'text'"},
                 {"a\nb\r\tc", "a b  c"},
                 {"\x1b[31mred\x7f\x01", "?[31mred??"},
                 {"caf\xc3\xa9", "caf\xc3\xa9"},
                 {"caf\xc3", "caf?"},
                 {"\xff\xfe x", "?? x"},
                 {"\xe2\x82\xac \xe2\x82", "\xe2\x82\xac ??"},
                 {"\xc2\x9b"
                  "31m",
                  "??31m"},
                 {"\xc2\xa0", "\xc2\xa0"}};
    for (int i = 0; i < COUNT(cases); i++) {
        char text[64];
        strcpy(text, cases[i].from);
        bestdag_text_tidy(text);
        assert_string_equal(text, cases[i].to);
        assert_int_equal(bestdag_utf8_valid(text, strlen(text)), strlen(text));
    }
}

static void a_text_that_is_there_twice_is_found(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    static const char *const once[] = {"b", "a", "", "B", "ab"};
    static const char *const two[] = {"b", "a", "x", "a"};
    const char *twice;
    assert_int_equal(bestdag_text_twice(run, once, 5, &twice), BESTDAG_OK);
    assert_null(twice);
    assert_int_equal(bestdag_text_twice(run, two, 4, &twice), BESTDAG_OK);
    assert_string_equal(twice, "a");
    assert_int_equal(bestdag_text_twice(run, NULL, 0, &twice), BESTDAG_OK);
    assert_null(twice);
    scratch_end(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_buffer_collects_text),
        cmocka_unit_test(an_empty_buffer_gives_an_empty_text),
        cmocka_unit_test(a_buffer_without_memory_stays_as_it_was),
        cmocka_unit_test(numbers_come_before_text_and_by_value),
        cmocka_unit_test(long_numbers_are_compared_digit_by_digit),
        cmocka_unit_test(natural_order_is_a_total_order),
        cmocka_unit_test(slips_of_the_finger_are_found),
        cmocka_unit_test(an_empty_name_is_never_suggested),
        cmocka_unit_test(the_nearest_of_several_wins),
        cmocka_unit_test(the_distance_counts_edits),
        cmocka_unit_test(long_names_are_not_cut),
        cmocka_unit_test(letters_do_not_depend_on_the_locale),
        cmocka_unit_test(every_two_bytes_are_judged_as_by_brute_force),
        cmocka_unit_test(every_code_point_is_valid_and_no_surrogate),
        cmocka_unit_test(random_bytes_are_judged_as_by_brute_force),
        cmocka_unit_test(texts_become_fit_for_a_terminal),
        cmocka_unit_test(a_text_that_is_there_twice_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
