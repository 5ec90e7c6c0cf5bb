/* SPDX-License-Identifier: MIT */
/* heuristic.h -- the door of the heuristics: what the variables that are
 * missing from a prefix set of a component cost at least.
 *
 * All are sums over patterns, sets of variables that share nothing: a pattern U
 * costs at least what its members cost if they come last, in their best order,
 * all others being there (Yuan and Malone 2012):
 *
 *     c({}) = 0,   c(U) = min over v in U of best(v, all - U) + c(U - v)
 *
 * The rows differ in which patterns they have, and in how they choose among
 * them. None ever exceeds the true cost to go. A new row is one file and one
 * line in heuristic.c. */
#ifndef BESTDAG_SEARCH_SUBSETS_HEURISTIC_H
#define BESTDAG_SEARCH_SUBSETS_HEURISTIC_H

#include "bounds/grouping.h"
#include "problem/best_parents.h"

#include <assert.h>

struct bestdag_heuristic_request {
    const struct bestdag_component *component; /* its groups are neighbours */
    const struct bestdag_best_parents *lookup; /* of this component */
    struct bestdag_heuristic_plan plan;
    const int *size; /* static: of each group, in the order of the variables;
                        see grouping.h */
    int groups;
};

struct bestdag_heuristic_row;

/* Read only once it is made: any number of threads may ask. */
struct bestdag_heuristic {
    const struct bestdag_heuristic_row *row;
    bool is_consistent; /* value(S) <= best(v, S) + value(S + v) always: a
                           search need not open a node again */
    int64_t patterns, bytes;
    void *data; /* owns; the row's */
    int64_t (*value)(const void *data, const uint64_t *set);
    void (*after)(const void *data, const uint64_t *set, const int *next,
                  int count, int64_t *h);
};

struct bestdag_heuristic_row {
    const char *name, *help;
    /* Sets all but the row; leaves `value` NULL if it was stopped, or if there
     * are too many variables for it. What is half made is dropped by the
     * door. */
    int (*make)(struct bestdag_run *run,
                const struct bestdag_heuristic_request *job,
                struct bestdag_heuristic *to);
    void (*drop)(void *data);
};

/* The i-th row; NULL after the last. */
const struct bestdag_heuristic_row *bestdag_heuristic_at(int i);

/* NULL: failed. Stopped while it is made, it becomes `simple`, which takes no
 * time; so does one that cannot be for this many variables. The component and
 * the lookup must outlive it. */
struct bestdag_heuristic *bestdag_heuristic_new(
    struct bestdag_run *run, const struct bestdag_heuristic_request *job);
void bestdag_heuristic_free(struct bestdag_heuristic *heuristics);

/* The least cost of what is not in `set`, which has the component's words. */
static inline int64_t bestdag_heuristic_value(
    const struct bestdag_heuristic *heuristics, const uint64_t *set)
{
    int64_t value = heuristics->value(heuristics->data, set);
    assert(value >= 0);
    return value;
}

/* h[i]: the value of `set` with next[i], which is not in it. Cheaper than the
 * values one by one. */
static inline void bestdag_heuristic_after(
    const struct bestdag_heuristic *heuristics, const uint64_t *set,
    const int *next, int count, int64_t *h)
{
    heuristics->after(heuristics->data, set, next, count, h);
}

#endif
