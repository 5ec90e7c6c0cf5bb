/* SPDX-License-Identifier: MIT */
/* score.h -- the scores: one row each. A new score is one file that defines
 * bestdag_score_foo, and one row in score.c. */
#ifndef BESTDAG_SCORES_SCORE_H
#define BESTDAG_SCORES_SCORE_H

#include "scores/scorer.h"

/* One thread's probabilities of a prior network: see prior.c. */
struct bestdag_prior;
struct bestdag_beliefs {
    struct bestdag_run *run;
    struct bestdag_joint *joint; /* owns; NULL: not yet used */
    struct bestdag_prior *kept;  /* owns; tables of sets, by hash */
    int64_t held;                /* bytes of these tables */
    int *set;                    /* owns; [2 * n]: scratch */
    int64_t *stride;             /* owns; [n]: scratch */
    uint8_t *seen;               /* owns; [rows]: groups that were looked at */
};
void bestdag_beliefs_release(struct bestdag_beliefs *beliefs);

/* Counts of a family. */
struct bestdag_score_view {
    int child;
    const int *parents;
    int count;
    const struct bestdag_cell *cell;
    int64_t cells;
    const int64_t *weight; /* [groups]: of the parents' joint states */
    int64_t groups;
    struct bestdag_beliefs *beliefs;
};

/* Of a child whose parents are the path of the tally; without cells. */
static inline struct bestdag_score_view bestdag_score_view_of(
    const struct bestdag_tally *t, int child, const int *parents, int count)
{
    return (struct bestdag_score_view){.child = child,
                                       .parents = parents,
                                       .count = count,
                                       .weight = bestdag_tally_weights(t),
                                       .groups = bestdag_tally_groups(t)};
}

enum { BESTDAG_SCORE_GROUPS = 2 }; /* of options, at most */

struct bestdag_score_type {
    const char *name, *alias, *help; /* help: the formula */
    const struct bestdag_option_group *options[BESTDAG_SCORE_GROUPS];
    const char *required; /* key of an option that it needs; NULL: none */
    bool equivalent;      /* the same for all graphs of an equivalence class */
    bool symmetric;   /* or at least one arc alone scores the same both ways */
    bool likelihood;  /* the log-likelihood less a penalty per parameter */
    bool dirichlet;   /* a marginal likelihood: log-gamma terms */
    bool never_falls; /* with another parent, so that nothing is pruned */
    enum bestdag_pruning pruning;
    /* Sets factor, weight, functions ... of a scorer whose table is set. */
    int (*prepare)(struct bestdag_run *run, struct bestdag_scorer *scorer,
                   const struct bestdag_options *options);
    /* In nats, without the structure prior; NULL: none. */
    double (*penalty)(const struct bestdag_scorer *scorer, int child,
                      const int *parents, int count);
    /* The local score by libm, without the structure prior. */
    double (*nats)(const struct bestdag_scorer *scorer,
                   const struct bestdag_score_view *view);
    /* Of scores that are by_family; else NULL. */
    int (*local)(const struct bestdag_scorer *scorer,
                 const struct bestdag_score_view *view, int64_t *units);
};

/* The i-th row; NULL after the last. */
const struct bestdag_score_type *bestdag_score_at(int i);
/* By name or alias; NULL: none. */
const struct bestdag_score_type *bestdag_score_find(const char *name);

/* Does it have this option? */
bool bestdag_score_uses(const struct bestdag_score_type *type, const char *key);
/* The i-th name or alias: the choices of the option "score". */
const char *bestdag_score_choice(int i);

/* Options of several scores. */
extern const struct bestdag_option_group bestdag_ess_options,
    bestdag_prior_options;

/* Adds a function with pseudo-count a (or BESTDAG_XLOGX) unless it is there;
 * its number, or -1. */
int bestdag_scorer_add(struct bestdag_run *run, struct bestdag_scorer *scorer,
                       double a);

/* What exact_score.c knows of the families that it counted last; the scorer's
 * data, settings and hook do not change once it has counted one. */
struct bestdag_known *bestdag_known_new(struct bestdag_run *run, int n);
void bestdag_known_free(struct bestdag_scorer *scorer);

#endif
