/* SPDX-License-Identifier: MIT */
/* test_monotone.c -- more counted work never gives a worse network: a longer
 * run of `auto` over lists that are not complete begins as a shorter one
 * does. */
#include "scratch.h"

#include "random_table.h"

/* Each column depends on three before it, in a way of its own. */
static struct bestdag_table *tangled_table(struct bestdag_run *run,
                                           struct random_table how)
{
    struct bestdag_random r = bestdag_random_init(how.seed, 3);
    struct bestdag_table *t = bestdag_table_new(run, how.rows);
    int32_t *code = malloc((size_t)how.rows * sizeof *code);
    for (int c = 0; c < how.columns; c++) {
        char name[16];
        int from[3] = {0};
        double chance[8];
        for (int i = 0; i < 3 && c; i++)
            from[i] = (int)bestdag_random_below(&r, (uint64_t)c);
        for (int i = 0; i < 8; i++)
            chance[i] = bestdag_random_unit(&r);
        for (int64_t row = 0; row < how.rows; row++) {
            int key = 0;
            for (int i = 0; i < 3 && c; i++)
                key = 2 * key + bestdag_column_code(&t->column[from[i]], row);
            code[row] = bestdag_random_unit(&r) < chance[key];
        }
        snprintf(name, sizeof name, "V%d", c + 1);
        bestdag_table_add_codes(run, t, name, code, 4, 2, NULL);
    }
    free(code);
    return t;
}

/* The score at this effort; at least as much as the opening and the first lists
 * take, which a smaller amount would cut. */
static double score_at(struct random_table how, double effort)
{
    struct bestdag_run *run = bestdag_run_new();
    struct bestdag_table *table = tangled_table(run, how);
    struct bestdag_options *options = bestdag_options_new(run);
    run->effort = effort;
    struct bestdag_result *result = bestdag_learn(run, table, NULL, options);
    assert_fine(run);
    double score = bestdag_result_number(result, "score");
    print_message("%d columns, seed %d, effort %g: %.6f\n", how.columns,
                  (int)how.seed, effort, score);
    bestdag_result_free(result);
    bestdag_options_free(options);
    bestdag_table_free(table);
    bestdag_run_free(run);
    return score;
}

static void expect_monotone(struct random_table how, double least)
{
    double before = score_at(how, least);
    for (int i = 1; i < 4; i++) {
        double now = score_at(how, least * (1 + 0.8 * i));
        assert_true(now >= before);
        before = now;
    }
}

static void more_work_is_never_worse(void **state)
{
    (void)state;
    for (uint64_t seed = 2; seed <= 3; seed++)
        expect_monotone((struct random_table){.seed = seed,
                                              .columns = 60 + 10 * (int)seed,

                                              .rows = 400},
                        0.006);
}

static void nor_where_parents_are_likely_ones(void **state)
{
    (void)state;
    expect_monotone(
        (struct random_table){.seed = 5, .columns = 300, .rows = 300}, 0.004);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_work_is_never_worse),
        cmocka_unit_test(nor_where_parents_are_likely_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
