/* SPDX-License-Identifier: MIT */
/* fuzz_lists.c -- verify's own reader of score files, beside that of the
 * searches: what both accept has as many variables in both. */
#include "fuzz.h"

#include "parents/files/jkl.h"
#include "verify/kernel/score_lists.h"

static struct kernel_lists *read_lists(struct bestdag_run *run,
                                       const uint8_t *bytes, size_t size)
{
    struct bestdag_source *s = bestdag_source_memory(run, "input", bytes, size);
    struct kernel_lists *lists = s ? bestdag_lists_read(run, s) : NULL;
    bestdag_source_close(s);
    fuzz_answer(run, lists);
    return lists;
}

static int count_variables(const uint8_t *bytes, size_t size)
{
    struct bestdag_run *run = fuzz_run();
    struct bestdag_source *s = bestdag_source_memory(run, "input", bytes, size);
    struct bestdag_sets *sets = s ? bestdag_jkl_read(run, s) : NULL;
    int n = sets ? bestdag_sets_variables(sets) : -1;
    bestdag_source_close(s);
    bestdag_sets_free(sets);
    fuzz_end(run);
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct bestdag_run *run = fuzz_run();
    struct kernel_lists *lists = read_lists(run, bytes, size);
    int n = count_variables(bytes, size);
    fuzz_require(!lists || n < 0 || n == lists->n,
                 "both readers see as many variables");
    if (lists) {
        int status = bestdag_lists_rate(run, lists, "input");
        if (!status)
            bestdag_lists_cost(lists, 20);
        fuzz_answer(run, status ? NULL : lists);
    }
    bestdag_lists_free(lists);
    fuzz_end(run);
    return 0;
}
