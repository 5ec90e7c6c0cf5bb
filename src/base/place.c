/* SPDX-License-Identifier: MIT */
/* place.c -- messages about a place in a file. */
#include "base/place.h"

#include <stdio.h>

const char *bestdag_place_text(const char *file, struct bestdag_place at,
                               char *to)
{
    if (at.line && at.column)
        snprintf(to, BESTDAG_PLACE_ROOM, "%s:%lld:%lld", file,
                 (long long)at.line, (long long)at.column);
    else if (at.line)
        snprintf(to, BESTDAG_PLACE_ROOM, "%s:%lld", file, (long long)at.line);
    else
        snprintf(to, BESTDAG_PLACE_ROOM, "%s", file);
    return to;
}

int bestdag_fail_at_list(struct bestdag_run *run, const char *file,
                         struct bestdag_place at, const char *format,
                         va_list list)
{
    char place[BESTDAG_PLACE_ROOM], text[768];
    vsnprintf(text, sizeof text, format, list);
    return bestdag_fail(run, BESTDAG_INPUT, "%s: %s",
                        bestdag_place_text(file, at, place), text);
}

int bestdag_fail_at(struct bestdag_run *run, const char *file,
                    struct bestdag_place at, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int status = bestdag_fail_at_list(run, file, at, format, list);
    va_end(list);
    return status;
}
