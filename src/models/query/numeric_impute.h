/* SPDX-License-Identifier: MIT */
/* numeric_impute.h -- missing cells from a network with numbers. */
#ifndef BESTDAG_MODELS_QUERY_NUMERIC_IMPUTE_H
#define BESTDAG_MODELS_QUERY_NUMERIC_IMPUTE_H

#include "base/options.h"
#include "network/regression.h"

struct bestdag_table;

/* As bestdag_network_impute(), for networks with numbers. */
struct bestdag_table *bestdag_numeric_impute(
    struct bestdag_run *run, const struct bestdag_network *network,
    const struct bestdag_table *table, const struct bestdag_options *options);

#endif
