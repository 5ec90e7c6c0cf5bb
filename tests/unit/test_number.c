/* SPDX-License-Identifier: MIT */
/* test_number.c -- decimal numbers, sizes and durations as text. */
#include "scratch.h"

#include <float.h>
#include <locale.h>
#include <math.h>

#include "base/text.h"

static bool parse(const char *text, double *to)
{
    return bestdag_number_parse(text, strlen(text), to);
}

static double from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static bool same(double x, double y)
{
    return !memcmp(&x, &y, sizeof x);
}

/* What %.15g, %.16g, %.17g and strtod make of it. */
static void format_plainly(double x, char to[64])
{
    for (int digits = fabs(x) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
        snprintf(to, 64, "%.*g", digits, x);
        if (strtod(to, NULL) == x)
            break;
    }
}

static void check_round_trip(double x)
{
    char text[BESTDAG_NUMBER_ROOM], plain[64], fixed[BESTDAG_FIXED_ROOM];
    double back;
    int n = bestdag_number_format(x, text);
    format_plainly(x, plain);
    assert_int_equal(n, strlen(text));
    if (strcmp(text, plain))
        fail_msg("%a is written '%s', expected '%s'", x, text, plain);
    if (!parse(text, &back) || !same(x, back))
        fail_msg("'%s' reads as %a, expected %a", text, back, x);
    n = bestdag_number_fixed(x, fixed);
    assert_int_equal(n, strlen(fixed));
    if (strchr(fixed, 'e') || !parse(fixed, &back) || !same(x, back))
        fail_msg("'%s' reads as %a, expected %a", fixed, back, x);
}

static void random_bit_patterns_survive_a_round_trip(void **state)
{
    (void)state;
    uint64_t seed = 20240601;
    print_message("seed %llu\n", (unsigned long long)seed);
    struct bestdag_random r = bestdag_random_init(seed, 0);
    for (int i = 0; i < 60000; i++) {
        double x = from_bits(bestdag_random_bits(&r));
        if (isfinite(x))
            check_round_trip(x);
    }
}

static void usual_magnitudes_survive_a_round_trip(void **state)
{
    (void)state;
    struct bestdag_random r = bestdag_random_init(7, 1);
    print_message("seed 7\n");
    for (int i = 0; i < 60000; i++) {
        double scale = pow(10, (double)bestdag_random_below(&r, 22) - 5);
        check_round_trip(bestdag_random_unit(&r) * scale);
        check_round_trip(rint(bestdag_random_unit(&r) * 1e5) / 1e5 * scale);
        double n = (double)(1 + bestdag_random_below(&r, 1000));
        check_round_trip((double)bestdag_random_below(&r, 1000) / n);
    }
}

static void millions_of_random_numbers_read_back(void **state)
{
    (void)state;
    struct bestdag_random r = bestdag_random_init(3, 2);
    char text[BESTDAG_NUMBER_ROOM];
    double back;
    print_message("seed 3\n");
    for (int i = 0; i < 2000000; i++) {
        double x = bestdag_random_unit(&r);
        int n = bestdag_number_format(x, text);
        if (!bestdag_number_parse(text, (size_t)n, &back) || x != back)
            fail_msg("'%s' reads as %a, expected %a", text, back, x);
    }
}

/* Digits before and after the point, of as many places as 64 bits hold, and
 * decimals that lie in the middle of two doubles. */
static void decimals_read_as_the_c_library_reads_them(void **state)
{
    (void)state;
    struct bestdag_random r = bestdag_random_init(19, 3);
    char text[64];
    double back;
    print_message("seed 19\n");
    for (int i = 0; i < 400000; i++) {
        uint64_t head = bestdag_random_bits(&r) >> bestdag_random_below(&r, 64);
        int places = (int)bestdag_random_below(&r, 23);
        if (i % 4 == 0) /* the middle of two */
            head = ((head >> 11 | (uint64_t)1 << 52) << 1 | 1)
                   << bestdag_random_below(&r, 10);
        if (i % 8 == 0)
            places = 0;
        int n = snprintf(text, sizeof text, "%llu", (unsigned long long)head);
        if (places && places < n) {
            memmove(text + n - places + 1, text + n - places,
                    (size_t)places + 1);
            text[n - places] = '.';
        } else if (places)
            snprintf(text, sizeof text, "0.%0*llu", places,
                     (unsigned long long)head);
        double right = strtod(text, NULL);
        if (!parse(text, &back) || !same(right, back))
            fail_msg("'%s' reads as %a, expected %a", text, back, right);
    }
}

