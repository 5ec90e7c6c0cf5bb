/* SPDX-License-Identifier: MIT */
/* Counting: every kernel against counting by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "counts/count_cube.h"
#include "base/popcount.h"
#include "counts/ranks.h"
#include "counts/tally.h"
#include "random_table.h"

static void population_counts_agree(void **state)
{
    (void)state;
    struct bestdag_random r = bestdag_random_init(1, 1);
    enum { MOST = 200, COLUMNS = 7 };
    uint64_t *mask = aligned_alloc(64, MOST * 8);
    uint64_t *columns = aligned_alloc(64, MOST * 8 * COLUMNS);
    for (int words = 8; words <= MOST; words += 8)
        for (int kind = 0; kind < 3; kind++) {
            for (int i = 0; i < words; i++)
                mask[i] = kind ? ~(uint64_t)0 : bestdag_random_bits(&r);
            for (int i = 0; i < words * COLUMNS; i++)
                columns[i] = kind == 2 ? ~(uint64_t)0 : bestdag_random_bits(&r);
            const char *name;
            bestdag_popcount_fn *fn;
            for (int k = 0; (fn = bestdag_popcount_at(k, &name)); k++) {
                int32_t got[COLUMNS];
                fn(mask, columns, words, COLUMNS, got);
                for (int c = 0; c < COLUMNS; c++) {
                    int want = 0;
                    for (int w = 0; w < words; w++)
                        want += __builtin_popcountll(mask[w] &
                                                     columns[c * words + w]);
                    assert_int_equal(got[c], want);
                }
            }
        }
    free(mask);
    free(columns);
}

/* Weight of the rows that agree with `row` in all these variables. */
static int64_t by_hand(const struct bestdag_table *t, const int *variables,
                       int count, int64_t row)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < t->rows; i++) {
        bool same = true;
        for (int k = 0; k < count && same; k++) {
            const struct bestdag_column *c = &t->column[variables[k]];
            same = bestdag_column_code(c, i) == bestdag_column_code(c, row);
        }
        sum += same ? bestdag_table_weight(t, i) : 0;
    }
    return sum;
}

/* Sum of count^2 over cells and how many there are: each row adds its cell's
 * count, weighted; a cell is counted where its first row is. */
static void sums_by_hand(const struct bestdag_table *t, const int *variables,
                         int count, const struct bestdag_score_terms *terms,
                         int64_t *sum, int64_t *cells)
{
    *sum = *cells = 0;
    for (int64_t i = 0; i < t->rows; i++) {
        bool first = true;
        for (int64_t j = 0; j < i && first; j++) {
            bool same = true;
            for (int k = 0; k < count && same; k++) {
                const struct bestdag_column *c = &t->column[variables[k]];
                same = bestdag_column_code(c, i) == bestdag_column_code(c, j);
            }
            first = !same;
        }
        int64_t n = first ? by_hand(t, variables, count, i) : 0;
        *sum += n ? bestdag_score_terms_at(terms, n) : 0;
        *cells += n > 0;
    }
}

static void kernels_agree_with_counting_by_hand(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_score_terms *terms =
        bestdag_score_terms_new(run, 0.37, 1 << 20, 50);
    static const int most[] = {2, 3, 5, 20, 300};
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct random_table how = {.seed = seed,
                                   .columns = 6,
                                   .most = most[seed % 5],
                                   .constant = true,
                                   .weights = seed % 3 ? 0 : 5};
        struct bestdag_table *t = random_table(run, how);
        struct bestdag_columns *columns = bestdag_columns_new(run, t);
        struct bestdag_tally *tally = bestdag_tally_new(run, columns);
        struct bestdag_random r = bestdag_random_init(seed, 3);
        for (int round = 0; round < 12; round++) {
            int set[6] = {0, 1, 2, 3, 4, 5};
            int size = 1 + (int)bestdag_random_below(&r, 5);
            for (int i = 0; i < 6; i++) {
                int j = (int)bestdag_random_below(&r, 6), swap = set[i];
                set[i] = set[j];
                set[j] = swap;
            }
            int64_t want, cells;
            sums_by_hand(t, set, size, terms, &want, &cells);
            for (int k = 0; k < 4; k++) {
                int64_t got, occur;
                const struct bestdag_score_terms *one = terms;
                bestdag_tally_force(tally, (enum bestdag_kernel)k);
                assert_int_equal(bestdag_tally_path(tally, set, size - 1), 0);
                assert_int_equal(bestdag_tally_sum(tally, set[size - 1], &one,
                                                   1, &got, &occur),
                                 0);
                assert_int_equal(got, want);
                assert_int_equal(occur, cells);
            }
            const struct bestdag_cell *cell;
            int64_t listed;
            bestdag_tally_cells(tally, set[size - 1], &cell, &listed);
            assert_int_equal(listed, cells);
            for (int64_t i = 0; i < listed; i++)
                assert_int_equal(cell[i].count,
                                 by_hand(t, set, size, cell[i].row));
        }
        bestdag_tally_free(tally);
        bestdag_columns_free(columns);
        bestdag_table_free(t);
    }
    bestdag_score_terms_free(terms);
    assert_string_equal(bestdag_run_error(run), "");
    bestdag_run_free(run);
}

