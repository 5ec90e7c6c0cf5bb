/* SPDX-License-Identifier: MIT */
/* read.h -- table formats, and reading from any source. */
#ifndef BESTDAG_DATA_TEXT_READ_H
#define BESTDAG_DATA_TEXT_READ_H

#include "base/stream.h"
#include "data/table.h"

struct bestdag_table_reader;
struct bestdag_table_writer;

struct bestdag_table_format {
    const char *name;     /* "csv" */
    const char *suffixes; /* "csv|txt" */
    const char *help;     /* one line */
    int (*read)(struct bestdag_table_reader *r);
    /* Checks the table and prepares names and labels; see write.h. */
    int (*write)(struct bestdag_table_writer *w);
};

/* The i-th row; NULL after the last. */
const struct bestdag_table_format *bestdag_table_format_at(int i);
/* By name; NULL: none, with the nearest name in the error. */
const struct bestdag_table_format *bestdag_table_format_named(
    struct bestdag_run *run, const char *name);
/* By the suffix of a path; NULL: the suffix is unknown. */
const struct bestdag_table_format *bestdag_table_format_of(const char *path);

/* Settings for tests; all 0: as usual. */
struct bestdag_probe {
    size_t block;      /* bytes read at a time */
    bool only_general; /* not the fast path */
};
/* Reads a table from a source, which the caller keeps; its name has the suffix.
 * options and probe may be NULL. */
struct bestdag_table *bestdag_table_from(struct bestdag_run *run,
                                         struct bestdag_source *source,
                                         const struct bestdag_options *options,
                                         const struct bestdag_probe *probe);

#endif