static void edges_survive_a_round_trip(void **state)
{
    (void)state;
    static const double edges[] = {
        0,          -0.0,    1,       -1,   0.1,   1e-4,  9.9999e-5, 1e15,
        1e15 - 1,   1e16,    1e17,    0.5,  1e22,  1e23,  DBL_MAX,   -DBL_MAX,
        DBL_MIN,    5e-324,  -5e-324, 1e-5, 123,   1e-6,  4096,      0x1p53,
        0x1p53 + 2, 0x1p-44, 0x1p-13, 1.5,  1e300, 1e-300};
    for (int i = 0; i < COUNT(edges); i++)
        check_round_trip(edges[i]);
    for (int e = -1074; e < 1024; e++) { /* and the neighbours */
        double x = ldexp(1, e);
        check_round_trip(x);
        check_round_trip(nextafter(x, 0));
        check_round_trip(nextafter(x, INFINITY));
    }
    for (int e = -307; e < 309; e++) {
        char text[16];
        snprintf(text, sizeof text, "1e%d", e);
        double x = strtod(text, NULL);
        check_round_trip(x);
        check_round_trip(nextafter(x, 0));
        check_round_trip(nextafter(x, INFINITY));
    }
    check_round_trip(nextafter(DBL_MIN, 0));
}

static void numbers_are_written_as_people_do(void **state)
{
    (void)state;
    static const struct {
        double x;
        const char *text, *fixed;
    } cases[] = {{0, "0", "0"},
                 {1, "1", "1"},
                 {-2.5, "-2.5", "-2.5"},
                 {0.1, "0.1", "0.1"},
                 {100, "100", "100"},
                 {1.0 / 3, "0.3333333333333333", "0.3333333333333333"},
                 {0.1 + 0.2, "0.30000000000000004", "0.30000000000000004"},
                 {0.0001, "0.0001", "0.0001"},
                 {1e-5, "1e-05", "0.00001"},
                 {1.25e-7, "1.25e-07", "0.000000125"},
                 {123456789012345, "123456789012345", "123456789012345"},
                 {1e15, "1e+15", "1000000000000000"},
                 {1.5e20, "1.5e+20", "150000000000000000000"},
                 {5e-324, "5e-324", NULL}};
    for (int i = 0; i < COUNT(cases); i++) {
        char text[BESTDAG_NUMBER_ROOM], fixed[BESTDAG_FIXED_ROOM];
        bestdag_number_format(cases[i].x, text);
        assert_string_equal(text, cases[i].text);
        bestdag_number_fixed(cases[i].x, fixed);
        if (cases[i].fixed)
            assert_string_equal(fixed, cases[i].fixed);
    }
}

static void what_is_no_number_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",     " ",   "+",     "-",      ".",    "+.",   "e5",
        ".e5",  "1e",  "1e+",   "1 ",     " 1",   "1x",   "0x1",
        "inf",  "nan", "-inf",  "1,5",    "1.2.", "1..2", "--1",
        "1e5x", "NaN", "1e400", "-1e400", "1_0",  "1e1.5"};
    double x;
    for (int i = 0; i < COUNT(bad); i++)
        if (parse(bad[i], &x))
            fail_msg("'%s' was read as %g", bad[i], x);
}

static void numbers_of_every_form_agree_with_strtod(void **state)
{
    (void)state;
    static const char *const good[] = {
        "1",
        "+3.",
        ".5",
        "-.5",
        "1e5",
        "1E+5",
        "1e-5",
        "007",
        "1e-400",
        "0e99999999999999999999",
        "-0",
        "0.000",
        "1e22",
        "1e23",
        "9007199254740993",
        "9007199254740992",
        "18446744073709551616",
        "12345678901234567890123",
        "1.7976931348623157e308",
        "2.2250738585072011e-308",
        "4.9e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "0.1000000000000000055511151231257827021181583404541015625",
        "1e0000000000000000000000000000000000000001"};
    for (int i = 0; i < COUNT(good); i++) {
        double x;
        assert_true(parse(good[i], &x));
        if (!same(x, strtod(good[i], NULL)))
            fail_msg("'%s' was read as %a", good[i], x);
    }
}

