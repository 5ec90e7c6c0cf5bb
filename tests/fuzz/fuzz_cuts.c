/* SPDX-License-Identifier: MIT */
/* fuzz_cuts.c -- the reader of cut points, applied to a small table. A table
 * that comes back has the same shape, and no number left in a column that was
 * cut. */
#include "fuzz.h"

#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ROWS = 6 };

/* "tide" and "depth" hold numbers, "flag" codes whose labels are numbers. */
static struct bestdag_table *small_table(struct bestdag_run *run)
{
    static const double tide[ROWS] = {-1.5, 0, 0.25, 1, 2, NAN};
    static const double depth[ROWS] = {10, 20, 1e300, -1e-300, 40, 50};
    static const signed char flag[ROWS] = {0, 1, 2, -1, 1, 0};
    struct bestdag_table *table = bestdag_table_new(run, ROWS);
    bestdag_table_add_numbers(run, table, "tide", tide);
    bestdag_table_add_numbers(run, table, "depth", depth);
    bestdag_table_add_codes(run, table, "flag", flag, 1, 3, NULL);
    return table;
}

/* The bytes as a file; -1: there is none. */
static int file_of(const uint8_t *bytes, size_t size)
{
    int file = memfd_create("cuts", 0);
    if (file >= 0 && write(file, bytes, size) != (ssize_t)size) {
        close(file);
        return -1;
    }
    return file;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    int file = file_of(bytes, size);
    if (file < 0)
        return 0;
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    struct bestdag_run *run = fuzz_run();
    struct bestdag_table *table = small_table(run);
    struct bestdag_options *options = bestdag_options_new(run);
    bestdag_options_set(run, options, "cuts", path);
    fuzz_require(!bestdag_run_status(run), "the table and options are made");
    struct bestdag_table *cut = bestdag_table_discretize(run, table, options);
    fuzz_answer(run, cut);
    if (cut)
        fuzz_require(bestdag_table_rows(cut) == ROWS &&
                         bestdag_table_columns(cut) == 3,
                     "the table keeps its shape");
    bestdag_table_free(cut);
    bestdag_options_free(options);
    bestdag_table_free(table);
    fuzz_end(run);
    close(file);
    return 0;
}
