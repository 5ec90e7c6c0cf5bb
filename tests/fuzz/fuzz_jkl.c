/* SPDX-License-Identifier: MIT */
/* fuzz_jkl.c -- the reader of score files. What it accepts is written and read
 * again, and then written the same. */
#include "fuzz.h"

#include "parents/files/jkl.h"

static struct bestdag_sets *read_bytes(struct bestdag_run *run,
                                       const void *bytes, size_t size)
{
    struct bestdag_source *s = bestdag_source_memory(run, "input", bytes, size);
    struct bestdag_sets *sets = s ? bestdag_jkl_read(run, s) : NULL;
    bestdag_source_close(s);
    return sets;
}

static char *write_text(struct bestdag_run *run,
                        const struct bestdag_sets *sets, size_t *size)
{
    struct bestdag_jkl_style style = {.digits = 17};
    struct bestdag_sink *to = bestdag_sink_memory(run);
    if (to)
        bestdag_jkl_write(run, sets, &style, to);
    char *text =
        to && !bestdag_run_status(run) ? bestdag_sink_take(to, size) : NULL;
    bestdag_sink_close(to);
    return text;
}

static void round_trip(struct bestdag_run *run, const struct bestdag_sets *sets)
{
    size_t first_size = 0, second_size = 0;
    char *first = write_text(run, sets, &first_size);
    struct bestdag_sets *back =
        first ? read_bytes(run, first, first_size) : NULL;
    char *second = back ? write_text(run, back, &second_size) : NULL;
    fuzz_require(second || bestdag_run_status(run) == BESTDAG_MEMORY,
                 "what was read can be written and read again");
    fuzz_require(!second || (first_size == second_size &&
                             !memcmp(first, second, first_size)),
                 "and is written the same");
    bestdag_free(first);
    bestdag_free(second);
    bestdag_sets_free(back);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct bestdag_run *run = fuzz_run();
    struct bestdag_sets *sets = read_bytes(run, bytes, size);
    fuzz_answer(run, sets);
    if (sets)
        round_trip(run, sets);
    bestdag_sets_free(sets);
    fuzz_end(run);
    return 0;
}
