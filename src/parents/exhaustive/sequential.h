/* SPDX-License-Identifier: MIT */
/* sequential.h -- all parent sets by size, as far as pruning lets them. */
#ifndef BESTDAG_PARENTS_EXHAUSTIVE_SEQUENTIAL_H
#define BESTDAG_PARENTS_EXHAUSTIVE_SEQUENTIAL_H

#include "parents/sets.h"
#include "scores/scorer.h"

struct bestdag_sequential_request {
    int max_parents; /* -1: no limit */
    bool prune;      /* false: keep every set */
    /* For each child a row of n bits (base/row.h), one after the other: what
     * may be its parent. NULL: all. */
    const uint64_t *universe;
    bool wide; /* the universe leaves out but few: count for all children */
    /* Parents of each child at most: -1: as above, -2: its list is finished
     * already and stays as it is. NULL: -1 for all. */
    const int *limit;
    /* [n]: gets the trace (parents/trace.h) of each child, which the caller
     * frees; one child after the other is taken then. NULL: none is wanted. */
    char **trace;
    double seconds; /* of a child that is traced; 0: no limit */
};

/* Fills to->list (whose n is the scorer's) and adds to to->scored. Columns with
 * one state are never parents. Stopped early it keeps what it has and sets
 * ceilings. Fails with BESTDAG_USAGE what would never end, with
 * BESTDAG_MEMORY what cannot fit. */
int bestdag_sequential(struct bestdag_run *run,
                       const struct bestdag_scorer *scorer,
                       const struct bestdag_sequential_request *job,
                       struct bestdag_sets *to);

#endif
