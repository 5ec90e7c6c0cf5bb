/* SPDX-License-Identifier: MIT */
/* part.h -- finished lists on disk, so that work can go on after a crash. */
#ifndef BESTDAG_PARENTS_PART_H
#define BESTDAG_PARENTS_PART_H

#include "parents/parents.h"

/* Sets plan->part if the option "part" is given. With the option "resume" the
 * lists in the file are taken over and is_done is set for them; a file of
 * another table or of other settings is refused. The notes of plan->sets must
 * be made. */
int bestdag_part_open(struct bestdag_plan *plan,
                      const struct bestdag_options *options);
/* Appends a finished list. */
int bestdag_part_add(struct bestdag_part *part, const struct bestdag_sets *sets,
                     int child, int64_t scored);
void bestdag_part_close(struct bestdag_part *part);

#endif
