/* SPDX-License-Identifier: MIT */
/* warnings.h -- properties of a table that make a learned network doubtful.
 *
 * These are columns that cannot be useful variables (identifiers, dates, text
 * that hardly repeats a value), rows that were dropped for missing values, and
 * a first line of values that was taken for names. `check` and everything that
 * learns use the same tests. */
#ifndef BESTDAG_DATA_CHECK_WARNINGS_H
#define BESTDAG_DATA_CHECK_WARNINGS_H

#include "base/json.h"
#include "data/table.h"

enum bestdag_warning {
    BESTDAG_NO_WARNING,
    BESTDAG_IDENTIFIER, /* more different values than 0.9 of the weight, from a
                           weight of 20 on */
    BESTDAG_DATES,      /* all labels are dates or times, and more than 10 */
    BESTDAG_MANY_STATES /* more than 50; or more than 10, and less than 5 rows
                           for each */
};

/* For a column of codes with `distinct` different values in rows of total
 * weight `weight`. */
enum bestdag_warning bestdag_column_warning(const struct bestdag_column *column,
                                            int64_t distinct, int64_t weight);
/* Were so many rows dropped for missing values that users should know? */
bool bestdag_table_dropped_many(const struct bestdag_table *table);

/* "'a' lacks 290, 'b' 4": the columns that rows were dropped for, at most 3. */
void bestdag_table_note_lacking(const struct bestdag_table *table,
                                struct bestdag_buffer *to);

/* Writes one note for each kind of doubtful column; none in a slice, whose
 * table was checked before, nor about what reading has reported. */
void bestdag_table_warn(struct bestdag_run *run,
                        const struct bestdag_table *table);
/* Adds all warnings as an array "warnings" to the open object. */
int bestdag_warnings_write(struct bestdag_run *run,
                           const struct bestdag_table *table,
                           struct bestdag_json_writer *w);

#endif
