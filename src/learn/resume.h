/* SPDX-License-Identifier: MIT */
/* resume.h -- decides which command a checkpoint belongs to. */
#ifndef BESTDAG_LEARN_RESUME_H
#define BESTDAG_LEARN_RESUME_H

#include "base/checkpoint.h"
#include "constraints/language/rules.h"
#include "data/table.h"
#include "parents/sets.h"

/* The input of a command: a table, or candidate lists. */
struct bestdag_resume_input {
    const struct bestdag_table *table; /* NULL: `sets` are given */
    const struct bestdag_sets *sets;
    const struct bestdag_rules *rules; /* NULL: none */
    const struct bestdag_options *options;
};

/* Opens the checkpoint that the options name, if any, for a command on this
 * input. The caller closes it: bestdag_checkpoint_close(). */
int bestdag_resume(struct bestdag_run *run,
                   const struct bestdag_resume_input *matter);

#endif
