/* SPDX-License-Identifier: MIT */
/* neighbour_scores.h -- the scores of a family's neighbours: each other
 * variable in turn is added to the parents, or dropped if it is one.
 *
 * Hill climbing needs them after every move. For all u together the rows are
 * sorted into the joint states of P and of P + child once; each u then costs
 * two counts,
 *
 *     local(X | P + u) = factor * (top(P + X + u) - bottom(P + u)) - penalty
 *
 * and the second is shared by all children with the same parents. Scores are
 * those of bestdag_scorer_family() with ascending parents, to the unit. */
#ifndef BESTDAG_SCORES_NEIGHBOUR_SCORES_H
#define BESTDAG_SCORES_NEIGHBOUR_SCORES_H

#include "scores/scorer.h"

struct bestdag_neighbours {
    int child;
    const int *parents; /* ascending */
    int count;
    bool adds;         /* else parents are only dropped */
    int from, to;      /* variables to toggle: from .. to - 1 */
    const bool *among; /* [n]: only these may be added; NULL: all. The scores of
                          the others do not change */
    int64_t *score; /* [n]: scores for the range; BESTDAG_NO_FAMILY: not scored.
                       At the child: of the family itself */
};

#define BESTDAG_NO_FAMILY INT64_MIN

/* Families that are worse than any without parents are not scored: their
 * penalty is at least this, or their score at most -2 times this (which then
 * stands for the family itself). So the sum over a network stays below 2^62. */
int64_t bestdag_neighbour_scores_limit(const struct bestdag_scorer *scorer);

/* The set without u if it contains u, else with it, in to[count + 1]; all
 * ascend. Returns its size. */
int bestdag_neighbour_score(const int *set, int count, int u, int *to);

/* Scratch of one thread. */
struct bestdag_neighbour_scores;
struct bestdag_neighbour_scores *bestdag_neighbour_scores_new(
    struct bestdag_run *run, const struct bestdag_scorer *scorer);
void bestdag_neighbour_scores_free(struct bestdag_neighbour_scores *toggle);
/* Not OK: out of memory. */
int bestdag_neighbour_scores_scores(struct bestdag_neighbour_scores *toggle,
                                    const struct bestdag_neighbours *ask);

#endif