/* Random digits around the middle of two doubles, where rounding is hardest. */
static void long_numbers_are_rounded_as_strtod_does(void **state)
{
    (void)state;
    struct bestdag_random r = bestdag_random_init(11, 3);
    print_message("seed 11\n");
    for (int i = 0; i < 3000; i++) {
        char text[1500];
        double x = fabs(from_bits(bestdag_random_bits(&r)));
        if (!isfinite(x) || x >= DBL_MAX || x < DBL_MIN)
            continue;
        int exponent; /* the middle is an odd multiple of half a step */
        double f = ldexp(frexp(x, &exponent), 53);
        if (exponent < -200 || exponent > 500)
            continue;
        long double middle = ldexpl((long double)f + 0.5L, exponent - 53);
        int n = snprintf(text, sizeof text, "%.800Lf", middle);
        switch (bestdag_random_below(&r, 3)) {
        case 0:
            text[n - 1] = '1'; /* a hair above */
            break;
        case 1:
            snprintf(text, sizeof text, "%.20Le", middle);
            break;
        default:
            break;
        }
        double got;
        assert_true(parse(text, &got));
        if (!same(got, strtod(text, NULL)))
            fail_msg("'%s' was read as %a", text, got);
    }
}

static void a_number_may_have_a_million_digits(void **state)
{
    (void)state;
    size_t n = 1000000;
    char *text = malloc(n + 16);
    double x;
    memset(text, '0', n);
    memcpy(text + n, "1", 2);
    assert_true(parse(text, &x));
    assert_true(x == 1);
    text[1] = '.';
    strcpy(text + n, "1e999999");
    assert_true(parse(text, &x));
    assert_true(same(x, strtod(text, NULL)));
    memset(text, '9', n);
    text[n] = 0;
    assert_false(parse(text, &x)); /* infinite */
    strcpy(text + n, "e-1000000");
    assert_true(parse(text, &x));
    assert_true(x == 1);
    free(text);
}

static void random_decimals_agree_with_strtod(void **state)
{
    (void)state;
    struct bestdag_random r = bestdag_random_init(5, 4);
    print_message("seed 5\n");
    for (int i = 0; i < 200000; i++) {
        char text[80];
        int n = 0, digits = 1 + (int)bestdag_random_below(&r, 25);
        int point = (int)bestdag_random_below(&r, (uint64_t)digits + 1);
        if (bestdag_random_below(&r, 2))
            text[n++] = '-';
        for (int d = 0; d < digits; d++) {
            if (d == point)
                text[n++] = '.';
            text[n++] = (char)('0' + bestdag_random_below(&r, 10));
        }
        text[n] = 0;
        if (bestdag_random_below(&r, 2))
            sprintf(text + n, "e%d", (int)bestdag_random_below(&r, 700) - 350);
        double got, expected = strtod(text, NULL);
        bool is_number = parse(text, &got);
        if (is_number != (isfinite(expected) != 0) ||
            (is_number && !same(got, expected)))
            fail_msg("'%s' was read as %a, expected %a", text, got, expected);
    }
}

static void a_number_ends_where_it_is_told_to(void **state)
{
    (void)state;
    double x;
    assert_true(bestdag_number_parse("12345", 2, &x));
    assert_true(x == 12);
    assert_true(bestdag_number_parse("1.2345678901234567899", 3, &x));
    assert_true(x == 1.2);
}

static void infinities_and_nan_are_written_somehow(void **state)
{
    (void)state;
    char text[BESTDAG_NUMBER_ROOM], fixed[BESTDAG_FIXED_ROOM];
    bestdag_number_format(INFINITY, text);
    assert_string_equal(text, "inf");
    bestdag_number_fixed(-INFINITY, fixed);
    assert_string_equal(fixed, "-inf");
    bestdag_number_format(NAN, text);
    assert_non_null(strstr(text, "nan"));
}

