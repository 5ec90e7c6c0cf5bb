/* SPDX-License-Identifier: MIT */
/* fges.h -- moves of greedy equivalence search: insertions and deletions with a
 * set of neighbours. As a climb, a phase that inserts and one that deletes; or
 * one by one. */
#ifndef BESTDAG_SEARCH_CLASSES_FGES_H
#define BESTDAG_SEARCH_CLASSES_FGES_H

#include "search/classes/class_state.h"

/* Operations beside the six, with a set of neighbours. */
#define BESTDAG_INSERT_SET BESTDAG_OPERATORS
#define BESTDAG_DELETE_SET ((enum bestdag_operator)(BESTDAG_OPERATORS + 1))

struct bestdag_fges;
/* Over a search state, which is borrowed. NULL: failed. */
struct bestdag_fges *bestdag_fges_new(struct bestdag_class_state *w);
void bestdag_fges_free(struct bestdag_fges *p);
/* Bytes that it takes beside the state. */
static inline int64_t bestdag_fges_bytes(int n)
{
    return (int64_t)n * n * 8;
}
/* The state stands elsewhere. */
void bestdag_fges_begin(struct bestdag_fges *p);

/* Is the best insertion between the two of interest? It gains at most this. */
typedef bool bestdag_wants_fn(void *user, const struct bestdag_operation *move,
                              int64_t most);
/* Calls `visit` for each pair and the best of its insertions
 * (BESTDAG_INSERT_SET), if wanted, and of its deletions (BESTDAG_DELETE_SET),
 * where they gain. */
void bestdag_fges_look(struct bestdag_fges *p, bestdag_wants_fn *wants,
                       bestdag_visit_move_fn *visit, void *user);
/* Makes the best one of the pair. False: it was none, or is barred now, or the
 * run failed. */
bool bestdag_fges_make(struct bestdag_fges *p,
                       const struct bestdag_operation *move);
/* From where the state stands, until neither phase finds anything, or it has
 * made `moves`, or the run is stopped. `path`, if not NULL, is called for
 * each. */
void bestdag_fges_climb(struct bestdag_fges *p, int64_t moves,
                        bestdag_visit_move_fn *path, void *user);

#endif
