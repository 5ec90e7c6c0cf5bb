/* SPDX-License-Identifier: MIT */
/* trace.h -- the --trace file: sets in the order in which they were scored, one
 * variable after the other. */
#ifndef BESTDAG_PARENTS_TRACE_H
#define BESTDAG_PARENTS_TRACE_H

#include "base/text.h"
#include "parents/parents.h"

/* Opens plan->trace, if the options name a file. */
int bestdag_trace_open(struct bestdag_plan *plan,
                       const struct bestdag_options *options);
/* On any thread: adds a set of `count` parents, the step-th of its variable. */
void bestdag_trace_add(struct bestdag_buffer *trace, int64_t step, int count,
                       double score);
/* On the calling thread, in the order of the variables: writes what was added
 * for one of them (NULL: nothing). Does nothing without a file. */
void bestdag_trace_write(struct bestdag_plan *plan, int child,
                         const char *trace);

#endif
