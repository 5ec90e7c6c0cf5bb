/* SPDX-License-Identifier: MIT */
/* joint_state.h -- the joint state of several columns as one number, row by
 * row.
 *
 * Columns are digits of a number in mixed radix, the first the most
 * significant: the order of a network's tables. */
#ifndef BESTDAG_MODELS_JOINT_STATE_H
#define BESTDAG_MODELS_JOINT_STATE_H

#include <stdint.h>

struct bestdag_digit {
    const void *cells; /* uint8_t or uint16_t, all below `states` */
    int bytes;         /* per cell: 1 or 2 */
    int states;
};

/* Most joint states that an index can distinguish. */
#define BESTDAG_DIGITS_MOST ((int64_t)UINT32_MAX)

/* The joint states of rows from .. from + n - 1; missing cells give an
 * arbitrary number. The product of all states is at most
 * BESTDAG_DIGITS_MOST. */
void bestdag_digits_index(const struct bestdag_digit *digit, int count,
                          int64_t from, int n, uint32_t *index);

#endif
