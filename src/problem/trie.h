/* SPDX-License-Identifier: MIT */
/* trie.h -- the first of sorted sets that is inside what is available.
 *
 * A node looks at six variables at once and has a child for each of the 64
 * answers to which of them are available. A child keeps the sets that this
 * answer allows, without those six; of sets that are then alike, or supersets,
 * the cheapest alone. So lists shrink quickly, and short ones are leaves:
 *
 *     list of v --  available >> shift & 63  --> child ... --> leaf: scanned,
 *     4,000 sets    e.g. 010110                  90 sets       8 masks per step
 *
 * Leaves end with the empty mask, so that a scan needs no other end. Masks are
 * 32 bits where that is enough. Children that would be the same are one.
 * Splitting ends when eight entries per set are used up: then leaves are
 * longer. */
#ifndef BESTDAG_PROBLEM_TRIE_H
#define BESTDAG_PROBLEM_TRIE_H

#include "problem/best_parents.h"

/* Which lists, and over what. */
struct bestdag_trie_job {
    const struct bestdag_candidates *list; /* [lists] */
    int lists;
    int n, words;   /* of their masks: variables, words */
    int from, size; /* variables that may be missing: from 0, n of them, or at
                       most 64. All others are always available, and
                       queries are over these alone: bit 0 stands for `from` */
};

struct bestdag_trie {
    bestdag_best_fn *best; /* takes the trie and the number of a list */
    struct bestdag_trie_list *list; /* owns; [lists] */
    int lists;
    int words; /* of a query */
    int lane;  /* bits of a mask in a leaf: 32, 64, or 64 per word */
    int64_t entries, bytes;
};

/* NULL: failed. The lists need not outlive it; they are made in parallel. */
struct bestdag_trie *bestdag_trie_new(struct bestdag_run *run,
                                      const struct bestdag_trie_job *job);
void bestdag_trie_free(struct bestdag_trie *trie);
/* What `best` is on this machine, or on any (for tests). */
bestdag_best_fn *bestdag_trie_kernel(const struct bestdag_trie *trie,
                                     bool is_plain);

static inline int64_t bestdag_trie_best(const struct bestdag_trie *trie,
                                        int list, const uint64_t *available)
{
    return trie->best(trie, list, available);
}

#endif
