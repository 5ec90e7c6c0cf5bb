/* SPDX-License-Identifier: MIT */
/* merged_lists.h -- adds sets to existing lists. */
#ifndef BESTDAG_PARENTS_MERGED_LISTS_H
#define BESTDAG_PARENTS_MERGED_LISTS_H

#include "parents/sets.h"

/* Adds all sets of the list. */
int bestdag_collector_add_list(struct bestdag_collector *c,
                               const struct bestdag_list *list);
/* Replaces the list of v by `fresh` if that has new sets; otherwise the list,
 * and what depends on it, stays. Empties `fresh`; returns the number of new
 * sets. */
int64_t bestdag_list_renew(struct bestdag_sets *sets, int v,
                           struct bestdag_list *fresh);
/* Adds the sets of `from`; takes its ceilings into account if it was made with
 * the same limit on parents. */
int bestdag_sets_join(struct bestdag_run *run, struct bestdag_sets *sets,
                      const struct bestdag_sets *from, int64_t *more);

#endif
