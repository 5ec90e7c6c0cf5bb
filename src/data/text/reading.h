/* SPDX-License-Identifier: MIT */
/* reading.h -- shared by the readers of table formats.
 *
 * A format reads the head of its file, makes the columns, and leaves the rows
 * to bestdag_rows_read(). A new format is one file that defines
 * bestdag_reads_foo and bestdag_writes_foo, and one row in read.c. */
#ifndef BESTDAG_DATA_TEXT_READING_H
#define BESTDAG_DATA_TEXT_READING_H

#include "data/text/table_builder.h"
#include "data/text/single_character.h"

struct bestdag_table_format;

struct bestdag_table_reader {
    struct bestdag_run *run;
    struct bestdag_window window;
    struct bestdag_settings settings;
    struct bestdag_dialect dialect;
    struct bestdag_table_builder builder;
    struct bestdag_single_character single;
    bool is_range;     /* a range of a file: no row may have several lines */
    bool only_general; /* for tests: no fast path */
    bool asked;        /* the format was named, not detected */
    int64_t skipped;   /* blank lines between rows */
    int64_t holes;     /* blank lines that may be missing values */
    int64_t hole_line; /* the first of them */
    struct bestdag_field *field; /* owns; of rows being split */
    size_t field_room;
};

/* The next row that is not blank or a comment, not stepped over; all its fields
 * in r->field until the next call. The dialect is prepared here. */
int bestdag_rows_next(struct bestdag_table_reader *r, struct bestdag_row *row);
/* Takes names from a row of the file, and makes the columns. Drops an empty
 * first name (row names) and an empty last one (a trailing delimiter). */
int bestdag_rows_names(struct bestdag_table_reader *r,
                       const struct bestdag_row *row);
/* Called once the columns exist, before any row. */
int bestdag_rows_begin(struct bestdag_table_reader *r);
/* Reads the rows of the window and of what follows it, if any. */
int bestdag_rows_add(struct bestdag_table_reader *r);
/* Both; a file without rows is an error. */
int bestdag_rows_read(struct bestdag_table_reader *r);
/* "file:line: found N fields, expected M". */
int bestdag_rows_wrong_count(struct bestdag_table_reader *r, size_t at,
                             int found, int expected);

/* Why a range of a file has no rows of several lines; begins with "; ". */
extern const char bestdag_no_spanning_rows[];

/* Of read.c. NULL: failed. */
const struct bestdag_table_format *bestdag_reader_choose(
    struct bestdag_table_reader *r);
/* Applies the settings: drops rows, makes missing a state, removes states. */
int bestdag_reader_settle(struct bestdag_table_reader *r,
                          struct bestdag_table *table);
void bestdag_reader_release(struct bestdag_table_reader *r);

/* Detects the delimiter and notes it. */
int bestdag_sniff_delimiter(struct bestdag_table_reader *r);
/* Is this the beginning of an ARFF file? */
bool bestdag_arff_sniff(const struct bestdag_window *w);

/* Reads the names, up to the first row. */
int bestdag_csv_head(struct bestdag_table_reader *r);
int bestdag_csv_read(struct bestdag_table_reader *r);
int bestdag_tsv_read(struct bestdag_table_reader *r);
int bestdag_dat_read(struct bestdag_table_reader *r);
int bestdag_arff_read(struct bestdag_table_reader *r);

#endif
