/* SPDX-License-Identifier: MIT */
/* gaussian_score.h -- shared by the scores of tables of numbers: see
 * gaussian_score.c. */
#ifndef BESTDAG_SCORES_GAUSSIAN_SCORE_H
#define BESTDAG_SCORES_GAUSSIAN_SCORE_H

#include "scores/least_squares.h"
#include "scores/score.h"

/* scorer->own of bic-g, aic-g, ll-g and bge. */
struct bestdag_gaussian_score {
    struct bestdag_moments *moments; /* owns */
    double *ceiling;  /* owns; [n]: upper bound on the log-likelihood of this
                         child, in nats; NULL: unknown */
    int64_t *joint;   /* owns; [n]: units that a parent adds to parents_joint,
                         besides the determinant; NULL: no ceiling */
    double margin;    /* nats by which these are raised for rounding */
    double *ridge;    /* owns; [n]: bge: t in units of the moments */
    double *marginal; /* owns; [n + 1]: bge: the common part of families with so
                         many parents */
    double *spread;   /* owns; [n]: bge: lower bound on what a parent adds to ln
                         |R_P| - k ln t for any P; NULL: unknown */
    double iss_mu, iss_w, ln_t; /* bge */
};

/* Sets units, states and own; penalty: the largest of a family, in nats. Takes
 * over the moments (NULL: they could not be made), even on failure. */
int bestdag_gaussian_score_prepare(struct bestdag_run *run,
                                   struct bestdag_scorer *scorer,
                                   struct bestdag_moments *moments,
                                   double penalty);
/* The same for ll-g, aic-g or bic-g, with the cost of a parameter; the moments
 * may differ from the table's. */
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

/* Upper bounds on the log-likelihood of each column given any others
 * (gaussian_ceiling.c), in ceiling[n]; false: unknown. */
bool bestdag_gaussian_score_ceilings(struct bestdag_run *run,
                                     const struct bestdag_moments *moments,
                                     double per_parent, double *ceiling,
                                     double *margin);

/* The spreads of bge, and the margin for rounding; false: unknown. */
bool bestdag_gaussian_score_spreads(struct bestdag_run *run,
                                    struct bestdag_gaussian_score *g);

/* The first column that is a linear function of earlier ones; -1: none, or
 * unknown: too many columns, or no more rows than columns. */
int bestdag_moments_determined(struct bestdag_run *run,
                               const struct bestdag_moments *moments);
/* Prints a note that names two columns that determine each other, or a column
 * that others determine. */
void bestdag_moments_note(struct bestdag_run *run,
                          const struct bestdag_moments *moments);

#endif
