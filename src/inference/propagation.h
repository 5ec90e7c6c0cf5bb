/* SPDX-License-Identifier: MIT */
/* propagation.h -- messages in a junction tree under changing evidence. */
#ifndef BESTDAG_INFERENCE_PROPAGATION_H
#define BESTDAG_INFERENCE_PROPAGATION_H

#include "inference/evidence.h"
#include "inference/table_walk.h"

/* One thread's; the tree must outlive it. Variables are those of the tree. */
struct bestdag_propagation {
    struct bestdag_run *run; /* of the call, set by bestdag_propagation_set */
    const struct bestdag_junction_tree *tree;
    enum bestdag_algebra algebra;
    /* What is applied: the evidence that the messages are of. */
    int *offset;        /* owns; [n + 1]: of a variable's states */
    double *weight;     /* owns; likelihoods */
    double *log_weight; /* owns */
    bool *known;        /* owns; [n] */
    bool *forced;       /* owns; [n]: by an intervention */
    int *fixed;         /* owns; [n]: the only possible state; -1: several */
    int *slice; /* owns; [n]: states that a table is cut down to besides;
                   -1: none; all -1 between calls */
    /* Messages: what clique i sends to its parent (up), what it gets from it
     * (down), over the states that are left of the separator. */
    double *up, *down;       /* owns; [tree->messages] */
    bool *has_up, *has_down; /* owns; [cliques] */
    bool *is_divided;        /* owns; [cliques]: down was made by division
                                and holds for this up only */
    bool *is_unit;           /* owns; [cliques]: up is 1, and not there */
    int *exponent;           /* owns; [cliques]: of 2, of up */
    bool *has_place, *has_place_up; /* owns; [cliques]: marginals are read */
    double *marginal;               /* owns; [offset[n]]: not normalised */
    bool is_tiny;   /* a message of this evidence came near to underflow */
    int requests;   /* of marginals since evidence changed */
    int64_t *dirty; /* owns; [cliques]: scratch */
    int64_t *heard; /* owns; [cliques]: scratch: evidence below */
    struct bestdag_operand *factor, *result; /* owns */
    int factors, results;
    double scalar; /* of the factors that do not depend on the frame */
    double *block; /* owns */
    double work;   /* multiplications so far */
};

struct bestdag_propagation *bestdag_propagation_new(
    struct bestdag_run *run, const struct bestdag_junction_tree *tree);
void bestdag_propagation_free(struct bestdag_propagation *p);
/* Bytes that bestdag_propagation_new() takes. */
int64_t bestdag_propagation_bytes(const struct bestdag_junction_tree *tree);

/* Sets evidence and algebra. of[v]: the variable of the evidence that v is;
 * NULL: the same. cut[v]: the state of a cut variable; NULL: 0. Messages that
 * do not change are kept. */
void bestdag_propagation_set(struct bestdag_run *run,
                             struct bestdag_propagation *p,
                             const struct bestdag_evidence *evidence,
                             const int *of, const int *cut,
                             enum bestdag_algebra algebra);
/* Multiplications that collecting will take. */
double bestdag_propagation_pending(const struct bestdag_propagation *p);
/* All messages towards the roots. *ln: of the sum (or maximum) of the product;
 * -infinity where it is 0, or has underflowed: then p->is_tiny. */
int bestdag_propagation_collect(struct bestdag_propagation *p, double *ln);
/* After collecting: to[states of v], normalised. v is not cut. */
int bestdag_propagation_marginal(struct bestdag_propagation *p, int v,
                                 double *to);
/* After collecting: the smallest clique with all these variables (those in one
 * state only do not count); -1: none. */
int bestdag_propagation_clique(const struct bestdag_propagation *p,
                               const int *variables, int count);
/* After collecting: their joint, normalised; the clique is as above. */
int bestdag_propagation_joint(struct bestdag_propagation *p, int clique,
                              const int *variables, int count, double *to,
                              int64_t room);
/* The numbers of a clique's own table (its factors, evidence and what its
 * children sent) into p->factor, along a frame without the axes that are fixed
 * or in p->slice. axis[k]: the axis of the clique that is the frame's k-th. */
void bestdag_propagation_frame(struct bestdag_propagation *p, int clique,
                               struct bestdag_frame *frame, int *axis);

#endif
