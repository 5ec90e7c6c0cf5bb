/* SPDX-License-Identifier: MIT */
/* trie.h -- finds the first of sorted sets that is inside the available
 * variables.
 *
 * A node tests six variables at once and has a child for each of the 64 answers
 * to which of them are available. A child keeps the sets that this answer
 * allows, without those six variables; of sets that become equal, or supersets
 * of others, only the cheapest. So lists shrink quickly, and short ones are
 * leaves:
 *
 *     list of v --  available >> shift & 63  --> child ... --> leaf: scanned,
 *     4,000 sets    e.g. 010110                  90 sets       8 masks per step
 *
 * Leaves end with the empty mask, which ends every scan. Masks have 32 bits if
 * that is enough. Equal children are shared. Splitting ends when there are
 * eight entries per set: then leaves are longer. */
#ifndef BESTDAG_PROBLEM_TRIE_H
#define BESTDAG_PROBLEM_TRIE_H

#include "problem/best_parents.h"

/* The lists, and their variables. */
struct bestdag_trie_job {
    const struct bestdag_candidates *list; /* [lists] */
    int lists;
    int n, words;   /* of their masks: variables, words */
    int from, size; /* variables that may be missing: from 0, n of them, or at
                       most 64. All others are always available, and queries are
                       over these only: bit 0 stands for `from` */
};

struct bestdag_trie {
    bestdag_best_fn *best;          /* takes the trie and the index of a list */
    struct bestdag_trie_list *list; /* owns; [lists] */
    int lists;
    int words; /* of a query */
    int lane;  /* bits of a mask in a leaf: 32, 64, or 64 per word */
    int64_t entries, bytes;
};

/* NULL: error. The lists need not outlive it; they are made in parallel. */
struct bestdag_trie *bestdag_trie_new(struct bestdag_run *run,
                                      const struct bestdag_trie_job *job);
void bestdag_trie_free(struct bestdag_trie *trie);
/* The value of `best` on this machine, or the portable one (for tests). */
bestdag_best_fn *bestdag_trie_kernel(const struct bestdag_trie *trie,
                                     bool is_plain);

static inline int64_t bestdag_trie_best(const struct bestdag_trie *trie,
                                        int list, const uint64_t *available)
{
    return trie->best(trie, list, available);
}

#endif
