/* SPDX-License-Identifier: MIT */
/* best_parents.h -- best(v, available): the cost of the cheapest set of v whose
 * members are all available. It is the innermost operation of searches over
 * subsets.
 *
 * Yuan and Malone (2012) store either the answers for every subset, as parent
 * graphs ("full"), or only the sets, sorted ("sparse"); the forms differ in how
 * they find the first set that fits. A new form is one file and one row in
 * best_parents.c. */
#ifndef BESTDAG_PROBLEM_BEST_PARENTS_H
#define BESTDAG_PROBLEM_BEST_PARENTS_H

#include "problem/component.h"

typedef int64_t bestdag_best_fn(const void *data, int v,
                                const uint64_t *available);

struct bestdag_best_parents_form;

/* Constant once made: any number of threads may use it. */
struct bestdag_best_parents {
    const struct bestdag_best_parents_form *form;
    const struct bestdag_component *at; /* borrowed */
    bestdag_best_fn *best;
    void *data;      /* owns; the form's */
    int64_t entries; /* number of costs stored */
    int64_t bytes;   /* in addition to the component */
};

struct bestdag_best_parents_form {
    const char *name, *help;
    /* Sets best, data, entries and bytes. bestdag_best_parents_new() releases a
     * partial result. */
    int (*make)(struct bestdag_run *run, struct bestdag_best_parents *to);
    void (*drop)(void *data); /* NULL: nothing to drop */
};

/* The i-th row; NULL after the last. */
const struct bestdag_best_parents_form *bestdag_best_parents_at(int i);

/* form NULL: the fastest. NULL: an error; BESTDAG_MEMORY if memory cannot hold
 * the form. If construction is stopped, look-ups are slower, but right. */
struct bestdag_best_parents *bestdag_best_parents_new(
    struct bestdag_run *run, const struct bestdag_component *component,
    const char *form);
void bestdag_best_parents_free(struct bestdag_best_parents *lookup);

/* `available` has the component's words; whether v is in it does not matter. */
static inline int64_t bestdag_best_parents_best(
    const struct bestdag_best_parents *lookup, int v, const uint64_t *available)
{
    return lookup->best(lookup->data, v, available);
}

#endif
