/* SPDX-License-Identifier: MIT */
/* expected_moments.h -- bic-g, aic-g and ll-g on the moments that a network
 * expects. */
#ifndef BESTDAG_LEARN_EXPECTED_MOMENTS_H
#define BESTDAG_LEARN_EXPECTED_MOMENTS_H

#include "models/holes/gaussian_em.h"
#include "scores/score.h"

/* A score type for bestdag_scorer_of(), for the table with missing values at
 * their means. */
struct bestdag_expected_moments {
    struct bestdag_score_type type; /* first: scorers point to it */
    double weight;                  /* of a parameter */
    double *spread; /* owns; triangle: sums of covariances of missing values */
    int *exponent;  /* owns; [n]: spread is in units of 2^exponent */
};

/* The penalty of one parameter; -1: not a score of numbers with an expected
 * form. */
double bestdag_expected_moments_weight(const struct bestdag_score_type *like,
                                       double rows);
/* From the last expectations of `em`. Release `to` also after an error. */
int bestdag_expected_moments_init(struct bestdag_run *run,
                                  const struct bestdag_score_type *like,
                                  const struct bestdag_gaussian_em *em,
                                  struct bestdag_expected_moments *to);
void bestdag_expected_moments_release(struct bestdag_expected_moments *m);

#endif
