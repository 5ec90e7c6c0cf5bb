/* SPDX-License-Identifier: MIT */
/* explanation.h -- the most probable assignments. */
#ifndef BESTDAG_INFERENCE_EXPLANATION_H
#define BESTDAG_INFERENCE_EXPLANATION_H

#include "inference/propagation.h"

/* The `best` assignments of largest product (factors times likelihoods) of the
 * tree's variables, in descending order: states[k * n + v], ln[k]. Cut
 * variables are in the states of cut (NULL: 0). Returns how many there are, at
 * most `best`; -1: failed. With best = 1 nothing is allocated. */
int bestdag_explain(struct bestdag_run *run, struct bestdag_propagation *p,
                    const struct bestdag_evidence *evidence, const int *of,
                    const int *cut, int best, int *states, double *ln);

#endif
