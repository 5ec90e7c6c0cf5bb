/* SPDX-License-Identifier: MIT */
/* narrowed_list.h -- the candidate list of a trie node: the rest of a list once
 * it is known which of some variables are available. */
#ifndef BESTDAG_PROBLEM_NARROWED_LIST_H
#define BESTDAG_PROBLEM_NARROWED_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/run.h"

enum { BESTDAG_WINDOW = 6 }; /* variables that are decided together */

struct bestdag_narrowed_list {
    int count, words; /* words of a mask */
    uint64_t *mask;   /* owns; [room * words] */
    int64_t *cost;    /* owns; [room], ascending */
};

/* Consecutive variables, all in one word of a mask. */
struct bestdag_trie_window {
    int word, shift;
    uint64_t there; /* the available ones, as bits from 0 */
};

/* An empty list with room for this many sets. Release it also after an
 * error. */
int bestdag_narrowed_list_init(struct bestdag_run *run,
                               struct bestdag_narrowed_list *s, int room,
                               int words);
void bestdag_narrowed_list_release(struct bestdag_narrowed_list *s);
/* Appends a set, unless an earlier, hence no more expensive, set is a subset.
 * True: it was appended and is empty, so no later set matters. */
bool bestdag_narrowed_list_keep(struct bestdag_narrowed_list *to,
                                const uint64_t *mask, int64_t cost);
/* Fills `to`, which has room, with the sets of `from` whose members in the
 * window are available, without those members and without dominated sets.
 * scratch has room for a mask. */
void bestdag_narrowed_list_narrow(const struct bestdag_narrowed_list *from,
                                  struct bestdag_trie_window at,
                                  uint64_t *scratch,
                                  struct bestdag_narrowed_list *to);
/* The window whose variables occur most often; false: all sets are empty. */
bool bestdag_narrowed_list_window(const struct bestdag_narrowed_list *from,
                                  struct bestdag_trie_window *to);
uint64_t bestdag_narrowed_list_hash(const struct bestdag_narrowed_list *s);
bool bestdag_narrowed_list_equals(const struct bestdag_narrowed_list *a,
                                  const struct bestdag_narrowed_list *b);

#endif
