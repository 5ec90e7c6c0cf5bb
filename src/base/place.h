/* SPDX-License-Identifier: MIT */
/* place.h -- where something stands in a file, and messages about it:
 * "file:line:column: <message>". All readers write places with these. */
#ifndef BESTDAG_BASE_PLACE_H
#define BESTDAG_BASE_PLACE_H

#include <stdarg.h>

#include "base/run.h"

enum { BESTDAG_PLACE_ROOM = 1024 };

/* Both from 1; 0: not known, and not written. */
struct bestdag_place {
    int64_t line, column;
};

/* The beginning of a file: for errors of the file as a whole. */
#define BESTDAG_FILE_BEGIN ((struct bestdag_place){1, 1})

/* "file:line:column" into to[BESTDAG_PLACE_ROOM], which is returned. */
const char *bestdag_place_text(const char *file, struct bestdag_place at,
                               char *to);
/* Fails with "file:line:column: <message>"; BESTDAG_INPUT. */
int bestdag_fail_at(struct bestdag_run *run, const char *file,
                    struct bestdag_place at, const char *format, ...)
    BESTDAG_PRINTF(4, 5);
int bestdag_fail_at_list(struct bestdag_run *run, const char *file,
                         struct bestdag_place at, const char *format,
                         va_list list) BESTDAG_PRINTF(4, 0);

#endif
