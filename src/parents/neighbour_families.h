/* SPDX-License-Identifier: MIT */
/* neighbour_families.h -- lists grow around a network: its families, and what
 * one step away from them is worth a place. */
#ifndef BESTDAG_PARENTS_NEIGHBOUR_FAMILIES_H
#define BESTDAG_PARENTS_NEIGHBOUR_FAMILIES_H

#include "constraints/deduction/compile.h"
#include "graph/dag.h"
#include "parents/sets.h"
#include "scores/scorer.h"

struct bestdag_neighbour_families {
    const struct bestdag_scorer *scorer;
    const struct bestdag_knowledge *knowledge; /* NULL: no rules */
    const struct bestdag_dag *dag;
    const struct bestdag_dag *before; /* variables with the same parents in this
                                         one were done; NULL: none was */
    int max_parents;                  /* -1: no limit */
    int64_t most_families; /* scored, beside the network's own; 0: no limit */
    int64_t families;      /* how many were: set by bestdag_sets_grow() */
};

/* Adds to the lists that are not complete, and says how many sets are new. The
 * families of the network are in any case; of the others as many as the run has
 * time for, or as are allowed. */
int bestdag_sets_grow(struct bestdag_run *run, struct bestdag_sets *sets,
                      struct bestdag_neighbour_families *around, int64_t *more);
/* Adds what `from` has; what it knows of sets that are not listed counts, too,
 * if it was made with the same limit of parents. */
int bestdag_sets_join(struct bestdag_run *run, struct bestdag_sets *sets,
                      const struct bestdag_sets *from, int64_t *more);

#endif
