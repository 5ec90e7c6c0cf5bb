/* SPDX-License-Identifier: MIT */
/* tally.h -- counts of a set of variables, by adding one at a time.
 *
 * A tally has a path of variables. At each step it knows the group (joint state
 * that occurs) of the variables so far that each row belongs to. A new path
 * keeps the common beginning, so similar sets share work; counting one more
 * variable does not change the path. Each thread has its own tally.
 *
 * Three kernels give the same counts; the cheapest is used:
 *   bits    every group is a vector of bits; AND and population count
 *   dense   one pass over the rows into an array of groups x states
 *   groups  rows in order of their group; for when cells outnumber rows */
#ifndef BESTDAG_COUNTS_TALLY_H
#define BESTDAG_COUNTS_TALLY_H

#include "counts/columns.h"
#include "counts/score_terms.h"

struct bestdag_tally;

enum bestdag_kernel {
    BESTDAG_KERNEL_AUTO,
    BESTDAG_KERNEL_BITS,
    BESTDAG_KERNEL_DENSE,
    BESTDAG_KERNEL_GROUPS
};

struct bestdag_cell {
    int64_t group; /* of the path */
    int state;     /* of the variable that was counted */
    int64_t count; /* > 0 */
    int64_t row;   /* one of its rows */
};

struct bestdag_tally *bestdag_tally_new(struct bestdag_run *run,
                                        const struct bestdag_columns *columns);
void bestdag_tally_free(struct bestdag_tally *tally);
/* For tests: uses this kernel wherever possible. */
void bestdag_tally_force(struct bestdag_tally *tally, enum bestdag_kernel k);

/* Sets the path to these variables, in this order. Not OK: out of memory. */
int bestdag_tally_path(struct bestdag_tally *tally, const int *variables,
                       int count);
int64_t bestdag_tally_groups(const struct bestdag_tally *tally);
/* The weight of each group; valid until the path changes. */
const int64_t *bestdag_tally_weights(const struct bestdag_tally *tally);
/* Sums the terms over the cells of path + variable; sums[f] is that of
 * terms[f], f < count <= 2. *cells: number of cells that occur. */
int bestdag_tally_sum(struct bestdag_tally *tally, int variable,
                      const struct bestdag_score_terms *const *terms, int count,
                      int64_t *sums, int64_t *cells);
/* The cells themselves, in any order; valid until the next call. */
int bestdag_tally_cells(struct bestdag_tally *tally, int variable,
                        const struct bestdag_cell **cells, int64_t *count);

/* Announce requests, so that rows that are spread over ranks are counted for
 * many sets at a time; with local rows these do nothing. */

/* Sums or cells of the path with each of these variables. */
int bestdag_tally_ahead(struct bestdag_tally *tally, const int *variables,
                        int count);
/* Families of a child: `parents` followed by one of `last`. Nothing is counted
 * if the family with the first of `last` is known. */
struct bestdag_parents_ahead {
    int child;
    const int *parents;
    int count;
    const int *last;
    int lasts;
    bool is_guess; /* only the first will surely be requested: others are
                      counted only if they take less than a message */
};
int bestdag_tally_ahead_of(struct bestdag_tally *tally,
                           const struct bestdag_parents_ahead *ahead);
static inline bool bestdag_columns_are_sharded(const struct bestdag_columns *c)
{
    return c->table->shards != NULL;
}

#endif
