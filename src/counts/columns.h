/* SPDX-License-Identifier: MIT */
/* columns.h -- a table prepared for counting.
 *
 * In addition to the codes of the table there are bit columns: one for each
 * state of a variable except the last (whose count follows by subtraction),
 * with a bit per row, and rows repeated by their weights. Variables are sorted
 * by their number of states, so that those cheap enough for bits are always the
 * first places:
 *
 *     place     0     1     2        3 ...
 *     states    2     2     3        4
 *     bits    | 0 | | 0 | | 0 | 1 | | 0 | 1 | 2 | ...
 *     first     0     1     2        4 ...
 *
 * Memory: sum of (states - 1) * rows / 8 bytes. */
#ifndef BESTDAG_COUNTS_COLUMNS_H
#define BESTDAG_COUNTS_COLUMNS_H

#include "data/table.h"

struct bestdag_columns {
    const struct bestdag_table *table; /* borrowed */
    int n;
    int64_t rows, total; /* rows; their weight */
    int *states;         /* owns; [n], by variable */
    int *order, *place;  /* own; [n]: variable at a place; place of a
                            variable */
    int bit_places;      /* places 0 .. bit_places - 1 have bit columns */
    int *first;          /* owns; [bit_places + 1]: first bit column */
    int64_t words;       /* of a bit column; a multiple of 8 */
    uint64_t *bits;      /* inside block; 64-byte aligned */
    void *block;         /* owns */
};

/* The table must hold only codes, without missing ones. Bit columns are left
 * out if they would take more than a quarter of the memory limit, or if the
 * weights make them slower than codes. */
struct bestdag_columns *bestdag_columns_new(struct bestdag_run *run,
                                            const struct bestdag_table *table);
void bestdag_columns_free(struct bestdag_columns *columns);

static inline const uint64_t *bestdag_bit_column(
    const struct bestdag_columns *c, int place, int state)
{
    return c->bits + (c->first[place] + state) * c->words;
}

static inline int64_t bestdag_columns_weight(const struct bestdag_columns *c,
                                             int64_t row)
{
    return c->table->weights ? c->table->weights[row] : 1;
}

#endif
