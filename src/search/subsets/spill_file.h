/* SPDX-License-Identifier: MIT */
/* spill_file.h -- what memory cannot hold, in files without a name.
 *
 * A spill is a file without a name in a directory of the user's: it is unlinked
 * as soon as it is open, so its space comes back however the program ends. A
 * full disk is not an error of the run: the caller ends its work and says so.
 */
#ifndef BESTDAG_SEARCH_SUBSETS_SPILL_FILE_H
#define BESTDAG_SEARCH_SUBSETS_SPILL_FILE_H

#include "base/run.h"

struct bestdag_spill_file {
    bool is_open;
    int file;
    int64_t size; /* bytes written */
};

/* Fails, with the reason, if the directory cannot be written to. */
int bestdag_spill_file_open(struct bestdag_run *run, const char *directory,
                            struct bestdag_spill_file *s);
void bestdag_spill_file_close(struct bestdag_spill_file *s);
/* Appends. False: it could not be written, and errno says why. */
bool bestdag_spill_file_write(struct bestdag_spill_file *s, const void *bytes,
                              size_t n);
/* Fails if the bytes are not there. Any number of threads may read. */
int bestdag_spill_file_read(struct bestdag_run *run,
                            const struct bestdag_spill_file *s, int64_t at,
                            void *to, size_t n);

#endif
