/* SPDX-License-Identifier: MIT */
/* row_table.h -- a hash table whose keys are rows of bits: open addressing, at
 * most half full. */
#ifndef BESTDAG_BASE_ROW_TABLE_H
#define BESTDAG_BASE_ROW_TABLE_H

#include "base/run.h"

/* Start from { .words, .size }. */
struct bestdag_row_table {
    size_t words, size;  /* of a key; bytes of a value */
    int64_t count, room; /* room: a power of two, or 0 */
    uint64_t *key;       /* owns; [room * words] */
    void *value;         /* owns; [room] */
    char *used;          /* owns; [room] */
};

/* The value of a key, added if it is new (*fresh; its bytes are not set); NULL:
 * no memory. Values move when the table grows. */
void *bestdag_row_table_add(struct bestdag_run *run,
                            struct bestdag_row_table *h, const uint64_t *key,
                            bool *fresh);
/* NULL: it is not there. */
void *bestdag_row_table_find(const struct bestdag_row_table *h,
                             const uint64_t *key);
/* Empties it. */
void bestdag_row_table_release(struct bestdag_row_table *h);

#endif
