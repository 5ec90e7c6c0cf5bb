/* SPDX-License-Identifier: MIT */
/* candidates.h -- the candidate parent sets of one variable, cheapest first:
 * the head shared by all layouts of a candidate list, and its operations.
 *
 *     set     cost   mask over the universe {3, 17, 40}
 *      0        0    1 1 0        {3, 17}   the best: costs are above its score
 *      1      812    0 0 1        {40}
 *      2    90210    0 0 0        {}
 *
 * A set is a mask over the variables that occur in its list, so it takes one or
 * a few machine words however many variables there are. Costs are integers, in
 * units. The layouts:
 *
 *     struct bestdag_indexed_list   of a problem: read only, with an inverted
 *                                   index from a parent to its sets
 *     struct bestdag_candidates     of a component: masks over its variables
 *     struct bestdag_reduced_list   of a relaxation: reduced costs that change,
 *                                   sets that reduced-cost fixing removes
 *
 * The first is made from scored lists (problem.c), the others from it by
 * bestdag_candidates_restrict(). verify has its own layout on purpose. */
#ifndef BESTDAG_PROBLEM_CANDIDATES_H
#define BESTDAG_PROBLEM_CANDIDATES_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/run.h"

/* The head, as members of a struct. */
#define BESTDAG_CANDIDATES                                                     \
    int count;       /* of sets; cheapest first */                             \
    int universe;    /* bits of a mask */                                      \
    int words;       /* of a mask, at least 1 */                               \
    int32_t *member; /* owns; [universe], ascending: the variable of a bit;    \
                        NULL: bit i is variable i */                           \
    uint64_t *mask;  /* owns; [count * words] */                               \
    int64_t *cost;   /* owns; [count + 1], ascending; cost[count]: where no    \
                        set fits, more than any network costs */               \
    int32_t *id      /* owns; [count]: numbers of the original sets; NULL: set \
                        i is number i, or is not asked for */

struct bestdag_candidates {
    BESTDAG_CANDIDATES;
};

/* A layout begins with this: the members by name, and the head as a whole. */
#define BESTDAG_CANDIDATES_HEAD                                                \
    union {                                                                    \
        struct {                                                               \
            BESTDAG_CANDIDATES;                                                \
        };                                                                     \
        struct bestdag_candidates head;                                        \
    }

static inline const uint64_t *bestdag_candidates_mask(
    const struct bestdag_candidates *c, int set)
{
    assert(set >= 0 && set < c->count);
    return c->mask + (int64_t)set * c->words;
}

static inline bool bestdag_mask_inside(const uint64_t *mask,
                                       const uint64_t *available, int words)
{
    uint64_t outside = 0;
    for (int w = 0; w < words; w++)
        outside |= mask[w] & ~available[w];
    return !outside;
}

/* The index of the cheapest set from `from` on inside `available`; count:
 * none. */
static inline int bestdag_candidates_first(const struct bestdag_candidates *c,
                                           const uint64_t *available, int from)
{
    int set = from;
    assert(from >= 0);
    if (c->words == 1) {
        uint64_t barred = ~*available;
        while (set < c->count && (c->mask[set] & barred))
            set++;
        return set;
    }
    while (set < c->count &&
           !bestdag_mask_inside(bestdag_candidates_mask(c, set), available,
                                c->words))
        set++;
    return set;
}

/* The cost of the cheapest set inside `available`, for masks of one word. */
static inline int64_t bestdag_candidates_best(
    const struct bestdag_candidates *c, uint64_t available)
{
    int set = 0;
    while (set < c->count && c->mask[set] & ~available)
        set++;
    return c->cost[set];
}

/* How the parents of a list change. */
struct bestdag_restriction {
    const int32_t *rename; /* new numbers by variable, -1: no longer a parent;
                              NULL: unchanged. Must keep the order of the
                              remaining variables, unless `bits` is given */
    int bits;     /* > 0: bit i of the new masks is variable i, of this many; 0:
                     the universe is the variables that occur */
    int compared; /* a set is left out if one of this many cheapest sets before
                     it is a subset; 0: all sets stay */
};
/* Makes `to`, which must be empty, from `from` under the restriction, with ids;
 * *compared (may be NULL) grows by the number of comparisons. */
int bestdag_candidates_restrict(struct bestdag_run *run,
                                const struct bestdag_candidates *from,
                                const struct bestdag_restriction *how,
                                struct bestdag_candidates *to,
                                int64_t *compared);
/* Removes every set with a subset that is as cheap, puts smaller sets first
 * among equally cheap ones, and frees the ids. `sorter` is scratch. */
struct bestdag_collector;
int bestdag_candidates_prune(struct bestdag_run *run,
                             struct bestdag_candidates *c,
                             struct bestdag_collector *sorter);
void bestdag_candidates_release(struct bestdag_candidates *c);

/* Splits n variables into the strongly connected components of "occurs in a set
 * of": component[v], numbered from 0, parents first. list(job, v) are the
 * candidates of v, in numbers 0 .. n - 1. Returns the number of components;
 * negative: error. */
int bestdag_candidates_split(
    struct bestdag_run *run, int n,
    const struct bestdag_candidates *(*list)(const void *job, int v),
    const void *job, int *component);

#endif
