/* SPDX-License-Identifier: MIT */
/* rule_filter.h -- applies rules to candidate lists that were made without
 * rules, or under other ones. */
#ifndef BESTDAG_PARENTS_RULED_RULE_FILTER_H
#define BESTDAG_PARENTS_RULED_RULE_FILTER_H

#include "constraints/deduction/compile.h"
#include "parents/sets.h"

/* Were the sets made under exactly these rules? Then they need no filter. */
bool bestdag_sets_made_under(struct bestdag_run *run,
                             const struct bestdag_sets *sets,
                             const struct bestdag_rules *rules);
/* The sets that obey the rules about their child, with names and notes; owned
 * by the caller; NULL: error. A list stays as complete as it was if the rules
 * only forbid parents or limit their number: a set that was left out for a
 * subset may be left out again. If they require something, a set that obeys may
 * have been left out for one that does not, and the list is no longer
 * complete. */
struct bestdag_sets *bestdag_sets_obeying(
    struct bestdag_run *run, const struct bestdag_sets *sets,
    const struct bestdag_knowledge *knowledge);

#endif
