/* SPDX-License-Identifier: MIT */
/* archive.h -- values packed into bytes, and unpacked by the same code.
 *
 * One function passes every field of a state to an archive, which either writes
 * it or fills it in. So packing and unpacking cannot differ. The bytes go to a
 * file of a checkpoint, or to memory for another rank. */
#ifndef BESTDAG_BASE_ARCHIVE_H
#define BESTDAG_BASE_ARCHIVE_H

#include <stdio.h>

#include "base/sha256.h"
#include "base/text.h"

struct bestdag_archive {
    FILE *file;                /* NULL: in memory */
    struct bestdag_sha256 sha; /* of the bytes in the file */
    struct bestdag_buffer *to; /* in memory, being packed */
    const char *from;          /* in memory, being opened: the next byte */
    bool opens, is_bad;        /* it ends too soon, or was rejected */
    int64_t left;              /* bytes, while it is opened */
};

/* Writes `bytes` bytes, or fills them in. An archive that ends too soon gives
 * zeros. */
void bestdag_archive_pass(struct bestdag_archive *p, void *value, size_t bytes);
#define BESTDAG_PASS(archive, field)                                           \
    bestdag_archive_pass(archive, &(field), sizeof(field))
/* Is it being opened, so that fields are filled in? */
bool bestdag_archive_opens(const struct bestdag_archive *p);
/* While it is opened: the value that was passed is invalid; refuses the
 * archive. */
void bestdag_archive_reject(struct bestdag_archive *p);
/* While it is opened: skips the rest. */
void bestdag_archive_skip(struct bestdag_archive *p);
/* Passes an array of `count` elements. When the archive is opened, *at, which
 * was NULL, becomes a new array, owned by the caller; it stays NULL if memory
 * fails or the archive ends too soon. */
void bestdag_archive_array(struct bestdag_archive *p, struct bestdag_run *run,
                           void **at, int64_t count, size_t bytes);
/* The same for a text; NULL stays NULL. */
void bestdag_archive_text(struct bestdag_archive *p, struct bestdag_run *run,
                          char **text);

/* Passes all fields of `state`, always in the same order. */
typedef void bestdag_pass_fn(void *state, struct bestdag_archive *p);

#endif
