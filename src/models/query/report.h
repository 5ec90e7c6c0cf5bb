/* SPDX-License-Identifier: MIT */
/* report.h -- an answer as JSON. */
#ifndef BESTDAG_MODELS_QUERY_REPORT_H
#define BESTDAG_MODELS_QUERY_REPORT_H

#include "models/query/asking.h"

/* Writes into an open object; for impossible evidence only its probability. */
void bestdag_query_answer_write(struct bestdag_json_writer *w,
                                const struct bestdag_asking *a,
                                const struct bestdag_query_answer *answer);
/* Steps to the next joint state of the targets, the last changing fastest;
 * false after the last. */
bool bestdag_states_step(const struct bestdag_asking *a, int *state);

#endif
