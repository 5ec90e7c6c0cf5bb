/* SPDX-License-Identifier: MIT */
/* dp_forecast.h -- what `dp` would take, before it begins. */
#ifndef BESTDAG_LEARN_DP_FORECAST_H
#define BESTDAG_LEARN_DP_FORECAST_H

#include "search/solver.h"

/* Is there room for all subsets of the largest component's variables, beside a
 * copy of the lists, and for what each thread needs? */
bool bestdag_dp_fits(const struct bestdag_task *task, int largest);
/* Nominal seconds. */
double bestdag_dp_forecast(const struct bestdag_task *task, int largest);

#endif
