/* SPDX-License-Identifier: MIT */
/* mixed.h -- inference in networks with numbers.
 *
 * A question holds what is known of variables with states (weights,
 * interventions) and of numbers (values, values set by do()), and the targets.
 * All, some or none of the network's variables may be numbers. */
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
/* The most probable assignments, given what is known; arrays belong to the
 * caller. Always exact: refused if that is not possible. */
struct bestdag_mixed_explanations {
    int best;           /* wanted */
    int found;          /* less than `best` if no more exist */
    double ln_evidence; /* -INFINITY: impossible, and nothing below is set */
    double *ln;         /* [best]: ln of the probability, or density, given the
                           evidence, in descending order */
    int *state;         /* [best * n]: of the targets with states, else -1 */
    double *value;      /* [best * n]: of targets that are numbers, else NaN */
    const char *method;
};
/* The joint states of the targets, which all have states, of largest
 * probability: all else is summed and integrated out. */
int bestdag_mixed_map(struct bestdag_run *run,
                      const struct bestdag_mixed_question *q,
                      const struct bestdag_options *options,
                      struct bestdag_mixed_explanations *to);
/* The modes of the joint density of all targets. All variables with states
 * must be targets or known; each assignment of theirs has one mode, and the
 * best ones are given. */
int bestdag_mixed_modes(struct bestdag_run *run,
                        const struct bestdag_mixed_question *q,
                        const struct bestdag_options *options,
                        struct bestdag_mixed_explanations *to);
/* Targets drawn from their joint distribution given what is known, exactly:
 * state[k * n + v] and value[k * n + v] of draw k. *is_possible: false if the
 * evidence is impossible; then nothing is drawn. */
struct bestdag_random;
int bestdag_mixed_draw(struct bestdag_run *run,
                       const struct bestdag_mixed_question *q,
                       const struct bestdag_options *options,
                       struct bestdag_random *random, int draws, int *state,
                       double *value, bool *is_possible);
/* By likelihood weighting, in any network. */
int bestdag_mixed_sample(struct bestdag_run *run,
                         const struct bestdag_mixed_question *q,
                         int64_t samples, struct bestdag_mixed_answer *to);
/* The variables that the answer depends on: targets, known variables, and their
 * ancestors; do() cuts the arcs into a variable. [n] */
void bestdag_mixed_relevant(const struct bestdag_mixed_question *q,
                            const int *order, bool *to);

#endif
