/* SPDX-License-Identifier: MIT */
/* table_proof.h -- the "table" step of a certificate, dynamic programming over
 * prefixes of the order: the part's candidates in its own numbering, what the
 * records say of each prefix, and bounds on the remaining cost.
 *
 * Variables are numbered in the order of the `part` line. */
#ifndef BESTDAG_VERIFY_TABLE_PROOF_H
#define BESTDAG_VERIFY_TABLE_PROOF_H

#include "base/row_table.h"
#include "verify/kernel/certificate.h"

/* What the records say of a prefix. b, f and link: where its last record
 * begins in `bytes`; -1: it has none. */
struct kernel_prefix {
    int64_t b;        /* multipliers */
    int64_t f;        /* variables that follow */
    int64_t link;     /* an f record of several variables leads here */
    int64_t ahead;    /* the remaining cost is at least this, as known by now */
    bool is_expanded; /* by an x record */
    char stage;       /* see table_heuristic.c */
};

#define KERNEL_PREFIX_NONE                                                     \
    ((struct kernel_prefix){.b = -1, .f = -1, .link = -1, .ahead = INT64_MIN})

/* Candidate sets of one variable as masks over the part, cheapest first. */
struct kernel_candidates {
    int count;
    int64_t *cost;  /* owns */
    uint64_t *mask; /* owns; [count * words] */
};

struct kernel_pair {
    int64_t y, id; /* a multiplier and its cluster */
};

struct kernel_ranked {
    int64_t cost, set;
};

struct kernel_table {
    struct kernel_proof *proof;
    int n; /* variables of the part */
    size_t words;
    /* by cost; a set with a subset that costs no more may be left out */
    struct kernel_candidates *candidates; /* owns; [n] */
    /* borrowed, of the proof: those of the part, then of the table */
    const struct kernel_clusters *clusters;
    int64_t part_clusters;
    /* Records as numbers of 7 bits per byte, the last byte below 128.
     * b: where the one before of the same prefix begins, plus one; how many
     * pairs; the pairs. f: variables, each plus one; 0.
     * link: where the one before begins, plus one; the mask it comes from. */
    unsigned char *bytes; /* owns */
    int64_t byte_count, byte_room;
    int64_t part_b; /* a b record of the part's multipliers */
    struct bestdag_row_table prefixes; /* of struct kernel_prefix */
    /* table_layers.c */
    int64_t goal;                    /* L */
    struct bestdag_row_table *layer; /* owns; [n + 1] */
    /* scratch: the b record at hand; clusters with the variable at hand, and
     * the sum of their y; sets to sort; which sets are too expensive */
    struct kernel_pair *pair;     /* owns */
    struct kernel_view *near;     /* owns */
    uint64_t *near_mask;          /* owns */
    struct kernel_ranked *ranked; /* owns */
    char *expensive;              /* owns */
    int64_t pairs, single, several, all_y;
    int64_t pair_room, near_room, near_mask_room, ranked_room, expensive_room;
    uint64_t *back, *grown; /* own; masks */
    /* table_heuristic.c */
    struct kernel_question *question; /* owns */
    uint64_t *asked;                  /* owns; masks of their prefixes */
    int64_t questions, question_room, asked_room;
};

/* table_bound.c: candidates of the innermost part; release in any case. */
bool bestdag_table_start(struct kernel_table *t, struct kernel_proof *proof);
void bestdag_table_release(struct kernel_table *t);
/* The least cost of a set of v within the prefix; NEVER: none is. *cheaper, if
 * not NULL: how many of the first candidates cost less. */
int64_t bestdag_table_best(const struct kernel_table *t, int v,
                           const uint64_t *prefix, int *cheaper);
/* What all variables outside the prefix cost at least by the multipliers at
 * hand, of clusters that do not meet the prefix; false: no memory. INT64_MIN:
 * no bound. */
bool bestdag_table_bound(struct kernel_table *t, const uint64_t *prefix,
                         int64_t *bound);
/* After it: marks which of the first `count` sets of v are, by the same
 * multipliers, at least `enough` above the least. */
void bestdag_table_price(struct kernel_table *t, int v, int count,
                         kernel_wide enough, char *expensive);
/* table_heuristic.c: is the remaining cost after the prefix `need` at least, by
 * whatever the table says? last: the variable placed last, or -1. */
bool bestdag_table_remaining(struct kernel_table *t, const uint64_t *prefix,
                             int last, kernel_wide need, bool *enough);

/* table_records.c: up to "done L". */
bool bestdag_records_read(struct kernel_table *t);
/* The b record of the prefix (NULL: of the part) that begins at *at becomes the
 * one at hand; *at is where the one before it begins. */
bool bestdag_records_take(struct kernel_table *t, const uint64_t *prefix,
                          int64_t *at);
/* The number at *at, which steps on. */
uint64_t bestdag_number_at(const struct kernel_table *t, int64_t *at);
/* table_layers.c: "1f", for messages; of several words the first. */
const char *bestdag_prefix_text(const struct kernel_table *t,
                                const uint64_t *mask, char to[32]);

#endif
