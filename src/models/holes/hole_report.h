/* SPDX-License-Identifier: MIT */
/* hole_report.h -- what `check` says about missing values. */
#ifndef BESTDAG_MODELS_HOLES_HOLE_REPORT_H
#define BESTDAG_MODELS_HOLES_HOLE_REPORT_H

#include "base/json.h"
#include "data/table.h"

/* A member "holes" of the object that is open: null without missing values. */
int bestdag_hole_report_write(struct bestdag_run *run,
                              const struct bestdag_table *table,
                              struct bestdag_json_writer *w);

#endif
