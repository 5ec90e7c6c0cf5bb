/* SPDX-License-Identifier: MIT */
/* fuzz_beside.c -- the readers of small JSON files that stand beside others:
 * what a .jkl file cannot say ("sidecar"), pseudo-counts of the score bd
 * ("pseudo"). What they accept can be used. */
#include "fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "parents/jkl.h"

static struct bestdag_table *small_table(struct bestdag_run *run)
{
    static const signed char a[] = {0, 1, 0, 1, 1, 0}, b[] = {0, 1, 2, 2, 1, 0};
    static const char *const labels[] = {"no", "yes"};
    struct bestdag_table *table = bestdag_table_new(run, 6);
    bestdag_table_add_codes(run, table, "tide", a, 1, 2, labels);
    bestdag_table_add_codes(run, table, "flag", b, 1, 3, NULL);
    fuzz_require(!bestdag_run_status(run), "the table is made");
    return table;
}

static void try_pseudo(struct bestdag_run *run, const char *path)
{
    struct bestdag_table *table = small_table(run);
    struct bestdag_options *o = bestdag_options_new(run);
    bestdag_options_set(run, o, "score", "bd");
    bestdag_options_set(run, o, "pseudo-file", path);
    struct bestdag_sets *sets = bestdag_sets_find(run, table, NULL, o);
    fuzz_answer(run, sets);
    bestdag_sets_free(sets);
    bestdag_options_free(o);
    bestdag_table_free(table);
}

static void try_sidecar(struct bestdag_run *run, const char *path)
{
    static const char text[] = "2\n"
                               "0 2\n-3 0\n-2 1 1\n"
                               "1 1\n-4 0\n";
    struct bestdag_source *s =
        bestdag_source_memory(run, "sets", text, sizeof text - 1);
    struct bestdag_sets *sets = bestdag_jkl_read(run, s);
    bestdag_source_close(s);
    fuzz_require(sets != NULL, "the sets are made");
    int status = bestdag_sidecar_read(run, sets, path);
    fuzz_answer(run, status ? NULL : sets);
    char *told = status ? NULL : bestdag_sets_describe(run, sets);
    fuzz_require(status || told, "what was read can be described");
    bestdag_text_free(told);
    bestdag_sets_free(sets);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char path[32];
    int file = memfd_create("beside", 0);
    if (file < 0)
        return 0;
    if (write(file, bytes, size) == (ssize_t)size) {
        struct bestdag_run *run = fuzz_run();
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
        if (!strcmp(FUZZ_ROW, "pseudo"))
            try_pseudo(run, path);
        else
            try_sidecar(run, path);
        fuzz_end(run);
    }
    close(file);
    return 0;
}
