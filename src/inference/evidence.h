/* SPDX-License-Identifier: MIT */
/* evidence.h -- what is known of each variable, and what is forced on it.
 *
 * Evidence on a variable is a likelihood: a weight of each state. An
 * observation is the likelihood that has one positive weight. */
#ifndef BESTDAG_INFERENCE_EVIDENCE_H
#define BESTDAG_INFERENCE_EVIDENCE_H

#include "network/network.h"

struct bestdag_evidence {
    int n;
    int *offset;    /* owns; [n + 1]: of v's states in the arrays below */
    double *weight; /* owns; 1 where nothing is known */
    double *forced; /* owns; 1 in the state of an intervention, else 0 */
    bool *known;    /* owns; [n]: has weights */
    int *seen;      /* owns; [n]: the only state of positive weight; -1: there
                       are several, or none */
    int *doing;     /* owns; [n]: state of the intervention; -1: none */
    int *exponent;  /* owns; [n]: the given likelihoods were divided by
                       2^exponent, so that the largest is in [1/2, 1]; 0 if it
                       was there already */
};

int bestdag_evidence_new(struct bestdag_run *run, int n, const int *states,
                         struct bestdag_evidence *to);
void bestdag_evidence_release(struct bestdag_evidence *e);
void bestdag_evidence_clear(struct bestdag_evidence *e);
/* Sets the weights of v; NULL: nothing is known. */
void bestdag_evidence_weigh(struct bestdag_evidence *e, int v,
                            const double *weight);
/* The same for likelihoods of any scale: they are divided by a power of 2, so
 * that the largest is about 1. */
void bestdag_evidence_likelihood(struct bestdag_evidence *e, int v,
                                 const double *likelihood);
/* ln of the product of the powers of 2 that likelihoods were divided by. */
double bestdag_evidence_scale(const struct bestdag_evidence *e);
void bestdag_evidence_observe(struct bestdag_evidence *e, int v, int state);
void bestdag_evidence_intervene(struct bestdag_evidence *e, int v, int state);

/* Copies the evidence on x to v. */
void bestdag_evidence_copy(struct bestdag_evidence *e, int v,
                           const struct bestdag_evidence *from, int x);

static inline const double *bestdag_evidence_of(
    const struct bestdag_evidence *e, int v)
{
    return e->weight + e->offset[v];
}

static inline int bestdag_evidence_states(const struct bestdag_evidence *e,
                                          int v)
{
    return e->offset[v + 1] - e->offset[v];
}

#endif
