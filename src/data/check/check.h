/* SPDX-License-Identifier: MIT */
/* check.h -- what is in a table. */
#ifndef BESTDAG_DATA_CHECK_CHECK_H
#define BESTDAG_DATA_CHECK_CHECK_H

#include "base/json.h"
#include "data/table.h"

/* Adds what was found to the object that is open. */
int bestdag_check_write(struct bestdag_run *run,
                        const struct bestdag_table *table,
                        struct bestdag_json_writer *w);

#endif
