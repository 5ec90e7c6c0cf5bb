/* SPDX-License-Identifier: MIT */
/* arc_strength.h -- the score that a network loses without one of its arcs. */
#ifndef BESTDAG_LEARN_ARC_STRENGTH_H
#define BESTDAG_LEARN_ARC_STRENGTH_H

#include "search/solver.h"

/* lost[start[v] + i]: the score, in nats, that is lost if v loses its i-th
 * parent and all else stays; NaN: not known. From a table it is computed; from
 * candidate lists it is known where both sets are listed. INFINITY: the rules
 * about parameters allow no family without this parent. A run that was stopped
 * still gets one second for it. */
int bestdag_strength_measure(const struct bestdag_task *task,
                             const struct bestdag_dag *dag,
                             const int64_t *start, double *lost);

#endif
