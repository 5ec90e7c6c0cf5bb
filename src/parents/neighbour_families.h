/* SPDX-License-Identifier: MIT */
/* neighbour_families.h -- lists grow around a network: its families, and what
 * one step away from them is worth a place. */
#ifndef BESTDAG_PARENTS_NEIGHBOUR_FAMILIES_H
#define BESTDAG_PARENTS_NEIGHBOUR_FAMILIES_H

#include "constraints/deduction/compile.h"
#include "graph/dag.h"
#include "parents/likely_parents.h"
#include "parents/sets.h"
#include "scores/scorer.h"

/* What is added: likely parents; what a child as a parent needs; of the
 * network's families those that come next; all others. */
enum bestdag_reach {
    BESTDAG_NEAR,
    BESTDAG_REVERSED,
    BESTDAG_WIDE,
    BESTDAG_FAR,
    BESTDAG_REACHES
};

/* Around which parents each variable was done. */
struct bestdag_grown {
    int n;
    /* own; [n]: a number of its parents; 0: never */
    uint64_t *done[BESTDAG_REACHES];
    int next[BESTDAG_REACHES]; /* to have its turn */
};
struct bestdag_grown *bestdag_grown_new(struct bestdag_run *run, int n);
void bestdag_grown_free(struct bestdag_grown *grown);

struct bestdag_neighbour_families {
    const struct bestdag_scorer *scorer;
    const struct bestdag_knowledge *knowledge; /* NULL: no rules */
    const struct bestdag_dag *dag;
    struct bestdag_grown *grown; /* what was done before; NULL: nothing */
    /* Only these are added, and then others that prove worth it, which are
     * likely from then on. NULL: all are. */
    struct bestdag_likely_parents *likely;
    int max_parents;       /* -1: no limit */
    int64_t most_families; /* scored, beside the network's own; 0: no limit */
    int64_t families;      /* how many were: set by bestdag_sets_grow() */
};

/* Adds to the lists that are not complete, and says how many sets are new. The
 * families of the network are in any case; of the others as many as the run has
 * time for, or as are allowed. */
int bestdag_sets_grow(struct bestdag_run *run, struct bestdag_sets *sets,
                      struct bestdag_neighbour_families *around, int64_t *more);

#endif
