/* SPDX-License-Identifier: MIT */
/* pruning.h -- rules that exclude a parent set and all its supersets.
 *
 * All numbers are in units. `best` is the best score of a proper subset of P; a
 * subset that scores as well is always preferred.
 *
 *   penalty  (bic, aic) LL <= 0, so P and its supersets score at most
 *            -penalty(P): nothing to gain if penalty(P) + best >= 0. De Campos,
 *            Zeng and Ji 2009, Lemma 2 with the weight it lacks in print.
 *   entropy  (bic, aic) P = R + Y gains over R, and with any Z on top over
 *            R + Z, at most N min{H(X|R), H(Y|R)}, and pays at least what Y
 *            costs on top of R. The first half is the general form of Theorem 1
 *            of the same paper; de Campos, Scanagatta, Corani, Zaffalon 2018.
 *   urn      (bdeu, k2) in an urn of equal pseudo-counts the first occurrence
 *            of a state in a configuration has probability <= 1 / r: P and its
 *            supersets score at most -K ln r, K the cells of X + P that occur.
 *
 * The structure prior only lowers the scores of supersets. For scores with
 * `families`, LL, H and joint are as scores/score.h defines them, and the
 * penalty may grow by the same amount for every parent (`additive`); the rules
 * are the same.
 *
 * These rules apply to supersets of P at least as strongly: with another parent
 * of s states, penalties and costs are at least s times as large, and entropies
 * no larger. A scored set is barren if they exclude its proper supersets for
 * the least possible s: then it may be kept, but is not extended. */
#ifndef BESTDAG_PARENTS_PRUNING_H
#define BESTDAG_PARENTS_PRUNING_H

#include <math.h>

#include "scores/score.h"

/* A "best" that no score beats: such sets are dead, and so are all their
 * supersets. */
#define BESTDAG_DEAD (INT64_MAX / 2)

struct bestdag_pruner {
    const struct bestdag_scorer *scorer;
    enum bestdag_pruning kind; /* DOMINATED also if pruning is off */
};

static inline bool bestdag_prune_by_penalty(int64_t penalty, int64_t best)
{
    return penalty + best >= 0;
}

/* A lower bound on the cost of Y on top of R, for child X; rounded down, to be
 * safe. */
static inline int64_t bestdag_cost_on_top(const struct bestdag_scorer *s,
                                          int x_states, int y_states,
                                          double r_joint_states)
{
    double parameters =
        s->additive ? 1 : (x_states - 1.0) * (y_states - 1.0) * r_joint_states;
    double cost = (s->weight * parameters + s->arc_cost) * s->scale;
    return cost < (double)BESTDAG_UNITS_MOST ? (int64_t)cost
                                             : BESTDAG_UNITS_MOST;
}

/* The arguments are joint(.) of R, R + X and R + Y. */
static inline bool bestdag_prune_by_entropy(int64_t r, int64_t rx, int64_t ry,
                                            int64_t cost)
{
    return r - (rx > ry ? rx : ry) <= cost;
}

/* An upper bound on the scores of P and its supersets; rounded up. */
static inline int64_t bestdag_urn_bound(const struct bestdag_scorer *s,
                                        int child, int parents, int64_t cells)
{
    double bound =
        (double)cells * log(s->states[child]) + s->arc_cost * parents;
    bound *= s->scale;
    return bound < (double)BESTDAG_UNITS_MOST ? -(int64_t)bound
                                              : -BESTDAG_UNITS_MOST;
}

#endif
