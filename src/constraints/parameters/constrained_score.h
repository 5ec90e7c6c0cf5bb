/* SPDX-License-Identifier: MIT */
/* constrained_score.h -- scores under rules about parameters.
 *
 * The local score of a child with such rules has the constrained maximum of the
 * likelihood in place of the unconstrained one,
 *
 *     local(X | P) = max LL(theta) - penalty(X, P),    theta obeys the rules,
 *
 * for ll, aic and bic. A parent set that lacks a parent that a rule names, or
 * whose parameters no theta satisfies, is no family. */
#ifndef BESTDAG_CONSTRAINTS_PARAMETERS_CONSTRAINED_SCORE_H
#define BESTDAG_CONSTRAINTS_PARAMETERS_CONSTRAINED_SCORE_H

#include "constraints/parameters/parameters.h"
#include "scores/scorer.h"

/* Gives the scorer the rules about parameters; NULL or none: it stays as it is.
 * rules must outlive the scorer. Scratches are made after this. */
int bestdag_scorer_constrain(struct bestdag_run *run,
                             struct bestdag_scorer *scorer,
                             const struct bestdag_rules *rules);
/* The rules of a scorer; NULL: none. */
const struct bestdag_parameters *bestdag_scorer_parameters(
    const struct bestdag_scorer *scorer);

#endif
