/* SPDX-License-Identifier: MIT */
/* session.h -- structures that the files of engine and session share. */
#ifndef BESTDAG_INFERENCE_SESSION_H
#define BESTDAG_INFERENCE_SESSION_H

#include "inference/engine.h"
#include "inference/explanation.h"
#include "inference/joint.h"
#include "inference/totals.h"

enum bestdag_method {
    BESTDAG_BY_TREE,
    BESTDAG_BY_ELIMINATION,
    BESTDAG_BY_CONDITIONING,
    BESTDAG_BY_SAMPLING
};

/* Variables are the relevant ones, numbered from 0. */
struct bestdag_engine {
    const struct bestdag_network *network;
    struct bestdag_network *scaled; /* owns; `network`, if rows of the one that
                                       was given do not sum to 1; or NULL */
    int n;                          /* relevant variables */
    int *of;                        /* owns; [n]: their number in the network */
    int *local;      /* owns; by network variable; -1: not relevant */
    int *states;     /* owns; [n] */
    bool *cut;       /* owns; [n]: of one state, or conditioned
                        on */
    int64_t *offset; /* owns; [n + 1]: of a variable's states */
    int *order; /* owns; [n]: parents first, by their number in the network */
    int *scope; /* owns; of all potentials */
    struct bestdag_potential *item;     /* owns; [n] */
    struct bestdag_junction_tree *tree; /* owns; NULL: it does not fit */
    enum bestdag_method method; /* used unless a query has a cheaper one */
    const char *heuristic;
    int tries;
    double total, largest; /* numbers in the tables of the junction tree */
    double bytes, work;    /* of a session; of all marginals */
    double assignments;    /* of the variables conditioned on */
    int64_t samples;
    double most_numbers; /* in all tables together; infinite: no limit */
    bool is_exact;       /* never samples */
    bool is_sampled;     /* always samples */
};

struct bestdag_session {
    const struct bestdag_engine *engine;
    struct bestdag_evidence evidence; /* owns; of the network's variables */
    struct bestdag_evidence kept;     /* owns; while `evidence` is narrowed */
    struct bestdag_joint *joint;      /* owns */
    struct bestdag_tree_messages *p;  /* owns; NULL: there is no tree */
    bool is_ready;                    /* p has collected this evidence */
    double ln;                        /* ln P(evidence), if is_ready */
    int *states;                      /* owns; [engine->n] */
    int *asked;                       /* owns; [n] */
    double *weight;                   /* owns; [widest variable] */
    double spent;                     /* on eliminations with this evidence */
    struct bestdag_totals all; /* owns; of a cutset or of samples; else empty */
    bool has_all;              /* `all` is of this evidence */
    double *error;             /* owns; [errors]: of the last answer */
    int64_t errors;            /* 0: it was exact */
    int64_t error_room;
    enum bestdag_method method; /* of the last answer */
};

static const double BESTDAG_MOST_NUMBERS = 0x1p40; /* in one table */

const char *bestdag_method_name(enum bestdag_method method);
/* Multiplications that an answer may take. */
double bestdag_most_work(const struct bestdag_run *run);

/* By the tree of a session. Collects its evidence. */
int bestdag_tree_collect(struct bestdag_run *run, struct bestdag_session *s,
                         enum bestdag_algebra algebra, double *ln);
/* s->ln. */
int bestdag_tree_evidence(struct bestdag_run *run, struct bestdag_session *s);
/* After that, and if it is possible: the joint of s->asked[count]; *done: it is
 * in a clique, or takes at most so many multiplications. */
int bestdag_tree_joint(struct bestdag_run *run, struct bestdag_session *s,
                       int count, double *to, int64_t room, double most,
                       bool *done);

/* As bestdag_session_explain(), for some variables only. */
int bestdag_session_map(struct bestdag_run *run, struct bestdag_session *s,
                        const int *variables, int count, int best, int *states,
                        double *ln);

/* Draws samples: sets s->all, s->ln and, unless it is NULL, the joint of some
 * of the engine's variables. */
int bestdag_session_sample(struct bestdag_run *run, struct bestdag_session *s,
                           const int *asked, int variables,
                           struct bestdag_totals *joint);
/* Sums over the assignments of the cutset: sets s->ln, and s->all or the joint
 * of s->asked; *fits: a clique contains these. */
int bestdag_session_condition(struct bestdag_run *run,
                              struct bestdag_session *s, int count,
                              struct bestdag_totals *joint, bool *fits);
bool bestdag_session_condition_possible(struct bestdag_run *run,
                                        struct bestdag_session *s);
int bestdag_session_condition_explain(struct bestdag_run *run,
                                      struct bestdag_session *s, int best,
                                      int *states, double *ln);

#endif
