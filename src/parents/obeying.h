/* SPDX-License-Identifier: MIT */
/* obeying.h -- candidate sets that were made without rules, under rules. */
#ifndef BESTDAG_PARENTS_OBEYING_H
#define BESTDAG_PARENTS_OBEYING_H

#include "constraints/compile.h"
#include "parents/sets.h"

/* Those sets that obey the rules about their child alone, with names and notes.
 * What is said about the best of them holds over these sets: a set that obeys
 * may have been left out for one that does not, so no list is complete. The
 * caller's; NULL: failed. */
struct bestdag_sets *bestdag_sets_obeying(
    struct bestdag_run *run, const struct bestdag_sets *sets,
    const struct bestdag_knowledge *knowledge);

#endif
