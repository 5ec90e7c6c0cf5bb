/* SPDX-License-Identifier: MIT */
/* unknown_values.h -- values of a table that a network does not know.
 *
 * A value in a new row that did not occur in training carries no information
 * and counts as missing. One note lists them. */
#ifndef BESTDAG_MODELS_UNKNOWN_VALUES_H
#define BESTDAG_MODELS_UNKNOWN_VALUES_H

#include "base/text.h"

struct bestdag_unknown {
    struct bestdag_buffer text; /* owns; its run must be set */
    const char *column;         /* the one that was added last; borrowed */
    int64_t cells;
    int columns, labels, shown;
};

/* Adds `count` rows with this label in this column. */
void bestdag_unknown_add(struct bestdag_unknown *u, const char *column,
                         const char *label, int64_t count);
/* Writes one note, "column 'x' has 'green' (12), 'blue' (3)" after what these
 * count as; none if there are none. Releases the text. */
void bestdag_unknown_note(struct bestdag_unknown *u);

#endif
