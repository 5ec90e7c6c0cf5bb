/* SPDX-License-Identifier: MIT */
/* resume.h -- which command a checkpoint is of. */
#ifndef BESTDAG_LEARN_RESUME_H
#define BESTDAG_LEARN_RESUME_H

#include "base/checkpoint.h"
#include "constraints/language/rules.h"
#include "data/table.h"
#include "parents/sets.h"

/* What a command works on: a table, or candidate sets. */
struct bestdag_resume_input {
    const struct bestdag_table *table; /* NULL: there are sets */
    const struct bestdag_sets *sets;
    const struct bestdag_rules *rules; /* NULL: none */
    const struct bestdag_options *options;
};

/* Opens the checkpoint of the options, if they name one, for the command that
 * does this. The caller closes it: bestdag_checkpoint_close(). */
int bestdag_resume(struct bestdag_run *run,
                   const struct bestdag_resume_input *matter);

#endif
