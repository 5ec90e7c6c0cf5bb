/* SPDX-License-Identifier: MIT */
/* leaps.h -- all parent sets of a number that may be better than their subsets:
 * see leaps.c. */
#ifndef BESTDAG_SCORES_LEAPS_H
#define BESTDAG_SCORES_LEAPS_H

#include "scores/gaussian_score.h"

/* The `list` of Gaussian scores: bic-g and aic-g with ceilings, bge with
 * spreads. */
int bestdag_gaussian_score_list(const struct bestdag_scorer *scorer,
                                void *scratch,
                                const struct bestdag_family_search *search);

#endif
