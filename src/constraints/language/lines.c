/* SPDX-License-Identifier: MIT */
/* lines.c -- the lines of a rule file that is read by lines: Tetrad's knowledge
 * and GOBNILP's constraints. */
#include <string.h>

#include "constraints/language/parse.h"

struct bestdag_lines bestdag_lines_of(struct bestdag_run *run,
                                      const struct bestdag_file *file)
{
    struct bestdag_lines l = {.run = run,
                              .name = file->name,
                              .at = file->bytes,
                              .end = file->bytes + file->size};
    l.look =
        file->size > BESTDAG_READ_AT_ONCE ? l.at + BESTDAG_READ_AT_ONCE : l.end;
    if (file->size >= 3 && !memcmp(file->bytes, "\xef\xbb\xbf", 3))
        l.at += 3;
    return l;
}

/* Called after another megabyte: must the run stop? */
static bool is_over(struct bestdag_lines *l)
{
    if (l->at < l->look)
        return false;
    l->look = l->end - l->at > BESTDAG_READ_AT_ONCE
                  ? l->at + BESTDAG_READ_AT_ONCE
                  : l->end;
    return l->at < l->end && bestdag_stopped_reading(l->run, l->name);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

bool bestdag_lines_next(struct bestdag_lines *l, const char *comment)
{
    while (l->at < l->end && !is_over(l)) {
        const char *begin = l->at;
        const char *stop = memchr(begin, '\n', (size_t)(l->end - begin));
        stop = stop ? stop : l->end;
        l->at = stop < l->end ? stop + 1 : stop;
        l->line++;
        l->text = begin;
        while (l->text < stop && is_blank(*l->text))
            l->text++;
        while (stop > l->text && is_blank(stop[-1]))
            stop--;
        l->length = (size_t)(stop - l->text);
        l->column = (int)(l->text - begin) + 1;
        if (l->length && strncmp(l->text, comment, strlen(comment)) != 0)
            return true;
    }
    return false;
}
