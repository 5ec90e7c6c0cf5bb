/* SPDX-License-Identifier: MIT */
/* jkl.h -- files of candidate parent sets. */
#ifndef BESTDAG_PARENTS_FILES_JKL_H
#define BESTDAG_PARENTS_FILES_JKL_H

#include "base/stream.h"
#include "parents/sets.h"

/* The sets of a .jkl text alone; NULL: the run says why. */
struct bestdag_sets *bestdag_jkl_read(struct bestdag_run *run,
                                      struct bestdag_source *from);
struct bestdag_jkl_style {
    int digits;    /* significant digits; 17: shortest that reads back */
    bool comments; /* notes as comment lines */
};
/* Names that the format cannot hold make it write the variables' numbers.
 * Errors go into the run. */
void bestdag_jkl_write(struct bestdag_run *run, const struct bestdag_sets *sets,
                       const struct bestdag_jkl_style *style,
                       struct bestdag_sink *to);

/* Of "a.jkl" and "a.jkl.gz" it is "a.jkl.json". The caller frees. */
char *bestdag_sidecar_path(struct bestdag_run *run, const char *path);
/* Written, not yet closed; NULL: failed. */
struct bestdag_sink *bestdag_sidecar_write(struct bestdag_run *run,
                                           const struct bestdag_sets *sets,
                                           const char *path);
/* Takes over what the sidecar at this path says; none there: nothing. */
int bestdag_sidecar_read(struct bestdag_run *run, struct bestdag_sets *sets,
                         const char *path);
/* Are the names "0", "1", ...? */
bool bestdag_sets_numbered(const struct bestdag_sets *sets);

#endif
