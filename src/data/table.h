/* SPDX-License-Identifier: MIT */
/* table.h -- a table: columns of codes or numbers, rows with weights.
 *
 * Storage is by column. A column of codes has one byte per cell for up to 255
 * states, two for more; the highest value of the type is "missing". A column of
 * numbers has doubles, NaN is missing. A column of text that has too many
 * different values for codes keeps only their count: `check` reports it, but it
 * cannot be learned from. */
#ifndef BESTDAG_DATA_TABLE_H
#define BESTDAG_DATA_TABLE_H

#include "base/run.h"

enum bestdag_column_kind { BESTDAG_CODES, BESTDAG_NUMBERS, BESTDAG_OPAQUE };

enum {
    BESTDAG_MISSING_1 = 0xff,    /* in columns of one byte per cell */
    BESTDAG_MISSING_2 = 0xffff,  /* of two */
    BESTDAG_MOST_STATES = 0xfffe /* states that a column can have */
};

struct bestdag_column {
    char *name; /* owns */
    enum bestdag_column_kind kind;
    int states;       /* of codes; else 0 */
    char **labels;    /* owns; [states], in natural or declared order */
    bool ordered;     /* in an order that was declared, or of intervals */
    int bytes;        /* per cell: 1, 2 (codes), 8 (numbers), 0 (opaque) */
    void *cells;      /* owns; [rows] uint8_t, uint16_t or double */
    int64_t missing;  /* cells that are missing (rows, not weights) */
    int64_t lacked;   /* cells that were missing before rows were dropped or
                         missing became a state */
    int64_t distinct; /* of opaque columns: different values seen, at least */
};

struct bestdag_hole_patterns;
struct bestdag_shards;

/* How missing values are used in learning. */
enum bestdag_hole_use {
    BESTDAG_HOLES_UNUSED,    /* not at all: rows must be complete */
    BESTDAG_HOLES_AVAILABLE, /* each family uses the rows in which it is
                                complete */
    BESTDAG_HOLES_EM         /* expectation-maximisation */
};

struct bestdag_table {
    int64_t rows;
    int columns, room;
    struct bestdag_column *column;       /* owns; [columns] */
    int32_t *weights;                    /* owns; [rows]; NULL: all 1 */
    int64_t total;                       /* sum of weights; rows if all are 1 */
    int64_t dropped;                     /* rows dropped for missing values */
    struct bestdag_hole_patterns *holes; /* owns; as read; NULL: none lacked */
    enum bestdag_hole_use use;           /* of missing values */
    struct bestdag_shards *shards;       /* owns; rows spread over ranks: no
                                            column has cells; NULL: all here */
    bool has_odd_names;                  /* they look like a row of values */
};

/* Adds a column without cells to a builder and returns it; the table owns it.
 * NULL: failed. Takes over `name` (also on failure). */
struct bestdag_column *bestdag_table_add(struct bestdag_run *run,
                                         struct bestdag_table *table,
                                         char *name);
void bestdag_column_release(struct bestdag_column *column);
/* Copies all but the cells: name, kind, labels. */
int bestdag_column_copy_head(struct bestdag_run *run,
                             const struct bestdag_column *from,
                             struct bestdag_column *to);
/* Adds a column like `from` to a builder, without cells. NULL: failed. */
struct bestdag_column *bestdag_table_add_like(
    struct bestdag_run *run, struct bestdag_table *table,
    const struct bestdag_column *from);
/* -1: no such column. */
int bestdag_table_find(const struct bestdag_table *table, const char *name);
/* The same, but an unknown name fails, naming the nearest one
 * (BESTDAG_USAGE). */
int bestdag_table_find_or_fail(struct bestdag_run *run,
                               const struct bestdag_table *table,
                               const char *name);
/* Fails, naming the column and the command that helps, unless it holds codes.
 */
int bestdag_column_need_codes(struct bestdag_run *run,
                              const struct bestdag_column *column);
/* The same for all columns. */
int bestdag_table_need_codes(struct bestdag_run *run,
                             const struct bestdag_table *table);
int64_t bestdag_table_missing(const struct bestdag_table *table);

/* Code of a cell; -1: missing. */
static inline int bestdag_column_code(const struct bestdag_column *c,
                                      int64_t row)
{
    if (c->bytes == 1) {
        int code = ((const uint8_t *)c->cells)[row];
        return code == BESTDAG_MISSING_1 ? -1 : code;
    }
    int code = ((const uint16_t *)c->cells)[row];
    return code == BESTDAG_MISSING_2 ? -1 : code;
}

/* Bytes per cell of a column with this many states. */
static inline int bestdag_code_bytes(int states)
{
    return states <= BESTDAG_MISSING_1 ? 1 : 2;
}

#endif
