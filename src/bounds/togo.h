/* SPDX-License-Identifier: MIT */
/* togo.h -- the door of the heuristics: what the variables that are missing
 * from a prefix set of a component cost at least.
 *
 * All are sums over patterns, sets of variables that share nothing: a pattern U
 * costs at least what its members cost if they come last, in their best order,
 * all others being there (Yuan and Malone 2012):
 *
 *     c({}) = 0,   c(U) = min over v in U of best(v, all - U) + c(U - v)
 *
 * The rows differ in which patterns they have, and in how they choose among
 * them. None ever exceeds the true cost to go. A new row is one file and one
 * line in togo.c. */
#ifndef BESTDAG_BOUNDS_TOGO_H
#define BESTDAG_BOUNDS_TOGO_H

#include "problem/lookup.h"

#include <assert.h>

/* What is wanted. */
struct bestdag_togo_plan {
    const char *name;     /* of the row; NULL: static */
    int k;                /* dynamic: variables of a pattern, at most 4;
                             0: 3 */
    int groups;           /* static: how many; 0: chosen */
    const char *grouping; /* static: how they are found; NULL: the best */
};

struct bestdag_togo_job {
    const struct bestdag_component *component; /* its groups are neighbours */
    const struct bestdag_lookup *lookup;       /* of this component */
    struct bestdag_togo_plan plan;
    const int *size; /* static: of each group, in the order of the variables;
                        see grouping.h */
    int groups;
};

struct bestdag_togo_row;

/* Read only once it is made: any number of threads may ask. */
struct bestdag_togo {
    const struct bestdag_togo_row *row;
    bool is_consistent; /* value(S) <= best(v, S) + value(S + v) always: a
                           search need not open a node again */
    int64_t patterns, bytes;
    void *data; /* owns; the row's */
    int64_t (*value)(const void *data, const uint64_t *set);
    void (*after)(const void *data, const uint64_t *set, const int *next,
                  int count, int64_t *h);
};

struct bestdag_togo_row {
    const char *name, *help;
    /* Sets all but the row; leaves `value` NULL if it was stopped, or if there
     * are too many variables for it. What is half made is dropped by the
     * door. */
    int (*make)(struct bestdag_run *run, const struct bestdag_togo_job *job,
                struct bestdag_togo *to);
    void (*drop)(void *data);
};

/* The i-th row; NULL after the last. */
const struct bestdag_togo_row *bestdag_togo_at(int i);

/* NULL: failed. Stopped while it is made, it becomes `simple`, which takes no
 * time; so does one that cannot be for so many variables. The component and the
 * lookup must outlive it. */
struct bestdag_togo *bestdag_togo_new(struct bestdag_run *run,
                                      const struct bestdag_togo_job *job);
void bestdag_togo_free(struct bestdag_togo *togo);

/* The least cost of what is not in `set`, which has the component's words. */
static inline int64_t bestdag_togo_value(const struct bestdag_togo *togo,
                                         const uint64_t *set)
{
    int64_t value = togo->value(togo->data, set);
    assert(value >= 0);
    return value;
}

/* h[i]: the value of `set` with next[i], which is not in it. Cheaper than the
 * values one by one. */
static inline void bestdag_togo_after(const struct bestdag_togo *togo,
                                      const uint64_t *set, const int *next,
                                      int count, int64_t *h)
{
    togo->after(togo->data, set, next, count, h);
}

#endif
