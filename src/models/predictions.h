/* SPDX-License-Identifier: MIT */
/* predictions.h -- room for predictions, and notes about them. */
#ifndef BESTDAG_MODELS_PREDICTIONS_H
#define BESTDAG_MODELS_PREDICTIONS_H

#include "models/predictor.h"

/* Must be released, also on failure. */
int bestdag_predictions_new(struct bestdag_run *run, int64_t rows, int classes,
                            struct bestdag_predictions *to);
void bestdag_predictions_release(struct bestdag_predictions *f, int classes);
/* Notes about missing and unseen values. */
void bestdag_predictions_note(struct bestdag_run *run,
                              const struct bestdag_predictions *f);

#endif