static void sizes_have_units(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t bytes;
    } good[] = {{"0", 0},           {"1000", 1000},      {"1k", 1024},
                {"4G", 4ll << 30},  {"512M", 512 << 20}, {"1.5K", 1536},
                {"2T", 2ll << 40},  {"3gb", 3ll << 30},  {"3GiB", 3ll << 30},
                {"3Gi", 3ll << 30}, {"10b", 10},         {"1e3", 1000}};
    static const char *const bad[] = {"",     "G",   "b",   "4i",       "4ib",
                                      "4GG",  "-1",  "4 G", "lots",     "4Gb ",
                                      "1e30", "nan", "inf", "9000000T", "4Bk"};
    int64_t bytes;
    for (int i = 0; i < COUNT(good); i++) {
        assert_true(bestdag_size_parse(good[i].text, &bytes));
        assert_int_equal(bytes, good[i].bytes);
    }
    for (int i = 0; i < COUNT(bad); i++)
        if (bestdag_size_parse(bad[i], &bytes))
            fail_msg("'%s' was read as %lld", bad[i], (long long)bytes);
}

static void sizes_are_written_for_people(void **state)
{
    (void)state;
    static const struct {
        int64_t bytes;
        const char *text;
    } cases[] = {{0, "0 bytes"},        {1023, "1023 bytes"},
                 {1536, "1.5 KB"},      {200 << 10, "200 KB"},
                 {5ll << 30, "5.0 GB"}, {INT64_MAX, "8192 PB"}};
    for (int i = 0; i < COUNT(cases); i++) {
        char text[32];
        bestdag_size_format(cases[i].bytes, text);
        assert_string_equal(text, cases[i].text);
    }
}

static void durations_have_units(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double seconds;
    } good[] = {{"1.5", 1.5},  {"30s", 30},    {"10m", 600}, {"2h", 7200},
                {"1d", 86400}, {"500ms", 0.5}, {"0", 0},     {"1e2s", 100}};
    static const char *const bad[] = {"",    "s",  "10 m", "-1s",   "5x",
                                      "1hh", "ms", "1e",   "1e308d"};
    double seconds;
    for (int i = 0; i < COUNT(good); i++) {
        assert_true(bestdag_duration_parse(good[i].text, &seconds));
        assert_true(fabs(seconds - good[i].seconds) < 1e-12);
    }
    for (int i = 0; i < COUNT(bad); i++)
        if (bestdag_duration_parse(bad[i], &seconds))
            fail_msg("'%s' was read as %g", bad[i], seconds);
}

static void a_decimal_comma_changes_nothing(void **state)
{
    (void)state;
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) {
        print_message("no locale de_DE.UTF-8\n");
        skip();
    }
    char text[BESTDAG_NUMBER_ROOM], size[32], fixed[BESTDAG_FIXED_ROOM];
    double x = 0;
    bool comma = snprintf(text, sizeof text, "%.1f", 0.5) && text[1] == ',';
    static const double numbers[] = {
        0.5, 1.5e-7, 1e300, 1.25e20, 5e-324, 12345.678, -0.3333333333333333};
    bool good = true;
    for (int i = 0; i < COUNT(numbers); i++) {
        bestdag_number_format(numbers[i], text);
        good = good && !strchr(text, ',') && parse(text, &x) && x == numbers[i];
        bestdag_number_fixed(numbers[i], fixed);
        good =
            good && !strchr(fixed, ',') && parse(fixed, &x) && x == numbers[i];
    }
    bool refused = !parse("0,5", &x);
    bestdag_size_format(1536, size);
    bestdag_number_brief(0.25, text);
    setlocale(LC_ALL, "C");
    assert_true(comma);
    assert_true(good);
    assert_true(refused);
    assert_string_equal(size, "1.5 KB");
    assert_string_equal(text, "0.25");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_bit_patterns_survive_a_round_trip),
        cmocka_unit_test(usual_magnitudes_survive_a_round_trip),
        cmocka_unit_test(millions_of_random_numbers_read_back),
        cmocka_unit_test(decimals_read_as_the_c_library_reads_them),
        cmocka_unit_test(edges_survive_a_round_trip),
        cmocka_unit_test(numbers_are_written_as_people_do),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(numbers_of_every_form_agree_with_strtod),
        cmocka_unit_test(long_numbers_are_rounded_as_strtod_does),
        cmocka_unit_test(a_number_may_have_a_million_digits),
        cmocka_unit_test(random_decimals_agree_with_strtod),
        cmocka_unit_test(a_number_ends_where_it_is_told_to),
        cmocka_unit_test(infinities_and_nan_are_written_somehow),
        cmocka_unit_test(sizes_have_units),
        cmocka_unit_test(sizes_are_written_for_people),
        cmocka_unit_test(durations_have_units),
        cmocka_unit_test(a_decimal_comma_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
