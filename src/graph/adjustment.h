/* SPDX-License-Identifier: MIT */
/* adjustment.h -- adjustment sets, which give the effect of an intervention
 * from observations. */
#ifndef BESTDAG_GRAPH_ADJUSTMENT_H
#define BESTDAG_GRAPH_ADJUSTMENT_H

#include "graph/d_separation.h"

/* A smallest set Z such that, with x the only node FROM, y all nodes TO and g
 * all nodes GIVEN, P(y | do(x), g) is the sum over z of P(y | x, z, g) P(z |
 * g). g must have no descendant of x. `to` has room for n and gets Z,
 * ascending; *count is -1 if there is none: a parent of x is TO. No member of Z
 * is a descendant of x. */
int bestdag_adjustment_find(struct bestdag_run *run,
                            const struct bestdag_d_question *question, int *to,
                            int *count);

#endif
