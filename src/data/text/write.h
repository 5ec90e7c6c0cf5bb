/* SPDX-License-Identifier: MIT */
/* write.h -- shared by the writers of table formats.
 *
 * A format writes its head, and defines how cells are written (texts of labels
 * and of missing values, made once), the delimiter, and how weights are
 * written; all formats share the loop over the rows. */
#ifndef BESTDAG_DATA_TEXT_WRITE_H
#define BESTDAG_DATA_TEXT_WRITE_H

#include "base/stream.h"
#include "base/text.h"
#include "data/table.h"

struct bestdag_table_format;

enum bestdag_weights_as {
    BESTDAG_AS_COLUMN, /* as a last cell */
    BESTDAG_AS_BRACES, /* as a last cell {5} */
    BESTDAG_AS_ROWS    /* by repeating the row */
};

struct bestdag_written_block {
    size_t at; /* in text */
    size_t length;
};

struct bestdag_table_writer {
    struct bestdag_run *run;
    const struct bestdag_table *table;
    struct bestdag_sink *sink;
    bool is_continued; /* rows of a table whose head was written before */
    /* set by the format */
    char delimiter;
    enum bestdag_weights_as weights;
    const char *missing;
    void (*quote)(const struct bestdag_table_writer *w, const char *label,
                  struct bestdag_buffer *to);
    /* made here */
    struct bestdag_buffer text;          /* all labels, ready to write */
    struct bestdag_written_block *piece; /* owns; of all columns */
    struct bestdag_written_block *
        *of; /* owns; [columns]: labels, then missing */
};

int bestdag_csv_write(struct bestdag_table_writer *w);
int bestdag_tsv_write(struct bestdag_table_writer *w);
int bestdag_dat_write(struct bestdag_table_writer *w);
int bestdag_arff_write(struct bestdag_table_writer *w);

/* By name or, if that is NULL, by the path ("-": csv); NULL: none, an error. */
const struct bestdag_table_format *bestdag_table_format_for(
    struct bestdag_run *run, const char *name, const char *path);
/* Writes a part of a table; `is_continued`: its head was written with the part
 * before, which has the same columns. */
int bestdag_table_append(struct bestdag_run *run,
                         const struct bestdag_table *table,
                         const struct bestdag_table_format *format,
                         struct bestdag_sink *sink, bool is_continued);

/* Writes the rows, after the head. */
int bestdag_write_rows(struct bestdag_table_writer *w);

#endif
