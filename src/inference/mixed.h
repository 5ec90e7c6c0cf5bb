/* SPDX-License-Identifier: MIT */
/* mixed.h -- inference in networks with numbers.
 *
 * One question, one answer: what is known of variables with states (weights,
 * interventions) and of numbers (values, values that are set), what is asked,
 * and what comes out. Networks in which all variables are numbers, or some, or
 * none, are all taken. */
#ifndef BESTDAG_INFERENCE_MIXED_H
#define BESTDAG_INFERENCE_MIXED_H

#include "inference/engine.h"

struct bestdag_mixed_question {
    const struct bestdag_network *network; /* fitted */
    double *const *weight; /* [n]: likelihood of each state; NULL: nothing */
    const int *doing;      /* [n]: state that do() sets; -1: none */
    const double *value;   /* [n]: of numbers; NaN: not known */
    const bool *is_set;    /* [n]: value is set by do() */
    const int *target;
    int targets;
    bool has_covariance; /* of the targets that are numbers */
};

/* All arrays belong to the caller; the width of the values is the sum over
 * targets of their states, 2 for numbers: mean and standard deviation. */
struct bestdag_mixed_answer {
    double ln_evidence; /* its probability, or density if numbers are known;
                           -INFINITY: impossible, and nothing below is set */
    double ln_error;    /* its standard error */
    double *value;      /* [width] */
    double *error;      /* [width]: standard errors; 0: exact */
    double *covariance; /* [numbers * numbers], or NULL */
    const char *method; /* "joint normal", "junction tree", ... */
    double sample_size; /* effective; 0: exact */
};

int bestdag_mixed_width(const struct bestdag_network *network,
                        const int *target, int targets);
/* Options: the group "inference". */
int bestdag_mixed_ask(struct bestdag_run *run,
                      const struct bestdag_mixed_question *q,
                      const struct bestdag_options *options,
                      struct bestdag_mixed_answer *to);
/* By likelihood weighting, whatever the network. */
int bestdag_mixed_sample(struct bestdag_run *run,
                         const struct bestdag_mixed_question *q,
                         int64_t samples, struct bestdag_mixed_answer *to);
/* Variables that the answer depends on: targets, what is known, and their
 * ancestors, where do() cuts the arcs. [n] */
void bestdag_mixed_relevant(const struct bestdag_mixed_question *q,
                            const int *order, bool *to);

#endif
