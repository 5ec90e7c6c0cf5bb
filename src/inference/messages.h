/* SPDX-License-Identifier: MIT */
/* messages.h -- messages in a junction tree under changing evidence. */
#ifndef BESTDAG_INFERENCE_MESSAGES_H
#define BESTDAG_INFERENCE_MESSAGES_H

#include "inference/evidence.h"
#include "inference/table_walk.h"

/* Used by one thread; the tree must outlive it. Variables are the tree's. */
struct bestdag_tree_messages {
    struct bestdag_run *run; /* of the call, set by bestdag_messages_set */
    const struct bestdag_junction_tree *tree;
    enum bestdag_algebra algebra;
    /* The evidence that the messages were computed for. */
    int *offset;        /* owns; [n + 1]: of a variable's states */
    double *weight;     /* owns; likelihoods */
    double *log_weight; /* owns */
    bool *known;        /* owns; [n] */
    bool *forced;       /* owns; [n]: by an intervention */
    int *fixed;         /* owns; [n]: the only possible state; -1: several */
    int *slice; /* owns; [n]: state that a table is also restricted to; -1:
                   none; all -1 between calls */
    /* Messages: what clique i sends to its parent (up), what it gets from it
     * (down), over the states that are left of the separator. */
    double *up, *down;       /* owns; [tree->messages] */
    bool *has_up, *has_down; /* owns; [cliques] */
    bool *is_unit;           /* owns; [cliques]: up is 1, and not stored */
    int *exponent;           /* owns; [cliques]: of 2: scale of up */
    bool *has_place,
        *has_place_up;         /* owns; [cliques]: marginals are computed */
    double *marginal;          /* owns; [offset[n]]: not normalised */
    bool *tiny_up, *tiny_down; /* owns; [cliques]: came near to underflow
                                */
    bool is_tiny;   /* as was a message that an answer to this evidence used */
    bool was_tiny;  /* as was the last result that was rescaled */
    int64_t *dirty; /* owns; [cliques]: scratch */
    int64_t *heard; /* owns; [cliques]: scratch: evidence below */
    struct bestdag_operand *factor, *result; /* owns */
    int factors, results;
    double scalar; /* product of the factors that do not depend on the frame */
    double *block; /* owns */
    double work;   /* multiplications so far */
};

struct bestdag_tree_messages *bestdag_messages_new(
    struct bestdag_run *run, const struct bestdag_junction_tree *tree);
void bestdag_messages_free(struct bestdag_tree_messages *p);
/* Bytes that bestdag_messages_new() takes. */
int64_t bestdag_messages_bytes(const struct bestdag_junction_tree *tree);

/* Sets evidence and algebra. of[v]: the variable of the evidence that v is;
 * NULL: the same. cut[v]: the state of a cut variable; NULL: 0. Messages that
 * do not change are kept. */
void bestdag_messages_set(struct bestdag_run *run,
                          struct bestdag_tree_messages *p,
                          const struct bestdag_evidence *evidence,
                          const int *of, const int *cut,
                          enum bestdag_algebra algebra);
/* Multiplications that collecting would take if no message were there. */
double bestdag_messages_work(const struct bestdag_tree_messages *p);
/* All messages towards the roots. *ln: of the sum (or maximum) of the product;
 * -infinity where it is 0, or has underflowed: then p->is_tiny. */
int bestdag_messages_collect(struct bestdag_tree_messages *p, double *ln);
/* After collecting: to[states of v], normalised. v is not cut. */
int bestdag_messages_marginal(struct bestdag_tree_messages *p, int v,
                              double *to);
/* After collecting: the smallest clique with all these variables (those in one
 * state only do not count); -1: none. */
int bestdag_messages_clique(const struct bestdag_tree_messages *p,
                            const int *variables, int count);
/* After collecting: their joint, normalised; the clique is as above. */
int bestdag_messages_joint(struct bestdag_tree_messages *p, int clique,
                           const int *variables, int count, double *to,
                           int64_t room);
/* The numbers of a clique's own table (its factors, evidence and what its
 * children sent) into p->factor, along a frame without the axes that are fixed
 * or in p->slice. axis[k]: the axis of the clique that is the frame's k-th. */
void bestdag_messages_frame(struct bestdag_tree_messages *p, int clique,
                            struct bestdag_frame *frame, int *axis);

#endif
