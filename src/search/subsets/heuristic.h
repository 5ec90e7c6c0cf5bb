/* SPDX-License-Identifier: MIT */
/* heuristic.h -- heuristics: lower bounds on the cost of the variables of a
 * component that are missing from a prefix.
 *
 * All are sums over disjoint patterns, which are sets of variables: a pattern U
 * costs at least what its members cost if they come last, in their best order,
 * after all others (Yuan and Malone 2012):
 *
 *     c({}) = 0,   c(U) = min over v in U of best(v, all - U) + c(U - v)
 *
 * The rows differ in their patterns and in how they choose among them. All are
 * admissible. A new row is one file and one line in heuristic.c. */
#ifndef BESTDAG_SEARCH_SUBSETS_HEURISTIC_H
#define BESTDAG_SEARCH_SUBSETS_HEURISTIC_H

#include "bounds/grouping.h"
#include "problem/best_parents.h"

#include <assert.h>

struct bestdag_heuristic_request {
    const struct bestdag_component *component; /* variables of a group are
                                                  adjacent */
    const struct bestdag_best_parents *lookup; /* for this component */
    struct bestdag_heuristic_plan plan;
    const int *size; /* static: of each group, in the order of the variables;
                        see grouping.h */
    int groups;
};

struct bestdag_heuristic_row;

/* Constant once made: any number of threads may use it. */
struct bestdag_heuristic {
    const struct bestdag_heuristic_row *row;
    bool is_consistent; /* always value(S) <= best(v, S) + value(S + v): a
                           search need not reopen nodes */
    int64_t patterns, bytes;
    void *data; /* owns; the row's */
    int64_t (*value)(const void *data, const uint64_t *set);
    void (*after)(const void *data, const uint64_t *set, const int *next,
                  int count, int64_t *h);
};

struct bestdag_heuristic_row {
    const char *name, *help;
    /* Sets all but the row; leaves `value` NULL if it was stopped, or if there
     * are too many variables. bestdag_heuristic_new() releases a partial
     * result. */
    int (*make)(struct bestdag_run *run,
                const struct bestdag_heuristic_request *job,
                struct bestdag_heuristic *to);
    void (*drop)(void *data);
};

/* The i-th row; NULL after the last. */
const struct bestdag_heuristic_row *bestdag_heuristic_at(int i);

/* If construction is stopped, or impossible for this many variables, it becomes
 * `simple`, which takes no time. Component and lookup must outlive it. NULL:
 * error. */
struct bestdag_heuristic *bestdag_heuristic_new(
    struct bestdag_run *run, const struct bestdag_heuristic_request *job);
void bestdag_heuristic_free(struct bestdag_heuristic *heuristics);

/* A lower bound on the cost of the variables not in `set`, which has the
 * component's words. */
static inline int64_t bestdag_heuristic_value(
    const struct bestdag_heuristic *heuristics, const uint64_t *set)
{
    int64_t value = heuristics->value(heuristics->data, set);
    assert(value >= 0);
    return value;
}

/* h[i]: the value of `set` + next[i], which is not in `set`. Cheaper than
 * single values. */
static inline void bestdag_heuristic_after(
    const struct bestdag_heuristic *heuristics, const uint64_t *set,
    const int *next, int count, int64_t *h)
{
    heuristics->after(heuristics->data, set, next, count, h);
}

#endif