/* A cell of prefix + l, all in the states of `row`; -1: that is not counted. */
static int64_t in_slab(const struct bestdag_columns *c,
                       const struct bestdag_prefix_tables *slab,
                       const int *prefix, int count, int l, int64_t row)
{
    int e = 0;
    const struct bestdag_column *last = &c->table->column[c->order[l]];
    int state = bestdag_column_code(last, row);
    for (int i = 0; i < count; i++) {
        const struct bestdag_column *x = &c->table->column[c->order[prefix[i]]];
        e = e * x->states + bestdag_column_code(x, row);
    }
    const int32_t *at = slab->row[e] + c->first[l] - c->first[slab->from];
    int64_t rest = slab->total[e];
    if (state < last->states - 1)
        return at[state];
    for (int k = 0; k < last->states - 1; k++)
        rest -= at[k];
    return rest;
}

static void cubes_agree_with_counting_by_hand(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    int64_t compared = 0;
    for (uint64_t seed = 1; seed <= 25; seed++) {
        struct random_table how = {.seed = seed,
                                   .columns = 6,
                                   .most = 2 + (int)(seed % 4),
                                   .weights = seed % 3 ? 0 : 2};
        struct bestdag_table *t = random_table(run, how);
        struct bestdag_columns *c = bestdag_columns_new(run, t);
        struct bestdag_count_cube *cube = bestdag_count_cube_new(run, c, 0);
        struct bestdag_count_cubes *s = bestdag_count_cubes_new(run, cube);
        for (int size = 1; size <= 4; size++) {
            int prefix[6] = {0, 1, 2, 3};
            bestdag_count_cube_level(run, cube, size, size < 4);
            do {
                struct bestdag_prefix_tables slab;
                int set[6];
                bestdag_count_cubes_count(s, prefix, size - 1, &slab);
                for (int l = slab.from; l < slab.cut; l++)
                    for (int64_t row = 0; row < t->rows; row += 7) {
                        for (int i = 0; i < size - 1; i++)
                            set[i] = c->order[prefix[i]];
                        set[size - 1] = c->order[l];
                        assert_int_equal(
                            in_slab(c, &slab, prefix, size - 1, l, row),
                            by_hand(t, set, size, row));
                        compared++;
                    }
            } while (bestdag_rank_next(6, prefix, size - 1));
        }
        bestdag_count_cubes_free(s);
        bestdag_count_cube_free(cube);
        bestdag_columns_free(c);
        bestdag_table_free(t);
    }
    assert_true(compared > 1000);
    bestdag_run_free(run);
}

static void ranks_number_sets_in_order(void **state)
{
    (void)state;
    struct bestdag_run *run = bestdag_run_new();
    for (int n = 1; n <= 9; n++) {
        struct bestdag_ranks r;
        bestdag_ranks_init(run, &r, n);
        for (int k = 1; k <= n; k++) {
            int set[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
            int64_t number = 0;
            do
                assert_int_equal(bestdag_rank(&r, set, k), number++);
            while (bestdag_rank_next(n, set, k));
            assert_int_equal(number, bestdag_choose(&r, n, k));
        }
        bestdag_free(r.choose);
    }
    bestdag_run_free(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(population_counts_agree),
        cmocka_unit_test(kernels_agree_with_counting_by_hand),
        cmocka_unit_test(cubes_agree_with_counting_by_hand),
        cmocka_unit_test(ranks_number_sets_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
