/* SPDX-License-Identifier: MIT */
/* indexed_list.h -- the candidate sets of one variable, as solvers use them.
 *
 *     set     cost   mask over the local universe {3, 17, 40}
 *      0        0    1 1 0        {3, 17}   the best: costs are above its score
 *      1      812    0 0 1        {40}
 *      2    90210    0 0 0        {}
 *
 * A set is a mask over the variables that occur in this list alone, so it is
 * one or a few machine words however many variables there are. Costs are whole
 * units; what no set fits costs `cost[count]`, more than any network does. */
#ifndef BESTDAG_PROBLEM_INDEXED_LIST_H
#define BESTDAG_PROBLEM_INDEXED_LIST_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

struct bestdag_indexed_list {
    int count;       /* of sets; cheapest first */
    int universe;    /* variables that occur in them */
    int words;       /* of a mask, at least 1 */
    int32_t *member; /* owns; [universe], ascending: what bit i stands for */
    uint64_t *mask;  /* owns; [count * words] */
    int64_t *cost;   /* owns; [count + 1], ascending; cost[0] is 0 */
    int32_t *start;  /* owns; [universe + 1] */
    int32_t *with;   /* owns; with[start[i] ..): sets that have i, ascending */
};

static inline const uint64_t *bestdag_indexed_list_mask(
    const struct bestdag_indexed_list *m, int set)
{
    assert(set >= 0 && set < m->count);
    return m->mask + (int64_t)set * m->words;
}

static inline bool bestdag_mask_inside(const uint64_t *mask,
                                       const uint64_t *available, int words)
{
    uint64_t outside = 0;
    for (int w = 0; w < words; w++)
        outside |= mask[w] & ~available[w];
    return !outside;
}

/* Does this set hold the variable with local number i? */
static inline bool bestdag_indexed_list_holds(
    const struct bestdag_indexed_list *m, int set, int i)
{
    return set < m->count &&
           bestdag_indexed_list_mask(m, set)[i / 64] >> (i % 64) & 1;
}

/* The cheapest set from number `from` on inside `available`; count: none. */
static inline int bestdag_indexed_list_first(
    const struct bestdag_indexed_list *m, const uint64_t *available, int from)
{
    int set = from;
    assert(from >= 0);
    if (m->words == 1) {
        uint64_t barred = ~*available;
        while (set < m->count && (m->mask[set] & barred))
            set++;
        return set;
    }
    while (set < m->count &&
           !bestdag_mask_inside(bestdag_indexed_list_mask(m, set), available,
                                m->words))
        set++;
    return set;
}

/* The cheapest set below number `below` that holds i and else only what is
 * available; `below`: none. */
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
