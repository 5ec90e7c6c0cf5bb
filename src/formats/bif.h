/* SPDX-License-Identifier: MIT */
/* bif.h -- the parts of the BIF reader and writer. */
#ifndef BESTDAG_FORMATS_BIF_H
#define BESTDAG_FORMATS_BIF_H

#include "formats/reader.h"

/* What ends a word. Labels may hold a bar. */
#define BESTDAG_BIF_SIGNS "{}(),;|"
#define BESTDAG_BIF_LABEL_SIGNS "{}(),;"

/* The current token is `property`, of variable v or, if v < 0, the network. */
int bestdag_bif_read_property(struct bestdag_reader *r, int v,
                              struct bestdag_original *ours);
/* One label in r->word, all words up to a sign, or only one word; returns how
 * many words it has, 0: failed. */
int bestdag_bif_take_label(struct bestdag_reader *r, bool whole);
/* Reads block number `block` of r->tables. */
int bestdag_bif_read_table(struct bestdag_reader *r, int block);

void bestdag_bif_write(struct bestdag_run *run,
                       const struct bestdag_network *network,
                       struct bestdag_sink *to);

#endif
