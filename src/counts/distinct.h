/* SPDX-License-Identifier: MIT */
/* distinct.h -- the rows of a table for passes over them: the distinct ones, if
 * there are so few that it pays, else all. */
#ifndef BESTDAG_COUNTS_DISTINCT_H
#define BESTDAG_COUNTS_DISTINCT_H

#include "data/table.h"

struct bestdag_distinct {
    int64_t rows;
    int columns;
    const int32_t *weight; /* [rows]; NULL: all 1 */
    /* Codes of a column, bytes[c] per cell; none is missing. */
    const void **cells; /* owns; [columns] */
    int *bytes;         /* owns; [columns] */
    int32_t *weights;   /* owns; `weight`, unless it is the table's */
    void *block;        /* owns; `cells` point into it, unless into the table */
};

/* On the calling thread. Borrows the table, which must hold only codes, without
 * missing ones. If stopped, it uses all rows. */
struct bestdag_distinct *bestdag_distinct_new(
    struct bestdag_run *run, const struct bestdag_table *table);
void bestdag_distinct_free(struct bestdag_distinct *distinct);

static inline size_t bestdag_distinct_code(const void *cells, int bytes,
                                           int64_t row)
{
    return bytes == 1 ? ((const uint8_t *)cells)[row]
                      : ((const uint16_t *)cells)[row];
}

#endif
