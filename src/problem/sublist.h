/* SPDX-License-Identifier: MIT */
/* sublist.h -- sorted sets on their way down a trie: what is left of a list
 * once it is known which of some variables are available. */
#ifndef BESTDAG_PROBLEM_SUBLIST_H
#define BESTDAG_PROBLEM_SUBLIST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/run.h"

enum { BESTDAG_WINDOW = 6 }; /* variables that are decided together */

struct bestdag_sublist {
    int count, words; /* words of a mask */
    uint64_t *mask;   /* owns; [room * words] */
    int64_t *cost;    /* owns; [room], ascending */
};

/* Neighbours by number, all in one word of a mask. */
struct bestdag_window {
    int word, shift;
    uint64_t there; /* those of them that are available, as bits from 0 */
};

/* Empty, with room for so many. Must be released, also on failure. */
int bestdag_sublist_init(struct bestdag_run *run, struct bestdag_sublist *s,
                         int room, int words);
void bestdag_sublist_release(struct bestdag_sublist *s);
/* Takes a set over, unless one that is there, hence not dearer, is a subset.
 * True: it was taken and is empty, so nothing after it is of use. */
bool bestdag_sublist_keep(struct bestdag_sublist *to, const uint64_t *mask,
                          int64_t cost);
/* `to`, which has room, becomes the sets of `from` whose members in the window
 * are available, without those members, and without useless sets. scratch has
 * room for a mask. */
void bestdag_sublist_narrow(const struct bestdag_sublist *from,
                            struct bestdag_window at, uint64_t *scratch,
                            struct bestdag_sublist *to);
/* The window whose variables are in most sets; false: all sets are empty. */
bool bestdag_sublist_window(const struct bestdag_sublist *from,
                            struct bestdag_window *to);
uint64_t bestdag_sublist_hash(const struct bestdag_sublist *s);
bool bestdag_sublist_equals(const struct bestdag_sublist *a,
                            const struct bestdag_sublist *b);

#endif
