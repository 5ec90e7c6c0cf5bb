/* SPDX-License-Identifier: MIT */
/* reduction.h -- a network cut down to factors over the variables asked for. */
#ifndef BESTDAG_INFERENCE_REDUCTION_H
#define BESTDAG_INFERENCE_REDUCTION_H

#include "inference/elimination.h"
#include "inference/evidence.h"
#include "inference/factor.h"

/* Variables have local numbers: those asked for are 0 .. asked - 1. */
struct bestdag_reduction {
    const struct bestdag_network *network;
    const struct bestdag_evidence *evidence; /* NULL: none */
    int *local;  /* [n]: -1: not relevant; all -1 in the beginning */
    int *global; /* [n]: the relevant variables */
    int asked, relevant;
    bool
        watches; /* this is the run's own thread, which checks the time limit */
    struct bestdag_elimination plan;
    double work;   /* multiplications */
    int64_t bytes; /* peak of the results */
    int *step;     /* owns; [relevant]: when it is summed out */
    int *bucket;   /* owns; [plan.steps + 1]: first factor; -1: none */
    int *scope;    /* owns; of the network's own tables */
    struct bestdag_factor *factor; /* owns; [3 * relevant] */
    int factors;
    int *list; /* owns; [3 * relevant]: those of one bucket */
    int left; /* after running: factors over the variables asked for, in list */
    int exponent; /* the results must be multiplied by 2^exponent */
};

/* Determines the relevant variables, the order in which they are summed out,
 * and the cost. The caller has set the first five members; global[0 .. asked -
 * 1] are the variables asked for, and have local numbers. pruned: variables
 * (and evidence) that are d-separated from them do not matter, so that the
 * product is P(asked, evidence) up to a constant. BESTDAG_MEMORY: a table of
 * more than 2^40 numbers would arise. */
int bestdag_reduction_plan(struct bestdag_run *run, struct bestdag_reduction *r,
                           bool pruned);
/* Sums the variables out. Fails at once if there is not enough memory. */
int bestdag_reduction_run(struct bestdag_run *run, struct bestdag_reduction *r);
/* Also resets local to -1. */
void bestdag_reduction_release(struct bestdag_reduction *r);

#endif
