/* SPDX-License-Identifier: MIT */
/* states.h -- changes the states and rows of a table that is being built. */
#ifndef BESTDAG_DATA_STATES_H
#define BESTDAG_DATA_STATES_H

#include "data/table.h"

/* Replaces each code by to[code]; missing cells stay. The column gets one byte
 * per cell if `bytes` is 1, else two. Allocates only when that changes. */
int bestdag_column_recode(struct bestdag_run *run, struct bestdag_column *c,
                          int64_t rows, const uint16_t *to, int bytes);
/* Removes the states that no row has. A column of codes keeps at least one. */
int bestdag_column_prune(struct bestdag_run *run, struct bestdag_column *c,
                         int64_t rows);
/* Removes the states for which seen[s] is not 1; if that is all, it changes
 * nothing. */
int bestdag_column_keep_states(struct bestdag_run *run,
                               struct bestdag_column *c, int64_t rows,
                               const uint8_t *seen);
int bestdag_table_prune(struct bestdag_run *run, struct bestdag_table *table);
/* Removes the rows for which gone[r] is not 0. */
int bestdag_table_drop(struct bestdag_run *run, struct bestdag_table *table,
                       const uint8_t *gone);

/* The value of a label that is a whole number from 0 on as a program writes it:
 * "7", not "07" or "7.0". Else -1. */
int64_t bestdag_code_of(const char *label, size_t n);

#endif
