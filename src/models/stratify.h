/* SPDX-License-Identifier: MIT */
/* stratify.h -- rows dealt out so that every part has the same mixture of
 * classes. */
#ifndef BESTDAG_MODELS_STRATIFY_H
#define BESTDAG_MODELS_STRATIFY_H

#include "data/table.h"

enum { BESTDAG_NO_PART = -1 }; /* for rows without a class */

/* part[rows]: 0 .. parts - 1 for every row with a class. */
int bestdag_stratify_folds(struct bestdag_run *run,
                           const struct bestdag_column *class, int64_t rows,
                           int parts, int *part);
/* part[rows]: 1 for this share of the rows, 0 for the rest. */
int bestdag_stratify_split(struct bestdag_run *run,
                           const struct bestdag_column *class, int64_t rows,
                           double share, int *part);

#endif
