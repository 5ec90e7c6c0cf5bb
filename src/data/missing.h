/* SPDX-License-Identifier: MIT */
/* missing.h -- policies for missing values. */
#ifndef BESTDAG_DATA_MISSING_H
#define BESTDAG_DATA_MISSING_H

#include "data/table.h"

/* bestdag_table_complete() is public. Opaque columns do not count. */
/* The i-th policy: the choices of the option "missing"; NULL after the last. */
const char *bestdag_missing_policy(int i);
/* "available", "em", or NULL. */
const char *bestdag_hole_use_name(enum bestdag_hole_use use);
/* Makes "missing" a state of a column of codes, whether or not it lacks
 * values. */
int bestdag_column_make_missing(struct bestdag_run *run,
                                struct bestdag_column *column, int64_t rows);
/* Notes how many rows were dropped, and why. */
void bestdag_table_note_dropped(struct bestdag_run *run,
                                const struct bestdag_table *table);
/* A copy of a table that may be changed. */
struct bestdag_table *bestdag_table_copy(struct bestdag_run *run,
                                         const struct bestdag_table *table);

#endif
