/* SPDX-License-Identifier: MIT */
/* temp_bytes.h -- bytes that a run has written to temporary files; slices count
 * for the runs around them. Reports say it as temp_file_bytes, if there are
 * any. */
#ifndef BESTDAG_BASE_TEMP_BYTES_H
#define BESTDAG_BASE_TEMP_BYTES_H

#include "base/run.h"

/* Any thread. */
void bestdag_temp_bytes_add(struct bestdag_run *run, int64_t bytes);
int64_t bestdag_temp_bytes(const struct bestdag_run *run);

#endif
