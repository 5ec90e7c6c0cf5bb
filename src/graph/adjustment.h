/* SPDX-License-Identifier: MIT */
/* adjustment.h -- sets to adjust for, so that what is observed says what an
 * intervention does. */
#ifndef BESTDAG_GRAPH_ADJUSTMENT_H
#define BESTDAG_GRAPH_ADJUSTMENT_H

#include "graph/d_separation.h"

/* A smallest set Z such that, with x the one node FROM, y all nodes TO and g
 * all that is GIVEN, P(y | do(x), g) is the sum over z of P(y | x, z, g) P(z |
 * g). g has no descendant of x. `to` has room for n, ascending; *count is -1 if
 * there is none: x has a parent that is TO. The members of Z are no descendants
 * of x. */
int bestdag_adjustment_find(struct bestdag_run *run,
                            const struct bestdag_d_question *question, int *to,
                            int *count);

#endif
