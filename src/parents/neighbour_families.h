/* SPDX-License-Identifier: MIT */
/* neighbour_families.h -- extends candidate lists around a network: by its
 * families, and good ones one step away from them. */
#ifndef BESTDAG_PARENTS_NEIGHBOUR_FAMILIES_H
#define BESTDAG_PARENTS_NEIGHBOUR_FAMILIES_H

#include "constraints/deduction/compile.h"
#include "graph/dag.h"
#include "parents/likely_parents.h"
#include "parents/sets.h"
#include "scores/scorer.h"

/* What is added: likely parents; children, for reversals; to the network's
 * families the next best parents; or all others. */
enum bestdag_reach {
    BESTDAG_NEAR,
    BESTDAG_REVERSED,
    BESTDAG_WIDE,
    BESTDAG_FAR,
    BESTDAG_REACHES
};

/* The parents for which each variable was processed. */
struct bestdag_grown {
    int n;
    /* own; [n]: a hash of its parents; 0: never */
    uint64_t *done[BESTDAG_REACHES];
    int next[BESTDAG_REACHES]; /* variable that comes next */
};
struct bestdag_grown *bestdag_grown_new(struct bestdag_run *run, int n);
void bestdag_grown_free(struct bestdag_grown *grown);

struct bestdag_neighbour_families {
    const struct bestdag_scorer *scorer;
    const struct bestdag_knowledge *knowledge; /* NULL: no rules */
    const struct bestdag_dag *dag;
    struct bestdag_grown *grown; /* what was processed before; NULL: nothing */
    /* Only these are added, then others that prove good, which become likely
     * parents. NULL: all are likely. */
    struct bestdag_likely_parents *likely;
    int max_parents;       /* -1: no limit */
    int64_t most_families; /* to score, besides the network's own; 0: no
                              limit */
    int64_t families;      /* number scored: set by bestdag_sets_grow() */
};

/* Adds sets to the lists that are not complete; *more: new sets. The families
 * of the network are always added; of the others, as many as time and
 * most_families allow. */
int bestdag_sets_grow(struct bestdag_run *run, struct bestdag_sets *sets,
                      struct bestdag_neighbour_families *around, int64_t *more);

#endif
