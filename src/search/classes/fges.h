/* SPDX-License-Identifier: MIT */
/* fges.h -- moves of greedy equivalence search: insertions and deletions with a
 * set of neighbours. Either as a climb with a phase of insertions and one of
 * deletions, or one by one. */
#ifndef BESTDAG_SEARCH_CLASSES_FGES_H
#define BESTDAG_SEARCH_CLASSES_FGES_H

#include "search/classes/class_state.h"

/* Operations in addition to the six operators, with a set of neighbours. */
#define BESTDAG_INSERT_SET BESTDAG_OPERATORS
#define BESTDAG_DELETE_SET ((enum bestdag_operator)(BESTDAG_OPERATORS + 1))

struct bestdag_fges;
/* Works on a search state, which is borrowed. NULL: error. */
struct bestdag_fges *bestdag_fges_new(struct bestdag_class_state *w);
void bestdag_fges_free(struct bestdag_fges *p);
/* Bytes needed in addition to the state. */
static inline int64_t bestdag_fges_bytes(int n)
{
    return (int64_t)n * n * 8;
}
/* To be called when the state was moved elsewhere. */
void bestdag_fges_begin(struct bestdag_fges *p);

/* Is the best insertion of this pair of interest? It gains at most `most`. */
typedef bool bestdag_wants_fn(void *user, const struct bestdag_operation *move,
                              int64_t most);
/* Calls `visit` for each pair with its best insertion (BESTDAG_INSERT_SET), if
 * wanted, and its best deletion (BESTDAG_DELETE_SET), if these gain. */
void bestdag_fges_look(struct bestdag_fges *p, bestdag_wants_fn *wants,
                       bestdag_visit_move_fn *visit, void *user);
/* Makes the best move of the pair. False: there is none, or it is excluded now,
 * or an error. */
bool bestdag_fges_make(struct bestdag_fges *p,
                       const struct bestdag_operation *move);
/* Climbs from the present class until neither phase finds a gain, the state has
 * made `moves` moves in total, or the run is stopped. `path`, if not NULL, is
 * called for each move. */
void bestdag_fges_climb(struct bestdag_fges *p, int64_t moves,
                        bestdag_visit_move_fn *path, void *user);

#endif
