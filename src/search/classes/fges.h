/* SPDX-License-Identifier: MIT */
/* fges.h -- greedy equivalence search: a phase that inserts, one that deletes.
 */
#ifndef BESTDAG_SEARCH_CLASSES_FGES_H
#define BESTDAG_SEARCH_CLASSES_FGES_H

#include "search/classes/class_state.h"

/* From where the state stands, until neither phase finds anything, or `turns`
 * are made, or the run is stopped. */
int bestdag_fges_climb(struct bestdag_class_state *w, int64_t turns);

#endif
