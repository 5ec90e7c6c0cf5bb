/* SPDX-License-Identifier: MIT */
/* growing_array.h -- arrays that grow by half of their length. */
#ifndef BESTDAG_BASE_GROWING_ARRAY_H
#define BESTDAG_BASE_GROWING_ARRAY_H

#include <string.h>

#include "base/run.h"

/* Makes room for `count` items in an array of *room. False: no memory, the
 * run has the error, and the array stays as it was. */
#define BESTDAG_GROW(run, array, room, count)                                  \
    bestdag_array_grow(run, &(array), &(room), count, sizeof *(array))

/* The same for items of `size` bytes; `array` is the address of a pointer. */
static inline bool bestdag_array_grow(struct bestdag_run *run, void *array,
                                      int64_t *room, int64_t count, size_t size)
{
    void *at;
    if (count <= *room)
        return true;
    int64_t wanted = count + count / 2 + 16;
    memcpy(&at, array, sizeof at);
    at = bestdag_realloc(run, at, (size_t)wanted * size);
    if (!at)
        return false;
    memcpy(array, &at, sizeof at);
    *room = wanted;
    return true;
}

#endif
