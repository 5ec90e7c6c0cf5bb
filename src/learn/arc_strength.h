/* SPDX-License-Identifier: MIT */
/* arc_strength.h -- what every arc of a network is worth. */
#ifndef BESTDAG_LEARN_ARC_STRENGTH_H
#define BESTDAG_LEARN_ARC_STRENGTH_H

#include "search/solver.h"

/* lost[start[v] + i]: the score that is lost, in nats, if v loses its
 * i-th parent and all else stays; NaN: not known. Of a table it is counted; of
 * candidate sets it is known where both sets are on the list. INFINITY: the
 * rules about parameters allow no family without this parent. What ended the
 * search does not end this at once, but within a second. */
int bestdag_strength_measure(const struct bestdag_task *task,
                             const struct bestdag_dag *dag,
                             const int64_t *start, double *lost);

#endif
