/* SPDX-License-Identifier: MIT */
/* renumber.h -- a component with its variables in another order, so that those
 * of a group are adjacent. */
#ifndef BESTDAG_PROBLEM_RENUMBER_H
#define BESTDAG_PROBLEM_RENUMBER_H

#include "problem/component.h"

/* Variable i of the new component is variable order[i] of the old one; order is
 * a permutation of 0 .. n - 1. variable[] is no longer ascending. NULL: error.
 * The old component need not outlive the new one. */
struct bestdag_component *bestdag_component_renumber(
    struct bestdag_run *run, const struct bestdag_component *component,
    const int *order);
/* Frees a renumbered component. */
void bestdag_component_free(struct bestdag_component *component);

#endif
