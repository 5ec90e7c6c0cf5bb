/* SPDX-License-Identifier: MIT */
/* row_density.h -- the density of a row with missing values under a network
 * with numbers: missing values are integrated out. */
#ifndef BESTDAG_MODELS_ROW_DENSITY_H
#define BESTDAG_MODELS_ROW_DENSITY_H

#include "inference/mixed.h"
#include "models/match.h"

/* Used by one thread. */
struct bestdag_row_density {
    const struct bestdag_network *network;
    const struct bestdag_options *options;
    double **weight, *value, *likelihood; /* own */
    int *doing;                           /* owns */
    bool *is_set;                         /* owns */
};

/* Release also on failure. */
int bestdag_row_density_init(struct bestdag_run *run,
                             struct bestdag_row_density *to,
                             const struct bestdag_network *network,
                             const struct bestdag_options *options);
void bestdag_row_density_release(struct bestdag_row_density *d);
/* *is_sampled: the result is an estimate. */
int bestdag_row_density(struct bestdag_run *run, struct bestdag_row_density *d,
                        const struct bestdag_match *match, int64_t row,
                        double *ln, bool *is_sampled);

#endif
