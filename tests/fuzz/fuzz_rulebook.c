/* SPDX-License-Identifier: MIT */
/* fuzz_rulebook.c -- verify's own reader of rules: lists are thinned by any
 * bytes, and a network is checked against them. What the rules leave of the
 * lists obeys them: a network of required arcs only is never taken off. */
#include "fuzz.h"

#include "verify/rules/rulebook.h"

static const char scores[] =
    "6\nclass 2\n-1 0\n-2 1 X\nX 2\n-1 0\n-3 2 class smoke\n"
    "sex 1\n-1 0\nsmoke 3\n-1 0\n-1 1 sex\n-2 2 sex X\n"
    "disease 3\n-1 1 smoke\n-1 2 smoke X\n-2 0\nbmi 2\n-1 0\n-1 1 disease\n";

static void look(struct verify_rulebook *book, struct kernel_lists *lists)
{
    struct verify_deduction x;
    int64_t start[7] = {0};
    int32_t none[1];
    struct kernel_network empty = {.n = 6, .start = start, .parent = none};
    int status = bestdag_deduction_make(book, lists, &x);
    if (!status)
        status = bestdag_rulebook_check(book, &empty);
    bool broken = false;
    for (int i = 0; i < book->count; i++)
        broken |= book->rule[i].broken;
    /* the network without arcs obeys, then its sets must be left */
    for (int v = 0; v < 6 && !status && !broken; v++)
        for (int64_t s = lists->first[v]; s < lists->first[v + 1]; s++)
            fuzz_require(bestdag_lists_size(lists, s) ||
                             (lists->remains[s] && !x.impossible),
                         "what a network that obeys needs is left");
    bestdag_deduction_release(&x);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct bestdag_run *run = fuzz_run();
    struct bestdag_source *from =
        bestdag_source_memory(run, "scores", scores, sizeof scores - 1);
    struct kernel_lists *lists = bestdag_lists_read(run, from);
    bestdag_source_close(from);
    fuzz_require(lists != NULL, "the score file can be read");
    struct verify_rulebook book = {.run = run, .lists = lists};
    struct bestdag_file file = fuzz_file(run, bytes, size);
    if (file.bytes && !bestdag_rulebook_parse(&book, &file))
        look(&book, lists);
    fuzz_answer(run, bestdag_run_status(run) ? NULL : &book);
    bestdag_free(file.bytes);
    bestdag_rulebook_release(&book);
    bestdag_lists_free(lists);
    fuzz_end(run);
    return 0;
}
