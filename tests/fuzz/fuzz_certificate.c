/* SPDX-License-Identifier: MIT */
/* fuzz_certificate.c -- the reader of certificates, over the score file of a
 * small problem whose optimum is known: no bytes prove more than that. */
#include "fuzz.h"

#include <math.h>

#include "verify/kernel/kernel.h"

/* A and B want each other, C wants both, D any two: 6 units at least with a
 * shift of 20. A unit is 9.5367431640625e-07 nat. */
static const char scores[] =
    "4\n"
    "A 3\n0 1 B\n-3.814697265625e-06 0\n-2.86102294921875e-06 1 D\n"
    "B 3\n0 1 A\n-4.76837158203125e-06 0\n-1.9073486328125e-06 2 C D\n"
    "C 3\n0 2 A B\n-2.86102294921875e-06 1 D\n-8.58306884765625e-06 0\n"
    "D 4\n0 2 A C\n0 2 B C\n-1.9073486328125e-06 1 C\n-6.67572021484375e-06 "
    "0\n";

static int least(const struct kernel_lists *l, unsigned placed, int cost)
{
    int best = placed == 15 ? cost : 1000;
    for (int v = 0; v < 4; v++)
        for (int64_t s = l->first[v]; s < l->first[v + 1]; s++) {
            unsigned set = 0;
            for (int64_t i = l->start[s]; i < l->start[s + 1]; i++)
                set |= 1u << l->member[i];
            if (placed >> v & 1 || set & ~placed)
                continue;
            int more =
                least(l, placed | 1u << v, cost - (int)ldexp(l->score[s], 20));
            best = more < best ? more : best;
        }
    return best;
}

static void check(struct bestdag_run *run, struct kernel_lists *lists,
                  const uint8_t *bytes, size_t size)
{
    struct kernel_proof p = {.run = run, .lists = lists};
    int optimum = least(lists, 0, 0);
    fuzz_require(!bestdag_lists_rate(run, lists, "scores"), "they add up");
    struct bestdag_source *from =
        bestdag_source_memory(run, "input", bytes, size);
    int status = from ? bestdag_proof_check(&p, from) : bestdag_run_status(run);
    bestdag_source_close(from);
    fuzz_answer(run, status ? NULL : &p);
    fuzz_require(status || p.refused ||
                     ldexp((double)p.claim, 20 - p.shift) <= optimum,
                 "no claim above the optimum is accepted");
    fuzz_require(!p.refused || p.reason[0], "a refusal has a reason");
    bestdag_proof_release(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct bestdag_run *run = fuzz_run();
    struct bestdag_source *from =
        bestdag_source_memory(run, "scores", scores, sizeof scores - 1);
    struct kernel_lists *lists = bestdag_lists_read(run, from);
    bestdag_source_close(from);
    fuzz_require(lists != NULL, "the score file can be read");
    check(run, lists, bytes, size);
    bestdag_lists_free(lists);
    fuzz_end(run);
    return 0;
}
