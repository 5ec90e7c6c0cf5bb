/* SPDX-License-Identifier: MIT */
/* em.h -- parameters from a table with missing values. */
#ifndef BESTDAG_MODELS_HOLES_EM_H
#define BESTDAG_MODELS_HOLES_EM_H

#include "models/fit_limit.h"
#include "models/holes/em_step.h"

extern const struct bestdag_option_group bestdag_em_options;

struct bestdag_em_settings {
    int starts, iterations;
    double tolerance; /* nats per row and iteration */
};
struct bestdag_em_settings bestdag_em_settings_of(
    const struct bestdag_options *options);

struct bestdag_em_report {
    double ln;        /* observed-data log-likelihood of the tables; stopped: of
                         those one iteration before, which are no better */
    double objective; /* ln plus the logarithm of the prior: never falls */
    int iterations;   /* of the best start */
    int start;        /* the best, from 0 */
    int raised; /* with numbers: residual variances raised to their floor */
    bool has_converged;
};

/* Sets the tables of e->network from the counts of the rows that have all of a
 * family. */
void bestdag_em_available(struct bestdag_expectation *e,
                          struct bestdag_fit_prior prior);
/* Sets the tables from the expected counts of a step. */
void bestdag_em_maximise(struct bestdag_expectation *e,
                         struct bestdag_fit_prior prior);
/* EM to convergence from several starts; is_here: only from the network's own
 * tables. If it is stopped, the tables are the best so far, and has_converged
 * is false. */
int bestdag_em_run(struct bestdag_run *run, struct bestdag_expectation *e,
                   struct bestdag_fit_prior prior,
                   const struct bestdag_em_settings *settings, bool is_here,
                   struct bestdag_em_report *report);

#endif
