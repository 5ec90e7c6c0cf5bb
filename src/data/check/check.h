/* SPDX-License-Identifier: MIT */
/* check.h -- contents and problems of a table. */
#ifndef BESTDAG_DATA_CHECK_CHECK_H
#define BESTDAG_DATA_CHECK_CHECK_H

#include "base/json.h"
#include "data/table.h"

/* Adds the findings to the open object. */
int bestdag_check_write(struct bestdag_run *run,
                        const struct bestdag_table *table,
                        struct bestdag_json_writer *w);

#endif
