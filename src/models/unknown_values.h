/* SPDX-License-Identifier: MIT */
/* unknown_values.h -- values of a table that a network does not know.
 *
 * New rows have values that the rows of training had not: such a value says
 * nothing, and counts as missing. One note says which. */
#ifndef BESTDAG_MODELS_UNKNOWN_VALUES_H
#define BESTDAG_MODELS_UNKNOWN_VALUES_H

#include "base/text.h"

struct bestdag_unknown {
    struct bestdag_buffer text; /* owns; its run must be set */
    const char *column;         /* the last that was added; borrowed */
    int64_t cells;
    int columns, labels, shown;
};

/* `count` rows have this label in this column. Adds up. */
void bestdag_unknown_add(struct bestdag_unknown *u, const char *column,
                         const char *label, int64_t count);
/* "column 'x' has 'green' (12), 'blue' (3)", in one note behind what they count
 * as; nothing if there are none. Releases the text. */
void bestdag_unknown_note(struct bestdag_unknown *u);

#endif
