/* SPDX-License-Identifier: MIT */
/* single_character.h -- the fast path: rows whose fields are all one character.
 */
#ifndef BESTDAG_DATA_TEXT_SINGLE_CHARACTER_H
#define BESTDAG_DATA_TEXT_SINGLE_CHARACTER_H

#include "data/text/table_builder.h"

struct bestdag_single_character {
    uint8_t *code;               /* owns; code[256 * column + character] */
    uint8_t *packed;             /* owns; the characters of some rows, by row */
    struct bestdag_field *field; /* owns; one column of them */
    int64_t rows;                /* that packed and field have room for */
};

/* Adds rows from the front of the window as long as they have that shape, and
 * steps over them. Returns how many; negative: failed. Returns quickly if the
 * first row has another shape. */
int64_t bestdag_single_character_add(struct bestdag_single_character *fast,
                                     struct bestdag_table_builder *g);
void bestdag_single_character_release(struct bestdag_single_character *fast);

#endif
