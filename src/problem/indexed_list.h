/* SPDX-License-Identifier: MIT */
/* indexed_list.h -- a constant candidate list with an inverted index from a
 * parent to the sets that contain it. */
#ifndef BESTDAG_PROBLEM_INDEXED_LIST_H
#define BESTDAG_PROBLEM_INDEXED_LIST_H

#include "problem/candidates.h"

struct bestdag_indexed_list {
    BESTDAG_CANDIDATES_HEAD; /* cost[0] is 0 */
    int32_t *start;          /* owns; [universe + 1] */
    int32_t *with; /* owns; sets that contain i, ascending: with[start[i] ..) */
};

static inline const uint64_t *bestdag_indexed_list_mask(
    const struct bestdag_indexed_list *m, int set)
{
    return bestdag_candidates_mask(&m->head, set);
}

/* Does this set contain the variable with local number i? */
static inline bool bestdag_indexed_list_holds(
    const struct bestdag_indexed_list *m, int set, int i)
{
    return set < m->count &&
           bestdag_indexed_list_mask(m, set)[i / 64] >> (i % 64) & 1;
}

/* The index of the cheapest set from `from` on inside `available`; count:
 * none. */
static inline int bestdag_indexed_list_first(
    const struct bestdag_indexed_list *m, const uint64_t *available, int from)
{
    return bestdag_candidates_first(&m->head, available, from);
}

/* The cheapest set with an index below `below` that contains i and otherwise
 * only available variables; `below`: none. */
static inline int bestdag_indexed_list_first_with(
    const struct bestdag_indexed_list *m, uint64_t *available, int i, int below)
{
    assert(i >= 0 && i < m->universe && below <= m->count);
    uint64_t old = available[i / 64];
    int found = below;
    available[i / 64] |= (uint64_t)1 << (i % 64);
    for (int32_t k = m->start[i]; k < m->start[i + 1]; k++) {
        int set = m->with[k];
        if (set >= below)
            break;
        if (bestdag_mask_inside(bestdag_indexed_list_mask(m, set), available,
                                m->words)) {
            found = set;
            break;
        }
    }
    available[i / 64] = old;
    return found;
}

#endif
