/* SPDX-License-Identifier: MIT */
/* kernel.h -- the kernel of the checker: score lists, a network and a
 * certificate are read, and the bound is checked in whole numbers. Everything
 * that the theorem below rests on is in this folder and in base/.
 *
 * Call a network admissible if it has no cycle, every family is in the list of
 * its variable with remains[] != 0 as the rule side left it, and its arcs
 * together with the pairs of `before` have no cycle.
 *
 * THEOREM. Let bestdag_lists_read(), the rule side, bestdag_lists_rate(),
 * bestdag_proof_check() (without refusal), bestdag_kernel_rate() (which says
 * `listed`) and bestdag_kernel_conclude() return BESTDAG_OK in this order. Then
 *
 *   1. the score of the given network, summed exactly from the numbers in the
 *      score file, is at least `score`;
 *   2. no admissible network scores more than `bound`;
 *   3. if `optimal`, no admissible network scores more than `tolerance` above
 *      the given one, as bound - score <= tolerance.
 *
 * Proof: docs/certificates.md, "What is guaranteed"; for the steps of a
 * certificate, the heads of certificate.c (parts, splits), multipliers.c
 * (clusters, deletions), prefix_expansion.c.
 *
 * ASSUMED are the compiler and the machine; base/ (files, memory, numbers to
 * doubles); of the public reader of networks, that names and parents are those
 * of the file. Nothing is assumed of the certificate.
 *
 * The RULE SIDE (verify/rules) gives plain data between reading and checking:
 * it may clear remains[s] of any set s, and hands over rows of bits `before`.
 * The theorem holds whatever it gives, since it is about admissible networks.
 * For "no network that obeys the rules scores more than `bound`", the rule side
 * must guarantee: every network that obeys the rules is admissible. That the
 * given network obeys them is checked there, too. The names of variables may
 * be replaced by those of the sidecar (verify/recount). */
#ifndef BESTDAG_VERIFY_KERNEL_H
#define BESTDAG_VERIFY_KERNEL_H

#include "verify/kernel/certificate.h"

/* A network over the variables of the lists. */
struct kernel_network {
    int n;
    int64_t *start;  /* owns; [n + 1] */
    int32_t *parent; /* owns; ascending */
    /* by bestdag_kernel_rate() */
    bool listed;             /* all families are */
    kernel_wide exact_score; /* at most its score; 2^-64 nat */
    int64_t cost;            /* in units of the certificate */
};

/* Takes over a network that was read; variables are matched by name. */
int bestdag_kernel_take(struct bestdag_run *run,
                        const struct kernel_lists *lists,
                        const struct bestdag_network *from,
                        struct kernel_network *to);
void bestdag_kernel_release(struct kernel_network *g);
/* Does it have a cycle, with the arcs extra[2 i] -> extra[2 i + 1] added? */
int bestdag_kernel_cyclic(struct bestdag_run *run,
                          const struct kernel_network *g, const int *extra,
                          int64_t count, bool *cyclic);
/* Looks up its families, after the certificate has defined the unit. Not
 * `listed`: `why` gives the reason. */
void bestdag_kernel_rate(const struct kernel_lists *lists,
                         struct kernel_network *g, char why[200]);

struct kernel_verdict {
    double score;     /* NaN: not all families are listed */
    double bound;     /* NaN: the certificate is refused */
    double tolerance; /* `optimal`: the bound is at most this much above the
                         score */
    bool optimal;
};

/* Computes score, bound, and whether the score reaches the bound. `accepted`:
 * there is no other objection to the network. */
int bestdag_kernel_conclude(const struct kernel_proof *proof,
                            const struct kernel_network *g, bool accepted,
                            struct kernel_verdict *to);

#endif
