/* SPDX-License-Identifier: MIT */
/* prefixes.h -- a table of prefixes: the part's sets in its own numbering, what
 * the records say of each prefix, and bounds on what is still to pay. */
#ifndef BESTDAG_VERIFY_PREFIXES_H
#define BESTDAG_VERIFY_PREFIXES_H

#include "verify/kernel/certificate.h"

/* What the records say of a prefix. */
struct kernel_prefix {
    int64_t pairs;    /* where its last b record begins; -1: it has none */
    int64_t forced;   /* where its f record begins; -1: it has none */
    int64_t link;     /* the last f record that leads here; see below */
    int64_t ahead;    /* what is left costs at least this, as known by now */
    bool is_expanded; /* by an x record */
    char stage;       /* see onward.c */
};

static inline struct kernel_prefix bestdag_fate_none(void)
{
    return (struct kernel_prefix){
        .pairs = -1, .forced = -1, .link = -1, .ahead = INT64_MIN};
}

/* Prefixes by their masks: open addressing. */
struct kernel_prefix_table {
    size_t words;
    int64_t count, room; /* room: a power of two, or 0 */
    uint64_t *key;       /* owns; [room * words] */
    void *value;         /* owns; [room], of `size` bytes */
    char *used;          /* owns; [room] */
    size_t size;
};

/* The place of a key, made if it is not there (*fresh); NULL: no memory. */
void *bestdag_prefix_table_add(struct bestdag_run *run,
                               struct kernel_prefix_table *h,
                               const uint64_t *key, bool *fresh);
void *bestdag_prefix_table_find(const struct kernel_prefix_table *h,
                                const uint64_t *key);
void bestdag_prefix_table_release(struct kernel_prefix_table *h);

/* The sets of one variable: cheapest first, no set with a cheaper subset. */
struct kernel_candidates {
    int count;
    int64_t *cost;  /* owns */
    uint64_t *mask; /* owns; [count * words] */
};

struct kernel_table {
    struct kernel_proof *proof;
    int n; /* variables of the part */
    size_t words;
    struct kernel_candidates *choices; /* owns; [n] */
    /* the part's multipliers: sets by cost less all of them */
    struct kernel_candidates *reduced; /* owns; [n]; NULL: not made yet */
    uint64_t *part_mask;               /* owns; like `cluster` */
    int64_t *part_start;               /* owns; [n + 1] */
    int32_t *part_of;                  /* owns; clusters with variable i */
    /* the clusters of the table */
    uint64_t *cluster; /* owns; two masks each: members, block */
    int32_t *few;      /* owns; their numbers a */
    int64_t clusters, cluster_room, few_room;
    /* b records: where the one before of the same prefix begins, how many
     * pairs, the pairs; f records: variables, each plus one, then 0; in bytes
     * of 7 bits, the last of a number below 128 */
    unsigned char *pairs; /* owns */
    int64_t pair_bytes, pair_room;
    /* f records of several variables: where they begin, and the one before
     * that leads to the same prefix; -1: none */
    uint64_t *link_from; /* owns */
    int64_t *link_next;  /* owns */
    int64_t links, from_room, next_room;
    /* the record at hand */
    int64_t *id, *y; /* own */
    int64_t count, room;
    /* clusters with the variable at hand */
    uint64_t *near;     /* owns; two masks: outside the block, the block */
    int64_t *near_y;    /* owns */
    int32_t *near_few;  /* owns */
    int32_t *near_step; /* owns; what it counts to meet the block */
    int64_t near_room;
    char *dear; /* owns; sets that are too dear */
    int64_t dear_room;
    struct kernel_prefix_table fates;
    /* see onward.c */
    struct kernel_question *question; /* owns */
    uint64_t *asked;                  /* owns; masks of their prefixes */
    int64_t questions, question_room, asked_room;
    uint64_t *back; /* owns; scratch */
};

/* choices.c: from the lists, for the innermost part. */
int bestdag_prefixes_start(struct kernel_table *t, struct kernel_proof *proof);
void bestdag_prefixes_release(struct kernel_table *t);
/* Numbers inside the part, of all variables; the caller frees. */
int32_t *bestdag_prefixes_number(struct kernel_proof *p);

/* worth.c */
/* The least cost of a set of i within the prefix; NEVER: none is. */
int64_t bestdag_prefixes_best(const struct kernel_table *t, int i,
                              const uint64_t *prefix);
/* What at least all others cost: by the multipliers at hand, of those clusters
 * that do not meet the prefix, ... */
int bestdag_prefixes_bound(struct kernel_table *t, const uint64_t *prefix,
                           int64_t *bound);
/* ... by those of the part's multipliers that do not. INT64_MIN: no bound. */
int bestdag_prefixes_inherit(struct kernel_table *t, const uint64_t *prefix,
                             int64_t *bound);

/* After bestdag_prefixes_bound(): which of the first `count` sets of i are, by
 * the same multipliers, `enough` above the least? */
void bestdag_prefixes_price(struct kernel_table *t, int i, int count,
                            bestdag_wide enough, char *dear);

/* onward.c: do all others cost `need` at least, by whatever the table says?
 * last: the variable that was placed last, or -1. */
int bestdag_prefixes_ahead(struct kernel_table *t, const uint64_t *prefix,
                           int last, bestdag_wide need, bool *enough);

/* records.c: up to "done L". */
int bestdag_records_read(struct kernel_table *t, int64_t *cost);
/* The b record that begins at *at becomes the one at hand, and *at is where the
 * one before it begins. */
int bestdag_records_take(struct kernel_table *t, const uint64_t *prefix,
                         int64_t *at);
/* Of the f record that begins at *at the next variable, plus one; 0: no more.
 */
int64_t bestdag_records_number(const struct kernel_table *t, int64_t *at);
/* "1f", for messages. */
const char *bestdag_records_show(const uint64_t *mask, size_t words,
                                 char to[80]);

#endif
