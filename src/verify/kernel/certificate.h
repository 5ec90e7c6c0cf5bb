/* SPDX-License-Identifier: MIT */
/* certificate.h -- checking a certificate: shared by the readers of its steps.
 * The format is in docs/certificates.md. */
#ifndef BESTDAG_VERIFY_CERTIFICATE_H
#define BESTDAG_VERIFY_CERTIFICATE_H

#include "base/row.h"
#include "base/word_reader.h"
#include "verify/kernel/score_lists.h"

/* No number of a certificate, and no value that is used, is larger. */
#define KERNEL_MOST ((int64_t)1 << 62)
/* The sum of the multipliers, each times its number a, is at most this: no
 * difference between them and costs overflows. */
#define KERNEL_MOST_SUM ((int64_t)1 << 61)
/* The cost of a set that does not exist, and its contribution to a sum: larger
 * than anything that could be subtracted. */
#define KERNEL_NEVER INT64_MAX
#define KERNEL_NEVER_SUM ((kernel_wide)1 << 90)

/* A cluster: its number a, and masks over the part from `at` on: of its
 * members, of those alone in their class, and of each class with more. */
struct kernel_cluster {
    int64_t at, y; /* y: its multiplier */
    int32_t few, classes;
};

/* The clusters of the innermost part. */
struct kernel_clusters {
    size_t words;               /* of a mask */
    struct kernel_cluster *one; /* owns */
    uint64_t *mask;             /* owns */
    int64_t count, room, masks, mask_room;
    kernel_wide sum; /* of a times y */
};

struct kernel_part {
    int64_t id;    /* unique among all parts */
    int64_t least; /* the least X of its deletions */
    int64_t left;  /* members that are in no child yet */
    bool is_split;
    kernel_wide sum; /* costs of its children */
};

struct kernel_proof {
    struct bestdag_run *run;
    struct kernel_lists *lists; /* borrowed */
    /* [n * row_words], borrowed: bit u of row v: u must come before v. NULL:
     * no such pair. */
    const uint64_t *before;
    size_t row_words;
    struct bestdag_word_reader in;
    int64_t *home; /* owns; [n]: the innermost part so far that contains v */
    int64_t ids;
    struct kernel_part *part; /* owns; the open ones */
    int64_t depth, part_room;
    int32_t *member, *local; /* own; [n]: of the innermost part; their places */
    int count;
    struct kernel_clusters clusters;
    int64_t *rest;  /* owns; [sets]: cost minus multipliers, for sets of its
                       members */
    int64_t *least; /* owns; [n]: of member i, see bestdag_clusters_value */
    uint64_t *row;  /* owns; two rows of bits: see multipliers.c */
    /* results */
    int64_t claim, proved;
    int shift;
    int64_t parts, multipliers, deletions, expansions, prefixes;
    int64_t work;     /* sets and clusters that expansions have examined */
    bool refused;     /* it can be read, but does not prove its claim */
    char reason[512]; /* file:line: why */
};

/* Reads and checks a certificate, after bestdag_lists_rate(). Start from {
 * .run, .lists, .before, .row_words }; release it in any case. BESTDAG_OK: it
 * could be read; see `refused`. If it is not refused, every admissible network
 * (kernel.h) costs at least `claim` by lists->cost. Afterwards lists->remains
 * is as deletions left it. */
int bestdag_proof_check(struct kernel_proof *p, struct bestdag_source *from);
void bestdag_proof_release(struct kernel_proof *p);

/* ---- among the readers of steps ---- */

/* Records why the certificate is refused; returns false. */
bool bestdag_proof_refuse(struct kernel_proof *p, const char *format, ...)
    BESTDAG_PRINTF(2, 3);

static inline bool bestdag_proof_precedes(const struct kernel_proof *p, int u,
                                          int v)
{
    return p->before &&
           p->before[(size_t)v * p->row_words + (size_t)u / 64] >> (u % 64) & 1;
}

/* Clears the part's multipliers; reads "multipliers", "delete". */
void bestdag_clusters_reset(struct kernel_proof *p);
bool bestdag_clusters_read(struct kernel_proof *p);
bool bestdag_clusters_delete(struct kernel_proof *p);
/* B, the value of the part's multipliers over the remaining sets; p->least gets
 * the minimum of each member. *never: some member has no set left. */
kernel_wide bestdag_clusters_value(struct kernel_proof *p, bool *never);

/* After "expand": reads N, L; proves a lower bound on the cost of the part. */
bool bestdag_expansion_prove(struct kernel_proof *p, int64_t *cost);

#endif
