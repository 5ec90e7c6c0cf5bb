/* SPDX-License-Identifier: MIT */
/* jkl.h -- files of candidate parent sets. */
#ifndef BESTDAG_PARENTS_FILES_JKL_H
#define BESTDAG_PARENTS_FILES_JKL_H

#include "base/stream.h"
#include "parents/sets.h"

/* Reads the sets of a .jkl text, without sidecar; NULL: the run says why. */
struct bestdag_sets *bestdag_jkl_read(struct bestdag_run *run,
                                      struct bestdag_source *from);
struct bestdag_jkl_style {
    int digits;    /* significant digits; 17: shortest exact form */
    bool comments; /* write notes as comment lines */
};
/* If the format cannot represent a name, writes the variables' numbers instead.
 * Errors go into the run. */
void bestdag_jkl_write(struct bestdag_run *run, const struct bestdag_sets *sets,
                       const struct bestdag_jkl_style *style,
                       struct bestdag_sink *to);

/* "a.jkl.json" for "a.jkl" and "a.jkl.gz". The caller frees it. */
char *bestdag_sidecar_path(struct bestdag_run *run, const char *path);
/* Writes the sidecar and returns it, not yet closed; NULL: error. */
struct bestdag_sink *bestdag_sidecar_write(struct bestdag_run *run,
                                           const struct bestdag_sets *sets,
                                           const char *path);
/* Takes over the contents of the sidecar at this path, if it exists. */
int bestdag_sidecar_read(struct bestdag_run *run, struct bestdag_sets *sets,
                         const char *path);
/* Are the names "0", "1", ...? */
bool bestdag_sets_numbered(const struct bestdag_sets *sets);

#endif
