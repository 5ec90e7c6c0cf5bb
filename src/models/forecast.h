/* SPDX-License-Identifier: MIT */
/* forecast.h -- room for predictions, and what there is to tell of them. */
#ifndef BESTDAG_MODELS_FORECAST_H
#define BESTDAG_MODELS_FORECAST_H

#include "models/predictor.h"

/* Must be released, also on failure. */
int bestdag_forecast_new(struct bestdag_run *run, int64_t rows, int classes,
                         struct bestdag_forecast *to);
void bestdag_forecast_release(struct bestdag_forecast *f, int classes);
/* Notes about missing and unseen values. */
void bestdag_forecast_tell(struct bestdag_run *run,
                           const struct bestdag_forecast *f);

#endif
