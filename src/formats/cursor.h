/* SPDX-License-Identifier: MIT */
/* cursor.h -- a place in a text, for the small formats that are read character
 * by character. */
#ifndef BESTDAG_FORMATS_CURSOR_H
#define BESTDAG_FORMATS_CURSOR_H

#include "base/place.h"
#include "base/stream.h"

struct bestdag_cursor {
    struct bestdag_run *run;
    const char *name, *at, *end;
    const char *line_start; /* first byte of the line */
    int line;               /* from 1 */
    const char *look;       /* where to check for a stop next */
};

/* BESTDAG_INPUT if the text has NUL bytes or is not UTF-8. Steps over a byte
 * order mark. */
int bestdag_cursor_start(struct bestdag_cursor *c, struct bestdag_run *run,
                         const struct bestdag_file *file);
/* Moves one byte on; lines end in LF, CR LF or CR. Not at the end. If the run
 * is stopped, moves to the end, with an error. */
void bestdag_cursor_step(struct bestdag_cursor *c);
struct bestdag_place bestdag_cursor_place(const struct bestdag_cursor *c);
/* "file:line:column: <message>"; BESTDAG_INPUT. */
int bestdag_cursor_fail(const struct bestdag_cursor *c,
                        struct bestdag_place place, const char *format, ...)
    BESTDAG_PRINTF(3, 4);

#endif
