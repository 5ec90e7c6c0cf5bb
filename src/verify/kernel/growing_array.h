/* SPDX-License-Identifier: MIT */
/* room.h -- arrays that grow. */
#ifndef BESTDAG_VERIFY_ROOM_H
#define BESTDAG_VERIFY_ROOM_H

#include <string.h>

#include "base/run.h"

/* Makes room for `count` items of `size` bytes in the array that the pointer at
 * `array` points to; *room is how many it has. BESTDAG_MEMORY: it stays. */
static inline int bestdag_array_grow(struct bestdag_run *run, void *array,
                                     int64_t *room, int64_t count, size_t size)
{
    void *at;
    if (count <= *room)
        return BESTDAG_OK;
    int64_t wanted = count + count / 2 + 16;
    memcpy(&at, array, sizeof at);
    at = bestdag_realloc(run, at, (size_t)wanted * size);
    if (!at)
        return BESTDAG_MEMORY;
    memcpy(array, &at, sizeof at);
    *room = wanted;
    return BESTDAG_OK;
}

#endif
