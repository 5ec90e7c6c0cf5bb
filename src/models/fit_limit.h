/* SPDX-License-Identifier: MIT */
/* fit_limit.h -- settings of fitting: the prior, and limits on the size of the
 * tables. */
#ifndef BESTDAG_MODELS_FIT_LIMIT_H
#define BESTDAG_MODELS_FIT_LIMIT_H

#include <math.h>

#include "base/options.h"

/* Would estimating and writing tables of this many entries end long after the
 * time limit, or after a request to stop? Tables that take only seconds never
 * do. */
static inline bool bestdag_tables_are_late(const struct bestdag_run *run,
                                           int64_t entries)
{
    const double entry = 150e-9, grace = 2; /* seconds */
    double need = entry * (double)entries;
    double left = run->deadline - bestdag_seconds();
    if (bestdag_run_stopped(run))
        left = 0;
    else if (run->deadline <= 0)
        return false;
    return need > fmax(left, 0) + fmax(grace, run->time_limit / 20);
}

/* The options of the group "fit". */
extern const struct bestdag_option_group bestdag_fit_options;

/* The prior: `pseudo` is added to each count, or `ess` in total. */
struct bestdag_fit_prior {
    double pseudo, ess; /* at most one of them is above 0 */
};

/* Reads the prior; it is an error to give both. prefix: of the option names in
 * the message. */
int bestdag_fit_prior(struct bestdag_run *run,
                      const struct bestdag_options *options, const char *prefix,
                      struct bestdag_fit_prior *to);
/* Limit of the numbers in all tables. */
int64_t bestdag_fit_most(const struct bestdag_options *options);

#endif
