/* SPDX-License-Identifier: MIT */
/* expected_moments.h -- bic-g, aic-g and ll-g on the moments that a network
 * expects. */
#ifndef BESTDAG_LEARN_EXPECTED_MOMENTS_H
#define BESTDAG_LEARN_EXPECTED_MOMENTS_H

#include "models/holes/gaussian_em.h"
#include "scores/score.h"

/* A row for bestdag_scorer_of(), of the table with holes at their means. */
struct bestdag_expected_moments {
    struct bestdag_score_type type; /* first: scorers point to it */
    double weight;                  /* of a parameter */
    double *spread; /* owns; triangle: sums of covariances of holes */
    int *exponent;  /* owns; [n]: in units of 2^exponent */
};

/* What a parameter costs by a score of numbers; -1: it is none of these. */
double bestdag_expected_moments_weight(const struct bestdag_score_type *like,
                                       double rows);
/* By the last expectations. Release in any case. */
int bestdag_expected_moments_init(struct bestdag_run *run,
                                  const struct bestdag_score_type *like,
                                  const struct bestdag_gaussian_em *em,
                                  struct bestdag_expected_moments *to);
void bestdag_expected_moments_release(struct bestdag_expected_moments *m);

#endif
