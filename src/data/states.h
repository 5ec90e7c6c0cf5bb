/* SPDX-License-Identifier: MIT */
/* states.h -- changing the states and rows of a table that is being made. */
#ifndef BESTDAG_DATA_STATES_H
#define BESTDAG_DATA_STATES_H

#include "data/table.h"

/* code becomes to[code] in every cell that is not missing; the column has one
 * byte per cell if `bytes` is 1, else two. Allocates only when that changes. */
int bestdag_column_recode(struct bestdag_run *run, struct bestdag_column *c,
                          int64_t rows, const uint16_t *to, int bytes);
/* Removes the states that no row has. A column of codes keeps at least one. */
int bestdag_column_prune(struct bestdag_run *run, struct bestdag_column *c,
                         int64_t rows);
/* The same of all states s but those of which seen[s] is 1; none: stays. */
int bestdag_column_keep_states(struct bestdag_run *run,
                               struct bestdag_column *c, int64_t rows,
                               const uint8_t *seen);
int bestdag_table_prune(struct bestdag_run *run, struct bestdag_table *table);
/* Removes the rows r with gone[r] not 0. */
int bestdag_table_drop(struct bestdag_run *run, struct bestdag_table *table,
                       const uint8_t *gone);

/* The number that a label is, if it is a whole one from 0 as a program counts
 * states: "7", not "07" or "7.0". Else -1. */
int64_t bestdag_code_of(const char *label, size_t n);

#endif
