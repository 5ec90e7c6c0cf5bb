/* SPDX-License-Identifier: MIT */
/* gaussian_score.h -- what the scores of tables of numbers share: see
 * gaussian_score.c. */
#ifndef BESTDAG_SCORES_GAUSSIAN_SCORE_H
#define BESTDAG_SCORES_GAUSSIAN_SCORE_H

#include "scores/least_squares.h"
#include "scores/score.h"

/* scorer->own of bic-g, aic-g, ll-g and bge. */
struct bestdag_gaussian_score {
    struct bestdag_moments *moments; /* owns */
    double *ceiling;  /* owns; [n]: no log-likelihood of this child is above, in
                         nats; NULL: not known */
    int64_t *joint;   /* owns; [n]: units that a parent adds to parents_joint,
                         besides the determinant; NULL: no ceiling */
    double margin;    /* nats by which these are raised for rounding */
    double *ridge;    /* owns; [n]: bge: t in units of the moments */
    double *marginal; /* owns; [n + 1]: bge: what families of so many parents
                         have in common */
    double *spread; /* owns; [n]: bge: what a parent adds to ln |R_P| - k ln t,
                       whatever P is, is at least this; NULL: not known */
    double iss_mu, iss_w, ln_t; /* bge */
};

/* Sets units, states, own, by the largest penalty in nats that a family may
 * have. Takes over the moments (NULL: could not be made), also on failure. */
int bestdag_gaussian_score_prepare(struct bestdag_run *run,
                                   struct bestdag_scorer *scorer,
                                   struct bestdag_moments *moments,
                                   double penalty);
/* The same for ll-g, aic-g or bic-g, with what a parameter costs; the moments
 * may be others than the table's. */
int bestdag_gaussian_score_weigh(struct bestdag_run *run,
                                 struct bestdag_scorer *scorer,
                                 struct bestdag_moments *moments,
                                 double weight);
void bestdag_gaussian_score_release(void *own);
void bestdag_gaussian_score_note(struct bestdag_run *run,
                                 const struct bestdag_scorer *scorer);
void *bestdag_gaussian_score_open(struct bestdag_run *run,
                                  const struct bestdag_scorer *scorer);
void bestdag_gaussian_score_close(void *scratch);

/* What the log-likelihood of each column given any others can be at most
 * (gaussian_ceiling.c), into ceiling[n]; false: nothing is known. */
bool bestdag_gaussian_score_ceilings(struct bestdag_run *run,
                                     const struct bestdag_moments *moments,
                                     double per_parent, double *ceiling,
                                     double *margin);

/* The spreads of bge, and the margin for rounding; false: nothing is known. */
bool bestdag_gaussian_score_spreads(struct bestdag_run *run,
                                    struct bestdag_gaussian_score *g);

/* The first column that is a linear function of those before it; -1: none, or
 * not known: there are too many, or no more rows than columns. */
int bestdag_moments_determined(struct bestdag_run *run,
                               const struct bestdag_moments *moments);
/* Two columns that determine each other are named, or a column that others
 * do. */
void bestdag_moments_note(struct bestdag_run *run,
                          const struct bestdag_moments *moments);

#endif
