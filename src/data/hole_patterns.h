/* SPDX-License-Identifier: MIT */
/* hole_patterns.h -- which values of a table are missing together. */
#ifndef BESTDAG_DATA_HOLE_PATTERNS_H
#define BESTDAG_DATA_HOLE_PATTERNS_H

#include "data/table.h"

enum { BESTDAG_PATTERNS_KEPT = 40 }; /* as many as a picture has room for */

/* A pattern is the set of columns that a row lacks. */
struct bestdag_hole_patterns {
    int columns;
    int64_t rows;       /* of the table, as it was read */
    int64_t incomplete; /* rows that lack something */
    int64_t different;  /* patterns of these */
    int count; /* of patterns kept: the most frequent, in descending order */
    int64_t *size;  /* owns; [count]: rows */
    uint8_t *lacks; /* owns; [count * columns] */
};

/* NULL: failed. Opaque columns count as complete. Time: rows times columns with
 * missing values, and sorting. */
struct bestdag_hole_patterns *bestdag_hole_patterns_new(
    struct bestdag_run *run, const struct bestdag_table *table);
struct bestdag_hole_patterns *bestdag_hole_patterns_copy(
    struct bestdag_run *run, const struct bestdag_hole_patterns *from);
void bestdag_hole_patterns_free(struct bestdag_hole_patterns *patterns);

/* Does the column have missing values, and is it not opaque? */
bool bestdag_column_has_holes(const struct bestdag_column *column);
bool bestdag_column_is_hole(const struct bestdag_column *column, int64_t row);

#endif
