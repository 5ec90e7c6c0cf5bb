/* SPDX-License-Identifier: MIT */
/* cursor.c -- a place in a text, with line and column. */
#include "formats/cursor.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

int bestdag_cursor_start(struct bestdag_cursor *c, struct bestdag_run *run,
                         const struct bestdag_file *file)
{
    *c = (struct bestdag_cursor){.run = run,
                                 .name = file->name,
                                 .at = file->bytes,
                                 .end = file->bytes + file->size,
                                 .line_start = file->bytes,
                                 .line = 1};
    c->look = file->size > BESTDAG_READ_AT_ONCE ? c->at + BESTDAG_READ_AT_ONCE
                                                : c->end;
    size_t text = strnlen(file->bytes, file->size);
    size_t good = bestdag_file_valid(run, file, text);
    if (bestdag_run_status(run))
        return bestdag_run_status(run);
    if (good < file->size) {
        while (c->at < file->bytes + good)
            bestdag_cursor_step(c);
        return bestdag_cursor_fail(
            c, bestdag_cursor_place(c),
            "expected a text file, but this byte is not UTF-8 text");
    }
    if (file->size >= 3 && !memcmp(file->bytes, "\xef\xbb\xbf", 3))
        c->at += 3;
    return BESTDAG_OK;
}

static void look(struct bestdag_cursor *c)
{
    c->look = c->end - c->at > BESTDAG_READ_AT_ONCE
                  ? c->at + BESTDAG_READ_AT_ONCE
                  : c->end;
    if (bestdag_stopped_reading(c->run, c->name))
        c->at = c->end; /* ends all loops */
}

void bestdag_cursor_step(struct bestdag_cursor *c)
{
    char passed = *c->at++;
    if (passed == '\n' ||
        (passed == '\r' && !(c->at < c->end && *c->at == '\n'))) {
        c->line++;
        c->line_start = c->at;
    }
    if (c->at >= c->look && c->at < c->end)
        look(c);
}

struct bestdag_place bestdag_cursor_place(const struct bestdag_cursor *c)
{
    return (struct bestdag_place){c->line, c->at - c->line_start + 1};
}

int bestdag_cursor_fail(const struct bestdag_cursor *c,
                        struct bestdag_place place, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int status = bestdag_fail_at_list(c->run, c->name, place, format, list);
    va_end(list);
    return status;
}
