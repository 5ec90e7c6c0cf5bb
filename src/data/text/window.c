/* SPDX-License-Identifier: MIT */
/* window.c -- the part of a text file that is in memory. */
#include "data/text/window.h"

#include <string.h>

#include "base/place.h"
#include "base/text.h"

/* Fields hold lengths of 29 bits; real files do not come near. */
enum { LONGEST_ROW = 1 << 28 };

int64_t bestdag_window_line_of(const struct bestdag_window *w, size_t offset,
                               size_t *start)
{
    int64_t line = w->line + bestdag_source_lines_before(w->source);
    *start = w->at;
    for (size_t i = w->at; i < offset; i++)
        if (w->bytes[i] == '\n' ||
            (w->bytes[i] == '\r' && w->bytes[i + 1] != '\n')) {
            line++;
            *start = i + 1;
        }
    return line;
}

int bestdag_window_fail(struct bestdag_window *w, size_t offset,
                        const char *format, ...)
{
    size_t start;
    int64_t line = bestdag_window_line_of(w, offset, &start);
    struct bestdag_place at = {line, (int64_t)(offset - start) + 1};
    va_list list;
    va_start(list, format);
    int status = bestdag_fail_at_list(w->run, bestdag_source_name(w->source),
                                      at, format, list);
    va_end(list);
    return status;
}

/* ---- is it text? --------------------------------------------------------- */

/* Bytes at the front, in whole steps, that are ASCII but not NUL. */
static size_t skip_ascii(const char *text, size_t n)
{
    enum { STEP = 64 };
    size_t i = 0;
    for (; i + STEP <= n; i += STEP) {
        uint8_t high = 0;
        for (size_t k = 0; k < STEP; k++) {
            uint8_t c = (uint8_t)text[i + k];
            high |= (uint8_t)(c | (uint8_t)(c - 1));
        }
        if (high & 0x80)
            break;
    }
    return i;
}

/* Can text[0..n) be the beginning of a character that continues after it? */
static bool is_cut(const char *text, size_t n)
{
    const unsigned char *s = (const unsigned char *)text;
    size_t needed = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4 || n >= needed)
        return false;
    for (size_t i = 1; i < n; i++)
        if ((s[i] & 0xc0) != 0x80)
            return false;
    return true;
}

static int not_text(struct bestdag_window *w)
{
    unsigned byte = w->invalid_byte;
    if (w->line == 1 && w->end == w->at && byte >= 0xfe)
        return bestdag_window_fail(w, w->end, "UTF-16 text; expected UTF-8");
    if (!byte)
        return bestdag_window_fail(w, w->end,
                                   "a NUL byte; expected a text file");
    return bestdag_window_fail(
        w, w->end,
        "byte 0x%02x is not UTF-8 text; expected a text file in UTF-8", byte);
}

/* Ends the text before an offset. */
static void end_at_invalid(struct bestdag_window *w, size_t offset)
{
    w->is_invalid = true;
    w->invalid_byte = (uint8_t)w->bytes[offset];
    w->last = false;
    w->end = w->checked = offset;
    memset(w->bytes + w->end, 0, BESTDAG_WINDOW_PAD);
}

static void check_text(struct bestdag_window *w)
{
    while (w->checked < w->end) {
        const char *text = w->bytes + w->checked;
        size_t n = w->end - w->checked, plain = skip_ascii(text, n);
        w->checked += plain;
        if (plain)
            continue;
        size_t span = n < 256 ? n : 256;
        size_t valid = bestdag_utf8_valid(text, span);
        const char *nul = memchr(text, 0, valid);
        if (nul)
            valid = (size_t)(nul - text);
        w->checked += valid;
        if (!nul && (valid || (!w->last && is_cut(text, n)))) {
            if (valid)
                continue;
            return; /* a character that the next block ends */
        }
        end_at_invalid(w, w->checked);
    }
}

/* ---- reading ------------------------------------------------------------- */

static int resize(struct bestdag_window *w, size_t room)
{
    char *bytes = bestdag_realloc(w->run, w->bytes, room + BESTDAG_WINDOW_PAD);
    if (!bytes)
        return bestdag_run_status(w->run);
    w->bytes = bytes;
    w->room = room;
    return BESTDAG_OK;
}

int bestdag_window_widen(struct bestdag_window *w, size_t bytes)
{
    enum { MOST = 1 << 22 };
    size_t room = bytes < MOST ? bytes : MOST;
    return w->room == BESTDAG_WINDOW_BLOCK && room > w->room ? resize(w, room)
                                                             : BESTDAG_OK;
}

static int make_room(struct bestdag_window *w)
{
    if (w->end <= w->room / 2)
        return BESTDAG_OK;
    if (w->room >= LONGEST_ROW)
        return bestdag_window_fail(w, w->at,
                                   "a row of more than %d MB; is a quote not "
                                   "closed?",
                                   LONGEST_ROW >> 20);
    return resize(w, w->room * 2);
}

int bestdag_window_more(struct bestdag_window *w)
{
    if (w->last)
        return BESTDAG_OK;
    if (w->is_invalid)
        return not_text(w);
    memmove(w->bytes, w->bytes + w->at, w->end - w->at);
    w->end -= w->at;
    w->checked -= w->at;
    w->at = 0;
    if (make_room(w))
        return bestdag_run_status(w->run);
    size_t wanted = w->room - w->end;
    int64_t got = bestdag_source_read(w->source, w->bytes + w->end, wanted);
    if (got < 0)
        return bestdag_run_status(w->run);
    w->end += (size_t)got;
    w->last = (size_t)got < wanted;
    memset(w->bytes + w->end, 0, BESTDAG_WINDOW_PAD);
    check_text(w);
    return BESTDAG_OK;
}

int bestdag_window_fill(struct bestdag_window *w, size_t bytes)
{
    while (!w->last && !w->is_invalid && w->end - w->at < bytes)
        if (bestdag_window_more(w))
            return bestdag_run_status(w->run);
    return BESTDAG_OK;
}

int bestdag_window_open(struct bestdag_window *w, struct bestdag_run *run,
                        struct bestdag_source *source, size_t block)
{
    *w = (struct bestdag_window){.run = run, .source = source, .line = 1};
    w->room = block ? block : BESTDAG_WINDOW_BLOCK;
    w->bytes = bestdag_calloc(run, 1, w->room + BESTDAG_WINDOW_PAD);
    if (!w->bytes)
        return bestdag_run_status(run);
    while (!w->last && w->end < 3)
        if (bestdag_window_more(w))
            return bestdag_run_status(run);
    if (w->end >= 3 && !memcmp(w->bytes, "\xef\xbb\xbf", 3))
        w->at = 3;
    if (w->at == w->end && w->last)
        return bestdag_fail(run, BESTDAG_INPUT, "%s: the file is empty",
                            bestdag_source_name(source));
    return BESTDAG_OK;
}

void bestdag_window_release(struct bestdag_window *w)
{
    bestdag_free(w->bytes);
    w->bytes = NULL;
}

bool bestdag_window_line(struct bestdag_window *w, size_t *end, size_t *next)
{
    for (size_t seen = 0;;) {
        size_t i = w->at + seen;
        i += strcspn(w->bytes + i, "\r\n");
        bool whole = i < w->end && (w->bytes[i] == '\n' || i + 1 < w->end);
        if (whole || (w->last && i > w->at) || (w->last && i < w->end)) {
            *end = i;
            *next = i + (i < w->end);
            *next += w->bytes[i] == '\r' && w->bytes[i + 1] == '\n';
            return true;
        }
        seen = i - w->at;
        if (w->last || bestdag_window_more(w))
            return false;
    }
}
