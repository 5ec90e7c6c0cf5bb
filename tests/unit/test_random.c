/* SPDX-License-Identifier: MIT */
/* test_random.c -- the generators give the published numbers, without bias. */
#include "scratch.h"

#include <math.h>

static void mix_is_splitmix64(void **state)
{
    (void)state;
    assert_true(bestdag_mix(0) == 0xe220a8397b1dcdafu);
    uint64_t golden = 0x9e3779b97f4a7c15u, seed = 1234567;
    static const uint64_t published[] = {
        6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
        4593380528125082431u, 16408922859458223821u};
    for (int i = 0; i < 5; i++)
        assert_true(bestdag_mix(seed + (uint64_t)i * golden) == published[i]);
}

static void the_stream_is_xoshiro256plusplus(void **state)
{
    (void)state;
    struct bestdag_random r = {{1, 2, 3, 4}};
    static const uint64_t published[] = {41943041u,
                                         58720359u,
                                         3588806011781223u,
                                         3591011842654386u,
                                         9228616714210784205u,
                                         9973669472204895162u,
                                         14011001112246962877u};
    for (int i = 0; i < COUNT(published); i++)
        assert_true(bestdag_random_bits(&r) == published[i]);
}

static void streams_and_seeds_differ(void **state)
{
    (void)state;
    enum { SIDE = 40 };
    uint64_t first[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
        struct bestdag_random r =
            bestdag_random_init((uint64_t)i / SIDE, (uint64_t)i % SIDE);
        first[i] = bestdag_random_bits(&r);
        for (int j = 0; j < i; j++)
            assert_true(first[i] != first[j]);
        struct bestdag_random again =
            bestdag_random_init((uint64_t)i / SIDE, (uint64_t)i % SIDE);
        assert_true(bestdag_random_bits(&again) == first[i]);
    }
}

static void units_lie_in_the_unit_interval(void **state)
{
    (void)state;
    struct bestdag_random r = bestdag_random_init(1, 1);
    double sum = 0, squares = 0, least = 1, most = 0;
    int n = 1000000;
    for (int i = 0; i < n; i++) {
        double x = bestdag_random_unit(&r);
        assert_true(x >= 0 && x < 1);
        assert_true(ldexp(x, 53) == floor(ldexp(x, 53)));
        sum += x;
        squares += x * x;
        least = fmin(least, x);
        most = fmax(most, x);
    }
    /* six standard errors */
    assert_true(fabs(sum / n - 0.5) < 6 * sqrt(1.0 / 12 / n));
    assert_true(fabs(squares / n - 1.0 / 3) < 6 * sqrt(4.0 / 45 / n));
    assert_true(least < 1e-4 && most > 1 - 1e-4);
}

static void below_is_even(void **state)
{
    (void)state;
    struct bestdag_random r = bestdag_random_init(2, 2);
    for (uint64_t n = 1; n <= 20; n++) {
        int count[20] = {0}, draws = 20000;
        for (int i = 0; i < draws; i++) {
            uint64_t x = bestdag_random_below(&r, n);
            assert_true(x < n);
            count[x]++;
        }
        double chi = 0, expected = (double)draws / (double)n;
        for (uint64_t k = 0; k < n; k++)
            chi += (count[k] - expected) * (count[k] - expected) / expected;
        assert_true(chi < (double)n + 8 * sqrt(2.0 * (double)n) + 10);
    }
}

/* With n = 3 * 2^62 a plain remainder would give the lower third twice as
 * often as the rest. */
static void below_has_no_bias_for_large_n(void **state)
{
    (void)state;
    struct bestdag_random r = bestdag_random_init(3, 3);
    uint64_t n = (uint64_t)3 << 62;
    int low = 0, draws = 30000;
    for (int i = 0; i < draws; i++) {
        uint64_t x = bestdag_random_below(&r, n);
        assert_true(x < n);
        low += x < n / 3;
    }
    assert_true(abs(low - draws / 3) < 6 * sqrt(draws * 2.0 / 9));
    assert_true(bestdag_random_below(&r, UINT64_MAX) < UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mix_is_splitmix64),
        cmocka_unit_test(the_stream_is_xoshiro256plusplus),
        cmocka_unit_test(streams_and_seeds_differ),
        cmocka_unit_test(units_lie_in_the_unit_interval),
        cmocka_unit_test(below_is_even),
        cmocka_unit_test(below_has_no_bias_for_large_n),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
