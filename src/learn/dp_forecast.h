/* SPDX-License-Identifier: MIT */
/* dp_forecast.h -- time and memory that `dp` would need. */
#ifndef BESTDAG_LEARN_DP_FORECAST_H
#define BESTDAG_LEARN_DP_FORECAST_H

#include "search/solver.h"

/* Does memory hold all subsets of the largest component, a copy of the lists,
 * and what each thread needs? */
bool bestdag_dp_fits(const struct bestdag_task *task, int largest);
/* Nominal seconds. */
double bestdag_dp_forecast(const struct bestdag_task *task, int largest);

#endif
