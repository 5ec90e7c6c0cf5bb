/* SPDX-License-Identifier: MIT */
/* fuzz.h -- what every fuzz target shares.
 *
 * A target gets any bytes. It may answer "bad input", and then there must be
 * one line that says why; it must never crash, leak, hang or eat the machine.
 * What it accepts it must be able to write and read again (the targets say what
 * of it they check). */
#ifndef BESTDAG_TESTS_FUZZ_H
#define BESTDAG_TESTS_FUZZ_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stream.h"
#include "base/text.h"

/* The row of a table of formats that this program tries: "bif", "csv". */
#ifndef FUZZ_ROW
#define FUZZ_ROW ""
#endif

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Not assert(): release builds must check, too. */
static inline void fuzz_require(int holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "fuzz: does not hold: %s\n", what);
    abort();
}

/* A run that a hostile file cannot make eat the machine. */
static inline struct bestdag_run *fuzz_run(void)
{
    struct bestdag_run *run = bestdag_run_new();
    fuzz_require(run != NULL, "there is memory for a run");
    bestdag_run_set(run, "threads", "1");
    bestdag_run_set(run, "memory-limit", "64M");
    return run;
}

/* Nothing that the library allocated is left. */
static inline void fuzz_end(struct bestdag_run *run)
{
    fuzz_require(bestdag_memory_used(run) == 0, "all memory was given back");
    bestdag_run_free(run);
}

/* A whole file in memory, ended by 0 as readers expect; bestdag_free() its
 * bytes. Exactly sized, so that ASan sees a read past the end. */
static inline struct bestdag_file fuzz_file(struct bestdag_run *run,
                                            const uint8_t *bytes, size_t size)
{
    struct bestdag_file file = {.name = "input", .size = size};
    file.bytes = bestdag_alloc(run, size + 1);
    if (!file.bytes)
        return file; /* larger than the limit: size is ignored then */
    if (size)
        memcpy(file.bytes, bytes, size);
    file.bytes[size] = '\0';
    return file;
}

/* Either there is a result and no error, or none and one line that says why. */
static inline void fuzz_answer(const struct bestdag_run *run,
                               const void *result)
{
    int status = bestdag_run_status(run);
    const char *error = bestdag_run_error(run);
    if (result) {
        fuzz_require(status == BESTDAG_OK, "a result has no error");
        return;
    }
    fuzz_require(status == BESTDAG_INPUT || status == BESTDAG_MEMORY ||
                     status == BESTDAG_USAGE,
                 "the status is bad input, usage or memory");
    fuzz_require(error[0] != '\0', "an error has a text");
    fuzz_require(!strchr(error, '\n'), "an error is one line");
    fuzz_require(bestdag_utf8_valid(error, strlen(error)) == strlen(error),
                 "an error is UTF-8");
}

#endif
