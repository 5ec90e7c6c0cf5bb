/* SPDX-License-Identifier: MIT */
/* likely_parents.h -- for each variable the few others that are worth
 * considering as parents, because they score best as its only parent.
 *
 * A search that tries all n variables at every step does n times the work,
 * nearly all of it on variables unrelated to the child. The relation is
 * symmetric, so that arcs can be reversed. */
#ifndef BESTDAG_PARENTS_LIKELY_PARENTS_H
#define BESTDAG_PARENTS_LIKELY_PARENTS_H

#include "constraints/deduction/compile.h"
#include "scores/scorer.h"

struct bestdag_likely_parents {
    int n;
    int **at;   /* owns; [n], ascending each */
    int *count; /* owns; [n] */
    /* several times as many, which score next best: variables that are worth
     * considering only in addition to other parents are mostly among them */
    int **wide; /* owns; [n], ascending each */
    int *wides; /* owns; [n] */
};

/* Scores all pairs, on all threads; keeps `most` of each variable, made
 * symmetric. Parents that the rules forbid are left out; knowledge NULL: no
 * rules. If the run is stopped meanwhile, the lists come from the pairs scored
 * so far. NULL: error. */
struct bestdag_likely_parents *bestdag_likely_parents_new(
    struct bestdag_run *run, const struct bestdag_scorer *scorer,
    const struct bestdag_knowledge *knowledge, int most);
void bestdag_likely_parents_free(struct bestdag_likely_parents *likely);
/* The index of u in the list of v; -1: none. */
int bestdag_likely_parents_find(const struct bestdag_likely_parents *likely,
                                int v, int u);
/* Adds u to the list of v, and v to that of u. */
int bestdag_likely_parents_add(struct bestdag_run *run,
                               struct bestdag_likely_parents *likely, int v,
                               int u);
int64_t bestdag_likely_parents_total(
    const struct bestdag_likely_parents *likely);

#endif
