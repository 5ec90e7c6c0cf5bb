/* SPDX-License-Identifier: MIT */
/* classifier_tables.h -- the tables of a classifier. */
#ifndef BESTDAG_MODELS_CLASSIFIER_TABLES_H
#define BESTDAG_MODELS_CLASSIFIER_TABLES_H

#include "data/table.h"
#include "network/network.h"

/* Column v of the table is variable v, with the same states; all are codes,
 * none is missing. Adds a table to every variable. */
int bestdag_smoothing_fit(struct bestdag_run *run,
                          struct bestdag_network *network,
                          const struct bestdag_table *table, double smoothing);

#endif
