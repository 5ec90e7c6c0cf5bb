/* SPDX-License-Identifier: MIT */
/* memo.h -- remembers numbers for a child and a set of parents, for all
 * threads.
 *
 * What is kept stays where it is until the memo ends, so that readers need no
 * lock once they have found it. When its memory is used up it keeps no more. */
#ifndef BESTDAG_SCORES_MEMO_H
#define BESTDAG_SCORES_MEMO_H

#include "base/row.h"
#include "base/run.h"

struct bestdag_memo;

/* `count` numbers each, for sets of `words` words. NULL: failed. */
struct bestdag_memo *bestdag_memo_new(struct bestdag_run *run, size_t words,
                                      int count, int64_t bytes);
/* So many bytes more, whatever was said before; while nobody else uses it. */
void bestdag_memo_limit(struct bestdag_memo *m, int64_t bytes);
void bestdag_memo_free(struct bestdag_memo *memo);
/* NULL: nothing was kept for them. */
const int64_t *bestdag_memo_find(struct bestdag_memo *memo, int child,
                                 const uint64_t *parents);
/* Copies the numbers. Where they are then, or NULL: there is no more room, or
 * the run failed. */
const int64_t *bestdag_memo_keep(struct bestdag_memo *memo, int child,
                                 const uint64_t *parents,
                                 const int64_t *numbers);

#endif
