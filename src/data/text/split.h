/* SPDX-License-Identifier: MIT */
/* split.h -- the fields of a row.
 *
 * A dialect says what separates fields and how they are quoted; a row is split
 * in place in the window, without copying. Blanks around fields are ignored.
 * Line breaks are LF, CRLF or CR. */
#ifndef BESTDAG_DATA_TEXT_SPLIT_H
#define BESTDAG_DATA_TEXT_SPLIT_H

#include "data/text/window.h"

struct bestdag_field {
    uint32_t at; /* in the window; of a quoted field: after the quote */
    uint32_t length : 29;
    uint32_t quoted : 1;
    uint32_t escaped : 1; /* the text has escapes to be resolved */
    uint32_t omitted : 1; /* not in the file: has the value of omitted fields */
};

struct bestdag_row {
    struct bestdag_field *field; /* borrowed; [room], gets the first fields */
    int room;
    int count;                 /* of fields; 0: a blank line or a comment */
    bool comment;              /* it was a comment */
    struct bestdag_field last; /* the last field */
    size_t next;               /* offset of the next row */
    int64_t lines;             /* of the file that the row takes */
    const char *wrong;         /* of a broken row: what */
    size_t wrong_at;           /*                  where */
};

enum bestdag_split {
    BESTDAG_SPLIT,  /* done */
    BESTDAG_CUT,    /* it ends outside the window */
    BESTDAG_BROKEN, /* row->wrong says why */
};

struct bestdag_dialect;
typedef enum bestdag_split bestdag_split_fn(const struct bestdag_window *w,
                                            const struct bestdag_dialect *d,
                                            size_t at, struct bestdag_row *row);

struct bestdag_dialect {
    char delimiter; /* ' ': runs of blanks and tabs */
    char comment;   /* lines that begin with it are ignored; 0: none */
    bool arff;      /* 'a' and "a" with backslashes; else "a" with "" */
    bool holes;     /* a blank line is a missing value (of one column) */
    bool ends_with_delimiter; /* rows may end in a delimiter */
    int hidden;               /* fields that `split` adds to each row */
    bestdag_split_fn *split;  /* NULL: bestdag_split_row */
    /* made by bestdag_dialect_prepare(): characters that end a run */
    bool stop[256];
};

void bestdag_dialect_prepare(struct bestdag_dialect *d);
bestdag_split_fn bestdag_split_row;
/* A field, escapes resolved, as a new text. */
char *bestdag_field_text(const struct bestdag_window *w,
                         const struct bestdag_dialect *d,
                         struct bestdag_field field);
/* Writes at most `field.length` bytes; returns how many. */
size_t bestdag_field_resolve(const struct bestdag_window *w,
                             const struct bestdag_dialect *d,
                             struct bestdag_field field, char *to);

#endif
