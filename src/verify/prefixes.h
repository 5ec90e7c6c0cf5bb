/* SPDX-License-Identifier: MIT */
/* prefixes.h -- a table of prefixes: the part's sets in its own numbering, what
 * the records say of each prefix, and bounds on what is still to pay. */
#ifndef BESTDAG_VERIFY_PREFIXES_H
#define BESTDAG_VERIFY_PREFIXES_H

#include "verify/proof.h"

/* What the records say of a prefix. */
struct bestdag_fate {
    int64_t pairs;    /* where its last b record begins; -1: it has none */
    int64_t forced;   /* where its f record begins; -1: it has none */
    int64_t link;     /* the last f record that leads here; see below */
    int64_t ahead;    /* what is left costs at least this, as known by now */
    bool is_expanded; /* by an x record */
    char stage;       /* see onward.c */
};

static inline struct bestdag_fate bestdag_fate_none(void)
{
    return (struct bestdag_fate){
        .pairs = -1, .forced = -1, .link = -1, .ahead = INT64_MIN};
}

/* Prefixes by their masks: open addressing. */
struct bestdag_hoard {
    size_t words;
    int64_t count, room; /* room: a power of two, or 0 */
    uint64_t *key;       /* owns; [room * words] */
    void *value;         /* owns; [room], of `size` bytes */
    char *used;          /* owns; [room] */
    size_t size;
};

/* The place of a key, made if it is not there (*fresh); NULL: no memory. */
void *bestdag_hoard_add(struct bestdag_run *run, struct bestdag_hoard *h,
                        const uint64_t *key, bool *fresh);
void *bestdag_hoard_find(const struct bestdag_hoard *h, const uint64_t *key);
void bestdag_hoard_release(struct bestdag_hoard *h);

/* The sets of one variable: cheapest first, no set with a cheaper subset. */
struct bestdag_choices {
    int count;
    int64_t *cost;  /* owns */
    uint64_t *mask; /* owns; [count * words] */
};

struct bestdag_prefixes {
    struct bestdag_proof *proof;
    int n; /* variables of the part */
    size_t words;
    struct bestdag_choices *choices; /* owns; [n] */
    /* the part's multipliers: sets by cost less all of them */
    struct bestdag_choices *reduced; /* owns; [n]; NULL: not made yet */
    uint64_t *part_mask;             /* owns; like `cluster` */
    int64_t *part_start;             /* owns; [n + 1] */
    int32_t *part_of;                /* owns; clusters with variable i */
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
    struct bestdag_hoard fates;
    /* see onward.c */
    struct bestdag_question *question; /* owns */
    uint64_t *asked;                   /* owns; masks of their prefixes */
    int64_t questions, question_room, asked_room;
    uint64_t *back; /* owns; scratch */
};

/* choices.c: from the lists, for the innermost part. */
int bestdag_prefixes_start(struct bestdag_prefixes *t,
                           struct bestdag_proof *proof);
void bestdag_prefixes_release(struct bestdag_prefixes *t);
/* Numbers inside the part, of all variables; the caller frees. */
int32_t *bestdag_prefixes_number(struct bestdag_proof *p);

/* worth.c */
/* The least cost of a set of i within the prefix; NEVER: none is. */
int64_t bestdag_prefixes_best(const struct bestdag_prefixes *t, int i,
                              const uint64_t *prefix);
/* What at least all others cost: by the multipliers at hand, of those clusters
 * that do not meet the prefix, ... */
int bestdag_prefixes_bound(struct bestdag_prefixes *t, const uint64_t *prefix,
                           int64_t *bound);
/* ... by those of the part's multipliers that do not. INT64_MIN: no bound. */
int bestdag_prefixes_inherit(struct bestdag_prefixes *t, const uint64_t *prefix,
                             int64_t *bound);

/* After bestdag_prefixes_bound(): which of the first `count` sets of i are, by
 * the same multipliers, `enough` above the least? */
void bestdag_prefixes_price(struct bestdag_prefixes *t, int i, int count,
                            bestdag_wide enough, char *dear);

/* onward.c: do all others cost `need` at least, by whatever the table says?
 * last: the variable that was placed last, or -1. */
int bestdag_prefixes_ahead(struct bestdag_prefixes *t, const uint64_t *prefix,
                           int last, bestdag_wide need, bool *enough);

/* records.c: up to "done L". */
int bestdag_records_read(struct bestdag_prefixes *t, int64_t *cost);
/* The b record that begins at *at becomes the one at hand, and *at is where the
 * one before it begins. */
int bestdag_records_take(struct bestdag_prefixes *t, const uint64_t *prefix,
                         int64_t *at);
/* Of the f record that begins at *at the next variable, plus one; 0: no more.
 */
int64_t bestdag_records_number(const struct bestdag_prefixes *t, int64_t *at);
/* "1f", for messages. */
const char *bestdag_records_show(const uint64_t *mask, size_t words,
                                 char to[80]);

#endif
