/* SPDX-License-Identifier: MIT */
/* resume_file.h -- finished lists on disk, so that work can continue after a
 * crash. */
#ifndef BESTDAG_PARENTS_FILES_RESUME_FILE_H
#define BESTDAG_PARENTS_FILES_RESUME_FILE_H

#include "parents/parents.h"

/* Sets plan->part if the option "part" is given, or the run keeps a checkpoint.
 * With the option "resume" the lists in the file are read and is_done is set
 * for them; a file of another table or of other settings is refused. The notes
 * of plan->sets must be set. */
int bestdag_resume_file_open(struct bestdag_plan *plan,
                             const struct bestdag_options *options);
/* Appends a finished list. */
int bestdag_resume_file_add(struct bestdag_resume_file *part,
                            const struct bestdag_sets *sets, int child,
                            int64_t scored);
/* In a checkpoint: records that all lists are final. */
int bestdag_resume_file_end(struct bestdag_plan *plan);
/* Were all lists read, so that there is nothing to do? */
bool bestdag_resume_file_has_ended(const struct bestdag_resume_file *part);
void bestdag_resume_file_close(struct bestdag_resume_file *part);

extern const struct bestdag_option_group bestdag_resume_file_options;

#endif
