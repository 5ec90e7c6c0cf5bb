/* SPDX-License-Identifier: MIT */
/* table_builder.h -- columns while a table is being read.
 *
 * The kind of a column is not known before its last row is read. A builder
 * begins as codes, numbered as values appear (one byte per cell, two from the
 * 256th value on), and may turn:
 *
 *     codes -> numbers   all values are numbers, and too many to be states
 *     either -> opaque   too many different values, and not all are numbers
 *
 * table_builder_finish.c brings the codes into natural order and makes the
 * table. The result does not depend on the order of the rows. */
#ifndef BESTDAG_DATA_TEXT_TABLE_BUILDER_H
#define BESTDAG_DATA_TEXT_TABLE_BUILDER_H

#include "data/table.h"
#include "data/text/dictionary.h"
#include "data/text/settings.h"
#include "data/text/split.h"

enum {
    /* Number of different numbers, some with fractions, beyond which a column
     * holds numbers or, if there is text among them, is opaque. */
    BESTDAG_MOST_FRACTIONS = 4096,
    /* Number of different numbers, some with fractions, that may be states,
     * such as grades. */
    BESTDAG_FRACTIONAL_STATES = 10,
    BESTDAG_MOST_COLUMNS = 1 << 20
};

enum bestdag_builder_kind {
    BESTDAG_STRAND_CODES,   /* cells: uint8_t or uint16_t */
    BESTDAG_STRAND_NUMBERS, /* double */
    BESTDAG_STRAND_OPAQUE,  /* no cells */
    BESTDAG_STRAND_WEIGHTS, /* int32_t */
    BESTDAG_STRAND_SKIPPED  /* no cells; not part of the table */
};

struct bestdag_column_builder {
    char *name; /* owns */
    enum bestdag_builder_kind kind;
    int bytes;   /* per cell; 0: none */
    void *cells; /* owns; [room of the table builder] */
    struct bestdag_dictionary values;
    int numbers;         /* values that are numbers */
    bool fractions;      /* one of them at least is not whole */
    bool has_missing;    /* a cell is missing */
    bool token_is_value; /* a quoted "NA" or the like is a value */
    bool closed;         /* its values are all declared */
    bool numeric;        /* declared to be numbers */
    bool as_states;      /* forced to states, however many numbers */
    bool as_numbers;     /* forced to numbers, however few */
    int arity;           /* declared number of states; 0: none */
    int64_t missing;     /* of opaque builders */
    int64_t distinct;    /* of opaque builders: different values, at least */
    char example[32];    /* of opaque builders: a text among numbers, or "" */
};

struct bestdag_table_builder {
    struct bestdag_run *run;
    struct bestdag_window *window;           /* borrowed: texts of fields */
    const struct bestdag_settings *settings; /* borrowed */
    const struct bestdag_dialect *dialect;   /* borrowed; set before adding */
    struct bestdag_column_builder *column;   /* owns; [count] */
    int count, builder_room;
    int64_t rows, room;
    struct bestdag_buffer store; /* long texts of all dictionaries */
    struct bestdag_buffer scratch;
    bool refuse_missing;
    bool has_header; /* the names are the first line of the file */
    /* the first error in the rows since the last commit */
    size_t wrong_at; /* its offset; SIZE_MAX: none */
    char wrong[512];
};

/* The cells of some rows of one column: field[0], field[stride], ... */
struct bestdag_cells {
    const struct bestdag_field *field;
    size_t stride;
    int64_t rows;
};

void bestdag_table_builder_init(struct bestdag_table_builder *g,
                                struct bestdag_window *window,
                                const struct bestdag_settings *settings);
void bestdag_table_builder_release(struct bestdag_table_builder *g);
/* Adds a builder, with a name that it takes over (also on failure); NULL:
 * failed. */
struct bestdag_column_builder *bestdag_table_builder_append(
    struct bestdag_table_builder *g, char *name);
/* Called once all names are set: fails if one occurs twice, leaves out columns
 * as the settings say, and finds the weights. */
int bestdag_table_builder_settle(struct bestdag_table_builder *g);
/* Makes room for this many more rows, which end before an offset in the
 * window. */
int bestdag_table_builder_reserve(struct bestdag_table_builder *g, int64_t more,
                                  size_t offset);
/* Appends cells to the committed rows of a column. Room was reserved. Errors in
 * values are reported by the commit, when all columns were processed. */
int bestdag_table_builder_add(struct bestdag_table_builder *g, int column,
                              struct bestdag_cells cells);
/* Commits `more` new cells of all columns. */
int bestdag_table_builder_commit(struct bestdag_table_builder *g, int64_t more);
/* Adds a declared state, before any row. BESTDAG_INPUT: it exists already. */
int bestdag_table_builder_declare(struct bestdag_table_builder *g, int column,
                                  const char *text, size_t n);
/* Adds a value that a rank with other rows has. At least 8 bytes can be read at
 * the text. */
int bestdag_table_builder_adopt(struct bestdag_table_builder *g,
                                struct bestdag_column_builder *s,
                                const char *text, size_t n);
/* Makes the table, with missing cells as they are; the builder then has no
 * cells. */
struct bestdag_table *bestdag_table_builder_finish(
    struct bestdag_table_builder *g);

/* Writes notes about the columns that were found. */
void bestdag_table_builder_note(struct bestdag_table_builder *g);
/* Do the names of a header look like a row of values? Notes it. */
bool bestdag_table_builder_has_odd_names(const struct bestdag_table_builder *g,
                                         const struct bestdag_table *table);

static inline bool bestdag_builder_is_free(
    const struct bestdag_column_builder *s)
{
    return !s->closed && !s->arity;
}
/* The first value that is not a number; if there is none, any value. */
struct bestdag_word bestdag_builder_text(
    const struct bestdag_table_builder *g,
    const struct bestdag_column_builder *s);
/* For table_builder_finish.c: turns the first `rows` cells of a builder of
 * codes into numbers. */
int bestdag_builder_to_numbers(struct bestdag_table_builder *g,
                               struct bestdag_column_builder *s, int64_t rows);
/* A column with more different numbers than this holds numbers. */
int bestdag_builder_most_states(const struct bestdag_table_builder *g,
                                const struct bestdag_column_builder *s);
/* example: a text among many numbers; NULL: none to name. */
void bestdag_builder_to_opaque(struct bestdag_column_builder *s, int64_t rows,
                               const struct bestdag_word *example);

#endif
