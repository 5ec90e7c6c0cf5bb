/* SPDX-License-Identifier: MIT */
/* test_alias.c -- alias tables: what share of all 2^32 random numbers gives
 * each state. */
#include "nets.h"

#include "models/random_lanes.h"
#include "models/alias.h"

static int setup(void **state)
{
    *state = bestdag_run_new();
    return !*state;
}

static int teardown(void **state)
{
    bestdag_run_free(*state);
    return 0;
}

/* Random numbers that give each state, counted from the entries. */
static uint64_t *shares(const uint32_t *entry, int states, int bits)
{
    uint64_t *share = calloc((size_t)1 << bits, sizeof *share);
    uint64_t full = (uint64_t)1 << (32 - bits);
    for (int k = 0; k < 1 << bits; k++) {
        uint64_t threshold = entry[k] >> bits;
        share[k] += threshold;
        share[entry[k] & ((1u << bits) - 1)] += full - threshold;
    }
    for (int s = states; s < 1 << bits; s++)
        assert_int_equal(share[s], 0);
    return share;
}

static void check_row(struct bestdag_run *run, const double *p, int states)
{
    struct bestdag_alias_scratch scratch = {0};
    int bits = bestdag_alias_bits(states);
    uint32_t *entry = malloc(sizeof *entry << bits);
    double sum = 0;
    assert_int_equal(bestdag_alias_scratch_new(run, states, &scratch),
                     BESTDAG_OK);
    bestdag_alias_build(p, states, &scratch, entry);
    uint64_t *share = shares(entry, states, bits);
    for (int s = 0; s < states; s++)
        sum += p[s];
    for (int s = 0; s < states; s++) {
        double exact = p[s] / sum * 0x1p32;
        assert_true(fabs((double)share[s] - exact) <= 1.001);
        if (p[s] == 0)
            assert_int_equal(share[s], 0);
        if (p[s] == sum)
            assert_true(share[s] == (uint64_t)1 << 32);
    }
    free(share);
    free(entry);
    bestdag_alias_scratch_release(&scratch);
}

static void every_state_has_its_share_of_all_numbers(void **state)
{
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct bestdag_random random = bestdag_random_init(seed, 1);
        int most = seed % 10 ? 20 : 3000;
        int states = 1 + (int)bestdag_random_below(&random, (uint64_t)most);
        double *p = malloc((size_t)states * sizeof *p), zeros = seed % 4 / 4.0;
        for (int s = 0; s < states; s++)
            p[s] = bestdag_random_unit(&random) < zeros
                       ? 0
                       : pow(bestdag_random_unit(&random), 4);
        p[bestdag_random_below(&random, (uint64_t)states)] += 0.01;
        check_row(*state, p, states);
        free(p);
    }
}

static void certain_rows_are_exact(void **state)
{
    check_row(*state, (double[]){1}, 1);
    check_row(*state, (double[]){0, 1}, 2);
    check_row(*state, (double[]){1, 0, 0}, 3);
    check_row(*state, (double[]){0, 0, 0, 0, 0.1}, 5);
    check_row(*state, (double[]){1e-300, 1 - 1e-15}, 2);
    check_row(*state, (double[]){1.0 / 3, 1.0 / 3, 1.0 / 3}, 3);
}

static void a_draw_reads_its_entry_as_written(void **state)
{
    (void)state;
    /* two bits: bucket 2, threshold 5, alias 1 */
    uint32_t entry = 5u << 2 | 1;
    assert_int_equal(bestdag_alias_draw(entry, 2, 2u << 30 | 4), 2);
    assert_int_equal(bestdag_alias_draw(entry, 2, 2u << 30 | 5), 1);
    assert_int_equal(bestdag_alias_draw(entry, 2, 2u << 30 | 0x3fffffff), 1);
}

/* One lane, written as its authors describe it. */
static uint32_t one_lane(uint32_t s[4])
{
    uint32_t sum = s[0] + s[3], result = (sum << 7 | sum >> 25) + s[0];
    uint32_t t = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = s[3] << 11 | s[3] >> 21;
    return result;
}

static void lanes_are_sixteen_generators_side_by_side(void **state)
{
    struct bestdag_random_lanes lanes;
    struct bestdag_random random = bestdag_random_init(5, 9);
    uint32_t s[BESTDAG_LANES][4], got[100 + BESTDAG_LANES];
    (void)state;
    for (int word = 0; word < 4; word++)
        for (int lane = 0; lane < BESTDAG_LANES; lane += 2) {
            uint64_t bits = bestdag_random_bits(&random);
            s[lane][word] = (uint32_t)bits;
            s[lane + 1][word] = (uint32_t)(bits >> 32);
        }
    bestdag_random_lanes_init(&lanes, 5, 9);
    bestdag_random_lanes_fill(&lanes, got, 100);
    for (int i = 0; i < 100; i++)
        assert_int_equal(got[i], one_lane(s[i % BESTDAG_LANES]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            every_state_has_its_share_of_all_numbers, setup, teardown),
        cmocka_unit_test_setup_teardown(certain_rows_are_exact, setup,
                                        teardown),
        cmocka_unit_test(a_draw_reads_its_entry_as_written),
        cmocka_unit_test(lanes_are_sixteen_generators_side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
