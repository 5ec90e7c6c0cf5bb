/* SPDX-License-Identifier: MIT */
/* pairwise.h -- the families of a child with one parent, for all parents at
 * once.
 *
 * Identical to the results of bestdag_scorer_family(), bit for bit (except that
 * constraints on parameters are ignored), in a small part of its time: the
 * joint table of a pair is counted from the side of the child, whose counts
 * stay the same, and the sums over a parent's own states are cached. */
#ifndef BESTDAG_SCORES_PAIRWISE_H
#define BESTDAG_SCORES_PAIRWISE_H

#include "scores/scorer.h"

/* Data of one thread; scorer and scratch are borrowed. */
struct bestdag_pairwise;
struct bestdag_pairwise *bestdag_pairwise_new(
    struct bestdag_run *run, const struct bestdag_scorer *scorer,
    struct bestdag_scorer_scratch *scratch);
void bestdag_pairwise_free(struct bestdag_pairwise *pairwise);

/* The families of `child` with each other variable as its parent, [n]; valid
 * until the next call. `configurations` is -1 for those that were not reached
 * before the run was stopped. NULL: out of memory. */
const struct bestdag_family *bestdag_pairwise_score(
    struct bestdag_pairwise *pairwise, int child);
/* The same for parents whose place (columns.h) is after the child's: called for
 * every child, it gives all pairs once. */
const struct bestdag_family *bestdag_pairwise_score_after(
    struct bestdag_pairwise *pairwise, int child);
/* The same for some parents only; the others are undefined. */
const struct bestdag_family *bestdag_pairwise_score_some(
    struct bestdag_pairwise *pairwise, int child, const int *parents,
    int count);

#endif
