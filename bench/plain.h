/* SPDX-License-Identifier: MIT */
/* plain.h -- the plain counter: what everyone writes first, as a baseline. */
#ifndef PLAIN_H
#define PLAIN_H

#include <stdint.h>

struct plain {
    int64_t rows;
    const uint8_t *const *column; /* codes */
    const int *states;
    const double *xlogx; /* [rows + 1] */
    double ess;          /* 0: BIC; else BDeu */
    int32_t *cell;       /* [room] */
    int64_t room;
};

/* One pass over the rows into a dense table of parents x child; -1e300 if the
 * table does not fit. */
double plain_score(const struct plain *p, int child, const int *parents,
                   int count);

#endif
