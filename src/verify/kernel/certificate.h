/* SPDX-License-Identifier: MIT */
/* proof.h -- checking a certificate: what the readers of its pieces share. The
 * format is in docs/certificates.md. */
#ifndef BESTDAG_VERIFY_PROOF_H
#define BESTDAG_VERIFY_PROOF_H

#include "verify/kernel/score_lists.h"
#include "verify/kernel/reader.h"

/* No number of a certificate, and no value that is used, is larger. */
#define BESTDAG_PROOF_MOST ((int64_t)1 << 62)
/* The units that are accepted, 2^-shift nat: no coarser than a millionth, which
 * is what is reported; no finer than costs can be told apart. */
enum { BESTDAG_SHIFT_LEAST = 20, BESTDAG_SHIFT_MOST = 60 };
/* What costs so much does not exist. */
#define BESTDAG_PROOF_NEVER INT64_MAX

/* The multipliers of the part at hand. */
struct kernel_clusters {
    int64_t count, room, y_room, few_room, member_room;
    int64_t *start;   /* owns; [count + 1] */
    int32_t *member;  /* owns; -1 - v: v is in the block */
    int64_t *y;       /* owns; [count] */
    int32_t *few;     /* owns; [count]: so many miss it */
    bestdag_wide sum; /* of a y */
};

struct kernel_part {
    int64_t id;    /* no two parts have the same */
    int64_t least; /* the least X of its deletions */
    int64_t left;  /* members that no child has yet */
    bool is_split;
    bestdag_wide sum; /* what its children cost */
};

struct kernel_proof {
    struct bestdag_run *run;
    struct kernel_reader *words;
    struct kernel_lists *lists;
    /* [n * row_words]: who must come before v; NULL: nobody. Borrowed. */
    const uint64_t *before;
    size_t row_words;
    int64_t *home; /* owns; [n]: the innermost part that has had v */
    int64_t ids;
    struct kernel_part *part; /* owns; the open ones */
    int64_t depth, part_room;
    int32_t *member; /* owns; [n]: of the innermost part */
    int count;
    struct kernel_clusters clusters;
    int64_t *rest;  /* owns; [sets]: cost less multipliers, of its members */
    int64_t *stamp; /* owns; [n]: see clusters.c */
    int64_t stamps;
    /* what was found */
    int64_t claim, proved;
    int shift;
    int64_t parts, multipliers, deletions, tables, records, reached;
    bool refused;     /* it can be read, but does not prove what it says */
    char reason[512]; /* file:line: why */
};

/* Reads and checks a certificate, after bestdag_lists_rate(). BESTDAG_OK: it
 * could be read; see `refused`. If it is not refused, every choice of one set
 * for each variable that remained, without a cycle, costs `claim` at least by
 * lists->cost. Release it in any case. lists->remains ends up as deletions left
 * it. */
int bestdag_proof_check(struct kernel_proof *p, struct bestdag_source *from);
void bestdag_proof_release(struct kernel_proof *p);

/* ---- among the readers ----------------------------------------------------
 */

/* Records why it is refused; not 0, to be passed on. */
int bestdag_proof_refuse(struct kernel_proof *p, const char *format, ...)
    BESTDAG_PRINTF(2, 3);
/* A sum as a number that is used: what is too large to need is lowered. */
int bestdag_proof_narrow(struct kernel_proof *p, bestdag_wide x, int64_t *to);
/* Has somebody stopped the run? Then that is an error here. */
bool bestdag_proof_stopped(struct kernel_proof *p);

static inline bool bestdag_proof_precedes(const struct kernel_proof *p, int u,
                                          int v)
{
    return p->before &&
           p->before[(size_t)v * p->row_words + (size_t)u / 64] >> (u % 64) & 1;
}

/* The value of the part's multipliers over the sets that remain. *never: some
 * member has no set left. pi may be NULL, or has room for the members. */
bestdag_wide bestdag_clusters_value(struct kernel_proof *p, int64_t *pi,
                                    bool *never);
/* All multipliers of the part are 0 from now on. */
void bestdag_clusters_reset(struct kernel_proof *p);
/* After the word "multipliers". */
int bestdag_clusters_read(struct kernel_proof *p);
int bestdag_clusters_delete(struct kernel_proof *p); /* after "delete" */
/* Member i of all clusters one after the other, in a block or not. */
static inline int bestdag_clusters_member(const struct kernel_clusters *c,
                                          int64_t i)
{
    return c->member[i] < 0 ? -1 - c->member[i] : c->member[i];
}
void bestdag_clusters_release(struct kernel_clusters *c);

/* After the word "table", up to "done L". What the part costs at least goes
 * to *cost. */
int bestdag_prefixes_prove(struct kernel_proof *p, int64_t *cost);

#endif
