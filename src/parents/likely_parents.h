/* SPDX-License-Identifier: MIT */
/* likely_parents.h -- for each variable the few others that are worth a look as
 * its parents, because they score best as its only parent.
 *
 * With n variables a search that tries each of them at every step does n times
 * the work; nearly all of it on variables that have nothing to do with the
 * child. Whoever is a likely parent of another has that one among its own, so
 * that an arc can be turned. */
#ifndef BESTDAG_PARENTS_LIKELY_PARENTS_H
#define BESTDAG_PARENTS_LIKELY_PARENTS_H

#include "constraints/deduction/compile.h"
#include "scores/scorer.h"

struct bestdag_likely_parents {
    int n;
    int **at;   /* owns; [n], ascending each */
    int *count; /* owns; [n] */
    /* several times as many, which score next best: who is worth a look beside
     * other parents only is mostly among them */
    int **wide; /* owns; [n], ascending each */
    int *wides; /* owns; [n] */
};

/* Scores all pairs, on all threads; `most` of each variable, and those whose it
 * is one. Those that the rules forbid are left out; knowledge NULL: there are
 * none. Of a run that is stopped meanwhile they are what was scored by then.
 * NULL: failed. */
struct bestdag_likely_parents *bestdag_likely_parents_new(
    struct bestdag_run *run, const struct bestdag_scorer *scorer,
    const struct bestdag_knowledge *knowledge, int most);
void bestdag_likely_parents_free(struct bestdag_likely_parents *likely);
/* Where u is among those of v; -1: it is not. */
int bestdag_likely_parents_find(const struct bestdag_likely_parents *likely,
                                int v, int u);
/* One more for v, and for u. */
int bestdag_likely_parents_add(struct bestdag_run *run,
                               struct bestdag_likely_parents *likely, int v,
                               int u);
int64_t bestdag_likely_parents_total(
    const struct bestdag_likely_parents *likely);

#endif
