/* SPDX-License-Identifier: MIT */
/* hole_rows.h -- the different rows of a table, sorted by the columns that they
 * lack. */
#ifndef BESTDAG_MODELS_HOLES_HOLE_ROWS_H
#define BESTDAG_MODELS_HOLES_HOLE_ROWS_H

#include "base/run.h"
#include "models/joint_state.h"

enum { BESTDAG_HOLE = 0xffff }; /* the code of a missing value here */

/* Rows without any value carry no information and are left out. */
struct bestdag_hole_rows {
    int n;
    int64_t count;     /* different rows; equal patterns are adjacent */
    int64_t weight_of; /* rows of the table that they stand for */
    int64_t empty;     /* rows without any value */
    int64_t patterns;  /* different ones */
    uint16_t *code;    /* owns; [count * n] */
    int64_t *weight;   /* owns; [count] */
    uint64_t *pattern; /* owns; [count]: hash of the holes; 0: none */
};

/* Columns are digits whose highest value is "missing". are_all: rows without
 * missing values are included, and come first. Release in any case. */
int bestdag_hole_rows_find(struct bestdag_run *run,
                           const struct bestdag_digit *column, int n,
                           int64_t rows, const int32_t *weights, bool are_all,
                           struct bestdag_hole_rows *to);
void bestdag_hole_rows_release(struct bestdag_hole_rows *rows);

static inline const uint16_t *bestdag_hole_row(
    const struct bestdag_hole_rows *rows, int64_t i)
{
    return rows->code + i * rows->n;
}

/* Code of a cell; -1: missing. */
static inline int bestdag_digit_code(const struct bestdag_digit *d, int64_t row)
{
    if (d->bytes == 1) {
        int code = ((const uint8_t *)d->cells)[row];
        return code == 0xff ? -1 : code;
    }
    int code = ((const uint16_t *)d->cells)[row];
    return code == 0xffff ? -1 : code;
}

#endif
