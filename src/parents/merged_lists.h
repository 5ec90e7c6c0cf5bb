/* SPDX-License-Identifier: MIT */
/* merged_lists.h -- sets that are added to a list which is there. */
#ifndef BESTDAG_PARENTS_MERGED_LISTS_H
#define BESTDAG_PARENTS_MERGED_LISTS_H

#include "parents/sets.h"

/* All sets of the list. */
int bestdag_collector_add_list(struct bestdag_collector *c,
                               const struct bestdag_list *list);
/* The fresh list replaces that of v, if anything is new in it: else it stays,
 * and so does what was made of it. How many sets are new? `fresh` is empty
 * then. */
int64_t bestdag_list_renew(struct bestdag_sets *sets, int v,
                           struct bestdag_list *fresh);
/* Adds what `from` has; what it knows of sets that are not listed counts, too,
 * if it was made with the same limit of parents. */
int bestdag_sets_join(struct bestdag_run *run, struct bestdag_sets *sets,
                      const struct bestdag_sets *from, int64_t *more);

#endif
