/* SPDX-License-Identifier: MIT */
/* structure_scores.h -- every score of a network's structure on a table. */
#ifndef BESTDAG_MODELS_STRUCTURE_SCORES_H
#define BESTDAG_MODELS_STRUCTURE_SCORES_H

#include "base/options.h"
#include "models/match.h"

/* Adds "scores", an object with one member per score; null where it cannot be
 * computed: bde without a prior network, all scores if rows have missing
 * values. */
int bestdag_scores_add(struct bestdag_run *run, struct bestdag_json_writer *w,
                       const struct bestdag_network *network,
                       const struct bestdag_table *table,
                       const struct bestdag_match *match,
                       const struct bestdag_options *options);

#endif
