/* SPDX-License-Identifier: MIT */
/* bit_column.h -- the rows of a column that are in a state, as a bit set. */
#ifndef BESTDAG_DATA_BIT_COLUMN_H
#define BESTDAG_DATA_BIT_COLUMN_H

#include <stdint.h>

/* `cell` has the codes of the rows, one byte each; bits after the last row are
 * left unchanged. */
void bestdag_bit_column_fill(const uint8_t *cell, int64_t rows, int state,
                             uint64_t *to);

#endif
