/* SPDX-License-Identifier: MIT */
/* parcel.h -- values packed into bytes, and unpacked by the same code.
 *
 * One function passes every field of a state to a parcel; the parcel writes it,
 * or fills it in again. So what is packed and what is unpacked cannot differ.
 * The bytes go to a file, of a checkpoint, or to memory, on their way to
 * another rank. */
#ifndef BESTDAG_BASE_PARCEL_H
#define BESTDAG_BASE_PARCEL_H

#include <stdio.h>

#include "base/sha256.h"
#include "base/text.h"

struct bestdag_parcel {
    FILE *file;                /* NULL: in memory */
    struct bestdag_sha256 sha; /* of what went to the file */
    struct bestdag_buffer *to; /* in memory, being packed */
    const char *from;          /* in memory, being opened: what is next */
    bool opens, is_bad;        /* it ends too soon, or was rejected */
    int64_t left;              /* bytes, while it is opened */
};

/* Writes `bytes` bytes, or overwrites them with what was written. One that is
 * opened and ends too soon gives zeros. */
void bestdag_parcel_pass(struct bestdag_parcel *p, void *value, size_t bytes);
#define BESTDAG_PASS(parcel, field)                                            \
    bestdag_parcel_pass(parcel, &(field), sizeof(field))
/* Is it being opened, so that fields are filled in? */
bool bestdag_parcel_opens(const struct bestdag_parcel *p);
/* While it is opened: what was passed cannot be; it is refused. */
void bestdag_parcel_reject(struct bestdag_parcel *p);
/* While it is opened: the rest is not wanted. */
void bestdag_parcel_skip(struct bestdag_parcel *p);
/* An array of `count` elements. When the parcel is opened, *at, which was NULL,
 * becomes a new one, the caller's; it stays NULL if memory fails or the parcel
 * ends before. */
void bestdag_parcel_array(struct bestdag_parcel *p, struct bestdag_run *run,
                          void **at, int64_t count, size_t bytes);
/* The same for a text; NULL stays NULL. */
void bestdag_parcel_text(struct bestdag_parcel *p, struct bestdag_run *run,
                         char **text);

/* Passes all fields of `state`, always in the same order. */
typedef void bestdag_pass_fn(void *state, struct bestdag_parcel *p);

#endif
