/* SPDX-License-Identifier: MIT */
/* spill_file.h -- unnamed temporary files for data that memory cannot hold.
 *
 * A spill file is unlinked as soon as it is open, in a directory of the user's
 * choice, so its space is released however the program ends. A full disk is no
 * error of the run: the caller ends its work and reports it. */
#ifndef BESTDAG_SEARCH_SUBSETS_SPILL_FILE_H
#define BESTDAG_SEARCH_SUBSETS_SPILL_FILE_H

#include "base/run.h"

struct bestdag_spill_file {
    bool is_open;
    int file;
    int64_t size; /* bytes written */
};

/* Fails, with the reason, if the directory is not writable. */
int bestdag_spill_file_open(struct bestdag_run *run, const char *directory,
                            struct bestdag_spill_file *s);
void bestdag_spill_file_close(struct bestdag_spill_file *s);
/* Appends. False: errno says why. */
bool bestdag_spill_file_write(struct bestdag_spill_file *s, const void *bytes,
                              size_t n);
/* Fails if these bytes do not exist. Any number of threads may read. */
int bestdag_spill_file_read(struct bestdag_run *run,
                            const struct bestdag_spill_file *s, int64_t at,
                            void *to, size_t n);

#endif
