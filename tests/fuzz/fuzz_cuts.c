/* SPDX-License-Identifier: MIT */
/* fuzz_cuts.c -- the reader of cuts files. What it accepts is in form, and
 * gives every cell of a table a state. */
#include "fuzz.h"

#include "data/cutting.h"

/* Columns that the corpus speaks of: numbers, and states that are numbers. */
static struct bestdag_table *make_table(struct bestdag_run *run)
{
    static const double x[] = {-1e308, 0, 5.84, NAN};
    static const int8_t codes[] = {0, 1, -1, 1};
    static const char *const labels[] = {"1", "10"};
    struct bestdag_table *t = bestdag_table_new(run, 4);
    bestdag_table_add_numbers(run, t, "x", x);
    bestdag_table_add_numbers(run, t, "height", x);
    bestdag_table_add_codes(run, t, "code", codes, 1, 2, labels);
    fuzz_require(bestdag_run_status(run) == BESTDAG_OK, "there is a table");
    return t;
}

static void check_one(const struct bestdag_table *t,
                      const struct bestdag_intervals *one)
{
    fuzz_require(one->column >= 0 && one->column < t->columns,
                 "the column is one of the table");
    for (int i = 0; i < one->cuts.count; i++)
        fuzz_require(isfinite(one->cuts.at[i]) &&
                         (!i || one->cuts.at[i] > one->cuts.at[i - 1]),
                     "cuts ascend");
    for (int i = 0; i <= one->cuts.count; i++)
        fuzz_require(one->labels[i][0], "states have labels");
}

static void apply(struct bestdag_run *run, const struct bestdag_table *t,
                  const struct bestdag_interval_list *list)
{
    struct bestdag_table *to = bestdag_cutting_apply(run, t, list);
    fuzz_answer(run, to);
    for (int i = 0; to && i < list->count; i++) {
        const struct bestdag_intervals *one = &list->of[i];
        for (int64_t r = 0; r < t->rows; r++)
            fuzz_require(bestdag_column_code(&to->column[one->column], r) <=
                             one->cuts.count,
                         "codes are states");
    }
    bestdag_table_free(to);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct bestdag_run *run = fuzz_run();
    struct bestdag_interval_list list = {0};
    struct bestdag_table *t = make_table(run);
    struct bestdag_file file = fuzz_file(run, bytes, size);
    if (file.bytes && !bestdag_intervals_parse(run, &file, t, &list)) {
        for (int i = 0; i < list.count; i++)
            check_one(t, &list.of[i]);
        apply(run, t, &list);
    } else
        fuzz_answer(run, NULL);
    bestdag_intervals_release(&list);
    bestdag_free(file.bytes);
    bestdag_table_free(t);
    fuzz_end(run);
    return 0;
}
