/* SPDX-License-Identifier: MIT */
/* rule_filter.h -- candidate sets that were made without rules, or under other
 * ones, under rules. */
#ifndef BESTDAG_PARENTS_RULED_RULE_FILTER_H
#define BESTDAG_PARENTS_RULED_RULE_FILTER_H

#include "constraints/deduction/compile.h"
#include "parents/sets.h"

/* Was it with just these rules that the sets were found? Then they are what
 * they should be. */
bool bestdag_sets_made_under(struct bestdag_run *run,
                             const struct bestdag_sets *sets,
                             const struct bestdag_rules *rules);
/* Those sets that obey the rules about their child alone, with names and notes.
 * A list stays as complete as it was if the rules only forbid parents or many
 * of them: what was left out for a smaller set may be left out again. Where
 * they ask for something, a set that obeys may have been left out for one that
 * does not, and the list is no longer complete. The caller's; NULL: failed. */
struct bestdag_sets *bestdag_sets_obeying(
    struct bestdag_run *run, const struct bestdag_sets *sets,
    const struct bestdag_knowledge *knowledge);

#endif
