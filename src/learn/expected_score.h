/* SPDX-License-Identifier: MIT */
/* expected_score.h -- bic, aic and ll on the counts that a network expects. */
#ifndef BESTDAG_LEARN_EXPECTED_SCORE_H
#define BESTDAG_LEARN_EXPECTED_SCORE_H

#include "models/holes/completed_table.h"
#include "scores/score.h"

/* A score type for bestdag_scorer_of(); it needs the completion while it is
 * used. */
struct bestdag_expected_score {
    struct bestdag_score_type type; /* first: scorers point to it */
    const struct bestdag_completion *completion;
    double weight; /* of a free parameter */
};

/* like: bic, aic or ll. */
void bestdag_expected_score_init(struct bestdag_expected_score *to,
                                 const struct bestdag_score_type *like,
                                 const struct bestdag_completion *completion);

#endif
