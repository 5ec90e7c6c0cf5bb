/* SPDX-License-Identifier: MIT */
/* spelling.h -- names and labels as a format can hold them. */
#ifndef BESTDAG_FORMATS_SPELLING_H
#define BESTDAG_FORMATS_SPELLING_H

#include "base/stream.h"
#include "network/network.h"

/* Number of bytes at text that the format can hold as they are, 0 if the first
 * character must be replaced. `start` is the beginning of the whole text. */
typedef size_t bestdag_holds_fn(const char *start, const char *text);

struct bestdag_spelling {
    const struct bestdag_network *network;
    char **name;   /* owns; [n]; NULL: as it is */
    char ***label; /* owns; [n][states]; NULL: as they are */
};

/* Replaces what cannot be held by '_', and appends a number where that is no
 * longer unique. label NULL: every label can be held. */
int bestdag_spelling_make(struct bestdag_run *run,
                          const struct bestdag_network *network,
                          bestdag_holds_fn *name, bestdag_holds_fn *label,
                          struct bestdag_spelling *to);
void bestdag_spelling_release(struct bestdag_spelling *s);
const char *bestdag_spelling_name(const struct bestdag_spelling *s, int v);
const char *bestdag_spelling_label(const struct bestdag_spelling *s, int v,
                                   int state);
/* Notes the changes, if there are any. */
void bestdag_spelling_note(struct bestdag_run *run,
                           const struct bestdag_spelling *s, const char *file,
                           const char *format);
/* Writes the text in quotes, with \ before " and \, as the lexer reads it. */
void bestdag_spelling_quote(struct bestdag_sink *to, const char *text);
/* A copy with '_' for characters that cannot be held; "_" for "". */
char *bestdag_spelling_replace(struct bestdag_run *run, const char *text,
                               bestdag_holds_fn *holds);

#endif
