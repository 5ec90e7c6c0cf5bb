/* SPDX-License-Identifier: MIT */
/* sequential.h -- all parent sets by size, as far as pruning allows. */
#ifndef BESTDAG_PARENTS_EXHAUSTIVE_SEQUENTIAL_H
#define BESTDAG_PARENTS_EXHAUSTIVE_SEQUENTIAL_H

#include "parents/sets.h"
#include "scores/scorer.h"

struct bestdag_sequential_request {
    int max_parents; /* -1: no limit */
    bool prune;      /* false: keep every set */
    /* For each child a row of n bits (base/row.h), one after the other: its
     * possible parents. NULL: all. */
    const uint64_t *universe;
    bool wide; /* the universe excludes few: count for all children together */
    /* Most parents of each child; -1: max_parents, -2: its list is finished and
     * stays as it is. NULL: -1 for all. */
    const int *limit;
    /* [n]: gets the trace (parents/trace.h) of each child, freed by the caller;
     * children are then processed one by one. NULL: no trace. */
    char **trace;
    double seconds; /* per traced child; 0: no limit */
};

/* Fills to->list (whose n is the scorer's) and adds to to->scored. Columns with
 * one state are never parents. If stopped early, it keeps what it has and sets
 * ceilings. Fails with BESTDAG_USAGE if it would never end, with BESTDAG_MEMORY
 * if it cannot fit. */
int bestdag_sequential(struct bestdag_run *run,
                       const struct bestdag_scorer *scorer,
                       const struct bestdag_sequential_request *job,
                       struct bestdag_sets *to);

#endif
