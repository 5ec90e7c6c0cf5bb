/* SPDX-License-Identifier: MIT */
/* window.h -- the part of a text file that is in memory.
 *
 * A reader works on bytes[at .. end), steps over whole rows, and asks for more
 * when a row ends outside. Memory is one block, or twice the longest row; what
 * comes in is checked to be UTF-8 without NUL bytes; what is not is reported
 * when a reader gets there, so that of several errors the first one is
 * reported, whatever the size of the blocks. A NUL and some more zero bytes
 * always follow `end`, so that scans end there and words may be loaded
 * whole.
 */
#ifndef BESTDAG_DATA_TEXT_WINDOW_H
#define BESTDAG_DATA_TEXT_WINDOW_H

#include "base/stream.h"

enum {
    BESTDAG_WINDOW_PAD = 16,
    BESTDAG_WINDOW_BLOCK = 1 << 20 /* bytes to begin with */
};

struct bestdag_window {
    struct bestdag_run *run;
    struct bestdag_source *source; /* borrowed */
    char *bytes;                   /* owns; [room + BESTDAG_WINDOW_PAD] */
    size_t room;
    size_t at, end;  /* not yet used: bytes[at .. end) */
    size_t checked;  /* what is before this is text */
    bool last;       /* the source has nothing after `end` */
    bool is_invalid; /* the bytes after `end` are no text: reading on will fail
                      */
    uint8_t invalid_byte; /* the first of these bytes */
    int64_t line;         /* of bytes[at], which begins a line; from 1 */
};

/* Reads the first block and steps over a byte order mark. An empty file is an
 * error. block 0: the usual size. */
int bestdag_window_open(struct bestdag_window *w, struct bestdag_run *run,
                        struct bestdag_source *source, size_t block);
void bestdag_window_release(struct bestdag_window *w);
/* Moves the unused bytes to the front and appends more. Offsets change. */
int bestdag_window_more(struct bestdag_window *w);
/* Reads on until there are `bytes`, or the file ends; for looking ahead.
 */
int bestdag_window_fill(struct bestdag_window *w, size_t bytes);
/* Makes room for `bytes`, up to a few MB, unless a block size was given. */
int bestdag_window_widen(struct bestdag_window *w, size_t bytes);
/* Makes sure that a whole line is at `at`; returns its end (its line break) and
 * the beginning of the next. false: no line is left, or an error. */
bool bestdag_window_line(struct bestdag_window *w, size_t *end, size_t *next);
/* Steps over `lines` lines. */
static inline void bestdag_window_step(struct bestdag_window *w, size_t to,
                                       int64_t lines)
{
    w->at = to;
    w->line += lines;
}
/* "file:line:column: <message>" for an offset; BESTDAG_INPUT. */
int bestdag_window_fail(struct bestdag_window *w, size_t offset,
                        const char *format, ...) BESTDAG_PRINTF(3, 4);
/* Line of an offset that is not before `at`. */
int64_t bestdag_window_line_of(const struct bestdag_window *w, size_t offset,
                               size_t *start);

#endif
