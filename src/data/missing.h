/* SPDX-License-Identifier: MIT */
/* missing.h -- what becomes of missing values. */
#ifndef BESTDAG_DATA_MISSING_H
#define BESTDAG_DATA_MISSING_H

#include "data/table.h"

/* Changes a table that is not shared yet. Policies:
 *   drop   rows with a missing value are removed, with a note; all: an error
 *   state  missing becomes the last state, "missing" (or "missing_2" ...);
 *          columns of numbers keep their missing values
 *   error  the first missing value is an error
 *   keep   nothing changes
 * Opaque columns do not count. */
int bestdag_table_complete(struct bestdag_run *run, struct bestdag_table *table,
                           const char *policy);
/* A copy of a table, which can then be changed. */
struct bestdag_table *bestdag_table_copy(struct bestdag_run *run,
                                         const struct bestdag_table *table);

#endif
